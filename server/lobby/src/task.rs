//! The task of the lobby: takes requests in order, stores their changes, answers and announces.

pub(crate) use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tilewire_protocol::{ClientMessage, ErrorCode, OkBody, SeekId, ServerMessage};
use tilewire_rules::time::Timestamp;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::action::not_for_the_lobby;
use super::commands::{self, Command};
use super::criteria::RangeBounds;
use super::decision::{LobbyBounds, Plan};
use super::game_changes::GameChanges;
use super::game_starts::GameStarts;
use super::invitation::InvitationBounds;
use super::machine::Lobby;
use super::offers::NotifiedOffers;
use super::open_seek::OpenSeek;
use super::publisher::Publisher;
use super::rematch::RematchTimes;
use super::services::Services;
use tilewire_base::ids::normal_code;
use tilewire_base::queue_level::QueueLevel;
use tilewire_delivery::outbound::Peer;
use tilewire_game::Busy;
use tilewire_store::{LobbyChange, StoreError, StoredCommand, StoredSeek};
use tilewire_wire::Refusal;

/// How often the lobby checks which members are online.
const PRESENCE_CHECK: Duration = Duration::from_secs(1);
/// The interval of updates about the scores and clocks of listed games.
const GAME_CHANGES: Duration = Duration::from_secs(2);
/// How soon seeks whose games exist are removed from the storage if no other change is stored.
const CLEAR_AFTER: Duration = Duration::from_millis(10);
/// Requests taken together: they share one commit.
const TAKEN_TOGETHER: usize = 64;

/// Sends requests to the lobby.
#[derive(Debug, Clone, Default)]
pub struct LobbyHandle {
    /// The mailbox; `None` until the lobby begins here.
    mailbox: Arc<RwLock<Option<mpsc::Sender<Request>>>>,
}

/// A request and its connection.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) peer: Peer,
    pub(super) request_id: u64,
    pub(super) message: ClientMessage,
}

impl LobbyHandle {
    /// Starts the lobby with the stored seeks; it runs until `stop`, in tasks of `tasks`. After that, it can begin again.
    ///
    /// # Errors
    /// When the stored seeks cannot be read.
    pub async fn begin(
        &self,
        services: Services,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<(), StoreError> {
        let (mailbox, receiver) = mpsc::channel(services.config.limits.lobby_mailbox);
        let publisher = Arc::<Publisher>::default();
        let mut task = LobbyTask {
            lobby: restore(&services.store.seeks().await?)?,
            publisher: Arc::clone(&publisher),
            is_outcome_unknown: false,
            revocations_seen: 0,
            game_starts: GameStarts::new(&services.config.limits),
            invitations: GameStarts::of_invitations(&services.config.limits),
            game_changes: GameChanges::default(),
            started: BTreeSet::new(),
            told_offers: NotifiedOffers::default(),
            paired_at: services.clock.now(),
            services,
        };
        task.finish_half_started().await;
        let publishing = publisher.run(task.services.clone());
        tasks.spawn(stop.clone().run_until_cancelled_owned(publishing));
        tasks.spawn(task.run(receiver, stop.clone()));
        *self.mailbox.write().unwrap_or_else(PoisonError::into_inner) = Some(mailbox);
        Ok(())
    }

    /// Returns how full the mailbox is.
    #[must_use]
    pub fn level(&self) -> QueueLevel {
        let mailbox = self.mailbox();
        mailbox.as_ref().map(QueueLevel::of).unwrap_or_default()
    }

    fn mailbox(&self) -> RwLockReadGuard<'_, Option<mpsc::Sender<Request>>> {
        self.mailbox.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request; the lobby answers it through `peer` exactly once.
    ///
    /// # Errors
    /// [`Busy`] when the mailbox is full, or the lobby is not here; nothing was done.
    pub fn request(&self, peer: Peer, request_id: u64, message: ClientMessage) -> Result<(), Busy> {
        let request = Request {
            peer,
            request_id,
            message,
        };
        let mailbox = self.mailbox();
        let send = |mailbox: &mpsc::Sender<Request>| mailbox.try_send(request).is_ok();
        mailbox.as_ref().is_some_and(send).then_some(()).ok_or(Busy)
    }
}

impl Request {
    pub(super) fn answer(&self, answer: Result<OkBody, Refusal>) {
        let message = match answer {
            Ok(ok) => ServerMessage::Ok(Box::new(ok)),
            Err(refusal) => ServerMessage::Error(refusal.into()),
        };
        self.peer.send(self.request_id, &message);
    }
}

pub(super) fn restore(seeks: &[StoredSeek]) -> Result<Lobby, StoreError> {
    let seeks = seeks.iter().map(|(id, body)| {
        serde_json::from_slice(body)
            .map_err(|error| StoreError::Corrupt(format!("seek {id}: {error}")))
    });
    Ok(Lobby::new(seeks.collect::<Result<_, _>>()?))
}

pub(super) struct LobbyTask {
    pub(super) services: Services,
    pub(super) lobby: Lobby,
    pub(super) publisher: Arc<Publisher>,
    /// Whether the outcome of a change is unknown.
    pub(super) is_outcome_unknown: bool,
    /// How often keys and revocations had been replaced when revoked identities were last looked for.
    pub(super) revocations_seen: u64,
    pub(super) game_starts: GameStarts,
    /// The invitations of each sender count as games that begin do.
    pub(super) invitations: GameStarts,
    pub(super) game_changes: GameChanges,
    /// Seeks whose games exist, but that are still stored. A start finds that their games exist.
    pub(super) started: BTreeSet<SeekId>,
    pub(super) told_offers: NotifiedOffers,
    /// When the lobby last looked for pairs of seeks.
    pub(super) paired_at: Timestamp,
}

impl LobbyTask {
    async fn run(mut self, mut mailbox: mpsc::Receiver<Request>, stop: CancellationToken) {
        let mut news = self.services.directory.news();
        let mut tidy = tokio::time::interval(PRESENCE_CHECK);
        let mut changes = tokio::time::interval(GAME_CHANGES);
        let mut taken = Vec::with_capacity(TAKEN_TOGETHER);
        loop {
            self.make_widened_pairs().await;
            let until_widened = self.until_widened();
            // In this order: there may always be a request, but not always one of the others.
            tokio::select! {
                biased;
                () = stop.cancelled() => {
                    // A seek whose removal fails now is removed at the next start.
                    self.remove_closed(Plan::default()).await.ok();
                    return;
                }
                _ = tidy.tick() => self.tidy().await,
                _ = changes.tick() => self.tell_game_changes().await,
                () = tokio::time::sleep(until_widened.unwrap_or_default()), if until_widened.is_some() => {}
                event = news.recv() => self.game_news(event),
                count = mailbox.recv_many(&mut taken, TAKEN_TOGETHER) => match count {
                    0 => return,
                    _ => self.serve(taken.drain(..)).await,
                },
                () = tokio::time::sleep(CLEAR_AFTER), if !self.started.is_empty() => {
                    self.remove_closed(Plan::default()).await.ok(); // the next tick tries again
                }
            }
        }
    }

    /// Closes the seeks of identities that the operator has revoked since the last look.
    async fn withdraw_revoked(&mut self) {
        let accounts = Arc::clone(&self.services.accounts);
        let replaced = accounts.tokens().replaced();
        if self.revocations_seen == replaced || self.reconcile().await.is_err() {
            return;
        }
        let revoked = accounts.tokens().revoked_identities();
        let plan = self.lobby.without(&revoked, |_| true);
        if self.remove_closed(plan).await.is_ok() {
            self.revocations_seen = replaced;
        }
    }

    /// Serves requests in order. Successive commands are carried out together, and so are successive subscriptions.
    async fn serve(&mut self, taken: impl Iterator<Item = Request>) {
        self.withdraw_revoked().await;
        let mut together: Vec<Command> = Vec::new();
        let mut subscribing: Vec<Request> = Vec::new();
        for request in taken {
            if request.peer.is_revoked() {
                let code = ErrorCode::Revoked;
                request.answer(Err(Refusal::new(code, code.meaning())));
                continue;
            }
            match commands::key(&request) {
                Some(key) => {
                    self.subscribe(std::mem::take(&mut subscribing)).await;
                    let command = Command::new(request, key);
                    if together.iter().any(|other| other.is_named_as(&command)) {
                        self.commands(std::mem::take(&mut together)).await;
                    }
                    together.push(command);
                }
                None => {
                    self.commands(std::mem::take(&mut together)).await;
                    if let ClientMessage::LobbySubscribe(_) = request.message {
                        subscribing.push(request);
                    } else {
                        self.subscribe(std::mem::take(&mut subscribing)).await;
                        request.answer(self.without_change(&request));
                    }
                }
            }
        }
        self.commands(together).await;
        self.subscribe(subscribing).await;
    }

    /// Carries out a request that changes no seek.
    fn without_change(&self, request: &Request) -> Result<OkBody, Refusal> {
        match &request.message {
            ClientMessage::FindSeek(body) => {
                let (blocks, identity) = (&self.services.blocks, request.peer.identity());
                let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
                let code = normal_code(&body.code);
                let open = self.lobby.by_code(&code, identity, &are_blocked)?;
                Ok(OkBody {
                    seek: Some(open.shown_to(identity)),
                    ..OkBody::default()
                })
            }
            ClientMessage::LobbyUnsubscribe(_) => {
                self.publisher.feed().unsubscribe(request.peer.id());
                Ok(OkBody::default())
            }
            other => Err(not_for_the_lobby(other)),
        }
    }

    pub(super) fn bounds(&self) -> LobbyBounds {
        let config = self.services.settings.now();
        LobbyBounds {
            seeks: config.limits.open_seeks_total,
            seeks_per_identity: config.limits.open_seeks,
            seeks_per_address: config.limits.open_seeks_per_address,
            orphan_ms: config.timing.seek_orphan_ms,
            correspondence_ms: config.timing.correspondence_seek_ms,
            rematch: RematchTimes {
                within_ms: config.timing.rematch_ms,
                open_ms: config.timing.rematch_offer_ms,
            },
            correspondence_rematch: RematchTimes {
                within_ms: config.timing.correspondence_rematch_ms,
                open_ms: config.timing.correspondence_rematch_offer_ms,
            },
            invitations: InvitationBounds {
                most: config.limits.open_invitations,
                open_ms: config.timing.invitation_ms,
                correspondence_ms: config.timing.correspondence_invitation_ms,
            },
            range: RangeBounds {
                start: config.limits.quick_range,
                step: config.limits.quick_range_step,
                every_ms: config.timing.quick_range_every_ms,
                most: config.limits.quick_range_most,
            },
        }
    }

    /// Stores a change, and with it the removal of seeks whose games exist.
    pub(super) async fn store(&mut self, mut change: LobbyChange) -> Result<(), Refusal> {
        change
            .remove
            .extend(self.started.iter().map(|seek| seek.0.clone()));
        match self.services.store.commit(change).await {
            Ok(()) => {
                self.started.clear();
                Ok(())
            }
            Err(error) => {
                tracing::warn!(%error, "the outcome of a change of the lobby is unknown");
                self.is_outcome_unknown = true;
                let text = "the storage does not answer; ask again";
                Err(Refusal::new(ErrorCode::StoragePaused, text))
            }
        }
    }

    async fn tidy(&mut self) {
        if self.reconcile().await.is_err() {
            return;
        }
        self.finish_half_started().await;
        let (bounds, now) = (self.bounds(), self.services.clock.now());
        let presence = Arc::clone(&self.services.presence);
        let departed = presence.take_departed();
        let is_online = |identity: &str| presence.is_online(identity);
        let blocks = Arc::clone(&self.services.blocks);
        let has_blocked = |one: &str, other: &str| blocks.blocks(one, other);
        let plan = self
            .lobby
            .tidy(&bounds, now, &is_online, &has_blocked, &departed);
        self.remove_closed(plan).await.ok(); // the next tick tries again
        self.withdraw_revoked().await;
        self.withdraw_restricted().await;
        self.make_pairs().await;
        self.tell_offers_again();
        self.tell_blocks();
        let registry = &self.services.registry;
        let is_here = |peer: &Peer| registry.is_connected(peer);
        self.publisher.feed().retain(is_here);
    }

    /// Stores and announces a plan that nobody asked for, and removes seeks whose games exist from the storage.
    pub(super) async fn remove_closed(&mut self, gone: Plan) -> Result<(), Refusal> {
        let is_clear = gone.put.is_empty() && gone.remove.is_empty() && self.started.is_empty();
        if !is_clear {
            self.store(change([&gone], Vec::new())).await?;
            self.adopt(&gone);
        }
        Ok(())
    }
}

/// Returns the change that stores plans, in order, and the commands they come from.
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
