//! The tables of the cluster in PostgreSQL. The statements are functions of the schema (`cluster.sql`).

use std::cell::RefCell;
use std::sync::Arc;

use super::lease::{Lease, Prover, fresh};
use super::schema;
use tilewire_config::StorageConfig;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::server::Server;
use tilewire_sql::postgres::session::Session;
use tilewire_store::{
    ClusterChange, ClusterDone, ClusterError, ClusterView, DatabaseTime, Give, Incarnation,
    LastRenewal, NodeId, NodeRow, NodeState, Part, PartRow, Release, Term,
};

/// The nodes, for [`ClusterView`], as a node sees them: one that lacks a lexicon or a rule set of it reads none of its games, so
/// it gets none.
const NODES: &str = "SELECT node, incarnation, state, version,
    CASE WHEN offers @> coalesce((SELECT offers FROM nodes WHERE node = $1), '{}') THEN reads_form ELSE 0 END,
    ms_of(seen), ms_of(well_since) FROM nodes ORDER BY node";
/// The lexica and rule sets that other live nodes offer and this one lacks.
const LACKS: &str = "SELECT DISTINCT name FROM nodes, unnest(offers) AS name
    WHERE node <> $1 AND state <> 'fenced' AND abs(ms_of(clock_timestamp()) - ms_of(seen)) < $2 AND name <> ALL ($3)
    ORDER BY name";
/// Sees all nodes as they are.
const NOBODY: NodeId = NodeId(-1);
/// The parts, and the moment.
const PARTS: &str = "SELECT shard, owner, term, ms_of(orphaned_at), ms_of(clock_timestamp()) FROM shards ORDER BY shard";

/// A connection to the tables of the cluster: it reads them, and makes changes for nodes. A lost one is opened anew.
pub struct ClusterTables {
    session: Session,
}

/// A life of a node that has joined.
#[derive(Debug)]
pub struct Joined {
    /// The node.
    pub node: NodeId,
    /// Its life.
    pub incarnation: Incarnation,
    /// The time to live of leases, ms.
    pub lease_ms: i64,
    /// The lease that the connection of the tables proves.
    keeper: RefCell<Lease>,
}

/// Gives a part away, by the connection that writes the games. Returns whether it is given.
pub(super) fn give(
    session: &Session,
    (node, incarnation): (NodeId, i64),
    give: &Give,
) -> Result<bool, PostgresError> {
    let given = session.row(
        "SELECT cluster_give($1, $2, $3, $4, $5, $6, $7)",
        &[
            &node.0,
            &incarnation,
            &give.part.number(),
            &give.term.0,
            &give.to.0,
            &give.since.0,
            &give.lease_ms,
        ],
    )?;
    Ok(given.try_get(0)?)
}

impl std::fmt::Debug for ClusterTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClusterTables").finish_non_exhaustive()
    }
}

impl ClusterTables {
    /// Opens the tables.
    ///
    /// # Errors
    /// When there is no database of this version.
    pub fn open(config: &StorageConfig) -> Result<Self, OpenError> {
        let session = Session::open(Arc::new(Server::of(config)?))?;
        schema::refuse_other(&session)?;
        Ok(Self { session })
    }

    /// Reads both tables.
    ///
    /// # Errors
    /// When the database does not answer.
    pub fn view(&self) -> Result<ClusterView, PostgresError> {
        self.view_of(NOBODY)
    }

    /// Reads both tables as a node sees them.
    fn view_of(&self, node: NodeId) -> Result<ClusterView, PostgresError> {
        let rows = self.session.rows(NODES, &[&node.0])?;
        let nodes: Result<Vec<NodeRow>, _> = rows.iter().map(node_row).collect();
        let rows = self.session.rows(PARTS, &[])?;
        let now = rows.first().map(|row| row.try_get(4)).transpose()?;
        let parts: Result<Vec<PartRow>, _> = rows.iter().map(part_row).collect();
        Ok(ClusterView {
            now: DatabaseTime(now.unwrap_or_default()),
            nodes: nodes?,
            parts: parts?,
        })
    }

    /// Returns the lexica and rule sets of the other nodes that are not among `offers`.
    ///
    /// # Errors
    /// When the database does not answer.
    pub fn lacks(
        &self,
        node: NodeId,
        offers: &[String],
        lease_ms: i64,
    ) -> Result<Vec<String>, PostgresError> {
        let rows = self.session.rows(LACKS, &[&node.0, &lease_ms, &offers])?;
        let names = rows.iter().map(|row| row.try_get(0));
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// Begins a new life of a node. Its parts of the life before have no owner from now on.
    ///
    /// # Errors
    /// When the database does not answer.
    pub fn join(
        &self,
        node: NodeId,
        (version, reads_form, offers): (&str, i32, &[String]),
        lease_ms: i64,
    ) -> Result<Joined, PostgresError> {
        let (incarnation, keeper) = (fresh(), fresh());
        self.session.rows(
            "SELECT cluster_join($1, $2, $3, $4, $5, $6)",
            &[
                &node.0,
                &incarnation,
                &keeper,
                &version,
                &reads_form,
                &offers,
            ],
        )?;
        Ok(Joined {
            node,
            incarnation: Incarnation(incarnation),
            lease_ms,
            keeper: RefCell::new(Lease::of(node, Prover::Keeper, keeper)),
        })
    }

    /// Makes a change. [`ClusterChange::Give`] is asked here only by a node that writes no games: see [`Give`].
    ///
    /// # Errors
    /// When the lease is lost, or the database does not answer.
    pub fn change(
        &self,
        joined: &Joined,
        change: &ClusterChange,
    ) -> Result<ClusterDone, ClusterError> {
        let made = match self.make_ready(joined) {
            Ok(true) => self.make(joined, change),
            Ok(false) => return Err(ClusterError::Fenced),
            Err(error) => Err(error),
        };
        made.map_err(|error| {
            if error.is_fenced() {
                return ClusterError::Fenced;
            }
            if error.is_lost() {
                joined.keeper.borrow_mut().lose();
            }
            tracing::warn!(%error, "a change of the cluster was not made");
            ClusterError::NoAnswer
        })
    }

    /// Makes sure that there is a connection, and that nothing of a lost one takes effect any more. `false` if the lease is
    /// lost.
    fn make_ready(&self, joined: &Joined) -> Result<bool, PostgresError> {
        let mut keeper = joined.keeper.borrow_mut();
        if !self.session.is_open() {
            keeper.lose();
            self.session.connect()?;
        }
        match keeper.is_fresh() {
            true => Ok(true),
            false => keeper.replace(&self.session),
        }
    }

    fn make(&self, joined: &Joined, change: &ClusterChange) -> Result<ClusterDone, PostgresError> {
        let db = &self.session;
        let (node, keeper) = (&joined.node.0, &joined.keeper.borrow().number());
        Ok(match change {
            ClusterChange::Renew { is_draining, last } => self
                .renew(joined, *is_draining, *last)
                .map(ClusterDone::Renewed)?,
            ClusterChange::Fence { nodes, after } => {
                self.fence(joined, nodes, *after).map(ClusterDone::Fenced)?
            }
            ClusterChange::Take(parts) => {
                let (numbers, terms) = columns(parts);
                let taken = db.rows(
                    "SELECT taken, $1::int, new_term, since_ms FROM cluster_take($1, $2, $3, $4)",
                    &[node, keeper, &numbers, &terms],
                )?;
                let taken = taken.iter().map(part_row);
                ClusterDone::Taken(taken.collect::<Result<_, _>>()?)
            }
            ClusterChange::Give {
                part,
                term,
                to,
                since,
            } => {
                let asked = Give::new((*part, *term), *to, *since, joined.lease_ms);
                let by = (joined.node, joined.incarnation.0);
                ClusterDone::Given(give(db, by, &asked)?)
            }
            ClusterChange::Settle(parts) => {
                let (numbers, terms) = columns(parts);
                db.rows(
                    "SELECT cluster_settle($1, $2, $3, $4)",
                    &[node, keeper, &numbers, &terms],
                )?;
                ClusterDone::Settled
            }
            ClusterChange::Leave(since) => {
                let leave = "SELECT cluster_leave($1, $2, $3)";
                db.rows(leave, &[node, keeper, &since.0])?;
                ClusterDone::Left
            }
        })
    }

    fn renew(
        &self,
        joined: &Joined,
        is_draining: bool,
        last: LastRenewal,
    ) -> Result<ClusterView, PostgresError> {
        let (last_ms, is_lost) = match last {
            LastRenewal::None => (None, false),
            LastRenewal::At(at) => (Some(at.0), false),
            LastRenewal::LostSince(at) => (Some(at.0), true),
        };
        let (node, keeper) = (&joined.node.0, &joined.keeper.borrow().number());
        let renewed = self.session.row(
            "SELECT cluster_renew($1, $2, $3, $4, $5, $6)",
            &[
                node,
                keeper,
                &is_draining,
                &last_ms,
                &is_lost,
                &joined.lease_ms,
            ],
        )?;
        let now = DatabaseTime(renewed.try_get(0)?);
        Ok(ClusterView {
            now,
            ..self.view_of(joined.node)?
        })
    }

    fn fence(
        &self,
        joined: &Joined,
        nodes: &[(NodeId, Incarnation)],
        after: DatabaseTime,
    ) -> Result<Vec<NodeId>, PostgresError> {
        let numbers: Vec<i32> = nodes.iter().map(|(node, _)| node.0).collect();
        let lives: Vec<i64> = nodes.iter().map(|(_, life)| life.0).collect();
        let (node, keeper) = (&joined.node.0, &joined.keeper.borrow().number());
        let fenced = self.session.rows(
            "SELECT cluster_fence($1, $2, $3, $4, $5, $6)",
            &[node, keeper, &numbers, &lives, &after.0, &joined.lease_ms],
        )?;
        let fenced = fenced.iter().map(|row| row.try_get(0).map(NodeId));
        Ok(fenced.collect::<Result<_, _>>()?)
    }
}

fn columns(parts: &[(Part, Term)]) -> (Vec<i16>, Vec<i64>) {
    parts
        .iter()
        .map(|(part, term)| (part.number(), term.0))
        .unzip()
}

/// Returns the error for a row that a newer program may have written.
fn unreadable(what: &str) -> PostgresError {
    PostgresError::Settings(format!("the tables of the cluster have an unknown {what}"))
}

fn node_row(row: &tokio_postgres::Row) -> Result<NodeRow, PostgresError> {
    let (state, version): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    Ok(NodeRow {
        node: NodeId(row.try_get(0)?),
        incarnation: Incarnation(row.try_get(1)?),
        state: state
            .parse::<NodeState>()
            .map_err(|()| unreadable("state"))?,
        release: version
            .parse::<Release>()
            .map_err(|_| unreadable("version"))?,
        reads_form: row.try_get(4)?,
        seen: DatabaseTime(row.try_get(5)?),
        well_since: DatabaseTime(row.try_get(6)?),
    })
}

fn part_row(row: &tokio_postgres::Row) -> Result<PartRow, PostgresError> {
    Ok(PartRow {
        part: Part::numbered(row.try_get(0)?).ok_or_else(|| unreadable("part"))?,
        owner: row.try_get::<_, Option<i32>>(1)?.map(NodeId),
        term: Term(row.try_get(2)?),
        orphaned_at: row.try_get::<_, Option<i64>>(3)?.map(DatabaseTime),
    })
}
