//! Game clocks as pure arithmetic on milliseconds (R-CLOCK).
//!
//! Every kind of clock is the same mechanism with other parameters: each seat has *main* time for
//! the whole game and, at the start of a turn, a fresh *allowance* that is used up first and cannot
//! be saved. Sudden death, increment and overtime have no allowance; a delay is an allowance in
//! front of main time; a limit per move is an allowance in front of a time bank.

use crate::time::{Seat, Timestamp};
use serde::{Deserialize, Serialize};

/// Milliseconds in a minute.
pub const MINUTE_MS: i64 = 60_000;

/// How time is counted in a game. All durations are milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Time is not counted.
    Untimed,
    /// Main time for the whole game; the seat's flag falls at zero.
    SuddenDeath {
        /// Main time of each seat.
        initial_ms: i64,
    },
    /// Sudden death with `increment_ms` added after each own turn.
    Increment {
        /// Main time of each seat.
        initial_ms: i64,
        /// Time added to main time when the seat ends a turn by a command, ms.
        increment_ms: i64,
    },
    /// Sudden death in which the first `delay_ms` of every turn are free.
    Delay {
        /// Main time of each seat.
        initial_ms: i64,
        /// Free time at the start of each turn.
        delay_ms: i64,
    },
    /// A seat may exceed its main time, up to a cap, and loses points for it.
    Overtime {
        /// Main time of each seat.
        initial_ms: i64,
        /// Points lost per started minute of overtime.
        penalty_per_minute: i32,
        /// The overtime at which the seat's flag falls, ms.
        cap_ms: i64,
    },
    /// A limit for each move, with a bank that is used when the limit has passed.
    PerMove {
        /// Time for each turn.
        limit_ms: i64,
        /// Extra time for the whole game.
        bank_ms: i64,
    },
}

impl ClockKind {
    /// A limit per move of at least this length makes a game by correspondence: its deadlines are wall
    /// clock times, outages are not credited, and opponents cannot claim against a player who is away.
    pub const CORRESPONDENCE_FROM_MS: i64 = 60 * MINUTE_MS;

    /// Returns whether the players have to be present during the whole game.
    #[must_use]
    pub const fn is_live(self) -> bool {
        match self {
            Self::Untimed => false,
            Self::PerMove { limit_ms, .. } => limit_ms < Self::CORRESPONDENCE_FROM_MS,
            Self::SuddenDeath { .. }
            | Self::Increment { .. }
            | Self::Delay { .. }
            | Self::Overtime { .. } => true,
        }
    }

    /// Returns whether this is a game by correspondence (a limit per move of an hour or more).
    #[must_use]
    pub const fn is_correspondence(self) -> bool {
        self.correspondence_limit_ms().is_some()
    }

    /// Returns the limit of a turn, ms, if this is a game by correspondence.
    #[must_use]
    pub const fn correspondence_limit_ms(self) -> Option<i64> {
        match self {
            Self::PerMove { limit_ms, .. } if limit_ms >= Self::CORRESPONDENCE_FROM_MS => {
                Some(limit_ms)
            }
            _ => None,
        }
    }

    const fn main_ms(self) -> i64 {
        match self {
            Self::Untimed => 0,
            Self::SuddenDeath { initial_ms }
            | Self::Increment { initial_ms, .. }
            | Self::Delay { initial_ms, .. }
            | Self::Overtime { initial_ms, .. } => initial_ms,
            Self::PerMove { bank_ms, .. } => bank_ms,
        }
    }

    const fn allowance_ms(self) -> i64 {
        match self {
            Self::Delay { delay_ms, .. } => delay_ms,
            Self::PerMove { limit_ms, .. } => limit_ms,
            Self::Untimed
            | Self::SuddenDeath { .. }
            | Self::Increment { .. }
            | Self::Overtime { .. } => 0,
        }
    }

    const fn increment_ms(self) -> i64 {
        match self {
            Self::Increment { increment_ms, .. } => increment_ms,
            Self::Untimed
            | Self::SuddenDeath { .. }
            | Self::Delay { .. }
            | Self::Overtime { .. }
            | Self::PerMove { .. } => 0,
        }
    }
}

/// The seat whose clock runs, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The seat whose clock runs.
    pub seat: Seat,
    /// When the clock started; earlier use is already subtracted.
    pub since: Timestamp,
}

/// All clocks of a game at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// Main time left per seat, ms; negative is overtime. An untimed game counts down from 0
    /// without consequence, so the negative value is the thinking time of the seat.
    pub main_ms: Vec<i64>,
    /// Allowance left in the current turn per seat, ms.
    pub allowance_ms: Vec<i64>,
    /// The running clock, if one runs.
    pub running: Option<Running>,
}

impl Clocks {
    /// Returns the clocks of a game that has not begun.
    #[must_use]
    pub fn new(kind: ClockKind, seats: u8) -> Self {
        Self {
            main_ms: vec![kind.main_ms(); usize::from(seats)],
            allowance_ms: vec![kind.allowance_ms(); usize::from(seats)],
            running: None,
        }
    }

    /// Stops the running clock at `at`, then starts `seat`'s turn with a fresh allowance.
    pub fn start_turn(&mut self, kind: ClockKind, seat: Seat, at: Timestamp) {
        self.stop(at, 0);
        self.allowance_ms[seat.index()] = kind.allowance_ms();
        self.running = Some(Running { seat, since: at });
    }

    /// Stops the running clock at `at`, then continues `seat`'s clock with the time that is left.
    pub fn resume(&mut self, seat: Seat, at: Timestamp) {
        self.stop(at, 0);
        self.running = Some(Running { seat, since: at });
    }

    /// Stops the running clock at `at` and returns `lag_ms` of the time used since it started.
    pub fn stop(&mut self, at: Timestamp, lag_ms: i64) {
        let Some(Running { seat, since }) = self.running.take() else {
            return;
        };
        let used = (at.since(since) - lag_ms.max(0)).max(0);
        let allowance = &mut self.allowance_ms[seat.index()];
        let free = used.min(*allowance);
        *allowance -= free;
        self.main_ms[seat.index()] -= used - free;
    }

    /// Adds the increment that a seat gains when it ends a turn with a command (R-CLOCK-2).
    pub fn add_increment(&mut self, kind: ClockKind, seat: Seat) {
        self.main_ms[seat.index()] += kind.increment_ms();
    }

    /// Adds `ms` to the main time of `seat`, which another seat gives (R-GIFT-1).
    pub fn give(&mut self, seat: Seat, ms: i64) {
        let main_ms = &mut self.main_ms[seat.index()];
        *main_ms = main_ms.saturating_add(ms);
    }

    /// Gives `seat` the allowance of a turn: a hold has its own thinking time.
    pub fn refresh_allowance(&mut self, kind: ClockKind, seat: Seat) {
        self.allowance_ms[seat.index()] = kind.allowance_ms();
    }

    /// Returns when the running seat's flag falls, if nothing else happens.
    #[must_use]
    pub fn flag_at(&self, kind: ClockKind) -> Option<(Seat, Timestamp)> {
        let Running { seat, since } = self.running?;
        let left = self.allowance_ms[seat.index()].saturating_add(self.main_ms[seat.index()]);
        let after_ms = match kind {
            ClockKind::Untimed => return None,
            // The cap itself may be used up; one millisecond more is too much.
            ClockKind::Overtime { cap_ms, .. } => left.saturating_add(cap_ms).saturating_add(1),
            ClockKind::SuddenDeath { .. }
            | ClockKind::Increment { .. }
            | ClockKind::Delay { .. }
            | ClockKind::PerMove { .. } => left,
        };
        Some((seat, since.plus(after_ms.max(0))))
    }

    /// Returns the points `seat` loses for overtime, as a number >= 0 (R-CLOCK: 0 ms over = 0,
    /// 1 ms = one minute's penalty, 60,000 ms = one, 60,001 ms = two).
    #[must_use]
    pub fn penalty(&self, kind: ClockKind, seat: Seat) -> i32 {
        let ClockKind::Overtime {
            penalty_per_minute, ..
        } = kind
        else {
            return 0;
        };
        // A record from a file can contain any numbers.
        let over_ms = self.main_ms[seat.index()].saturating_neg().max(0);
        let minutes = over_ms / MINUTE_MS + i64::from(over_ms % MINUTE_MS > 0);
        i32::try_from(minutes)
            .unwrap_or(i32::MAX)
            .saturating_mul(penalty_per_minute)
    }
}

#[cfg(test)]
mod tests;
