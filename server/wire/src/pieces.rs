//! Conversions that events and snapshots share.

use tilewire_protocol as wire;
use tilewire_rules::alphabet::{Tile, TileSet};
use tilewire_rules::clock::Clocks;
use tilewire_rules::event::{
    AbortDecline, ChallengeDecided, EndReason, Ended, HoldEnd, PlayMade, PlayerKind, Retirement,
    ScoredWord, SeatRating, Series, WindowClose,
};
use tilewire_rules::game::WaitingTurn;
use tilewire_rules::notation;
use tilewire_rules::ruleset::Level;
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;

/// Returns the result of a game. On the wire a penalty is the number that it adds: never positive.
pub(super) fn result(
    set: &TileSet,
    ended: &Ended,
    exchanges: Vec<wire::ExchangedTiles>,
) -> wire::GameResult {
    wire::GameResult {
        reason: end_reason(ended.reason),
        results: ended
            .results
            .iter()
            .map(|result| wire::SeatResult {
                seat: result.seat.0,
                score: result.score,
                rack_points: result.rack_points,
                time_penalty: -result.time_penalty,
                final_score: result.final_score,
                rank: result.rank,
                rack: faces(set, &result.rack),
            })
            .collect(),
        winners: seats(&ended.winners),
        aborter: ended.aborter.map(|seat| seat.0),
        exchanges,
        secret: Some(ended.secret.into()),
        clocks: clocks(&ended.clocks),
    }
}

/// Returns the push that says that a turn waits.
pub fn turn_waiting(game: &wire::GameId, waiting: &WaitingTurn) -> wire::TurnWaiting {
    wire::TurnWaiting {
        game: game.clone(),
        turn_no: waiting.turn_no.0,
        seat: waiting.seat.0,
        until: waiting.until.0,
        clocks: clocks(&waiting.clocks),
    }
}

/// Returns the start and direction of a play.
pub(super) fn start(play: &PlayMade) -> String {
    notation::format_coordinate(play.start, play.direction)
}

/// Returns the faces along a play.
pub(super) fn line(set: &TileSet, play: &PlayMade) -> Vec<String> {
    play.tiles
        .iter()
        .map(|cell| notation::format_cell(*cell, set))
        .collect()
}

/// Returns the words of a play.
pub(super) fn words(words: &[ScoredWord]) -> Vec<wire::ScoredWord> {
    words
        .iter()
        .map(|word| wire::ScoredWord {
            word: word.word.clone(),
            score: word.score,
        })
        .collect()
}

/// Returns the bonus of a play, if it has one.
pub(super) fn bonus(play: &PlayMade) -> Option<i32> {
    (play.bonus != 0).then_some(play.bonus)
}

/// Returns the points that a challenge changed.
pub(super) fn points(decided: &ChallengeDecided) -> Vec<wire::SeatPoints> {
    let points = decided.points.iter();
    points
        .map(|(seat, points)| wire::SeatPoints {
            seat: seat.0,
            points: *points,
        })
        .collect()
}

/// Returns clocks as data.
pub(super) fn clocks(clocks: &Clocks) -> wire::Clocks {
    wire::Clocks {
        main_ms: clocks.main_ms.clone(),
        allowance_ms: clocks.allowance_ms.clone(),
        running: clocks.running.map(|running| wire::RunningClock {
            seat: running.seat.0,
            since: running.since.0,
        }),
    }
}

/// Returns the faces of tiles off the board.
pub(super) fn faces(set: &TileSet, tiles: &[Tile]) -> Vec<String> {
    tiles
        .iter()
        .map(|tile| set.tile_face(*tile).to_owned())
        .collect()
}

/// Returns the exchanged tiles of all seats. They are hidden until the game has ended.
pub(super) fn exchanges(state: &State) -> Vec<wire::ExchangedTiles> {
    let set = &state.rules().tiles;
    let exchanged = state.exchanged().iter();
    exchanged
        .map(|(turn_no, seat, tiles)| wire::ExchangedTiles {
            turn_no: turn_no.0,
            seat: seat.0,
            tiles: faces(set, tiles),
        })
        .collect()
}

/// Returns seats as numbers.
pub(super) fn seats(seats: &[Seat]) -> Vec<u8> {
    seats.iter().map(|seat| seat.0).collect()
}

/// Returns a count of tiles as the wire has it.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the reason why a seat left.
pub(super) const fn retirement(reason: Retirement) -> wire::RetireReason {
    match reason {
        Retirement::Resigned => wire::RetireReason::Resigned,
        Retirement::Flagged => wire::RetireReason::Flagged,
        Retirement::Expired => wire::RetireReason::Expired,
        Retirement::Abandoned => wire::RetireReason::Abandoned,
    }
}

/// Returns the reason why a hold ended.
pub(super) const fn hold_end(reason: HoldEnd) -> wire::HoldReason {
    match reason {
        HoldEnd::Released => wire::HoldReason::Released,
        HoldEnd::Accepted => wire::HoldReason::Accepted,
        HoldEnd::Challenged => wire::HoldReason::Challenged,
        HoldEnd::Limit => wire::HoldReason::Limit,
        HoldEnd::Retired => wire::HoldReason::Retired,
        HoldEnd::Closed => wire::HoldReason::Closed,
    }
}

/// Returns the reason why a challenge window closed.
pub(super) const fn window_close(reason: WindowClose) -> wire::WindowReason {
    match reason {
        WindowClose::NextTurn => wire::WindowReason::NextTurn,
        WindowClose::Accepted => wire::WindowReason::Accepted,
        WindowClose::Timer => wire::WindowReason::Timer,
        WindowClose::Verdict => wire::WindowReason::Verdict,
        WindowClose::AuthorRetired => wire::WindowReason::AuthorRetired,
        WindowClose::LastOpponentRetired => wire::WindowReason::LastOpponentRetired,
        WindowClose::Flag => wire::WindowReason::Flag,
        WindowClose::GameOver => wire::WindowReason::GameOver,
    }
}

/// Returns a player's level.
pub const fn level(level: Level) -> wire::Level {
    match level {
        Level::Beginner => wire::Level::Beginner,
        Level::Intermediate => wire::Level::Intermediate,
        Level::Expert => wire::Level::Expert,
    }
}

/// Returns the level that a client names; `None` for none, or for one that this version does not know.
pub fn level_from_wire(level: Option<wire::Level>) -> Option<Level> {
    match level? {
        wire::Level::Beginner => Some(Level::Beginner),
        wire::Level::Intermediate => Some(Level::Intermediate),
        wire::Level::Expert => Some(Level::Expert),
        wire::Level::Unknown => None,
    }
}

/// Returns the kind of a player.
pub const fn kind_to_wire(kind: PlayerKind) -> wire::PlayerKind {
    match kind {
        PlayerKind::Guest => wire::PlayerKind::Guest,
        PlayerKind::Registered => wire::PlayerKind::Registered,
        PlayerKind::ExternalBot => wire::PlayerKind::ExternalBot,
        PlayerKind::HouseBot => wire::PlayerKind::HouseBot,
    }
}

/// Returns the kind of a member of a stored seek; `None` for none.
pub fn kind_from_wire(kind: Option<wire::PlayerKind>) -> Option<PlayerKind> {
    match kind? {
        wire::PlayerKind::Guest => Some(PlayerKind::Guest),
        wire::PlayerKind::Registered => Some(PlayerKind::Registered),
        wire::PlayerKind::ExternalBot => Some(PlayerKind::ExternalBot),
        wire::PlayerKind::HouseBot => Some(PlayerKind::HouseBot),
        wire::PlayerKind::Unknown => None,
    }
}

/// Returns the place of a game in a series of rematches.
pub(super) fn series(series: &Series) -> wire::Series {
    wire::Series {
        first_game: series.first_game.as_str().into(),
        number: series.number,
        score: series.score.clone(),
        first: series.first.0,
    }
}

/// Returns a rating.
pub const fn rating_to_wire(rating: SeatRating) -> wire::SeatRating {
    let SeatRating {
        value,
        deviation,
        provisional,
    } = rating;
    wire::SeatRating {
        value,
        deviation,
        provisional,
    }
}

/// Returns why a request to abort a game was declined.
pub(crate) const fn abort_decline(reason: AbortDecline) -> wire::AbortDecline {
    match reason {
        AbortDecline::Refused => wire::AbortDecline::Refused,
        AbortDecline::Expired => wire::AbortDecline::Expired,
        AbortDecline::Played => wire::AbortDecline::Played,
    }
}

/// Returns the reason why a game ended.
pub const fn end_reason(reason: EndReason) -> wire::EndReason {
    match reason {
        EndReason::OutPlay => wire::EndReason::OutPlay,
        EndReason::ScorelessTurns => wire::EndReason::ScorelessTurns,
        EndReason::Passes => wire::EndReason::Passes,
        EndReason::TurnCap => wire::EndReason::TurnCap,
        EndReason::Target => wire::EndReason::Target,
        EndReason::AllPlayed => wire::EndReason::AllPlayed,
        EndReason::Uncatchable => wire::EndReason::Uncatchable,
        EndReason::Resignation => wire::EndReason::Resignation,
        EndReason::Time => wire::EndReason::Time,
        EndReason::Abandonment => wire::EndReason::Abandonment,
        EndReason::TripleChallenge => wire::EndReason::TripleChallenge,
        EndReason::Aborted => wire::EndReason::Aborted,
        EndReason::Cancelled => wire::EndReason::Cancelled,
        EndReason::Adjudicated => wire::EndReason::Adjudicated,
    }
}
