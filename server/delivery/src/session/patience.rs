//! The mistakes of a client.

use std::sync::atomic::{AtomicU32, Ordering};

/// Why a connection ends on which too many messages could not be read.
pub const UNREADABLE: &str = "too many unreadable messages";

/// Counts the mistakes on a connection, which ends after too many. Other nodes find some of them.
#[derive(Debug)]
pub struct Patience {
    most: u32,
    mistakes: AtomicU32,
}

impl Patience {
    /// Returns a count of mistakes, of which this many are allowed.
    #[must_use]
    pub const fn new(most: u32) -> Self {
        let mistakes = AtomicU32::new(0);
        Self { most, mistakes }
    }

    /// Counts a mistake; says whether it is one too many.
    pub fn is_over(&self) -> bool {
        self.mistakes.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}
