//! The test run that this process belongs to. nextest starts a process for each test; services that all of them may use are
//! started by the first test that needs one, and end with the run.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

use anyhow::{Context, Result};

use crate::keeper::Owner;

/// nextest sets this variable for each test, to a name of the run.
const RUN: &str = "NEXTEST_RUN_ID";
/// The name of the process that carries the run out.
const RUNNER: &str = "cargo-nextest";
/// So much of the run's name is unique, and leaves room in the path of a socket.
const NAME_LEN: usize = 13;

/// A run of tests.
#[derive(Debug)]
pub(crate) struct TestRun {
    name: String,
    /// The process that carries it out.
    pub(crate) process: u32,
}

/// A directory that belongs to all processes of a run. Others wait until it is dropped.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) directory: PathBuf,
    ready: File,
}

impl TestRun {
    /// Returns the run that this process belongs to, if there is one.
    pub(crate) fn current() -> Option<Self> {
        let name: String = env::var(RUN).ok()?.chars().take(NAME_LEN).collect();
        let process = ancestors().find(|process| is_runner(*process))?;
        Some(Self { name, process })
    }

    /// Waits until no other process uses the directory of a service.
    pub(crate) fn lock(&self, service: &str) -> Result<Locked> {
        let directory = env::temp_dir().join(format!("tilewire-{service}-{}", self.name));
        match fs::create_dir(&directory) {
            Ok(()) => Owner::for_services().give(&directory)?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("no temporary directory"),
        }
        let mut options = File::options();
        let ready = options.create(true).read(true).append(true);
        let ready = ready.open(directory.join("ready"))?;
        ready.lock()?;
        Ok(Locked { directory, ready })
    }
}

impl Locked {
    /// Says whether a process of the run has started the service.
    pub(crate) fn is_started(&mut self) -> Result<bool> {
        let mut text = String::new();
        self.ready.read_to_string(&mut text)?;
        Ok(!text.is_empty())
    }

    /// Tells the other processes that the service runs.
    pub(crate) fn started(&mut self) -> Result<()> {
        Ok(writeln!(self.ready, "{}", process::id())?)
    }
}

/// Returns the processes from which this one descends, the nearest first.
fn ancestors() -> impl Iterator<Item = u32> {
    std::iter::successors(parent(process::id()), |process| parent(*process))
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

fn is_runner(process: u32) -> bool {
    let name = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("comm"));
    name.is_ok_and(|name| name.trim() == RUNNER)
}
