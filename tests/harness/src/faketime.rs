//! A machine whose wall clock is off, for the processes that a test starts.

use std::fs;
use std::process::Command;
use std::sync::LazyLock;

/// Attempts to ask `faketime`. It fails when a killed process of the same number has left its shared memory.
const ATTEMPTS: usize = 50;

/// The library that shifts the clock of a process.
static LIBRARY: LazyLock<String> = LazyLock::new(|| {
    let ask = || {
        let output = Command::new("faketime")
            .args(["-m", "-f", "+0d", "sh", "-c", "echo $LD_PRELOAD"])
            .output()
            .expect("faketime is installed (tests/run tools)");
        let library = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !library.is_empty()).then_some(library)
    };
    let mut asked = (0..ATTEMPTS).map(|_| ask());
    asked.find_map(|library| library).expect("faketime works")
});

/// Starts `command` on a machine whose clock is off by `offset`, such as `+3d`.
///
/// # Panics
/// When `faketime` is not installed.
pub(crate) fn shift_clock(command: &mut Command, offset: &str) {
    // The program `faketime` would stand between the test and its process.
    command
        .env("LD_PRELOAD", &*LIBRARY)
        .env("FAKETIME", offset)
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}

/// Removes the shared memory of a process with a shifted clock that was killed.
pub(crate) fn clean_up(process: u32) {
    for name in ["sem.faketime_sem", "faketime_shm"] {
        drop(fs::remove_file(format!("/dev/shm/{name}_{process}")));
    }
}
