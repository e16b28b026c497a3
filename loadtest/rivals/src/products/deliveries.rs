//! Checks deliveries: every subscriber must get every frame once and in order, or the comparison is invalid.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::fanout_client::STAMP_BYTES;
use tilewire_loadtest::host;
use tilewire_loadtest::recorder::{Counter, Recorder};

/// The number of faults that are kept as text; the rest are only counted.
const FAULTS_KEPT: usize = 5;

/// A received frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Its number: each is one more than the one before.
    pub(super) number: u64,
    /// How long ago it was due, if that is known.
    pub(super) late: Option<Duration>,
}

/// The deliveries to all subscribers of a run.
#[derive(Debug)]
pub(super) struct Deliveries {
    /// The instruments.
    pub(super) recorder: Recorder,
    // For each subscriber the number of the first frame and of the last one; 0: none yet.
    first: Vec<AtomicU64>,
    last: Vec<AtomicU64>,
    ended: AtomicU64,
    lost: AtomicU64,
    faults: Mutex<(u64, Vec<String>)>,
    // How many consecutive subscribers get the same frames.
    group: usize,
}

impl Deliveries {
    /// Creates an empty record for the subscribers of one game.
    pub(super) fn new(subscribers: usize) -> Self {
        Self::groups(1, subscribers)
    }

    /// Creates an empty record for several games with the same number of subscribers.
    pub(super) fn groups(groups: usize, group: usize) -> Self {
        let subscribers = groups * group;
        let zeros = || (0..subscribers).map(|_| AtomicU64::new(0)).collect();
        Self {
            recorder: Recorder::new(),
            first: zeros(),
            last: zeros(),
            ended: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            faults: Mutex::default(),
            group: group.max(1),
        }
    }

    /// Takes in a frame that carries its number and the moment it was due.
    pub(super) fn stamped(&self, own: usize, frame: &[u8]) {
        let stamp = frame.last_chunk::<STAMP_BYTES>().and_then(|stamp| {
            let (number, due) = stamp.split_first_chunk::<8>()?;
            Some((u64::from_be_bytes(*number), *due.first_chunk::<8>()?))
        });
        let Some((number, due)) = stamp else {
            self.fault(format!(
                "subscriber {own}: {} bytes without a stamp",
                frame.len()
            ));
            return;
        };
        let now = self.recorder.moment_us(host::now());
        let late = Duration::from_micros(now.saturating_sub(u64::from_be_bytes(due)));
        self.take(
            own,
            Seen {
                number,
                late: Some(late),
            },
        );
    }

    /// Takes in a frame.
    pub(super) fn take(&self, own: usize, seen: Seen) {
        let before = self.last[own].swap(seen.number, Ordering::Relaxed);
        if before == 0 {
            self.first[own].store(seen.number, Ordering::Relaxed);
        } else if seen.number != before + 1 {
            self.fault(format!(
                "subscriber {own}: {} came after {before}",
                seen.number
            ));
        }
        self.recorder.count(Counter::Deliveries);
        if let Some(late) = seen.late {
            self.recorder.record(&self.recorder.push, late);
        }
    }

    /// Takes in that a subscriber knows everything up to here without having been sent it.
    pub(super) fn from(&self, own: usize, number: u64) {
        let before = self.last[own].swap(number, Ordering::Relaxed);
        if before > 0 {
            self.fault(format!(
                "subscriber {own}: a snapshot in place of what follows {before}"
            ));
        }
        self.first[own].store(number, Ordering::Relaxed);
    }

    /// Takes in that a subscriber was told that there will be no more.
    pub(super) fn ended(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes in that a subscriber lost its connection.
    pub(super) fn lost(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes in that something was wrong.
    pub(super) fn fault(&self, what: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.0 += 1;
        if faults.1.len() < FAULTS_KEPT {
            faults.1.push(what);
        }
    }

    /// How many subscribers were told that there will be no more.
    pub(super) fn ended_count(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    /// Frames delivered to anybody.
    pub(super) fn delivered(&self) -> u64 {
        self.recorder.counts().get(Counter::Deliveries)
    }

    /// The last frame that every subscriber has, or knows of.
    pub(super) fn lowest(&self) -> u64 {
        let last = self.last.iter().map(|last| last.load(Ordering::Relaxed));
        last.min().unwrap_or(0)
    }

    /// How many subscribers have got a frame, or know of one.
    pub(super) fn begun(&self) -> usize {
        let first = self.first.iter().map(|first| first.load(Ordering::Relaxed));
        first.filter(|first| *first > 0).count()
    }

    /// Returns the first fault: every frame from number `from` on should have arrived.
    pub(super) fn objection(&self, from: u64) -> Option<String> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.0 > 0 {
            return Some(format!("{} faults: {}", faults.0, faults.1.join("; ")));
        }
        let lost = self.lost.load(Ordering::Relaxed);
        if lost > 0 {
            return Some(format!("{lost} subscribers lost their connection"));
        }
        let late = self.first.iter().map(|first| first.load(Ordering::Relaxed));
        let late = late.filter(|first| *first == 0 || *first > from).count();
        if late > 0 {
            return Some(format!("{late} subscribers did not get frame {from}"));
        }
        let last: Vec<u64> = self
            .last
            .iter()
            .map(|last| last.load(Ordering::Relaxed))
            .collect();
        let mut groups = last.chunks(self.group);
        let uneven = groups.find(|group| group.iter().any(|last| *last != group[0]));
        uneven.map(|group| format!("the last frames of those who are sent the same are {group:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(numbers: &[&[u64]]) -> Deliveries {
        let tally = Deliveries::new(numbers.len());
        for (own, numbers) in numbers.iter().enumerate() {
            for number in *numbers {
                tally.take(
                    own,
                    Seen {
                        number: *number,
                        late: None,
                    },
                );
            }
        }
        tally
    }

    #[test]
    fn only_everything_once_and_in_order_is_right() {
        assert_eq!(seen(&[&[1, 2, 3], &[2, 3]]).objection(2), None);
        let wrong: [&[&[u64]]; 6] = [
            &[&[1, 3]],
            &[&[1, 2, 2]],
            &[&[2, 1]],
            &[&[1, 2], &[1]],
            &[&[1, 2], &[2]],
            &[&[1], &[]],
        ];
        for numbers in wrong {
            assert!(seen(numbers).objection(1).is_some(), "{numbers:?}");
        }
        let rooms = Deliveries::groups(2, 1);
        for number in [1, 2] {
            rooms.take(0, Seen { number, late: None });
        }
        assert!(
            rooms.objection(1).is_some(),
            "the second room got no deliveries"
        );
        rooms.take(
            1,
            Seen {
                number: 1,
                late: None,
            },
        );
        assert_eq!(rooms.objection(1), None);
    }

    #[test]
    fn lost_connections_and_bare_frames_are_wrong() {
        let tally = seen(&[&[1]]);
        tally.lost();
        assert!(tally.objection(1).is_some());
        let tally = seen(&[&[1]]);
        tally.stamped(0, b"short");
        assert!(tally.objection(1).is_some());
    }
}
