//! Load shedding: what the server stops doing when it is overloaded, and in which order.
//!
//! It refuses new spectators and chat first, then groups the updates of spectators, then stops presence updates, then starts no
//! games. It never touches games in progress and their clocks.

mod machine;
pub mod watch;

use std::sync::atomic::{AtomicU8, Ordering};

use tilewire_protocol::{ErrorBody, ErrorCode, ErrorDetail};
use tilewire_rules::time::Millis;

pub use machine::{Machine, Pressure};
use tilewire_base::metrics;
use tilewire_config::OverloadConfig;
pub use watch::{Fullness, watch};

/// The level of load shedding; each level includes those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing is shed.
    #[default]
    Normal,
    /// No client becomes a spectator, and nobody chats.
    NoSpectators,
    /// Spectators get updates in groups.
    Grouped,
    /// Numbers of spectators, and games that begin or end, are not announced.
    NoPresence,
    /// No seek is opened or joined, and no game begins.
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

    /// Returns the level of a number; a number beyond the last is the last.
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

    /// Says whether a client may become a spectator.
    #[must_use]
    pub fn takes_spectators(self) -> bool {
        self < Self::NoSpectators
    }

    /// Says whether lines of the chat are taken.
    #[must_use]
    pub fn takes_chat(self) -> bool {
        self < Self::NoSpectators
    }

    /// Says whether spectators get each move immediately.
    #[must_use]
    pub fn shows_at_once(self) -> bool {
        self < Self::Grouped
    }

    /// Says whether numbers of spectators, and games that begin or end, are announced.
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

/// The present level, shared by all that shed load.
#[derive(Debug)]
pub struct Overload {
    level: AtomicU8,
    settings: OverloadConfig,
}

impl Overload {
    /// Returns the minimum level of the settings.
    #[must_use]
    pub fn new(settings: &OverloadConfig) -> Self {
        Self {
            level: AtomicU8::new(settings.least_level),
            settings: settings.clone(),
        }
    }

    /// Returns the present level.
    #[must_use]
    pub fn level(&self) -> Level {
        Level::from_number(self.level.load(Ordering::Relaxed))
    }

    /// Returns the time between two groups of updates.
    #[must_use]
    pub const fn group_ms(&self) -> Millis {
        self.settings.group_ms
    }

    /// Returns the answer to a request that is shed.
    #[must_use]
    pub fn refusal(&self, what: LeftOut) -> ErrorBody {
        refusal(what, self.settings.retry_after_ms)
    }

    fn set(&self, level: Level) {
        self.level.store(level.number(), Ordering::Relaxed);
    }
}

/// A request that may be shed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// To watch a game.
    Watching,
    /// To begin a game, or to seek one.
    Beginning,
    /// To write a line of the chat.
    Chatting,
}

/// Returns the answer to a request that is shed; the client may repeat it after `retry_after_ms`.
pub fn refusal(what: LeftOut, retry_after_ms: Millis) -> ErrorBody {
    let (name, text) = match what {
        LeftOut::Watching => (
            "spectator",
            "the server is overloaded: it takes no new spectators for now",
        ),
        LeftOut::Beginning => (
            "game",
            "the server is overloaded: no games begin for now; games in progress continue",
        ),
        LeftOut::Chatting => ("chat", "the server is overloaded: it takes no chat for now"),
    };
    metrics::overload_refused(name);
    let detail = ErrorDetail {
        retry_after_ms: Some(retry_after_ms.0),
        ..ErrorDetail::default()
    };
    ErrorBody::new(ErrorCode::Busy, text).with_detail(detail)
}
