//! The results of finished games: the chronicle writes them with ratings and statistics, the history reads them.
//!
//! Invariant: it knows no running game and no client: it follows the journal, and nothing on the path of a turn waits for it.

pub mod chronicle;
pub mod history;
