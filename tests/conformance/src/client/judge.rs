//! Rules that every client must keep in every case, checked against the messages of both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::super::link::check_shape;
use super::super::raw::{CLOSE, PING, PONG};
use super::super::relay::{Entry, Side};
use super::Run;

/// A command as it was sent.
#[derive(Debug, Clone, PartialEq)]
struct Command {
    cmd_id: String,
    op: String,
    body: Value,
}

/// The state of a client: its game and its open requests.
#[derive(Default)]
struct Judge {
    connection: Option<usize>,
    /// The token of the latest `welcome`.
    token: Option<String>,
    /// The unanswered requests of this connection.
    open: BTreeMap<u64, Value>,
    /// Commands of an earlier connection that are not answered.
    owed: Vec<Command>,
    /// Every command so far, by its id.
    commands: BTreeMap<String, Command>,
    games: BTreeMap<String, Position>,
    pings: Vec<Vec<u8>>,
    is_first: bool,
}

/// Where a client is in a game.
#[derive(Debug, Clone, Default)]
struct Position {
    epoch: Option<u64>,
    seq: u64,
    /// The client may not have read the last messages before a cut.
    applied: Vec<(std::time::Instant, u64)>,
    /// An `attach` is on its way, or its snapshot is.
    waits_for_answer: bool,
    waits_for_snapshot: bool,
}

/// Checks everything that holds for all clients in all scripts.
///
/// # Errors
/// The errors of the client.
pub(super) fn always(run: &Run) -> Result<()> {
    let mut judge = Judge::default();
    for entry in &run.log {
        if judge.connection != Some(entry.connection) {
            judge.new_connection(entry.connection);
        }
        let told = || format!("connection {}: {:?}", entry.connection, entry.message);
        match entry.from {
            Side::Client => judge.client(entry).with_context(told)?,
            Side::Server => judge.server(entry).with_context(told)?,
        }
    }
    Ok(())
}

fn command(message: &Value) -> Option<Command> {
    let mut body = message[2].clone();
    let cmd_id = body.as_object_mut()?.remove("cmd_id")?;
    Some(Command {
        cmd_id: cmd_id.as_str()?.to_owned(),
        op: message[0].as_str()?.to_owned(),
        body,
    })
}

impl Judge {
    fn new_connection(&mut self, number: usize) {
        self.connection = Some(number);
        let mut unanswered: Vec<(u64, Value)> =
            std::mem::take(&mut self.open).into_iter().collect();
        unanswered.sort_by_key(|(id, _)| *id);
        let unanswered = unanswered
            .iter()
            .filter_map(|(_, message)| command(message));
        self.owed = std::mem::take(&mut self.owed)
            .into_iter()
            .chain(unanswered)
            .collect();
        self.pings.clear();
        self.is_first = true;
    }

    fn client(&mut self, entry: &Entry) -> Result<()> {
        let frame = &entry.frame;
        ensure!(frame.masked, "a client masks every frame");
        ensure!(frame.reserved == 0, "no extension was agreed on");
        if frame.opcode == PONG {
            self.pings.retain(|ping| *ping != frame.payload);
        }
        if frame.opcode == PING || frame.opcode == PONG || frame.opcode == CLOSE {
            return Ok(());
        }
        let message = entry
            .message
            .as_ref()
            .context("a message in the encoding that was agreed on")?;
        check_shape(message)?;
        let op = message[0].as_str().unwrap_or_default();
        if std::mem::take(&mut self.is_first) {
            ensure!(op == "auth", "auth comes first");
            self.auth(&message[2])?;
        }
        let id = message[1].as_u64().context("an id")?;
        ensure!(id >= 1, "ids of requests begin at 1");
        if let Some(command) = command(message) {
            self.command(&command, message)?;
        }
        if op == "attach" {
            self.attach(message, entry.at)?;
        }
        ensure!(
            self.open.insert(id, message.clone()).is_none(),
            "the id {id} is that of an unanswered request"
        );
        Ok(())
    }

    fn auth(&self, auth: &Value) -> Result<()> {
        ensure!(auth["client"].is_string(), "the client says what it is");
        if let Some(token) = &self.token {
            ensure!(
                auth["token"] == token.as_str(),
                "the token of the latest welcome"
            );
        }
        Ok(())
    }

    fn command(&mut self, command: &Command, message: &Value) -> Result<()> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_good = (1..=40).contains(&command.cmd_id.len()) && command.cmd_id.chars().all(good);
        ensure!(is_good, "a cmd_id of 1 to 40 of A-Z a-z 0-9 _ -");
        if let Some(known) = self.commands.get(&command.cmd_id) {
            ensure!(known == command, "the cmd_id was used for {known:?}");
        }
        self.commands
            .insert(command.cmd_id.clone(), command.clone());
        let game = &message[2]["game"];
        let in_flight = self.open.values().any(|open| {
            game.is_string() && open[2]["game"] == *game && open[2].get("cmd_id").is_some()
        });
        ensure!(!in_flight, "one command of a game at a time");
        if !self.owed.is_empty() {
            let owed = self.owed.remove(0);
            ensure!(
                *command == owed,
                "{owed:?} was not answered and comes first"
            );
        }
        Ok(())
    }

    fn attach(&mut self, message: &Value, at: std::time::Instant) -> Result<()> {
        let game = message[2]["game"].as_str().context("a game")?;
        let position = self.games.entry(game.to_owned()).or_default();
        let (epoch, seq) = (message[2]["epoch"].as_u64(), message[2]["seq"].as_u64());
        position.waits_for_answer = true;
        let Some(known) = position.epoch else {
            ensure!(epoch.is_none(), "no epoch is known yet");
            ensure!(seq.is_none_or(|seq| seq == 0), "seq without epoch is 0");
            return Ok(());
        };
        ensure!(
            epoch == Some(known),
            "the epoch {known} goes with the position"
        );
        // Messages sent just before may not have reached the client.
        let lately = position
            .applied
            .iter()
            .filter(|(applied, _)| at.duration_since(*applied) > Duration::from_secs(2));
        let surely = lately.map(|(_, seq)| *seq).max().unwrap_or(0);
        ensure!(
            seq.is_some_and(|seq| (surely..=position.seq).contains(&seq)),
            "resumes from {seq:?}; {} was the last event",
            position.seq
        );
        position.seq = seq.unwrap_or(position.seq);
        Ok(())
    }

    fn server(&mut self, entry: &Entry) -> Result<()> {
        if entry.frame.opcode == PING {
            self.pings.push(entry.frame.payload.clone());
        }
        let Some(message) = &entry.message else {
            return Ok(());
        };
        let (op, body) = (message[0].as_str().unwrap_or_default(), &message[2]);
        if op == "welcome" {
            self.token = body["token"].as_str().map(str::to_owned);
        }
        let asked = message[1].as_u64().and_then(|id| self.open.remove(&id));
        if asked.is_some_and(|asked| asked[0] == "attach") && op == "ok" {
            let game = body["game"].as_str().unwrap_or_default();
            let position = self.games.entry(game.to_owned()).or_default();
            position.epoch = body["epoch"].as_u64();
            position.waits_for_answer = false;
            position.waits_for_snapshot = body["outcome"] == "snapshot";
        }
        let Some(position) = body["game"]
            .as_str()
            .and_then(|game| self.games.get_mut(game))
        else {
            return Ok(());
        };
        let seq = body["seq"].as_u64().unwrap_or(0);
        if op == "snapshot" {
            position.waits_for_snapshot = false;
            position.epoch = body["epoch"].as_u64();
            position.seq = seq;
            position.applied.push((entry.at, seq));
        } else if op == "event"
            && !position.waits_for_answer
            && !position.waits_for_snapshot
            && seq == position.seq + 1
        {
            position.seq = seq;
            position.applied.push((entry.at, seq));
        }
        Ok(())
    }
}

/// Checks that every ping was answered with its payload, but for those at the very end of a connection.
///
/// # Errors
/// When one was not.
pub(super) fn pongs(run: &Run) -> Result<()> {
    let connections: BTreeSet<usize> = run.log.iter().map(|entry| entry.connection).collect();
    let mut asked = 0;
    for connection in connections {
        let entries: Vec<&Entry> = run
            .log
            .iter()
            .filter(|entry| entry.connection == connection)
            .collect();
        let Some(last) = entries.last() else {
            continue;
        };
        for ping in entries
            .iter()
            .filter(|entry| entry.from == Side::Server && entry.frame.opcode == PING)
        {
            if last.at.duration_since(ping.at) < Duration::from_millis(50) {
                continue;
            }
            asked += 1;
            let is_answer = |entry: &&&Entry| {
                entry.from == Side::Client
                    && entry.frame.opcode == PONG
                    && entry.frame.payload == ping.frame.payload
            };
            ensure!(
                entries.iter().any(|entry| is_answer(&entry)),
                "the ping {:?} was not answered",
                ping.frame.payload
            );
        }
    }
    ensure!(asked > 0, "no ping was sent");
    Ok(())
}
