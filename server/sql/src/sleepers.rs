//! Sleeping games: the change that puts a game to sleep, the one that wakes it, and the queries for both kinds.
//!
//! Invariant: `games.wakes_at`, `line`, `is_listed`, `lost_ms` and `seats.is_asleep` are set together and cleared together.

use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::changes::{Done, head};
use super::{Connection, Params, Result, Row};
use tilewire_store::{Rest, Shards, Sleeper, SleeperLine, StoreError};

/// Puts a game to sleep if its log ends at `rest.after`.
pub(super) fn rest(db: &Connection, rest: &Rest) -> Result<Done> {
    let changed = db
        .prepare_cached(
            "UPDATE games SET wakes_at = ?3, line = ?4, is_listed = ?5, lost_ms = ?6
             WHERE game = ?1 AND head = ?2 AND finished_at IS NULL",
        )?
        .execute((
            rest.game.as_str(),
            rest.after,
            rest.wakes_at.0,
            &rest.line,
            rest.is_listed.then_some(1),
            rest.lost_ms.0,
        ))?;
    if changed == 0 {
        let head = head(db, &rest.game)?.unwrap_or(0);
        return Ok(Done::Conflict { head });
    }
    db.prepare_cached("UPDATE seats SET is_asleep = 1 WHERE game = ?1")?
        .execute([rest.game.as_str()])?;
    Ok(Done::Stored)
}

/// Clears `seats.is_asleep` after the game was woken.
pub(super) fn wake_seats(db: &Connection, game: &GameId) -> Result<()> {
    db.prepare_cached("UPDATE seats SET is_asleep = NULL WHERE game = ?1 AND is_asleep = 1")?
        .execute([game.as_str()])?;
    Ok(())
}

/// Reads the ids of all unfinished games in `shards` that do not sleep.
pub(super) fn awake(db: &Connection, shards: Shards) -> Result<Vec<GameId>, StoreError> {
    let mut games: Vec<GameId> = all(
        db,
        "SELECT game FROM games WHERE finished_at IS NULL AND wakes_at IS NULL
         ORDER BY created_at, game",
        (),
        |row| row.get(0).map(GameId),
    )?;
    games.retain(|game| shards.contain(game));
    Ok(games)
}

/// Reads the sleeping games in `shards` behind one of them, in the order of their deadlines.
pub(super) fn next(
    db: &Connection,
    shards: Shards,
    after: Option<&Sleeper>,
    limit: usize,
) -> Result<Vec<Sleeper>, StoreError> {
    let (wakes_at, game) =
        after.map_or((i64::MIN, ""), |last| (last.wakes_at.0, last.game.as_str()));
    // Only some of the rows count if some shards do.
    let read_most = if shards == Shards::ALL {
        limit
    } else {
        usize::MAX >> 1
    };
    let read = || -> Result<_> {
        let mut query = db.prepare_cached(
            "SELECT wakes_at, game FROM games
             WHERE wakes_at IS NOT NULL AND (wakes_at, game) > (?1, ?2)
             ORDER BY wakes_at, game LIMIT ?3",
        )?;
        let rows = query.query_map((wakes_at, game, read_most), |row| {
            Ok(Sleeper {
                wakes_at: Timestamp(row.get(0)?),
                game: GameId(row.get(1)?),
            })
        })?;
        // SQLite reads a row only when it is asked for.
        let is_mine = |row: &Result<Sleeper>| {
            row.as_ref()
                .map_or(true, |sleeper| shards.contain(&sleeper.game))
        };
        rows.filter(is_mine).take(limit).collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the ids of the unfinished games of an identity.
pub(super) fn unfinished_of(db: &Connection, identity: &str) -> Result<Vec<GameId>, StoreError> {
    all(
        db,
        "SELECT DISTINCT created_at, games.game FROM seats JOIN games ON games.game = seats.game
         WHERE seats.identity = ?1 AND finished_at IS NULL
         ORDER BY created_at, games.game",
        [identity],
        |row| row.get(1).map(GameId),
    )
}

/// Counts the sleeping games.
pub(super) fn count(db: &Connection) -> Result<usize, StoreError> {
    let count = "SELECT count(*) FROM games WHERE wakes_at IS NOT NULL";
    let counts: Vec<usize> = all(db, count, (), |row| row.get(0))?;
    Ok(counts.into_iter().sum())
}

/// Reads the lines of the sleeping games of an identity.
pub(super) fn of(db: &Connection, identity: &str) -> Result<Vec<SleeperLine>, StoreError> {
    all(
        db,
        "SELECT DISTINCT games.game, created_at, line FROM seats JOIN games ON games.game = seats.game
         WHERE seats.identity = ?1 AND seats.is_asleep = 1 AND wakes_at IS NOT NULL
         ORDER BY created_at, games.game",
        [identity],
        line,
    )
}

/// Reads the lines of the oldest sleeping games in the public list.
pub(super) fn listed(db: &Connection, limit: usize) -> Result<Vec<SleeperLine>, StoreError> {
    all(
        db,
        "SELECT game, created_at, line FROM games WHERE is_listed = 1
         ORDER BY created_at, game LIMIT ?1",
        [limit],
        line,
    )
}

fn line(row: &Row<'_>) -> Result<SleeperLine> {
    Ok(SleeperLine {
        game: GameId(row.get(0)?),
        created_at: Timestamp(row.get(1)?),
        line: row.get(2)?,
    })
}

fn all<T>(
    db: &Connection,
    query: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>, StoreError> {
    let rows = || -> Result<_> { db.prepare_cached(query)?.query_map(params, read)?.collect() };
    rows().map_err(StoreError::from)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::schema;

    /// Every query uses an index, so that a million sleeping games do not slow down a start or a log-in.
    #[test]
    fn every_query_uses_its_index() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrate(&mut db).unwrap();
        let plan = |query: &str| {
            let explained = format!("EXPLAIN QUERY PLAN {query}");
            let mut statement = db.prepare(&explained).unwrap();
            let steps = statement.query_map((), |row| row.get::<_, String>(3));
            steps.unwrap().map(Result::unwrap).collect::<String>()
        };
        let awake = "SELECT game FROM games WHERE finished_at IS NULL AND wakes_at IS NULL ORDER BY created_at, game";
        let next = "SELECT wakes_at, game FROM games WHERE wakes_at IS NOT NULL AND (wakes_at, game) > (1, 'g') \
                    ORDER BY wakes_at, game";
        let unfinished = "SELECT DISTINCT created_at, games.game FROM seats JOIN games ON games.game = seats.game \
                          WHERE seats.identity = 'a' AND finished_at IS NULL ORDER BY created_at, games.game";
        let finished = "SELECT DISTINCT finished_at, games.game FROM seats JOIN games ON games.game = seats.game \
                        WHERE seats.identity = 'a' AND finished_at IS NOT NULL \
                        AND (finished_at, games.game) < (SELECT finished_at, game FROM games WHERE game = 'g') \
                        ORDER BY finished_at DESC, games.game DESC LIMIT 5";
        let of = "SELECT DISTINCT games.game, created_at, line FROM seats JOIN games ON games.game = seats.game \
                  WHERE seats.identity = 'a' AND seats.is_asleep = 1 AND wakes_at IS NOT NULL";
        let listed = "SELECT game, created_at, line FROM games WHERE is_listed = 1 ORDER BY created_at, game LIMIT 5";
        for (query, index) in [
            (awake, "games_awake"),
            (next, "games_asleep"),
            (of, "seats_asleep"),
            (unfinished, "seats_of_identity"),
            (finished, "seats_of_identity"),
            (listed, "games_asleep_listed"),
        ] {
            let steps = plan(query);
            assert!(
                steps.contains(&format!("INDEX {index}")),
                "{query}: {steps}"
            );
        }
        for ordered in [next, listed] {
            let steps = plan(ordered);
            assert!(!steps.contains("TEMP B-TREE"), "{ordered}: {steps}");
        }
    }
}
