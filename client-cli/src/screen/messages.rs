//! Messages on the screen for the reports of the application.

use tilewire_protocol::{ChatClosedReason, CloseCode, ErrorBody, ErrorCode, ServerMessage};

use super::{Screen, Tone};
use crate::app::{Complaint, Done, Report, State, Status};
use crate::text::{
    hint_text, moderated, narrate, narrate_found, narrate_invitation, narrate_rematch, printable,
};
use tilewire_client::GameView;

impl Screen {
    /// Shows a report; `view` is the view of the game after it.
    pub fn report(&mut self, report: &Report, view: Option<&GameView>) {
        match report {
            Report::Status(status) => self.report_status(status),
            Report::Push(message) => self.report_push(message, view),
            Report::Found(seek) => self.add_message(narrate_found(seek), Tone::Info),
            Report::Seek(seek) => {
                let names: Vec<String> = seek
                    .members
                    .iter()
                    .map(|person| printable(&person.name))
                    .collect();
                self.add_message(
                    format!(
                        "{} of {} players have joined: {}.",
                        names.len(),
                        seek.options.seats,
                        names.join(", ")
                    ),
                    Tone::Info,
                );
            }
            Report::Similar(seeks) if !seeks.is_empty() => self.add_message(
                "Offers that differ from yours only in the clock; type join 1 to join the first.",
                Tone::Info,
            ),
            Report::Chat(said, channel) => self.report_chat(said, *channel),
            Report::Similar(_)
            | Report::Choose(_)
            | Report::Games(_)
            | Report::Finished(_)
            | Report::RuleSets(_)
            | Report::RuleSet(_)
            | Report::Words(_) => {}
            // The events of the game show the effect of most commands.
            Report::Ok(..) => {}
            Report::Queued(_, command) => self.add_message(
                format!("Queued until reconnected: {}", printable(command)),
                Tone::Info,
            ),
            Report::Done(_, done) => self.report_done(done),
            Report::Complaint(complaint) => self.report_complaint(complaint),
            Report::Error(_, body) => {
                self.draft_refused();
                self.report_error(body);
            }
            Report::BadInput(_, text) => {
                self.draft_refused();
                self.add_message(printable(text), Tone::Warning);
            }
        }
    }

    fn report_status(&mut self, status: &Status) {
        match status.state {
            State::Connected => {
                "connected".clone_into(&mut self.connection);
                self.identity.clone_from(&status.identity);
                let name = status.name.as_deref().map(printable).unwrap_or_default();
                self.add_message(format!("Connected as {name}."), Tone::Info);
                let unfinished = status.games.as_deref().unwrap_or(&[]);
                let resume = status.next.as_ref().and_then(|next| next.resume.as_ref());
                if let Some(resume) = resume {
                    let text = format!("You have {} unfinished: {resume}", games(unfinished.len()));
                    self.add_message(text, Tone::Info);
                }
            }
            State::Attached => {
                "connected".clone_into(&mut self.connection);
                if let Some(warning) = &status.reason {
                    self.add_message(warning.clone(), Tone::Warning);
                }
            }
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
                    "The server is restarting".to_owned()
                } else {
                    let reason = status.reason.as_deref().unwrap_or("no reason given");
                    format!("Connection lost ({reason})")
                };
                // Only the first attempt is a message; the title shows the state.
                if status.attempt == Some(1) {
                    self.add_message(
                        format!("{what}; reconnecting in {seconds} s."),
                        Tone::Warning,
                    );
                }
            }
            State::Resumed => {
                "connected".clone_into(&mut self.connection);
                self.add_message("Reconnected; the game is up to date.", Tone::Info);
            }
            State::Closed => {
                "closed".clone_into(&mut self.connection);
                self.add_message(status.reason.clone().unwrap_or_default(), Tone::Info);
            }
        }
    }

    fn report_push(&mut self, message: &ServerMessage, view: Option<&GameView>) {
        match message {
            ServerMessage::Event(event) => {
                if let Some(text) = view.and_then(|view| narrate(view, event)) {
                    self.add_message(text, Tone::Info);
                }
                if let Some(view) = view {
                    self.game_changed(view);
                }
            }
            ServerMessage::Hint(hint) => self.add_message(hint_text(hint), Tone::Info),
            ServerMessage::Snapshot(_) => {
                if let Some(view) = view {
                    self.game_changed(view);
                }
            }
            ServerMessage::Notice(notice) => self.add_message(
                format!("Server: {}", printable(&notice.text)),
                Tone::Warning,
            ),
            ServerMessage::Moderation(told) => {
                self.add_message(printable(&moderated(told)), Tone::Warning);
            }
            ServerMessage::ChatHidden(hidden) => self.hide_chat(hidden),
            ServerMessage::ChatClosed(closed) if closed.reason == ChatClosedReason::ChatOff => {
                self.add_message("You have turned chat off.", Tone::Info);
            }
            ServerMessage::Error(error) => self.report_error(error),
            ServerMessage::Detached(detached) => {
                self.add_message(printable(&detached.message), Tone::Warning)
            }
            ServerMessage::YourTurn(call) => self.add_message(
                format!(
                    "It is your turn in another game: {}.",
                    printable(call.game.as_str())
                ),
                Tone::Info,
            ),
            ServerMessage::Rating(change) => self.add_message(
                format!(
                    "Your rating in {}: {} ({:+})",
                    printable(&change.pool),
                    change.after.value,
                    change.after.value.saturating_sub(change.before)
                ),
                Tone::Info,
            ),
            ServerMessage::Rematch(changed) => {
                if let Some(text) = view.and_then(|view| narrate_rematch(view, changed)) {
                    self.add_message(text, Tone::Info);
                }
            }
            ServerMessage::Invitation(told) => {
                let text = narrate_invitation(told, self.identity.as_ref());
                self.add_message(text, Tone::Info);
            }
            ServerMessage::GameCreated(_) => self.add_message("The game starts.", Tone::Info),
            _ => {}
        }
    }

    fn report_done(&mut self, done: &Done) {
        match done {
            Done::Help(_) => self.shows_help = true,
            Done::Reporting(name) => {
                let text = format!("Sending your report about {}...", printable(name));
                self.add_message(text, Tone::Info);
            }
            Done::Rack(_) | Done::Game(_) | Done::Quit(_) => {}
        }
    }

    fn report_complaint(
        &mut self,
        Complaint {
            player, message, ..
        }: &Complaint,
    ) {
        let name = printable(player);
        match message {
            None => {
                let text = format!("Your report about {name} has been sent to the moderators.");
                self.add_message(text, Tone::Info);
            }
            Some(why) => {
                let why = printable(why);
                let text = format!("Your report about {name} was not sent: {why}.");
                self.add_message(text, Tone::Warning);
            }
        }
    }

    fn report_error(&mut self, error: &ErrorBody) {
        let detail = error.detail.as_deref();
        let tiles = detail.and_then(|detail| detail.tiles.as_deref());
        if let (ErrorCode::TileNotInRack, Some(tiles)) = (error.code, tiles) {
            return self.add_message(missing_tiles(tiles), Tone::Warning);
        }
        let mut text = printable(&error.message);
        if let Some(detail) = detail {
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
        self.add_message(text, Tone::Warning);
    }
}

/// The refusal of a play or an exchange with tiles that the rack lacks.
fn missing_tiles(tiles: &[String]) -> String {
    let tiles: Vec<String> = tiles.iter().map(|tile| printable(tile)).collect();
    let noun = if tiles.len() == 1 { "tile" } else { "tiles" };
    format!("You don't have the {noun} {}.", tiles.join(", "))
}

fn games(count: usize) -> String {
    match count {
        1 => "a game".to_owned(),
        _ => format!("{count} games"),
    }
}
