//! Answers about statistics, ratings and leaderboards.

use tilewire_people::leaderboards::{AverageLine, RatingLine};
use tilewire_people::pools::Pool;
use tilewire_people::statistics::{Breakdown, HeadToHead, Statistics, Sums, Tally};
use tilewire_protocol::http;
use tilewire_rules::time::Timestamp;

use tilewire_results::history::{AverageBoard, Named, PoolRating, RatingBoard};
use tilewire_store::CurvePoint;

/// Returns the statistics of a player.
pub(super) fn statistics(statistics: &Statistics) -> http::Statistics {
    http::Statistics {
        people: breakdown(&statistics.people),
        bots: breakdown(&statistics.bots),
    }
}

fn breakdown(breakdown: &Breakdown) -> http::Breakdown {
    let rule_sets = breakdown.by_rule_set.iter();
    http::Breakdown {
        all: figures(&breakdown.all),
        by_rule_set: rule_sets
            .map(|(id, sums)| (id.clone(), figures(sums)))
            .collect(),
    }
}

fn figures(sums: &Sums) -> http::PlayerFigures {
    let highest = sums.highest_play.as_ref();
    http::PlayerFigures {
        games: sums.games,
        left: sums.left,
        completion_rate: sums.completion_rate(),
        two_seats: tally(sums.two_seats),
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

const fn tally(tally: Tally) -> http::Tally {
    http::Tally {
        won: tally.won,
        lost: tally.lost,
        shared: tally.shared,
    }
}

/// Returns the games of a player against another.
pub(super) fn head_to_head(total: HeadToHead) -> http::HeadToHead {
    let series = total.series.into_iter();
    http::HeadToHead {
        all: tally(total.all),
        counted: tally(total.counted),
        spread: total.spread,
        series: series.map(|(game, score)| (game, tally(score))).collect(),
    }
}

/// Returns the ratings of a player as they are now.
pub(super) fn ratings(ratings: Vec<PoolRating>, now: Timestamp) -> http::Ratings {
    let rating = |PoolRating { row, curve }: PoolRating| {
        let value = row.rating.at(row.pool.time_class, now);
        http::Rating {
            pool: row.pool.to_string(),
            rating: value.shown(),
            deviation: value.shown_deviation(),
            provisional: value.is_provisional(),
            games: row.rating.games(),
            last_game_at: row.rating.last_game_at().0,
            curve: curve.into_iter().map(point).collect(),
        }
    };
    http::Ratings {
        ratings: ratings.into_iter().map(rating).collect(),
    }
}

fn point(point: CurvePoint) -> http::RatingPoint {
    http::RatingPoint {
        at: point.at.0,
        rating: point.rating,
        deviation: point.deviation,
    }
}

/// Returns a rating board.
pub(super) fn rating_board(pool: &Pool, board: RatingBoard) -> http::Leaderboard {
    http::Leaderboard {
        pool: pool.to_string(),
        board: "rating".to_owned(),
        mean: None,
        lines: board.into_iter().map(rating_line).collect(),
    }
}

/// Returns a board of averages.
pub(super) fn average_board(pool: &Pool, name: &str, board: AverageBoard) -> http::Leaderboard {
    http::Leaderboard {
        pool: pool.to_string(),
        board: name.to_owned(),
        mean: Some(board.mean),
        lines: board.lines.into_iter().map(average_line).collect(),
    }
}

fn rating_line(Named { handle, line }: Named<RatingLine>) -> http::BoardLine {
    http::BoardLine {
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

fn average_line(Named { handle, line }: Named<AverageLine>) -> http::BoardLine {
    http::BoardLine {
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
