//! The shell of a room: one task, one mailbox, one timer, one append in flight.

pub(crate) mod leaving;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use tilewire_protocol::{GameId, GameSummary, ServerMessage as Message};
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::bot_turn::{self, Question};
use super::bounds::GameBounds;
use super::directory::{LostTime, Tenancy};
use super::gone::GonePeers;
use super::handle::RoomMessage;
use super::hinting::{self, HintQuestion};
use super::hub::task::{self as hub_task, HubQueue, UpdateGroups};
use super::hub::{Hub, HubBounds, HubInput, HubStart};
use super::listing::Listing;
use super::news::{GameNews, NewsChannel};
use super::room::{Room, RoomEffect, RoomInput};
use crate::Watched;
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::traces::TARGET;
use tilewire_delivery::outbound::{Delivery, Encoded, Peer, PeerId, Priority, Registry};
use tilewire_delivery::overload::Overload;
use tilewire_store::Journal;
use tilewire_wire::end_reason;

/// The clock of another server may be so much ahead: each reads its own from the database over a link that takes some time.
const AHEAD_MS: Millis = Millis(250);

/// The services that all actors share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) journal: Arc<dyn Journal>,
    pub(super) clock: ServerClock,
    /// The lost time of sleeping games.
    pub(super) lost: LostTime,
    pub(super) bounds: GameBounds,
    pub(super) news: NewsChannel,
    /// Cancelled when the server stops; the gates tell the games.
    pub(super) stop: CancellationToken,
    pub(super) tasks: TaskTracker,
    /// One permit for each house bot that may compute at the same time.
    pub(super) thinkers: Arc<Semaphore>,
    /// The level of load shedding.
    pub(super) overload: Arc<Overload>,
    /// The authenticated connections, attached to games or not.
    pub(super) registry: Arc<Registry>,
    /// The games with detailed logs.
    pub(super) watched: Arc<Watched>,
    /// The number of games that wait for the credit of an outage.
    pub(super) owing: Arc<AtomicUsize>,
}

/// A running game.
#[derive(Debug)]
pub(super) struct Actor {
    game: GameId,
    room: Room<Peer>,
    mailbox: mpsc::Receiver<RoomMessage>,
    gone: Arc<GonePeers>,
    listing: Arc<Listing>,
    shared: Shared,
    writing: Option<Writing>,
    /// Turns of house bots, and those of hints, that are being computed.
    thinking: Thinking,
    hub: Option<Arc<HubQueue<Peer>>>,
    /// Peers with queued frames.
    queued: BTreeMap<PeerId, Peer>,
    /// Whether this game waits for the credit of an outage.
    is_owing: bool,
    /// The lost time that the room knows of.
    lost_ms: Millis,
    stalls: watch::Receiver<Millis>,
    /// Whether the game may be here.
    tenancy: Tenancy,
    is_stopping: bool,
}

/// The journal call in flight.
struct Writing(BoxFuture<'static, RoomInput<Peer>>);

/// Turns of house bots, and those of hints, that are being computed.
#[derive(Default)]
struct Thinking(FuturesUnordered<BoxFuture<'static, RoomInput<Peer>>>);

impl std::fmt::Debug for Thinking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Thinking")
    }
}

impl std::fmt::Debug for Writing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writing")
    }
}

/// The way an actor ended.
#[derive(Debug)]
pub(super) enum End {
    /// It is done with the game.
    LetGo,
    /// Another node owns the game: the storage refused it.
    Fenced,
    /// Another node gets the game, or has it.
    Moved,
    /// The log cannot be replayed.
    Broken(String),
}

impl Actor {
    pub(super) fn new(
        game: GameId,
        room: Room<Peer>,
        ends: (mpsc::Receiver<RoomMessage>, Arc<GonePeers>),
        listing: Arc<Listing>,
        (shared, tenancy): (Shared, Tenancy),
    ) -> Self {
        let (mailbox, gone) = ends;
        let clock = &shared.clock;
        Self {
            lost_ms: clock.lost(clock.now()),
            stalls: clock.stalls(),
            game,
            room,
            mailbox,
            gone,
            listing,
            shared,
            writing: None,
            thinking: Thinking::default(),
            hub: None,
            queued: BTreeMap::new(),
            is_owing: false,
            tenancy,
            is_stopping: false,
        }
    }

    /// Counts this game among those that wait for the credit of an outage, until the credit is stored.
    pub(super) fn owe(&mut self) {
        if !std::mem::replace(&mut self.is_owing, true) {
            self.shared.owing.fetch_add(1, Ordering::SeqCst);
            self.tenancy.owing.send_modify(|owing| *owing += 1);
        }
    }

    /// The outage is credited, or cannot be.
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.is_owing) {
            self.shared.owing.fetch_sub(1, Ordering::SeqCst);
            self.tenancy.owing.send_modify(|owing| *owing -= 1);
        }
    }

    /// Runs the game until it leaves memory. All time since `stopped_at` is credited to it.
    pub(super) async fn run(&mut self, stopped_at: Option<Timestamp>) -> End {
        self.catch_up().await;
        let mut end = match stopped_at {
            Some(stopped_at) => self.take(RoomInput::Resumed { stopped_at }),
            None => self.take(RoomInput::Tick),
        };
        loop {
            if let Some(end) = end {
                return end;
            }
            end = if self.is_due() {
                self.take_behind_mailbox(RoomInput::Tick)
            } else {
                self.next().await
            };
        }
    }

    /// Waits until the clock of this server has reached the last event of the game. The clock of the server that stored it can be a little
    /// ahead. A larger difference is a clock that was set back; nobody waits for that.
    async fn catch_up(&mut self) {
        let clock = &self.shared.clock;
        let last_at = self.room.game().state().last_at();
        let ahead_ms = last_at - clock.now();
        if ahead_ms > Millis::ZERO && ahead_ms <= AHEAD_MS {
            super::sleep_for(Some(clock.until(last_at))).await;
        }
    }

    /// Waits for the next input and handles it.
    async fn next(&mut self) -> Option<End> {
        let clock = &self.shared.clock;
        let wait = self.room.next_deadline().map(|at| clock.until(at));
        let writing = async {
            match &mut self.writing {
                Some(writing) => (&mut writing.0).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            done = writing => {
                self.writing = None;
                match done {
                    // The game may leave memory now, unless an attach is waiting.
                    RoomInput::Rested(_) => self.take_behind_mailbox(done),
                    _ => self.take(done),
                }
            }
            Some(thought) = self.thinking.0.next(), if !self.is_stopping => self.take(thought),
            peers = self.gone.take() => {
                peers.into_iter().find_map(|peer| self.take(RoomInput::Gone(peer)))
            }
            message = self.mailbox.recv(), if !self.is_stopping => match message {
                Some(message) => self.take(*message),
                None => self.stop(RoomInput::Stop),
            },
            word = self.tenancy.changed() => self.obey(word),
            Ok(()) = self.stalls.changed() => self.take(RoomInput::Tick),
            () = super::sleep_for(wait) => self.take(RoomInput::Tick),
        }
    }

    fn is_due(&self) -> bool {
        let deadline = self.room.next_deadline();
        deadline.is_some_and(|at| at <= self.shared.clock.now())
    }

    /// Handles an input after the messages that were received before it.
    fn take_behind_mailbox(&mut self, input: RoomInput<Peer>) -> Option<End> {
        for _ in 0..self.shared.bounds.mailbox {
            let Ok(message) = self.mailbox.try_recv() else {
                break;
            };
            if let Some(end) = self.take(*message) {
                return Some(end);
            }
        }
        self.take(input)
    }

    /// Returns the input that credits the stalls since the last call to the game.
    fn stall(&mut self, now: Timestamp) -> Option<RoomInput<Peer>> {
        let total = self.shared.clock.lost(now);
        let stalled = total - std::mem::replace(&mut self.lost_ms, total);
        if stalled == Millis::ZERO {
            return None;
        }
        self.owe();
        // The clock that ran meanwhile is charged with the rest of the time.
        let stopped_at = now - stalled;
        Some(RoomInput::Resumed { stopped_at })
    }

    /// Hands an input to the room and carries out the effects. The room learns of a stall before the input.
    fn take(&mut self, input: RoomInput<Peer>) -> Option<End> {
        self.room.set_level(self.shared.overload.level());
        let now = self.shared.clock.now();
        let stall = self.stall(now);
        let lost = self.shared.lost.of(self.tenancy.shard, self.lost_ms);
        self.room.set_lost(lost);
        // The credit of an outage goes on to this moment, and contains the stall.
        let stall = stall.filter(|_| !matches!(input, RoomInput::Resumed { .. }));
        let mut inputs = vec![input];
        inputs.extend(stall);
        let mut end = None;
        let is_watched = self.shared.watched.has(&self.game.0, now);
        while let Some(input) = inputs.pop() {
            if is_watched {
                self.log("input", input.name());
            }
            let (game, name) = (self.game.0.as_str(), input.name());
            let _span = tracing::trace_span!(target: TARGET, "input", game, name).entered();
            let effects = self.room.handle(now, input);
            self.listing.set_paused(self.room.stands_still());
            for effect in effects {
                if is_watched {
                    self.log("effect", effect.name());
                }
                match self.carry_out(effect) {
                    Outcome::Done => {}
                    // The connection ended before the game learned of it: it must not stay attached.
                    Outcome::Gone(peers) => inputs.extend(peers.into_iter().map(RoomInput::Gone)),
                    Outcome::End(ending) => {
                        end.get_or_insert(ending);
                    }
                }
            }
        }
        // One write per peer carries all frames of this input.
        for (_, peer) in std::mem::take(&mut self.queued) {
            peer.flush();
        }
        if self.is_owing && !self.room.owes_credit() {
            self.settle();
        }
        end
    }

    /// Writes what a watched game takes or does to the log: names only, because the content can be secret.
    fn log(&self, what: &'static str, name: &str) {
        let (game, seq) = (&self.game.0, self.room.game().state().seq().0);
        tracing::info!(game, seq, what, name, "a watched game");
    }

    fn carry_out(&mut self, effect: RoomEffect<Peer>) -> Outcome {
        match effect {
            RoomEffect::Append(append) => {
                reached(Point::BeforeAppend);
                let journal = Arc::clone(&self.shared.journal);
                let append = async move { RoomInput::Appended(journal.append(append).await) };
                let append = append.instrument(tracing::trace_span!(target: TARGET, "append"));
                self.writing = Some(Writing(append.boxed()));
            }
            RoomEffect::Reload => {
                let (journal, game) = (Arc::clone(&self.shared.journal), self.game.clone());
                let load = async move { RoomInput::Reloaded(journal.load(&game).await) };
                self.writing = Some(Writing(load.boxed()));
            }
            RoomEffect::Rest(rest) => {
                let journal = Arc::clone(&self.shared.journal);
                let rest = async move { RoomInput::Rested(journal.rest(*rest).await) };
                self.writing = Some(Writing(rest.boxed()));
            }
            RoomEffect::AskBot(question) => self.ask_bot(*question),
            RoomEffect::FindHint(question) => self.find_hint(*question),
            RoomEffect::Reply {
                peer,
                request_id,
                message,
                received_at,
            } => return self.reply(peer, (request_id, received_at), &message),
            RoomEffect::HandBack {
                peer,
                request_id,
                otherwise,
            } => {
                if !peer.hand_back(request_id) {
                    return self.reply(peer, (request_id, None), &Message::Error(otherwise));
                }
            }
            RoomEffect::Push { to, message } => {
                reached(Point::BeforePush);
                return self.push(to, message);
            }
            RoomEffect::CallPlayer {
                identity,
                attached,
                message,
            } => self.shared.registry.call(&identity, &attached, &message),
            RoomEffect::Inspected(asker, inspection) => asker.answer(*inspection),
            RoomEffect::OpenHub(start) => self.open_hub(start),
            RoomEffect::Hub(input) => self.post(input),
            RoomEffect::CloseHub => self.close_hub(),
            RoomEffect::Summary(summary) => self.listing.put(summary),
            RoomEffect::OwnSummary(summary) => self.listing.put_own(summary),
            RoomEffect::Started(summary) => self.announce(GameNews::Started, summary),
            RoomEffect::Ended(summary) => {
                self.listing.finish();
                if let Some(ended) = self.room.game().state().outcome() {
                    let reason = end_reason(ended.reason).as_str();
                    metrics::game_ended(reason);
                    tracing::info!(game = summary.game.0, reason, "a game ended");
                }
                self.announce(GameNews::Ended, summary);
            }
            RoomEffect::Stop if self.room.is_moving() => return Outcome::End(End::Moved),
            RoomEffect::Stop => return Outcome::End(End::LetGo),
            RoomEffect::Fenced => return Outcome::End(End::Fenced),
            RoomEffect::Broken(problem) => return Outcome::End(End::Broken(problem)),
        }
        Outcome::Done
    }

    fn ask_bot(&mut self, question: Question) {
        let thinkers = Arc::clone(&self.shared.thinkers);
        let answer = bot_turn::answer(question, Arc::clone(self.room.lexicon()), thinkers);
        self.thinking
            .0
            .push(answer.map(RoomInput::BotReplied).boxed());
    }

    fn find_hint(&mut self, question: HintQuestion) {
        let thinkers = Arc::clone(&self.shared.thinkers);
        let answer = hinting::answer(question, Arc::clone(self.room.lexicon()), thinkers);
        self.thinking
            .0
            .push(answer.map(RoomInput::HintFound).boxed());
    }

    fn reply(
        &mut self,
        peer: Peer,
        (request_id, received_at): (u64, Option<Timestamp>),
        message: &Message,
    ) -> Outcome {
        if let Some(received_at) = received_at {
            metrics::command_took(self.shared.clock.now() - received_at);
        }
        reached(Point::BeforeReply);
        let delivery = peer.queue(request_id, message);
        self.note_delivered([(peer, delivery)])
    }

    fn push(&mut self, to: Vec<Peer>, message: Message) -> Outcome {
        let encoded = Encoded::new(message);
        self.note_delivered(to.into_iter().map(|peer| {
            let frame = encoded.frame(peer.codec());
            let delivery = peer.queue_encoded(Priority::Player, frame.into());
            (peer, delivery)
        }))
    }

    /// Notes the peers with queued frames, and those whose connection has ended.
    fn note_delivered(
        &mut self,
        deliveries: impl IntoIterator<Item = (Peer, Delivery)>,
    ) -> Outcome {
        let mut gone = Vec::new();
        for (peer, delivery) in deliveries {
            if delivery == Delivery::Gone {
                gone.push(peer.id());
            } else {
                self.queued.insert(peer.id(), peer);
            }
        }
        if gone.is_empty() {
            Outcome::Done
        } else {
            Outcome::Gone(gone)
        }
    }

    fn announce(&self, news: fn(GameSummary) -> GameNews, summary: GameSummary) {
        if !summary.private {
            self.shared.news.tell(news(summary));
        }
    }

    fn open_hub(&mut self, start: HubStart) {
        let bounds = HubBounds {
            history_events: self.shared.bounds.history_events,
            lagging_retry_ms: self.shared.bounds.lagging_retry_ms,
        };
        let hub = Hub::new(bounds, start);
        let queue = Arc::new(HubQueue::new(self.shared.bounds.hub_queue));
        self.hub = Some(Arc::clone(&queue));
        let (gone, clock) = (Arc::clone(&self.gone), self.shared.clock.clone());
        let gap_ms = self.shared.bounds.spectator_gap_ms;
        let groups = UpdateGroups::new(gap_ms, Arc::clone(&self.shared.overload));
        self.shared
            .tasks
            .spawn(hub_task::run(hub, queue, gone, clock, groups));
    }

    fn close_hub(&mut self) {
        if let Some(hub) = self.hub.take() {
            hub.close();
        }
    }

    fn post(&self, input: HubInput<Peer>) {
        if let Some(hub) = &self.hub {
            hub.post(input);
        }
    }
}

/// The result of an effect.
enum Outcome {
    Done,
    Gone(Vec<PeerId>),
    End(End),
}
