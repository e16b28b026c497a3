//! The task of the chat: hands requests to the scheduler, and carries out its effects. It never waits for the storage.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use tilewire_protocol::limits::{CHAT_LINES_MAX, DIRECT_ROOMS_MAX};
use tilewire_protocol::{ChatAnswer, GameId, OkBody, RoomId, ServerMessage};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::delivery::Reading;
use super::effect::{Effect, Input};
use super::line::{answer, direct_room, paused};
use super::machine::ChatBounds;
use super::request::{Action, Facts, Request};
use super::scheduler::Scheduler;
use tilewire_accounts::people::{Blocks, ChatOff};
use tilewire_accounts::restrictions::Restrictions;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_base::queue_level::QueueLevel;
use tilewire_config::Config;
use tilewire_delivery::outbound::{Peer, PeerId, Registry, fan_out};
use tilewire_delivery::overload::Overload;
use tilewire_game::Busy;
use tilewire_store::{ChatStore, RelationStore, StoreError, StoredLine};
use tilewire_wire::Refusal;

/// How often connections that have ended are looked for.
const SWEEP: Duration = Duration::from_secs(10);
/// Requests taken together: new lines of one room share one commit.
const TAKEN_TOGETHER: usize = 64;
/// One room may have this part of the requests that may wait, so that it leaves places to the others.
const ROOM_SHARE: usize = 2;

/// The services that the chat uses.
#[derive(Debug, Clone)]
pub struct Services {
    /// All settings.
    pub config: Arc<Config>,
    /// Server time.
    pub clock: ServerClock,
    /// The lines.
    pub store: Arc<dyn ChatStore>,
    /// Knows who are friends.
    pub relations: Arc<dyn RelationStore>,
    /// All blocks between players.
    pub blocks: Arc<Blocks>,
    /// The players who have switched chat off.
    pub chat_off: Arc<ChatOff>,
    /// The muted players, and the lines that moderators hide.
    pub restrictions: Arc<Restrictions>,
    /// The authenticated connections.
    pub registry: Arc<Registry>,
    /// The level of load shedding.
    pub overload: Arc<Overload>,
}

/// The way of requests to the task.
#[derive(Debug)]
struct Mailbox {
    sender: mpsc::Sender<Request>,
    /// The requests that may be without an answer, wherever they wait.
    places: Arc<Semaphore>,
    capacity: usize,
}

/// Sends requests to the chat.
#[derive(Debug, Clone, Default)]
pub struct ChatHandle {
    /// `None` until the chat begins here.
    mailbox: Arc<RwLock<Option<Mailbox>>>,
}

impl ChatHandle {
    /// Starts the chat, which runs until `stop`, in a task of `tasks`. After that, it can begin again.
    pub fn begin(&self, services: Services, tasks: &TaskTracker, stop: &CancellationToken) {
        let settings = &services.config.chat;
        let bounds = ChatBounds {
            burst: settings.burst,
            lines_per_minute: settings.lines_per_minute,
            repeat_ms: settings.repeat_ms,
            rooms_per_connection: settings.rooms_per_connection,
            members: settings.members,
        };
        let capacity = settings.mailbox;
        let (sender, receiver) = mpsc::channel(capacity);
        let task = ChatTask {
            scheduler: Scheduler::new(bounds, (capacity / ROOM_SHARE).max(1)),
            services,
            calls: Calls::default(),
        };
        let running = task.run(receiver);
        tasks.spawn(stop.clone().run_until_cancelled_owned(running));
        let places = Arc::new(Semaphore::new(capacity));
        let mailbox = Mailbox {
            sender,
            places,
            capacity,
        };
        *self.mailbox.write().unwrap_or_else(PoisonError::into_inner) = Some(mailbox);
    }

    /// Returns how many requests wait for their answers.
    #[must_use]
    pub fn level(&self) -> QueueLevel {
        let mailbox = self.mailbox();
        let level = |mailbox: &Mailbox| QueueLevel {
            length: mailbox.capacity - mailbox.places.available_permits(),
            capacity: mailbox.capacity,
        };
        mailbox.as_ref().map(level).unwrap_or_default()
    }

    fn mailbox(&self) -> RwLockReadGuard<'_, Option<Mailbox>> {
        self.mailbox.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request; the chat answers it through `peer` exactly once.
    ///
    /// # Errors
    /// [`Busy`] when too many requests wait, or the chat is not here; nothing was done.
    pub fn request(&self, peer: Peer, request_id: u64, action: Action) -> Result<(), Busy> {
        let mailbox = self.mailbox();
        let Mailbox { sender, places, .. } = mailbox.as_ref().ok_or(Busy)?;
        let place = Arc::clone(places).try_acquire_owned().map_err(|_| Busy)?;
        let request = Request {
            peer,
            request_id,
            action,
            _place: place,
        };
        sender.try_send(request).map_err(|_| Busy)
    }

    /// Reports that a connection detaches from a game: it leaves the rooms of the game. If too many requests wait, it stays there.
    pub fn left(&self, peer: &Peer, game: &GameId) {
        let action = Action::LeaveGame(game.clone());
        self.request(peer.clone(), 0, action).ok();
    }
}

impl Request {
    fn answer(&self, answer: Result<OkBody, Refusal>) {
        let message = match answer {
            Ok(ok) => ServerMessage::Ok(Box::new(ok)),
            Err(refusal) => ServerMessage::Error(refusal.into()),
        };
        self.peer.send(self.request_id, &message);
    }
}

/// The calls in flight: at most one per room, and the lists of direct rooms. Each belongs to a request without an answer, or
/// delivers the lines of one.
#[derive(Default)]
struct Calls(FuturesUnordered<BoxFuture<'static, Option<Input>>>);

struct ChatTask {
    services: Services,
    scheduler: Scheduler,
    calls: Calls,
}

impl ChatTask {
    async fn run(mut self, mut mailbox: mpsc::Receiver<Request>) {
        let mut sweep = tokio::time::interval(SWEEP);
        let mut taken = Vec::with_capacity(TAKEN_TOGETHER);
        let restrictions = Arc::clone(&self.services.restrictions);
        let chat_off = Arc::clone(&self.services.chat_off);
        loop {
            tokio::select! {
                biased;
                _ = sweep.tick() => self.sweep(),
                () = restrictions.lines_changed() => self.hide_lines(),
                () = chat_off.switched_off() => self.switch_off(),
                Some(ended) = self.calls.0.next() => ended.into_iter().for_each(|input| self.handle(input)),
                count = mailbox.recv_many(&mut taken, TAKEN_TOGETHER) => match count {
                    0 => return,
                    _ => self.handle(Input::Asked(std::mem::take(&mut taken))),
                },
            }
        }
    }

    fn sweep(&mut self) {
        let registry = &self.services.registry;
        let ended = |(_, peer): &(_, &Peer)| !registry.is_connected(peer);
        let peers = self.scheduler.chat.peers();
        let ended = peers.filter(ended).map(|(id, _)| id).collect();
        self.handle(Input::Gone(ended));
        metrics::chat_members(self.scheduler.chat.members());
    }

    fn hide_lines(&mut self) {
        for changed in self.services.restrictions.take_lines() {
            self.handle(Input::Hidden {
                room: RoomId(changed.room),
                lines: changed.lines,
                is_hidden: changed.is_hidden,
            });
        }
    }

    fn switch_off(&mut self) {
        for identity in self.services.chat_off.take_switched() {
            self.handle(Input::SwitchedOff(identity));
        }
    }

    fn handle(&mut self, input: Input) {
        let services = &self.services;
        let facts = Facts {
            blocks: &services.blocks,
            chat_off: &services.chat_off,
            restrictions: &services.restrictions,
            overload: &services.overload,
        };
        let effects = self.scheduler.handle(services.clock.now(), input, facts);
        for effect in effects {
            self.carry_out(effect);
        }
    }

    fn carry_out(&self, effect: Effect) {
        let services = &self.services;
        let store = Arc::clone(&services.store);
        let call: BoxFuture<'static, Option<Input>> = match effect {
            Effect::Answer(request, answer) => return request.answer(*answer),
            Effect::Tell(peer, push) => {
                peer.send(0, &push);
                return;
            }
            Effect::ListDirect(request) => {
                let services = services.clone();
                let listed =
                    async move { request.answer(direct_rooms(&services, &request.peer).await) };
                listed.map(|()| None).boxed()
            }
            Effect::Read { name, after } => async move {
                let room = name.id();
                let lines = store.lines(room.as_str(), after, CHAT_LINES_MAX).await;
                let lines = lines.inspect_err(|error| {
                    tracing::warn!(%error, "a room of the chat could not be read");
                });
                Some(Input::Read { name, after, lines })
            }
            .boxed(),
            Effect::Relate { room, pair } => {
                let relations = Arc::clone(&services.relations);
                let related = async move {
                    let relation = relations.relation(&pair[0], &pair[1]).await;
                    Some(Input::Related {
                        room,
                        pair,
                        relation,
                    })
                };
                related.boxed()
            }
            Effect::Append { room, change } => async move {
                let count = change.lines.len();
                let appended = store.say(change).await;
                match &appended {
                    Ok(()) => metrics::chat_lines(count),
                    Err(error) => {
                        tracing::warn!(%error, "the outcome of lines of the chat is unknown");
                    }
                }
                Some(Input::Appended { room, appended })
            }
            .boxed(),
            Effect::Deliver {
                room,
                lines,
                readers,
            } => deliver(room, lines, readers).map(Some).boxed(),
        };
        self.calls.0.push(call);
    }
}

/// Reads the direct rooms of a connection.
async fn direct_rooms(services: &Services, peer: &Peer) -> Result<OkBody, Refusal> {
    let identity = peer.identity();
    let read = async {
        let rooms = services.store.direct_rooms(identity, DIRECT_ROOMS_MAX);
        let relations = services.relations.relations(identity);
        Ok::<_, StoreError>((rooms.await?, relations.await?))
    };
    let (rooms, relations) = read.await.map_err(|error| {
        tracing::warn!(%error, "the direct rooms of a player could not be read");
        paused()
    })?;
    let can_write = |identity: &str| {
        let mut followed = relations.followed.iter();
        followed.any(|related| related.is_friend && related.identity == identity)
            && !services.chat_off.is_off(identity)
    };
    let rooms = rooms.into_iter().filter(|room| can_write(&room.other));
    Ok(answer(ChatAnswer {
        rooms: Some(rooms.map(direct_room).collect()),
        ..ChatAnswer::default()
    }))
}

/// Sends stored lines to their readers.
async fn deliver(
    room: RoomId,
    lines: Vec<StoredLine>,
    readers: Vec<(usize, Vec<(PeerId, Peer)>)>,
) -> Input {
    let mut reading = Reading::default();
    for (at, readers) in readers {
        reading.add(at, readers);
    }
    let missed = fan_out(reading.dispatches(&lines)).await;
    let missed = missed.unwrap_or_else(|error| {
        tracing::error!(%error, "a fan-out of the chat panicked");
        Vec::new()
    });
    Input::Delivered { room, missed }
}
