//! Which results a reader wants, and pages of them.

use tilewire_people::results::{GameResult, SeatRow};
use tilewire_rules::event::EndReason;
use tilewire_rules::time::Timestamp;

use super::StoredResult;

/// Results that one page of the archive looks at. A page ends there even if few of them fit its filter.
pub const SCANNED_RESULTS: usize = 5_000;

/// How a game ended for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatOutcome {
    /// The player won alone.
    Won,
    /// The player lost.
    Lost,
    /// Several players share the win, and this one is one of them.
    Shared,
    /// The game has no result.
    None,
}

/// The results that a reader wants. An empty filter fits all that the viewer may see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultFilter {
    /// The reader, who sees private games only if the reader has a seat in them.
    pub viewer: String,
    /// A player of the game.
    pub player: Option<String>,
    /// Another player of the game.
    pub opponent: Option<String>,
    /// The rule set.
    pub rule_set: Option<String>,
    /// The lexicon.
    pub lexicon: Option<String>,
    /// The pool in which the game is rated.
    pub pool: Option<String>,
    /// Whether the game is rated.
    pub is_rated: Option<bool>,
    /// Why the game ended.
    pub reason: Option<EndReason>,
    /// How it ended for the player; without a player it fits nothing.
    pub outcome: Option<SeatOutcome>,
    /// The earliest end.
    pub from: Option<Timestamp>,
    /// The time before which it ended.
    pub until: Option<Timestamp>,
    /// The lowest final score of the player; without a player it fits nothing.
    pub score_min: Option<i32>,
    /// The highest final score of the player; without a player it fits nothing.
    pub score_max: Option<i32>,
}

/// A page of results, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPage {
    /// The results.
    pub results: Vec<StoredResult>,
    /// The number before which the next page begins; `None` at the end. There may be more although this page is not full.
    pub next: Option<u64>,
}

impl SeatOutcome {
    /// Returns how a game ended for one of its seats.
    #[must_use]
    pub fn of(result: &GameResult, seat: &SeatRow) -> Self {
        match (seat.rank, result.is_shared()) {
            _ if !result.reason.has_result() => Self::None,
            (1, true) => Self::Shared,
            (1, false) => Self::Won,
            _ => Self::Lost,
        }
    }

    /// Returns the name, as it is stored and as the API has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Shared => "shared",
            Self::None => "none",
        }
    }
}

impl ResultFilter {
    /// Returns the filter for all games of a player, whoever reads them.
    #[must_use]
    pub fn of_player(identity: &str) -> Self {
        Self {
            viewer: identity.to_owned(),
            player: Some(identity.to_owned()),
            ..Self::default()
        }
    }

    /// Says whether a result fits.
    #[must_use]
    pub fn fits(&self, stored: &StoredResult) -> bool {
        fn is<T: PartialEq>(wanted: Option<&T>, found: &T) -> bool {
            wanted.is_none_or(|wanted| wanted == found)
        }
        let result = &stored.result;
        let has = |identity: &str| result.seat_of(identity).is_some();
        let pool = result.rated_game().map(|game| game.pool.to_string());
        (!stored.is_private || has(&self.viewer))
            && self.player.as_deref().is_none_or(has)
            && self.opponent.as_deref().is_none_or(has)
            && is(self.rule_set.as_ref(), &result.rule_set)
            && is(self.lexicon.as_ref(), &result.lexicon)
            && (self.pool.is_none() || self.pool == pool)
            && is(self.is_rated.as_ref(), &pool.is_some())
            && is(self.reason.as_ref(), &result.reason)
            && self.from.is_none_or(|from| result.ended_at >= from)
            && self.until.is_none_or(|until| result.ended_at < until)
            && self.fits_seat(result)
    }

    /// Says whether the seat of the player fits.
    fn fits_seat(&self, result: &GameResult) -> bool {
        let asks = self.outcome.is_some() || self.score_min.is_some() || self.score_max.is_some();
        let player = self.player.as_deref();
        match player.and_then(|player| result.seat_of(player)) {
            None => !asks,
            Some(seat) => {
                let score = seat.final_score;
                let outcome = SeatOutcome::of(result, seat);
                self.outcome.is_none_or(|wanted| wanted == outcome)
                    && self.score_min.is_none_or(|min| score >= min)
                    && self.score_max.is_none_or(|max| score <= max)
            }
        }
    }
}

/// Returns the name of a reason, as it is stored and as the API has it.
#[must_use]
pub const fn reason_name(reason: EndReason) -> &'static str {
    match reason {
        EndReason::OutPlay => "out_play",
        EndReason::ScorelessTurns => "scoreless_turns",
        EndReason::Passes => "passes",
        EndReason::TurnCap => "turn_cap",
        EndReason::Target => "target",
        EndReason::AllPlayed => "all_played",
        EndReason::Uncatchable => "uncatchable",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Abandonment => "abandonment",
        EndReason::TripleChallenge => "triple_challenge",
        EndReason::Aborted => "aborted",
        EndReason::Cancelled => "cancelled",
        EndReason::Adjudicated => "adjudicated",
    }
}
