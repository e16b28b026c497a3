//! Threads whose work can wait: nobody is kept from the processor by them for long.

use std::cell::Cell;

/// What is added to the niceness of a thread that stands back: it gets a tenth of the share of one that does not, so that
/// it waits for others who want the same core, and yet is never left out.
const NICENESS: i32 = 10;

thread_local! {
    static STANDS_BACK: Cell<bool> = const { Cell::new(false) };
}

/// Has the processor given to other threads before the calling one, from now on, and before those that it starts.
pub(crate) fn stand_back() {
    if STANDS_BACK.replace(true) {
        return;
    }
    // Elsewhere niceness is one for the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "a thread for background work is as important as any other");
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
pub(crate) mod tests {
    use std::thread;

    use super::*;

    /// Standing back is the thread's alone, and once is enough.
    #[test]
    fn a_thread_stands_back_alone_and_once() {
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

    /// Returns the niceness of the calling thread: the 19th field of what the kernel says of it.
    pub(crate) fn niceness() -> i32 {
        let status = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let behind_name = status.rsplit(')').next().unwrap();
        let field = behind_name.split_whitespace().nth(16).unwrap();
        field.parse().unwrap()
    }
}
