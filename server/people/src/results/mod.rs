//! The result of a finished game as one row: the part of a game that outlives its log.
//!
//! [`GameResult::from_log`] makes the row from the log alone and a few facts that the log does not contain. The row has
//! everything that ratings, statistics, leaderboards and the archive read.

mod decision;
mod figures;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewire_rules::event::{EndReason, Record, Retirement};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{ReplayError, State};
use tilewire_rules::time::{Seat, Timestamp};

use crate::conduct::{Judge, Mark};
use crate::pools::{self, PlayerKind, Pool, TimeClass, Unrated};
use crate::ratings::{Outcome, RatedGame};
use figures::Watch;

pub use decision::{Decision, WinnerRule};
pub use figures::{Figures, HighestPlay};

/// The result of a finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The id of the game.
    pub game: String,
    /// The id of the rule set.
    pub rule_set: String,
    /// The language of the tiles.
    pub language: String,
    /// The name of the lexicon.
    pub lexicon: String,
    /// The speed of the game; `None` if it was untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_class: Option<TimeClass>,
    /// Whether and where the game is rated.
    pub rated: Rated,
    /// The series of rematches that the game belongs to, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// When the game was created.
    pub created_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// Why it ended.
    pub reason: EndReason,
    /// The rules that decided it, in words and as ids.
    pub decision: Decision,
    /// The seats, in seat order.
    pub seats: Vec<SeatRow>,
}

impl GameResult {
    /// Returns the explanation of the end of the game, in English, with the names that the seats have now.
    #[must_use]
    pub fn words(&self) -> String {
        self.decision
            .text(|seat| self.seats.get(seat).map(|row| row.name.as_str()))
    }
}

/// One seat of a finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRow {
    /// The identity of the player.
    pub identity: String,
    /// The name in the game.
    pub name: String,
    /// The kind of player.
    pub kind: PlayerKind,
    /// The rank: 1 for each winner; 0 if the game has no result.
    pub rank: u8,
    /// The final score.
    pub final_score: i32,
    /// The score before rack adjustment and overtime.
    pub score: i32,
    /// The points that unplayed tiles added or took.
    pub rack_points: i32,
    /// The points lost for overtime, 0 or more.
    pub time_penalty: i32,
    /// Why the player left the game, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<Retirement>,
    /// Whether the game counts in the averages of this player: it was played to the end, and the player did not leave.
    pub is_counted: bool,
    /// The verdict of the game on the player's conduct, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<Mark>,
    /// The name under which ratings know the player, if the player was erased: the ratings of opponents follow from all games
    /// of one player, and every game shows a name of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated_as: Option<String>,
    /// The figures for statistics.
    pub figures: Figures,
}

impl SeatRow {
    /// Returns the name under which ratings know the player.
    #[must_use]
    pub fn rating_key(&self) -> &str {
        self.rated_as.as_deref().unwrap_or(&self.identity)
    }
}

/// Whether and where a game is rated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rated {
    /// The players did not want a rated game.
    Casual,
    /// The game was to be rated, and cannot be.
    Refused(Unrated),
    /// The game is rated in this pool.
    In(Pool),
    /// A moderator has taken the rating of this game in this pool back.
    Voided(Pool),
}

/// The consequence that the players agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// A game without consequences.
    Casual,
    /// A rated game.
    Rated,
}

/// A place in a series of rematches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The id of the first game.
    pub first_game: String,
    /// The number of this game in the series, from 1.
    pub number: u32,
}

/// Facts about a game that its log does not contain.
#[derive(Clone)]
pub struct Facts<'a> {
    /// The kind of the player in each seat.
    pub players: &'a [PlayerKind],
    /// The consequence that the players agreed on.
    pub stake: Stake,
    /// The series, if the game belongs to one.
    pub series: Option<Series>,
    /// Whether the game was played with a private code. Such a game says nothing about conduct.
    pub is_private: bool,
    /// The lexicon of the game, to count the phonies that nobody challenged; `None` if the server no longer has it.
    pub lexicon: Option<&'a dyn Lexicon>,
}

/// Why a log gives no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// The log does not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The game has not ended.
    #[error("the game has not ended")]
    Unfinished,
    /// The facts are about another number of seats.
    #[error("the facts name {facts} players, and the game has {seats}")]
    SeatCount {
        /// The number of players in the facts.
        facts: usize,
        /// The number of seats.
        seats: usize,
    },
}

impl GameResult {
    /// Makes the row of a finished game from its log.
    ///
    /// # Errors
    /// When the log does not replay by these rules, the game has not ended, or the facts do not fit.
    pub fn from_log(
        rules: &Arc<RuleSet>,
        records: &[Record],
        facts: &Facts<'_>,
    ) -> Result<Self, ResultError> {
        let (first, rest) = records.split_first().ok_or(ResultError::Unfinished)?;
        let mut state = State::begin(Arc::clone(rules), first)?;
        let mut watch = Watch::new(state.seats().len());
        let mut judge = Judge::new(state.seats().len());
        for record in rest {
            watch.before(&state, record);
            judge.before(&state, record);
            state.apply(record)?;
        }
        Self::of(&state, (&watch, &judge), facts)
    }

    fn of(
        state: &State,
        (watch, judge): (&Watch, &Judge),
        facts: &Facts<'_>,
    ) -> Result<Self, ResultError> {
        let ended = state.outcome().ok_or(ResultError::Unfinished)?;
        let (created, seats) = (state.created(), state.seats().len());
        if facts.players.len() != seats {
            let facts = facts.players.len();
            return Err(ResultError::SeatCount { facts, seats });
        }
        let rows = created
            .players
            .iter()
            .zip(facts.players)
            .zip(&ended.results);
        let rows = rows.zip(Seat::all(state.options().seats));
        let seats = rows.map(|(((player, kind), result), seat)| {
            let retired = state.seats()[seat.index()].retired.map(|(why, _)| why);
            SeatRow {
                identity: player.identity.clone(),
                name: player.name.clone(),
                kind: *kind,
                rank: result.rank,
                final_score: result.final_score,
                score: result.score,
                rack_points: result.rack_points,
                time_penalty: result.time_penalty,
                retired,
                is_counted: is_played_out(ended.reason) && retired.is_none(),
                conduct: judge.mark(state, seat, facts.players, facts.is_private),
                rated_as: None,
                figures: watch.figures(state, seat, facts.lexicon),
            }
        });
        Ok(Self {
            game: created.game.clone(),
            rule_set: created.options.rule_set.clone(),
            language: created.options.language.clone(),
            lexicon: created.options.lexicon.clone(),
            time_class: TimeClass::of(created.options.clock),
            rated: rated(state, facts),
            series: facts.series.clone(),
            created_at: state.created_at(),
            ended_at: state.last_at(),
            reason: ended.reason,
            decision: Decision::of(state, ended),
            seats: seats.collect(),
        })
    }

    /// Returns what the ratings need, if the game is rated: it has a result, and its rating was not taken back. Aborted and
    /// cancelled games have no result.
    #[must_use]
    pub fn rated_game(&self) -> Option<RatedGame> {
        let (Rated::In(pool), true) = (&self.rated, self.reason.has_result()) else {
            return None;
        };
        let [one, two] = self.seats.as_slice() else {
            return None;
        };
        let outcome = match (one.rank, two.rank) {
            (1, 1) => Outcome::Shared,
            (1, _) => Outcome::First,
            _ => Outcome::Second,
        };
        Some(RatedGame {
            game: self.game.clone(),
            pool: pool.clone(),
            ended_at: self.ended_at,
            players: [one.rating_key().to_owned(), two.rating_key().to_owned()],
            outcome,
            spread: one.final_score.saturating_sub(two.final_score),
        })
    }

    /// Returns the seat of a player; the first one, if several seats belong to the identity.
    #[must_use]
    pub fn seat_of(&self, identity: &str) -> Option<&SeatRow> {
        self.seats.iter().find(|seat| seat.identity == identity)
    }

    /// Returns the identity of the player whom ratings know under a name.
    #[must_use]
    pub fn identity_rated_as<'a>(&'a self, key: &'a str) -> &'a str {
        let mut seats = self.seats.iter();
        let seat = seats.find(|seat| seat.rating_key() == key);
        seat.map_or(key, |seat| &seat.identity)
    }

    /// Returns whether a bot has a seat.
    #[must_use]
    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| seat.kind.is_bot())
    }

    /// Returns whether several players share the win.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.seats.iter().filter(|seat| seat.rank == 1).count() > 1
    }

    /// Returns whether the players had to be present, so that their time per turn says something.
    #[must_use]
    pub fn is_live(&self) -> bool {
        let class = self.time_class;
        class.is_some_and(|class| class != TimeClass::Correspondence)
    }
}

/// Returns whether a game with this end was played to its end, so that its figures count.
#[must_use]
pub const fn is_played_out(reason: EndReason) -> bool {
    match reason {
        EndReason::OutPlay
        | EndReason::ScorelessTurns
        | EndReason::Passes
        | EndReason::TurnCap
        | EndReason::Target
        | EndReason::AllPlayed
        | EndReason::Uncatchable => true,
        EndReason::Resignation
        | EndReason::Time
        | EndReason::Abandonment
        | EndReason::TripleChallenge
        | EndReason::Aborted
        | EndReason::Cancelled
        | EndReason::Adjudicated => false,
    }
}

fn rated(state: &State, facts: &Facts<'_>) -> Rated {
    if facts.stake == Stake::Casual {
        return Rated::Casual;
    }
    let identities = state
        .created()
        .players
        .iter()
        .map(|player| player.identity.as_str());
    let players: Vec<_> = identities.zip(facts.players.iter().copied()).collect();
    match pools::pool(state.options(), state.rules(), &players) {
        Ok(_) if facts.is_private => Rated::Refused(Unrated::Private),
        Ok(_) if is_left_unplayed(state) => Rated::Refused(Unrated::Unplayed),
        Ok(pool) => Rated::In(pool),
        Err(reason) => Rated::Refused(reason),
    }
}

/// Says whether a player left before each one had completed a turn. A player who leaves like that gets a point
/// ([`crate::conduct::Offence::LeftUnplayed`]).
fn is_left_unplayed(state: &State) -> bool {
    let seats = state.seats();
    seats.iter().any(|seat| seat.retired.is_some()) && seats.iter().any(|seat| !seat.has_played)
}

#[cfg(test)]
pub(crate) mod tests;
