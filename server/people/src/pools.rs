//! Time classes, rating pools, and the conditions of a rated game.
//!
//! A pool is a group of games whose ratings are comparable: the same rule set, the same family of lexica and the same time
//! class. External bots have pools of their own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{Consent, GameOptions};
use tilewire_rules::ruleset::{Premiums, RuleSet};
use tilewire_rules::time::Millis;

pub use tilewire_rules::event::PlayerKind;

/// Turns of one player in a usual game: an increment or a delay counts this often.
pub const USUAL_TURNS: i64 = 16;

/// The least time of each player in a usual rated game, as the class of a clock is computed: [`TimeClass::of`].
pub const RATED_TIME_LEAST: Millis = Millis(60 * SECOND_MS);

const SECOND_MS: i64 = 1_000;
/// The longest estimated time of each player in an ultra-blitz game, in seconds.
const ULTRA_BLITZ_S: i64 = 120;
/// The longest estimated time in a blitz game, in seconds.
const BLITZ_S: i64 = 360;
/// The longest estimated time in a rapid game, in seconds.
const RAPID_S: i64 = 840;

/// The speed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeClass {
    /// At most 2 minutes for each player.
    UltraBlitz,
    /// At most 6 minutes.
    Blitz,
    /// At most 14 minutes.
    Rapid,
    /// More.
    Standard,
    /// A limit of an hour or more for each move.
    Correspondence,
}

impl TimeClass {
    /// All classes, the fastest first.
    pub const ALL: [Self; 5] = [
        Self::UltraBlitz,
        Self::Blitz,
        Self::Rapid,
        Self::Standard,
        Self::Correspondence,
    ];

    /// Returns the class of a clock; `None` for an untimed game.
    ///
    /// The class follows from the time that a player has for a usual game: main time, plus the overtime cap, plus 16
    /// increments or delays. A limit for each move counts as a delay, and its bank as main time.
    #[must_use]
    pub const fn of(clock: ClockKind) -> Option<Self> {
        if clock.is_correspondence() {
            return Some(Self::Correspondence);
        }
        let Some(total_ms) = usual_time_ms(clock) else {
            return None;
        };
        Some(if total_ms <= ULTRA_BLITZ_S * SECOND_MS {
            Self::UltraBlitz
        } else if total_ms <= BLITZ_S * SECOND_MS {
            Self::Blitz
        } else if total_ms <= RAPID_S * SECOND_MS {
            Self::Rapid
        } else {
            Self::Standard
        })
    }

    /// Returns the name, as it is part of a pool's id.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UltraBlitz => "ultra_blitz",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Standard => "standard",
            Self::Correspondence => "correspondence",
        }
    }
}

/// Returns the time of each player in a usual game, ms; `None` for an untimed game.
const fn usual_time_ms(clock: ClockKind) -> Option<i64> {
    let (main_ms, each_turn_ms) = match clock {
        ClockKind::Untimed => return None,
        ClockKind::SuddenDeath { initial_ms } => (initial_ms, 0),
        ClockKind::Increment {
            initial_ms,
            increment_ms,
        } => (initial_ms, increment_ms),
        ClockKind::Delay {
            initial_ms,
            delay_ms,
        } => (initial_ms, delay_ms),
        ClockKind::Overtime {
            initial_ms, cap_ms, ..
        } => (initial_ms.saturating_add(cap_ms), 0),
        ClockKind::PerMove { limit_ms, bank_ms } => (bank_ms, limit_ms),
    };
    Some(main_ms.saturating_add(each_turn_ms.saturating_mul(USUAL_TURNS)))
}

/// A rating pool.
///
/// Its text form is `rule set/lexicon family/time class`, such as `classic/wordnik/rapid`; with `bots/` in front for bots.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pool {
    /// The players of the pool.
    pub league: League,
    /// The id of the rule set.
    pub rule_set: String,
    /// The family of lexica: [`lexicon_family`].
    pub lexicon_family: String,
    /// The speed.
    pub time_class: TimeClass,
}

impl Pool {
    /// Returns the pool of a game with these options; `None` if the game is untimed.
    #[must_use]
    pub fn of(league: League, options: &GameOptions) -> Option<Self> {
        let time_class = TimeClass::of(options.clock)?;
        Some(Self::in_class(league, options, time_class))
    }

    fn in_class(league: League, options: &GameOptions, time_class: TimeClass) -> Self {
        Self {
            league,
            rule_set: options.rule_set.clone(),
            lexicon_family: lexicon_family(&options.lexicon).to_owned(),
            time_class,
        }
    }
}

/// The kind of players that a pool rates against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum League {
    /// People.
    People,
    /// External bots.
    Bots,
}

/// The text does not name a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pool is named RULE-SET/LEXICON-FAMILY/TIME-CLASS, for bots with bots/ in front")]
pub struct PoolError;

/// The front of the text form of a pool of bots.
const BOTS: &str = "bots/";

impl TryFrom<String> for Pool {
    type Error = PoolError;

    fn try_from(text: String) -> Result<Self, PoolError> {
        text.parse()
    }
}

impl FromStr for Pool {
    type Err = PoolError;

    fn from_str(text: &str) -> Result<Self, PoolError> {
        let (league, rest) = match text.strip_prefix(BOTS) {
            Some(rest) => (League::Bots, rest),
            None => (League::People, text),
        };
        let mut parts = rest.split('/');
        let (Some(rule_set), Some(family), Some(class), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(PoolError);
        };
        let mut classes = TimeClass::ALL.into_iter();
        let time_class = classes
            .find(|known| known.name() == class)
            .ok_or(PoolError)?;
        if rule_set.is_empty() || family.is_empty() {
            return Err(PoolError);
        }
        Ok(Self {
            league,
            rule_set: rule_set.to_owned(),
            lexicon_family: family.to_owned(),
            time_class,
        })
    }
}

impl From<Pool> for String {
    fn from(pool: Pool) -> Self {
        pool.to_string()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let front = match self.league {
            League::People => "",
            League::Bots => BOTS,
        };
        let class = self.time_class.name();
        write!(
            f,
            "{front}{}/{}/{class}",
            self.rule_set, self.lexicon_family
        )
    }
}

/// Returns the family of a lexicon: its name without the edition at the end, so that ratings outlive a new edition. `csw24`
/// and `csw-2019` belong to `csw`; `wordnik` is its own family.
#[must_use]
pub fn lexicon_family(lexicon: &str) -> &str {
    let is_edition = |c: char| c.is_ascii_digit() || c == '-';
    match lexicon.trim_end_matches(is_edition) {
        "" => lexicon,
        family => family,
    }
}

/// Why a game cannot be rated.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Unrated {
    /// The game has three or four seats.
    #[error("only games of two seats are rated")]
    NotTwoSeats,
    /// The premium squares are dealt for each game (R-SET-3).
    #[error("games on dealt boards are never rated")]
    DealtBoard,
    /// The author of a challenged play is asked first (R-CHAL-17).
    #[error("games in which a challenged play can be withdrawn are never rated")]
    Consent,
    /// Time is not counted.
    #[error("untimed games are never rated")]
    Untimed,
    /// The clock leaves no time to play.
    #[error("rated games need a clock of at least a minute for each player")]
    TooFast,
    /// Only those who have a code may see the game.
    #[error("private games are never rated: everybody may watch a rated game")]
    Private,
    /// A player left before both had completed a turn.
    #[error("a player left before both had completed a turn")]
    Unplayed,
    /// A player has not registered.
    #[error("games of guests are never rated; register first")]
    Guest,
    /// A bot of this server plays.
    #[error("games against the server's bots are never rated")]
    HouseBot,
    /// A person plays against an external bot.
    #[error("games of people against bots are never rated; bots have pools of their own")]
    PersonAgainstBot,
    /// Both seats belong to one player.
    #[error("a game against yourself is never rated")]
    SamePlayer,
}

impl Unrated {
    /// Returns the stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotTwoSeats => "not_two_seats",
            Self::DealtBoard => "dealt_board",
            Self::Consent => "consent",
            Self::Untimed => "untimed",
            Self::TooFast => "too_fast",
            Self::Private => "private",
            Self::Unplayed => "unplayed",
            Self::Guest => "guest",
            Self::HouseBot => "house_bot",
            Self::PersonAgainstBot => "person_against_bot",
            Self::SamePlayer => "same_player",
        }
    }
}

/// Returns the time class of a game that can be rated by its options, without regard to the players: for the form that
/// opens a seek.
///
/// # Errors
/// The first reason why such a game is never rated.
pub fn rateable(options: &GameOptions, rules: &RuleSet) -> Result<TimeClass, Unrated> {
    if options.seats != 2 {
        return Err(Unrated::NotTwoSeats);
    }
    if rules.premiums == Premiums::Drawn {
        return Err(Unrated::DealtBoard);
    }
    if options.challenge.consent == Consent::Asked {
        return Err(Unrated::Consent);
    }
    let time_class = TimeClass::of(options.clock).ok_or(Unrated::Untimed)?;
    let is_too_fast = usual_time_ms(options.clock).is_some_and(|ms| ms < RATED_TIME_LEAST.0);
    if is_too_fast && time_class != TimeClass::Correspondence {
        return Err(Unrated::TooFast);
    }
    Ok(time_class)
}

/// Returns the pool in which a game is rated if its players want that. `players` are the identity and the kind of each seat.
///
/// # Errors
/// The first reason why the game cannot be rated.
pub fn pool(
    options: &GameOptions,
    rules: &RuleSet,
    players: &[(&str, PlayerKind)],
) -> Result<Pool, Unrated> {
    let time_class = rateable(options, rules)?;
    if players.len() != 2 {
        return Err(Unrated::NotTwoSeats);
    }
    let league = league(players)?;
    Ok(Pool::in_class(league, options, time_class))
}

/// Returns the league of a rated game in which these players have a seat; there may be free seats. `players` are the
/// identity and the kind of each seat that is taken.
///
/// # Errors
/// The first reason why these players cannot play a rated game together.
pub fn league(players: &[(&str, PlayerKind)]) -> Result<League, Unrated> {
    let has = |kind: PlayerKind| players.iter().any(|(_, own)| *own == kind);
    if has(PlayerKind::HouseBot) {
        return Err(Unrated::HouseBot);
    }
    if has(PlayerKind::Guest) {
        return Err(Unrated::Guest);
    }
    let league = match (has(PlayerKind::Registered), has(PlayerKind::ExternalBot)) {
        (true, true) => return Err(Unrated::PersonAgainstBot),
        (false, true) => League::Bots,
        (true | false, false) => League::People,
    };
    let mut identities = players.iter().map(|(identity, _)| identity);
    while let Some(one) = identities.next() {
        if identities.clone().any(|other| other == one) {
            return Err(Unrated::SamePlayer);
        }
    }
    Ok(league)
}

#[cfg(test)]
mod tests;
