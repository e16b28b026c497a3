//! Games: one actor each, durable before told, nobody's slowness reaching anybody else.
//!
//! [`room`] decides (pure), [`actor`] carries out, [`hub`] serves spectators, [`directory`] finds and
//! makes games, [`handle`] is what the rest of the server holds of a game.

pub mod directory;
pub mod handle;

pub use directory::{CreateError, Directory, FindError, GameNews, NewGame, NewPlayer};
pub use handle::{Busy, GameHandle, ResumePoint};
