//! The requests of a client, handed to the module that answers them. The client can be connected to another node.

use std::sync::Arc;

use tilewire_protocol::{
    AskRuleSet, Attach, ClientMessage, ErrorBody, ErrorCode, ErrorDetail, GameId, GameScope,
    ListGames, LookUp, OkBody, ServerMessage,
};
use tilewire_rules::time::{Millis, Timestamp};

use super::look_up::look_up;
use super::services::Services;
use tilewire_delivery::outbound::Peer;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::session::Ledger;
use tilewire_game::{Busy, FindError, GameHandle, Location};
use tilewire_relay::ClientLink;
use tilewire_wire::describe;

/// A client that has authenticated, as far as its requests need it.
pub(crate) struct Served {
    pub(super) services: Arc<Services>,
    pub(super) peer: Peer,
    pub(super) ledger: Arc<Ledger>,
    /// The way of requests to other nodes, for a client of this node among several.
    pub(super) client_link: Option<Arc<ClientLink>>,
    /// Whether a client of another node is attached to the game that its request about chat names: its gateway knows.
    pub(crate) is_attached: bool,
    /// The games that the client attached to: they must hear when the connection ends.
    games: Vec<(GameId, GameHandle)>,
    /// Whether the client has played a game on this connection. It stays so: games follow each other.
    pub(super) plays: bool,
}

impl Served {
    /// Returns a client that has asked for nothing yet.
    pub(crate) const fn new(services: Arc<Services>, peer: Peer, ledger: Arc<Ledger>) -> Self {
        Self {
            services,
            peer,
            ledger,
            client_link: None,
            is_attached: false,
            games: Vec::new(),
            plays: false,
        }
    }

    /// Notes a request of a client of another node, perhaps for the second time.
    pub(crate) fn open_again(&self, relay_id: u64, message: &ClientMessage, lag_ms: Millis) {
        self.peer.set_lag_ms(lag_ms);
        self.ledger.open_again(relay_id, message);
    }

    /// Carries out a request, which the ledger has opened, and which came at `now`.
    pub(crate) async fn serve(&mut self, id: u64, message: ClientMessage, now: Timestamp) {
        let peer = self.peer.clone();
        if has_code(&message)
            && let Err(retry_after_ms) = self
                .services
                .people
                .wrong_entries()
                .admit_code(peer.identity())
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
                if let Some(relay) = self.services.exchange() {
                    relay.left(&peer, &detach.game);
                }
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
                let handed_in = self.services.lobby.request(peer.clone(), id, other);
                if handed_in.is_err() && !self.is_elsewhere(&peer, id) {
                    peer.send(id, &busy("the lobby is overloaded"));
                }
            }
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
                let games = directory.live_games(&*self.services.registry).await;
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
            // Games that refused or ended the attachment need no message about the end of the connection.
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
                    Err(FindError::Elsewhere) if peer.hand_back(id) => return None,
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

    /// Writes the request of a watched player to the log: its name only, because the content can be secret.
    pub(super) fn log_if_watched(&self, (id, op): (u64, &str), now: Timestamp) {
        let peer = &self.peer;
        if self.services.directory.watched().has(peer.identity(), now) {
            let (identity, connection) = (peer.identity(), peer.id().0);
            tracing::info!(identity, connection, id, op, "a watched player");
        }
    }

    /// Gives a request for the lobby back, if another node has the lobby; says whether it did.
    pub(super) fn is_elsewhere(&self, peer: &Peer, id: u64) -> bool {
        self.services.directory.lobby_place() != Location::Mine && peer.hand_back(id)
    }

    /// Tells the games that the connection has ended.
    pub(crate) fn leave(&mut self) {
        for (_, handle) in std::mem::take(&mut self.games) {
            handle.gone(self.peer.id());
        }
    }
}

/// Says whether a request carries the code of a private game or seek.
fn has_code(message: &ClientMessage) -> bool {
    match message {
        ClientMessage::Attach(attach) => attach.code.is_some(),
        ClientMessage::LookUp(asked) => asked.code.is_some(),
        ClientMessage::JoinSeek(join) => join.code.is_some(),
        ClientMessage::FindSeek(_) => true,
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
