//! The task behind the lobby: takes requests in their order; stores, does, tells.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::{ClientMessage, ErrorCode, GameSummary, OkBody, SeekId, ServerMessage};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::ask::not_for_the_lobby;
use super::commands::{self, Command};
use super::followers::Followers;
use super::machine::{Lobby, LobbyBounds, OpenSeek, Plan};
use super::services::Services;
use crate::game::Busy;
use crate::outbound::Peer;
use crate::storage::{LobbyChange, StoreError, StoredCommand, StoredSeek};
use crate::wire::Refusal;

/// How often the lobby looks who has gone.
const TIDY_EVERY: Duration = Duration::from_secs(1);
/// How soon seeks whose games are made are cleared away if nothing else is stored.
const CLEAR_AFTER: Duration = Duration::from_millis(10);
/// Requests that are taken at once: so many share a commit to the disk.
const TAKEN_AT_ONCE: usize = 64;

/// The way to the lobby.
#[derive(Debug, Clone)]
pub struct LobbyHandle {
    mailbox: mpsc::Sender<Asked>,
}

/// A request, and who sent it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) peer: Peer,
    pub(super) request_id: u64,
    pub(super) message: ClientMessage,
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

impl Asked {
    pub(super) fn answer(&self, answer: Result<OkBody, Refusal>) {
        let message = match answer {
            Ok(ok) => ServerMessage::Ok(Box::new(ok)),
            Err(refusal) => ServerMessage::Error(refusal.into()),
        };
        self.peer.send(self.request_id, &message);
    }
}

/// Runs the lobby from what was stored until `stop`.
///
/// # Errors
/// When what was stored cannot be read.
pub async fn start(
    services: Services,
    mailbox: Mailbox,
    stop: CancellationToken,
) -> Result<(), StoreError> {
    let followers = Arc::<Followers>::default();
    let mut desk = Desk {
        lobby: restore(&services.store.seeks().await?)?,
        followers: Arc::clone(&followers),
        live: None,
        is_in_doubt: false,
        made: BTreeSet::new(),
        services,
    };
    desk.finish_half_started().await;
    let telling = followers.run(desk.services.clone());
    tokio::spawn(stop.clone().run_until_cancelled_owned(telling));
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
    pub(super) services: Services,
    pub(super) lobby: Lobby,
    pub(super) followers: Arc<Followers>,
    /// The public games being played as they were listed last, and when that was.
    pub(super) live: Option<(i64, Vec<GameSummary>)>,
    /// A change failed, and may be stored all the same.
    pub(super) is_in_doubt: bool,
    /// Seeks whose games are made, but that are stored until something else is: a start finds their games made.
    pub(super) made: BTreeSet<SeekId>,
}

impl Desk {
    async fn run(mut self, mut mailbox: mpsc::Receiver<Asked>, stop: CancellationToken) {
        let mut news = self.services.directory.news();
        let mut tidy = tokio::time::interval(TIDY_EVERY);
        let mut taken = Vec::with_capacity(TAKEN_AT_ONCE);
        loop {
            // In this order: requests may come without end, the others do not.
            tokio::select! {
                biased;
                () = stop.cancelled() => return self.clear_away(Plan::default()).await,
                _ = tidy.tick() => self.tidy().await,
                event = news.recv() => self.news(event),
                count = mailbox.recv_many(&mut taken, TAKEN_AT_ONCE) => match count {
                    0 => return,
                    _ => self.serve(taken.drain(..)).await,
                },
                () = tokio::time::sleep(CLEAR_AFTER), if !self.made.is_empty() => {
                    self.clear_away(Plan::default()).await;
                }
            }
        }
    }

    /// Serves requests in their order; commands that follow each other go together, and so do newcomers.
    async fn serve(&mut self, taken: impl Iterator<Item = Asked>) {
        let mut together: Vec<Command> = Vec::new();
        let mut newcomers: Vec<Asked> = Vec::new();
        for asked in taken {
            match commands::key(&asked) {
                Some(key) => {
                    self.greet(std::mem::take(&mut newcomers)).await;
                    let command = Command::new(asked, key);
                    if together.iter().any(|other| other.is_named_as(&command)) {
                        self.commands(std::mem::take(&mut together)).await;
                    }
                    together.push(command);
                }
                None => {
                    self.commands(std::mem::take(&mut together)).await;
                    if let ClientMessage::LobbySubscribe(_) = asked.message {
                        newcomers.push(asked);
                    } else {
                        self.greet(std::mem::take(&mut newcomers)).await;
                        asked.answer(self.leave(&asked));
                    }
                }
            }
        }
        self.commands(together).await;
        self.greet(newcomers).await;
    }

    fn leave(&self, asked: &Asked) -> Result<OkBody, Refusal> {
        match &asked.message {
            ClientMessage::LobbyUnsubscribe(_) => {
                self.followers.board().unfollow(asked.peer.id());
                Ok(OkBody::default())
            }
            other => Err(not_for_the_lobby(other)),
        }
    }

    pub(super) fn bounds(&self) -> LobbyBounds {
        let config = &self.services.config;
        LobbyBounds {
            seeks: config.limits.open_seeks_total,
            seeks_per_identity: config.limits.open_seeks,
            orphan_ms: config.timing.seek_orphan_ms,
        }
    }

    /// Stores a change, and clears away with it the seeks whose games are made.
    pub(super) async fn store(&mut self, mut change: LobbyChange) -> Result<(), Refusal> {
        change
            .remove
            .extend(self.made.iter().map(|seek| seek.0.clone()));
        match self.services.store.commit(change).await {
            Ok(()) => {
                self.made.clear();
                Ok(())
            }
            Err(error) => {
                tracing::warn!(%error, "it is not known whether a change of the lobby was stored");
                self.is_in_doubt = true;
                let text = "the storage does not answer; ask again";
                Err(Refusal::new(ErrorCode::StoragePaused, text))
            }
        }
    }

    async fn tidy(&mut self) {
        if self.settle().await.is_err() {
            return;
        }
        self.finish_half_started().await;
        let (bounds, now) = (self.bounds(), self.services.clock.now());
        let presence = Arc::clone(&self.services.presence);
        let plan = self
            .lobby
            .tidy(&bounds, now, &|identity| presence.is_online(identity));
        self.clear_away(plan).await;
        let registry = &self.services.registry;
        let is_here = |peer: &Peer| registry.is_connected(peer);
        self.followers.board().retain(is_here);
    }

    /// Removes what is gone, if there is anything.
    async fn clear_away(&mut self, gone: Plan) {
        let is_clear = gone.remove.is_empty() && self.made.is_empty();
        if !is_clear && self.store(change([&gone], Vec::new())).await.is_ok() {
            self.adopt(&gone);
        }
    }
}

/// What is to be stored of plans, in their order, and of the commands they come from.
pub(super) fn change<'a>(
    plans: impl IntoIterator<Item = &'a Plan>,
    commands: Vec<StoredCommand>,
) -> LobbyChange {
    let mut change = LobbyChange {
        commands,
        ..LobbyChange::default()
    };
    for plan in plans {
        let put = plan.put.iter().chain(&plan.start);
        change
            .put
            .extend(put.map(|open| (open.seek.seek.0.clone(), encode(open))));
        let remove = plan.remove.iter();
        change
            .remove
            .extend(remove.map(|open| open.seek.seek.0.clone()));
    }
    change
}

fn encode(open: &OpenSeek) -> Vec<u8> {
    serde_json::to_vec(open).expect("a seek is plain data")
}
