//! The server under test: a process of our own on cores of its own, or one that runs somewhere already.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use tilewire_protocol::causes;

use crate::host::{self, Cores};
use crate::process::Usage;
use crate::prometheus;

/// Time for a server to come up; with many unfinished games it has much to load.
const START_WITHIN: Duration = Duration::from_secs(120);
/// Pause between two questions whether it is ready.
const READY_POLL: Duration = Duration::from_millis(1);
/// Lines of its log that an error shows.
const LOG_LINES: usize = 20;

/// A server to load.
#[derive(Debug)]
pub(crate) struct Server {
    child: Option<Child>,
    home: Option<Home>,
    program: PathBuf,
    cores: Vec<usize>,
    // The resources that ended processes have used.
    past: Usage,
    log: &'static str,
    has_own_group: bool,
    /// Where players connect, `ADDR:PORT`.
    pub(crate) address: String,
    /// Where its figures are, `ADDR:PORT`; a server somewhere else may keep them to itself.
    pub(crate) admin: Option<String>,
}

/// Where a server keeps everything.
#[derive(Debug)]
pub(crate) enum Home {
    /// Gone at the end.
    Temporary(TempDir),
    /// Stays.
    Kept(PathBuf),
}

impl Home {
    /// A new temporary directory.
    ///
    /// # Errors
    /// When there is no room.
    pub(crate) fn temporary() -> Result<Self> {
        let home = tempfile::Builder::new().prefix("tilewire-load-").tempdir();
        Ok(Self::Temporary(
            home.context("no directory for the server's data")?,
        ))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(home) => home.path(),
            Self::Kept(home) => home,
        }
    }
}

impl Server {
    /// Prepares a server of this program that does not run yet, with this text as its configuration.
    ///
    /// # Errors
    /// When there is no such program or no room for its data.
    pub(crate) fn prepare(program: &Path, cores: &Cores, home: Home, config: &str) -> Result<Self> {
        if !program.is_file() {
            bail!(
                "there is no server at {}; build it with `cargo build --release` or name it with --server-bin",
                program.display()
            );
        }
        std::fs::write(home.path().join("tilewire.toml"), config)?;
        // A server with its data in a database does not make the directory for its files.
        std::fs::create_dir_all(home.path().join("data"))?;
        Ok(Self {
            child: None,
            home: Some(home),
            // It is started in a directory of its own.
            program: std::path::absolute(program)?,
            cores: cores.server.clone(),
            past: Usage::default(),
            log: "warn",
            has_own_group: false,
            address: "127.0.0.1:0".to_owned(),
            admin: Some("127.0.0.1:0".to_owned()),
        })
    }

    /// Makes it log what an operator wants to know, and keeps the signals of the terminal from it.
    pub(crate) const fn for_people(mut self) -> Self {
        self.log = "info";
        self.has_own_group = true;
        self
    }

    /// A server that runs already.
    pub(crate) fn elsewhere(address: String, admin: Option<String>) -> Self {
        Self {
            child: None,
            home: None,
            program: PathBuf::new(),
            cores: Vec::new(),
            past: Usage::default(),
            log: "warn",
            has_own_group: false,
            address,
            admin,
        }
    }

    /// Starts it, again on its ports and data if it ran before, and waits until it is ready.
    ///
    /// # Errors
    /// When it does not come up in time.
    pub(crate) async fn start(&mut self, clients: &[usize]) -> Result<Duration> {
        let Some(home) = &self.home else {
            return Ok(Duration::ZERO);
        };
        let began = host::now();
        // A child runs on the cores of the thread that started it.
        host::pin(&self.cores)?;
        let child = self.command(home.path()).spawn();
        host::pin(clients)?;
        let mut child =
            child.with_context(|| format!("cannot start {}", self.program.display()))?;
        let lines = lines_of(child.stdout.take().context("its output is piped")?);
        self.child = Some(child);
        let address = announced(&lines, "listening on ws://")?;
        address
            .trim_end_matches("/ws")
            .clone_into(&mut self.address);
        let admin = announced(&lines, "admin on http://")?;
        // The later output is not needed, but the pipe must not fill up.
        std::thread::spawn(move || lines.iter().for_each(drop));
        while !matches!(prometheus::get(&admin, "/readyz").await, Ok((200, _))) {
            if began.elapsed() > START_WITHIN {
                bail!("the server is not ready after {} s", START_WITHIN.as_secs());
            }
            tokio::time::sleep(READY_POLL).await;
        }
        self.admin = Some(admin);
        Ok(began.elapsed())
    }

    /// Ends the process at once, as a power cut would.
    ///
    /// # Errors
    /// When it does not run.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.past = self.usage();
        let mut child = self.child.take().context("no server to kill")?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Asks the process to stop and waits for it.
    ///
    /// # Errors
    /// When it does not run.
    pub(crate) async fn stop(&mut self) -> Result<()> {
        self.past = self.usage();
        let mut child = self.child.take().context("no server to stop")?;
        kill(pid_of(&child)?, Signal::SIGTERM)?;
        let ended = tokio::task::spawn_blocking(move || child.wait()).await??;
        if !ended.success() {
            bail!("the server stopped with {ended}");
        }
        Ok(())
    }

    /// Returns how the process has ended by itself, if it has. Such a server can be started again.
    ///
    /// # Errors
    /// When the system does not say.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let ended = match &mut self.child {
            Some(child) => child.try_wait()?,
            None => None,
        };
        if ended.is_some() {
            self.child = None;
        }
        Ok(ended)
    }

    /// Runs a command of the operator beside it; returns its output.
    ///
    /// # Errors
    /// When the command fails.
    pub(crate) fn operate(&self, words: &[&str]) -> Result<String> {
        let home = self.home().context("no server of ours")?;
        let mut command = Command::new(&self.program);
        let config = home.join("tilewire.toml");
        let done = command.args(words).arg("--config").arg(config).output()?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            bail!("`tilewire-server {}`: {}", words.join(" "), said.trim());
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// The directory of the process and its data, where it is ours.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_ref().map(Home::path)
    }

    /// The id of the process, where it is ours.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Holds the process still, as a debugger or a machine out of memory would.
    ///
    /// # Errors
    /// When it does not run.
    pub(crate) fn hold(&self) -> Result<()> {
        let child = self.child.as_ref().context("no server to hold")?;
        Ok(kill(pid_of(child)?, Signal::SIGSTOP)?)
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// When it does not run.
    pub(crate) fn go_on(&self) -> Result<()> {
        let child = self.child.as_ref().context("no server to go on")?;
        Ok(kill(pid_of(child)?, Signal::SIGCONT)?)
    }

    /// Its current memory, and its CPU time since the first start; zeros for a remote server.
    pub(crate) fn usage(&self) -> Usage {
        let now = self.pid().map_or_else(Usage::default, Usage::of);
        Usage {
            cpu_us: now.cpu_us + self.past.cpu_us,
            written_bytes: now.written_bytes + self.past.written_bytes,
            ..now
        }
    }

    /// Bytes of its data directory.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let home = self.home().map(|home| home.join("data"));
        let files = home.and_then(|data| std::fs::read_dir(data).ok());
        let sizes = files.into_iter().flatten().flatten();
        let sizes = sizes.filter_map(|file| file.metadata().ok());
        sizes.map(|file| file.len()).sum()
    }

    /// An error, with the last lines of the server's log if there are any.
    pub(crate) fn with_log(&self, error: &anyhow::Error) -> anyhow::Error {
        let error = causes(error.as_ref());
        let log = self.home().map(|home| home.join("log"));
        let log = log.and_then(|log| std::fs::read_to_string(log).ok());
        let log = log.unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        if lines.is_empty() {
            return anyhow!(error);
        }
        let end = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n");
        anyhow!("{error}; its log ends with:\n{end}")
    }

    fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(home.join("log"));
        command
            .args(["--listen", &self.address, "--log", self.log])
            .args(
                self.admin
                    .iter()
                    .flat_map(|admin| ["--admin-listen", admin]),
            )
            .arg("--data-dir")
            .arg(home.join("data"))
            .arg("--config")
            .arg(home.join("tilewire.toml"))
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or_else(|_| Stdio::null(), Stdio::from));
        if self.has_own_group {
            command.process_group(0);
        }
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // The process may have ended already.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

fn pid_of(child: &Child) -> Result<Pid> {
    Ok(Pid::from_raw(i32::try_from(child.id())?))
}

fn lines_of(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

fn announced(lines: &Receiver<String>, start: &str) -> Result<String> {
    loop {
        let line = lines
            .recv_timeout(START_WITHIN)
            .context("the server does not say where it listens")?;
        if let Some(at) = line.find(start) {
            return Ok(line[at + start.len()..].trim().to_owned());
        }
    }
}
