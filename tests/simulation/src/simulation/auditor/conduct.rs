//! Points and waiting times once more, from the bare events of logs and from the documents (H-COND).

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::conduct::{Mark, Offence};
use tilewire_protocol::{ErrorBody, ErrorCode};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{
    Created, EndReason, Ended, Event, PlayerKind, PublicEvent, Record, Retirement,
};
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_store::{ModerationStore, NewResult};

use super::Auditor;
use super::moderation::WAITING_TIME;
use crate::simulation::disk::Durable;
use crate::simulation::durable::{ALL, at_once};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
const IDLE_MS: i64 = 5 * MINUTE_MS;
/// How long an answer may be on its way, ms.
const TOLD_MS: i64 = 1_000;

/// The record of a player's conduct so far.
#[derive(Debug, Default)]
struct Own {
    points: u8,
    clean: u8,
    /// Waiting times that make the next one longer.
    row: u32,
    /// The ends of all waiting times.
    ends: Vec<i64>,
}

/// The conduct of all players.
#[derive(Debug, Default)]
pub(super) struct Conducts {
    players: BTreeMap<String, Own>,
    /// How many points were given.
    points: usize,
}

impl Conducts {
    /// Counts a game; checks what its result says about each seat.
    pub(super) fn count(&mut self, new: &NewResult, created: &Created, records: &[Record]) {
        let ended_at = records.last().map_or(0, |record| record.at.0);
        let table = Table::of(created, records);
        for (seat, row) in new.result.seats.iter().enumerate() {
            let mark = table.mark(created, seat, new.is_private);
            assert_eq!(row.conduct, mark, "seat {seat}: {:?}", new.result);
            if let Some(mark) = mark {
                let own = self.players.entry(row.identity.clone()).or_default();
                own.add(mark, ended_at);
                self.points += usize::from(mark != Mark::Clean);
            }
        }
    }
}

/// Whether a player left before each one had completed a turn: then the game changes no rating.
pub(super) fn is_left_unplayed(created: &Created, records: &[Record]) -> bool {
    let table = Table::of(created, records);
    !table.gone.is_empty() && table.is_unplayed(created)
}

impl Own {
    fn add(&mut self, mark: Mark, at: i64) {
        if mark == Mark::Clean {
            self.clean += u8::from(self.points > 0);
            if self.clean == 2 {
                (self.clean, self.points) = (0, self.points - 1);
            }
            return;
        }
        self.clean = 0;
        self.points = (self.points + 1).min(4);
        if self.points < 4 {
            return;
        }
        let last = self.ends.last().copied();
        if last.is_some_and(|end| at - end >= 30 * DAY_MS) {
            self.row = 0;
        }
        let mut wait_ms = 10 * MINUTE_MS;
        for _ in 0..self.row {
            wait_ms = (3 * wait_ms).min(48 * HOUR_MS);
        }
        self.row += 1;
        self.ends
            .push(last.map_or(at + wait_ms, |end| end.max(at + wait_ms)));
    }
}

/// The events at a table that concern conduct.
#[derive(Debug, Default)]
struct Table {
    offences: BTreeMap<usize, Offence>,
    ready: BTreeSet<usize>,
    played: BTreeSet<usize>,
    away: BTreeSet<usize>,
    gone: BTreeSet<usize>,
    /// The seat on turn and when it did something last.
    on_turn: Option<(usize, i64)>,
    turn_no: u32,
    is_dealt: bool,
    is_adjourned: bool,
    was_credited: bool,
    has_result: bool,
}

impl Table {
    fn of(created: &Created, records: &[Record]) -> Self {
        let is_live = match created.options.clock {
            ClockKind::Untimed => false,
            ClockKind::PerMove { limit_ms, .. } => limit_ms < HOUR_MS,
            _ => true,
        };
        let mut table = Self::default();
        for record in records {
            table.see(record, created, is_live);
        }
        table
    }

    fn see(&mut self, record: &Record, created: &Created, is_live: bool) {
        let at = record.at.0;
        match &record.event {
            Event::TilesDrawn { .. } => self.is_dealt = true,
            Event::Exchanged { seat, .. } => self.end_turn(*seat),
            Event::Public(event) => self.see_public(event, at, created, is_live),
            Event::Created(_) | Event::BagShuffled { .. } => {}
        }
        if let (Some(command), Some((seat, since))) = (&record.command, &mut self.on_turn)
            && command.seat.index() == *seat
        {
            *since = at;
        }
    }

    fn see_public(&mut self, event: &PublicEvent, at: i64, created: &Created, is_live: bool) {
        match event {
            PublicEvent::SeatReady { seat, .. } => drop(self.ready.insert(seat.index())),
            PublicEvent::TurnStarted { turn_no, seat, .. } => {
                self.turn_no = turn_no.0;
                self.on_turn = Some((seat.index(), at));
            }
            PublicEvent::PlayMade(play) => self.end_turn(play.seat),
            PublicEvent::Passed { seat, .. } => self.end_turn(*seat),
            PublicEvent::TurnLost { turn_no, seat } => {
                self.turn_no = turn_no.0;
                self.end_turn(*seat);
            }
            PublicEvent::Adjourned { .. } => {
                self.is_adjourned = true;
                self.away.clear();
            }
            PublicEvent::Resumed { .. } => {
                self.is_adjourned = false;
                if let Some((_, since)) = &mut self.on_turn {
                    *since = at;
                }
            }
            PublicEvent::SeatVanished { seat, .. } => drop(self.away.insert(seat.index())),
            PublicEvent::SeatReturned { seat } => drop(self.away.remove(&seat.index())),
            PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                ..
            } => {
                self.was_credited = true;
                if let Some((_, since)) = &mut self.on_turn {
                    *since += resumed_at.0 - stopped_at.0;
                }
            }
            PublicEvent::SeatRetired { seat, reason } => {
                let seat = seat.index();
                let is_unplayed = created.options.rated && self.is_unplayed(created);
                let unplayed = is_unplayed.then_some(Offence::LeftUnplayed);
                let offence = self.leaving(seat, *reason, at, is_live);
                if let Some(offence) = offence.or(unplayed) {
                    self.offences.entry(seat).or_insert(offence);
                }
                self.gone.insert(seat);
            }
            PublicEvent::Ended(ended) => self.end(ended, at, created, is_live),
            _ => {}
        }
    }

    fn end_turn(&mut self, seat: Seat) {
        self.played.insert(seat.index());
        self.on_turn = None;
    }

    /// Whether a player has not completed a turn.
    fn is_unplayed(&self, created: &Created) -> bool {
        self.played.len() < created.players.len()
    }

    fn is_idle(&self, seat: usize, at: i64) -> bool {
        !self.is_adjourned
            && self
                .on_turn
                .is_some_and(|(on_turn, since)| on_turn == seat && at - since >= IDLE_MS)
    }

    fn leaving(&self, seat: usize, reason: Retirement, at: i64, is_live: bool) -> Option<Offence> {
        if matches!(reason, Retirement::Abandoned | Retirement::Expired) {
            return Some(Offence::Abandoned);
        }
        if !is_live {
            return None;
        }
        if reason == Retirement::Resigned && self.turn_no < 3 {
            return Some(Offence::ResignedEarly);
        }
        self.is_idle(seat, at).then_some(Offence::Idle)
    }

    fn end(&mut self, ended: &Ended, at: i64, created: &Created, is_live: bool) {
        self.has_result = ended.reason.has_result();
        let seats = 0..created.players.len();
        match ended.reason {
            EndReason::Cancelled if is_live && ended.adjudication.is_none() => {
                let missing = seats.filter(|seat| !self.ready.contains(seat));
                self.offences
                    .extend(missing.map(|seat| (seat, Offence::NeverStarted)));
            }
            EndReason::Aborted if is_live && self.is_dealt && !created.options.rated => {
                // Nobody aborts an adjourned game that the server ends.
                let Some(aborter) = ended.aborter.map(Seat::index) else {
                    return;
                };
                let is_missing = |seat: usize| self.away.contains(&seat) || self.is_idle(seat, at);
                let mut others = seats.filter(|seat| *seat != aborter && !self.gone.contains(seat));
                if !others.any(is_missing) {
                    self.offences.entry(aborter).or_insert(Offence::Aborted);
                }
            }
            _ => {}
        }
    }

    fn mark(&self, created: &Created, seat: usize, is_private: bool) -> Option<Mark> {
        let players = &created.players;
        let own = &players[seat];
        let mut others = players
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != seat);
        let is_twice = others.any(|(_, other)| other.identity == own.identity);
        let is_person = |kind: Option<PlayerKind>| {
            matches!(kind, Some(PlayerKind::Registered | PlayerKind::Guest))
        };
        let are_people = players.iter().all(|player| is_person(player.kind));
        let is_judged = own.kind == Some(PlayerKind::Registered);
        if is_private || is_twice || !are_people || !is_judged {
            return None;
        }
        match self.offences.get(&seat) {
            Some(_) if self.was_credited => None,
            Some(offence) => Some(Mark::Point(*offence)),
            None => (self.has_result && self.played.contains(&seat)).then_some(Mark::Clean),
        }
    }
}

impl Auditor {
    /// A player has points from before.
    pub fn had_points(&mut self, identity: &str, points: u8) {
        let own = self.conducts.players.entry(identity.to_owned());
        own.or_default().points = points;
    }

    /// Checks that the disk has the conduct that follows from the results, and one entry of the audit for each waiting time.
    pub(super) fn check_conduct(&self, durable: &Durable) {
        let players = &self.conducts.players;
        let identities: Vec<String> = players.keys().cloned().collect();
        let stored = at_once(durable.stores.conduct(identities));
        for (own, stored) in players.values().zip(stored.expect("in memory")) {
            let found = stored.conduct;
            let until = own.ends.last().copied().map(Timestamp);
            assert_eq!(
                (
                    found.points,
                    found.clean,
                    u32::from(found.waits),
                    found.until
                ),
                (own.points, own.clean, own.row, until),
                "{own:?}"
            );
        }
        let audit = at_once(durable.stores.entries(None, None, ALL)).expect("in memory");
        let mut found: Vec<(&str, Option<i64>)> = audit
            .iter()
            .filter(|entry| entry.action.action == WAITING_TIME)
            .map(|entry| {
                (
                    entry.action.target.as_str(),
                    entry.action.until.map(|end| end.0),
                )
            })
            .collect();
        let mut expected: Vec<(&str, Option<i64>)> = players
            .iter()
            .flat_map(|(player, own)| own.ends.iter().map(|end| (player.as_str(), Some(*end))))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "the waiting times in the audit");
    }

    /// Says whether a player is refused because of a waiting time that lasts, and reads its end.
    pub(super) fn is_told_to_wait(&self, identity: &str, error: &ErrorBody) -> bool {
        let until = error.detail.as_ref().and_then(|detail| detail.until);
        error.code == ErrorCode::Restricted
            && until.is_some_and(|until| {
                self.has_waiting_time(identity, until) && self.now < until + TOLD_MS
            })
    }

    /// Says whether a waiting time of a player ends at a time.
    pub(super) fn has_waiting_time(&self, identity: &str, until: i64) -> bool {
        let own = self.conducts.players.get(identity);
        own.is_some_and(|own| own.ends.contains(&until))
    }

    /// Returns how many points were given.
    #[must_use]
    pub const fn points(&self) -> usize {
        self.conducts.points
    }

    /// Returns how many waiting times began.
    #[must_use]
    pub fn waits(&self) -> usize {
        let all = self.conducts.players.values();
        all.map(|own| own.ends.len()).sum()
    }
}
