//! The contents of the simulated disk, its behaviour, and its reports of changes.
//!
//! The contents are the database of a server: SQLite in memory, with the stores of `tilewire-sql`. Beside them are facts that
//! the auditor asks for all the time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use rusqlite::config::DbConfig;
use rusqlite::types::FromSql;
use tilewire_people::vacations::Vacations;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;
use tilewire_sql::access::{Access, Occasion, SimulatedDisk};
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::write_queue::Outcome;
use tilewire_sql::{Connection, Error, SqlStorage, in_one_change, in_one_view, schema};
use tilewire_store::{Arrival, Ending, NewResult, Rest, StoreError, StoredGame, Terms, TokenKey};
use tokio::sync::Notify;

use super::disk_nodes::Proof;

/// More rows than a simulation has.
pub const ALL: usize = 1_000_000;

/// How a disk behaves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Temper {
    /// Longest time a request waits, ms.
    pub wait_ms: i64,
    /// One request in so many is not taken; 0 for none.
    pub refuses: u64,
    /// One request in so many has an outcome that is not told; 0 for none.
    pub is_vague: u64,
    /// One request in so many takes a long time; 0 for none.
    pub stalls: u64,
    /// One boundary in so many brings the machine down; 0 for none.
    pub crashes: u64,
}

/// The durable state.
#[derive(Debug)]
pub struct Durable {
    /// The stores, without delays and faults.
    pub stores: SqlStorage,
    pub(super) platter: Arc<Platter>,
    /// Every game.
    pub games: BTreeMap<GameId, StoredGame>,
    /// Those that sleep.
    pub asleep: BTreeMap<GameId, Rest>,
    /// How often a game fell asleep.
    pub rests: u64,
    /// The ends of games, in the order of arrival.
    pub endings: Vec<Ending>,
    /// The vacations of players.
    pub vacations: BTreeMap<String, StoredVacations>,
    /// The last place in the journal.
    pub(super) last: Arrival,
}

/// The stored vacations of a player.
#[derive(Debug, Clone)]
pub struct StoredVacations {
    /// The vacations.
    pub vacations: Vacations,
    /// Whether all games of the player have them.
    pub is_applied: bool,
    /// When the player changed them last.
    pub changed_at: Timestamp,
}

/// The database.
#[derive(Debug)]
pub(super) struct Platter(Mutex<rusqlite::Connection>);

/// A durable change.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The game.
    pub game: GameId,
    /// How many records its log has now.
    pub head: u64,
    /// How many of them are new.
    pub count: u64,
    /// When it was asked for, the first time if the disk did not take it at once.
    pub asked_at: Timestamp,
    /// When the disk was done with the game's append before it; the server could not ask sooner.
    pub free_at: Timestamp,
    /// The number of this change of the disk.
    pub version: u64,
    /// The number of the request for this change.
    pub request: u64,
    /// The number of the last request that the disk answered with the game's log, to its owner; 0 if there was none.
    pub loaded: u64,
    /// The node that stored it, of several, and what it proved.
    pub by: Option<Proof>,
}

/// A change by the chronicle.
#[derive(Debug, Clone)]
pub struct Chronicled {
    /// How many changes of logs the disk had seen.
    pub version: u64,
    /// The step.
    pub step: Step,
}

/// A step of the chronicle.
#[derive(Debug, Clone)]
pub enum Step {
    /// A chapter became durable.
    Written {
        /// The results in it.
        results: Vec<NewResult>,
        /// The place up to which the journal is written into results.
        until: Arrival,
    },
    /// The server knows the ratings after the last chapter: it was told that the chapter is stored, or has read them.
    Known,
}

/// Returns the answer of a store that waits for nothing.
///
/// # Panics
/// When it waits.
pub fn at_once<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("it waits for nothing")
}

/// Returns the stores on a disk.
pub(super) fn stores_on(
    disk: Arc<dyn SimulatedDisk>,
    ended: Arc<Notify>,
    terms: Option<Arc<Terms>>,
) -> SqlStorage {
    SqlStorage {
        access: Access::Simulated(disk),
        ended,
        is_unsettled: Arc::default(),
        directory: None,
        terms,
        horizon: None,
    }
}

impl Platter {
    fn new() -> Self {
        let db = rusqlite::Connection::open_in_memory();
        let mut db = db.expect("SQLite opens a database in memory");
        schema::migrate(&mut db).expect("an empty database takes the schema");
        let TokenKey { kid, secret } = token_key();
        let insert = "INSERT INTO token_keys (kid, secret, created_at) VALUES (?1, ?2, 0)";
        db.execute(insert, (kid, secret))
            .expect("the first key of tokens");
        db.set_prepared_statement_cache_capacity(256);
        // SQLite prepares a statement again for each other limit that is bound to it, unless plans are to be stable.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .expect("SQLite knows it");
        Self(Mutex::new(db))
    }

    fn with<T>(&self, call: impl FnOnce(&rusqlite::Connection) -> T) -> T {
        call(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes a change.
    ///
    /// # Panics
    /// When the database refuses it: no store asks for anything impossible.
    pub(super) fn commit(&self, change: &Change) -> Done {
        let done = self.with(|db| in_one_change(db, |db| change.apply(db), |_| true));
        done.unwrap_or_else(|error| panic!("{change:?}: {error}"))
    }

    /// Reads. `prepare` may change what is read: that ends with the view.
    pub(super) fn view(
        &self,
        prepare: impl FnOnce(&Connection) -> tilewire_sql::Result<()>,
        read: &mut dyn FnMut(&Connection),
    ) {
        let prepared = self.with(|db| {
            in_one_view(db, |db| {
                prepare(db)?;
                read(db);
                Ok::<_, Error>(())
            })
        });
        prepared.expect("memory can be read");
    }

    /// Executes statements.
    pub(super) fn execute(&self, statements: &str) {
        let done = self.with(|db| db.execute_batch(statements));
        done.expect("the statements are right");
    }

    /// Returns the first column of a query.
    pub(super) fn column<T: FromSql>(&self, query: &str) -> Vec<T> {
        self.with(|db| {
            let mut query = db.prepare_cached(query)?;
            let rows = query.query_map((), |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<T>>>()
        })
        .expect("the query is right")
    }
}

impl SimulatedDisk for Platter {
    fn write(&self, change: Change) -> BoxFuture<'_, Outcome<Done>> {
        ready(Ok(self.commit(&change))).boxed()
    }

    fn reach<'a>(&'a self, _: &'a Occasion) -> BoxFuture<'a, Result<(), StoreError>> {
        ready(Ok(())).boxed()
    }

    fn view(&self, _: &Occasion, read: &mut dyn FnMut(&Connection)) {
        self.with(|db| read(db));
    }
}

impl Default for Durable {
    fn default() -> Self {
        let platter = Arc::new(Platter::new());
        Self {
            stores: stores_on(Arc::clone(&platter) as _, Arc::default(), None),
            platter,
            games: BTreeMap::new(),
            asleep: BTreeMap::new(),
            rests: 0,
            endings: Vec::new(),
            vacations: BTreeMap::new(),
            last: Arrival(0),
        }
    }
}

impl Durable {
    /// Returns the games of all results.
    #[must_use]
    pub fn results(&self) -> Vec<String> {
        self.platter.column("SELECT game FROM results")
    }

    pub(super) fn head(&self, game: &GameId) -> u64 {
        let records = self.games.get(game).map(|stored| &stored.records);
        let last = records.and_then(|records| records.last());
        last.map_or(0, |record| record.seq.0)
    }

    /// Notes a change that is stored.
    pub(super) fn note(&mut self, change: &Change, now: Timestamp) {
        match change {
            Change::Create {
                meta,
                first,
                asleep,
                ..
            } => {
                let stored = StoredGame {
                    meta: meta.clone(),
                    records: first.records().expect("the server has encoded them"),
                    rows: Vec::new(),
                    is_finished: false,
                    lost_ms: None,
                };
                self.last = Arrival(self.last.0 + 1);
                self.games.insert(meta.game.clone(), stored);
                if let Some(rest) = asleep {
                    self.falls_asleep(rest);
                }
            }
            Change::Append {
                game, records, end, ..
            } => {
                self.last = Arrival(self.last.0 + 1);
                self.asleep.remove(game);
                let stored = self.games.get_mut(game).expect("it was created");
                let records = records.records().expect("the server has encoded them");
                stored.records.extend(records);
                if end.is_some() {
                    stored.is_finished = true;
                    self.endings.push(Ending {
                        arrival: self.last,
                        game: game.clone(),
                    });
                }
            }
            Change::Rest(rest, _) => self.falls_asleep(rest),
            Change::Vacation(change) => {
                let known = self.vacations.get(&change.identity);
                let is_same = change.before == change.after;
                let stored = StoredVacations {
                    vacations: change.after.clone(),
                    is_applied: change.is_applied,
                    changed_at: known.filter(|_| is_same).map_or(now, |own| own.changed_at),
                };
                self.vacations.insert(change.identity.clone(), stored);
            }
            _ => {}
        }
    }

    fn falls_asleep(&mut self, rest: &Rest) {
        self.rests += 1;
        self.asleep.insert(rest.game.clone(), rest.clone());
    }
}

/// Returns the key of tokens.
pub(super) fn token_key() -> TokenKey {
    TokenKey {
        kid: "k".to_owned(),
        secret: [7; 32],
    }
}
