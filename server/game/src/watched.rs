//! Games and players with detailed logs for a limited time. These logs name messages, and never contain their content.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use tilewire_rules::time::{Millis, Timestamp};

/// The most games and players that are watched at once: the log must not fill the disk.
pub const WATCHED_MOST: usize = 16;
/// The longest time: a day.
pub const WATCHED_LONGEST: Millis = Millis(86_400_000);

/// The games and identities that are watched, and until when.
#[derive(Debug, Default)]
pub struct Watched {
    /// Whether there are any: nearly always false, and asked for each message.
    is_any: AtomicBool,
    until: RwLock<BTreeMap<String, Timestamp>>,
}

impl Watched {
    /// Says whether a game or an identity is watched.
    #[must_use]
    pub fn has(&self, id: &str, now: Timestamp) -> bool {
        if !self.is_any.load(Ordering::Relaxed) {
            return false;
        }
        let until = self.until.read().unwrap_or_else(PoisonError::into_inner);
        until.get(id).is_some_and(|until| now < *until)
    }

    /// Watches a game or an identity until a time. Returns false if too many are watched.
    pub fn add(&self, id: &str, until: Timestamp, now: Timestamp) -> bool {
        let mut all = self.until.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, until| now < *until);
        if all.len() >= WATCHED_MOST && !all.contains_key(id) {
            return false;
        }
        all.insert(id.to_owned(), until);
        self.is_any.store(true, Ordering::Relaxed);
        true
    }

    /// Returns the watched games and players, and the end of each watch.
    #[must_use]
    pub fn all(&self, now: Timestamp) -> Vec<(String, Timestamp)> {
        let all = self.until.read().unwrap_or_else(PoisonError::into_inner);
        let all = all.iter().filter(|(_, until)| now < **until);
        all.map(|(id, until)| (id.clone(), *until)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_ends_by_itself() {
        let watched = Watched::default();
        let (now, until) = (Timestamp(1_000), Timestamp(2_000));
        assert!(!watched.has("g1", now));
        assert!(watched.add("g1", until, now));
        assert!(watched.has("g1", now) && !watched.has("g2", now));
        assert!(!watched.has("g1", until));
        for number in 1..WATCHED_MOST {
            assert!(watched.add(&format!("other{number}"), until, now));
        }
        assert!(!watched.add("g2", until, now), "too many");
        assert!(watched.add("g1", Timestamp(3_000), now), "a longer time");
        assert!(
            watched.add("g2", Timestamp(3_000), until),
            "the others are over"
        );
        assert_eq!(watched.all(until).len(), 2);
    }
}
