//! The message that tells a player of a changed rating.

use tilewire_people::ratings::PROVISIONAL_ABOVE;
use tilewire_protocol::{GameId, RatingChanged, SeatRating, ServerMessage};

use tilewire_delivery::outbound::Registry;
use tilewire_store::{NewResult, RatingChange};

/// Tells the players of a rated game how it changed their ratings.
pub(super) fn ratings(new: &NewResult, registry: &Registry) {
    let Some(game) = new.result.rated_game() else {
        return;
    };
    for change in &new.changes {
        let message = ServerMessage::Rating(RatingChanged {
            game: GameId(game.game.clone()),
            pool: game.pool.to_string(),
            before: points(change.before),
            after: after(change),
        });
        for peer in registry.of(&change.identity) {
            peer.send(0, &message);
        }
    }
}

fn after(change: &RatingChange) -> SeatRating {
    let deviation = u32::try_from(change.deviation).unwrap_or(u32::MAX);
    SeatRating {
        value: points(change.after),
        deviation,
        provisional: f64::from(deviation) > PROVISIONAL_ABOVE,
    }
}

fn points(points: i64) -> i32 {
    i32::try_from(points).unwrap_or(i32::MAX)
}
