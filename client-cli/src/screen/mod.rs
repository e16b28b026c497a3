//! The terminal screen: input line, messages and drawing; pure, it draws into a buffer.

mod board;
mod draw;
mod layout;
mod lobby;
mod messages;
mod panel;
mod scoresheet;
mod status;
mod theme;

use std::collections::VecDeque;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tilewire_protocol::{GameSummary, Seek};
use tui_input::backend::crossterm::EventHandler;

use crate::app::Lists;
use crate::command::{Command, LINE_MAX_BYTES};
use tilewire_client::GameView;

pub(crate) use lobby::{offer_line, summary};
pub use theme::{Colours, Theme};

/// The number of messages that are kept.
const MESSAGES_KEPT: usize = 200;
/// The number of typed lines that are kept for the arrow keys.
const LINES_KEPT: usize = 50;

/// The state of the application that the screen shows.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// The view of the game.
    pub view: Option<&'a GameView>,
    /// The open offer, and whether the player opened it.
    pub offer: Option<(&'a Seek, bool)>,
    /// The lobby, while the player is there.
    pub lobby: Option<&'a Lists>,
    /// The games to choose from.
    pub choices: Option<&'a [GameSummary]>,
    /// Server time, unix ms.
    pub now: i64,
    /// Whether the connection is up.
    pub is_connected: bool,
    /// The lag the server measured, ms.
    pub lag_ms: Option<i64>,
}

/// The state of the screen itself.
#[derive(Debug)]
pub struct Screen {
    theme: Theme,
    input: tui_input::Input,
    messages: VecDeque<Message>,
    typed: Vec<String>,
    // Index in `typed` while the arrow keys move through it.
    recall_index: Option<usize>,
    shows_help: bool,
    // Whether the player typed `resign` and has to confirm it.
    asks_resign: bool,
    // The number of turns by which the scoresheet is scrolled back.
    scrolled: usize,
    connection: String,
}

/// A message to the player.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Message {
    text: String,
    tone: Tone,
}

/// The importance of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// Information.
    Info,
    /// A refused command, or a problem with the connection.
    Warning,
}

/// The effect of a terminal event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reaction {
    /// Only a redraw.
    Redraw,
    /// An input line for the application.
    Line(String),
}

impl Screen {
    /// An empty screen.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            input: tui_input::Input::default(),
            messages: VecDeque::new(),
            typed: Vec::new(),
            recall_index: None,
            shows_help: false,
            asks_resign: false,
            scrolled: 0,
            connection: "connecting".to_owned(),
        }
    }

    /// Handles an event of the terminal.
    pub fn event(&mut self, event: &Event) -> Reaction {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, event),
            _ => Reaction::Redraw,
        }
    }

    fn key(&mut self, key: KeyEvent, event: &Event) -> Reaction {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Reaction::Line("quit".to_owned()),
            KeyCode::Enter => {
                let line = self.input.value_and_reset();
                return self.line(line.trim());
            }
            KeyCode::Esc => {
                self.shows_help = false;
                self.asks_resign = false;
                self.input.reset();
            }
            KeyCode::PageUp => self.scrolled = self.scrolled.saturating_add(5),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_sub(5),
            KeyCode::Up => {
                self.recall(self.recall_index.unwrap_or(self.typed.len()).checked_sub(1))
            }
            KeyCode::Down => self.recall(self.recall_index.map(|place| place + 1)),
            _ if self.input.value().len() < LINE_MAX_BYTES || key.code == KeyCode::Backspace => {
                self.input.handle_event(event);
            }
            _ => {}
        }
        Reaction::Redraw
    }

    fn recall(&mut self, place: Option<usize>) {
        let Some(place) = place else { return };
        let line = self.typed.get(place).cloned();
        self.recall_index = line.is_some().then_some(place);
        self.input = tui_input::Input::new(line.unwrap_or_default());
    }

    /// Handles a typed line.
    fn line(&mut self, line: &str) -> Reaction {
        self.recall_index = None;
        self.shows_help = false;
        if std::mem::take(&mut self.asks_resign) {
            if line.eq_ignore_ascii_case("yes") {
                return Reaction::Line("resign".to_owned());
            }
            self.add_message("You did not resign.", Tone::Info);
            return Reaction::Redraw;
        }
        if line.is_empty() {
            return Reaction::Redraw;
        }
        self.typed.retain(|typed| typed != line);
        self.typed.push(line.to_owned());
        if self.typed.len() > LINES_KEPT {
            self.typed.remove(0);
        }
        match Command::parse(line) {
            Ok(Command::Resign) => {
                self.asks_resign = true;
                Reaction::Redraw
            }
            Ok(Command::Help) => {
                self.shows_help = true;
                Reaction::Redraw
            }
            _ => Reaction::Line(line.to_owned()),
        }
    }

    fn add_message(&mut self, text: impl Into<String>, tone: Tone) {
        self.messages.push_back(Message {
            text: text.into(),
            tone,
        });
        if self.messages.len() > MESSAGES_KEPT {
            self.messages.pop_front();
        }
    }
}

#[cfg(test)]
mod tests;
