//! The task behind the lobby: takes requests one after the other; stores, does, tells.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::{
    Bytes, ClientMessage, ErrorCode, GameId, Level, OkBody, SeekId, ServerMessage,
};
use tilewire_rules::bot::{BotLevel, UnknownBot};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::games::NoGame;
use super::machine::{Action, Asker, Context, Lobby, LobbyBounds, OpenSeek, Plan, Visibility};
use super::recall::encode_answer;
use super::tell::seen_by;
use crate::app::App;
use crate::game::Busy;
use crate::identity::house_bots;
use crate::ids;
use crate::overload::LeftOut;
use crate::peers::{Peer, PeerId};
use crate::storage::{LobbyChange, StoreError, StoredCommand, StoredSeek};
use crate::wire::{Refusal, options};

/// How often the lobby looks who has gone.
const TIDY_EVERY: Duration = Duration::from_secs(1);

/// The way to the lobby.
#[derive(Debug, Clone)]
pub struct LobbyHandle {
    mailbox: mpsc::Sender<Asked>,
}

#[derive(Debug)]
struct Asked {
    peer: Peer,
    request_id: u64,
    message: ClientMessage,
}

/// Where requests for the lobby wait until it runs.
#[derive(Debug)]
pub struct Mailbox(mpsc::Receiver<Asked>);

impl LobbyHandle {
    /// Makes the two ends of a mailbox.
    #[must_use]
    pub fn new(capacity: usize) -> (Self, Mailbox) {
        let (mailbox, receiver) = mpsc::channel(capacity);
        (Self { mailbox }, Mailbox(receiver))
    }

    /// Returns how full the mailbox is, percent.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let all = self.mailbox.max_capacity();
        let waiting = all - self.mailbox.capacity();
        u32::try_from(100 * waiting / all.max(1)).unwrap_or(u32::MAX)
    }

    /// Hands a request in; the lobby answers it through `peer` exactly once.
    ///
    /// # Errors
    /// [`Busy`] when too many wait; nothing was done.
    pub fn request(&self, peer: Peer, request_id: u64, message: ClientMessage) -> Result<(), Busy> {
        self.mailbox
            .try_send(Asked {
                peer,
                request_id,
                message,
            })
            .map_err(|_| Busy)
    }
}

/// Runs the lobby from what was stored until `stop`.
///
/// # Errors
/// When what was stored cannot be read.
pub async fn start(
    app: Arc<App>,
    mailbox: Mailbox,
    stop: CancellationToken,
) -> Result<(), StoreError> {
    let mut desk = Desk {
        lobby: restore(&app.lobby_store.seeks().await?)?,
        subscribers: BTreeMap::new(),
        is_in_doubt: false,
        made: BTreeSet::new(),
        app,
    };
    desk.finish_half_started().await;
    tokio::spawn(desk.run(mailbox.0, stop));
    Ok(())
}

pub(super) fn restore(seeks: &[StoredSeek]) -> Result<Lobby, StoreError> {
    let seeks = seeks.iter().map(|(id, body)| {
        serde_json::from_slice(body)
            .map_err(|error| StoreError::Corrupt(format!("seek {id}: {error}")))
    });
    Ok(Lobby::new(seeks.collect::<Result<_, _>>()?))
}

pub(super) struct Desk {
    pub(super) app: Arc<App>,
    pub(super) lobby: Lobby,
    pub(super) subscribers: BTreeMap<PeerId, Peer>,
    /// A change failed, and may be stored all the same.
    pub(super) is_in_doubt: bool,
    /// Seeks whose games are made, but that may still be stored.
    pub(super) made: BTreeSet<SeekId>,
}

impl Desk {
    async fn run(mut self, mut mailbox: mpsc::Receiver<Asked>, stop: CancellationToken) {
        let mut news = self.app.directory.news();
        let mut tidy = tokio::time::interval(TIDY_EVERY);
        loop {
            // In this order: requests may come without end, the others do not.
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = tidy.tick() => self.tidy().await,
                event = news.recv() => self.news(event),
                asked = mailbox.recv() => match asked {
                    Some(asked) => self.asked(asked).await,
                    None => return,
                },
            }
        }
    }

    async fn asked(&mut self, asked: Asked) {
        let Asked {
            peer,
            request_id,
            message,
        } = asked;
        let answer = match message {
            ClientMessage::LobbySubscribe(_) => self.subscribe(&peer).await,
            ClientMessage::LobbyUnsubscribe(_) => {
                self.subscribers.remove(&peer.id());
                Ok(OkBody::default())
            }
            message => match self.command(&peer, &message).await {
                // The answer was stored; it is told as it was then.
                Ok(Told::Now(answer)) => Ok(*answer),
                Ok(Told::Again(answer)) => {
                    peer.send(request_id, &answer);
                    return;
                }
                Err(refusal) => Err(refusal),
            },
        };
        let message = match answer {
            Ok(ok) => ServerMessage::Ok(Box::new(ok)),
            Err(refusal) => ServerMessage::Error(refusal.into()),
        };
        peer.send(request_id, &message);
    }

    async fn subscribe(&mut self, peer: &Peer) -> Result<OkBody, Refusal> {
        let limits = &self.app.config.limits;
        if self.subscribers.len() >= limits.lobby_subscribers {
            return Err(Refusal::new(
                ErrorCode::Busy,
                "as many follow the lobby as may",
            ));
        }
        self.subscribers.insert(peer.id(), peer.clone());
        let seeks = self
            .lobby
            .seeks()
            .into_iter()
            .filter_map(|open| seen_by(open, peer.identity()));
        Ok(OkBody {
            seeks: Some(seeks.take(limits.list_entries).collect()),
            games: Some(self.app.directory.live().await),
            online: Some(u32::try_from(self.app.peers.identities()).unwrap_or(u32::MAX)),
            ..OkBody::default()
        })
    }

    async fn command(&mut self, peer: &Peer, message: &ClientMessage) -> Result<Told, Refusal> {
        let Some(cmd_id) = message.seek_command() else {
            return Err(Refusal::new(
                ErrorCode::UnknownOp,
                format!("{} is not for the lobby", message.op()),
            ));
        };
        self.settle().await?;
        let digest = message.fingerprint();
        if let Some(answer) = self.recall(peer.identity(), &cmd_id.0, digest).await? {
            // A refused command is judged again: what it met may have passed.
            if !matches!(answer, ServerMessage::Error(_)) {
                self.before_told_again(&answer).await?;
                return Ok(Told::Again(Box::new(answer)));
            }
        }
        let action = self.action(message)?;
        self.check_games(peer, &action).await?;
        let asker = Asker {
            identity: peer.identity().to_owned(),
            name: self.app.name_of(peer.identity()).await,
            nonce_hash: nonce_hash(message),
            level: level(message),
        };
        let plan = self.decide(&asker, action)?;
        let mut command = StoredCommand {
            identity: asker.identity.clone(),
            cmd_id: cmd_id.0.clone(),
            digest,
            answer: encode_answer(&ServerMessage::Ok(Box::new(plan.answer.clone()))),
            at: self.app.clock.now(),
        };
        self.store(&plan, Some(command.clone())).await?;
        let before = plan
            .start
            .as_ref()
            .and_then(|open| self.lobby.get(&open.seek.seek))
            .cloned();
        self.adopt(&plan);
        if let Some(open) = &plan.start
            && let Err(reason) = self.become_game(open).await
        {
            let refusal = match reason {
                NoGame::For(refusal) => refusal,
                // Nothing is taken back: the game is there, or will be when this is asked again.
                NoGame::Perhaps(refusal) => return Err(refusal),
            };
            let answer = ServerMessage::Error(refusal.clone().into());
            let back = taken_back(open, before);
            command.answer = encode_answer(&answer);
            self.store(&back, Some(command)).await?;
            self.adopt(&back);
            return Err(refusal);
        }
        Ok(Told::Now(Box::new(plan.answer)))
    }

    /// Nobody begins more games than they may play at once, a seek being a game that may begin at any time; and nobody any
    /// when there is too much to do.
    async fn check_games(&self, peer: &Peer, action: &Action) -> Result<(), Refusal> {
        let begins = match action {
            Action::Open(..) | Action::Quick(_) | Action::Join(_) | Action::JoinByCode(_) => true,
            Action::Leave(_) | Action::Cancel(_) | Action::Start(_) => false,
        };
        let begins_games = self.app.overload.level().begins_games();
        if (begins || matches!(action, Action::Start(_))) && !begins_games {
            return Err(self.app.overload.refusal(LeftOut::Beginning).into());
        }
        let most = self.app.config.limits.games_per_identity;
        let identity = peer.identity();
        if !begins {
            return Ok(());
        }
        let games = self.app.directory.of_identity(identity).await;
        let games = games.map_err(|error| {
            tracing::warn!(%error, "somebody's games could not be counted");
            Refusal::new(
                ErrorCode::StoragePaused,
                "the storage does not answer; nothing was changed",
            )
        })?;
        if games.len() + self.lobby.seeks_of(identity) >= most {
            let code = ErrorCode::TooManyGames;
            return Err(Refusal::new(code, code.meaning()));
        }
        Ok(())
    }

    fn action(&self, message: &ClientMessage) -> Result<Action, Refusal> {
        let app = &self.app;
        let resolved =
            |asked| options::from_wire(asked, app.config.game.for_rules(), &app.catalogue);
        Ok(match message {
            ClientMessage::Seek(body) => {
                let visibility = if body.private {
                    Visibility::Private
                } else {
                    Visibility::Public
                };
                let bots = house_bots(&bots(&body.bots)?);
                Action::Open(resolved(&body.options)?, visibility, bots)
            }
            ClientMessage::QuickMatch(body) => Action::Quick(resolved(&body.options)?),
            ClientMessage::JoinSeek(body) => match (&body.seek, &body.code) {
                (Some(seek), None) => Action::Join(seek.clone()),
                (None, Some(code)) => Action::JoinByCode(ids::normal_code(code)),
                _ => {
                    return Err(Refusal::field(
                        ErrorCode::BadField,
                        "seek",
                        "give either seek or code",
                    ));
                }
            },
            ClientMessage::LeaveSeek(body) => Action::Leave(body.seek.clone()),
            ClientMessage::CancelSeek(body) => Action::Cancel(body.seek.clone()),
            ClientMessage::StartSeek(body) => Action::Start(body.seek.clone()),
            other => {
                return Err(Refusal::new(
                    ErrorCode::UnknownOp,
                    format!("{} is not for the lobby", other.op()),
                ));
            }
        })
    }

    fn bounds(&self) -> LobbyBounds {
        let config = &self.app.config;
        LobbyBounds {
            seeks: config.limits.open_seeks_total,
            seeks_per_identity: config.limits.open_seeks,
            orphan_ms: config.timing.seek_orphan_ms,
        }
    }

    fn decide(&self, asker: &Asker, action: Action) -> Result<Plan, Refusal> {
        let (peers, ids) = (&self.app.peers, &self.app.ids);
        let context = Context {
            now: self.app.clock.now(),
            fresh_seek: SeekId(ids.seek_id()),
            fresh_game: GameId(ids.game_id()),
            fresh_code: ids.private_code(),
            is_online: &|identity| peers.is_online(identity),
        };
        self.lobby.decide(&self.bounds(), context, asker, action)
    }

    pub(super) async fn store(
        &mut self,
        plan: &Plan,
        command: Option<StoredCommand>,
    ) -> Result<(), Refusal> {
        let put = plan.put.iter().chain(&plan.start);
        let change = LobbyChange {
            put: put
                .map(|open| (open.seek.seek.0.clone(), encode(open)))
                .collect(),
            remove: plan
                .remove
                .iter()
                .map(|open| open.seek.seek.0.clone())
                .collect(),
            command,
        };
        self.app.lobby_store.commit(change).await.map_err(|error| {
            tracing::warn!(%error, "it is not known whether a change of the lobby was stored");
            self.is_in_doubt = true;
            Refusal::new(
                ErrorCode::StoragePaused,
                "the storage does not answer; ask again",
            )
        })
    }

    async fn tidy(&mut self) {
        if self.settle().await.is_err() {
            return;
        }
        self.finish_half_started().await;
        let (bounds, now) = (self.bounds(), self.app.clock.now());
        let peers = Arc::clone(&self.app.peers);
        let plan = self
            .lobby
            .tidy(&bounds, now, &|identity| peers.is_online(identity));
        if !plan.remove.is_empty() && self.store(&plan, None).await.is_ok() {
            self.adopt(&plan);
        }
        let peers = &self.app.peers;
        self.subscribers
            .retain(|id, peer| peers.of(peer.identity()).iter().any(|own| own.id() == *id));
    }
}

/// The plan that undoes the start of a seek, which was `before`.
fn taken_back(open: &OpenSeek, before: Option<OpenSeek>) -> Plan {
    let mut back = Plan::default();
    match before {
        Some(before) => back.put.push(before),
        None => back.remove.push(open.clone()),
    }
    back
}

fn nonce_hash(message: &ClientMessage) -> Option<Bytes> {
    match message {
        ClientMessage::Seek(body) => body.nonce_hash.clone(),
        ClientMessage::QuickMatch(body) => body.nonce_hash.clone(),
        ClientMessage::JoinSeek(body) => body.nonce_hash.clone(),
        _ => None,
    }
}

fn level(message: &ClientMessage) -> Option<Level> {
    match message {
        ClientMessage::Seek(body) => body.level,
        ClientMessage::QuickMatch(body) => body.level,
        ClientMessage::JoinSeek(body) => body.level,
        _ => None,
    }
}

/// The levels of the house bots a seek asks for.
fn bots(names: &[String]) -> Result<Vec<BotLevel>, Refusal> {
    let levels = names.iter().map(|name| {
        name.parse().map_err(|unknown: UnknownBot| {
            let text = format!("{name:?}: {unknown}");
            Refusal::field(ErrorCode::BadOptions, "bots", text)
        })
    });
    levels.collect()
}

/// What a command is answered: now, or as the first time.
enum Told {
    Now(Box<OkBody>),
    Again(Box<ServerMessage>),
}

fn encode(open: &OpenSeek) -> Vec<u8> {
    serde_json::to_vec(open).expect("a seek is plain data")
}
