//! One connection of a gateway: its channels, its unanswered requests, and the games that it follows at other nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_protocol::{
    Attach, ClientMessage, CloseCode, Codec, ErrorCode, GameId, encode_client,
};
use tilewire_rules::time::{Millis, Timestamp};

use super::input::{ClientRequest, Push, Subject};
use super::pending::{Followed, Pending, Source, Stage, Stream};
use super::{Context, Pause};
use crate::message::{Channel, Client, End, Ownership, Payload, Request, ToOwner};
use tilewire_delivery::outbound::Leaving;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{NodeId, Part};

/// The id of a request that the gateway makes. No client sees its answer.
pub(super) const OWN_ID: u64 = 1;

/// A connection with a channel to another node.
#[derive(Debug)]
pub(super) struct Connection {
    client: Arc<Client>,
    /// The generation of the channel to each node.
    channels: BTreeMap<NodeId, u64>,
    /// When a channel may be opened again.
    open_at: Timestamp,
    /// The unanswered requests by relay id.
    pub(super) requests: BTreeMap<u64, Pending>,
    pub(super) games: BTreeMap<GameId, Followed>,
    next_relay_id: u64,
    presence: Presence,
    /// Whether the client follows the lobby.
    pub(super) is_subscribed: bool,
    /// Whether the client has joined a chat room. It may have left it since.
    pub(super) has_joined: bool,
    is_closing: bool,
}

/// Whether the node of the lobby counts the client as connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// It need not.
    Unwanted,
    /// It does not know yet.
    Wanted,
    /// It knows.
    Known,
}

impl Connection {
    pub(super) const fn new(client: Arc<Client>) -> Self {
        Self {
            client,
            channels: BTreeMap::new(),
            open_at: Timestamp::MIN,
            requests: BTreeMap::new(),
            games: BTreeMap::new(),
            next_relay_id: 1,
            presence: Presence::Unwanted,
            is_subscribed: false,
            has_joined: false,
            is_closing: false,
        }
    }

    /// Makes the lobby's node count the client as connected.
    pub(super) const fn present(&mut self) {
        self.presence = Presence::Wanted;
    }

    /// Takes a request of the client.
    pub(super) fn ask(&mut self, context: &mut Context<'_>, asked: ClientRequest) {
        if let Subject::Attach(game, ..) = &asked.subject {
            // The client's own attach takes its place.
            self.forget_requests(context, |pending| pending.is_own_attach(game));
        }
        let source = Source::Client(asked.request_id);
        let (part, now) = (asked.subject.part(), context.now);
        let pending = Pending {
            source,
            subject: asked.subject,
            part,
            message: asked.message,
            received_at: asked.received_at,
            lag_ms: asked.lag_ms,
            is_attached: asked.is_attached,
            stage: Stage::Waiting {
                not_before: Timestamp::MIN,
            },
            since: now,
            is_in_doubt: false,
        };
        self.add(context, pending);
    }

    fn add(&mut self, context: &mut Context<'_>, pending: Pending) {
        *context.bytes += pending.message.len();
        self.requests.insert(self.next_relay_id, pending);
        self.next_relay_id += 1;
    }

    /// Removes an unanswered request.
    pub(super) fn take(&mut self, context: &mut Context<'_>, relay_id: u64) -> Option<Pending> {
        let pending = self.requests.remove(&relay_id)?;
        *context.bytes -= pending.message.len();
        Some(pending)
    }

    /// Removes the unanswered requests that `is_meant`.
    pub(super) fn forget_requests(
        &mut self,
        context: &mut Context<'_>,
        is_meant: impl Fn(&Pending) -> bool,
    ) {
        let meant = self
            .requests
            .extract_if(.., |_, pending| is_meant(pending))
            .map(|(_, pending)| pending.message.len());
        *context.bytes -= meant.sum::<usize>();
    }

    /// Returns the bytes of the unanswered requests.
    pub(super) fn bytes(&self) -> usize {
        self.requests
            .values()
            .map(|pending| pending.message.len())
            .sum()
    }

    /// Returns the open channels.
    pub(super) fn channels(&self, connection: u64) -> impl Iterator<Item = (NodeId, Channel)> {
        let channel = move |generation| Channel {
            connection,
            generation,
        };
        self.channels
            .iter()
            .map(move |(node, generation)| (*node, channel(*generation)))
    }

    /// Says whether a channel is the one to a node.
    pub(super) fn has(&self, node: NodeId, channel: Channel) -> bool {
        self.channels.get(&node) == Some(&channel.generation)
    }

    /// Says whether there is a channel to a node.
    pub(super) fn uses(&self, node: NodeId) -> bool {
        self.channels.contains_key(&node)
    }

    /// Says whether anything about the same game, or about the lobby, is followed or unanswered here.
    pub(super) fn concerns(&self, subject: &Subject) -> bool {
        let game = subject.game();
        let is_followed = match game {
            Some(game) => self.games.contains_key(game),
            None => self.is_subscribed || self.has_joined,
        };
        let mut pending = self.requests.values();
        is_followed || pending.any(|pending| pending.subject.game() == game)
    }

    /// Says whether something is to be sent or told later.
    pub(super) fn waits(&self) -> bool {
        let is_lost = |followed: &Followed| !matches!(followed.stream, Stream::From(_));
        !self.is_closing
            && (self.presence == Presence::Wanted
                || self.requests.values().any(Pending::must_end)
                || self.games.values().any(is_lost))
    }

    /// Sends everything that can be sent now.
    pub(super) fn advance(&mut self, context: &mut Context<'_>) {
        if self.is_closing {
            return;
        }
        self.announce(context);
        self.attach_again(context);
        // A game is followed before the next command for it is carried out.
        for source in [true, false] {
            let now = context.now;
            let is_due = |pending: &Pending| {
                (pending.source == Source::Gateway) == source
                    && matches!(pending.stage, Stage::Waiting { not_before } if not_before <= now)
            };
            let due = self.requests.iter().filter(|(_, pending)| is_due(pending));
            let due: Vec<u64> = due.map(|(relay_id, _)| *relay_id).collect();
            for relay_id in due {
                self.send(context, relay_id);
            }
        }
    }

    /// Tells the node of the lobby that the client is connected. The own node knows.
    fn announce(&mut self, context: &mut Context<'_>) {
        if self.presence != Presence::Wanted {
            return;
        }
        let Some((node, _)) = context.reachable(Part::LOBBY) else {
            return;
        };
        if node != context.me {
            let Some(channel) = self.channel(context, node) else {
                return;
            };
            context.send(node, ToOwner::Present(channel));
        }
        self.presence = Presence::Known;
    }

    /// Asks for the streams that come from nowhere.
    fn attach_again(&mut self, context: &mut Context<'_>) {
        let now = context.now;
        let mut attaches = Vec::new();
        for (game, followed) in &self.games {
            let is_lost = !matches!(followed.stream, Stream::From(_));
            let is_due = is_lost && followed.attach_at <= now;
            let mut requests = self.requests.values();
            if !is_due || requests.any(|pending| pending.is_about_stream(game)) {
                continue;
            }
            let (position, code) = (followed.position, followed.code.clone());
            let message = ClientMessage::Attach(Attach {
                game: game.clone(),
                epoch: position.map(|position| position.epoch),
                seq: position.map(|position| position.seq),
                code: code.clone(),
            });
            attaches.push(Pending {
                source: Source::Gateway,
                subject: Subject::Attach(game.clone(), position, code),
                part: followed.part,
                message: encode_client(Codec::MsgPack, OWN_ID, &message).into(),
                received_at: now,
                lag_ms: Millis::ZERO,
                is_attached: false,
                stage: Stage::Waiting {
                    not_before: Timestamp::MIN,
                },
                since: now,
                is_in_doubt: false,
            });
        }
        for pending in attaches {
            self.add(context, pending);
        }
    }

    /// Sends a request to the owner of its part, if that can be reached.
    fn send(&mut self, context: &mut Context<'_>, relay_id: u64) {
        let Some(part) = self.requests.get(&relay_id).map(|pending| pending.part) else {
            return;
        };
        let Some((node, term)) = context.reachable(part) else {
            return;
        };
        let Some(channel) = self.channel(context, node) else {
            return;
        };
        let Some(pending) = self.requests.get_mut(&relay_id) else {
            return;
        };
        pending.stage = Stage::Sent(node);
        let request = Request {
            channel,
            relay_id,
            ownership: Ownership { part, term },
            age_ms: (context.now - pending.received_at).max(Millis::ZERO).0,
            lag_ms: pending.lag_ms.0,
            is_attached: pending.is_attached,
            message: Payload(pending.message.clone()),
        };
        context.send(node, ToOwner::Request(request));
    }

    /// Returns the channel to a node, and opens it if there is none; `None` if that must wait.
    fn channel(&mut self, context: &mut Context<'_>, node: NodeId) -> Option<Channel> {
        let connection = context.connection;
        if let Some(&generation) = self.channels.get(&node) {
            return Some(Channel {
                connection,
                generation,
            });
        }
        if context.now < self.open_at {
            return None;
        }
        *context.generations += 1;
        let channel = Channel {
            connection,
            generation: *context.generations,
        };
        self.channels.insert(node, channel.generation);
        context.send(node, ToOwner::Open(channel, Client::clone(&self.client)));
        Some(channel)
    }

    /// Loses the channel to a node, with everything that came over it.
    pub(super) fn lose(&mut self, context: &mut Context<'_>, node: NodeId, pause: Pause) {
        let Some(generation) = self.channels.remove(&node) else {
            return;
        };
        let now = context.now;
        if context.up.contains(&node) {
            let connection = context.connection;
            let channel = Channel {
                connection,
                generation,
            };
            context.send(node, ToOwner::Close(channel, End::Lost));
        }
        if pause == Pause::Retry {
            self.open_at = context.next_try();
        }
        let sent = self.requests.values_mut();
        for pending in sent.filter(|pending| pending.stage == Stage::Sent(node)) {
            pending.lose(now);
        }
        let streams = self.games.values_mut();
        for followed in streams.filter(|followed| followed.stream == Stream::From(node)) {
            followed.stream = Stream::Lost(now);
        }
        let lobby = context.parts.owner(Part::LOBBY);
        if lobby.is_none_or(|(lobby, _)| lobby == node) {
            self.lose_lobby(context);
        }
        self.advance(context);
    }

    /// Loses what belongs to parts that have changed their owners.
    pub(super) fn moved(&mut self, context: &mut Context<'_>, former: &OwnerTable) {
        let now = context.now;
        let has_moved = |part| former.owner(part) != context.parts.owner(part);
        let concerned = |_: &u64, pending: &mut Pending| has_moved(pending.part);
        let concerned: Vec<(u64, Pending)> = self.requests.extract_if(.., concerned).collect();
        for (mut relay_id, mut pending) in concerned {
            match &mut pending.stage {
                Stage::Waiting { not_before } => *not_before = Timestamp::MIN,
                Stage::Sent(_) => {
                    // The part can have gone and come back: an answer on its way is not one of the present owner.
                    relay_id = self.next_relay_id;
                    self.next_relay_id += 1;
                    pending.lose(now);
                }
            }
            self.requests.insert(relay_id, pending);
        }
        for followed in self.games.values_mut() {
            if !has_moved(followed.part) {
                continue;
            }
            match followed.stream {
                Stream::From(_) => followed.stream = Stream::Lost(now),
                Stream::Lost(_) => followed.attach_at = Timestamp::MIN,
                Stream::Behind => {}
            }
        }
        if has_moved(Part::LOBBY) {
            self.lose_lobby(context);
        }
    }

    /// Loses what the node of the lobby knew. A client that follows lists or rooms there has to read them anew.
    fn lose_lobby(&mut self, context: &mut Context<'_>) {
        if self.presence == Presence::Known {
            self.presence = Presence::Wanted;
        }
        if (self.is_subscribed || self.has_joined) && !self.is_closing {
            self.is_closing = true;
            let reason = "the lobby has moved to another server; reconnect";
            context.push(Push::Close(CloseCode::GoingAway, reason.to_owned()));
        }
    }

    /// Notes that an owner does not have the part of a request.
    pub(super) fn not_mine(&mut self, context: &Context<'_>, node: NodeId, relay_id: u64) {
        if let Some(pending) = self.requests.get_mut(&relay_id)
            && pending.stage == Stage::Sent(node)
        {
            pending.stage = Stage::Waiting {
                not_before: context.next_try(),
            };
        }
    }

    /// Goes on with a game that has left this node, unless the client has asked for its stream meanwhile.
    pub(super) fn follow(&mut self, context: &Context<'_>, leaving: Leaving) {
        let game = leaving.game;
        let mut requests = self.requests.values();
        let is_asked_for = requests.any(|pending| pending.is_about_stream(&game));
        if is_asked_for || self.games.contains_key(&game) {
            return;
        }
        let mut followed = Followed::new(&game, leaving.code, Stream::Lost(context.now));
        followed.position = leaving.position;
        followed.attach_at = context.after_let_go(context.me, followed.part);
        followed.is_spectator = leaving.is_spectator;
        followed.is_delayed = leaving.is_delayed;
        followed.is_paused = leaving.is_paused;
        self.games.insert(game, followed);
    }

    /// Notes that a game leaves a node.
    pub(super) fn let_go(&mut self, context: &Context<'_>, node: NodeId, game: &GameId) {
        if let Some(followed) = self.games.get_mut(game)
            && followed.stream == Stream::From(node)
        {
            followed.stream = Stream::Lost(context.now);
            followed.attach_at = context.after_let_go(node, followed.part);
        }
    }

    /// Notes that the client reads the stream of a game too slowly.
    pub(super) fn fall_behind(&mut self, context: &Context<'_>, game: &GameId) {
        if let Some(followed) = self.games.get_mut(game)
            && let Stream::From(_) = followed.stream
        {
            followed.position = None;
            followed.stream = Stream::Behind;
            followed.attach_at = context.now + context.bounds.lagging_retry_ms;
        }
    }

    /// Tells the client of games that stand still, and gives up what has waited for too long.
    pub(super) fn expire(&mut self, context: &mut Context<'_>) {
        if self.is_closing {
            return;
        }
        let (now, bounds) = (context.now, context.bounds);
        let mut given_up = Vec::new();
        for (game, followed) in &mut self.games {
            let Stream::Lost(since) = followed.stream else {
                continue;
            };
            if now - since >= bounds.hold_ms {
                given_up.push(game.clone());
            } else if now - since >= bounds.grace_ms && !followed.is_paused && !followed.is_delayed
            {
                followed.is_paused = true;
                context.push(Push::Paused(game.clone()));
            }
        }
        for game in given_up {
            self.give_up(context, &game, ErrorCode::Busy);
        }
        let is_late =
            |pending: &Pending| pending.must_end() && now - pending.since >= bounds.hold_ms;
        let late = self.requests.iter().filter(|(_, pending)| is_late(pending));
        let late: Vec<u64> = late.map(|(relay_id, _)| *relay_id).collect();
        for relay_id in late {
            let Some(pending) = self.take(context, relay_id) else {
                continue;
            };
            let Source::Client(request_id) = pending.source else {
                continue;
            };
            let (code, text) = match pending.is_in_doubt || matches!(pending.stage, Stage::Sent(_))
            {
                true => (ErrorCode::Internal, "the server that had it was lost"),
                false => (ErrorCode::Busy, "no server answers for it now"),
            };
            context.push(Push::Refuse(request_id, code, text));
        }
    }

    /// Ends the stream of a game.
    pub(super) fn give_up(&mut self, context: &mut Context<'_>, game: &GameId, code: ErrorCode) {
        self.games.remove(game);
        self.forget_requests(context, |pending| pending.is_own_attach(game));
        let text = "the stream of the game was lost";
        context.push(Push::Detached(game.clone(), code, text));
    }
}
