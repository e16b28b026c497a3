//! The life of connections: opening, losing, backing off, coming back.

use tilewire_protocol::{Auth, ClientMessage, CloseCode, Hello, Reconnect, Welcome};

use super::report::{Report, State, Status};
use super::{App, Effect, Loss, Origin, Request};
use crate::text::printable;

/// Pause before the first new attempt, ms; it doubles with each.
const FIRST_PAUSE_MS: i64 = 250;
/// Longest pause between attempts, ms: short enough that nobody loses a turn by it.
const LONGEST_PAUSE_MS: i64 = 5_000;
/// Shortest pause when the server asks for one without saying how long, ms.
const ASKED_PAUSE_MS: i64 = 1_000;
/// Shortest pause after a server that found this client, or this identity, too much, ms.
const CROWDED_PAUSE_MS: i64 = 5_000;
/// Longest pause a server can ask for, ms.
const ASKED_PAUSE_MAX_MS: i64 = 120_000;

/// Where the connection stands.
#[derive(Debug, Default)]
pub(super) struct Link {
    stage: Stage,
    // Whether there was a working connection before.
    was_ready: bool,
    attempts: u32,
    lost_at: Option<i64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Idle,
    Connecting,
    Greeting,
    Authenticating,
    Ready,
    WaitingUntil(i64),
}

impl Link {
    pub(super) fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    pub(super) fn retry_at(&self) -> Option<i64> {
        match self.stage {
            Stage::WaitingUntil(at) => Some(at),
            _ => None,
        }
    }
}

impl App {
    pub(super) fn connect(&mut self, effects: &mut Vec<Effect>) {
        self.link.stage = Stage::Connecting;
        effects.push(Effect::Connect);
    }

    pub(super) fn opened(&mut self) {
        self.link.stage = Stage::Greeting;
    }

    /// The server has said who it is: say who we are.
    pub(super) fn greeted(&mut self, now: i64, hello: Hello, effects: &mut Vec<Effect>) {
        if self.link.stage != Stage::Greeting {
            return;
        }
        self.offset_ms = Some(hello.server_time.saturating_sub(now));
        self.hello = Some(hello);
        self.link.stage = Stage::Authenticating;
        let auth = ClientMessage::Auth(Auth {
            token: self.config.token.clone(),
            name: self.config.name.clone(),
            client: concat!("tilewire-cli/", env!("CARGO_PKG_VERSION")).to_owned(),
        });
        self.send(
            Request {
                message: auth,
                origin: Origin::Goal,
            },
            effects,
        );
    }

    /// The server knows us: begin, or go on.
    pub(super) fn welcomed(&mut self, now: i64, welcome: Welcome, effects: &mut Vec<Effect>) {
        // Of two measurements the later is the one with less of the journey in it.
        let offset_ms = welcome.server_time.saturating_sub(now);
        self.offset_ms = self.offset_ms.map(|known| known.max(offset_ms));
        let is_first = !self.link.was_ready;
        self.link = Link {
            stage: Stage::Ready,
            was_ready: true,
            attempts: 0,
            lost_at: None,
        };
        self.identity = Some(welcome.identity.clone());
        if self.config.token.as_ref() != Some(&welcome.token) {
            self.config.token = Some(welcome.token.clone());
            effects.push(Effect::KeepToken(welcome.token));
        }
        // The name was wanted once; a later change on another device must not be undone by a reconnect.
        self.config.name = None;
        if is_first {
            let status = Status {
                server: self.hello.as_ref().map(|hello| printable(&hello.server)),
                identity: Some(welcome.identity),
                name: Some(welcome.name),
                games: Some(welcome.games.clone()),
                ..Status::of(State::Connected)
            };
            effects.push(Effect::Tell(Report::Status(Box::new(status))));
            self.known_games = welcome.games.iter().map(|game| game.game.clone()).collect();
            self.begin(&welcome.games, effects);
        } else {
            self.go_on(&welcome.games, effects);
        }
    }

    /// The connection is gone, or did not come about.
    pub(super) fn lost(&mut self, now: i64, loss: &Loss, effects: &mut Vec<Effect>) {
        self.keep_commands();
        self.attaching = None;
        let reconnect = if loss.is_final {
            Reconnect::No
        } else {
            Reconnect::after(loss.close_code)
        };
        let since = *self.link.lost_at.get_or_insert(now);
        if !self.link.was_ready && loss.close_code.is_none() {
            let text = format!("{}; is there a server?", loss.reason);
            return self.close(loss, &text, effects);
        }
        if reconnect == Reconnect::No {
            let text = match loss.close_code.and_then(CloseCode::from_u16) {
                Some(CloseCode::BadToken) => self.bad_token_text(),
                Some(code) => format!("{} {}", code.meaning(), loss.reason),
                None => loss.reason.clone(),
            };
            return self.close(loss, &text, effects);
        }
        if now.saturating_sub(since) >= self.config.give_up_ms {
            let text = format!("{}; given up", loss.reason);
            return self.close(loss, &text, effects);
        }
        self.link.attempts = self.link.attempts.saturating_add(1);
        let least_ms = match loss.close_code.and_then(CloseCode::from_u16) {
            Some(CloseCode::Flood | CloseCode::TooManyConnections) => CROWDED_PAUSE_MS,
            _ => 0,
        };
        let pause_ms = self.pause_ms(reconnect, &loss.reason, least_ms);
        self.link.stage = Stage::WaitingUntil(now.saturating_add(pause_ms));
        let status = Status {
            attempt: Some(self.link.attempts),
            retry_in_ms: Some(pause_ms),
            close_code: loss.close_code,
            reason: Some(printable(&loss.reason)),
            game: self.game.clone(),
            ..Status::of(State::Reconnecting)
        };
        effects.push(Effect::Tell(Report::Status(Box::new(status))));
    }

    fn close(&mut self, loss: &Loss, text: &str, effects: &mut Vec<Effect>) {
        let status = Status {
            close_code: loss.close_code,
            reason: Some(printable(text.trim())),
            exit: Some(1),
            ..Status::of(State::Closed)
        };
        self.end_with(1, status, effects);
    }

    pub(super) fn bad_token_text(&self) -> String {
        format!(
            "the server does not know this identity (any more); {}",
            self.config.identity_hint
        )
    }

    fn pause_ms(&mut self, reconnect: Reconnect, reason: &str, least_ms: i64) -> i64 {
        let doublings = self.link.attempts.saturating_sub(1).min(10);
        let mut pause_ms = (FIRST_PAUSE_MS << doublings).min(LONGEST_PAUSE_MS);
        if reconnect == Reconnect::Later {
            let asked = reason
                .strip_prefix("retry_after_ms=")
                .and_then(|ms| ms.trim().parse().ok());
            let asked: i64 = asked.unwrap_or(ASKED_PAUSE_MS);
            pause_ms = pause_ms.max(asked.clamp(0, ASKED_PAUSE_MAX_MS));
        }
        pause_ms = pause_ms.max(least_ms);
        // Up to half as much again, so that clients that were lost together do not come back together.
        let half = u64::try_from(pause_ms / 2).unwrap_or(0);
        pause_ms + i64::try_from(self.random.below(half + 1)).unwrap_or(0)
    }

    /// Commands without an answer are sent again on the next connection, with the ids they have.
    fn keep_commands(&mut self) {
        use super::CommandId;
        let unanswered = std::mem::take(&mut self.unanswered);
        let retry = self.retry.take().map(|(_, request)| request);
        for request in unanswered.into_values().chain(retry).rev() {
            if request.message.cmd_id().is_some() {
                self.commands.push_front(request);
            }
        }
    }
}
