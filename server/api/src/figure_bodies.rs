//! The bodies of answers about statistics, ratings and leaderboards.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tilewire_people::leaderboards::{AverageLine, RatingLine};
use tilewire_people::pools::Pool;
use tilewire_people::statistics::{Breakdown, HeadToHead, Statistics, Sums, Tally};
use tilewire_rules::time::Timestamp;

use tilewire_results::history::{AverageBoard, Named, PoolRating, RatingBoard};
use tilewire_store::CurvePoint;

/// The statistics of a player, over the games that the requester may see.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Statistics")]
pub(super) struct StatisticsBody {
    /// Games in which only people played.
    people: BreakdownBody,
    /// Games in which a bot played.
    bots: BreakdownBody,
}

/// Figures over all games, and for each rule set.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Breakdown")]
pub(super) struct BreakdownBody {
    /// All games.
    all: SumsBody,
    /// The games of each rule set, by its id.
    by_rule_set: BTreeMap<String, SumsBody>,
}

/// Figures of a player. Averages are of counted games: games that were played to their end, and that the player did not
/// leave. An average of nothing is absent.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PlayerFigures")]
pub(super) struct SumsBody {
    /// Games with a result.
    games: u32,
    /// Of these, games that the player left: by resignation, time or absence.
    left: u32,
    /// The share of games that the player did not leave, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    completion_rate: Option<f64>,
    /// Games of two seats: won, lost, shared.
    two_seats: TallyBody,
    /// Games of three seats by rank, the first rank first.
    three_seats: [u32; 4],
    /// Games of four seats by rank, the first rank first.
    four_seats: [u32; 4],
    /// Counted games. Everything below is about these.
    counted: u32,
    /// Turns: plays, exchanges, passes and lost turns.
    turns: u32,
    /// The points of turns, without rack, challenge and overtime points.
    turn_points: i64,
    /// The points of an average turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    average_per_turn: Option<f64>,
    /// The average final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    average_game: Option<f64>,
    /// The highest final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    high_game: Option<i32>,
    /// The lowest final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    low_game: Option<i32>,
    /// The main word of the highest play; lower case for blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    highest_play_word: Option<String>,
    /// The points of the highest play.
    #[serde(skip_serializing_if = "Option::is_none")]
    highest_play_points: Option<i32>,
    /// Plays with a bonus for the number of tiles.
    bingos: u32,
    /// The bingos of an average game.
    #[serde(skip_serializing_if = "Option::is_none")]
    bingos_per_game: Option<f64>,
    /// Plays with a word outside the lexicon.
    phonies_played: u32,
    /// Own plays that a challenge took off.
    phonies_caught: u32,
    /// Challenges won.
    challenges_won: u32,
    /// Challenges lost.
    challenges_lost: u32,
    /// Exchanges.
    exchanges: u32,
    /// The share of games in which the player had the first turn, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_move_share: Option<f64>,
    /// The time of an average turn in live games, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_per_turn_ms: Option<i64>,
}

/// Games won, lost and shared.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tally")]
pub(super) struct TallyBody {
    /// Games won alone.
    won: u32,
    /// Games lost.
    lost: u32,
    /// Games in which the players share the win.
    shared: u32,
}

/// The games of two seats of a player against another, from the first one's side.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HeadToHead")]
pub(super) struct HeadToHeadBody {
    /// All games with a result.
    all: TallyBody,
    /// The games that count for both players.
    counted: TallyBody,
    /// The sum of the differences of the final scores in counted games.
    spread: i64,
    /// The score of each series of rematches, by the id of its first game.
    series: BTreeMap<String, TallyBody>,
}

/// The ratings of a player.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ratings {
    /// One for each pool in which the player has a rated game.
    ratings: Vec<RatingBody>,
}

/// The rating of a player in a pool, in whole points.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rating")]
pub(super) struct RatingBody {
    /// The pool: rule set, family of lexica and speed.
    pool: String,
    /// The rating now.
    rating: i64,
    /// The deviation now: the true value is within two deviations in 19 of 20 cases.
    deviation: i64,
    /// Whether the deviation is above 110.
    provisional: bool,
    /// Rated games in the pool.
    games: u64,
    /// When the last of them ended, unix ms.
    last_game_at: i64,
    /// The end of the curve, the oldest point first.
    curve: Vec<PointBody>,
}

/// A rating after a game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RatingPoint")]
pub(super) struct PointBody {
    /// When the game ended, unix ms.
    at: i64,
    /// The rating after it.
    rating: i64,
    /// The deviation after it.
    deviation: i64,
}

/// A leaderboard of a pool.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Leaderboard {
    /// The pool.
    pool: String,
    /// `rating`, `week`, `month` or `all`.
    board: String,
    /// The average per turn of all players of the pool in this time; absent on the rating board.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    /// The first 100 lines.
    lines: Vec<BoardLine>,
}

/// A line of a leaderboard.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BoardLine {
    /// The place, from 1. Players with equal values share a place.
    place: usize,
    /// The identity of the player.
    identity: String,
    /// The handle, if the player has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    handle: Option<String>,
    /// The rating, in whole points; on the rating board.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i64>,
    /// The deviation of the rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<i64>,
    /// The weighted average per turn, by which the board ranks; on the other boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    weighted: Option<f64>,
    /// The plain average per turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<f64>,
    /// The turns of the average.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<u32>,
    /// Rated games in the pool; on the other boards, counted games in the time of the board.
    games: u64,
}

impl From<Statistics> for StatisticsBody {
    fn from(statistics: Statistics) -> Self {
        Self {
            people: statistics.people.into(),
            bots: statistics.bots.into(),
        }
    }
}

impl From<Breakdown> for BreakdownBody {
    fn from(breakdown: Breakdown) -> Self {
        let rule_sets = breakdown.by_rule_set.iter();
        Self {
            all: SumsBody::from(&breakdown.all),
            by_rule_set: rule_sets
                .map(|(id, sums)| (id.clone(), SumsBody::from(sums)))
                .collect(),
        }
    }
}

impl From<&Sums> for SumsBody {
    fn from(sums: &Sums) -> Self {
        let highest = sums.highest_play.as_ref();
        Self {
            games: sums.games,
            left: sums.left,
            completion_rate: sums.completion_rate(),
            two_seats: sums.two_seats.into(),
            three_seats: sums.three_seats,
            four_seats: sums.four_seats,
            counted: sums.counted,
            turns: sums.turns,
            turn_points: sums.turn_points,
            average_per_turn: sums.average_per_turn(),
            average_game: sums.average_game(),
            high_game: sums.high_game,
            low_game: sums.low_game,
            highest_play_word: highest.map(|play| play.word.clone()),
            highest_play_points: highest.map(|play| play.points),
            bingos: sums.bingos,
            bingos_per_game: sums.bingos_per_game(),
            phonies_played: sums.phonies_played,
            phonies_caught: sums.phonies_caught,
            challenges_won: sums.challenges_won,
            challenges_lost: sums.challenges_lost,
            exchanges: sums.exchanges,
            first_move_share: sums.first_move_share(),
            time_per_turn_ms: sums.time_per_turn().map(|time| time.0),
        }
    }
}

impl From<Tally> for TallyBody {
    fn from(tally: Tally) -> Self {
        Self {
            won: tally.won,
            lost: tally.lost,
            shared: tally.shared,
        }
    }
}

impl From<HeadToHead> for HeadToHeadBody {
    fn from(total: HeadToHead) -> Self {
        let series = total.series.into_iter();
        Self {
            all: total.all.into(),
            counted: total.counted.into(),
            spread: total.spread,
            series: series.map(|(game, tally)| (game, tally.into())).collect(),
        }
    }
}

impl Ratings {
    /// Returns the ratings as they are now.
    pub(super) fn of(ratings: Vec<PoolRating>, now: Timestamp) -> Self {
        let rating = |PoolRating { row, curve }: PoolRating| {
            let value = row.rating.at(row.pool.time_class, now);
            RatingBody {
                pool: row.pool.to_string(),
                rating: value.shown(),
                deviation: value.shown_deviation(),
                provisional: value.is_provisional(),
                games: row.rating.games(),
                last_game_at: row.rating.last_game_at().0,
                curve: curve.into_iter().map(PointBody::from).collect(),
            }
        };
        Self {
            ratings: ratings.into_iter().map(rating).collect(),
        }
    }
}

impl From<CurvePoint> for PointBody {
    fn from(point: CurvePoint) -> Self {
        Self {
            at: point.at.0,
            rating: point.rating,
            deviation: point.deviation,
        }
    }
}

impl Leaderboard {
    /// Returns a rating board.
    pub(super) fn by_rating(pool: &Pool, board: RatingBoard) -> Self {
        Self {
            pool: pool.to_string(),
            board: "rating".to_owned(),
            mean: None,
            lines: board.into_iter().map(BoardLine::from).collect(),
        }
    }

    /// Returns a board of averages.
    pub(super) fn by_average(pool: &Pool, name: &str, board: AverageBoard) -> Self {
        Self {
            pool: pool.to_string(),
            board: name.to_owned(),
            mean: Some(board.mean),
            lines: board.lines.into_iter().map(BoardLine::from).collect(),
        }
    }
}

impl From<Named<RatingLine>> for BoardLine {
    fn from(Named { handle, line }: Named<RatingLine>) -> Self {
        Self {
            place: line.place,
            identity: line.player,
            handle,
            rating: Some(line.rating.shown()),
            deviation: Some(line.rating.shown_deviation()),
            weighted: None,
            average: None,
            turns: None,
            games: line.games,
        }
    }
}

impl From<Named<AverageLine>> for BoardLine {
    fn from(Named { handle, line }: Named<AverageLine>) -> Self {
        Self {
            place: line.place,
            identity: line.player,
            handle,
            rating: None,
            deviation: None,
            weighted: Some(line.weighted),
            average: Some(line.average),
            turns: Some(line.turns),
            games: line.games.into(),
        }
    }
}
