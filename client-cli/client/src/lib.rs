//! The client's half of Tilewire, for every program that plays or watches: the terminal client, the load test, the tests.
//!
//! - [`session`] numbers requests and commands and tracks the log position of each game, so that a client can resume;
//! - [`view`] folds a snapshot and events into a [`GameView`], one client's view of one game;
//! - [`rules`] reads the rules of a game from its setup, as types of the rules crate;
//! - [`position`] is the view of a seat that has to move, as the move generator and the bots need it;
//! - [`draft`] computes the words and the score of a play before it is played;
//! - [`brain`] decides for a bot what to do next.
//!
//! The library is pure: it opens no socket, reads no clock and draws no randomness. Invariant: it does not trust the
//! server. It ignores seats, squares and counts that are out of range, and nothing panics.

pub mod brain;
pub mod draft;
#[cfg(any(test, feature = "fixtures"))]
pub mod fixtures;
pub mod position;
pub mod rules;
pub mod session;
pub mod view;

pub use brain::{Brain, BrainError, Choice};
pub use draft::{Draft, DraftError};
pub use position::Position;
pub use rules::SetupError;
pub use session::{Arrival, ClientSession, LogPosition};
pub use view::{GameView, Prompt};
