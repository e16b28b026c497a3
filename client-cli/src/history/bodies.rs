//! The fields of answers that the text shows.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Archive {
    pub(super) games: Vec<Game>,
    #[serde(default)]
    pub(super) next: Option<String>,
    pub(super) server_time: i64,
}

#[derive(Deserialize)]
pub(super) struct Game {
    pub(super) game: String,
    pub(super) rule_set: String,
    #[serde(default)]
    pub(super) pool: Option<String>,
    pub(super) ended_at: i64,
    pub(super) reason: String,
    pub(super) decision: Decision,
    pub(super) seats: Vec<Seat>,
}

#[derive(Deserialize)]
pub(super) struct Decision {
    pub(super) words: String,
}

#[derive(Deserialize)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) rank: u8,
    pub(super) final_score: i32,
    #[serde(default)]
    pub(super) rating: Option<Change>,
}

#[derive(Deserialize)]
pub(super) struct Change {
    pub(super) before: i64,
    pub(super) after: i64,
}

#[derive(Deserialize)]
pub(super) struct Statistics {
    pub(super) people: Breakdown,
    pub(super) bots: Breakdown,
}

#[derive(Deserialize)]
pub(super) struct Breakdown {
    pub(super) all: Figures,
    pub(super) by_rule_set: BTreeMap<String, Figures>,
}

#[derive(Deserialize)]
pub(super) struct Figures {
    pub(super) games: u32,
    #[serde(default)]
    pub(super) completion_rate: Option<f64>,
    pub(super) two_seats: Tally,
    pub(super) three_seats: [u32; 4],
    pub(super) four_seats: [u32; 4],
    pub(super) counted: u32,
    #[serde(default)]
    pub(super) average_per_turn: Option<f64>,
    #[serde(default)]
    pub(super) average_game: Option<f64>,
    #[serde(default)]
    pub(super) high_game: Option<i32>,
    #[serde(default)]
    pub(super) low_game: Option<i32>,
    #[serde(default)]
    pub(super) highest_play_word: Option<String>,
    #[serde(default)]
    pub(super) highest_play_points: Option<i32>,
    #[serde(default)]
    pub(super) bingos_per_game: Option<f64>,
    pub(super) phonies_played: u32,
    pub(super) phonies_caught: u32,
    pub(super) challenges_won: u32,
    pub(super) challenges_lost: u32,
    #[serde(default)]
    pub(super) time_per_turn_ms: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct Tally {
    pub(super) won: u32,
    pub(super) lost: u32,
    pub(super) shared: u32,
}

#[derive(Deserialize)]
pub(super) struct HeadToHead {
    pub(super) all: Tally,
    pub(super) counted: Tally,
    pub(super) spread: i64,
    pub(super) series: BTreeMap<String, Tally>,
}

#[derive(Deserialize)]
pub(super) struct Ratings {
    pub(super) ratings: Vec<Rating>,
}

#[derive(Deserialize)]
pub(super) struct Rating {
    pub(super) pool: String,
    pub(super) rating: i64,
    pub(super) deviation: i64,
    pub(super) provisional: bool,
    pub(super) games: u64,
    pub(super) curve: Vec<Point>,
}

#[derive(Deserialize)]
pub(super) struct Point {
    pub(super) rating: i64,
}

#[derive(Deserialize)]
pub(super) struct Leaderboard {
    pub(super) pool: String,
    #[serde(default)]
    pub(super) mean: Option<f64>,
    pub(super) lines: Vec<BoardLine>,
}

#[derive(Deserialize)]
pub(super) struct BoardLine {
    pub(super) place: usize,
    pub(super) identity: String,
    #[serde(default)]
    pub(super) handle: Option<String>,
    #[serde(default)]
    pub(super) rating: Option<i64>,
    #[serde(default)]
    pub(super) deviation: Option<i64>,
    #[serde(default)]
    pub(super) weighted: Option<f64>,
    #[serde(default)]
    pub(super) average: Option<f64>,
    #[serde(default)]
    pub(super) turns: Option<u32>,
    pub(super) games: u64,
}

#[derive(Deserialize)]
pub(super) struct Player {
    pub(super) identity: String,
    pub(super) handle: String,
    pub(super) roles: Vec<String>,
}
