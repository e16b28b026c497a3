//! A real nats-server without configuration, on a free port of this machine.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};

use crate::keeper::{End, Keeper, Owner};

/// The name of the program.
const PROGRAM: &str = "nats-server";
/// Debian keeps the program here; the search path of most users does not have it.
const DEBIAN: &str = "/usr/sbin";
/// With this variable, a missing nats-server is an error. `tests/run` sets it.
const REQUIRED: &str = "REQUIRE_NATS";
/// How its address begins.
const SCHEME: &str = "nats://";
/// The start may take so many tries, 20 ms apart.
const TRIES: u32 = 1_500;

/// What is missing, and how to get it.
pub const MISSING: &str = "nats-server is not installed (Debian: apt-get install nats-server)";

/// A running nats-server. Dropping it ends it.
#[derive(Debug)]
pub struct Nats {
    /// How to connect to it.
    pub url: String,
    _keeper: Keeper,
}

impl Nats {
    /// Says whether a nats-server is installed; if not, prints that a test did not run.
    ///
    /// # Panics
    /// When none is installed and `REQUIRE_NATS` is set.
    #[must_use]
    pub fn is_installed() -> bool {
        let is_installed = program().is_some();
        if !is_installed {
            assert!(env::var_os(REQUIRED).is_none(), "{MISSING}");
            writeln!(std::io::stderr(), "NOT RUN: {MISSING}").ok(); // nobody may read it
        }
        is_installed
    }

    /// Starts a nats-server.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start() -> Result<Self> {
        let program = program().context(MISSING)?;
        let owner = Owner::for_services();
        let directory = owner.temporary("tilewire-nats")?;
        let mut service = Command::new(program);
        // Port -1 is a free one. It writes its address into a file.
        service
            .args(["--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir"])
            .arg(&directory);
        let log = directory.join("log");
        let end = End {
            signal: "TERM",
            remove: Some(&directory),
        };
        let keeper = Keeper::start(owner, &directory, &log, &end, &service)?;
        for _ in 0..TRIES {
            if let Some(url) = announced(&directory) {
                return Ok(Self {
                    url,
                    _keeper: keeper,
                });
            }
            thread::sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(log).unwrap_or_default();
        bail!("nats-server does not start:\n{log}");
    }
}

/// Returns the program, if it is installed.
fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from(DEBIAN)]);
    places
        .map(|place| place.join(PROGRAM))
        .find(|program| program.is_file())
}

/// Returns the address in the file of ports, once it is there as a whole.
fn announced(directory: &Path) -> Option<String> {
    let is_of_ports = |path: &PathBuf| path.extension().is_some_and(|end| end == "ports");
    let mut files = fs::read_dir(directory).ok()?.flatten();
    let file = files.find_map(|entry| Some(entry.path()).filter(is_of_ports))?;
    let text = fs::read_to_string(file).ok()?;
    let (address, _) = text.split_once(SCHEME)?.1.split_once('"')?;
    Some(format!("{SCHEME}{address}"))
}
