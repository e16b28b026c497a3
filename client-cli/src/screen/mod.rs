//! The terminal screen: input line, messages and drawing; pure, it draws into a buffer.

mod board;
mod chat;
mod draft;
mod draw;
mod fit;
mod help;
mod hint;
mod layout;
mod lobby;
mod messages;
mod panel;
mod scoresheet;
mod status;
mod theme;

use std::collections::VecDeque;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tilewire_protocol::{GameSummary, IdentityId, Phase, Seek};
use tui_input::backend::crossterm::EventHandler;

use crate::app::Lists;
use crate::command::{Command, LINE_MAX_BYTES};
use crate::text::Invocation;
use draft::KeptDraft;
use tilewire_client::GameView;

pub(crate) use lobby::{offer_line, summary, with_turn};
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
    /// The open offers that differ from the player's own only in the clock.
    pub similar: &'a [Seek],
    /// The lobby, while the player is there.
    pub lobby: Option<&'a Lists>,
    /// The games to choose from.
    pub choices: Option<&'a [GameSummary]>,
    /// The commands to continue with after the end of the game.
    pub next: &'a [String],
    /// How the user called the program.
    pub invocation: &'a Invocation,
    /// The identity of the player, if it is known.
    pub own: Option<&'a IdentityId>,
    /// Server time, unix ms.
    pub now: i64,
    /// Whether the connection is up.
    pub is_connected: bool,
    /// The lag the server measured, ms.
    pub lag_ms: Option<i64>,
}

/// The player's choices for the screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScreenOptions {
    /// The effect of the first Enter after a play.
    pub first_enter: FirstEnter,
    /// Whether the terminal rings when the player's turn starts.
    pub bell: Bell,
}

/// The effect of the first Enter after a play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FirstEnter {
    /// It shows the play as a draft; the second Enter plays it.
    #[default]
    Drafts,
    /// It plays.
    Plays,
}

/// Whether the terminal rings when the player's turn starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bell {
    /// It is silent.
    #[default]
    Silent,
    /// It rings.
    Rings,
}

/// A command that the player has to confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Resign,
    Abort,
    AskAbort,
}

impl Question {
    const fn prompt(self) -> &'static str {
        match self {
            Self::Resign => "Really resign? Type yes: ",
            Self::Abort => "Really abort the game for all players? Type yes: ",
            Self::AskAbort => "Really ask once to abort the game? Type yes: ",
        }
    }

    const fn command(self) -> &'static str {
        match self {
            Self::Resign => "resign",
            Self::Abort | Self::AskAbort => "abort",
        }
    }
}

/// The state of the screen itself.
#[derive(Debug)]
pub struct Screen {
    theme: Theme,
    options: ScreenOptions,
    input: tui_input::Input,
    messages: VecDeque<Message>,
    typed: Vec<String>,
    // Index in `typed` while the arrow keys move through it.
    recall_index: Option<usize>,
    shows_help: bool,
    chat: chat::Chat,
    // The command that waits for a confirmation.
    question: Option<Question>,
    draft: Option<KeptDraft>,
    // Whether the player was on turn after the last change of the game.
    was_own_turn: bool,
    rings: bool,
    // The number of turns by which the scoresheet is scrolled back.
    scrolled: usize,
    connection: String,
    // The player, once the server has said who it is.
    identity: Option<IdentityId>,
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
    /// A line of chat.
    Chat,
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
    pub fn new(theme: Theme, options: ScreenOptions) -> Self {
        Self {
            theme,
            options,
            input: tui_input::Input::default(),
            messages: VecDeque::new(),
            typed: Vec::new(),
            recall_index: None,
            shows_help: false,
            chat: chat::Chat::default(),
            question: None,
            draft: None,
            was_own_turn: false,
            rings: false,
            scrolled: 0,
            connection: "connecting".to_owned(),
            identity: None,
        }
    }

    /// Handles an event of the terminal; `view` is the view of the game.
    pub fn event(&mut self, event: &Event, view: Option<&GameView>) -> Reaction {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, event, view),
            _ => Reaction::Redraw,
        }
    }

    /// Returns whether the terminal has to ring, once for each start of the player's turn.
    pub fn take_bell(&mut self) -> bool {
        std::mem::take(&mut self.rings)
    }

    /// Handles a change of the game: the player's turn may have started, and the draft may be impossible.
    fn game_changed(&mut self, view: &GameView) {
        let is_own_turn = view.is_own_turn();
        if is_own_turn && !self.was_own_turn && self.options.bell == Bell::Rings {
            self.rings = true;
        }
        self.was_own_turn = is_own_turn;
        self.check_draft(view);
    }

    fn key(&mut self, key: KeyEvent, event: &Event, view: Option<&GameView>) -> Reaction {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Reaction::Line("quit".to_owned()),
            KeyCode::Enter => {
                let line = self.input.value_and_reset();
                return self.line(line.trim(), view);
            }
            KeyCode::Esc => self.escape(),
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

    /// Handles Esc: closes the help page, declines a question, clears the input, or removes the draft.
    fn escape(&mut self) {
        let closes_chat = std::mem::take(&mut self.chat.is_open);
        if std::mem::take(&mut self.shows_help) || closes_chat {
            return;
        }
        if self.question.take().is_none() && self.input.value().is_empty() {
            self.draft = None;
        }
        self.input.reset();
    }

    /// Handles a typed line.
    fn line(&mut self, line: &str, view: Option<&GameView>) -> Reaction {
        self.recall_index = None;
        self.chat.seen();
        let closes_chat = std::mem::take(&mut self.chat.is_open);
        let closes_page = std::mem::take(&mut self.shows_help) || closes_chat;
        if let Some(question) = self.question.take() {
            if line.eq_ignore_ascii_case("yes") {
                return Reaction::Line(question.command().to_owned());
            }
            self.add_message("Cancelled.", Tone::Info);
            return Reaction::Redraw;
        }
        if line.is_empty() {
            return if closes_page {
                Reaction::Redraw
            } else {
                self.enter_again(view)
            };
        }
        self.typed.retain(|typed| typed != line);
        self.typed.push(line.to_owned());
        if self.typed.len() > LINES_KEPT {
            self.typed.remove(0);
        }
        match Command::parse(line) {
            Ok(Command::Play(play)) => self.enter_play(line, play, view),
            Ok(Command::Resign) => self.ask(Question::Resign),
            Ok(Command::Abort) => self.ask(match view {
                Some(view) if view.setup.options.rated && view.phase != Phase::Waiting => {
                    Question::AskAbort
                }
                _ => Question::Abort,
            }),
            Ok(Command::Help) => {
                self.shows_help = true;
                Reaction::Redraw
            }
            Ok(Command::Chat) => {
                self.chat.is_open = true;
                Reaction::Redraw
            }
            _ => Reaction::Line(line.to_owned()),
        }
    }

    fn ask(&mut self, question: Question) -> Reaction {
        self.question = Some(question);
        Reaction::Redraw
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
