//! Games as files: GCG for the tools players use, the event log for everything else, CGP for single positions.
//!
//! [`gcg`] says what the common format can say, for two players without loss but for what it has no words for (clocks,
//! holds, who accepted). [`native`] is the log itself, one event a line: every game, every board, and the proof of its
//! bag. [`check_gcg`] and [`check_native`] replay a record and recompute every figure in it.

mod bag;
pub mod cgp;
mod check;
pub mod gcg;
pub mod native;
mod proof;

#[cfg(test)]
mod tests;

pub use bag::{Step, verify_bag};
pub use check::{Finding, Report, Severity, check_gcg};
pub use proof::check_native;
