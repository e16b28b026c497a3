//! The other player: it joins the seek of the client under test, accepts its plays, passes, and resigns in the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::Target;
use super::super::link::Link;

/// Turns of the client after which the opponent resigns: enough for plays, windows and draws.
const TURNS: usize = 4;

/// The opponent's actions beside playing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Conduct {
    /// Nothing.
    #[default]
    Plays,
    /// It asks to adjourn the game before its first turn, and is ready at once to go on.
    Adjourns,
}

/// An opponent at work.
#[derive(Debug)]
pub(super) struct Opponent {
    is_over: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<Result<()>>,
}

impl Opponent {
    /// Connects directly to the server, waits for a seek of the player `name`, and plays.
    ///
    /// # Errors
    /// When the server does not welcome it.
    pub(super) fn start(target: &Target, name: &str, conduct: Conduct) -> Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut player = Player {
            link: Link::guest(target, "Opponent")?,
            name: name.to_owned(),
            conduct,
            waiting_turn: None,
            game: None,
            turns: 0,
            commands: 0,
        };
        let listed = player.link.ok("lobby_subscribe", json!({}))?;
        for seek in listed["seeks"].as_array().into_iter().flatten() {
            player.seek(seek);
        }
        let stop = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || player.run(&stop));
        Ok(Self { is_over, thread })
    }

    /// The client has ended: so has the game for the opponent.
    pub(super) fn stop(self) {
        self.is_over.store(true, Ordering::SeqCst);
        // It can only have failed because the game went wrong, which the client's traffic shows.
        drop(self.thread.join());
    }
}

struct Player {
    link: Link,
    name: String,
    /// The actions beside playing that remain.
    conduct: Conduct,
    /// The number of its turn that waits until its request to adjourn is over.
    waiting_turn: Option<Value>,
    game: Option<String>,
    turns: usize,
    commands: u32,
}

impl Player {
    fn run(mut self, is_over: &AtomicBool) -> Result<()> {
        while !is_over.load(Ordering::SeqCst) {
            self.link.listen(Duration::from_millis(5))?;
            for push in self.link.take_pushes() {
                self.push(&push);
            }
        }
        Ok(())
    }

    fn seek(&mut self, seek: &Value) {
        let members = seek["members"].as_array().cloned().unwrap_or_default();
        let is_wanted = members
            .iter()
            .any(|member| member["name"] == self.name.as_str());
        if is_wanted && self.game.is_none() {
            self.send("join_seek", json!({ "seek": seek["seek"] }));
        }
    }

    /// Sends a command and waits for its answer; one that is refused for now is sent again. Returns whether it is done.
    fn send(&mut self, op: &str, mut body: Value) -> bool {
        self.commands += 1;
        body["cmd_id"] = json!(format!("opponent-{}", self.commands));
        for _ in 0..50 {
            match self.link.ask(op, body.clone()) {
                Ok(answer) if answer[2]["retryable"] == true => {
                    if self.link.listen(Duration::from_millis(100)).is_err() {
                        return false;
                    }
                }
                answer => return answer.is_ok_and(|answer| answer[0] == "ok"),
            }
        }
        false
    }

    fn command(&mut self, op: &str, mut body: Value) -> bool {
        body["game"] = json!(self.game);
        self.send(op, body)
    }

    fn push(&mut self, push: &Value) {
        let body = &push[2];
        match push[0].as_str().unwrap_or_default() {
            "lobby" if body["change"] == "seek_added" => self.seek(&body["seek"]),
            "game_created" => {
                self.game = body["game"].as_str().map(str::to_owned);
                let attach = json!({ "game": self.game, "seq": 0 });
                drop(self.link.ask("attach", attach));
                self.command("ready", json!({}));
            }
            "event" => self.event(body),
            _ => {}
        }
    }

    fn event(&mut self, event: &Value) {
        match event["kind"].as_str().unwrap_or_default() {
            "play_made" | "exchanged" | "passed" if event["seat"] == 0 => {
                self.turns += 1;
                if self.turns >= TURNS {
                    self.command("resign", json!({}));
                } else if event.get("window").is_some() {
                    self.command("accept", json!({ "play_id": event["seq"] }));
                }
            }
            "turn_started" if event["seat"] == 1 && self.turns < TURNS => {
                self.turn(&event["turn_no"]);
            }
            "adjourned" => {
                self.command("resume_game", json!({}));
            }
            "adjourn_declined" | "resumed" => self.pass(),
            _ => {}
        }
    }

    /// Asks what it still has to ask, or passes.
    fn turn(&mut self, turn_no: &Value) {
        self.waiting_turn = Some(turn_no.clone());
        let conduct = std::mem::take(&mut self.conduct);
        if conduct == Conduct::Plays || !self.command("adjourn", json!({})) {
            self.pass();
        }
    }

    /// Passes in the turn that waits, if one does.
    fn pass(&mut self) {
        if let Some(turn_no) = self.waiting_turn.take() {
            self.command("pass", json!({ "turn_no": turn_no }));
        }
    }
}
