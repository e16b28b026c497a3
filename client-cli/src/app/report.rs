//! What the program tells: the lines of line mode, and the source of the messages on the screen.

use serde::{Serialize, Serializer};
use tilewire_protocol::{
    AttachOutcome, ErrorBody, GameId, GameSummary, IdentityId, OkBody, Role, RuleSetDescription,
    RuleSetName, Seek, ServerMessage,
};

/// One thing told.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// How the connection stands.
    Status(Box<Status>),
    /// A message of the server that was not asked for.
    Push(Box<ServerMessage>),
    /// The own offer as it stands.
    Seek(Box<Seek>),
    /// Games to choose from; the next line names one.
    Choose(Vec<GameSummary>),
    /// The lists asked for.
    Games(Box<Lists>),
    /// The rule sets there are.
    RuleSets(Vec<RuleSetName>),
    /// The rule set asked for.
    RuleSet(Box<RuleSetDescription>),
    /// A line did what it should.
    Ok(u64, Box<OkBody>),
    /// A line did something that no server had to be asked for.
    Done(u64, Done),
    /// A line (or, without a number, something the program did by itself) failed.
    Error(Option<u64>, Box<ErrorBody>),
    /// A line was not understood, or makes no sense now.
    BadInput(u64, String),
}

/// What a line did here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// The rack has this order now.
    Rack(Vec<String>),
    /// The commands, one for each line.
    Help(Vec<String>),
    /// The game to be watched or played.
    Game(GameId),
    /// The program ends.
    Quit(bool),
}

/// How the connection stands; the fields that make sense for the state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Which state.
    pub state: State,
    /// `connected`: the server's name and version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// `connected`: who the player is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<IdentityId>,
    /// `connected`: the name others see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `connected`: the own unfinished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameSummary>>,
    /// The game this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// `attached`: as what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// `attached`: the own seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// `attached`, `resumed`: what follows, the missing events or a snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttachOutcome>,
    /// `attached`, `resumed`: the last event of the game so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<u64>,
    /// `reconnecting`: how many attempts have failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// `reconnecting`: when the next attempt is made, ms from now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_in_ms: Option<i64>,
    /// `reconnecting`, `closed`: the close code of the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_code: Option<u16>,
    /// `reconnecting`, `closed`: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `closed`: the exit status of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<u8>,
}

/// The states of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Authenticated for the first time.
    Connected,
    /// A game is followed.
    Attached,
    /// The connection is lost and will be tried again.
    Reconnecting,
    /// The connection is back, and so is the game.
    Resumed,
    /// The program ends.
    Closed,
}

/// What `tilewire games` shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Lists {
    /// The own unfinished games.
    pub mine: Vec<GameSummary>,
    /// The public games being played.
    pub live: Vec<GameSummary>,
    /// The open public offers.
    pub seeks: Vec<Seek>,
}

impl Status {
    /// A status without details.
    #[must_use]
    pub const fn of(state: State) -> Self {
        Self {
            state,
            server: None,
            identity: None,
            name: None,
            games: None,
            game: None,
            role: None,
            seat: None,
            outcome: None,
            head: None,
            attempt: None,
            retry_in_ms: None,
            close_code: None,
            reason: None,
            exit: None,
        }
    }
}

/// A line of line mode: the type, the number of the input line where one is answered, then the body.
#[derive(Serialize)]
struct Line<'a, T> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct Of<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seek: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<&'a [GameSummary]>,
}

#[derive(Serialize)]
struct Complaint<'a> {
    code: &'a str,
    message: &'a str,
    retryable: bool,
}

#[derive(Serialize)]
struct Known<'a> {
    rule_sets: &'a [RuleSetName],
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let seek = |seek| Of {
            seek: Some(seek),
            games: None,
        };
        match self {
            Self::Status(status) => write("status", None, status, serializer),
            Self::Push(message) => serialize_push(message, serializer),
            Self::Seek(body) => write("seek", None, seek(&**body), serializer),
            Self::Choose(games) => {
                let body = Of::<Seek> {
                    seek: None,
                    games: Some(games),
                };
                write("choose", None, body, serializer)
            }
            Self::Games(lists) => write("games", None, lists, serializer),
            Self::RuleSets(known) => {
                write("rule_sets", None, Known { rule_sets: known }, serializer)
            }
            Self::RuleSet(rules) => write("rule_set", None, rules, serializer),
            Self::Ok(line, body) => write("ok", Some(*line), body, serializer),
            Self::Done(line, done) => write("ok", Some(*line), done, serializer),
            Self::Error(line, body) => write("error", *line, body, serializer),
            Self::BadInput(line, message) => {
                let body = Complaint {
                    code: "bad_input",
                    message,
                    retryable: false,
                };
                write("error", Some(*line), body, serializer)
            }
        }
    }
}

fn write<T: Serialize, S: Serializer>(
    kind: &str,
    line: Option<u64>,
    body: T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Line { kind, line, body }.serialize(serializer)
}

fn serialize_push<S: Serializer>(
    message: &ServerMessage,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let op = message.op();
    match message {
        ServerMessage::Hello(body) => write(op, None, body, serializer),
        // The token stays between the server and the file it is kept in.
        ServerMessage::Welcome(body) => write(op, None, &body.games, serializer),
        ServerMessage::Ok(body) => write(op, None, body, serializer),
        ServerMessage::Error(body) => write(op, None, body, serializer),
        ServerMessage::Event(body) => write(op, None, body, serializer),
        ServerMessage::Snapshot(body) => write(op, None, body, serializer),
        ServerMessage::Lobby(body) => write(op, None, body, serializer),
        ServerMessage::SeekChanged(body) => write(op, None, body, serializer),
        ServerMessage::GameCreated(body) => write(op, None, body, serializer),
        ServerMessage::Presence(body) => write(op, None, body, serializer),
        ServerMessage::Crowd(body) => write(op, None, body, serializer),
        ServerMessage::Lag(body) => write(op, None, body, serializer),
        ServerMessage::Notice(body) => write(op, None, body, serializer),
        ServerMessage::Paused(body) | ServerMessage::Unpaused(body) => {
            write(op, None, body, serializer)
        }
        ServerMessage::Detached(body) => write(op, None, body, serializer),
        ServerMessage::Unknown { .. } => write(
            op,
            None,
            Of::<Seek> {
                seek: None,
                games: None,
            },
            serializer,
        ),
    }
}
