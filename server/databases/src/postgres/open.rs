//! Opens the storage in a database of PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use tilewire_rules::time::Timestamp;
use tokio::sync::Notify;

use super::cluster::{ClusterTables, Joined};
use super::engine::Engine;
use super::lease::{Lease, Prover, READS_FORM, refuse_use, use_as};
use super::schema;
use tilewire_config::{ClusterConfig, MissingLexicon, StorageConfig};
use tilewire_sql::access::{Access, Threads};
use tilewire_sql::horizon::Horizon;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::server::Server;
use tilewire_sql::postgres::session::Session;
use tilewire_sql::readers::Readers;
use tilewire_sql::write_queue::WriteQueue;
use tilewire_sql::{Connection, OperatorStorage, SqlStorage, credentials, push_keys};
use tilewire_store::{NodeId, Terms};

/// How often a start asks whether the server before it has gone.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Opens the storage for a server that needs the database to itself. `now` is the server's time.
///
/// # Errors
/// Names the obstacle, such as another server that uses the database, or tables of another version.
pub fn open(config: &StorageConfig, now: Timestamp) -> Result<SqlStorage, OpenError> {
    let server = Arc::new(Server::of(config)?);
    let session = Session::open(Arc::clone(&server))?;
    schema::refuse_other(&session)?;
    let (lease, terms) = when_free(config, || Lease::take_all(&session))?;
    let terms = Arc::new(terms.into_iter().collect());
    storage((session, server), lease, (terms, None), (config, now))
}

/// A server among several that has joined, and what it asks the database.
#[derive(Debug)]
pub struct OpenNode {
    /// Its storage. It changes no games until it owns shards ([`OpenNode::terms`]).
    pub storage: Arc<SqlStorage>,
    /// The connection for changes of the cluster.
    pub tables: ClusterTables,
    /// The life that has begun. It ends unless the lease is renewed from now on.
    pub joined: Joined,
    /// The shards that it owns, which is for the caller to say.
    pub terms: Arc<Terms>,
}

/// Opens the storage for a server among several, and begins a life of it. `offers` are its lexica and rule sets.
///
/// # Errors
/// Names the obstacle, such as another server with its number, tables of another version, or a lexicon that it lacks.
pub fn open_node(
    config: &StorageConfig,
    cluster: &ClusterConfig,
    now: Timestamp,
    (offers, missing): (&[String], MissingLexicon),
) -> Result<OpenNode, OpenError> {
    let config = StorageConfig {
        // A node that has stopped in the middle of a transaction keeps the others from writing.
        idle_transaction_ms: config.idle_transaction_ms.min(cluster.lease_ms),
        ..config.clone()
    };
    let node = NodeId(cluster.node);
    let server = Arc::new(Server::of(&config)?);
    let session = Session::open(Arc::clone(&server))?;
    schema::refuse_other(&session)?;
    when_free(&config, || use_as(&session, node))?;
    let tables = ClusterTables::open(&StorageConfig {
        // A later answer says nothing about the lease.
        answer_ms: config.answer_ms.min(cluster.lease_ms),
        connect_ms: config.connect_ms.min(cluster.lease_ms),
        ..config.clone()
    })?;
    refuse_lack(&tables.lacks(node, offers, cluster.lease_ms.0)?, missing)?;
    let version = (env!("CARGO_PKG_VERSION"), READS_FORM, offers);
    let joined = tables.join(node, version, cluster.lease_ms.0)?;
    let lease = Lease::of(node, Prover::Writer, joined.incarnation.0);
    let terms = Arc::<Terms>::default();
    let shared = (Arc::clone(&terms), Some(Horizon::default()));
    let storage = storage((session, server), lease, shared, (&config, now))?;
    Ok(OpenNode {
        storage: Arc::new(storage),
        tables,
        joined,
        terms,
    })
}

/// Refuses to join without the lexica and rule sets of the others, because their games can come here.
fn refuse_lack(lacks: &[String], missing: MissingLexicon) -> Result<(), PostgresError> {
    if lacks.is_empty() {
        return Ok(());
    }
    let names = lacks.join(", ");
    match missing {
        MissingLexicon::Refuse => Err(PostgresError::Lacks(names)),
        MissingLexicon::Leave => {
            tracing::warn!(
                names,
                "other servers have lexica or rule sets that this one lacks: it leaves their games alone"
            );
            Ok(())
        }
    }
}

fn storage(
    (session, server): (Session, Arc<Server>),
    lease: Lease,
    (terms, horizon): (Arc<Terms>, Option<Horizon>),
    (config, now): (&StorageConfig, Timestamp),
) -> Result<SqlStorage, OpenError> {
    credentials::ensure_key(&session, now)?;
    push_keys::ensure_key(&session, now)?;
    let mut readers: Vec<Box<Connection>> = Vec::with_capacity(config.readers);
    for _ in 0..config.readers {
        readers.push(Box::new(Session::new(Arc::clone(&server))?));
    }
    let readers = Readers::start(readers, config.read_queue).map_err(OpenError::Thread)?;
    let (is_unsettled, ended) = (Arc::<AtomicBool>::default(), Arc::<Notify>::default());
    let engine = Engine::new(
        session,
        lease,
        Arc::clone(&is_unsettled),
        Arc::clone(&ended),
    );
    let writer =
        WriteQueue::start(engine, config.queue, config.batch).map_err(OpenError::Thread)?;
    Ok(SqlStorage {
        access: Access::Threads(Threads { readers, writer }),
        ended,
        is_unsettled,
        directory: None,
        terms: Some(terms),
        horizon,
    })
}

/// Takes the database. A server that was killed a moment ago may still have its connection.
#[expect(
    clippy::disallowed_methods,
    reason = "the start measures how long it waits for the server before it"
)]
fn when_free<T>(
    config: &StorageConfig,
    take: impl Fn() -> Result<T, PostgresError>,
) -> Result<T, PostgresError> {
    let until = Instant::now() + config.connect_ms.to_duration();
    loop {
        match take() {
            Err(PostgresError::InUse(_) | PostgresError::NumberInUse { .. })
                if Instant::now() < until =>
            {
                thread::sleep(ASK_AGAIN);
            }
            done => return done,
        }
    }
}

/// Opens the database for the operator's commands, beside a running server.
///
/// # Errors
/// When there is no database of this version.
pub fn open_for_operator(config: &StorageConfig) -> Result<OperatorStorage, OpenError> {
    let server = Arc::new(Server::of(config)?);
    let session = Session::open(server)?;
    schema::refuse_other(&session)?;
    let place = session.place().to_owned();
    Ok(OperatorStorage::new(Box::new(session), place))
}

/// Returns the settings that cannot be used: the URL, the file with the password, the certificates. It asks no
/// database.
#[must_use]
pub fn problem(config: &StorageConfig) -> Option<String> {
    if !config.has_server() {
        return None;
    }
    Server::of(config).err().map(|error| error.to_string())
}

/// Makes the tables in a database, or brings them to this version. Returns the versions before and after.
///
/// # Errors
/// When a server uses the database, or a newer program has written it.
pub fn migrate(config: &StorageConfig) -> Result<(usize, usize), OpenError> {
    let server = Arc::new(Server::of(config)?.patient());
    let session = Session::open(server)?;
    if schema::version(&session)?.is_some() {
        refuse_use(&session)?;
    }
    let before = schema::migrate(&session)?;
    Ok((before, schema::CURRENT))
}
