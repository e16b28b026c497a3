//! Opens the storage in a database of PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use tilewire_rules::time::Timestamp;
use tokio::sync::Notify;

use super::engine::Engine;
use super::lease::Lease;
use super::server::Server;
use super::session::Session;
use super::{PostgresError, schema};
use crate::config::StorageConfig;
use crate::storage::OpenError;
use crate::storage::sql::readers::Readers;
use crate::storage::sql::{Connection, SqlBook, SqlStorage, credentials, push_impls};
use crate::storage::write_queue::WriteQueue;

/// How often a start asks whether the server before it has gone.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Opens the storage. `now` is the server's time.
///
/// # Errors
/// Says what is in the way, such as another server that uses the database, or tables of another version.
pub fn open(config: &StorageConfig, now: Timestamp) -> Result<SqlStorage, OpenError> {
    let server = Arc::new(Server::of(config)?);
    let session = Session::open(Arc::clone(&server))?;
    schema::refuse_other(&session)?;
    let lease = take_lease(&session, config)?;
    credentials::ensure_key(&session, now)?;
    push_impls::ensure_key(&session, now)?;
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
        readers,
        writer,
        ended,
        is_unsettled,
        directory: None,
    })
}

/// Takes the lease. A server that was killed a moment ago may still have its connection.
#[expect(
    clippy::disallowed_methods,
    reason = "the start measures how long it waits for the server before it"
)]
fn take_lease(session: &Session, config: &StorageConfig) -> Result<Lease, PostgresError> {
    let until = Instant::now() + config.connect_ms.to_duration();
    loop {
        match Lease::take(session) {
            Err(PostgresError::InUse(_)) if Instant::now() < until => thread::sleep(ASK_AGAIN),
            done => return done,
        }
    }
}

/// Opens the database for the operator's commands, beside a running server.
///
/// # Errors
/// When there is no database of this version.
pub fn open_book(config: &StorageConfig) -> Result<SqlBook, OpenError> {
    let server = Arc::new(Server::of(config)?);
    let session = Session::open(server)?;
    schema::refuse_other(&session)?;
    let place = session.place().to_owned();
    Ok(SqlBook::new(Box::new(session), place))
}

/// Returns what the settings name and cannot be used: the URL, the file with the password, the certificates. It asks no
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
        Lease::refuse_use(&session)?;
    }
    let before = schema::migrate(&session)?;
    Ok((before, schema::CURRENT))
}
