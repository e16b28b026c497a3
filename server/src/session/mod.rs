//! What a connection may say next: a machine without I/O.
//!
//! [`Session::handle`] is told the time and what happened, and answers with what to do. It knows nothing of sockets,
//! games or the lobby: it guards the order (authenticate first), the rate, and the patience with nonsense.

mod ledger;
mod rate;

use tilewire_protocol::{
    Auth, ClientMessage, CloseCode, DecodeError, ErrorBody, ErrorCode, ErrorDetail,
};

pub use ledger::Ledger;
pub(crate) use rate::Bucket;

/// The bounds of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionBounds {
    /// Time for `auth`, ms.
    pub auth_within_ms: i64,
    /// Silence after which the connection is given up, ms.
    pub heartbeat_lost_ms: i64,
    /// Messages per second in the long run.
    pub messages_per_second: u32,
    /// Messages at once after a rest.
    pub message_burst: u32,
    /// Messages over the rate, and messages that cannot be read, that are answered before the connection is closed.
    pub patience: u32,
}

/// Something that happened on a connection.
#[derive(Debug)]
pub enum Input {
    /// A frame was read.
    Frame(Box<Result<(u64, ClientMessage), DecodeError>>),
    /// The client was recognised, or made.
    Authenticated,
    /// The client gave a token that is none.
    AuthRefused,
    /// A pong or anything else came: the client is there.
    Alive,
    /// Time passed.
    Tick,
}

/// Something to do.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Find out who this is.
    Authenticate(u64, Auth),
    /// Carry a request out; it is answered under this id.
    Request(u64, ClientMessage),
    /// Refuse a request; id 0 when the id could not be read.
    Refuse(u64, ErrorBody),
    /// End the connection.
    Close(CloseCode, &'static str),
}

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has been said.
    Greeting { until: i64 },
    /// `auth` is being looked at; what comes meanwhile waits in the socket.
    Checking,
    /// The client is somebody.
    Open,
    /// It is over; nothing is done any more.
    Closed,
}

/// The state of one connection.
#[derive(Debug)]
pub struct Session {
    bounds: SessionBounds,
    stage: Stage,
    heard_at: i64,
    bucket: Bucket,
    strikes: u32,
}

impl Session {
    /// Returns the session of a connection that opens at `now`, unix ms.
    #[must_use]
    pub fn new(now: i64, bounds: SessionBounds) -> Self {
        Self {
            bounds,
            stage: Stage::Greeting {
                until: now + bounds.auth_within_ms,
            },
            heard_at: now,
            bucket: Bucket::full(now, bounds.messages_per_second, bounds.message_burst),
            strikes: 0,
        }
    }

    /// Says whether `auth` is being looked at: nothing else is to be read meanwhile.
    #[must_use]
    pub fn is_checking(&self) -> bool {
        self.stage == Stage::Checking
    }

    /// Returns when [`Input::Tick`] is due at the latest, unix ms.
    #[must_use]
    pub fn next_deadline(&self) -> i64 {
        let lost = self.heard_at + self.bounds.heartbeat_lost_ms;
        match self.stage {
            Stage::Greeting { until } => until.min(lost),
            Stage::Checking | Stage::Open | Stage::Closed => lost,
        }
    }

    /// Takes an input in and returns what to do, in order.
    pub fn handle(&mut self, now: i64, input: Input) -> Vec<Effect> {
        if self.stage == Stage::Closed {
            return Vec::new();
        }
        match input {
            Input::Tick => self.tick(now),
            Input::Alive => {
                self.heard_at = now;
                Vec::new()
            }
            Input::Authenticated => {
                self.stage = Stage::Open;
                Vec::new()
            }
            Input::AuthRefused => self.close(
                CloseCode::BadToken,
                "get a new identity by auth without a token",
            ),
            Input::Frame(frame) => {
                self.heard_at = now;
                self.frame(now, *frame)
            }
        }
    }

    fn tick(&mut self, now: i64) -> Vec<Effect> {
        match self.stage {
            Stage::Greeting { until } if until <= now => {
                self.close(CloseCode::AuthTimeout, "no auth came")
            }
            _ if self.heard_at + self.bounds.heartbeat_lost_ms <= now => {
                self.close(CloseCode::HeartbeatLost, "no answer to pings")
            }
            _ => Vec::new(),
        }
    }

    fn frame(&mut self, now: i64, frame: Result<(u64, ClientMessage), DecodeError>) -> Vec<Effect> {
        if let Err(retry_after_ms) = self.bucket.take(now) {
            let id = match &frame {
                Ok((id, _)) => *id,
                Err(error) => error.id.unwrap_or(0),
            };
            let body = ErrorBody::new(ErrorCode::RateLimited, "too many messages").with_detail(
                ErrorDetail {
                    retry_after_ms: Some(retry_after_ms),
                    ..ErrorDetail::default()
                },
            );
            return self.strike(
                Effect::Refuse(id, body),
                CloseCode::Flood,
                "too many messages",
            );
        }
        match (self.stage, frame) {
            (Stage::Greeting { .. }, Ok((id, ClientMessage::Auth(auth)))) => {
                self.stage = Stage::Checking;
                vec![Effect::Authenticate(id, auth)]
            }
            (Stage::Greeting { .. }, Ok((id, _))) => {
                let body = ErrorBody::new(ErrorCode::NotAuthenticated, "the first message is auth");
                self.refuse_and_close(id, body)
            }
            (Stage::Greeting { .. }, Err(error)) => {
                self.refuse_and_close(error.id.unwrap_or(0), error.to_body())
            }
            (_, Ok((id, ClientMessage::Auth(_)))) => {
                let body = ErrorBody::new(
                    ErrorCode::AlreadyAuthenticated,
                    "this connection has an identity already",
                );
                vec![Effect::Refuse(id, body)]
            }
            (_, Ok((id, message))) => vec![Effect::Request(id, message)],
            (_, Err(error)) => {
                let refusal = Effect::Refuse(error.id.unwrap_or(0), error.to_body());
                self.strike(
                    refusal,
                    CloseCode::ProtocolError,
                    "too many messages that cannot be read",
                )
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

    /// Answers a mistake, until there were too many.
    fn strike(&mut self, refusal: Effect, code: CloseCode, reason: &'static str) -> Vec<Effect> {
        self.strikes += 1;
        let mut effects = vec![refusal];
        if self.strikes > self.bounds.patience {
            effects.extend(self.close(code, reason));
        }
        effects
    }

    fn close(&mut self, code: CloseCode, reason: &'static str) -> Vec<Effect> {
        self.stage = Stage::Closed;
        vec![Effect::Close(code, reason)]
    }
}

#[cfg(test)]
mod tests;
