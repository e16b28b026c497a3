//! The promises about adjourned games: who can end them, and when.

use serde_json::Value;
use tilewire_rules::event::{AbortDecline, EndReason, Event, PublicEvent, Record};
use tilewire_rules::options::VanishPolicy;
use tilewire_rules::time::Seat;

use super::book::Book;

/// How long a request to adjourn waits for its answers, ms; the settings of a simulation do not change it.
const ANSWER_MS: i64 = 60_000;

impl Book {
    /// Checks the times of an event about an adjournment.
    pub(super) fn check_adjourning(&self, record: &Record, event: &PublicEvent) {
        let at = record.at.0;
        match event {
            PublicEvent::AdjournRequested { until, .. } => {
                assert_eq!(until.0, at + ANSWER_MS, "the time for answers");
            }
            PublicEvent::AdjournDeclined {
                reason: AbortDecline::Expired,
                ..
            } => {
                let due = self.adjourn_request_due().expect("a request was open");
                assert_eq!(at, due.max(self.last_at), "in time: {record:?}");
            }
            PublicEvent::Adjourned {
                until,
                claim_until,
                vanished,
                ..
            } => {
                let timing = &self.created.options.timing.adjourn;
                assert_eq!(until.0, at + timing.sleep_ms, "the time to get ready");
                assert_eq!(claim_until.0, until.0 + timing.claim_ms, "and to claim");
                assert_eq!(
                    vanished.is_none(),
                    record.command.is_some(),
                    "players or the server: {record:?}"
                );
            }
            PublicEvent::Ended(ended)
                if ended.reason == EndReason::Aborted && ended.adjudication.is_none() =>
            {
                if let Some(due) = self.adjournment_due() {
                    assert_eq!(at, due.max(self.last_at), "in time: {record:?}");
                }
            }
            _ => {}
        }
    }

    /// A player of an adjourned game who has not come back is claimed by one who has, after the end of the adjournment, or
    /// leaves the game at the end of its time.
    pub(super) fn check_claim_asleep(&self, record: &Record, target: Seat, sleep: &Value) {
        let fold = &self.judge.fold;
        let is_willing = |seat: Seat| fold.is_willing(seat.0.into());
        let Some(command) = &record.command else {
            let due = fold.adjournment_due().expect("the game is adjourned");
            assert_eq!(record.at.0, due.max(self.last_at), "in time: {record:?}");
            let blamed = fold.deserters();
            assert!(blamed.contains(&target.0.into()), "{blamed:?}: {record:?}");
            return;
        };
        assert!(
            is_willing(command.seat) && !is_willing(target),
            "who came back claims: {record:?}"
        );
        assert!(
            Some(record.at.0) >= sleep["until"].as_i64(),
            "there is time to get ready: {record:?}"
        );
    }

    /// When an open request to adjourn the game is declined by itself.
    pub(super) fn adjourn_request_due(&self) -> Option<i64> {
        self.judge.fold.adjourn_request.as_ref()?["until"].as_i64()
    }

    /// When the time of the adjourned game is over.
    pub(super) fn adjournment_due(&self) -> Option<i64> {
        self.judge.fold.adjournment_due()
    }

    /// When the server adjourns the game for a seat that is away.
    pub(super) fn adjourns_at(&self) -> Option<i64> {
        let fold = &self.judge.fold;
        let is_policy = self.created.options.vanish == VanishPolicy::Adjourn;
        if !is_policy || fold.window.is_some() || fold.adjourned.is_some() {
            return None;
        }
        let was_adjourned_for = |seat: &Value| {
            let mut past = fold.events.iter();
            past.any(|past| past["kind"] == "adjourned" && past.get("vanished") == Some(seat))
        };
        let away = fold.vanished.iter();
        let away = away.filter(|away| !was_adjourned_for(&away["seat"]));
        away.filter_map(|away| away["claim_at"].as_i64()).min()
    }
}

/// Says whether a game rests after a record, if the record changes that: it is adjourned or paused, and no clock runs.
pub(super) fn rests_after(record: &Record) -> Option<bool> {
    match &record.event {
        Event::Public(PublicEvent::Adjourned { .. } | PublicEvent::Paused { .. }) => Some(true),
        Event::Public(PublicEvent::Resumed { .. } | PublicEvent::ClockCredited { .. }) => {
            Some(false)
        }
        _ => None,
    }
}

/// Says whether a game rests after these records.
pub(super) fn rests<'a>(past: impl DoubleEndedIterator<Item = &'a Record>) -> bool {
    past.rev().find_map(rests_after) == Some(true)
}
