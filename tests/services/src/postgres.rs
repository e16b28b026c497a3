//! A real PostgreSQL on a Unix socket in a temporary directory: one for a run of tests, or one of its own for a program.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};

use crate::keeper::{End, Keeper, Owner};
use crate::test_run::TestRun;

/// Where Debian and others keep the programs of PostgreSQL; a directory for each version.
const VERSIONS: &str = "/usr/lib/postgresql";
/// The variable that names the directory of the programs.
const PROGRAMS: &str = "POSTGRES_BIN";
/// With this variable, a missing PostgreSQL is an error. `tests/run` sets it.
const REQUIRED: &str = "REQUIRE_POSTGRES";
/// The owner of all databases.
const USER: &str = "tilewire";
/// The start may take so many tries, 20 ms apart.
const TRIES: u32 = 1_500;

/// The message for a machine without PostgreSQL: names the package.
pub const MISSING: &str = "PostgreSQL is not installed (Debian: apt-get install postgresql)";

/// A running PostgreSQL. Dropping it ends it.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    /// Has the socket, and data that are not kept.
    directory: PathBuf,
    data: PathBuf,
    log: PathBuf,
    /// Whether the data are kept, so that they have to reach the disk.
    is_kept: bool,
    /// One for each start. Each ends its process, and then removes the directory.
    keepers: Vec<Keeper>,
    numbers: Numbers,
}

/// The source of the numbers of databases.
#[derive(Debug)]
enum Numbers {
    /// Only this process makes databases.
    Own(AtomicUsize),
    /// Several processes make databases: PostgreSQL counts them.
    Shared,
}

/// A database.
#[derive(Debug, Clone)]
pub struct Database {
    /// Its name.
    pub name: String,
    /// How to connect to it.
    pub url: String,
}

impl Postgres {
    /// Says whether a PostgreSQL is installed; if not, prints that a test did not run.
    ///
    /// # Panics
    /// When none is installed and `REQUIRE_POSTGRES` is set.
    #[must_use]
    pub fn is_installed() -> bool {
        let is_installed = programs().is_some();
        if !is_installed {
            let required = env::var_os(REQUIRED).is_some();
            assert!(!required, "{MISSING}");
            writeln!(std::io::stderr(), "NOT RUN: {MISSING}").ok(); // nobody may read it
        }
        is_installed
    }

    /// Returns the PostgreSQL of this run of tests, or of this process if there is no run; the first call starts it. `None`, with
    /// a message, if none is installed.
    ///
    /// # Panics
    /// When it does not start, or none is installed and `REQUIRE_POSTGRES` is set.
    pub fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        let start = || {
            if !Self::is_installed() {
                return None;
            }
            let started = match TestRun::current() {
                Some(run) => Self::of_run(&run),
                None => Self::start(None),
            };
            Some(started.unwrap_or_else(|error| panic!("{error:#}")))
        };
        SHARED.get_or_init(start).as_ref()
    }

    /// Starts a PostgreSQL for one test, which may stop it. `None`, with a message, if none is installed.
    ///
    /// # Panics
    /// As [`Postgres::shared`].
    pub fn alone() -> Option<Self> {
        Self::is_installed().then(|| Self::start(None).unwrap_or_else(|error| panic!("{error:#}")))
    }

    /// Starts a PostgreSQL. With a directory, it keeps its data there and writes them to the disk; otherwise all data are gone
    /// at the end.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start(kept: Option<&Path>) -> Result<Self> {
        let mut this = Self::prepared(kept)?;
        this.make_data()?;
        this.launch(None)?;
        Ok(this)
    }

    /// Returns the PostgreSQL of a run of tests, and starts it first if no other process has done that.
    fn of_run(run: &TestRun) -> Result<Self> {
        let mut place = run.lock("pg")?;
        let mut this = Self {
            programs: programs().context(MISSING)?,
            data: place.directory.join("data"),
            log: place.directory.join("log"),
            is_kept: false,
            directory: place.directory.clone(),
            keepers: Vec::new(),
            numbers: Numbers::Shared,
        };
        if !place.is_started()? {
            this.make_data()?;
            let launched = this.launch(Some(run));
            this.keepers.drain(..).for_each(Keeper::leave);
            launched?;
            this.ask("postgres", "CREATE SEQUENCE IF NOT EXISTS databases")?;
            place.started()?;
        }
        Ok(this)
    }

    /// Makes the data of a new PostgreSQL, unless they are there.
    fn make_data(&self) -> Result<()> {
        if self.data.join("PG_VERSION").exists() {
            return Ok(());
        }
        let owner = Owner::for_services();
        fs::create_dir_all(&self.data)?;
        owner.give(&self.data)?;
        run(owner
            .command(&self.programs.join("initdb"), &self.directory)
            .arg("--pgdata")
            .arg(&self.data)
            .args(["--username", USER, "--auth", "trust", "--no-sync"])
            .args(["--encoding", "UTF8", "--locale", "C"]))
        .context("the user of PostgreSQL must be able to reach the directory")?;
        Ok(())
    }

    /// Starts a standby that follows this PostgreSQL.
    ///
    /// # Errors
    /// When it does not start.
    pub fn standby(&self) -> Result<Self> {
        let mut standby = Self::prepared(None)?;
        run(Owner::for_services()
            .command(&self.programs.join("pg_basebackup"), &standby.directory)
            .arg("--host")
            .arg(&self.directory)
            .args(["--username", USER, "--checkpoint", "fast", "--no-sync"])
            .args(["--write-recovery-conf", "--pgdata"])
            .arg(&standby.data))?;
        standby.launch(None)?;
        Ok(standby)
    }

    /// Returns a PostgreSQL that has a place and does not run.
    fn prepared(kept: Option<&Path>) -> Result<Self> {
        // The path of a socket is short.
        let directory = Owner::for_services().temporary("tilewire-pg")?;
        Ok(Self {
            programs: programs().context(MISSING)?,
            data: kept.map_or_else(|| directory.join("data"), Path::to_owned),
            log: kept.map_or_else(|| directory.join("log"), |kept| kept.join("tilewire.log")),
            is_kept: kept.is_some(),
            directory,
            keepers: Vec::new(),
            numbers: Numbers::Own(AtomicUsize::new(0)),
        })
    }

    /// Ends this PostgreSQL at once, without a checkpoint; the data stay.
    ///
    /// # Panics
    /// When it does not run.
    pub fn kill(&self) {
        let ended = run(Owner::for_services()
            .command(&self.programs.join("pg_ctl"), &self.directory)
            .args(["stop", "--mode", "immediate", "--silent", "--pgdata"])
            .arg(&self.data));
        ended.unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Starts it again after [`Postgres::kill`].
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        self.launch(None)
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Starts the server; it ends with the run if there is one.
    fn launch(&mut self, of: Option<&TestRun>) -> Result<()> {
        let mut service = Command::new(self.programs.join("postgres"));
        service
            .arg("-D")
            .arg(&self.data)
            .arg("-k")
            .arg(&self.directory);
        service.args(["-c", "listen_addresses=", "-c", "max_connections=300"]);
        if !self.is_kept {
            service.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        }
        if of.is_some() {
            // Hundreds of databases that live for seconds need no care, which would take processor time from the tests.
            service.args(["-c", "autovacuum=off"]);
        }
        let end = End {
            signal: if self.is_kept { "INT" } else { "QUIT" },
            remove: Some(&self.directory),
            with: of.map(|run| run.process),
        };
        let owner = Owner::for_services();
        let keeper = Keeper::start(owner, &self.directory, &self.log, &end, &service)?;
        self.keepers.insert(0, keeper);
        for _ in 0..TRIES {
            let asked = self.psql("postgres", "SELECT 1").output();
            if asked.is_ok_and(|answer| answer.status.success()) {
                return Ok(());
            }
            thread::sleep(std::time::Duration::from_millis(20));
        }
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        bail!("PostgreSQL does not start:\n{log}");
    }

    /// Returns a process from which all processes of PostgreSQL descend; `None` when it could not be started again.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.keepers.first().map(Keeper::pid)
    }

    /// Returns the socket of its clients.
    pub fn socket(&self) -> PathBuf {
        self.directory.join(".s.PGSQL.5432")
    }

    /// Returns the directory of the socket, as a URL names it.
    pub fn host(&self) -> String {
        self.directory.display().to_string().replace('/', "%2F")
    }

    /// Makes an empty database.
    ///
    /// # Panics
    /// When PostgreSQL refuses.
    pub fn database(&self) -> Database {
        let number = match &self.numbers {
            Numbers::Own(last) => last.fetch_add(1, Ordering::Relaxed).to_string(),
            Numbers::Shared => self.sql("postgres", "SELECT nextval('databases')"),
        };
        let made = self.named(&format!("test_{number}"));
        made.unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// Returns the database with this name, and makes it first if there is none.
    ///
    /// # Errors
    /// When PostgreSQL refuses.
    pub fn named(&self, name: &str) -> Result<Database> {
        let known = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
        if self.ask("postgres", &known)?.is_empty() {
            let made = format!("CREATE DATABASE {name} TEMPLATE template0");
            self.ask("postgres", &made)?;
        }
        Ok(Database {
            url: format!("postgres://{USER}@{}/{name}", self.host()),
            name: name.to_owned(),
        })
    }

    /// Executes statements in a database and returns what they print, without headers.
    ///
    /// # Panics
    /// When PostgreSQL refuses.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let answer = self.ask(database, statements);
        answer.unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// The same for a program that goes on when PostgreSQL refuses.
    ///
    /// # Errors
    /// When PostgreSQL refuses.
    pub fn ask(&self, database: &str, statements: &str) -> Result<String> {
        run(&mut self.psql(database, statements))
    }

    /// Returns the command that executes statements.
    pub fn psql(&self, database: &str, statements: &str) -> Command {
        let mut command = Command::new(self.programs.join("psql"));
        command
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--quiet"])
            .args(["--set", "ON_ERROR_STOP=1", "--username", USER])
            .arg("--host")
            .arg(&self.directory)
            .args(["--dbname", database, "--command", statements]);
        command
    }
}

/// Returns the directory with the programs of the newest version.
fn programs() -> Option<PathBuf> {
    if let Some(named) = env::var_os(PROGRAMS) {
        return Some(named.into());
    }
    let version = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str);
        name.and_then(|name| name.parse::<u32>().ok())
    };
    let found = fs::read_dir(VERSIONS).ok()?;
    let mut versions: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    versions.sort_by_key(version);
    let newest = versions.pop()?.join("bin");
    newest.join("postgres").is_file().then_some(newest)
}

/// Runs a command to its end; returns what it prints.
fn run(command: &mut Command) -> Result<String> {
    let done = command.output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        bail!("{}: {said}", command.get_program().display());
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
