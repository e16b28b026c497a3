//! The messages in which nodes pass requests over HTTP on to each other.

use serde::{Deserialize, Serialize};

use crate::message::{Client, Ownership, Payload};

/// The most bytes of a request that is passed on.
pub const REQUEST_MAX_BYTES: usize = 32_768;
/// The most bytes of the body of its answer: with the rest of the answer, a batch has room for it.
pub const ANSWER_MAX_BYTES: usize = 1_000_000;

/// The API that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// That of players.
    Players,
    /// That of admins.
    Admins,
    /// That of nodes for each other.
    Nodes,
}

/// The sender of a request, as the node that got it vouches for it. Tokens do not travel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caller {
    /// The holder of the token of the operator.
    Operator,
    /// The holder of a pass.
    Holder(Client),
    /// The node itself.
    Node,
}

/// A request over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpRequest {
    /// The API.
    pub api: Api,
    /// The sender.
    pub caller: Caller,
    /// The method.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The number of the entry of the audit, if the node that got the request has made it.
    pub entry: Option<u64>,
    /// The body, which is JSON or empty.
    pub body: Payload,
}

impl HttpRequest {
    /// Returns the most bytes that the request takes in a batch, beside what every message does.
    #[must_use]
    pub fn size(&self) -> usize {
        let caller = match &self.caller {
            Caller::Holder(client) => client.size(),
            Caller::Operator | Caller::Node => 0,
        };
        caller + self.method.len() + self.target.len() + self.body.0.len()
    }
}

/// An answer over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The names and the values of the headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Payload,
}

impl HttpAnswer {
    /// Returns the most bytes that the answer takes in a batch, beside what every message does.
    #[must_use]
    pub fn size(&self) -> usize {
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        headers + self.body.0.len()
    }
}

impl Default for HttpAnswer {
    /// The answer in place of one that did not come in time.
    fn default() -> Self {
        Self {
            status: 503,
            headers: Vec::new(),
            body: Payload::default(),
        }
    }
}

/// A request that a node passes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Names the request among those of the sender's incarnation.
    pub number: u64,
    /// The part that the request is about, and the owner that the sender knows; `None`: the request is for this node.
    pub ownership: Option<Ownership>,
    /// The request.
    pub request: HttpRequest,
}

/// The answer to an [`Ask`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the request.
    pub number: u64,
    /// The result.
    pub result: Replied,
}

/// The result of an [`Ask`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replied {
    /// The request was answered.
    Done(HttpAnswer),
    /// The node does not have the part, or not yet; it has done nothing.
    NotMine,
    /// The node answers as many requests as it can; it has done nothing.
    Busy,
}
