//! A real PostgreSQL for tests: one for a process, as a user without privileges, on a Unix socket in a temporary directory. It
//! ends with the process, however that ends.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::{env, thread};

/// Where Debian and others keep the programs of PostgreSQL; a directory for each version.
const VERSIONS: &str = "/usr/lib/postgresql";
/// The variable that names the directory of the programs.
const PROGRAMS: &str = "POSTGRES_BIN";
/// With this variable, a missing PostgreSQL is an error. `tests/run` sets it.
const REQUIRED: &str = "REQUIRE_POSTGRES";
/// The owner of all databases.
const USER: &str = "tilewire";
/// The user `nobody`, for a process of root: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65_534;
/// The start may take so many tries, 20 ms apart.
const TRIES: u32 = 1_500;

/// A running PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    /// Has the socket.
    directory: PathBuf,
    /// Waits for the end of its input, then ends PostgreSQL and removes the directory.
    _keeper: Mutex<Child>,
    databases: AtomicUsize,
}

/// A new database.
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
        SHARED.get_or_init(Self::start).as_ref()
    }

    fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            let required = env::var_os(REQUIRED).is_some();
            assert!(!required, "PostgreSQL is not installed");
            let said = "NOT RUN: PostgreSQL is not installed (Debian: apt-get install postgresql)";
            writeln!(std::io::stderr(), "{said}").ok(); // nobody may read it
            return None;
        };
        let directory = tempfile::Builder::new()
            .prefix("tilewire-pg")
            .permissions(fs::Permissions::from_mode(0o755))
            .tempdir()
            .expect("a temporary directory");
        // The keeper removes it.
        let directory = directory.keep();
        let owner = owner();
        if let Some(owner) = owner {
            chown(&directory, Some(owner), Some(owner)).expect("root gives the directory away");
        }
        let data = directory.join("data");
        run(as_owner(&programs.join("initdb"), owner)
            .current_dir(&directory)
            .arg("--pgdata")
            .arg(&data)
            .args(["--username", USER, "--auth", "trust", "--no-sync"])
            .args(["--encoding", "UTF8", "--locale", "C"]));
        let keeper = as_owner(Path::new("/bin/sh"), owner)
            .current_dir(&directory)
            .arg("-c")
            .arg(
                "\"$1\" -D \"$2/data\" -k \"$2\" -c listen_addresses= -c max_connections=300 -c fsync=off \
                 -c full_page_writes=off >\"$2/log\" 2>&1 & \
                 read line; kill -QUIT $!; wait $!; rm -rf \"$2\"",
            )
            .arg("keeper")
            .arg(programs.join("postgres"))
            .arg(&directory)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the keeper starts");
        let started = Self {
            programs,
            directory,
            _keeper: Mutex::new(keeper),
            databases: AtomicUsize::new(0),
        };
        started.wait_until_it_answers();
        Some(started)
    }

    fn wait_until_it_answers(&self) {
        for _ in 0..TRIES {
            let asked = self.psql("postgres", "SELECT 1").output();
            if asked.is_ok_and(|answer| answer.status.success()) {
                return;
            }
            thread::sleep(std::time::Duration::from_millis(20));
        }
        let log = fs::read_to_string(self.directory.join("log")).unwrap_or_default();
        panic!("PostgreSQL does not start:\n{log}");
    }

    /// Makes an empty database.
    ///
    /// # Panics
    /// When PostgreSQL refuses.
    pub fn database(&self) -> Database {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        self.sql(
            "postgres",
            &format!("CREATE DATABASE {name} TEMPLATE template0"),
        );
        let socket = self.directory.display().to_string().replace('/', "%2F");
        Database {
            url: format!("postgres://{USER}@{socket}/{name}"),
            name,
        }
    }

    /// Executes statements in a database and returns what they print, without headers.
    ///
    /// # Panics
    /// When PostgreSQL refuses.
    pub fn sql(&self, database: &str, statements: &str) -> String {
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

/// Returns the user for PostgreSQL, if this process belongs to root.
fn owner() -> Option<u32> {
    let own = fs::metadata("/proc/self").ok()?;
    let uid = std::os::unix::fs::MetadataExt::uid(&own);
    (uid == 0).then_some(NOBODY)
}

fn as_owner(program: &Path, owner: Option<u32>) -> Command {
    let mut command = Command::new(program);
    if let Some(owner) = owner {
        command.uid(owner).gid(owner);
    }
    command
}

fn run(command: &mut Command) -> String {
    let done = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}
