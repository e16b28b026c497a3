//! Outages and stalls are credited to games, all of them and once.

use tilewire_rules::event::{Event, PublicEvent, Record};

use super::Log;
use super::adjourn::{rests, rests_after};

impl Log {
    /// Says whether outages and stalls are credited to the game.
    pub(super) fn is_credited(&self) -> bool {
        let is_by_correspondence = self.book.created.options.clock.is_correspondence();
        let is_over = self.book.ended.is_some();
        // No clock runs in a game that rests, and its end follows the wall clock.
        !(is_over || is_by_correspondence || rests(self.records.iter()))
    }

    /// After a stall the first thing that happens is that it is credited, all of it.
    pub(super) fn check_stalls(&mut self, fresh: &[Record]) {
        let mut last_at = self.records.last().map_or(i64::MIN, |record| record.at.0);
        let mut rests_now = rests(self.records.iter());
        for record in fresh {
            let did_rest = rests_now;
            rests_now = rests_after(record).unwrap_or(rests_now);
            // A server whose clock was set back can stand still at a time before the last event.
            let since = std::mem::replace(&mut last_at, record.at.0);
            // An append may have been in flight when the server stood still.
            let is_over = |stall: &mut (i64, i64)| stall.0 < record.at.0;
            let stalls: Vec<(i64, i64)> = self.owes_stalls.extract_if(.., is_over).collect();
            let (Some((from, _)), Some((_, to)), false) = (stalls.first(), stalls.last(), did_rest)
            else {
                continue;
            };
            let Event::Public(PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                ..
            }) = &record.event
            else {
                panic!("the stalls {stalls:?} were not credited: {record:?}");
            };
            let lengths = stalls
                .iter()
                .map(|(from, to)| to - from.max(&since).min(to));
            let stalled: i64 = lengths.sum();
            let latest = if stalls.len() == 1 {
                *from.max(&since)
            } else {
                to - stalled
            };
            assert!(
                stopped_at.0 <= latest && resumed_at.0 >= *to,
                "the stalls {stalls:?} are credited: {record:?}"
            );
        }
    }

    /// After an outage the first thing that happens is that it is credited, from the right moment on.
    pub(super) fn check_credit(&mut self, fresh: &[Record], started_at: i64) {
        let Some(stamp) = self.owes_credit.take() else {
            return;
        };
        // A write of the server before can have reached the disk without a report.
        let earlier = fresh.iter().take_while(|record| record.at.0 < started_at);
        let earlier = earlier.count();
        if rests(self.records.iter().chain(&fresh[..earlier])) {
            return;
        }
        let Some(first) = fresh.get(earlier) else {
            let is_over =
                |record: &Record| matches!(record.event, Event::Public(PublicEvent::Ended(_)));
            self.owes_credit = (!fresh.iter().any(is_over)).then_some(stamp);
            return;
        };
        let last = fresh[..earlier].last().or(self.records.last());
        let last_at = last.map_or(i64::MIN, |record| record.at.0);
        match &first.event {
            Event::Public(PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                ..
            }) => {
                assert_eq!(stopped_at.0, stamp.max(last_at), "the outage began then");
                assert!(resumed_at.0 >= started_at, "and ended with the start");
            }
            _ => panic!("an outage since {stamp} was not credited: {first:?}"),
        }
    }
}
