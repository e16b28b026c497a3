//! The messages that nodes send each other about clients.
//!
//! A *gateway* is the node that holds the connection of a client, an *owner* one that answers requests of the client. At the
//! owner, a [`Channel`] represents the connection. Every node is both. The messages travel in a [`super::Batch`].

use std::fmt;
use std::net::IpAddr;

use bytes::Bytes;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tilewire_protocol::{Codec, GameId};
use tilewire_rules::time::Timestamp;

use super::asks::message::{Ask, Reply};
use super::games::AboutGames;
use tilewire_delivery::session::Pass;
use tilewire_store::{Part, Term};

/// A connection of a client as an owner knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Channel {
    /// The number of the connection at its gateway.
    pub connection: u64,
    /// Grows with each channel that the gateway opens. Another generation is another channel: what belongs to the one before is
    /// over.
    pub generation: u64,
}

/// A part in the hands of one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(i16, i64)", into = "(i16, i64)")]
pub struct Ownership {
    /// The part.
    pub part: Part,
    /// The term of the owner.
    pub term: Term,
}

impl From<Ownership> for (i16, i64) {
    fn from(ownership: Ownership) -> Self {
        (ownership.part.number(), ownership.term.0)
    }
}

impl TryFrom<(i16, i64)> for Ownership {
    type Error = &'static str;

    fn try_from((part, term): (i16, i64)) -> Result<Self, Self::Error> {
        let part = Part::numbered(part).ok_or("no part has this number")?;
        let term = Term(term);
        Ok(Self { part, term })
    }
}

/// A client as its gateway vouches for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// The identity.
    pub identity: String,
    /// The family of the token; empty while no token was issued.
    pub family: String,
    /// The key of the server that signed the token.
    pub kid: Option<String>,
    /// When the token expires, unix ms.
    pub expires_at: Option<i64>,
    /// The name that the site gives its user.
    pub name: Option<String>,
    /// Whether the site gives its user a name.
    pub is_named_by_site: bool,
    /// Whether the site switches chat off for its user.
    pub has_no_chat: bool,
    /// The address, as limits count it.
    pub address: Option<IpAddr>,
    /// Whether the client speaks JSON; otherwise it speaks MessagePack.
    pub is_json: bool,
}

impl Client {
    /// Returns the client with this pass.
    #[must_use]
    pub fn new(pass: &Pass, address: Option<IpAddr>, codec: Codec) -> Self {
        let pass = pass.clone();
        Self {
            identity: pass.identity,
            family: pass.family,
            kid: pass.kid,
            expires_at: pass.expires_at.map(|at| at.0),
            name: pass.name,
            is_named_by_site: pass.is_named_by_site,
            has_no_chat: pass.has_no_chat,
            address,
            is_json: codec == Codec::Json,
        }
    }

    /// Returns the pass of the client.
    #[must_use]
    pub fn pass(&self) -> Pass {
        Pass {
            identity: self.identity.clone(),
            family: self.family.clone(),
            kid: self.kid.clone(),
            expires_at: self.expires_at.map(Timestamp),
            name: self.name.clone(),
            is_named_by_site: self.is_named_by_site,
            has_no_chat: self.has_no_chat,
        }
    }

    /// Returns the bytes of the texts.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = [Some(&self.identity), Some(&self.family)];
        let texts = texts
            .into_iter()
            .chain([self.kid.as_ref(), self.name.as_ref()]);
        texts.flatten().map(String::len).sum()
    }

    /// Returns the codec of the client.
    #[must_use]
    pub const fn codec(&self) -> Codec {
        match self.is_json {
            true => Codec::Json,
            false => Codec::MsgPack,
        }
    }
}

/// Bytes that a node passes on. They are `bin` in MessagePack.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Payload(pub Bytes);

impl fmt::Debug for Payload {
    /// Shows the length only: the content can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(PayloadVisitor)
    }
}

/// Reads a [`Payload`].
struct PayloadVisitor;

impl Visitor<'_> for PayloadVisitor {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Payload, E> {
        Ok(Payload(Bytes::copy_from_slice(bytes)))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Payload, E> {
        Ok(Payload(bytes.into()))
    }
}

/// The end of a connection, as far as its owners are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The client closed it.
    Closed,
    /// It was lost, or the server closed it.
    Lost,
}

/// A message of a gateway to an owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToOwner {
    /// A channel begins. It replaces an earlier channel of the same connection.
    Open(Channel, Client),
    /// The client counts as connected for the lobby, which this owner has.
    Present(Channel),
    /// A request of the client, or one that the gateway makes for it.
    Request(Request),
    /// The connection has ended.
    Close(Channel, End),
    /// A push for a player, wherever the player is connected. The owner of the lobby knows.
    Call(Call),
    /// Ownership changed; read the shard table again.
    Look,
    /// Something about games.
    Games(AboutGames),
    /// A request over HTTP.
    Ask(Box<Ask>),
}

/// A push for all connections of a player, except for some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The identity.
    pub identity: String,
    /// The connections that get no push, each with the number of its gateway. Those to the sender get none either.
    pub except: Vec<(i32, u64)>,
    /// The push in MessagePack.
    pub message: Payload,
}

/// A request of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The channel.
    pub channel: Channel,
    /// Names the request among those of the connection. A request that is sent again keeps it.
    pub relay_id: u64,
    /// The part that the request is about, and the owner that the gateway knows.
    pub ownership: Ownership,
    /// The time since the gateway has read the request, ms. The clocks of nodes are never compared.
    pub age_ms: i64,
    /// The network delay of the client, ms.
    pub lag_ms: i64,
    /// Whether the client is attached to the game that a request about chat names.
    pub is_attached: bool,
    /// The message in MessagePack, with the id that the client gave it. The gateway need not have read all of it.
    pub message: Payload,
}

/// A message of an owner to a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToGateway {
    /// Frames for the client, in order.
    Frames(Channel, Vec<Frame>),
    /// The same frames for the clients of several channels, in order.
    Shared(Group, Vec<Frame>),
    /// The owner does not have the part that a request is about, or not yet; it has done nothing.
    NotMine(Channel, u64),
    /// The game leaves the owner: its stream ends here, and goes on at the next owner.
    LetGo(Channel, GameId),
    /// The owner does not have the channel: it has forgotten it, or has no room for it.
    Gone(Channel),
    /// The connection shall end, with this code and reason.
    Close(Channel, u16, String),
    /// The answer to a request over HTTP.
    Reply(Box<Reply>),
    /// The owner cannot read the request with this relay id; it has done nothing.
    Unreadable(Channel, u64),
}

/// Channels that get the same frames.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// These channels. The group has this number from now on.
    New(u64, Vec<Channel>),
    /// The channels of the group with this number.
    Known(u64),
}

/// A frame for a client, and what the gateway has to know of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The summary of the frame, for the gateway.
    pub summary: FrameSummary,
    /// The message, encoded for the client.
    pub message: Payload,
}

/// The part of a frame's content that its gateway needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameSummary {
    /// The answer to the request with this relay id.
    Answer(u64, Outcome),
    /// The event of a game with this number.
    Event(GameId, u64),
    /// The whole game at an epoch, after the event with a number.
    Snapshot(GameId, u64, u64),
    /// A game takes no commands now.
    Paused(GameId),
    /// A game takes commands again.
    Unpaused(GameId),
    /// The stream of a game has ended.
    Detached(GameId),
    /// Something else of the stream of a game: a client that does not get its events does not get this either.
    OfStream(GameId),
    /// Something that the gateway need not know.
    Other,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was carried out.
    Done,
    /// The stream of a game begins.
    Attached(Attached),
    /// It was refused, with this error code.
    Refused(String),
}

/// The beginning of the stream of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// The incarnation of the game's log.
    pub epoch: u64,
    /// Whether a snapshot follows, instead of the events behind the position that was asked for.
    pub with_snapshot: bool,
    /// Whether the client has no seat.
    pub is_spectator: bool,
    /// Whether the client sees the game late, and is told nothing of its present.
    pub is_delayed: bool,
}
