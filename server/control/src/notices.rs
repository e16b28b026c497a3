//! Notices that are sent at a time, once or again and again before a time. They are kept in memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tilewire_protocol::Notice;
use tilewire_rules::time::{Millis, Timestamp};

/// The most notices that wait.
pub const NOTICES_MOST: usize = 32;

/// A notice that waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduled {
    /// The notice.
    pub notice: Notice,
    /// When it is sent next.
    pub next: Timestamp,
    /// How often it is sent, and the time before which it is sent for the last time; `None`: once.
    pub again: Option<(Millis, Timestamp)>,
}

/// The notices that wait, each by the number of its entry of the audit.
#[derive(Debug, Default)]
pub struct Schedule(Mutex<BTreeMap<u64, Scheduled>>);

impl Schedule {
    /// Adds a notice.
    pub fn add(&self, number: u64, scheduled: Scheduled) {
        self.waiting().insert(number, scheduled);
    }

    /// Takes a notice off, and says whether it waited.
    pub fn remove(&self, number: u64) -> bool {
        self.waiting().remove(&number).is_some()
    }

    /// Returns the notices that wait.
    #[must_use]
    pub fn all(&self) -> Vec<(u64, Scheduled)> {
        let waiting = self.waiting();
        let all = waiting.iter();
        all.map(|(number, scheduled)| (*number, scheduled.clone()))
            .collect()
    }

    /// Takes the notices that are due at `now`. A notice whose times were missed is sent once.
    #[must_use]
    pub fn due(&self, now: Timestamp) -> Vec<Notice> {
        let mut due = Vec::new();
        self.waiting().retain(|_, scheduled| {
            if scheduled.next > now {
                return true;
            }
            due.push(scheduled.notice.clone());
            let Some((every, before)) = scheduled.again else {
                return false;
            };
            let missed = (now - scheduled.next).0 / every.0.max(1);
            scheduled.next += every * (missed + 1);
            scheduled.next < before
        });
        due
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, Scheduled>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(text: &str) -> Notice {
        Notice {
            code: "maintenance".to_owned(),
            text: text.to_owned(),
            at: None,
            until: None,
        }
    }

    fn texts(schedule: &Schedule, now: i64) -> Vec<String> {
        let due = schedule.due(Timestamp(now)).into_iter();
        due.map(|notice| notice.text).collect()
    }

    #[test]
    fn notices_are_sent_at_their_times() {
        let schedule = Schedule::default();
        let once = Scheduled {
            notice: notice("once"),
            next: Timestamp(1_000),
            again: None,
        };
        let again = Scheduled {
            notice: notice("again"),
            next: Timestamp(500),
            again: Some((Millis(1_000), Timestamp(4_000))),
        };
        schedule.add(1, once.clone());
        schedule.add(2, again);
        schedule.add(3, once);
        assert!(schedule.remove(3) && !schedule.remove(3));
        assert!(texts(&schedule, 499).is_empty());
        assert_eq!(texts(&schedule, 500), ["again"]);
        assert_eq!(texts(&schedule, 1_000), ["once"]);
        assert_eq!(
            texts(&schedule, 3_000),
            ["again"],
            "1,500 and 2,500 at once"
        );
        assert_eq!(schedule.all().len(), 1);
        assert_eq!(texts(&schedule, 3_500), ["again"]);
        assert!(schedule.all().is_empty(), "4,500 is too late");
    }
}
