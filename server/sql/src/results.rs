//! Results and ratings.

use std::collections::HashMap;

use tilewire_people::leaderboards::CountedSeat;
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::changes::Done;
use super::journal_reader::JournalReader;
use super::{Connection, OptionalExtension, Params, Result, Row, conduct, unreadable};
use tilewire_store::codec::{decode_result, encode_result};
use tilewire_store::{
    Arrival, Chapter, ConductRow, CountedSeats, Cursor, CurvePoint, Ending, Endings, NewResult,
    NewWait, RatingChange, RatingRow, SeatOutcome, StoreError, StoredResult, reason_name,
};

/// A chapter, encoded as far as it can be without the database.
#[derive(Debug)]
pub struct ChapterRows {
    /// The cursor from which it was computed.
    pub after: Cursor,
    /// The new place in the journal.
    pub until: Arrival,
    /// The results, and their encoded form.
    pub results: Vec<(NewResult, Vec<u8>)>,
    /// The ratings that have changed.
    pub ratings: Vec<RatingRow>,
    /// The conduct of players that has changed.
    pub conduct: Vec<ConductRow>,
    waits: Vec<NewWait>,
}

impl From<Chapter> for ChapterRows {
    fn from(chapter: Chapter) -> Self {
        let results = chapter.results.into_iter().map(|new| {
            let bytes = encode_result(&new.result);
            (new, bytes)
        });
        Self {
            after: chapter.after,
            until: chapter.until,
            results: results.collect(),
            ratings: chapter.ratings,
            conduct: chapter.conduct,
            waits: chapter.waits,
        }
    }
}

/// Reads the games that ended behind a place, and up to another one.
pub(super) fn endings(
    db: &Connection,
    (after, last): (Arrival, Arrival),
    rows: usize,
    games: usize,
) -> std::result::Result<Endings, StoreError> {
    let read = || -> Result<Endings> {
        let mut query = db.prepare_cached(
            "SELECT records.arrival, records.game,
             games.head = records.seq AND games.finished_at IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM results WHERE results.game = records.game)
             FROM records JOIN games ON games.game = records.game
             WHERE records.arrival > ?1 AND records.arrival <= ?3 ORDER BY records.arrival LIMIT ?2",
        )?;
        let mut found = query.query((after.0, rows, last.0))?;
        let mut endings = Endings {
            games: Vec::new(),
            until: after,
            is_end: false,
        };
        let mut seen = 0;
        while let Some(row) = found.next()? {
            seen += 1;
            endings.until = Arrival(row.get(0)?);
            if row.get(2)? {
                endings.games.push(Ending {
                    arrival: endings.until,
                    game: GameId(row.get(1)?),
                });
            }
            if endings.games.len() >= games {
                return Ok(endings);
            }
        }
        endings.is_end = seen < rows;
        Ok(endings)
    };
    read().map_err(StoreError::from)
}

/// Stores a chapter.
pub(super) fn write(db: &Connection, chapter: &ChapterRows) -> Result<Done> {
    // The refusal comes before the first write: the transaction belongs to other changes too.
    let is_current = conduct::is_current(db, &chapter.conduct)?;
    if !is_current || !JournalReader::Results.advance(db, chapter.after, chapter.until)? {
        return Ok(Done::Stale);
    }
    let last: Option<u64> = db
        .prepare_cached("SELECT max(number) FROM results")?
        .query_row((), |row| row.get(0))?;
    for ((new, bytes), number) in chapter.results.iter().zip(last.unwrap_or(0) + 1..) {
        insert(db, number, new, bytes)?;
    }
    for row in &chapter.ratings {
        put_rating(db, row)?;
    }
    conduct::write(db, &chapter.conduct, &chapter.waits)?;
    Ok(Done::Stored)
}

fn insert(db: &Connection, number: u64, new: &NewResult, bytes: &[u8]) -> Result<()> {
    let result = &new.result;
    let pool = result.rated_game().map(|game| game.pool.to_string());
    db.prepare_cached(
        "INSERT INTO results (number, game, ended_at, rule_set, lexicon, pool, reason, is_private, result)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute((
        number,
        &result.game,
        result.ended_at.0,
        &result.rule_set,
        &result.lexicon,
        &pool,
        reason_name(result.reason),
        i64::from(new.is_private),
        bytes,
    ))?;
    let mut insert = db.prepare_cached(
        "INSERT INTO result_seats (number, identity, ended_at, pool, outcome, final_score, is_counted, turns, turn_points)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (number, identity) DO NOTHING", // an identity with several seats has the first one
    )?;
    for seat in &result.seats {
        insert.execute((
            number,
            &seat.identity,
            result.ended_at.0,
            &pool,
            SeatOutcome::of(result, seat).name(),
            seat.final_score,
            i64::from(seat.is_counted),
            seat.figures.turns,
            seat.figures.turn_points,
        ))?;
    }
    put_changes(db, number, &new.changes)
}

/// Stores how a game changed the ratings of its players.
pub(super) fn put_changes(db: &Connection, number: u64, changes: &[RatingChange]) -> Result<()> {
    let mut update = db.prepare_cached(
        "UPDATE result_seats SET rating_before = ?3, rating_after = ?4, rating_deviation = ?5
         WHERE number = ?1 AND identity = ?2",
    )?;
    for change in changes {
        let (before, after) = (change.before, change.after);
        update.execute((number, &change.identity, before, after, change.deviation))?;
    }
    Ok(())
}

/// Stores the rating of a player.
pub(super) fn put_rating(db: &Connection, row: &RatingRow) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO ratings (pool, identity, games, last_game_at, rating) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (pool, identity) DO UPDATE SET games = excluded.games,
         last_game_at = excluded.last_game_at, rating = excluded.rating",
    )?
    .execute((
        row.pool.to_string(),
        &row.identity,
        row.rating.games(),
        row.rating.last_game_at().0,
        row.rating.encode(),
    ))?;
    Ok(())
}

/// Reads the ratings of players.
pub(super) fn ratings(
    db: &Connection,
    keys: &[(Pool, String)],
) -> std::result::Result<Vec<Option<PlayerRating>>, StoreError> {
    let read = || -> Result<Vec<Option<PlayerRating>>> {
        let mut query =
            db.prepare_cached("SELECT rating FROM ratings WHERE pool = ?1 AND identity = ?2")?;
        let found = keys.iter().map(|(pool, identity)| {
            query
                .query_row((pool.to_string(), identity), |row| rating(row, 0))
                .optional()
        });
        found.collect()
    };
    read().map_err(StoreError::from)
}

/// Reads ratings in the order of their keys.
pub(super) fn ratings_after(
    db: &Connection,
    after: Option<&(Pool, String)>,
    limit: usize,
) -> std::result::Result<Vec<RatingRow>, StoreError> {
    let (pool, identity) = match after {
        Some((pool, identity)) => (pool.to_string(), identity.as_str()),
        None => (String::new(), ""), // before every key
    };
    let query = "SELECT pool, identity, rating FROM ratings WHERE (pool, identity) > (?1, ?2)
         ORDER BY pool, identity LIMIT ?3";
    rows_of(db, query, (pool, identity, limit))
}

/// Reads the ratings of a player.
pub(super) fn ratings_of(
    db: &Connection,
    identity: &str,
) -> std::result::Result<Vec<RatingRow>, StoreError> {
    let query = "SELECT pool, identity, rating FROM ratings WHERE identity = ?1 ORDER BY pool";
    rows_of(db, query, [identity])
}

fn rows_of(
    db: &Connection,
    query: &str,
    values: impl Params,
) -> std::result::Result<Vec<RatingRow>, StoreError> {
    let read = || -> Result<Vec<RatingRow>> {
        let rows = |row: &Row<'_>| {
            Ok(RatingRow {
                pool: pool(row, 0)?,
                identity: row.get(1)?,
                rating: rating(row, 2)?,
            })
        };
        db.prepare_cached(query)?.query_map(values, rows)?.collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the end of a rating curve.
pub(super) fn curve(
    db: &Connection,
    identity: &str,
    pool: &Pool,
    limit: usize,
) -> std::result::Result<Vec<CurvePoint>, StoreError> {
    let read = || -> Result<Vec<CurvePoint>> {
        let point = |row: &Row<'_>| {
            Ok(CurvePoint {
                at: Timestamp(row.get(0)?),
                rating: row.get(1)?,
                deviation: row.get(2)?,
            })
        };
        db.prepare_cached(
            "SELECT ended_at, rating_after, rating_deviation FROM result_seats
             WHERE identity = ?1 AND pool = ?2 AND rating_after IS NOT NULL
             ORDER BY number DESC LIMIT ?3",
        )?
        .query_map((identity, pool.to_string(), limit), point)?
        .collect()
    };
    let mut points = read().map_err(StoreError::from)?;
    points.reverse();
    Ok(points)
}

/// Reads the counted seats of rated games behind a number.
pub(super) fn counted_seats(
    db: &Connection,
    after: u64,
    results: u64,
) -> std::result::Result<CountedSeats, StoreError> {
    let read = || -> Result<CountedSeats> {
        let last: u64 = db
            .prepare_cached("SELECT coalesce(max(number), 0) FROM results")?
            .query_row((), |row| row.get(0))?;
        let until = last.min(after.saturating_add(results)).max(after);
        let mut query = db.prepare_cached(
            "SELECT pool, identity, ended_at, turns, turn_points FROM result_seats
             WHERE number > ?1 AND number <= ?2 AND pool IS NOT NULL AND is_counted = 1",
        )?;
        let mut found = query.query((after, until))?;
        let mut pools: HashMap<String, (Pool, Vec<CountedSeat>)> = HashMap::new();
        while let Some(row) = found.next()? {
            let seat = CountedSeat {
                player: row.get(1)?,
                ended_at: Timestamp(row.get(2)?),
                turns: row.get(3)?,
                points: row.get(4)?,
            };
            let name = row.get_ref(0)?.as_str()?;
            match pools.get_mut(name) {
                Some((_, seats)) => seats.push(seat),
                None => {
                    let entry = (pool(&row, 0)?, vec![seat]);
                    pools.insert(name.to_owned(), entry);
                }
            }
        }
        Ok(CountedSeats {
            pools: pools.into_values().collect(),
            until,
            is_end: until >= last,
        })
    };
    read().map_err(StoreError::from)
}

/// Reads the result of a game.
pub(super) fn result(
    db: &Connection,
    game: &GameId,
) -> std::result::Result<Option<StoredResult>, StoreError> {
    let read = || -> Result<Option<StoredResult>> {
        let found = db
            .prepare_cached("SELECT number, is_private, result FROM results WHERE game = ?1")?
            .query_row([game.as_str()], stored)
            .optional()?;
        found.map(|found| with_changes(db, found)).transpose()
    };
    read().map_err(StoreError::from)
}

/// Returns a result of a row with its number, whether it is private, and its content.
pub(super) fn stored(row: &Row<'_>) -> Result<StoredResult> {
    let bytes = row.get_ref(2)?.as_blob()?;
    let result = decode_result(bytes).map_err(unreadable)?;
    Ok(StoredResult {
        number: row.get(0)?,
        result,
        is_private: row.get(1)?,
        changes: Vec::new(),
    })
}

/// Adds the changes of ratings, in seat order.
pub(super) fn with_changes(db: &Connection, mut stored: StoredResult) -> Result<StoredResult> {
    if stored.result.rated_game().is_none() {
        return Ok(stored);
    }
    let change = |row: &Row<'_>| {
        Ok(RatingChange {
            identity: row.get(0)?,
            before: row.get(1)?,
            after: row.get(2)?,
            deviation: row.get(3)?,
        })
    };
    let mut changes: Vec<RatingChange> = db
        .prepare_cached(
            "SELECT identity, rating_before, rating_after, rating_deviation FROM result_seats
             WHERE number = ?1 AND rating_after IS NOT NULL",
        )?
        .query_map([stored.number], change)?
        .collect::<Result<_>>()?;
    let seats = &stored.result.seats;
    changes.sort_by_key(|change| {
        seats
            .iter()
            .position(|seat| seat.identity == change.identity)
    });
    stored.changes = changes;
    Ok(stored)
}

fn pool(row: &Row<'_>, column: usize) -> Result<Pool> {
    Pool::try_from(row.get::<_, String>(column)?).map_err(unreadable)
}

fn rating(row: &Row<'_>, column: usize) -> Result<PlayerRating> {
    PlayerRating::decode(row.get_ref(column)?.as_blob()?).map_err(unreadable)
}
