//! Faults of disks, memory and machines: real processes, real files, real limits.
//!
//! Tests that have to mount a file system are ignored by default; `tests/run` reports whether they ran.

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
