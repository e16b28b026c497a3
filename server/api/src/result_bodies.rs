//! Answers about finished games.

use serde::Serialize;
use serde_json::{Value, to_value};
use tilewire_people::results::{Figures, GameResult, HighestPlay, Rated, SeatRow};
use tilewire_protocol::http;
use tilewire_rules::time::{Seat, Timestamp};

use tilewire_store::{RatingChange, ResultPage, StoredResult, reason_name};

/// Returns a page of results.
pub(super) fn archive(page: ResultPage, now: Timestamp) -> http::Archive {
    http::Archive {
        server_time: now.0,
        games: page.results.into_iter().map(game_result).collect(),
        next: page.next.map(|next| next.to_string()),
    }
}

/// Returns the result of a finished game.
pub(super) fn game_result(stored: StoredResult) -> http::GameResult {
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
        let change = changes.iter().find(of_player).map(rating_change);
        result_seat(Seat(number), seat, change)
    });
    http::GameResult {
        game,
        rule_set,
        language,
        lexicon,
        time_class: time_class.map(|class| class.name().to_owned()),
        pool,
        unrated,
        series: series.map(|series| http::Series {
            first_game: series.first_game,
            number: series.number,
        }),
        private: is_private,
        created_at: created_at.0,
        ended_at: ended_at.0,
        reason: reason_name(reason).to_owned(),
        decision: http::Decision {
            code: name(&decision.winner),
            winner_rule: decision.winner_rule,
            end_rule: decision.end_rule,
            rack_rule: decision.rack_rule,
            words,
        },
        seats: seats.collect(),
    }
}

const fn rating_change(change: &RatingChange) -> http::RatingChange {
    http::RatingChange {
        before: change.before,
        after: change.after,
        deviation: change.deviation,
    }
}

fn result_seat(
    Seat(number): Seat,
    row: SeatRow,
    rating: Option<http::RatingChange>,
) -> http::ResultSeat {
    http::ResultSeat {
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
        figures: figures(row.figures),
    }
}

fn figures(figures: Figures) -> http::Figures {
    http::Figures {
        moved_first: figures.moved_first,
        turns: figures.turns,
        turn_points: figures.turn_points,
        bingos: figures.bingos,
        highest_play: figures.highest_play.map(highest_play),
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

fn highest_play(play: HighestPlay) -> http::HighestPlay {
    http::HighestPlay {
        word: play.word,
        points: play.points,
    }
}

/// Returns the stable name of a variant without content.
fn name(variant: &impl Serialize) -> String {
    match to_value(variant) {
        Ok(Value::String(name)) => name,
        Ok(_) | Err(_) => String::new(),
    }
}
