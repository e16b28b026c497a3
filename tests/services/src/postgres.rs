//! A real PostgreSQL on a Unix socket in a temporary directory: one for a process of tests, or one of its own for a program.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};

use crate::keeper::{End, Keeper, Owner};

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

/// What is missing, and how to get it.
pub const MISSING: &str = "PostgreSQL is not installed (Debian: apt-get install postgresql)";

/// A running PostgreSQL. Dropping it ends it.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    /// Has the socket.
    directory: PathBuf,
    keeper: Keeper,
    databases: AtomicUsize,
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
    /// Returns the PostgreSQL of this process, and starts it first. `None`, with a message, if none is installed.
    ///
    /// # Panics
    /// When it does not start, or none is installed and `REQUIRE_POSTGRES` is set.
    pub fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        let start = || {
            if programs().is_none() {
                let required = env::var_os(REQUIRED).is_some();
                assert!(!required, "{MISSING}");
                writeln!(std::io::stderr(), "NOT RUN: {MISSING}").ok(); // nobody may read it
                return None;
            }
            let started = Self::start(None);
            Some(started.unwrap_or_else(|error| panic!("{error:#}")))
        };
        SHARED.get_or_init(start).as_ref()
    }

    /// Starts a PostgreSQL. With a directory, it keeps its data there and writes them to the disk; otherwise all data are gone
    /// at the end.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start(kept: Option<&Path>) -> Result<Self> {
        let programs = programs().context(MISSING)?;
        let owner = Owner::for_services();
        // The path of a socket is short.
        let directory = owner.temporary("tilewire-pg")?;
        let data = kept.map_or_else(|| directory.join("data"), Path::to_owned);
        let log = kept.map_or_else(|| directory.join("log"), |kept| kept.join("tilewire.log"));
        if !data.join("PG_VERSION").exists() {
            fs::create_dir_all(&data)?;
            owner.give(&data)?;
            run(owner
                .command(&programs.join("initdb"), &directory)
                .arg("--pgdata")
                .arg(&data)
                .args(["--username", USER, "--auth", "trust", "--no-sync"])
                .args(["--encoding", "UTF8", "--locale", "C"]))
            .context("the user of PostgreSQL must be able to reach the directory")?;
        }
        let mut service = Command::new(programs.join("postgres"));
        service.arg("-D").arg(&data).arg("-k").arg(&directory);
        service.args(["-c", "listen_addresses=", "-c", "max_connections=300"]);
        if kept.is_none() {
            service.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        }
        let end = End {
            signal: if kept.is_some() { "INT" } else { "QUIT" },
            remove: Some(&directory),
        };
        let keeper = Keeper::start(owner, &directory, &log, &end, &service)?;
        let started = Self {
            programs,
            directory,
            keeper,
            databases: AtomicUsize::new(0),
        };
        for _ in 0..TRIES {
            let asked = started.psql("postgres", "SELECT 1").output();
            if asked.is_ok_and(|answer| answer.status.success()) {
                return Ok(started);
            }
            thread::sleep(std::time::Duration::from_millis(20));
        }
        let log = fs::read_to_string(log).unwrap_or_default();
        bail!("PostgreSQL does not start:\n{log}");
    }

    /// Returns a process from which all processes of PostgreSQL descend.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.keeper.pid()
    }

    /// Makes an empty database.
    ///
    /// # Panics
    /// When PostgreSQL refuses.
    pub fn database(&self) -> Database {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
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
        let socket = self.directory.display().to_string().replace('/', "%2F");
        Ok(Database {
            url: format!("postgres://{USER}@{socket}/{name}"),
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
