//! How full a bounded queue is.

use tokio::sync::mpsc;

/// How full a bounded queue is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueLevel {
    /// The entries that wait.
    pub length: usize,
    /// The entries that can wait.
    pub capacity: usize,
}

impl QueueLevel {
    /// Returns the level of the queue behind a sender.
    #[must_use]
    pub fn of<T>(queue: &mpsc::Sender<T>) -> Self {
        let capacity = queue.max_capacity();
        Self {
            length: capacity - queue.capacity(),
            capacity,
        }
    }

    /// Returns how full the queue is, percent.
    #[must_use]
    pub fn percent(self) -> u32 {
        u32::try_from(100 * self.length / self.capacity.max(1)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_counts_what_waits() {
        let (sender, mut receiver) = mpsc::channel(8);
        let check = |length, percent| {
            let level = QueueLevel::of(&sender);
            assert_eq!((level.length, level.capacity), (length, 8));
            assert_eq!(level.percent(), percent);
        };
        check(0, 0);
        for entry in 0..6 {
            sender.try_send(entry).unwrap();
        }
        check(6, 75);
        receiver.try_recv().unwrap();
        check(5, 62);
        assert_eq!(QueueLevel::default().percent(), 0);
    }
}
