//! Records of games: GCG for the tools of players, the native event log, and CGP for single positions.
//!
//! [`gcg`] is the common format of annotated games; it has no form for clocks, holds and acceptances. [`native`] is the
//! log itself, one event per line, for every game and board, and it proves the bag. [`check_gcg()`] and
//! [`check_native()`] replay a record and recompute every number in it.

pub mod cgp;
mod check_gcg;
mod check_native;
pub mod gcg;
mod made;
pub mod native;
mod referee;
mod report;
mod times;
mod verify_bag;

#[cfg(test)]
mod tests;

pub use check_gcg::{check_gcg, made_turns};
pub use check_native::check_native;
pub use made::MadeTurn;
pub use report::{Code, Finding, Report, Severity};
pub use verify_bag::{Step, verify_bag};
