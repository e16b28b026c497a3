//! The requests of a client, handed to the module that answers them.

use std::sync::Arc;

use tilewire_protocol::{
    AskRuleSet, Attach, Auth, ClientMessage, CloseCode, ErrorBody, ErrorCode, ErrorDetail, GameId,
    GameScope, IdentityId, ListGames, LookUp, OkBody, ServerMessage, Token, Welcome,
};
use tilewire_rules::time::{Millis, Timestamp};

use super::client::Client;
use super::look_up::look_up;
use crate::address::ClientAddress;
use crate::game::{Busy, GameHandle, ResumePoint, Sleeping};
use crate::identity::Authenticated;
use crate::metrics;
use crate::outbound::Peer;
use crate::session::Input;
use crate::wire::describe;

/// Longest reason of a close frame: it has 125 bytes with its code.
const CLOSE_REASON_MAX_BYTES: usize = 123;

impl Client {
    pub(super) async fn authenticate(&mut self, id: u64, auth: Auth) {
        let now = self.services.clock.now();
        let program = auth.client.clone();
        match self.admit(auth).await {
            Ok((authenticated, games)) => {
                let peer = Peer::new(
                    self.meter.connection(),
                    (authenticated.identity.identity.clone(), self.address()),
                    self.codec,
                    Arc::clone(&self.outbox),
                    Arc::clone(&self.ledger),
                );
                let most = self.services.settings.now().limits.connections_per_identity;
                if self.services.registry.insert(&peer, most).is_err() {
                    return self.outbox.close(
                        CloseCode::TooManyConnections,
                        "the identity has too many connections",
                    );
                }
                let pass = authenticated.pass.clone();
                // Before the answer: the client's next request must find its slot authenticated.
                if let Some(slot) = &self.slot {
                    slot.authenticated();
                }
                self.meter.belongs_to(&authenticated.identity.identity);
                log_authenticated(&peer, self.address(), &authenticated, &program);
                let welcome = self.welcome(authenticated, games);
                self.plays = !welcome.games.is_empty();
                peer.send(id, &ServerMessage::Welcome(welcome));
                // A revocation closes only connections with a pass. It may have come between the check and here.
                peer.admit(pass.clone(), Arc::clone(&self.services.guesses));
                if let Err(error) = self.services.accounts.check(&pass) {
                    peer.revoke(&error);
                }
                self.services.people.moderated().tell(peer.identity());
                self.peer = Some(peer);
                let effects = self.session.handle(now, Input::Authenticated);
                debug_assert!(
                    effects.is_empty(),
                    "authentication has no effects of its own"
                );
            }
            Err(body) if matches!(body.code, ErrorCode::BadToken | ErrorCode::Revoked) => {
                let code = match body.code {
                    ErrorCode::Revoked => CloseCode::Revoked,
                    _ => CloseCode::BadToken,
                };
                let reason = close_reason(&body.message);
                self.push(id, &ServerMessage::Error(body));
                self.session.handle(now, Input::AuthRefused);
                self.outbox.close(code, &reason);
            }
            Err(body) => {
                // The client may come back when the storage answers again.
                let code = if body.retryable {
                    CloseCode::GoingAway
                } else {
                    CloseCode::BadHandshake
                };
                self.push(id, &ServerMessage::Error(body));
                self.outbox.close(code, "the auth was refused");
            }
        }
    }

    /// Authenticates the client and reads its sleeping games.
    async fn admit(&self, auth: Auth) -> Result<(Authenticated, Sleeping), ErrorBody> {
        let accounts = &self.services.accounts;
        let authenticated = accounts.authenticate(auth, self.address()).await?;
        if authenticated.is_new {
            return Ok((authenticated, Sleeping::default()));
        }
        let identity = &authenticated.identity.identity;
        match self.services.directory.sleeping_of(identity).await {
            Ok(sleeping) => Ok((authenticated, sleeping)),
            Err(error) => {
                tracing::warn!(%error, "the games of an identity could not be read");
                let text = "the storage does not answer";
                Err(ErrorBody::new(ErrorCode::StoragePaused, text))
            }
        }
    }

    fn welcome(&self, authenticated: Authenticated, sleeping: Sleeping) -> Welcome {
        let Authenticated {
            identity,
            pass,
            is_registered,
            ..
        } = authenticated;
        let issued = self.services.accounts.issue(&pass);
        let directory = &self.services.directory;
        Welcome {
            token: Token(issued.token),
            expires_at: issued.expires_at.map(|at| at.0),
            games: directory.of_identity_with(&identity.identity, sleeping),
            server_time: self.services.clock.now().0,
            registered: is_registered,
            chat_off: self.services.people.chat_off().is_off_for(&pass),
            identity: IdentityId(identity.identity),
            name: identity.name,
        }
    }

    pub(super) async fn request(&mut self, id: u64, message: ClientMessage, now: Timestamp) {
        let Some(peer) = self.peer.clone() else {
            return;
        };
        self.log_if_watched(&peer, (id, message.op()), now);
        if let Err(code) = self.ledger.open(id, &message) {
            metrics::message_refused(code);
            return self.push(
                id,
                &ServerMessage::Error(ErrorBody::new(code, code.meaning())),
            );
        }
        if has_code(&message)
            && let Err(retry_after_ms) = self.services.guesses.admit(peer.identity())
        {
            peer.send(id, &too_many_guesses(retry_after_ms));
            return;
        }
        if message.game_command().is_some() {
            return self.command(&peer, id, message, now).await;
        }
        match message {
            ClientMessage::Attach(attach) => self.attach(&peer, id, attach).await,
            ClientMessage::Detach(detach) => {
                self.services.chat.left(&peer, &detach.game);
                self.with_game(&peer, id, &detach.game, |handle, peer| {
                    handle.detach(peer, id)
                })
                .await;
            }
            ClientMessage::Time(_) => {
                let ok = OkBody {
                    server_time: Some(self.services.clock.now().0),
                    ..OkBody::default()
                };
                peer.send(id, &ServerMessage::Ok(Box::new(ok)));
            }
            ClientMessage::Renew(_) => {
                if let Some(pass) = peer.pass() {
                    peer.send(id, &self.services.accounts.renew(pass));
                }
            }
            ClientMessage::Rename(rename) => {
                self.rename(&peer, id, &rename.name).await;
            }
            ClientMessage::RuleSet(asked) => {
                peer.send(id, &self.rule_set(&asked));
            }
            ClientMessage::ListGames(list) => self.list_games(&peer, id, list).await,
            ClientMessage::LookUp(asked) => self.look_up(&peer, id, asked).await,
            ClientMessage::ChatJoin(_)
            | ClientMessage::ChatLeave(_)
            | ClientMessage::ChatSay(_) => {
                self.chat(&peer, id, message).await;
            }
            other => {
                if self
                    .services
                    .lobby
                    .request(peer.clone(), id, other)
                    .is_err()
                {
                    peer.send(id, &busy("the lobby is overloaded"));
                }
            }
        }
    }

    /// Writes the request of a watched player to the log: its name only, because the content can be secret.
    fn log_if_watched(&self, peer: &Peer, (id, op): (u64, &str), now: Timestamp) {
        if self.services.directory.watched().has(peer.identity(), now) {
            let (identity, connection) = (peer.identity(), peer.id().0);
            tracing::info!(identity, connection, id, op, "a watched player");
        }
    }

    fn rule_set(&self, asked: &AskRuleSet) -> ServerMessage {
        match describe::rule_set(asked, &self.services.catalogue) {
            Ok(rules) => ServerMessage::Ok(Box::new(OkBody {
                rules: Some(Box::new(rules)),
                ..OkBody::default()
            })),
            Err(refusal) => ServerMessage::Error(refusal.into()),
        }
    }

    async fn rename(&self, peer: &Peer, id: u64, name: &str) {
        if let Some(pass) = peer.pass() {
            peer.send(id, &self.services.accounts.rename(pass, name).await);
        }
    }

    async fn look_up(&self, peer: &Peer, id: u64, asked: LookUp) {
        let answer = match self.services.records.try_take(peer.address()) {
            Some(_place) => look_up(&self.services, peer, asked).await,
            None => busy("too many records are being read"),
        };
        peer.send(id, &answer);
    }

    async fn list_games(&self, peer: &Peer, id: u64, list: ListGames) {
        let (directory, identity) = (&self.services.directory, peer.identity());
        let games = match list.scope {
            GameScope::Live => {
                let games = directory.live_games().await;
                peer.send_shared(id, games.answer());
                return;
            }
            GameScope::Mine => directory.of_identity(identity).await,
            GameScope::Finished => {
                // Reading logs takes a while; the limit for records keeps it from delaying games.
                let Some(_place) = self.services.records.try_take(peer.address()) else {
                    peer.send(id, &busy("too many records are being read"));
                    return;
                };
                directory.finished_of(identity, list.before.as_ref()).await
            }
            GameScope::Unknown => {
                let detail = ErrorDetail {
                    field: Some("scope".to_owned()),
                    ..ErrorDetail::default()
                };
                let body = ErrorBody::new(ErrorCode::BadField, "scope: mine, live or finished");
                peer.send(id, &ServerMessage::Error(body.with_detail(detail)));
                return;
            }
        };
        let answer = match games {
            Ok(games) => ServerMessage::Ok(Box::new(OkBody {
                games: Some(games),
                ..OkBody::default()
            })),
            Err(error) => {
                tracing::warn!(%error, "the games of an identity could not be read");
                let text = "the storage does not answer";
                ServerMessage::Error(ErrorBody::new(ErrorCode::StoragePaused, text))
            }
        };
        peer.send(id, &answer);
    }

    async fn command(&self, peer: &Peer, id: u64, message: ClientMessage, now: Timestamp) {
        let message = Arc::new(message);
        if let Some((game, _)) = message.game_command() {
            let hand_in = |handle: &GameHandle, peer: Peer| {
                let lag_ms = peer.lag_ms();
                handle.command(peer, id, now, lag_ms, Arc::clone(&message))
            };
            self.with_game(peer, id, game, hand_in).await;
        }
    }

    async fn attach(&mut self, peer: &Peer, id: u64, attach: Attach) {
        let from = ResumePoint::of(&attach);
        let (game, code) = (attach.game, attach.code);
        let taken = self.with_game(peer, id, &game, |handle, peer| {
            handle.attach(peer, id, from, code.clone())
        });
        if let Some(handle) = taken.await {
            self.plays |= self.services.directory.plays(peer.identity());
            // Games that refused or ended the attachment need not hear of the end of the connection.
            self.games
                .retain(|(other, _)| *other != game && self.ledger.concerns(other));
            self.games.push((game, handle));
        }
    }

    /// Hands a request to a game; if the game has just left memory, to its new actor. Returns the game's handle.
    async fn with_game(
        &self,
        peer: &Peer,
        id: u64,
        game: &GameId,
        hand_in: impl Fn(&GameHandle, Peer) -> Result<(), Busy>,
    ) -> Option<GameHandle> {
        for _ in 0..2 {
            let known = self.games.iter().find(|(known, _)| known == game);
            let handle = match known.filter(|(_, handle)| !handle.is_gone()) {
                Some((_, handle)) => handle.clone(),
                None => match self.services.directory.find(game).await {
                    Ok(handle) => handle,
                    Err(error) => {
                        let body = ErrorBody::new(error.code(), error.to_string());
                        peer.send(id, &ServerMessage::Error(body));
                        return None;
                    }
                },
            };
            match hand_in(&handle, peer.clone()) {
                Ok(()) => return Some(handle),
                Err(_) if handle.is_gone() => {}
                Err(_) => break,
            }
        }
        peer.send(id, &busy("the game is overloaded"));
        None
    }
}

/// Returns as much of a text as fits into a close frame.
fn close_reason(text: &str) -> String {
    let end = text.floor_char_boundary(CLOSE_REASON_MAX_BYTES);
    text[..end].to_owned()
}

/// Connects the number of a connection, its address and its identity in the log.
fn log_authenticated(
    peer: &Peer,
    address: Option<ClientAddress>,
    authenticated: &Authenticated,
    program: &str,
) {
    tracing::debug!(
        connection = peer.id().0,
        address = address.map(tracing::field::display),
        identity = peer.identity(),
        family = authenticated.pass.family,
        client = program,
        is_new = authenticated.is_new,
        "a client authenticated"
    );
}

/// Says whether a request carries the code of a private game or seek.
fn has_code(message: &ClientMessage) -> bool {
    match message {
        ClientMessage::Attach(attach) => attach.code.is_some(),
        ClientMessage::LookUp(asked) => asked.code.is_some(),
        ClientMessage::JoinSeek(join) => join.code.is_some(),
        _ => false,
    }
}

fn too_many_guesses(retry_after_ms: Millis) -> ServerMessage {
    let detail = ErrorDetail {
        retry_after_ms: Some(retry_after_ms.0),
        ..ErrorDetail::default()
    };
    let body = ErrorBody::new(ErrorCode::RateLimited, "too many wrong codes");
    ServerMessage::Error(body.with_detail(detail))
}

/// Returns the answer to a request that the server does not take now.
pub(super) fn busy(text: &str) -> ServerMessage {
    let detail = ErrorDetail {
        retry_after_ms: Some(1_000),
        ..ErrorDetail::default()
    };
    ServerMessage::Error(ErrorBody::new(ErrorCode::Busy, text).with_detail(detail))
}
