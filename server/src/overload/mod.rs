//! What the server leaves out when it has too much to do, and in which order.
//!
//! New spectators are refused first, then spectators see what happens in groups, then nobody is told who comes and
//! goes, then no game begins. Games being played and their clocks are never touched.

mod machine;
mod watch;

use std::sync::atomic::{AtomicU8, Ordering};

use tilewire_protocol::{ErrorBody, ErrorCode, ErrorDetail};

use crate::config::OverloadConfig;
use crate::metrics;
pub use machine::{Machine, Pressure};
pub(crate) use watch::{Fullness, watch};

/// How much is left out; each level includes those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    #[default]
    Normal,
    /// Nobody begins to watch a game.
    NoSpectators,
    /// Spectators see what happens in groups.
    Grouped,
    /// Nobody is told how many watch, or which games begin and end.
    NoPresence,
    /// No seek is opened or joined, no game begins.
    NoGames,
}

impl Level {
    /// All levels, in order.
    pub const ALL: [Self; 5] = [
        Self::Normal,
        Self::NoSpectators,
        Self::Grouped,
        Self::NoPresence,
        Self::NoGames,
    ];

    /// Returns the level of a number; numbers beyond the last are the last.
    #[must_use]
    pub fn from_number(number: u8) -> Self {
        let at = usize::from(number).min(Self::ALL.len() - 1);
        Self::ALL[at]
    }

    /// Returns the number: 0 for the normal level, one more for each further one.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Says whether somebody may begin to watch a game.
    #[must_use]
    pub fn takes_spectators(self) -> bool {
        self < Self::NoSpectators
    }

    /// Says whether spectators see each move when it is made.
    #[must_use]
    pub fn shows_at_once(self) -> bool {
        self < Self::Grouped
    }

    /// Says whether people are told how many watch and which games begin and end.
    #[must_use]
    pub fn tells_presence(self) -> bool {
        self < Self::NoPresence
    }

    /// Says whether games begin.
    #[must_use]
    pub fn begins_games(self) -> bool {
        self < Self::NoGames
    }

    /// Returns the name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::NoSpectators => "no_spectators",
            Self::Grouped => "grouped",
            Self::NoPresence => "no_presence",
            Self::NoGames => "no_games",
        }
    }
}

/// The level that counts now, shared by everybody who leaves something out.
#[derive(Debug)]
pub struct Overload {
    level: AtomicU8,
    settings: OverloadConfig,
}

impl Overload {
    /// Returns the least level the settings ask for.
    #[must_use]
    pub fn new(settings: &OverloadConfig) -> Self {
        Self {
            level: AtomicU8::new(settings.least_level),
            settings: settings.clone(),
        }
    }

    /// Returns the level that counts now.
    #[must_use]
    pub fn level(&self) -> Level {
        Level::from_number(self.level.load(Ordering::Relaxed))
    }

    /// Returns how often spectators are shown something while it is grouped, ms.
    #[must_use]
    pub const fn group_ms(&self) -> i64 {
        self.settings.group_ms
    }

    /// Returns the answer to somebody who asks for what is left out now.
    #[must_use]
    pub fn refusal(&self, what: LeftOut) -> ErrorBody {
        refusal(what, self.settings.retry_after_ms)
    }

    fn set(&self, level: Level) {
        self.level.store(level.number(), Ordering::Relaxed);
    }
}

/// Something that is asked for and left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// To watch a game.
    Watching,
    /// To begin a game, or to seek one.
    Beginning,
}

/// Returns the answer to somebody who asks for what is left out; it may be asked for again after `retry_after_ms`.
pub(crate) fn refusal(what: LeftOut, retry_after_ms: i64) -> ErrorBody {
    let (name, text) = match what {
        LeftOut::Watching => (
            "spectator",
            "the server has too much to do: nobody new may watch for now",
        ),
        LeftOut::Beginning => (
            "game",
            "the server has too much to do: no games begin for now, those being played go on",
        ),
    };
    metrics::overload_refused(name);
    let detail = ErrorDetail {
        retry_after_ms: Some(retry_after_ms),
        ..ErrorDetail::default()
    };
    ErrorBody::new(ErrorCode::Busy, text).with_detail(detail)
}
