//! Backups that the server makes by itself while games are played, and the drill that restores one.
//!
//! A thread of low priority reads the database beside the writer, at half the speed of the disk. A backup has its name only when
//! it is complete, checked and on the disk; the oldest ones go after that, so a failure leaves those that are there.

mod drill;
mod folder;
mod name;
mod schedule;

pub use drill::drill;
pub use schedule::{Schedule, problem};
