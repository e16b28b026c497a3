//! Statistics of a player: sums over results, and averages of them.
//!
//! A *counted* game was played to its end, and the player stayed ([`crate::results::SeatRow::is_counted`]). Games that ended
//! by resignation, time or absence count in wins, losses and the completion rate, and in nothing else; so neither an
//! unfinished game nor a resigned one changes an average. Games against bots are separate.

mod head_to_head;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use crate::results::{GameResult, HighestPlay, SeatRow};

pub use head_to_head::{HeadToHead, Tally};

/// Turns that the pool's mean stands for in the weighted average.
pub const WEIGHT_TURNS: u32 = 50;

/// The statistics of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Games in which only people played.
    pub people: Breakdown,
    /// Games in which a bot played.
    pub bots: Breakdown,
}

/// Sums over all games, and for each rule set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Breakdown {
    /// All games.
    pub all: Sums,
    /// The games of each rule set, by its id.
    pub by_rule_set: BTreeMap<String, Sums>,
}

/// Sums over games. They can be added in any order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sums {
    /// Games with a result.
    pub games: u32,
    /// Of these, games that the player left: by resignation, time or absence.
    pub left: u32,
    /// Games of two seats: won, lost and shared.
    pub two_seats: Tally,
    /// Games of three seats by rank, the first rank first.
    pub three_seats: [u32; 4],
    /// Games of four seats by rank, the first rank first.
    pub four_seats: [u32; 4],
    /// Counted games. Everything below is about these.
    pub counted: u32,
    /// Turns of any kind.
    pub turns: u32,
    /// Points of turns, without rack, challenge and overtime points.
    pub turn_points: i64,
    /// The sum of final scores.
    pub final_scores: i64,
    /// The highest final score.
    pub high_game: Option<i32>,
    /// The lowest final score.
    pub low_game: Option<i32>,
    /// The highest play that stands; of equal ones, the first added.
    pub highest_play: Option<HighestPlay>,
    /// Bingos that stand.
    pub bingos: u32,
    /// The number of plays that formed a word outside the lexicon. Games with an unknown lexicon count nothing here.
    pub phonies_played: u32,
    /// Own plays that the verdict on a challenge took off.
    pub phonies_caught: u32,
    /// Challenges won.
    pub challenges_won: u32,
    /// Challenges lost.
    pub challenges_lost: u32,
    /// Exchanges.
    pub exchanges: u32,
    /// Games in which the player had the first turn.
    pub first_moves: u32,
    /// The time on the own clock in live games.
    pub live_clock_ms: Millis,
    /// The turns of live games that the player ended by a command.
    pub live_turns: u32,
}

impl Statistics {
    /// Computes the statistics of a player from the player's results.
    #[must_use]
    pub fn of<'a>(identity: &str, results: impl IntoIterator<Item = &'a GameResult>) -> Self {
        let mut statistics = Self::default();
        for result in results {
            statistics.add(identity, result);
        }
        statistics
    }

    /// Adds a game. A game without a result, or without the player, changes nothing.
    pub fn add(&mut self, identity: &str, result: &GameResult) {
        let Some(seat) = result.seat_of(identity) else {
            return;
        };
        let breakdown = if result.has_bots() {
            &mut self.bots
        } else {
            &mut self.people
        };
        breakdown.all.add(result, seat);
        if result.reason.has_result() {
            let rule_set = breakdown.by_rule_set.entry(result.rule_set.clone());
            rule_set.or_default().add(result, seat);
        }
    }
}

impl Sums {
    /// Adds a game from one seat's side. A game without a result changes nothing.
    pub fn add(&mut self, result: &GameResult, seat: &SeatRow) {
        if !result.reason.has_result() {
            return;
        }
        self.games += 1;
        self.left += u32::from(seat.retired.is_some());
        let rank = usize::from(seat.rank.saturating_sub(1));
        match result.seats.len() {
            2 => self.two_seats.add(seat.rank, result.is_shared()),
            3 => add_rank(&mut self.three_seats, rank),
            _ => add_rank(&mut self.four_seats, rank),
        }
        if seat.is_counted {
            self.add_counted(result, seat);
        }
    }

    fn add_counted(&mut self, result: &GameResult, seat: &SeatRow) {
        let (figures, score) = (&seat.figures, seat.final_score);
        self.counted += 1;
        self.turns = self.turns.saturating_add(figures.turns);
        self.turn_points = self.turn_points.saturating_add(figures.turn_points.into());
        self.final_scores = self.final_scores.saturating_add(score.into());
        self.high_game = self.high_game.max(Some(score));
        self.low_game = Some(self.low_game.map_or(score, |low| low.min(score)));
        let best = self.highest_play.as_ref().map(|play| play.points);
        if figures.highest_play.as_ref().map(|play| play.points) > best {
            self.highest_play.clone_from(&figures.highest_play);
        }
        for (sum, more) in [
            (&mut self.bingos, figures.bingos),
            (
                &mut self.phonies_played,
                figures.phonies_played.unwrap_or(0),
            ),
            (&mut self.phonies_caught, figures.phonies_caught),
            (&mut self.challenges_won, figures.challenges_won),
            (&mut self.challenges_lost, figures.challenges_lost),
            (&mut self.exchanges, figures.exchanges),
            (&mut self.first_moves, u32::from(figures.moved_first)),
        ] {
            *sum = sum.saturating_add(more);
        }
        if result.is_live() {
            self.live_clock_ms = self.live_clock_ms + figures.clock_ms;
            self.live_turns = self.live_turns.saturating_add(figures.own_turns());
        }
    }

    /// Returns the points of an average turn; `None` without a turn.
    #[must_use]
    pub fn average_per_turn(&self) -> Option<f64> {
        average(self.turn_points, self.turns)
    }

    /// Returns the average final score; `None` without a counted game.
    #[must_use]
    pub fn average_game(&self) -> Option<f64> {
        average(self.final_scores, self.counted)
    }

    /// Returns the bingos of an average game; `None` without a counted game.
    #[must_use]
    pub fn bingos_per_game(&self) -> Option<f64> {
        average(self.bingos.into(), self.counted)
    }

    /// Returns the share of games that the player did not leave, 0 to 1; `None` without a game.
    #[must_use]
    pub fn completion_rate(&self) -> Option<f64> {
        average(self.games.saturating_sub(self.left).into(), self.games)
    }

    /// Returns the share of counted games in which the player had the first turn, 0 to 1; `None` without a counted game.
    #[must_use]
    pub fn first_move_share(&self) -> Option<f64> {
        average(self.first_moves.into(), self.counted)
    }

    /// Returns the average time of an own turn in live games; `None` without a turn.
    #[must_use]
    pub fn time_per_turn(&self) -> Option<Millis> {
        (self.live_turns > 0).then(|| self.live_clock_ms / i64::from(self.live_turns))
    }
}

/// Returns the weighted average per turn, (points + 50 m)/(turns + 50), where m is the mean of the pool. A player with few
/// turns is near the mean.
#[must_use]
pub fn weighted_average(points: i64, turns: u32, mean: f64) -> f64 {
    let weight = f64::from(WEIGHT_TURNS);
    mean.mul_add(weight, number(points)) / (f64::from(turns) + weight)
}

/// Returns the mean of a pool: the points of an average turn of all players. 0 without a turn. `players` are the points and
/// the turns of each.
#[must_use]
pub fn pool_mean(players: impl IntoIterator<Item = (i64, u32)>) -> f64 {
    let (points, turns) =
        players
            .into_iter()
            .fold((0_i64, 0_i64), |(points, turns), (more, of)| {
                (points.saturating_add(more), turns.saturating_add(of.into()))
            });
    if turns == 0 {
        0.0
    } else {
        number(points) / number(turns)
    }
}

fn add_rank(ranks: &mut [u32; 4], rank: usize) {
    if let Some(count) = ranks.get_mut(rank) {
        *count += 1;
    }
}

/// Returns the sum divided by the count; `None` if that is 0.
pub(crate) fn average(sum: i64, count: u32) -> Option<f64> {
    (count > 0).then(|| number(sum) / f64::from(count))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sums of scores are far smaller than 2^53"
)]
const fn number(sum: i64) -> f64 {
    sum as f64
}

#[cfg(test)]
pub(crate) mod tests;
