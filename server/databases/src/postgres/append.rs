//! The append of a group: one statement stores the records, proves that the server owns the games, and renews its lease.
//!
//! A statement that only read the lease would be no fence: the owner could change between the read and the commit. This one
//! updates the row, so a server that takes the lease waits until the records are stored, or the records are not stored.

use std::collections::HashSet;

use super::lease::Lease;
use tilewire_sql::changes::Change;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::session::Session;
use tilewire_store::{Part, RecordRow, Term};

/// It stores the records of the games that are awake, owned and end where it is expected, and returns their places in the
/// group.
pub(super) const APPEND: &str = "
WITH lease AS (UPDATE nodes SET seen = clock_timestamp()
        WHERE node = $1 AND incarnation = $2 AND state <> 'fenced' RETURNING node),
    given AS (SELECT * FROM unnest($3::text[], $4::int8[], $5::int8[], $6::bytea[], $7::int2[], $8::int8[])
        WITH ORDINALITY AS t (game, after, last, record, shard, term, place)),
    moved AS (UPDATE games SET head = given.last FROM given, lease, shards
        WHERE games.game = given.game AND games.head = given.after AND games.wakes_at IS NULL
        AND shards.shard = given.shard AND shards.owner = lease.node AND shards.term = given.term
        RETURNING given.place, given.game, given.last, given.record),
    stored AS (INSERT INTO records (game, seq, record) SELECT game, last, record FROM moved ORDER BY place)
SELECT EXISTS (SELECT 1 FROM lease), array(SELECT place FROM moved)";

/// The appends of a group that one statement can store.
#[derive(Default)]
pub(super) struct Appends<'c> {
    /// Their places in the group.
    pub(super) places: Vec<usize>,
    games: Vec<&'c str>,
    after: Vec<i64>,
    last: Vec<i64>,
    records: Vec<&'c [u8]>,
    shards: Vec<i16>,
    terms: Vec<i64>,
}

/// The outcome of the appends.
pub(super) enum Appended {
    /// Those at these places are stored. A missing one is a conflict, or its game sleeps.
    Stored(HashSet<usize>),
    /// Nothing is stored: another server has the lease.
    Fenced,
}

impl<'c> Appends<'c> {
    /// Finds them. An append behind another change of its game in the group waits for that change.
    pub(super) fn of(changes: &'c [Change]) -> Self {
        let (mut found, mut seen) = (Self::default(), HashSet::new());
        for (place, change) in changes.iter().enumerate() {
            let Some(game) = change.game() else {
                continue;
            };
            let is_first = seen.insert(game);
            if let Some((after, row)) = change.plain_append()
                && let Some(owned) = change.owned()
                && is_first
            {
                found.add(place, game.as_str(), (after, row), owned);
            }
        }
        found
    }

    fn add(
        &mut self,
        place: usize,
        game: &'c str,
        (after, row): (u64, &'c RecordRow),
        (shard, term): (Part, Term),
    ) {
        self.places.push(place);
        self.games.push(game);
        self.after.push(after.cast_signed());
        self.last.push(row.last.cast_signed());
        self.records.push(&row.bytes);
        self.shards.push(shard.number());
        self.terms.push(term.0);
    }

    /// Stores them.
    pub(super) fn store(
        &self,
        session: &Session,
        lease: &Lease,
    ) -> Result<Appended, PostgresError> {
        let row = session.row(
            APPEND,
            &[
                &lease.node().0,
                &lease.number(),
                &self.games,
                &self.after,
                &self.last,
                &self.records,
                &self.shards,
                &self.terms,
            ],
        )?;
        if !row.try_get::<_, bool>(0)? {
            return Ok(Appended::Fenced);
        }
        let ordinals: Vec<i64> = row.try_get(1)?;
        let places = ordinals
            .into_iter()
            .filter_map(|ordinal| self.places.get(usize::try_from(ordinal - 1).ok()?).copied());
        Ok(Appended::Stored(places.collect()))
    }
}
