//! Clocks once more, from the log alone: whose time ran, from when to when, and what is left.

use tilewire_rules::clock::{ClockKind, Clocks};
use tilewire_rules::time::{Seat, Timestamp};

/// How sure the auditor is of the moment at which a clock stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// To the millisecond.
    Exact,
    /// Not before it started and not after now: network delay is given back, or a command waited for others.
    Bounds,
}

/// The clocks of one game.
#[derive(Debug)]
pub(super) struct ClockBook {
    kind: ClockKind,
    main: Vec<i64>,
    allowance: Vec<i64>,
    running: Option<(usize, i64)>,
    certainty: Certainty,
    /// Seats that have ended a turn by a command since the last reading.
    increments: Vec<usize>,
}

impl ClockBook {
    pub(super) fn new(kind: ClockKind, seats: u8, certainty: Certainty) -> Self {
        let main = match kind {
            ClockKind::Untimed => 0,
            ClockKind::SuddenDeath { initial_ms }
            | ClockKind::Increment { initial_ms, .. }
            | ClockKind::Delay { initial_ms, .. }
            | ClockKind::Overtime { initial_ms, .. } => initial_ms,
            ClockKind::PerMove { bank_ms, .. } => bank_ms,
        };
        Self {
            main: vec![main; usize::from(seats)],
            allowance: vec![full_allowance(kind); usize::from(seats)],
            running: None,
            kind,
            certainty,
            increments: Vec::new(),
        }
    }

    /// A seat has ended a turn by a command.
    pub(super) fn turn_ended(&mut self, seat: Seat) {
        self.increments.push(seat.index());
    }

    /// When the running flag falls.
    pub(super) fn flag_at(&self) -> Option<(Seat, i64)> {
        let (seat, since) = self.running?;
        let left = self.main[seat] + self.allowance[seat];
        let after = match self.kind {
            ClockKind::Untimed => return None,
            ClockKind::Overtime { cap_ms, .. } => left + cap_ms + 1,
            _ => left,
        };
        let number = u8::try_from(seat).expect("few seats");
        Some((Seat(number), since + after.max(0)))
    }

    /// The clocks were read at `at`, and go on as told; `fresh` is who got a new allowance.
    pub(super) fn read(&mut self, at: Timestamp, told: &Clocks, fresh: Option<Seat>) {
        let before = self.running;
        let told_running = told
            .running
            .map(|running| (running.seat.index(), running.since.0));
        // A clock that goes on is read later.
        let goes_on = before.is_some() && before == told_running;
        if let Some((seat, since)) = self.running.take().filter(|_| !goes_on) {
            self.charge(seat, at.0 - since);
        }
        let increment = match self.kind {
            ClockKind::Increment { increment_ms, .. } => increment_ms,
            _ => 0,
        };
        for seat in std::mem::take(&mut self.increments) {
            self.main[seat] += increment;
        }
        if let Some(seat) = fresh {
            self.allowance[seat.index()] = full_allowance(self.kind);
        }
        if self.certainty == Certainty::Bounds
            && let Some((seat, _)) = before
        {
            self.within(seat, told);
        }
        assert_eq!(
            (&self.main, &self.allowance),
            (&told.main_ms, &told.allowance_ms),
            "clocks at {}, {before:?} ran ({:?})",
            at.0,
            self.kind
        );
        self.running = told_running;
    }

    fn charge(&mut self, seat: usize, used: i64) {
        let free = used.clamp(0, self.allowance[seat]);
        self.allowance[seat] -= free;
        self.main[seat] -= used.max(0) - free;
    }

    /// Takes the told time of a seat over if it is no less than what is left when everything is charged.
    fn within(&mut self, seat: usize, told: &Clocks) {
        let least = self.main[seat] + self.allowance[seat];
        let is_told = told.main_ms[seat] + told.allowance_ms[seat];
        assert!(
            is_told >= least,
            "seat {seat} was charged more than passed: {is_told} < {least}"
        );
        self.main[seat] = told.main_ms[seat];
        self.allowance[seat] = told.allowance_ms[seat];
    }
}

const fn full_allowance(kind: ClockKind) -> i64 {
    match kind {
        ClockKind::Delay { delay_ms, .. } => delay_ms,
        ClockKind::PerMove { limit_ms, .. } => limit_ms,
        ClockKind::Untimed
        | ClockKind::SuddenDeath { .. }
        | ClockKind::Increment { .. }
        | ClockKind::Overtime { .. } => 0,
    }
}
