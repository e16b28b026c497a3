//! The task of the chat: takes requests in order, stores the new lines together, answers and delivers.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tilewire_people::moderation::Restraint;
use tilewire_protocol::limits::{CHAT_LINES_MAX, DIRECT_ROOMS_MAX};
use tilewire_protocol::{
    ChatAnswer, ChatClosed, ChatClosedReason, ChatHidden, ChatSay, ErrorCode, GameId, OkBody,
    RoomId, ServerMessage,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::Admission;
use super::delivery::Reading;
use super::line::{answer, refusal, to_wire};
use super::machine::{Chat, ChatBounds};
use super::room::RoomName;
use super::say::Said;
use tilewire_accounts::moderation_messages as moderation;
use tilewire_accounts::people::{Blocks, ChatOff};
use tilewire_accounts::restrictions::Restrictions;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_base::queue_level::QueueLevel;
use tilewire_config::Config;
use tilewire_delivery::outbound::{Delivery, Peer, PeerId, Registry, fan_out};
use tilewire_delivery::overload::{LeftOut, Overload};
use tilewire_game::Busy;
use tilewire_store::{ChatChange, ChatStore, DirectPair, RelationStore, StoreError, StoredLine};
use tilewire_wire::Refusal;

/// How often connections that have ended are looked for.
const SWEEP: Duration = Duration::from_secs(10);
/// Requests taken together: their lines share one commit.
const TAKEN_TOGETHER: usize = 64;

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

/// A client's request, after the connection has checked the permission.
#[derive(Debug)]
pub enum Action {
    /// Join a room; the answer has the lines after this one.
    Join(Admission, u64),
    /// Follow all direct rooms.
    FollowDirect,
    /// Leave a room.
    Leave(RoomId),
    /// Leave the rooms of a game; there is no answer.
    LeaveGame(GameId),
    /// Write a line.
    Say(ChatSay),
}

/// A request and its connection.
#[derive(Debug)]
struct Request {
    peer: Peer,
    request_id: u64,
    action: Action,
}

/// Sends requests to the chat.
#[derive(Debug, Clone, Default)]
pub struct ChatHandle {
    /// The mailbox; `None` until the chat begins here.
    mailbox: Arc<RwLock<Option<mpsc::Sender<Request>>>>,
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
        let (mailbox, receiver) = mpsc::channel(settings.mailbox);
        let task = ChatTask {
            chat: Chat::new(bounds),
            services,
        };
        let running = task.run(receiver);
        tasks.spawn(stop.clone().run_until_cancelled_owned(running));
        *self.mailbox.write().unwrap_or_else(PoisonError::into_inner) = Some(mailbox);
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

    /// Sends a request; the chat answers it through `peer` exactly once.
    ///
    /// # Errors
    /// [`Busy`] when the mailbox is full, or the chat is not here; nothing was done.
    pub fn request(&self, peer: Peer, request_id: u64, action: Action) -> Result<(), Busy> {
        let request = Request {
            peer,
            request_id,
            action,
        };
        let mailbox = self.mailbox();
        let send = |mailbox: &mpsc::Sender<Request>| mailbox.try_send(request).is_ok();
        mailbox.as_ref().is_some_and(send).then_some(()).ok_or(Busy)
    }

    /// Reports that a connection detaches from a game: it leaves the rooms of the game. If the mailbox is full, it stays there.
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

struct ChatTask {
    services: Services,
    chat: Chat<Peer>,
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
                count = mailbox.recv_many(&mut taken, TAKEN_TOGETHER) => match count {
                    0 => return,
                    _ => self.serve(taken.drain(..)).await,
                },
            }
        }
    }

    fn sweep(&mut self) {
        self.chat.tidy(self.services.clock.now());
        let registry = &self.services.registry;
        let ended = |(_, peer): &(_, &Peer)| !registry.is_connected(peer);
        let ended: Vec<_> = self.chat.peers().filter(ended).map(|(id, _)| id).collect();
        for id in ended {
            self.chat.gone(id);
        }
        metrics::chat_members(self.chat.members());
    }

    /// Hides lines, and tells the members of their rooms; or shows lines again, to those who join from now on.
    fn hide_lines(&mut self) {
        for changed in self.services.restrictions.take_lines() {
            let room = RoomId(changed.room);
            self.chat.hide(&room, &changed.lines, changed.is_hidden);
            if !changed.is_hidden {
                continue;
            }
            let push = ServerMessage::ChatHidden(ChatHidden {
                room: room.clone(),
                lines: changed.lines,
            });
            for (_, peer) in self.chat.readers_of(&room) {
                peer.send(0, &push);
            }
        }
    }

    /// Takes players who have switched chat off out of their rooms, and tells their connections.
    fn switch_off(&mut self) {
        for identity in self.services.chat_off.take_switched() {
            for (room, peer) in self.chat.quit(&identity) {
                peer.send(0, &closed(&room, ChatClosedReason::ChatOff));
            }
        }
    }

    /// Checks that a connection has chat. The player can have switched it off after the request was admitted; a switch that
    /// comes after this check finds the connection in the room.
    fn check_on(&self, peer: &Peer) -> Result<(), Refusal> {
        let chat_off = &self.services.chat_off;
        match peer.pass().is_some_and(|pass| chat_off.is_off_for(pass)) {
            true => Err(refusal(ErrorCode::ChatOff)),
            false => Ok(()),
        }
    }

    async fn serve(&mut self, taken: impl Iterator<Item = Request>) {
        let (mut lines, mut said) = (Vec::new(), Vec::new());
        for request in taken {
            if request.peer.is_revoked() {
                request.answer(Err(refusal(ErrorCode::Revoked)));
                continue;
            }
            let answer = match &request.action {
                Action::Join(admission, after) => self.join(&request.peer, admission, *after).await,
                Action::FollowDirect => self.follow_direct(&request.peer).await,
                Action::LeaveGame(game) => {
                    for name in [RoomName::Players, RoomName::Spectators] {
                        self.chat.leave(request.peer.id(), &name(game.clone()).id());
                    }
                    continue;
                }
                Action::Leave(room) => match self.chat.leave(request.peer.id(), room) {
                    Some(_) => Ok(OkBody::default()),
                    None => Err(refusal(ErrorCode::NotInRoom)),
                },
                Action::Say(say) => match self.say(&request.peer, say).await {
                    Ok(line) => {
                        let number = match line {
                            Said::New(line) => {
                                let number = line.line;
                                lines.push(line);
                                number
                            }
                            Said::Again(number) => number,
                        };
                        let room = say.room.clone();
                        said.push((request, room, number));
                        continue;
                    }
                    Err(refusal) => Err(refusal),
                },
            };
            request.answer(answer);
        }
        self.store(lines, said).await;
    }

    /// Stores new lines, and only then answers and delivers them.
    async fn store(&mut self, lines: Vec<StoredLine>, said: Vec<(Request, RoomId, u64)>) {
        if !lines.is_empty() && self.commit(&lines).await.is_err() {
            self.chat.unsure(&lines);
            for (request, ..) in said {
                request.answer(Err(paused()));
            }
            return self.chat.forget_empty(&lines);
        }
        self.chat.stored(&lines);
        for (request, room, line) in said {
            request.answer(Ok(answer(ChatAnswer {
                room: Some(room),
                line: Some(line),
                ..ChatAnswer::default()
            })));
        }
        metrics::chat_lines(lines.len());
        self.deliver(&lines).await;
        self.chat.forget_empty(&lines);
    }

    async fn commit(&self, lines: &[StoredLine]) -> Result<(), StoreError> {
        let mut pairs = BTreeMap::new();
        for line in lines {
            let name = self.chat.name(&RoomId(line.room.clone()));
            if let Some(pair) = name.and_then(RoomName::pair) {
                pairs.insert(line.room.clone(), pair.clone());
            }
        }
        let pairs = pairs.into_iter();
        let change = ChatChange {
            pairs: pairs
                .map(|(room, pair)| DirectPair { room, pair })
                .collect(),
            lines: lines.to_vec(),
        };
        self.services.store.say(change).await.inspect_err(|error| {
            tracing::warn!(%error, "the outcome of lines of the chat is unknown");
        })
    }

    async fn join(
        &mut self,
        peer: &Peer,
        admission: &Admission,
        after: u64,
    ) -> Result<OkBody, Refusal> {
        let room = admission.room.id();
        self.check_on(peer)?;
        self.read(&admission.room).await?;
        let member = admission.member(peer);
        let can_say = member.can_say;
        self.chat.join(peer.id(), &room, member)?;
        let blocks = &self.services.blocks;
        let is_hidden = |line: &StoredLine| blocks.are_blocked(&line.identity, peer.identity());
        let lines = self.chat.lines(&room, after, &is_hidden);
        Ok(answer(ChatAnswer {
            room: Some(room),
            lines: Some(lines.iter().map(to_wire).collect()),
            can_say,
            ..ChatAnswer::default()
        }))
    }

    /// Reads from the storage what is missing of a room, and delivers it.
    async fn read(&mut self, name: &RoomName) -> Result<(), Refusal> {
        let room = name.id();
        let Some(after) = self.chat.unread_after(&room) else {
            return Ok(());
        };
        let lines = self
            .services
            .store
            .lines(room.as_str(), after, CHAT_LINES_MAX);
        let lines = lines.await.map_err(|error| {
            tracing::warn!(%error, "a room of the chat could not be read");
            paused()
        })?;
        self.chat.read(name, lines.clone());
        // The members have not got these lines yet, because their storage outcome was unknown.
        self.deliver(&lines).await;
        Ok(())
    }

    async fn follow_direct(&mut self, peer: &Peer) -> Result<OkBody, Refusal> {
        self.check_on(peer)?;
        let identity = peer.identity();
        self.chat.follow_direct(peer.id(), identity, peer.clone());
        let read = async {
            let rooms = self.services.store.direct_rooms(identity, DIRECT_ROOMS_MAX);
            let relations = self.services.relations.relations(identity);
            Ok::<_, StoreError>((rooms.await?, relations.await?))
        };
        let (rooms, relations) = read.await.map_err(|error| {
            tracing::warn!(%error, "the direct rooms of a player could not be read");
            paused()
        })?;
        let can_write = |identity: &str| {
            let mut followed = relations.followed.iter();
            followed.any(|related| related.is_friend && related.identity == identity)
                && !self.services.chat_off.is_off(identity)
        };
        let rooms = rooms.into_iter().filter(|room| can_write(&room.other));
        Ok(answer(ChatAnswer {
            rooms: Some(rooms.map(super::line::direct_room).collect()),
            ..ChatAnswer::default()
        }))
    }

    async fn say(&mut self, peer: &Peer, say: &ChatSay) -> Result<Said, Refusal> {
        self.check_on(peer)?;
        let services = &self.services;
        if !services.overload.level().takes_chat() {
            let body = services.overload.refusal(LeftOut::Chatting);
            let mut refused = Refusal::new(body.code, body.message);
            refused.detail = body.detail.unwrap_or_default();
            return Err(refused);
        }
        let now = services.clock.now();
        let muted = services
            .restrictions
            .of(peer.identity(), Restraint::Mute, now);
        if let Some(restriction) = muted {
            return Err(moderation::restricted(&restriction));
        }
        let name = self.chat.name(&say.room).cloned();
        let name = name.ok_or_else(|| refusal(ErrorCode::NotInRoom))?;
        self.read(&name).await?;
        if let Some(pair) = name.pair() {
            self.check_pair(&say.room, pair).await?;
        }
        let now = self.services.clock.now();
        self.chat.say(now, peer.id(), say)
    }

    /// Checks that the players of a direct room are still friends and have chat; else closes the room.
    async fn check_pair(
        &mut self,
        room: &RoomId,
        [one, other]: &[String; 2],
    ) -> Result<(), Refusal> {
        let services = &self.services;
        let relation = services.relations.relation(one, other).await;
        let is_friend = relation.map_err(|_| paused())?.is_friend;
        // The writer must not learn which of the two it is.
        if is_friend
            && [one, other]
                .iter()
                .all(|own| !services.chat_off.is_off(own))
        {
            return Ok(());
        }
        for (id, peer) in self.chat.members_of(room) {
            self.chat.leave(id, room);
            peer.send(0, &closed(room, ChatClosedReason::NotFriends));
        }
        Err(refusal(ErrorCode::NoSuchRoom))
    }

    /// Sends stored lines to their readers.
    async fn deliver(&mut self, lines: &[StoredLine]) {
        let blocks = &self.services.blocks;
        let mut reading = Reading::default();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_hidden) {
            let is_free = !blocks.concern(&line.identity);
            let are_blocked = |one: &str, other: &str| !is_free && blocks.are_blocked(one, other);
            reading.add(at, self.chat.readers(line, &are_blocked));
        }
        let missed = match fan_out(reading.dispatches(lines)).await {
            Ok(missed) => missed,
            Err(error) => return tracing::error!(%error, "a fan-out of the chat panicked"),
        };
        for (id, delivery) in missed {
            match delivery {
                Delivery::Lagging => self.drop_slow(id, lines),
                Delivery::Gone | Delivery::Overflowed => self.chat.gone(id),
                Delivery::Queued => {}
            }
        }
    }

    /// Removes a connection that reads too slowly from the rooms of these lines.
    fn drop_slow(&mut self, id: PeerId, lines: &[StoredLine]) {
        for line in lines {
            let room = RoomId(line.room.clone());
            if let Some(peer) = self.chat.leave(id, &room) {
                peer.send(0, &closed(&room, ChatClosedReason::TooSlow));
            }
        }
    }
}

fn closed(room: &RoomId, reason: ChatClosedReason) -> ServerMessage {
    ServerMessage::ChatClosed(ChatClosed {
        room: room.clone(),
        reason,
    })
}

fn paused() -> Refusal {
    Refusal::new(
        ErrorCode::StoragePaused,
        "the storage does not answer; ask again",
    )
}
