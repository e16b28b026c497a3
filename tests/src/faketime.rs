//! A machine whose wall clock is off, for the processes that a test starts.

use std::process::Command;

/// Starts `command` on a machine whose clock is off by `offset`, such as `+3d`.
///
/// # Panics
/// When `faketime` is not installed.
pub(crate) fn shift_clock(command: &mut Command, offset: &str) {
    let library = Command::new("faketime")
        .args(["-m", "-f", "+0d", "sh", "-c", "echo $LD_PRELOAD"])
        .output()
        .expect("faketime is installed (tests/run tools)");
    // The program `faketime` would stand between the test and its process.
    let library = String::from_utf8(library.stdout).expect("the path of a library");
    command
        .env("LD_PRELOAD", library.trim())
        .env("FAKETIME", offset)
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}
