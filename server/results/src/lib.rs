//! What finished games leave behind: the chronicle writes results and ratings, the history reads them.
//!
//! Invariant: it only follows the journal; nothing on the path of a turn waits for it.

pub mod chronicle;
pub mod history;
