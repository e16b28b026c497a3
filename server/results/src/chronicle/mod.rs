//! The chronicle: writes the result of every finished game, and the ratings and waiting times that follow from it.
//!
//! It follows the journal in the order of arrival, as a reader: nothing on the path of a turn waits for it. Each step reads
//! the games that ended, folds their logs into results, rates these, counts the points of
//! players who left games, and stores all of it with the new place in the journal
//! in one transaction ([`Chapter`](tilewire_store::Chapter)). So every game counts exactly once, wherever a crash comes.
//!
//! A log that cannot be read is left out and reported. Retention keeps a game until its result is stored.

mod cache;
mod conduct;
mod facts;
#[cfg(any(test, feature = "testing"))]
pub mod played;
mod push;
mod step;
mod table;
mod task;
#[cfg(test)]
mod tests;

pub use cache::RatingCache;
pub use conduct::marks;
pub use step::{Chronicle, ChronicleServices, Progress};
pub use table::{RatingTable, ScoreRules};
pub use task::run;
