//! The lease: the row of a server in `nodes`. Each writing transaction proves that the row is still its own.
//!
//! The connection that writes has a number of its own in the row, a random one: the incarnation. A server among several has a
//! second connection, its keeper, which asks for changes of the cluster and has another number. A new connection replaces its
//! number first. From then on, nothing that the lost connection has sent can be stored: it waits for the row, finds another
//! number, and stores nothing; or it had the row before, and then the replacement waits until it is stored. So the first read
//! after the replacement is final.

use tilewire_base::ids::Ids;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::session::Session;
use tilewire_store::{NodeId, Part, Shard, Term};

/// The number of a server that needs the database to itself.
pub(super) const ALONE: NodeId = NodeId(0);
/// The form of records that this version reads and writes.
pub const READS_FORM: i32 = 3;
/// The class of the locks that say that a server uses the database.
const IN_USE: i32 = 0x7469_6c65;

/// Which connection of a server proves the lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prover {
    /// The one that writes games and everything else.
    Writer,
    /// The one that asks for changes of the cluster.
    Keeper,
}

impl Prover {
    /// The column of its number.
    const fn column(self) -> &'static str {
        match self {
            Self::Writer => "incarnation",
            Self::Keeper => "keeper",
        }
    }
}

/// The lease that a connection of a server proves.
#[derive(Debug)]
pub(super) struct Lease {
    node: NodeId,
    prover: Prover,
    /// The number of the connection. Several, while it is unknown whether the last replacement took effect.
    numbers: Vec<i64>,
    /// Whether the connection has a number of its own.
    is_fresh: bool,
}

/// Fails while a server uses the database.
pub(super) fn refuse_use(session: &Session) -> Result<(), PostgresError> {
    match hold_use(session, ALONE)? {
        true => Ok(()),
        false => Err(PostgresError::InUse(session.place().to_owned())),
    }
}

/// Locks the database for a server until the connection ends. A server that is alone locks the whole database; a cluster server
/// locks its number.
fn hold_use(session: &Session, node: NodeId) -> Result<bool, PostgresError> {
    let (alone, node_id) = (ALONE.0, node.0);
    let is_free = match node {
        ALONE => session.row("SELECT pg_try_advisory_lock($1, $2)", &[&IN_USE, &alone])?,
        _ => session.row(
            "SELECT pg_try_advisory_lock_shared($1, $2) AND pg_try_advisory_lock($1, $3)",
            &[&IN_USE, &alone, &node_id],
        )?,
    };
    Ok(is_free.try_get(0)?)
}

/// Takes the database for a server among several. From then on, one that was alone with it stores nothing more.
pub(super) fn use_as(session: &Session, node: NodeId) -> Result<(), PostgresError> {
    if !hold_use(session, node)? {
        return Err(PostgresError::NumberInUse {
            place: session.place().to_owned(),
            node,
        });
    }
    let end_of_alone =
        "UPDATE nodes SET state = 'fenced' WHERE node = $1 AND state <> 'fenced' RETURNING node";
    session.rows(end_of_alone, &[&ALONE.0])?;
    Ok(())
}

impl Lease {
    /// The lease of a connection whose number is in the row.
    pub(super) fn of(node: NodeId, prover: Prover, number: i64) -> Self {
        Self {
            node,
            prover,
            numbers: vec![number],
            is_fresh: true,
        }
    }

    /// Takes the database for a server that has it for itself: from the server before this one, and from all others. Returns
    /// the terms of the shards too.
    pub(super) fn take_all(session: &Session) -> Result<(Self, Vec<(Shard, Term)>), PostgresError> {
        let fresh = fresh();
        refuse_use(session)?;
        session.batch("BEGIN")?;
        session.rows(
            "INSERT INTO nodes (node, incarnation, state, version, reads_form, seen, renewed, well_since)
             VALUES ($1, $2, 'up', $3, $4, clock_timestamp(), clock_timestamp(), clock_timestamp())
             ON CONFLICT (node) DO UPDATE SET incarnation = excluded.incarnation, state = excluded.state,
             version = excluded.version, reads_form = excluded.reads_form, seen = excluded.seen,
             renewed = excluded.renewed, well_since = excluded.well_since",
            &[&ALONE.0, &fresh, &env!("CARGO_PKG_VERSION"), &READS_FORM],
        )?;
        session.rows(
            "UPDATE nodes SET state = 'fenced' WHERE node <> $1 RETURNING node",
            &[&ALONE.0],
        )?;
        session.rows(
            "UPDATE shards SET owner = $1, term = term + 1, orphaned_at = NULL WHERE owner IS DISTINCT FROM $1",
            &[&ALONE.0],
        )?;
        let rows = session.rows("SELECT shard, term FROM shards WHERE shard >= 0", &[])?;
        let mut terms = Vec::with_capacity(rows.len());
        for row in rows {
            let number: i16 = row.try_get(0)?;
            if let Ok(shard) = u8::try_from(number) {
                terms.push((Shard(shard), Term(row.try_get(1)?)));
            }
        }
        session.batch("COMMIT")?;
        Ok((Self::of(ALONE, Prover::Writer, fresh), terms))
    }

    /// Notes that the connection is lost: something that it has sent may be stored until the number is replaced.
    pub(super) const fn lose(&mut self) {
        self.is_fresh = false;
    }

    /// Says whether the connection has a number of its own.
    pub(super) const fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Replaces the number, so that nothing sent before can be stored after this. `false` if the lease belongs to another
    /// server, or was taken.
    pub(super) fn replace(&mut self, session: &Session) -> Result<bool, PostgresError> {
        let fresh = fresh();
        let mine = self.numbers.clone();
        self.numbers.push(fresh);
        let column = self.prover.column();
        let replaced = session.rows(
            &format!(
                "UPDATE nodes SET {column} = $2, seen = clock_timestamp()
                 WHERE node = $1 AND {column} = ANY($3) AND state <> 'fenced' RETURNING node"
            ),
            &[&self.node.0, &fresh, &mine],
        );
        if let Err(PostgresError::Refused { .. }) = &replaced {
            self.numbers = mine; // it certainly had no effect
        }
        if replaced?.is_empty() {
            return Ok(false);
        }
        self.numbers = vec![fresh];
        self.is_fresh = true;
        if self.prover == Prover::Writer {
            // The lost connection may still hold it, until the database notices that it is gone.
            hold_use(session, self.node)?;
        }
        Ok(true)
    }

    /// The server.
    pub(super) const fn node(&self) -> NodeId {
        self.node
    }

    /// The number of the connection.
    pub(super) fn number(&self) -> i64 {
        self.numbers.last().copied().unwrap_or_default()
    }

    /// Returns the end of a transaction that changes games because the server owns these parts: the proof and the commit go together. `is_alive`
    /// says that the transaction shows that all games of the server are played.
    pub(super) fn commit(&self, parts: &[(Part, Term)], is_alive: bool) -> String {
        let node = self.node.0;
        let list = |numbers: Vec<String>| numbers.join(",");
        let terms = list(parts.iter().map(|(_, term)| term.0.to_string()).collect());
        let numbers = list(
            parts
                .iter()
                .map(|(part, _)| part.number().to_string())
                .collect(),
        );
        // The keeper does it for a server among several.
        let renewal = match (self.node, is_alive) {
            (ALONE, true) => "UPDATE nodes SET renewed = clock_timestamp() WHERE node = 0; ",
            _ => "",
        };
        format!(
            "{renewal}SELECT prove_lease({node}, {}, '{{{numbers}}}', '{{{terms}}}'); COMMIT",
            self.number()
        )
    }
}

/// Returns a number that no other connection has.
pub(super) fn fresh() -> i64 {
    i64::from_be_bytes(Ids::system().bytes::<8>()) & i64::MAX
}
