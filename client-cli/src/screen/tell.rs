//! Reports of the application as messages on the screen.

use tilewire_protocol::{CloseCode, ErrorBody, OkBody, ServerMessage};

use super::{Screen, Tone};
use crate::app::{Done, Report, State, Status};
use crate::text::{narrate, printable};
use tilewire_client::GameView;

impl Screen {
    /// Takes in what the application tells; `view` is the game after it.
    pub fn tell(&mut self, report: &Report, view: Option<&GameView>) {
        match report {
            Report::Status(status) => self.tell_status(status),
            Report::Push(message) => self.tell_push(message, view),
            Report::Seek(seek) => {
                let names: Vec<String> = seek
                    .members
                    .iter()
                    .map(|person| printable(&person.name))
                    .collect();
                self.say(
                    format!(
                        "{} of {} are here: {}.",
                        names.len(),
                        seek.options.seats,
                        names.join(", ")
                    ),
                    Tone::News,
                );
            }
            Report::Choose(_) | Report::Games(_) | Report::RuleSets(_) | Report::RuleSet(_) => {}
            Report::Ok(_, body) => self.tell_ok(body),
            Report::Done(_, done) => self.tell_done(done),
            Report::Error(_, body) => self.tell_error(body),
            Report::BadInput(_, text) => self.say(printable(text), Tone::Trouble),
        }
    }

    fn tell_status(&mut self, status: &Status) {
        match status.state {
            State::Connected => {
                "connected".clone_into(&mut self.connection);
                let name = status.name.as_deref().map(printable).unwrap_or_default();
                self.say(format!("Connected as {name}."), Tone::News);
                let unfinished = status.games.as_deref().unwrap_or(&[]);
                if !unfinished.is_empty() {
                    let games: Vec<&str> =
                        unfinished.iter().map(|game| game.game.as_str()).collect();
                    let text = format!(
                        "You have unfinished games: tilewire play --resume {}",
                        games.join(" | ")
                    );
                    self.say(text, Tone::News);
                }
            }
            State::Attached => "connected".clone_into(&mut self.connection),
            State::Reconnecting => {
                "reconnecting".clone_into(&mut self.connection);
                let seconds = status
                    .retry_in_ms
                    .unwrap_or(0)
                    .max(0)
                    .unsigned_abs()
                    .div_ceil(1000);
                let restarts = Some(CloseCode::Restarting.as_u16());
                let what = if status.close_code == restarts {
                    "The server restarts".to_owned()
                } else {
                    let reason = status.reason.as_deref().unwrap_or("no reason given");
                    format!("Connection lost ({reason})")
                };
                // Every attempt has the same story; the first tells it.
                if status.attempt == Some(1) {
                    self.say(
                        format!("{what}; trying again in {seconds} s."),
                        Tone::Trouble,
                    );
                }
            }
            State::Resumed => {
                "connected".clone_into(&mut self.connection);
                self.say("Connected again; nothing is lost.", Tone::News);
            }
            State::Closed => {
                "closed".clone_into(&mut self.connection);
                self.say(status.reason.clone().unwrap_or_default(), Tone::News);
            }
        }
    }

    fn tell_push(&mut self, message: &ServerMessage, view: Option<&GameView>) {
        match message {
            ServerMessage::Event(event) => {
                if let Some(text) = view.and_then(|view| narrate(view, event)) {
                    self.say(text, Tone::News);
                }
            }
            ServerMessage::Notice(notice) => self.say(
                format!("Server: {}", printable(&notice.text)),
                Tone::Trouble,
            ),
            ServerMessage::Error(error) => self.tell_error(error),
            ServerMessage::Detached(detached) => {
                self.say(printable(&detached.message), Tone::Trouble)
            }
            ServerMessage::GameCreated(_) => self.say("The game begins.", Tone::News),
            _ => {}
        }
    }

    /// Most commands show by what they cause.
    fn tell_ok(&mut self, _body: &OkBody) {}

    fn tell_done(&mut self, done: &Done) {
        match done {
            Done::Help(_) => self.shows_help = true,
            Done::Rack(_) | Done::Game(_) | Done::Quit(_) => {}
        }
    }

    fn tell_error(&mut self, error: &ErrorBody) {
        let mut text = printable(&error.message);
        if let Some(detail) = &error.detail {
            for list in [&detail.words, &detail.squares]
                .into_iter()
                .flatten()
                .filter(|list| !list.is_empty())
            {
                let list: Vec<String> = list.iter().map(|item| printable(item)).collect();
                let list = list.join(", ");
                if !text.contains(&list) {
                    text.push_str(&format!(" ({list})"));
                }
            }
        }
        self.say(text, Tone::Trouble);
    }
}
