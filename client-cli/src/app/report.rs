//! Reports to the user: the output of line mode, and the source of the messages on the screen.

use serde::{Serialize, Serializer};
use tilewire_protocol::{
    AttachOutcome, ChatSaid, ErrorBody, GameId, GameSummary, IdentityId, Invitation, LookedUpWord,
    OkBody, Role, RuleSetDescription, RuleSetName, Seek, ServerMessage,
};

use super::next::Next;

/// A report to the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// The state of the connection.
    Status(Box<Status>),
    /// A message that the server sent without a request.
    Push(Box<ServerMessage>),
    /// A line of chat.
    Chat(Box<ChatSaid>, Channel),
    /// The offer that the player is about to join with its code.
    Found(Box<Seek>),
    /// The current state of the player's offer.
    Seek(Box<Seek>),
    /// The open offers that differ from the player's own only in the clock.
    Similar(Vec<Seek>),
    /// Games to choose from; the next line names one.
    Choose(Vec<GameSummary>),
    /// The lists of the lobby.
    Games(Box<Lists>),
    /// The finished games of the player, the one that ended last first.
    Finished(Vec<GameSummary>),
    /// The rule sets of the server.
    RuleSets(Vec<RuleSetName>),
    /// The description of a rule set.
    RuleSet(Box<RuleSetDescription>),
    /// The words that were looked up.
    Words(Vec<LookedUpWord>),
    /// The server accepted a line.
    Ok(u64, Box<OkBody>),
    /// A line, which has this text, waits until the connection is back.
    Queued(u64, String),
    /// A line was done without the server.
    Done(u64, Done),
    /// A report of a player was taken, or was not.
    Complaint(Complaint),
    /// A line failed; without a number, a request of the program itself failed.
    Error(Option<u64>, Box<ErrorBody>),
    /// A line was not understood, or is not possible now.
    BadInput(u64, String),
}

/// Where a line of chat was written, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The player wrote it.
    Own,
    /// Somebody else wrote it in the room of the game or of the lobby.
    Room,
    /// A friend wrote it to the player.
    Direct,
}

/// The effect of a line that needed no server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// The rack has this order.
    Rack(Vec<String>),
    /// The help page.
    Help(Vec<String>),
    /// The program follows this game.
    Game(GameId),
    /// The program ends.
    Quit(bool),
    /// A report of the player with this name is on its way.
    Reporting(String),
}

/// The outcome of a report of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// The name of the player, as typed.
    pub player: String,
    /// The number of the report, if the moderators have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Why they do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The state of the connection; other fields are present where they apply to the state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The state.
    pub state: State,
    /// `connected`: the server's name and version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// `connected`: the identity of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<IdentityId>,
    /// `connected`: the display name of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `connected`: the unfinished games of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameSummary>>,
    /// The game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// `attached`: the role of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// `attached`: the seat of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// `attached`, `resumed`: whether the missing events follow, or a snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttachOutcome>,
    /// `attached`, `resumed`: the number of the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<u64>,
    /// `reconnecting`: the number of failed attempts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// `reconnecting`: the time until the next attempt, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_in_ms: Option<i64>,
    /// `reconnecting`, `closed`: the close code of the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_code: Option<u16>,
    /// `reconnecting`, `closed`: the reason. `attached`: a warning about the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `connected`, `closed`: commands to continue with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
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
    /// The program follows a game.
    Attached,
    /// The connection is lost; the program will reconnect.
    Reconnecting,
    /// The connection and the game are back.
    Resumed,
    /// The program ends.
    Closed,
}

/// The lists of the lobby.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Lists {
    /// The unfinished games of the player.
    pub mine: Vec<GameSummary>,
    /// The public games in progress.
    pub live: Vec<GameSummary>,
    /// The open public offers.
    pub seeks: Vec<Seek>,
    /// The open invitations: those that the player has received, then those that the player has sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invitations: Vec<Invitation>,
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
            next: None,
            exit: None,
        }
    }
}

/// A line of output in line mode: the type, the number of the input line it answers, the body.
#[derive(Serialize)]
struct ReportLine<'a, T> {
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
struct BadInputBody<'a> {
    code: &'a str,
    message: &'a str,
    retryable: bool,
}

#[derive(Serialize)]
struct QueuedBody<'a> {
    command: &'a str,
}

#[derive(Serialize)]
struct SimilarBody<'a> {
    seeks: &'a [Seek],
}

#[derive(Serialize)]
struct WordsBody<'a> {
    words: &'a [LookedUpWord],
}

#[derive(Serialize)]
struct ChatBody<'a> {
    #[serde(flatten)]
    said: &'a ChatSaid,
    channel: Channel,
}

#[derive(Serialize)]
struct KnownRuleSets<'a> {
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
            Self::Chat(said, channel) => {
                let channel = *channel;
                write("chat", None, ChatBody { said, channel }, serializer)
            }
            Self::Found(body) => write("found", None, seek(&**body), serializer),
            Self::Seek(body) => write("seek", None, seek(&**body), serializer),
            Self::Similar(seeks) => write("similar", None, SimilarBody { seeks }, serializer),
            Self::Choose(games) => {
                let body = Of::<Seek> {
                    seek: None,
                    games: Some(games),
                };
                write("choose", None, body, serializer)
            }
            Self::Games(lists) => write("games", None, lists, serializer),
            Self::Finished(games) => {
                let body = Of::<Seek> {
                    seek: None,
                    games: Some(games),
                };
                write("finished", None, body, serializer)
            }
            Self::RuleSets(known) => write(
                "rule_sets",
                None,
                KnownRuleSets { rule_sets: known },
                serializer,
            ),
            Self::RuleSet(rules) => write("rule_set", None, rules, serializer),
            Self::Words(words) => write("words", None, WordsBody { words }, serializer),
            Self::Ok(line, body) => write("ok", Some(*line), body, serializer),
            Self::Queued(line, command) => {
                write("queued", Some(*line), QueuedBody { command }, serializer)
            }
            Self::Done(line, done) => write("ok", Some(*line), done, serializer),
            Self::Complaint(complaint) => {
                let kind = match complaint.number {
                    Some(_) => "reported",
                    None => "not_reported",
                };
                write(kind, None, complaint, serializer)
            }
            Self::Error(line, body) => write("error", *line, body, serializer),
            Self::BadInput(line, message) => {
                let body = BadInputBody {
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
    ReportLine { kind, line, body }.serialize(serializer)
}

fn serialize_push<S: Serializer>(
    message: &ServerMessage,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let op = message.op();
    match message {
        ServerMessage::Hello(body) => write(op, None, body, serializer),
        // The token must not appear in the output.
        ServerMessage::Welcome(body) => write(op, None, &body.games, serializer),
        ServerMessage::Ok(body) => write(op, None, body, serializer),
        ServerMessage::Error(body) => write(op, None, body, serializer),
        ServerMessage::Event(body) => write(op, None, body, serializer),
        ServerMessage::Snapshot(body) => write(op, None, body, serializer),
        ServerMessage::Lobby(body) => write(op, None, body, serializer),
        ServerMessage::SeekChanged(body) => write(op, None, body, serializer),
        ServerMessage::GameCreated(body) => write(op, None, body, serializer),
        ServerMessage::TurnWaiting(body) => write(op, None, body, serializer),
        ServerMessage::YourTurn(body) => write(op, None, body, serializer),
        ServerMessage::Rating(body) => write(op, None, body, serializer),
        ServerMessage::Rematch(body) => write(op, None, body, serializer),
        ServerMessage::Invitation(body) => write(op, None, body, serializer),
        ServerMessage::Hint(body) => write(op, None, body, serializer),
        ServerMessage::Presence(body) => write(op, None, body, serializer),
        ServerMessage::Crowd(body) => write(op, None, body, serializer),
        ServerMessage::Lag(body) => write(op, None, body, serializer),
        ServerMessage::Notice(body) => write(op, None, body, serializer),
        ServerMessage::Paused(body) | ServerMessage::Unpaused(body) => {
            write(op, None, body, serializer)
        }
        ServerMessage::Detached(body) => write(op, None, body, serializer),
        ServerMessage::Chat(body) => write(op, None, body, serializer),
        ServerMessage::ChatClosed(body) => write(op, None, body, serializer),
        ServerMessage::ChatHidden(body) => write(op, None, body, serializer),
        ServerMessage::Moderation(body) => write(op, None, body, serializer),
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
