//! Turns that wait for a challenge window: every client is told, and the clock shows the time that is charged in the end.

use tilewire_protocol::{Clocks, Event as WireEvent, EventBody, Snapshot, TurnWaiting};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Event, PublicEvent, Record};

use super::Auditor;
use super::requests::StreamPosition;
use crate::simulation::line::LineId;

/// A command that came so much earlier than its turn took effect has waited, ms: a write takes less.
const WAITED_MS: i64 = 1_000;

impl Auditor {
    /// A client is told that a turn waits.
    pub(super) fn turn_waits(&mut self, line: LineId, waiting: &TurnWaiting) {
        self.check_not_delayed(line, &waiting.game);
        let place = self.lines[&line].games.get(&waiting.game);
        let Some((_, StreamPosition::At(seq))) = place else {
            panic!("{line} has no position in the game of {waiting:?}");
        };
        let log = self.log(&waiting.game);
        let facts = &log.book.facts[usize::try_from(*seq).expect("few") - 1];
        let turn = (u64::from(waiting.turn_no), u64::from(waiting.seat));
        assert_eq!(facts.turn, Some(turn), "only the seat on turn can wait");
        assert!(facts.window.is_some(), "it waits for a window: {waiting:?}");
        let seats = log.book.created.options.seats;
        assert!(seats > 2, "no turn waits in a game of two: {waiting:?}");
        let known = self.lines.entry(line).or_default();
        known.waiting.insert(waiting.game.clone(), waiting.clone());
    }

    /// A snapshot says whether a turn waits.
    pub(super) fn snapshot_waits(&mut self, line: LineId, snapshot: &Snapshot) {
        let known = self.lines.entry(line).or_default();
        let (Some(until), Some(seat)) = (snapshot.waiting_until, snapshot.on_turn) else {
            assert_eq!(
                snapshot.waiting_until, None,
                "no seat is on turn: {snapshot:?}"
            );
            known.waiting.remove(&snapshot.game);
            return;
        };
        let waiting = TurnWaiting {
            game: snapshot.game.clone(),
            turn_no: snapshot.turn_no,
            seat,
            until,
            clocks: snapshot.clocks.clone(),
        };
        self.turn_waits(line, &waiting);
    }

    /// Checks an event against the waiting turn that its client knows of.
    pub(super) fn check_waiting(&mut self, line: LineId, event: &WireEvent, seat: Option<u8>) {
        let ends = turn_ended_by(&event.body);
        let head = self.lines[&line].heads.get(&event.game);
        let is_news = head.is_none_or(|head| event.seq > *head);
        if seat.is_some()
            && is_news
            && let Some(turn_no) = ends
            && self.must_have_waited(line, event)
        {
            let told = self.lines[&line].waiting.get(&event.game);
            let is_told = told.is_some_and(|told| told.turn_no == turn_no);
            assert!(
                is_told,
                "{line} was not told that the turn of {event:?} waits"
            );
        }
        let clocks = clocks_of(&event.body);
        let known = self.lines.entry(line).or_default();
        if let (Some(waiting), Some(clocks)) = (known.waiting.get_mut(&event.game), clocks) {
            waiting.clocks = clocks.clone();
        }
        if let EventBody::TurnStarted(_) | EventBody::Ended(_) = &event.body {
            known.waiting.remove(&event.game);
            let charged = known.charged.remove(&event.game);
            if let (Some(charged), Some(clocks)) = (charged, clocks) {
                self.check_charge(&charged, clocks);
            }
        } else if let Some(turn_no) = ends
            && let Some(waiting) = known.waiting.remove(&event.game)
            && waiting.turn_no == turn_no
            && self.has_waited(event)
        {
            let known = self.lines.entry(line).or_default();
            known.charged.insert(event.game.clone(), waiting);
        }
    }

    /// The time that a client saw while the turn waited is the time that is left, with the time that was given since.
    fn check_charge(&self, waiting: &TurnWaiting, clocks: &Clocks) {
        let seat = usize::from(waiting.seat);
        let log = self.log(&waiting.game);
        let gained = match log.book.created.options.clock {
            ClockKind::Increment { increment_ms, .. } => increment_ms,
            ClockKind::Untimed
            | ClockKind::SuddenDeath { .. }
            | ClockKind::Delay { .. }
            | ClockKind::Overtime { .. }
            | ClockKind::PerMove { .. } => 0,
        };
        let more = clocks.main_ms[seat] - waiting.clocks.main_ms[seat] - gained;
        // The clocks that a client saw last had the first of the gifts, or none.
        let mut due = vec![0];
        for gift in gifts_in_turn(&log.records, waiting).iter().rev() {
            due.extend(due.last().map(|later| later + gift));
        }
        assert!(
            due.contains(&more),
            "the clock jumped by {more} ms behind {waiting:?}; {due:?} can be due"
        );
    }

    /// Returns whether the command of a turn came before the turn took effect. After a failed write, a waiting command
    /// can be refused, and another one can end the same turn.
    fn has_waited(&self, event: &WireEvent) -> bool {
        let log = self.log(&event.game);
        let record = &log.records[usize::try_from(event.seq).expect("few") - 1];
        let arrived_at = record.command.as_ref().and_then(|command| {
            let identity = &log.book.created.players[command.seat.index()].identity;
            self.arrived_at
                .get(&(identity.clone(), command.cmd_id.clone()))
        });
        arrived_at.is_some_and(|arrived_at| *arrived_at + WAITED_MS < record.at.0)
    }

    /// Returns whether a client must have heard that a turn waits: it took effect when the protection of the last play ended, its
    /// command had come before, while the window was open, and the client was attached all the time. A resume does not repeat such a push (P-PUSH-1).
    fn must_have_waited(&self, line: LineId, event: &WireEvent) -> bool {
        let log = self.log(&event.game);
        let at = usize::try_from(event.seq).expect("few") - 1;
        let record = &log.records[at];
        let Some(command) = &record.command else {
            return false;
        };
        let Some(played) = log.records[..at].iter().rposition(is_play) else {
            return false;
        };
        let play = &log.records[played];
        let mut between = log.records[played..at].iter();
        let closed = between.find(|record| closes_window(record));
        let closed_at = closed.map(|record| record.at.0);
        let created = &log.book.created;
        let protected = play.at.0 + created.options.timing.protect_ms;
        let identity = &created.players[command.seat.index()].identity;
        let key = (identity.clone(), command.cmd_id.clone());
        let arrived_at = self.arrived_at.get(&key);
        created.options.seats > 2
            && record.at.0 == protected
            && arrived_at.is_some_and(|arrived_at| *arrived_at < closed_at.unwrap_or(protected))
            && self.was_reached(line, &event.game, (played, at))
    }
}

/// The times that were given to the seat of a waiting turn in that turn, in order.
fn gifts_in_turn(records: &[Record], waiting: &TurnWaiting) -> Vec<i64> {
    let started = |record: &&Record| match &record.event {
        Event::Public(PublicEvent::TurnStarted { turn_no, .. }) => Some(turn_no.0),
        _ => None,
    };
    let turn = records.iter();
    let mut turn = turn.skip_while(|record| started(record) != Some(waiting.turn_no));
    turn.next();
    let turn = turn.take_while(|record| started(record).is_none());
    turn.filter_map(|record| match &record.event {
        Event::Public(PublicEvent::TimeGiven {
            target, time_ms, ..
        }) if target.0 == waiting.seat => Some(*time_ms),
        _ => None,
    })
    .collect()
}

fn is_play(record: &Record) -> bool {
    matches!(record.event, Event::Public(PublicEvent::PlayMade(_)))
}

fn closes_window(record: &Record) -> bool {
    matches!(
        record.event,
        Event::Public(PublicEvent::WindowClosed { .. })
    )
}

/// The number of the turn that an event ends by its player's command.
const fn turn_ended_by(body: &EventBody) -> Option<u32> {
    match body {
        EventBody::PlayMade(play) => Some(play.turn_no),
        EventBody::Exchanged(exchange) => Some(exchange.turn_no),
        EventBody::Passed(pass) => Some(pass.turn_no),
        _ => None,
    }
}

const fn clocks_of(body: &EventBody) -> Option<&Clocks> {
    match body {
        EventBody::TurnStarted(turn) => Some(&turn.clocks),
        EventBody::HoldStarted(hold) => Some(&hold.clocks),
        EventBody::HoldEnded(hold) => Some(&hold.clocks),
        EventBody::ChallengeOpened(challenge) => Some(&challenge.clocks),
        EventBody::ChallengeDecided(verdict) => verdict.clocks.as_ref(),
        EventBody::ClockCredited(credit) => Some(&credit.clocks),
        EventBody::Ended(result) => Some(&result.clocks),
        _ => None,
    }
}
