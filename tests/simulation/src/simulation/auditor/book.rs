//! The log of one game as the auditor reads it: the oracle judges the game, the book judges commands and deadlines.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tilewire_oracle::{Judge, Records, Slack};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{
    AbortDecline, CommandRef, Created, EndReason, Ended, Event, HoldEnd, PlayMade, PublicEvent,
    Record, Retirement, WindowClose,
};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Seat, Timestamp};

use crate::simulation::scenario::is_good;

/// How long a player has to answer a request to abort a live game, ms.
const ABORT_MS: i64 = 60_000;

/// The state of a game after one of its events, as far as snapshots are compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) scores: Vec<i64>,
    /// The sorted racks.
    pub(super) racks: Vec<Vec<String>>,
    /// Tiles of each seat; owed tiles count as dealt.
    pub(super) rack_counts: Vec<i64>,
    pub(super) bag: i64,
    /// The number of the turn and the seat on turn.
    pub(super) turn: Option<(u64, u64)>,
    /// Tiles on the board.
    pub(super) laid: usize,
    /// The play that can be challenged.
    pub(super) window: Option<u64>,
    pub(super) is_over: bool,
}

/// One log.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) created: Created,
    records: Records,
    pub(super) judge: Judge<'static>,
    turn_began: i64,
    /// When the seat on turn did something last.
    silent_since: i64,
    ready_by: i64,
    is_started: bool,
    /// When the last hold ended.
    let_go_at: Option<i64>,
    /// When the command of the next record came first to one of several servers: it comes before later deadlines, also when
    /// its game had no server meanwhile.
    came_at: Option<i64>,
    pub(super) last_at: i64,
    pub(super) ended: Option<Ended>,
    /// The event and the digest of each command that took effect.
    pub(super) commands: BTreeMap<(Seat, String), (u64, u64)>,
    pub(super) facts: Vec<Facts>,
}

impl Book {
    pub(super) fn new(rules: Arc<RuleSet>, first: &Record, lag_max_ms: i64) -> Self {
        let Event::Created(created) = &first.event else {
            panic!("a log begins with the creation of a game");
        };
        // Without network delay the clocks of two players are exact; with more players a command may wait.
        let is_exact = created.options.seats == 2 && lag_max_ms == 0;
        let slack = if is_exact { Slack::None } else { Slack::Any };
        let words = Arc::clone(&rules);
        let judge = Judge::new(move |word| is_good(&words, word), slack);
        let mut book = Self {
            created: created.clone(),
            records: Records::new(rules),
            judge: judge.allow_clock_steps(),
            turn_began: first.at.0,
            silent_since: first.at.0,
            ready_by: first.at.0 + ready_ms(created),
            is_started: false,
            let_go_at: None,
            came_at: None,
            last_at: first.at.0,
            ended: None,
            commands: BTreeMap::new(),
            facts: Vec::new(),
        };
        book.judge(first);
        book
    }

    /// Judges the next record.
    pub(super) fn add(&mut self, record: &Record) {
        if let Some(command) = &record.command {
            self.command(record, command);
        }
        let (at, last_at) = (record.at.0, self.last_at);
        if let Event::Public(event) = &record.event {
            self.check_times(record, event);
        }
        self.judge(record);
        match &record.event {
            Event::Public(PublicEvent::TurnStarted { .. }) => {
                (self.is_started, self.turn_began) = (true, at);
                self.silent_since = at;
            }
            Event::Public(PublicEvent::Resumed { .. }) => self.silent_since = at,
            Event::Public(PublicEvent::HoldEnded { .. }) => self.let_go_at = Some(at),
            Event::Public(PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                ..
            }) => {
                self.ready_by += resumed_at.0 - stopped_at.0;
                self.turn_began += resumed_at.0 - stopped_at.0;
                self.silent_since += resumed_at.0 - stopped_at.0;
            }
            Event::Public(PublicEvent::Ended(ended)) => {
                assert_eq!(ended.secret, self.created.secret);
                if ended.reason == EndReason::Cancelled && ended.adjudication.is_none() {
                    assert!(!self.created.options.clock.is_correspondence());
                    assert_eq!(at, self.ready_by.max(last_at), "{record:?}");
                }
                self.ended = Some(ended.clone());
            }
            _ => {}
        }
        let on_turn: Option<u64> = self.judge.fold.on_turn;
        let sender = record.command.as_ref().map(|own| u64::from(own.seat.0));
        if sender.is_some() && sender == on_turn {
            self.silent_since = at;
        }
        self.last_at = at;
    }

    fn judge(&mut self, record: &Record) {
        let document = self
            .records
            .document(record)
            .expect("a record is a document");
        if let Err(objection) = self.judge.event(&document) {
            panic!("the oracle objects: {objection:?}");
        }
        let fold = &self.judge.fold;
        let racks = fold.seats.iter().map(|seat| {
            let rack = seat.rack.as_deref().expect("a log shows every tile");
            sorted(rack)
        });
        self.facts.push(Facts {
            scores: fold.seats.iter().map(|seat| seat.score).collect(),
            racks: racks.collect(),
            rack_counts: fold.seats.iter().map(|seat| seat.rack_count).collect(),
            bag: fold.bag,
            turn: fold.on_turn.map(|seat| (fold.turn_no, seat)),
            laid: fold.board.len(),
            window: self
                .of_window("play_id")
                .and_then(|id| u64::try_from(id).ok()),
            is_over: fold.is_over(),
        });
    }

    /// Notes when the command of the next record came.
    pub(super) fn came(&mut self, came_at: &BTreeMap<(String, String), i64>, record: &Record) {
        self.came_at = record.command.as_ref().and_then(|command| {
            let player = &self.created.players[command.seat.index()];
            let key = (player.identity.clone(), command.cmd_id.clone());
            came_at.get(&key).copied()
        });
    }

    /// A command takes effect once, and before everything that was due.
    fn command(&mut self, record: &Record, command: &CommandRef) {
        let (at, key) = (record.at.0, (command.seat, command.cmd_id.clone()));
        let former = self.commands.insert(key, (record.seq.0, command.digest));
        assert!(former.is_none(), "a command took effect twice: {record:?}");
        let seat = &self.judge.fold.seats[command.seat.index()];
        assert!(
            seat.retired.is_none(),
            "a player that has left does nothing: {record:?}"
        );
        // A player that leaves ends its hold first.
        let due = self.window_due().filter(|_| self.let_go_at != Some(at));
        let at = self.came_at.map_or(at, |came_at| at.min(came_at));
        assert!(
            due.is_none_or(|due| at < due),
            "{due:?} was due before {record:?}"
        );
        assert!(
            self.abort_due().is_none_or(|due| at < due),
            "a request to abort the game was over before {record:?}"
        );
        let due = self
            .adjourn_request_due()
            .or_else(|| self.adjournment_due());
        assert!(
            due.is_none_or(|due| at < due),
            "a request or an adjournment was over before {record:?}"
        );
        let flag = self.judge.flag_at();
        if let Some((_, due)) = flag.filter(|_| self.created.options.seats == 2) {
            assert!(at < due, "a flag fell at {due}, before {record:?}");
        }
        assert!(
            self.is_started || at < self.ready_by,
            "it came after the time to get ready: {record:?}"
        );
    }

    /// Checks that timers take effect at their time.
    fn check_times(&self, record: &Record, event: &PublicEvent) {
        let in_time = |due: i64| {
            assert_eq!(record.at.0, due.max(self.last_at), "in time: {record:?}");
        };
        match event {
            PublicEvent::PlayMade(play) => self.check_window(record, play),
            PublicEvent::HoldEnded {
                reason: HoldEnd::Limit,
                ..
            } => in_time(self.of_window("hold_until").expect("a hold was on")),
            PublicEvent::WindowClosed {
                reason: WindowClose::Timer,
                ..
            } => in_time(self.of_window("closes_at").expect("the window had an end")),
            PublicEvent::SeatRetired {
                reason: Retirement::Abandoned,
                ..
            } if record.command.is_none() && self.judge.fold.adjourned.is_none() => {
                in_time(self.turn_began + self.created.options.timing.abandon_ms);
            }
            PublicEvent::SeatRetired {
                seat,
                reason: Retirement::Abandoned,
            } => self.check_claim(record, *seat),
            PublicEvent::Nudged { claim_at, .. } => self.check_nudge(record, *claim_at),
            PublicEvent::AdjournRequested { .. }
            | PublicEvent::AdjournDeclined { .. }
            | PublicEvent::Adjourned { .. }
            | PublicEvent::Ended(_) => self.check_adjourning(record, event),
            PublicEvent::AbortRequested { until, .. } => {
                let options = &self.created.options;
                let long = options.answer_ms(ABORT_MS);
                assert_eq!(until.0, record.at.0 + long, "the time for an answer");
            }
            PublicEvent::AbortDeclined {
                reason: AbortDecline::Expired,
                ..
            } => in_time(self.abort_due().expect("a request was open")),
            _ => {}
        }
    }

    /// A player is claimed who has been away or silent for long enough.
    fn check_claim(&self, record: &Record, seat: Seat) {
        let fold = &self.judge.fold;
        if let Some(sleep) = &fold.adjourned {
            return self.check_claim_asleep(record, seat, sleep);
        }
        let is_due = |entry: &Value, field: &str| {
            entry[field] == seat.0 && entry["claim_at"].as_i64() <= Some(record.at.0)
        };
        let is_away = fold.vanished.iter().any(|entry| is_due(entry, "seat"));
        let nudge = fold
            .nudge
            .iter()
            .filter(|nudge| !nudge["claim_at"].is_null());
        let is_silent = nudge.clone().any(|nudge| is_due(nudge, "target"));
        assert!(is_away || is_silent, "nobody can claim: {record:?}");
    }

    /// A seat is nudged when it has been silent for long enough, has as long to answer as the settings say, and has more
    /// than that on its clock.
    fn check_nudge(&self, record: &Record, claim_at: Option<Timestamp>) {
        let options = &self.created.options;
        let timing = &options.timing.nudge;
        let (silent_since, quiet_ms, answer_ms) = match options.clock {
            ClockKind::Untimed => (
                self.silent_since,
                timing.untimed_quiet_ms,
                Some(timing.untimed_answer_ms),
            ),
            ClockKind::PerMove { limit_ms, .. } if options.clock.is_correspondence() => {
                (self.turn_began, limit_ms / 2, None)
            }
            _ => (self.silent_since, timing.quiet_ms, Some(timing.answer_ms)),
        };
        let at = record.at.0;
        assert!(at >= silent_since + quiet_ms, "not silent: {record:?}");
        let until = answer_ms.map(|answer_ms| at + answer_ms);
        assert_eq!(claim_at.map(|at| at.0), until, "the time for an answer");
        let flag = self.judge.flag_at();
        if let (Some((_, flag)), Some(until)) = (flag, until) {
            assert!(until < flag, "the flag at {flag} decides: {record:?}");
        }
    }

    fn check_window(&self, record: &Record, play: &PlayMade) {
        let Some(window) = &play.window else {
            return;
        };
        let options = &self.created.options;
        let closes = window.closes_at.map(|closes| closes.0 - record.at.0);
        let long = match (&window.final_clocks, options.clock.is_correspondence()) {
            (None, _) => options.challenge.window_ms,
            (Some(_), false) => Some(options.timing.final_ms),
            (Some(_), true) => closes,
        };
        assert_eq!(closes, long, "a window is as long as was agreed");
    }

    /// An integer of the open window.
    fn of_window(&self, field: &str) -> Option<i64> {
        self.judge.fold.window.as_ref()?.get(field)?.as_i64()
    }

    /// When something happens to the open window by itself.
    fn window_due(&self) -> Option<i64> {
        let mut fields = ["decide_by", "hold_until", "closes_at"].into_iter();
        fields.find_map(|field| self.of_window(field))
    }

    /// Returns the next moment at which something has to happen by itself.
    pub(super) fn next_deadline(&self) -> Option<i64> {
        if self.ended.is_some() {
            return None;
        }
        if !self.is_started {
            return Some(self.ready_by);
        }
        let of_turn = match self.judge.flag_at() {
            Some((_, at)) => Some(at),
            // Other clocks stand while the author of a challenged play is asked.
            None if self.created.options.clock == ClockKind::Untimed => {
                let on_turn: Option<u64> = self.judge.fold.on_turn;
                on_turn.map(|_| self.turn_began + self.created.options.timing.abandon_ms)
            }
            None => None,
        };
        if let Some(due) = self.adjournment_due() {
            return Some(due);
        }
        let asked = [self.abort_due(), self.adjourn_request_due()];
        let asked = asked.into_iter().flatten().min();
        let due = [self.window_due(), asked, self.adjourns_at(), of_turn];
        due.into_iter().flatten().min()
    }

    /// When an open request to abort the game is declined by itself.
    fn abort_due(&self) -> Option<i64> {
        self.judge.fold.abort_request.as_ref()?["until"].as_i64()
    }
}

/// How long after its creation a game waits for `ready`, ms: by correspondence only for nonces.
fn ready_ms(created: &Created) -> i64 {
    let timing = &created.options.timing;
    match created.options.clock.is_correspondence() {
        true => timing.nonce_ms,
        false => timing.ready_ms,
    }
}

/// Returns tiles in one order.
pub(super) fn sorted(faces: &[String]) -> Vec<String> {
    let mut faces = faces.to_vec();
    faces.sort_unstable();
    faces
}
