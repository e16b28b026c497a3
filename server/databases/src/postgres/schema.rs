//! The tables in PostgreSQL: those of the steps, and those that only several servers need.

use tilewire_sql::postgres::dialect;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::session::{Session, WRITERS};
use tilewire_sql::steps::STEPS;

/// The version that this program uses.
pub(super) const CURRENT: usize = STEPS.len();

/// The part of the schema that only PostgreSQL has: the version of the schema, the servers with their shards, and a function of
/// SQLite.
///
/// `prove_lease` renews the lease of a server in the transaction that calls it, and fails if another server has it, or has a
/// shard that is written. It runs with the commit: from then on nobody can take the lease until the transaction has ended.
/// `prove_keeper` does so for the connection that asks for changes of the cluster.
const OWN: &str = "
CREATE TABLE tilewire_schema (only_row INT PRIMARY KEY CHECK (only_row = 1), version BIGINT NOT NULL);
INSERT INTO tilewire_schema (only_row, version) VALUES (1, 0);
CREATE TABLE nodes (node INT PRIMARY KEY, incarnation BIGINT NOT NULL, state TEXT NOT NULL, version TEXT NOT NULL,
    reads_form INT NOT NULL, seen TIMESTAMPTZ NOT NULL, renewed TIMESTAMPTZ NOT NULL,
    well_since TIMESTAMPTZ NOT NULL, keeper BIGINT NOT NULL DEFAULT 0, offers TEXT[] NOT NULL DEFAULT '{}');
CREATE TABLE shards (shard SMALLINT PRIMARY KEY, owner INT, term BIGINT NOT NULL, orphaned_at TIMESTAMPTZ,
    still_ms BIGINT NOT NULL DEFAULT 0);
INSERT INTO shards (shard, owner, term) SELECT shard, NULL, 0 FROM generate_series(-1, 255) AS all_shards (shard);
CREATE FUNCTION instr(text, text) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT strpos($1, $2)';
CREATE FUNCTION instr(bytea, bytea) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT position($2 IN $1)';
CREATE FUNCTION prove_lease(of_node int, of_incarnation bigint, of_shards smallint[], of_terms bigint[]) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE nodes SET seen = clock_timestamp()
        WHERE node = of_node AND incarnation = of_incarnation AND state <> 'fenced';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server has the lease' USING ERRCODE = 'TW001';
    END IF;
    IF EXISTS (
        SELECT 1 FROM unnest(of_shards, of_terms) AS mine (shard, term)
        WHERE NOT EXISTS (SELECT 1 FROM shards
            WHERE shards.shard = mine.shard AND shards.owner = of_node AND shards.term = mine.term))
    THEN
        RAISE EXCEPTION 'another server has the shard' USING ERRCODE = 'TW002';
    END IF;
END $body$;
CREATE FUNCTION prove_keeper(of_node int, of_keeper bigint) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE nodes SET seen = clock_timestamp() WHERE node = of_node AND keeper = of_keeper AND state <> 'fenced';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server has the lease' USING ERRCODE = 'TW001';
    END IF;
END $body$;
";

/// The changes of the cluster.
const CLUSTER: &str = include_str!("cluster.sql");

/// Returns the version of the schema; `None` without tables.
pub(super) fn version(session: &Session) -> Result<Option<usize>, PostgresError> {
    let is_there = session.row("SELECT to_regclass('tilewire_schema') IS NOT NULL", &[])?;
    if !is_there.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    let row = session.row("SELECT version FROM tilewire_schema", &[])?;
    let version: i64 = row.try_get(0)?;
    Ok(Some(usize::try_from(version).unwrap_or(usize::MAX)))
}

/// Refuses a database that does not have the tables of this version.
pub(super) fn refuse_other(session: &Session) -> Result<(), PostgresError> {
    match version(session)? {
        Some(found) if found == CURRENT => Ok(()),
        Some(found) => Err(PostgresError::OtherSchema {
            place: session.place().to_owned(),
            found,
            known: CURRENT,
        }),
        None => Err(PostgresError::NoTables(session.place().to_owned())),
    }
}

/// Makes the tables, or brings them up to date, within the transaction that is open; returns the version before.
pub(super) fn migrate_within(session: &Session) -> Result<usize, PostgresError> {
    let found = version(session)?;
    if found.is_some_and(|found| found > CURRENT) {
        refuse_other(session)?;
    }
    if found.is_none() {
        session.batch(OWN)?;
        session.batch(CLUSTER)?;
    }
    let before = found.unwrap_or(0);
    for step in STEPS.iter().skip(before) {
        for statement in dialect::step(step) {
            session.batch(&statement)?;
        }
    }
    session.batch(&format!("UPDATE tilewire_schema SET version = {CURRENT}"))?;
    Ok(before)
}

/// Makes the tables, or brings them up to date; returns the version before.
pub(super) fn migrate(session: &Session) -> Result<usize, PostgresError> {
    session.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({WRITERS})"))?;
    let before = migrate_within(session)?;
    session.batch("COMMIT")?;
    Ok(before)
}
