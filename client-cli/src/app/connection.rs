//! The connection: open, authenticate, lose, wait, reconnect.

use tilewire_protocol::{Auth, ClientMessage, CloseCode, Hello, Reconnect, Token, Welcome};

use super::next::Next;
use super::report::{Report, State, Status};
use super::{App, Effect, Loss, Origin, Request};
use crate::text::printable;

/// Pause before the first attempt to reconnect, ms; it doubles with each attempt.
const FIRST_PAUSE_MS: i64 = 250;
/// Longest pause between attempts, ms; short enough that it does not cost a turn.
const LONGEST_PAUSE_MS: i64 = 5_000;
/// Shortest pause if the server asks for one without a duration, ms.
const ASKED_PAUSE_MS: i64 = 1_000;
/// Shortest pause after the server closed the connection because of too many messages or connections, ms.
const CROWDED_PAUSE_MS: i64 = 5_000;
/// How long a token that is not taken any more waits for a newer one in the profile, ms: another program registers the player, or
/// changes the password.
pub(super) const NEWER_TOKEN_WITHIN_MS: i64 = 5_000;
/// Pause between looks for that token, ms.
pub(super) const LOOK_EVERY_MS: i64 = 500;
/// Longest pause a server can ask for, ms.
const ASKED_PAUSE_MAX_MS: i64 = 120_000;

/// The state of the connection.
#[derive(Debug, Default)]
pub(super) struct Connection {
    phase: Phase,
    // Whether an earlier connection worked.
    was_ready: bool,
    attempts: u32,
    lost_at: Option<i64>,
    /// Until when a newer token in the profile is waited for: the server does not take this one any more.
    refused_until: Option<i64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Phase {
    #[default]
    Idle,
    Connecting,
    Greeting,
    Authenticating,
    Ready,
    WaitingUntil(i64),
}

impl Connection {
    pub(super) fn is_ready(&self) -> bool {
        self.phase == Phase::Ready
    }

    /// Whether an earlier connection worked and the next one does not work yet.
    pub(super) fn is_lost(&self) -> bool {
        self.was_ready && !self.is_ready()
    }

    pub(super) fn retry_at(&self) -> Option<i64> {
        match self.phase {
            Phase::WaitingUntil(at) => Some(at),
            _ => None,
        }
    }
}

impl App {
    pub(super) fn connect(&mut self, effects: &mut Vec<Effect>) {
        self.connection.phase = Phase::Connecting;
        effects.push(match self.connection.refused_until {
            Some(_) => Effect::ReadToken,
            None => Effect::Connect,
        });
    }

    /// Connects with the token of the profile, if the server has not refused it.
    pub(super) fn kept(&mut self, now: i64, token: Option<Token>, effects: &mut Vec<Effect>) {
        if token.is_some() && token != self.config.token {
            self.config.token = token;
            self.connection.refused_until = None;
            return self.connect(effects);
        }
        if self
            .connection
            .refused_until
            .is_some_and(|until| now < until)
        {
            self.connection.phase = Phase::WaitingUntil(now.saturating_add(LOOK_EVERY_MS));
            return;
        }
        self.end_refused(effects);
    }

    /// Ends the program: the server does not take the token of the player.
    fn end_refused(&mut self, effects: &mut Vec<Effect>) {
        let loss = Loss {
            close_code: Some(CloseCode::BadToken.as_u16()),
            reason: String::new(),
            is_final: true,
        };
        self.close(&loss, &self.bad_token_text(), effects);
    }

    /// Says whether the refusal of a token is not the end yet: the connection worked before, and its loss follows.
    pub(super) const fn may_get_newer_token(&self) -> bool {
        self.connection.was_ready
    }

    pub(super) fn opened(&mut self) {
        self.connection.phase = Phase::Greeting;
        // The server tells a new connection of all that are open.
        self.lists.invitations.clear();
    }

    /// Answers `hello` with `auth`.
    pub(super) fn greeted(&mut self, now: i64, hello: Hello, effects: &mut Vec<Effect>) {
        if self.connection.phase != Phase::Greeting {
            return;
        }
        self.offset_ms = Some(hello.server_time.saturating_sub(now));
        self.hello = Some(hello);
        self.connection.phase = Phase::Authenticating;
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

    /// Handles `welcome`: starts the task, or continues it after a reconnect.
    pub(super) fn welcomed(&mut self, now: i64, welcome: Welcome, effects: &mut Vec<Effect>) {
        // Network delay makes the measured offset smaller, so the larger of two measurements is more exact.
        let offset_ms = welcome.server_time.saturating_sub(now);
        self.offset_ms = self.offset_ms.map(|known| known.max(offset_ms));
        let is_first = !self.connection.was_ready;
        self.connection = Connection {
            phase: Phase::Ready,
            was_ready: true,
            attempts: 0,
            lost_at: None,
            refused_until: None,
        };
        if self
            .identity
            .as_ref()
            .is_some_and(|own| *own != welcome.identity)
        {
            // The profile belongs to its guest again. The guest has none of the player's games.
            return self.end_refused(effects);
        }
        self.identity = Some(welcome.identity.clone());
        if self.config.token.as_ref() != Some(&welcome.token) {
            self.config.token = Some(welcome.token.clone());
            effects.push(Effect::KeepToken(welcome.token));
        }
        self.follow_direct_chat(welcome.registered, effects);
        // A reconnect must not undo a change of name on another device.
        self.config.name = None;
        if is_first {
            let games: Vec<_> = welcome.games.iter().map(|game| game.game.clone()).collect();
            let next = (!games.is_empty()).then(|| Next {
                resume: Some(self.resume_command(&games)),
                ..Next::default()
            });
            let status = Status {
                next,
                server: self.hello.as_ref().map(|hello| printable(&hello.server)),
                identity: Some(welcome.identity),
                name: Some(welcome.name),
                games: Some(welcome.games.clone()),
                ..Status::of(State::Connected)
            };
            effects.push(Effect::Report(Report::Status(Box::new(status))));
            self.known_games = games.into_iter().collect();
            self.start_task(&welcome.games, effects);
        } else {
            self.resume_task(&welcome.games, effects);
        }
    }

    /// Handles a lost or failed connection.
    pub(super) fn lost(&mut self, now: i64, loss: &Loss, effects: &mut Vec<Effect>) {
        self.keep_commands();
        self.attaching = None;
        let reconnect = if loss.is_final {
            Reconnect::No
        } else {
            Reconnect::after(loss.close_code)
        };
        let since = *self.connection.lost_at.get_or_insert(now);
        if !self.connection.was_ready && loss.close_code.is_none() {
            let text = format!("{}; is a server running there?", loss.reason);
            return self.close(loss, &text, effects);
        }
        let is_refused = loss.close_code == Some(CloseCode::BadToken.as_u16());
        if is_refused && self.connection.was_ready {
            self.connection.refused_until = Some(now.saturating_add(NEWER_TOKEN_WITHIN_MS));
            return self.connect(effects);
        }
        if reconnect == Reconnect::No {
            let text = match loss.close_code.and_then(CloseCode::from_u16) {
                Some(CloseCode::BadToken) => self.bad_token_text(),
                Some(CloseCode::Revoked) => loss.reason.clone(),
                Some(code) => format!("{} {}", code.meaning(), loss.reason),
                None => loss.reason.clone(),
            };
            return self.close(loss, &text, effects);
        }
        if now.saturating_sub(since) >= self.config.give_up_ms {
            let text = format!("{}; gave up reconnecting", loss.reason);
            return self.close(loss, &text, effects);
        }
        self.connection.attempts = self.connection.attempts.saturating_add(1);
        let least_ms = match loss.close_code.and_then(CloseCode::from_u16) {
            Some(CloseCode::Flood | CloseCode::TooManyConnections) => CROWDED_PAUSE_MS,
            _ => 0,
        };
        let pause_ms = self.pause_ms(reconnect, &loss.reason, least_ms);
        self.connection.phase = Phase::WaitingUntil(now.saturating_add(pause_ms));
        let status = Status {
            attempt: Some(self.connection.attempts),
            retry_in_ms: Some(pause_ms),
            close_code: loss.close_code,
            reason: Some(printable(&loss.reason)),
            game: self.game.clone(),
            ..Status::of(State::Reconnecting)
        };
        effects.push(Effect::Report(Report::Status(Box::new(status))));
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
            "the server does not know this identity; {}",
            self.config.identity_hint
        )
    }

    fn pause_ms(&mut self, reconnect: Reconnect, reason: &str, least_ms: i64) -> i64 {
        let doublings = self.connection.attempts.saturating_sub(1).min(10);
        let mut pause_ms = (FIRST_PAUSE_MS << doublings).min(LONGEST_PAUSE_MS);
        if reconnect == Reconnect::Later {
            let asked = reason
                .strip_prefix("retry_after_ms=")
                .and_then(|ms| ms.trim().parse().ok());
            let asked: i64 = asked.unwrap_or(ASKED_PAUSE_MS);
            pause_ms = pause_ms.max(asked.clamp(0, ASKED_PAUSE_MAX_MS));
        }
        pause_ms = pause_ms.max(least_ms);
        // A random part, so that clients that lost their connection together do not reconnect together.
        let half = u64::try_from(pause_ms / 2).unwrap_or(0);
        pause_ms + i64::try_from(self.random.below(half + 1)).unwrap_or(0)
    }

    /// Keeps unanswered commands with their ids, for the next connection.
    fn keep_commands(&mut self) {
        use super::CommandId;
        let unanswered = std::mem::take(&mut self.unanswered);
        let retries = std::mem::take(&mut self.retries);
        let retries = retries.into_iter().map(|(_, request)| request);
        for request in unanswered.into_values().chain(retries).rev() {
            match request.origin {
                // The client does not know the room of the line yet.
                Origin::Tell(line, text) => {
                    if let ClientMessage::ChatJoin(join) = &request.message {
                        let with = join.with.as_deref().unwrap_or_default();
                        self.lines.push_front((line, format!("tell {with} {text}")));
                    }
                }
                _ if request.message.cmd_id().is_some() => self.commands.push_front(request),
                _ => {}
            }
        }
    }
}
