//! The bodies of answers about finished games.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, to_value};
use tilewire_people::results::{Figures, GameResult, HighestPlay, Rated, SeatRow};
use tilewire_rules::time::{Seat, Timestamp};

use tilewire_store::{RatingChange, ResultPage, StoredResult, reason_name};

/// A page of results, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Archive {
    /// The results.
    games: Vec<GameResultBody>,
    /// The value of `before` for the next page. It can be there although this page is not full; at the end it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The server's time, unix ms.
    server_time: i64,
}

/// The result of a finished game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GameResult")]
pub(super) struct GameResultBody {
    /// The id of the game.
    game: String,
    /// The id of the rule set.
    rule_set: String,
    /// The language of the tiles.
    language: String,
    /// The name of the lexicon.
    lexicon: String,
    /// The speed: `ultra_blitz`, `blitz`, `rapid`, `standard` or `correspondence`; absent if the game was untimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_class: Option<String>,
    /// The pool in which the game is rated; absent if it is not rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pool: Option<String>,
    /// Why the game is not rated although its players wanted that, as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrated: Option<String>,
    /// The series of rematches that the game belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<SeriesBody>,
    /// Whether only the players may see the game.
    private: bool,
    /// When the game was created, unix ms.
    created_at: i64,
    /// When it ended, unix ms.
    ended_at: i64,
    /// Why it ended, as in the protocol's `ended`.
    reason: String,
    /// The rules that decided it.
    decision: DecisionBody,
    /// The seats, in seat order.
    seats: Vec<SeatBody>,
}

/// A place in a series of rematches.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Series")]
pub(super) struct SeriesBody {
    /// The id of the first game.
    first_game: String,
    /// The number of this game, from 1.
    number: u32,
}

/// The rules that decided a game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Decision")]
pub(super) struct DecisionBody {
    /// The rule that made the winner, as a code: `highest_score`, `highest_share`, `score_before_racks`, `shared_win`,
    /// `target`, `last_player`, `challenge` or `no_result`.
    code: String,
    /// The id of that rule in `docs/rules.md`.
    winner_rule: String,
    /// The id of the rule that ended the game.
    end_rule: String,
    /// The id of the rule about unplayed tiles, if they changed a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    rack_rule: Option<String>,
    /// The explanation, in English.
    words: String,
}

/// A seat of a finished game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResultSeat")]
pub(super) struct SeatBody {
    /// The number of the seat, from 0.
    seat: u8,
    /// The identity of the player.
    identity: String,
    /// The name in the game.
    name: String,
    /// `guest`, `registered`, `external_bot` or `house_bot`.
    kind: String,
    /// The rank: 1 for each winner; 0 if the game has no result.
    rank: u8,
    /// The final score.
    final_score: i32,
    /// The score before unplayed tiles and overtime.
    score: i32,
    /// The points that unplayed tiles added or took.
    rack_points: i32,
    /// The points lost for overtime.
    time_penalty: i32,
    /// Why the player left the game: `resigned`, `flagged`, `expired` or `abandoned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<String>,
    /// Whether the game counts in the averages of the player.
    counted: bool,
    /// How the game changed the rating of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<RatingChangeBody>,
    /// The figures of the player.
    figures: FiguresBody,
}

/// A change of a rating, in whole points.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RatingChange")]
pub(super) struct RatingChangeBody {
    /// The rating before the game.
    before: i64,
    /// The rating after it.
    after: i64,
    /// The deviation after it.
    deviation: i64,
}

/// The figures of a player in a game. A play that a challenge took off is a turn of 0 points.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Figures")]
pub(super) struct FiguresBody {
    /// Whether the player had the first turn.
    moved_first: bool,
    /// Turns of any kind.
    turns: u32,
    /// The points of the plays that stand, bonuses included.
    turn_points: i32,
    /// Plays with a bonus for the number of tiles.
    bingos: u32,
    /// The highest play that stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    highest_play: Option<HighestPlayBody>,
    /// Exchanges.
    exchanges: u32,
    /// Chosen passes.
    passes: u32,
    /// Turns lost after a failed challenge.
    lost_turns: u32,
    /// Plays with a word that is not in the lexicon; absent if the server no longer had the lexicon.
    #[serde(skip_serializing_if = "Option::is_none")]
    phonies_played: Option<u32>,
    /// Own plays that a challenge took off.
    phonies_caught: u32,
    /// Own challenges that took a play off.
    challenges_won: u32,
    /// Own challenges of plays that stand.
    challenges_lost: u32,
    /// The time for which the player's clock ran, ms.
    clock_ms: i64,
}

/// The highest play of a player.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HighestPlay")]
pub(super) struct HighestPlayBody {
    /// The main word; lower case for blanks.
    word: String,
    /// The points of the turn.
    points: i32,
}

impl Archive {
    /// Returns the body of a page.
    pub(super) fn of(page: ResultPage, now: Timestamp) -> Self {
        Self {
            server_time: now.0,
            games: page.results.into_iter().map(GameResultBody::from).collect(),
            next: page.next.map(|next| next.to_string()),
        }
    }
}

impl From<StoredResult> for GameResultBody {
    fn from(stored: StoredResult) -> Self {
        let StoredResult {
            result,
            is_private,
            changes,
            ..
        } = stored;
        let (pool, unrated) = match &result.rated {
            Rated::In(pool) => (Some(pool.to_string()), None),
            Rated::Refused(why) => (None, Some(why.code().to_owned())),
            Rated::Voided(_) => (None, Some("voided".to_owned())),
            Rated::Casual => (None, None),
        };
        let words = result.words();
        let GameResult {
            game,
            rule_set,
            language,
            lexicon,
            time_class,
            rated: _,
            series,
            created_at,
            ended_at,
            reason,
            decision,
            seats,
        } = result;
        let seats = seats.into_iter().zip(0..).map(|(seat, number)| {
            let of_player = |change: &&RatingChange| change.identity == seat.identity;
            let change = changes.iter().find(of_player).map(RatingChangeBody::from);
            SeatBody::of(Seat(number), seat, change)
        });
        Self {
            game,
            rule_set,
            language,
            lexicon,
            time_class: time_class.map(|class| class.name().to_owned()),
            pool,
            unrated,
            series: series.map(|series| SeriesBody {
                first_game: series.first_game,
                number: series.number,
            }),
            private: is_private,
            created_at: created_at.0,
            ended_at: ended_at.0,
            reason: reason_name(reason).to_owned(),
            decision: DecisionBody {
                code: name(&decision.winner),
                winner_rule: decision.winner_rule,
                end_rule: decision.end_rule,
                rack_rule: decision.rack_rule,
                words,
            },
            seats: seats.collect(),
        }
    }
}

impl From<&RatingChange> for RatingChangeBody {
    fn from(change: &RatingChange) -> Self {
        Self {
            before: change.before,
            after: change.after,
            deviation: change.deviation,
        }
    }
}

impl SeatBody {
    fn of(Seat(number): Seat, row: SeatRow, rating: Option<RatingChangeBody>) -> Self {
        Self {
            seat: number,
            identity: row.identity,
            name: row.name,
            kind: name(&row.kind),
            rank: row.rank,
            final_score: row.final_score,
            score: row.score,
            rack_points: row.rack_points,
            time_penalty: row.time_penalty,
            retired: row.retired.map(|why| name(&why)),
            counted: row.is_counted,
            rating,
            figures: row.figures.into(),
        }
    }
}

impl From<Figures> for FiguresBody {
    fn from(figures: Figures) -> Self {
        Self {
            moved_first: figures.moved_first,
            turns: figures.turns,
            turn_points: figures.turn_points,
            bingos: figures.bingos,
            highest_play: figures.highest_play.map(HighestPlayBody::from),
            exchanges: figures.exchanges,
            passes: figures.passes,
            lost_turns: figures.lost_turns,
            phonies_played: figures.phonies_played,
            phonies_caught: figures.phonies_caught,
            challenges_won: figures.challenges_won,
            challenges_lost: figures.challenges_lost,
            clock_ms: figures.clock_ms.0,
        }
    }
}

impl From<HighestPlay> for HighestPlayBody {
    fn from(play: HighestPlay) -> Self {
        Self {
            word: play.word,
            points: play.points,
        }
    }
}

/// Returns the stable name of a variant without content.
fn name(variant: &impl Serialize) -> String {
    match to_value(variant) {
        Ok(Value::String(name)) => name,
        Ok(_) | Err(_) => String::new(),
    }
}
