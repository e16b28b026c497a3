//! The application without I/O: it takes the time and an input, and returns effects.
//!
//! Invariants:
//! - every input line has exactly one answer, `ok` or `error`, in order;
//! - a command keeps its `cmd_id` across reconnects until it is answered, and at most one command is unanswered;
//! - an event is reported exactly once, in the order of its `seq`.

mod attach;
mod chat;
mod complaint;
mod config;
mod connection;
mod goal;
mod help;
mod input_lines;
mod invitations;
mod lobby;
mod next;
mod receive;
mod rematch;
mod report;
mod similar;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use data_encoding::HEXLOWER;
use tilewire_protocol::{
    Attach, Bytes, ClientMessage, GameId, GameSummary, Hello, IdentityId, Phase, Role, Seek,
    ServerMessage, Token,
};

use crate::random::Random;
use crate::reporting::ReportOrder;
use crate::text::Invocation;
use connection::Connection;
use tilewire_client::{ClientSession, GameView};

pub use complaint::REPORTS_AT_ONCE;
pub use config::{Accept, AppConfig, AtEnd, ChangeOffer, Follow, Goal, Offer, OnRefusal};
pub use help::{LOBBY_HELP, game_help};
pub use next::Next;
pub use report::{Channel, Complaint, Done, Lists, Report, State, Status};

/// An input of the application.
#[derive(Debug)]
pub enum Input {
    /// The program has started.
    Started,
    /// The connection is open.
    Opened,
    /// A message arrived, with its id.
    Received(u64, Box<ServerMessage>),
    /// The connection was closed, or could not be opened.
    Lost(Loss),
    /// The user typed a line.
    Line(String),
    /// The input ended.
    EndOfInput,
    /// The token that the profile has now.
    Kept(Option<Token>),
    /// The server has answered a report of a player, or could not be reached.
    Reported(Complaint),
    /// The moment of [`App::deadline`] may have come.
    Tick,
}

/// How a connection was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The server's close code.
    pub close_code: Option<u16>,
    /// The reason, for people.
    pub reason: String,
    /// Whether another attempt is pointless.
    pub is_final: bool,
}

/// An action for the shell.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Open a connection.
    Connect,
    /// Send a request on the open connection.
    Send(u64, Box<ClientMessage>),
    /// Store the token.
    KeepToken(Token),
    /// Read the stored token again, and return [`Input::Kept`]: another program may have stored a newer one.
    ReadToken,
    /// Report it to the user.
    Report(Report),
    /// Send this report of a player over HTTP, and return [`Input::Reported`]. Nothing waits for it.
    SendReport(Box<ReportOrder>),
    /// Close the connection and end the program with this exit status.
    Exit(u8),
}

/// A request with its origin.
#[derive(Debug, Clone)]
struct Request {
    message: ClientMessage,
    origin: Origin,
}

/// The cause of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    /// The input line with this number.
    Line(u64),
    /// The task of the program.
    Goal,
    /// A command that the program sends by itself and that may fail.
    Auto,
    /// The input line with this number: the room is for this line of chat.
    Tell(u64, String),
    /// The end of the program.
    Shutdown,
}

/// An offer that waits for players.
#[derive(Debug, Clone, PartialEq)]
struct Waiting {
    seek: Seek,
    is_own: bool,
}

/// The application.
#[derive(Debug)]
pub struct App {
    config: AppConfig,
    connection: Connection,
    session: ClientSession,
    random: Random,
    hello: Option<Hello>,
    identity: Option<IdentityId>,
    // Server time minus local time, ms.
    offset_ms: Option<i64>,
    lag_ms: Option<i64>,
    nonce: [u8; 32],
    // Unanswered requests on this connection, in the order they were sent.
    unanswered: BTreeMap<u64, Request>,
    // Commands to send once the command before is answered.
    commands: VecDeque<Request>,
    lines: VecDeque<(u64, String)>,
    lines_read: u64,
    input_ended: bool,
    // The unfinished games at the start of the program.
    known_games: BTreeSet<GameId>,
    waiting: Option<Waiting>,
    // The code of the private game, if the program knows it.
    code: Option<String>,
    choices: Option<Vec<GameSummary>>,
    lists: Lists,
    // Whether the program is subscribed to the lobby.
    in_lobby: bool,
    similar: Vec<Seek>,
    game: Option<GameId>,
    announced: Option<GameId>,
    // The rematch that the player agreed to, until it begins or the offer ends.
    rematch: Option<GameId>,
    chat: chat::ChatRoom,
    // Reports of players that are on their way.
    complaints: usize,
    attaching: Option<Attach>,
    // Lines run only after the events up to this one have arrived.
    head: Option<u64>,
    role: Role,
    seat: Option<u8>,
    view: Option<GameView>,
    // Requests that the server refused temporarily, and when to send each again.
    retries: Vec<(i64, Request)>,
    // Temporary refusals in a row.
    refusals: u32,
    quitting_by: Option<i64>,
    exit: Option<u8>,
}

impl App {
    /// A new application; its first input is [`Input::Started`].
    ///
    /// # Panics
    /// Never: the prefix of its command ids is well-formed.
    #[must_use]
    pub fn new(config: AppConfig) -> Self {
        let mut random = Random::new(config.seed);
        let prefix = HEXLOWER.encode(&random.bytes()[..8]);
        let session =
            ClientSession::new(&prefix, 1).expect("16 hexadecimal digits are a good prefix");
        let nonce = random.bytes();
        let code = match &config.goal {
            Goal::JoinCode(code) | Goal::Watch(_, Some(code)) => Some(code.clone()),
            _ => None,
        };
        Self {
            config,
            connection: Connection::default(),
            session,
            random,
            hello: None,
            identity: None,
            offset_ms: None,
            lag_ms: None,
            nonce,
            unanswered: BTreeMap::new(),
            commands: VecDeque::new(),
            lines: VecDeque::new(),
            lines_read: 0,
            input_ended: false,
            known_games: BTreeSet::new(),
            waiting: None,
            code,
            choices: None,
            lists: Lists::default(),
            in_lobby: false,
            similar: Vec::new(),
            game: None,
            announced: None,
            rematch: None,
            chat: chat::ChatRoom::default(),
            complaints: 0,
            attaching: None,
            head: None,
            role: Role::Spectator,
            seat: None,
            view: None,
            retries: Vec::new(),
            refusals: 0,
            quitting_by: None,
            exit: None,
        }
    }

    /// Handles an input at `now`, in ms of a monotonic clock, and returns the effects in order.
    #[must_use]
    pub fn handle(&mut self, now: i64, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.exit.is_some() {
            return effects;
        }
        match input {
            Input::Started => self.connect(&mut effects),
            Input::Opened => self.opened(),
            Input::Received(id, message) => self.received(now, id, *message, &mut effects),
            Input::Lost(loss) => self.lost(now, &loss, &mut effects),
            Input::Line(line) => self.line_read(line, &mut effects),
            Input::EndOfInput => self.input_ended = true,
            Input::Kept(token) => self.kept(now, token, &mut effects),
            Input::Reported(complaint) => self.report_answered(complaint, &mut effects),
            Input::Tick => self.tick(now, &mut effects),
        }
        self.advance(now, &mut effects);
        effects
    }

    /// The moment at which [`Input::Tick`] is due.
    #[must_use]
    pub fn deadline(&self) -> Option<i64> {
        let retry = self.retries.iter().map(|(at, _)| *at).min();
        [self.connection.retry_at(), retry, self.quitting_by]
            .into_iter()
            .flatten()
            .min()
    }

    /// The task of the program.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.config.goal
    }

    /// How the user called the program.
    #[must_use]
    pub fn invocation(&self) -> &Invocation {
        &self.config.invocation
    }

    /// The identity of the player, as soon as the server has told it.
    #[must_use]
    pub const fn identity(&self) -> Option<&IdentityId> {
        self.identity.as_ref()
    }

    /// The view of the game.
    #[must_use]
    pub fn view(&self) -> Option<&GameView> {
        self.view.as_ref()
    }

    /// The server's time at `now`, unix ms.
    #[must_use]
    pub fn server_time(&self, now: i64) -> i64 {
        now.saturating_add(self.offset_ms.unwrap_or(0))
    }

    /// Whether the connection is up and authenticated.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.connection.is_ready()
    }

    /// The lag the server measured, ms.
    #[must_use]
    pub fn lag_ms(&self) -> Option<i64> {
        self.lag_ms
    }

    /// The offer that waits for players, and whether the player opened it.
    #[must_use]
    pub fn offer(&self) -> Option<(&Seek, bool)> {
        self.waiting
            .as_ref()
            .map(|waiting| (&waiting.seek, waiting.is_own))
    }

    /// The games to choose from, if the next line names one.
    #[must_use]
    pub fn choices(&self) -> Option<&[GameSummary]> {
        self.choices.as_deref()
    }

    /// Sends queued commands and runs lines, as far as possible.
    fn advance(&mut self, now: i64, effects: &mut Vec<Effect>) {
        while self.exit.is_none() {
            // `quit` works without a connection.
            if !self.connection.is_ready() && self.wants_to_quit() {
                self.next_line(now, effects);
            } else if self.has_command_in_flight() && !self.own_turn_waits() {
                break;
            } else if let Some(command) = self.commands.front().cloned() {
                let is_held_up = self.has_command_in_flight() && command.message.ends_turn();
                if is_held_up || !self.connection.is_ready() || self.attaching.is_some() {
                    break;
                }
                self.commands.pop_front();
                self.send(command, effects);
            } else if self.takes_lines() && !self.lines.is_empty() {
                self.next_line(now, effects);
            } else {
                break;
            }
        }
        self.leave_if_done(effects);
    }

    fn has_command_in_flight(&self) -> bool {
        let is_command = |request: &Request| request.message.cmd_id().is_some();
        self.unanswered.values().any(is_command)
            || self.retries.iter().any(|(_, request)| is_command(request))
    }

    /// Whether the only unanswered command is a turn that waits for the challenge window: the player can challenge,
    /// accept, hold and resign meanwhile.
    fn own_turn_waits(&self) -> bool {
        let waits = |view: &GameView| view.waiting_until.is_some() && view.is_own_turn();
        let mut open = self.unanswered.values();
        self.view.as_ref().is_some_and(waits)
            && self.retries.is_empty()
            && open.all(|request| request.message.cmd_id().is_none() || request.message.ends_turn())
    }

    fn leave_if_done(&mut self, effects: &mut Vec<Effect>) {
        let is_busy = self.has_command_in_flight() || !self.commands.is_empty();
        if self.exit.is_some() || is_busy || self.complaints > 0 {
            return;
        }
        if self.quitting_by.is_some() {
            return self.end(0, "quit", effects);
        }
        let is_over = self
            .view
            .as_ref()
            .is_some_and(|view| view.phase == Phase::Ended);
        let leaves = self.config.at_end == AtEnd::Leave || self.input_ended;
        let may_leave = leaves && !self.waits_for_rematch();
        if is_over && may_leave && self.lines.is_empty() && self.is_caught_up() {
            self.end(0, "the game is over", effects);
        }
    }

    /// Ends the program.
    fn end(&mut self, exit: u8, reason: &str, effects: &mut Vec<Effect>) {
        let status = Status {
            reason: Some(reason.to_owned()),
            exit: Some(exit),
            ..Status::of(State::Closed)
        };
        self.end_with(exit, status, effects);
    }

    fn end_with(&mut self, exit: u8, mut status: Status, effects: &mut Vec<Effect>) {
        self.exit = Some(exit);
        status.next = self.next();
        effects.push(Effect::Report(Report::Status(Box::new(status))));
        effects.push(Effect::Exit(exit));
    }

    fn send(&mut self, request: Request, effects: &mut Vec<Effect>) {
        let id = self.session.next_request_id();
        effects.push(Effect::Send(id, Box::new(request.message.clone())));
        self.unanswered.insert(id, request);
    }

    fn tick(&mut self, now: i64, effects: &mut Vec<Effect>) {
        if self.quitting_by.is_some_and(|by| by <= now) {
            return self.end(0, "quit", effects);
        }
        let retries = std::mem::take(&mut self.retries);
        let (due, later): (Vec<_>, _) = retries.into_iter().partition(|(at, _)| *at <= now);
        self.retries = later;
        for (_, request) in due {
            self.retry_request(request, effects);
        }
        if self.connection.retry_at().is_some_and(|at| at <= now) {
            self.connect(effects);
        }
    }

    /// Sends a request again after a temporary refusal.
    fn retry_request(&mut self, request: Request, effects: &mut Vec<Effect>) {
        if request.message.cmd_id().is_some() {
            self.commands.push_front(request);
        } else if self.connection.is_ready() {
            self.send(request, effects);
        }
        // Without a connection there is nothing to do: the reconnect repeats all requests.
    }

    /// The player's nonce for the shuffle of the bag, for `ready`.
    fn nonce(&self) -> Bytes {
        Bytes::from(self.nonce)
    }
}

/// The id of a command of a game or of the lobby.
trait CommandId {
    fn cmd_id(&self) -> Option<&tilewire_protocol::CmdId>;
}

impl CommandId for ClientMessage {
    fn cmd_id(&self) -> Option<&tilewire_protocol::CmdId> {
        self.game_command()
            .map(|(_, cmd_id)| cmd_id)
            .or_else(|| self.seek_command())
            .or(match self {
                Self::ChatSay(say) => Some(&say.cmd_id),
                _ => None,
            })
    }
}

#[cfg(test)]
mod tests;
