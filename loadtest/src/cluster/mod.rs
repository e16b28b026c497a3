//! Several servers (nodes) that share the games of one database: a PostgreSQL and a nats-server that we start, and what the
//! database says about the nodes.

pub(crate) mod up;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tilewire_protocol::GameId;
use tilewire_services::nats::{Links, Nats};
use tilewire_services::postgres::{Database, Postgres};
use tokio::time::sleep;

use crate::host;
use crate::process::Usage;
use crate::server::Server;

/// The name of the database.
const DATABASE: &str = "tilewire";
/// Time until every part has a node that plays it.
const OWNED_WITHIN: Duration = Duration::from_secs(60);
/// Interval at which the database is asked for that.
const ASK_EVERY: Duration = Duration::from_millis(100);
/// The parts without a node that plays them.
const ORPHANS: &str =
    "SELECT count(*) FROM shards LEFT JOIN nodes ON node = owner AND state <> 'fenced'
    WHERE node IS NULL OR orphaned_at IS NOT NULL";

/// The services that the nodes share.
#[derive(Debug)]
pub(crate) struct Services {
    postgres: Postgres,
    database: Database,
    nats: Nats,
}

/// An unfinished game, as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredGame {
    /// The game.
    pub(crate) game: GameId,
    /// Its last event.
    pub(crate) head: u64,
}

impl Services {
    /// Starts them. With a directory, PostgreSQL keeps its data in it.
    ///
    /// # Errors
    /// When one of them is not installed or does not start.
    pub(crate) fn start(kept: Option<&Path>) -> Result<Self> {
        let postgres = Postgres::start(kept)?;
        let database = postgres.named(DATABASE)?;
        let nats = Nats::start(Links::Open)?;
        Ok(Self {
            postgres,
            database,
            nats,
        })
    }

    /// The settings of a node.
    pub(crate) fn settings(&self, node: usize) -> String {
        let (database, nats) = (&self.database.url, self.nats.url());
        format!(
            "[storage]\nurl = \"{database}\"\n[cluster]\nnode = {node}\nnats_url = \"{nats}\"\n"
        )
    }

    /// The settings of a server that does not share the database.
    pub(crate) fn settings_alone(&self) -> String {
        format!("[storage]\nurl = \"{}\"\n", self.database.url)
    }

    /// The processor time that PostgreSQL has used, and that the nats-server has used, microseconds.
    pub(crate) fn cpu_us(&self) -> [u64; 2] {
        let processes = [self.postgres.pid(), self.nats.pid()];
        processes.map(|pid| pid.map_or(0, |pid| Usage::of_descendants(pid).cpu_us))
    }

    /// The address of the nats-server.
    pub(crate) fn nats_url(&self) -> String {
        self.nats.url()
    }

    /// Waits until every part has a node that plays it.
    ///
    /// # Errors
    /// When that takes too long.
    pub(crate) async fn until_owned(&self) -> Result<()> {
        let since = host::now();
        loop {
            let orphans = self.ask(ORPHANS).await?;
            if orphans == "0" {
                return Ok(());
            }
            if since.elapsed() > OWNED_WITHIN {
                bail!(
                    "{orphans} parts have no server; `tilewire-server cluster status` lists them"
                );
            }
            sleep(ASK_EVERY).await;
        }
    }

    /// Returns the unfinished games of a node.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn held_by(&self, node: usize) -> Result<Vec<StoredGame>> {
        let of_node = format!(
            "SELECT game, head FROM games JOIN shards ON shard = get_byte(sha256(convert_to(game, 'UTF8')), 0)
             WHERE owner = {node} AND finished_at IS NULL"
        );
        let rows = self.ask(&of_node).await?;
        let held = rows.lines().filter_map(|row| {
            let (game, head) = row.split_once('|')?;
            let (game, head) = (GameId(game.to_owned()), head.parse().ok()?);
            Some(StoredGame { game, head })
        });
        Ok(held.collect())
    }

    /// Returns the node with the lobby.
    ///
    /// # Errors
    /// When no node has it.
    pub(crate) async fn lobby(&self) -> Result<usize> {
        let owner = self
            .ask("SELECT owner FROM shards WHERE shard = -1")
            .await?;
        owner.parse().context("no server has the lobby")
    }

    /// The bytes that PostgreSQL has written to its log.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn wal_bytes(&self) -> Result<u64> {
        let bytes = self.ask("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint");
        Ok(bytes.await?.parse()?)
    }

    async fn ask(&self, statement: &str) -> Result<String> {
        let mut command =
            tokio::process::Command::from(self.postgres.psql(&self.database.name, statement));
        let done = command.output().await?;
        if !done.status.success() {
            bail!("PostgreSQL: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }
}

/// Makes the tables and starts the nodes.
///
/// # Errors
/// When something does not start; with the end of the node's log.
pub(crate) async fn start(nodes: &mut [Server], clients: &[usize]) -> Result<()> {
    let first = nodes.first().context("no nodes")?;
    first.operate(&["migrate"])?;
    for node in nodes {
        if let Err(error) = node.start(clients).await {
            return Err(node.with_log(&error));
        }
    }
    Ok(())
}
