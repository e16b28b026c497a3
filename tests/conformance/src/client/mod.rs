//! The cases for a client: it plays against a real server through a relay that disturbs the traffic, and the kit judges
//! its messages.

mod cases;
mod judge;
pub mod losses;
mod opponent;
pub mod ratings;
pub mod scripts;

use std::fs::File;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::relay::{Entry, Relay, Side, Tap};
use super::run::Job;
use super::{Case, Target, failure, now};
use opponent::Opponent;

pub use cases::CASES;
pub use opponent::Conduct;

/// The client under test, and the server it plays on.
#[derive(Debug, Clone)]
pub struct Contender {
    /// The real server behind the relay.
    pub server: Target,
    /// The command; `{url}`, `{name}` and `{dir}` are filled in.
    pub command: Vec<String>,
    /// How long one game may take.
    pub bound: Duration,
    /// A relay in front of the client that breaks it, to prove that the cases find that.
    pub between: Option<fn() -> Box<dyn Tap>>,
}

/// A game that was played, or tried.
#[derive(Debug)]
pub struct Run {
    /// Everything that was said.
    pub log: Vec<Entry>,
    /// When each connection was opened.
    pub opened: Vec<Instant>,
    /// The client's exit status; `None` when it had to be stopped.
    pub exit: Option<i32>,
    /// The last lines of the output of the client.
    pub said: String,
}

/// Returns the cases whose name or clauses contain `only`.
#[must_use]
pub fn jobs<'a>(contender: &'a Contender, only: &str) -> Vec<Job<'a>> {
    let wanted = CASES
        .iter()
        .filter(|case: &&Case<Contender>| case.name.contains(only) || case.clauses.contains(&only));
    wanted.map(|case| Job::new(case, contender, "")).collect()
}

impl Contender {
    /// Lets the client play one game through `tap`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn play(&self, tap: Box<dyn Tap>) -> Result<Run> {
        self.play_against(Conduct::Plays, tap)
    }

    /// Lets the client play one game through `tap` against an opponent who does something beside playing.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn play_against(&self, conduct: Conduct, tap: Box<dyn Tap>) -> Result<Run> {
        static PLAYED: AtomicU32 = AtomicU32::new(0);
        let number = PLAYED.fetch_add(1, Ordering::SeqCst);
        let name = format!("Contender {}-{number}", std::process::id());
        let relay = Relay::start(self.server.address(), tap)?;
        let between = match self.between {
            Some(broken) => Some(Relay::start(&relay.address, broken())?),
            None => None,
        };
        let address = between.as_ref().unwrap_or(&relay).address.clone();
        let directory = tempfile::tempdir()?;
        let fill = |text: &String| {
            text.replace("{url}", &format!("ws://{address}{}", self.server.path))
                .replace("{name}", &name)
                .replace("{dir}", &directory.path().to_string_lossy())
        };
        let words: Vec<String> = self.command.iter().map(fill).collect();
        let (program, arguments) = words.split_first().context("a command")?;
        let opponent = Opponent::start(&self.server, &name, conduct)?;
        let said = directory.path().join("said");
        let output = File::create(&said)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .with_context(|| program.clone())?;
        let began = now();
        let exit = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status.code().unwrap_or(-1));
            }
            if began.elapsed() > self.bound {
                drop(child.kill());
                drop(child.wait());
                break None;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        };
        opponent.stop();
        let run = Run {
            log: relay.log(),
            opened: relay.opened(),
            exit,
            said: std::fs::read(&said).map_or_else(|_| String::new(), |bytes| last_lines(&bytes)),
        };
        let last = run.messages(Side::Client).last();
        failure::sent(&failure::told(last.map(|(_, message)| message)));
        Ok(run)
    }
}

/// Returns the last lines of an output.
fn last_lines(output: &[u8]) -> String {
    const LINES: usize = 5;
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

impl Run {
    /// The messages one side said, with their connections.
    pub fn messages(&self, from: Side) -> impl Iterator<Item = (usize, &Value)> {
        let entries = self.log.iter().filter(move |entry| entry.from == from);
        entries.filter_map(|entry| Some((entry.connection, entry.message.as_ref()?)))
    }

    /// The client played to the end and left with 0, and did nothing wrong on the way.
    ///
    /// # Errors
    /// The errors.
    pub fn ends_well(&self) -> Result<()> {
        judge::always(self)?;
        self.exits_well()
    }

    /// The client saw the end of the game and left with 0.
    ///
    /// # Errors
    /// When it did not.
    pub fn exits_well(&self) -> Result<()> {
        let last = self.messages(Side::Server).last();
        let Some(status) = self.exit else {
            bail!(
                "the client comes to an end; the server said last: {}",
                failure::told(last.map(|(_, message)| message))
            );
        };
        ensure!(
            status == 0,
            "the client leaves with status 0, not {status}; it said: {}",
            self.said
        );
        let mut told = self.messages(Side::Server);
        let is_end =
            |message: &Value| message[2]["kind"] == "ended" || message[2]["phase"] == "ended";
        ensure!(
            told.any(|(_, message)| is_end(message)),
            "the client left before the game had ended"
        );
        let mut plays = self.messages(Side::Client);
        let is_turn = |op: &Value| ["play", "exchange", "pass"].iter().any(|known| op == known);
        ensure!(
            plays.any(|(_, message)| is_turn(&message[0])),
            "the client took no turn"
        );
        Ok(())
    }

    /// How many connections were opened.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.opened.len()
    }

    /// When the last frame of a connection was handed to the client.
    #[must_use]
    pub fn last_told(&self, connection: usize) -> Option<Instant> {
        let told = self
            .log
            .iter()
            .filter(|entry| entry.connection == connection && entry.from == Side::Server);
        told.map(|entry| entry.at).max()
    }
}
