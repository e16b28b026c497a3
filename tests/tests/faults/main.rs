//! What disks, memory and machines do to a server: real processes, real files, real limits.
//!
//! What needs the right to mount is ignored unless asked for; `tests/run` says whether it ran.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails where something is missing"
)]

mod clocks;
mod damage;
mod disk;
mod released;
mod starved;
mod stopped;
