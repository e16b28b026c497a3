//! A connection to PostgreSQL for one thread, which waits for each answer.
//!
//! The thread itself drives the connection while it waits, so an answer wakes no other thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use tokio::runtime::{Handle, Runtime};
use tokio::task::AbortHandle;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, CopyInSink};

use super::dialect;
use super::server::Server;
use super::value::{PostgresRow, collected, sent};
use crate as sql;
use crate::postgres::error::PostgresError;
use crate::{Database, Params, Purpose, Statement, unreadable};

/// Statements that stay prepared; beyond, all of them are forgotten.
const PREPARED_MOST: usize = 256;
/// Begins a transaction. All its statements see the same moment.
const BEGIN_VIEW: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// The oldest version that this program uses, as `server_version_num`.
const OLDEST: i64 = 150_000;
/// Changes of the stores are made one after the other, as SQLite does it: a store looks before it writes. The number is
/// arbitrary.
pub const WRITERS: i64 = 0x7469_6c65;

/// A connection, which is opened when it is needed.
pub struct Session {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    server: Arc<Server>,
    client: RefCell<Option<Arc<Client>>>,
    /// The task that drives the connection.
    driver: RefCell<Option<AbortHandle>>,
    /// The statements that the connection has prepared.
    prepared: RefCell<HashMap<String, tokio_postgres::Statement>>,
}

/// A prepared statement.
pub struct PostgresStatement<'c> {
    session: &'c Session,
    client: Arc<Client>,
    statement: tokio_postgres::Statement,
}

impl Session {
    /// Makes a session without a connection.
    pub fn new(server: Arc<Server>) -> Result<Self, PostgresError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| {
                PostgresError::Settings(format!("cannot open a connection: {error}"))
            })?;
        Ok(Self {
            runtime: Some(runtime),
            server,
            client: RefCell::default(),
            driver: RefCell::default(),
            prepared: RefCell::default(),
        })
    }

    /// Makes a session with a connection.
    pub fn open(server: Arc<Server>) -> Result<Self, PostgresError> {
        let session = Self::new(server)?;
        session.connect()?;
        Ok(session)
    }

    /// Says whether there is a connection.
    pub fn is_open(&self) -> bool {
        let client = self.client.borrow();
        client.as_ref().is_some_and(|client| !client.is_closed())
    }

    /// Host, port and name of the database.
    pub fn place(&self) -> &str {
        &self.server.place
    }

    /// Forgets the connection. Its socket is closed by the next call that waits, or with the session: the database then gives
    /// up the locks of the connection.
    pub fn disconnect(&self) {
        *self.client.borrow_mut() = None;
        if let Some(driver) = self.driver.borrow_mut().take() {
            driver.abort();
        }
        self.prepared.borrow_mut().clear();
    }

    /// Opens the connection anew.
    pub fn connect(&self) -> Result<(), PostgresError> {
        self.disconnect();
        let server = &self.server;
        let refused = |why: String| PostgresError::Connect {
            place: server.place.clone(),
            why,
        };
        let connecting = async {
            let (client, connection) = server.settings.connect(server.tls.clone()).await?;
            // It is driven while this thread waits for an answer.
            Ok((client, tokio::spawn(connection).abort_handle()))
        };
        let (client, driver) = self.wait(connecting).map_err(|error| match error {
            PostgresError::Lost(why) => refused(why),
            PostgresError::Refused { code, message } => {
                let (place, why) = (server.place.clone(), format!("{message} ({code})"));
                match PostgresError::is_denial(&code) {
                    true => PostgresError::Denied { place, why },
                    false => PostgresError::Connect { place, why },
                }
            }
            other => other,
        })?;
        *self.client.borrow_mut() = Some(Arc::new(client));
        *self.driver.borrow_mut() = Some(driver);
        self.look_at_server()
    }

    /// Refuses a server that is too old, and makes sure that a change is durable when it is answered.
    fn look_at_server(&self) -> Result<(), PostgresError> {
        let asked = "SELECT current_setting('server_version_num')::int8,
             current_setting('synchronous_commit') IN ('off', 'local')";
        let row = self.row(asked, &[])?;
        let (found, is_unsafe): (i64, bool) = (row.try_get(0)?, row.try_get(1)?);
        if found < OLDEST {
            self.disconnect();
            let place = self.server.place.clone();
            return Err(PostgresError::OldServer { place, found });
        }
        if is_unsafe {
            self.batch("SET synchronous_commit = on")?;
        }
        Ok(())
    }

    fn client(&self) -> Result<Arc<Client>, PostgresError> {
        let client = self.client.borrow().clone();
        client.ok_or_else(|| PostgresError::Lost("there is no connection".to_owned()))
    }

    /// Waits for an answer. After a loss, the connection is forgotten.
    pub fn wait<T: Send>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T, PostgresError> {
        let runtime = self.runtime.as_ref().expect("it is there until the drop");
        let limit = self.server.answer;
        let bounded = async { tokio::time::timeout(limit, answer).await };
        // A task of the server may call this too: it may not drive a connection itself.
        let done = if Handle::try_current().is_ok() {
            thread::scope(|scope| scope.spawn(|| runtime.block_on(bounded)).join())
                .map_err(|_| PostgresError::Lost("a thread has failed".to_owned()))?
        } else {
            runtime.block_on(bounded)
        };
        let done = match done {
            Ok(done) => done.map_err(PostgresError::from),
            Err(_) => Err(PostgresError::Lost(format!(
                "no answer in {} ms",
                limit.as_millis()
            ))),
        };
        if done.as_ref().is_err_and(PostgresError::is_lost) {
            self.disconnect();
        }
        done
    }

    /// Executes statements without parameters.
    pub fn batch(&self, text: &str) -> Result<(), PostgresError> {
        let client = self.client()?;
        self.wait(client.batch_execute(text))
    }

    /// Returns the rows of a query in PostgreSQL's own SQL.
    pub fn rows(
        &self,
        text: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, PostgresError> {
        let client = self.client()?;
        let statement = self.prepared(&client, text, str::to_owned)?;
        self.wait(client.query(&statement, params))
    }

    /// Returns the first row of such a query.
    pub fn row(
        &self,
        text: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<tokio_postgres::Row, PostgresError> {
        let rows = self.rows(text, params)?;
        let row = rows.into_iter().next();
        row.ok_or_else(|| PostgresError::Lost("a query that has a row had none".to_owned()))
    }

    /// Returns the rows of a cursor. Another cursor of the same name has other columns, so nothing stays prepared.
    pub fn fetched(&self, text: &str) -> Result<Vec<PostgresRow>, PostgresError> {
        let client = self.client()?;
        let statement = self.wait(client.prepare(text))?;
        let rows = self.wait(client.query(&statement, &[]))?;
        Ok(rows.into_iter().map(PostgresRow).collect())
    }

    /// Returns the types of the columns of a query.
    pub fn kinds(&self, text: &str) -> Result<Vec<Type>, PostgresError> {
        let client = self.client()?;
        let statement = self.wait(client.prepare(text))?;
        let kinds = statement
            .columns()
            .iter()
            .map(|column| column.type_().clone());
        Ok(kinds.collect())
    }

    /// Opens the way for rows into a table.
    pub fn copy_in(&self, text: &str) -> Result<CopyInSink<Bytes>, PostgresError> {
        let client = self.client()?;
        self.wait(client.copy_in(text))
    }

    /// Returns a statement, prepared now or before.
    fn prepared(
        &self,
        client: &Client,
        text: &str,
        translate: impl FnOnce(&str) -> String,
    ) -> Result<tokio_postgres::Statement, PostgresError> {
        if let Some(found) = self.prepared.borrow().get(text) {
            return Ok(found.clone());
        }
        let statement = self.wait(client.prepare(&translate(text)))?;
        let mut prepared = self.prepared.borrow_mut();
        if prepared.len() >= PREPARED_MOST {
            prepared.clear();
        }
        prepared.insert(text.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.disconnect();
        if let Some(runtime) = self.runtime.take() {
            // A task of the server may drop this: it may not wait.
            runtime.shutdown_background();
        }
    }
}

impl PostgresStatement<'_> {
    /// Executes the statement; returns the number of rows it changed.
    pub(crate) fn execute(&self, params: &impl Params) -> Result<usize, sql::Error> {
        let values = collected(params)?;
        let values = sent(&values);
        let changed = self.client.execute(&self.statement, &values);
        let changed = self.session.wait(changed)?;
        usize::try_from(changed).map_err(unreadable)
    }

    /// Returns the rows.
    pub(crate) fn query(&self, params: &impl Params) -> Result<Vec<PostgresRow>, sql::Error> {
        let values = collected(params)?;
        let values = sent(&values);
        let rows = self.client.query(&self.statement, &values);
        let rows = self.session.wait(rows)?;
        Ok(rows.into_iter().map(PostgresRow).collect())
    }
}

impl Database for Session {
    fn prepare_cached(&self, text: &str) -> Result<Statement<'_>, sql::Error> {
        let client = self.client()?;
        Ok(Statement::Postgres(PostgresStatement {
            session: self,
            statement: self.prepared(&client, text, dialect::statement)?,
            client,
        }))
    }

    fn begin(&self, purpose: Purpose) -> Result<(), sql::Error> {
        if !self.is_open() {
            self.connect()?;
        }
        match purpose {
            Purpose::View => match self.batch(BEGIN_VIEW) {
                // The database was started again, for example. Nothing is repeated: nothing was read.
                Err(error) if error.is_lost() => {
                    self.connect()?;
                    self.batch(BEGIN_VIEW)?;
                }
                begun => begun?,
            },
            Purpose::Change => {
                self.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({WRITERS})"))?;
            }
        }
        Ok(())
    }

    fn commit(&self) -> Result<(), sql::Error> {
        Ok(self.batch("COMMIT")?)
    }

    fn roll_back(&self) {
        if self.is_open()
            && let Err(error) = self.batch("ROLLBACK")
        {
            tracing::debug!(%error, "a transaction was not rolled back by the server; the database does it");
            self.disconnect();
        }
    }
}
