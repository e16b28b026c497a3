//! The priority of threads whose work can wait.

use std::cell::Cell;

/// The increase of the niceness of a background thread. It gets a tenth of the processor share of a normal thread: it
/// waits for others on the same core, but is never starved.
const NICENESS: i32 = 10;

thread_local! {
    static STANDS_BACK: Cell<bool> = const { Cell::new(false) };
}

/// Lowers the priority of the calling thread, and of the threads that it starts from now on.
pub fn stand_back() {
    if STANDS_BACK.replace(true) {
        return;
    }
    // On other systems niceness belongs to the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "the priority of a background thread could not be lowered");
    }
}

/// Returns the niceness of the calling thread: the 19th field of its entry in `/proc`.
///
/// # Panics
/// When the system has no such file.
#[cfg(any(test, feature = "testing"))]
#[cfg(target_os = "linux")]
#[must_use]
#[expect(clippy::unwrap_used, reason = "for tests only")]
pub fn niceness() -> i32 {
    let status = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    let behind_name = status.rsplit(')').next().unwrap();
    let field = behind_name.split_whitespace().nth(16).unwrap();
    field.parse().unwrap()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::thread;

    use super::*;

    /// The priority belongs to the thread and those it starts, and is lowered only once.
    #[test]
    fn the_priority_of_one_thread_is_lowered_once() {
        let before = niceness();
        let stands_back = || {
            stand_back();
            stand_back();
            (niceness(), thread::spawn(niceness).join().unwrap())
        };
        let there = (before + NICENESS).min(19);
        assert_eq!(thread::spawn(stands_back).join().unwrap(), (there, there));
        assert_eq!(niceness(), before);
    }
}
