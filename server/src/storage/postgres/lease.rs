//! The lease: the row of a server in `nodes`. Each writing transaction proves that the row is still its own.
//!
//! Each connection of the writer has an incarnation of its own, a random number. A new connection replaces the number first.
//! From then on, nothing that the lost connection has sent can be stored: it waits for the row, finds another number, and
//! stores nothing; or it had the row before, and then the replacement waits until it is stored. So the first read after the
//! replacement is final.

use super::PostgresError;
use super::session::Session;
use crate::ids::Ids;
use crate::storage::Shard;

/// The number of the only server.
pub(super) const NODE: i32 = 0;
/// The form of records that this version reads and writes.
const READS_FORM: i32 = 3;
/// The class of the lock that says that a server uses the database.
const IN_USE: i32 = 0x7469_6c65;

/// What a server proves.
#[derive(Debug)]
pub(super) struct Lease {
    /// The incarnation. Several, while it is unknown whether the last replacement took effect.
    incarnations: Vec<i64>,
    /// The terms of the shards.
    terms: Vec<i64>,
}

impl Lease {
    /// Fails while a server uses the database.
    pub(super) fn refuse_use(session: &Session) -> Result<(), PostgresError> {
        let is_free = session.row("SELECT pg_try_advisory_lock($1, $2)", &[&IN_USE, &NODE])?;
        if is_free.try_get::<_, bool>(0)? {
            return Ok(());
        }
        Err(PostgresError::InUse(session.place().to_owned()))
    }

    /// Takes the lease from the server before this one.
    pub(super) fn take(session: &Session) -> Result<Self, PostgresError> {
        let fresh = fresh();
        Self::refuse_use(session)?;
        session.batch("BEGIN")?;
        session.rows(
            "INSERT INTO nodes (node, incarnation, state, version, reads_form, seen, renewed, well_since)
             VALUES ($1, $2, 'up', $3, $4, clock_timestamp(), clock_timestamp(), clock_timestamp())
             ON CONFLICT (node) DO UPDATE SET incarnation = excluded.incarnation, state = excluded.state,
             version = excluded.version, reads_form = excluded.reads_form, seen = excluded.seen,
             renewed = excluded.renewed, well_since = excluded.well_since",
            &[&NODE, &fresh, &env!("CARGO_PKG_VERSION"), &READS_FORM],
        )?;
        session.rows(
            "UPDATE shards SET owner = $1, term = term + 1, orphaned_at = NULL WHERE owner IS DISTINCT FROM $1",
            &[&NODE],
        )?;
        let rows = session.rows(
            "SELECT term FROM shards WHERE shard >= 0 ORDER BY shard",
            &[],
        )?;
        let terms = rows.iter().map(|row| row.try_get(0));
        let terms = terms.collect::<Result<Vec<i64>, _>>()?;
        session.batch("COMMIT")?;
        Ok(Self {
            incarnations: vec![fresh],
            terms,
        })
    }

    /// Replaces the incarnation, so that nothing sent before can be stored after this. `false` if the lease belongs to
    /// another server.
    pub(super) fn replace(&mut self, session: &Session) -> Result<bool, PostgresError> {
        let fresh = fresh();
        let mine = self.incarnations.clone();
        self.incarnations.push(fresh);
        let replaced = session.rows(
            "UPDATE nodes SET incarnation = $2, seen = clock_timestamp()
             WHERE node = $1 AND incarnation = ANY($3) AND state <> 'fenced' RETURNING node",
            &[&NODE, &fresh, &mine],
        );
        if let Err(PostgresError::Refused { .. }) = &replaced {
            self.incarnations = mine; // it certainly had no effect
        }
        let replaced = replaced?;
        if replaced.is_empty() {
            return Ok(false);
        }
        self.incarnations = vec![fresh];
        // The server before may still hold it, until the database notices that it is gone.
        session.rows("SELECT pg_try_advisory_lock($1, $2)", &[&IN_USE, &NODE])?;
        Ok(true)
    }

    /// The incarnation of the connection.
    pub(super) fn incarnation(&self) -> i64 {
        self.incarnations.last().copied().unwrap_or_default()
    }

    /// The term of a shard.
    pub(super) fn term(&self, Shard(shard): Shard) -> i64 {
        self.terms
            .get(usize::from(shard))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the end of a transaction that changes games of these shards: the proof and the commit go together.
    pub(super) fn commit(&self, shards: &[Shard]) -> String {
        let list = |numbers: Vec<String>| numbers.join(",");
        let terms = list(
            shards
                .iter()
                .map(|shard| self.term(*shard).to_string())
                .collect(),
        );
        let shards = list(shards.iter().map(|shard| shard.0.to_string()).collect());
        format!(
            "SELECT prove_lease({NODE}, {}, '{{{shards}}}', '{{{terms}}}'); COMMIT",
            self.incarnation()
        )
    }
}

/// Returns a number that no other connection has.
pub(super) fn fresh() -> i64 {
    i64::from_be_bytes(Ids::system().bytes::<8>()) & i64::MAX
}
