//! The session of a connection: what the client may send next, as a machine without I/O.
//!
//! [`Session::handle`] gets the time and an input, and returns effects. A session knows nothing of sockets, games or
//! the lobby. It enforces the order (authenticate first), the rate, and the limit of unreadable messages.

mod ledger;
mod pass;
mod patience;
mod rate;
mod request;

use std::sync::Arc;

use tilewire_protocol::{
    Auth, ClientMessage, CloseCode, DecodeError, ErrorBody, ErrorCode, ErrorDetail,
};
use tilewire_rules::time::{Millis, Timestamp};

pub use ledger::Ledger;
pub use pass::{Pass, TokenError};
pub use patience::{Patience, UNREADABLE};
pub use rate::Bucket;
pub use request::{Content, Request};

/// The bounds of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionBounds {
    /// Time for `auth`.
    pub auth_within_ms: Millis,
    /// Silence after which the connection is closed.
    pub heartbeat_lost_ms: Millis,
    /// Messages per second in the long run.
    pub messages_per_second: u32,
    /// Messages in a burst after a pause.
    pub message_burst: u32,
    /// Messages over the rate, or unreadable, that are answered before the connection is closed.
    pub patience: u32,
}

/// An input of a session.
#[derive(Debug)]
pub enum Input {
    /// A frame was read.
    Frame(Box<Result<(u64, Request), DecodeError>>),
    /// The client has authenticated.
    Authenticated,
    /// The client's token was refused.
    AuthRefused,
    /// The answer to a ping of the server was read.
    Alive,
    /// An unsolicited control frame was read: it counts as a message.
    Control,
    /// The server stood still for so long: the client could not be heard.
    Stalled(Millis),
    /// Time passed.
    Tick,
}

/// An effect of a session.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Authenticate the client.
    Authenticate(u64, Auth),
    /// Carry out a request, and answer it under this id.
    Request(u64, Request),
    /// Refuse a request; id 0 when the id could not be read.
    Refuse(u64, ErrorBody),
    /// End the connection.
    Close(CloseCode, &'static str),
}

/// The stage of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No message has come.
    Greeting { until: Timestamp },
    /// The client is being authenticated; its next frames wait in the socket.
    Checking,
    /// The client has authenticated.
    Open,
    /// The session is over.
    Closed,
}

/// The state of one connection.
#[derive(Debug)]
pub struct Session {
    bounds: SessionBounds,
    stage: Stage,
    heard_at: Timestamp,
    bucket: Bucket,
    patience: Arc<Patience>,
}

impl Session {
    /// Returns the session of a connection that opens at `now`.
    #[must_use]
    pub fn new(now: Timestamp, bounds: SessionBounds) -> Self {
        Self {
            bounds,
            stage: Stage::Greeting {
                until: now + bounds.auth_within_ms,
            },
            heard_at: now,
            bucket: Bucket::full(now, bounds.messages_per_second, bounds.message_burst),
            patience: Arc::new(Patience::new(bounds.patience)),
        }
    }

    /// Returns the count of the client's mistakes.
    #[must_use]
    pub const fn patience(&self) -> &Arc<Patience> {
        &self.patience
    }

    /// Says whether the client is being authenticated: no frame is to be read meanwhile.
    #[must_use]
    pub fn is_checking(&self) -> bool {
        self.stage == Stage::Checking
    }

    /// Returns when [`Input::Tick`] is due at the latest.
    #[must_use]
    pub fn next_deadline(&self) -> Timestamp {
        let lost = self.heard_at + self.bounds.heartbeat_lost_ms;
        match self.stage {
            Stage::Greeting { until } => until.min(lost),
            Stage::Checking | Stage::Open | Stage::Closed => lost,
        }
    }

    /// Takes an input and returns the effects, in order.
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        if self.stage == Stage::Closed {
            return Vec::new();
        }
        match input {
            Input::Tick => self.tick(now),
            Input::Alive => {
                self.heard_at = now;
                Vec::new()
            }
            Input::Control => {
                self.heard_at = now;
                self.control(now)
            }
            Input::Stalled(ms) => {
                self.heard_at = now.min(self.heard_at + ms);
                if let Stage::Greeting { until } = &mut self.stage {
                    *until += ms;
                }
                Vec::new()
            }
            Input::Authenticated => {
                self.stage = Stage::Open;
                Vec::new()
            }
            Input::AuthRefused => self.close(CloseCode::BadToken, "the token was refused"),
            Input::Frame(frame) => {
                self.heard_at = now;
                self.frame(now, *frame)
            }
        }
    }

    fn tick(&mut self, now: Timestamp) -> Vec<Effect> {
        match self.stage {
            Stage::Greeting { until } if until <= now => self.close(
                CloseCode::AuthTimeout,
                "the client did not authenticate in time",
            ),
            _ if self.heard_at + self.bounds.heartbeat_lost_ms <= now => {
                self.close(CloseCode::HeartbeatLost, "the client did not answer pings")
            }
            _ => Vec::new(),
        }
    }

    fn control(&mut self, now: Timestamp) -> Vec<Effect> {
        match self.bucket.take(now) {
            Ok(()) => Vec::new(),
            Err(_) => self.strike(CloseCode::Flood, "too many control frames"),
        }
    }

    fn frame(&mut self, now: Timestamp, frame: Result<(u64, Request), DecodeError>) -> Vec<Effect> {
        if let Err(retry_after_ms) = self.bucket.take(now) {
            let id = match &frame {
                Ok((id, _)) => *id,
                Err(error) => error.id.unwrap_or(0),
            };
            let body = ErrorBody::new(ErrorCode::RateLimited, "too many messages").with_detail(
                ErrorDetail {
                    retry_after_ms: Some(retry_after_ms.0),
                    ..ErrorDetail::default()
                },
            );
            let mut effects = vec![Effect::Refuse(id, body)];
            effects.extend(self.strike(CloseCode::Flood, "too many messages"));
            return effects;
        }
        match (self.stage, frame) {
            (
                Stage::Greeting { .. },
                Ok((
                    id,
                    Request {
                        content: Content::Message(ClientMessage::Auth(auth)),
                        ..
                    },
                )),
            ) => {
                self.stage = Stage::Checking;
                vec![Effect::Authenticate(id, auth)]
            }
            (Stage::Greeting { .. }, Ok((id, _))) => {
                let body = ErrorBody::new(
                    ErrorCode::NotAuthenticated,
                    "the first message must be auth",
                );
                self.refuse_and_close(id, body)
            }
            (Stage::Greeting { .. }, Err(error)) => {
                self.refuse_and_close(error.id.unwrap_or(0), error.to_body())
            }
            (
                _,
                Ok((
                    id,
                    Request {
                        content: Content::Message(ClientMessage::Auth(_)),
                        ..
                    },
                )),
            ) => {
                let body = ErrorBody::new(
                    ErrorCode::AlreadyAuthenticated,
                    "this connection has an identity already",
                );
                vec![Effect::Refuse(id, body)]
            }
            (_, Ok((id, request))) => vec![Effect::Request(id, request)],
            (_, Err(error)) => {
                let mut effects = vec![Effect::Refuse(error.id.unwrap_or(0), error.to_body())];
                effects.extend(self.strike(CloseCode::ProtocolError, UNREADABLE));
                effects
            }
        }
    }

    fn refuse_and_close(&mut self, id: u64, body: ErrorBody) -> Vec<Effect> {
        let mut effects = vec![Effect::Refuse(id, body)];
        effects.extend(self.close(
            CloseCode::BadHandshake,
            "the first message must be a readable auth",
        ));
        effects
    }

    /// Counts a mistake, and closes the connection after too many.
    fn strike(&mut self, code: CloseCode, reason: &'static str) -> Vec<Effect> {
        match self.patience.is_over() {
            true => self.close(code, reason),
            false => Vec::new(),
        }
    }

    fn close(&mut self, code: CloseCode, reason: &'static str) -> Vec<Effect> {
        self.stage = Stage::Closed;
        vec![Effect::Close(code, reason)]
    }
}

#[cfg(test)]
mod tests;
