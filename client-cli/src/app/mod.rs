//! The application without I/O: told the time and what happened, it says what to do.
//!
//! Invariants:
//! - every input line is answered exactly once, in order, by `ok` or `error`;
//! - a command keeps its `cmd_id` over reconnects until it is answered, and at most one is unanswered at a time;
//! - an event is reported exactly once, in the order of its `seq`.

mod attach;
mod config;
mod goal;
mod lines;
mod link;
mod lobby;
mod receive;
mod report;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use data_encoding::HEXLOWER;
use tilewire_protocol::{
    Attach, Bytes, ClientMessage, GameId, GameSummary, Hello, IdentityId, Phase, Role, Seek,
    ServerMessage, Token,
};

use crate::random::Random;
use link::Link;
use tilewire_client::{ClientSession, GameView};

pub use config::{Accept, AppConfig, AtEnd, Follow, ForNow, Goal, Offer};
pub use lines::HELP;
pub use lobby::LOBBY_HELP;
pub use report::{Done, Lists, Report, State, Status};

/// What happened.
#[derive(Debug)]
pub enum Input {
    /// The program has started.
    Started,
    /// The connection is open.
    Opened,
    /// A message came, with its id.
    Received(u64, Box<ServerMessage>),
    /// The connection is closed or was never opened.
    Lost(Loss),
    /// A line was typed.
    Line(String),
    /// No more lines will come.
    EndOfInput,
    /// The moment of [`App::deadline`] has come (or might have).
    Tick,
}

/// How a connection was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The close code the server gave.
    pub close_code: Option<u16>,
    /// Why, for people.
    pub reason: String,
    /// Whether another attempt can lead to anything.
    pub is_final: bool,
}

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Open a connection; there is none.
    Connect,
    /// Send a request on the open connection.
    Send(u64, Box<ClientMessage>),
    /// Keep the token for the next time.
    KeepToken(Token),
    /// Tell it.
    Tell(Report),
    /// Close the connection and end the program with this status.
    Exit(u8),
}

/// A request and on whose behalf it is sent.
#[derive(Debug, Clone)]
struct Request {
    message: ClientMessage,
    origin: Origin,
}

/// On whose behalf a request is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    /// The input line of this number.
    Line(u64),
    /// The program itself, to get on.
    Goal,
    /// The program itself, and it does not matter much whether it succeeds.
    Auto,
    /// The program itself, before it ends.
    Farewell,
}

/// What the offer of this program has come to.
#[derive(Debug, Clone, PartialEq)]
struct Waiting {
    seek: Seek,
    is_own: bool,
}

/// The application.
#[derive(Debug)]
pub struct App {
    config: AppConfig,
    link: Link,
    session: ClientSession,
    random: Random,
    hello: Option<Hello>,
    identity: Option<IdentityId>,
    // Server time minus our time, ms.
    offset_ms: Option<i64>,
    lag_ms: Option<i64>,
    nonce: [u8; 32],
    // Requests sent on this connection and not answered, by id: in the order they were sent.
    unanswered: BTreeMap<u64, Request>,
    // Commands to be sent once the one before is answered.
    commands: VecDeque<Request>,
    lines: VecDeque<(u64, String)>,
    lines_read: u64,
    input_ended: bool,
    // Games that existed before this program did anything.
    known_games: BTreeSet<GameId>,
    waiting: Option<Waiting>,
    choices: Option<Vec<GameSummary>>,
    lists: Lists,
    // Whether changes of the lobby come and are shown.
    in_lobby: bool,
    game: Option<GameId>,
    announced: Option<GameId>,
    attaching: Option<Attach>,
    // The position up to which history must come before lines are worked off.
    head: Option<u64>,
    role: Role,
    seat: Option<u8>,
    view: Option<GameView>,
    // When a request that may succeed later is sent again.
    retry: Option<(i64, Request)>,
    // How often in a row the server refused for the moment.
    refusals: u32,
    quitting_by: Option<i64>,
    exit: Option<u8>,
}

impl App {
    /// An application that has done nothing yet; [`Input::Started`] is its first input.
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
        Self {
            config,
            link: Link::default(),
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
            choices: None,
            lists: Lists::default(),
            in_lobby: false,
            game: None,
            announced: None,
            attaching: None,
            head: None,
            role: Role::Spectator,
            seat: None,
            view: None,
            retry: None,
            refusals: 0,
            quitting_by: None,
            exit: None,
        }
    }

    /// Takes in what happened at `now` (ms of a clock that never jumps) and says what to do, in order.
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
            Input::Line(line) => {
                self.lines_read += 1;
                if !line.trim().is_empty() {
                    self.lines.push_back((self.lines_read, line));
                }
            }
            Input::EndOfInput => self.input_ended = true,
            Input::Tick => self.tick(now, &mut effects),
        }
        self.get_on(now, &mut effects);
        effects
    }

    /// When [`Input::Tick`] is due.
    #[must_use]
    pub fn deadline(&self) -> Option<i64> {
        let retry = self.retry.as_ref().map(|(at, _)| *at);
        [self.link.retry_at(), retry, self.quitting_by]
            .into_iter()
            .flatten()
            .min()
    }

    /// What the program is to do.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.config.goal
    }

    /// The game as far as it is known.
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
        self.link.is_ready()
    }

    /// The lag the server measured, ms.
    #[must_use]
    pub fn lag_ms(&self) -> Option<i64> {
        self.lag_ms
    }

    /// The offer that waits for players, if any, and whether it is the player's own.
    #[must_use]
    pub fn offer(&self) -> Option<(&Seek, bool)> {
        self.waiting
            .as_ref()
            .map(|waiting| (&waiting.seek, waiting.is_own))
    }

    /// Games to choose from, if the next line is to name one.
    #[must_use]
    pub fn choices(&self) -> Option<&[GameSummary]> {
        self.choices.as_deref()
    }

    /// Works off what can be worked off now.
    fn get_on(&mut self, now: i64, effects: &mut Vec<Effect>) {
        while self.exit.is_none() {
            // Nobody has to wait for a server that is not there, to leave.
            if !self.link.is_ready() && self.wants_to_quit() {
                self.next_line(now, effects);
            } else if self.has_command_in_flight() {
                break;
            } else if let Some(command) = self.commands.front().cloned() {
                if !self.link.is_ready() || self.attaching.is_some() {
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
            || self
                .retry
                .as_ref()
                .is_some_and(|(_, request)| is_command(request))
    }

    fn leave_if_done(&mut self, effects: &mut Vec<Effect>) {
        if self.exit.is_some() || self.has_command_in_flight() || !self.commands.is_empty() {
            return;
        }
        if self.quitting_by.is_some() {
            return self.end(0, "quit", effects);
        }
        let is_over = self
            .view
            .as_ref()
            .is_some_and(|view| view.phase == Phase::Ended);
        let may_leave = self.config.at_end == AtEnd::Leave || self.input_ended;
        if is_over && may_leave && self.lines.is_empty() && self.has_all_of_the_game() {
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

    fn end_with(&mut self, exit: u8, status: Status, effects: &mut Vec<Effect>) {
        self.exit = Some(exit);
        effects.push(Effect::Tell(Report::Status(Box::new(status))));
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
        if self.retry.as_ref().is_some_and(|(at, _)| *at <= now)
            && let Some((_, request)) = self.retry.take()
        {
            self.again(request, effects);
        }
        if self.link.retry_at().is_some_and(|at| at <= now) {
            self.connect(effects);
        }
    }

    /// Sends a request again that was refused for the moment.
    fn again(&mut self, request: Request, effects: &mut Vec<Effect>) {
        if request.message.cmd_id().is_some() {
            self.commands.push_front(request);
        } else if self.link.is_ready() {
            self.send(request, effects);
        }
        // Otherwise the reconnect asks for everything anew.
    }

    /// The nonce that helps to shuffle the bag, as `ready` brings it.
    fn nonce(&self) -> Bytes {
        Bytes::from(self.nonce)
    }
}

/// The id of a command, of whatever kind.
trait CommandId {
    fn cmd_id(&self) -> Option<&tilewire_protocol::CmdId>;
}

impl CommandId for ClientMessage {
    fn cmd_id(&self) -> Option<&tilewire_protocol::CmdId> {
        self.game_command()
            .map(|(_, cmd_id)| cmd_id)
            .or_else(|| self.seek_command())
    }
}

#[cfg(test)]
mod tests;
