//! Signals to the processes under test.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::PATIENCE;

/// Sends the process `pid` a signal, such as `-HUP`.
///
/// # Panics
/// When it cannot be sent.
pub fn send(pid: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(sent.expect("kill runs").success(), "{signal}");
}

/// Suspends the process `pid` and returns when all of its threads stand still. The system delivers the signal to one thread;
/// on a busy machine the others run on until that one has had its turn.
///
/// # Panics
/// When a thread still runs after [`PATIENCE`].
#[expect(clippy::disallowed_methods, reason = "a real process is awaited")]
pub fn suspend(pid: u32) {
    send(pid, "-STOP");
    let since = Instant::now();
    while !threads_stand_still(pid) {
        assert!(since.elapsed() < PATIENCE, "{pid} still runs");
    }
}

/// Lets a suspended process run again.
///
/// # Panics
/// When the signal cannot be sent.
pub fn resume(pid: u32) {
    send(pid, "-CONT");
}

fn threads_stand_still(pid: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process exists");
    threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok())
        .all(|status| status.contains("\nState:\tT"))
}
