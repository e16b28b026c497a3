//! New games: awake, or asleep for another server.

use super::changes::{Done, head, store};
use super::{Connection, Result, sleepers};
use tilewire_store::{GameMeta, RecordRow, Rest};

/// Stores a new game and the first record of its log; asleep, if another server has its shard.
pub(super) fn create(
    db: &Connection,
    meta: &GameMeta,
    (first, is_correspondence): (&RecordRow, bool),
    asleep: Option<&Rest>,
) -> Result<Done> {
    if let Some(head) = head(db, &meta.game)? {
        return Ok(Done::Conflict { head });
    }
    db.prepare_cached(
        "INSERT INTO games (game, epoch, rule_set, private_code, created_at, head, is_correspondence)
         VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)",
    )?
    .execute((
        meta.game.as_str(),
        meta.epoch,
        &meta.rule_set,
        &meta.private_code,
        meta.created_at.0,
        is_correspondence,
    ))?;
    let mut insert =
        db.prepare_cached("INSERT INTO seats (game, seat, identity) VALUES (?1, ?2, ?3)")?;
    for (seat, identity) in meta.players.iter().enumerate() {
        insert.execute((meta.game.as_str(), seat, identity))?;
    }
    store(db, &meta.game, first)?;
    match asleep {
        Some(rest) => sleepers::rest(db, rest),
        None => Ok(Done::Stored),
    }
}
