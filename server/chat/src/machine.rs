//! The rooms as a machine without I/O: members, lines, and who gets a line.
//!
//! A line is pending from [`Chat::say`] until the task reports that it is stored, or that its storage outcome is unknown. In the
//! second case the room is stale: before anything else happens in it, the task reads the room from the storage.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use tilewire_protocol::limits::CHAT_LINES_MAX;
use tilewire_protocol::{ErrorCode, RoomId};
use tilewire_rules::time::{Millis, Timestamp};

use super::line::refusal;
use super::room::RoomName;
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::session::Bucket;
use tilewire_store::StoredLine;
use tilewire_wire::Refusal;

/// The bounds of the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatBounds {
    /// Lines that a player can write at once.
    pub burst: u32,
    /// Lines that a player can write in a minute, on average.
    pub lines_per_minute: u32,
    /// Time within which the same text of a player is refused in a room.
    pub repeat_ms: Millis,
    /// Rooms of one connection.
    pub rooms_per_connection: usize,
    /// Connections in all rooms together.
    pub members: usize,
}

/// A connection in a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<P> {
    /// The connection.
    pub peer: P,
    /// Its identity.
    pub identity: String,
    /// The display name of its lines.
    pub name: String,
    /// Its seat, in the room of a game's players.
    pub seat: Option<u8>,
    /// Whether it can write.
    pub can_say: bool,
}

/// A room with at least one member.
#[derive(Debug)]
pub(super) struct Room<P> {
    pub(super) name: RoomName,
    pub(super) members: BTreeMap<PeerId, Member<P>>,
    /// The newest stored lines.
    pub(super) lines: VecDeque<StoredLine>,
    /// Lines that are being stored.
    pub(super) pending: Vec<StoredLine>,
    /// Whether the storage may have lines that are missing here.
    is_stale: bool,
}

/// The rooms, and what the players of each wrote lately.
#[derive(Debug)]
pub struct Chat<P> {
    pub(super) rooms: BTreeMap<RoomId, Room<P>>,
    /// The connections that follow all direct rooms of an identity.
    inboxes: HashMap<String, BTreeMap<PeerId, P>>,
    /// The identities of these connections.
    following: BTreeMap<PeerId, String>,
    /// The rooms of each connection.
    joined: BTreeMap<PeerId, BTreeSet<RoomId>>,
    pub(super) senders: HashMap<String, Bucket>,
    pub(super) bounds: ChatBounds,
    members: usize,
}

impl<P: Clone> Room<P> {
    /// Returns the number of the last line, stored or pending; 0 before the first.
    pub(super) fn last(&self) -> u64 {
        let last = self.pending.last().or(self.lines.back());
        last.map_or(0, |line| line.line)
    }

    fn add(&mut self, line: StoredLine) {
        if self.lines.len() == CHAT_LINES_MAX {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

impl<P: Clone> Chat<P> {
    /// Returns a chat without rooms.
    #[must_use]
    pub fn new(bounds: ChatBounds) -> Self {
        Self {
            rooms: BTreeMap::new(),
            inboxes: HashMap::new(),
            following: BTreeMap::new(),
            joined: BTreeMap::new(),
            senders: HashMap::new(),
            bounds,
            members: 0,
        }
    }

    /// Returns the number of the line after which the storage must be read before a request in a room: 0 for a room that is
    /// not in memory. `None`: everything is here.
    #[must_use]
    pub fn unread_after(&self, room: &RoomId) -> Option<u64> {
        match self.rooms.get(room) {
            None => Some(0),
            Some(room) if room.is_stale => Some(room.last()),
            Some(_) => None,
        }
    }

    /// Takes the lines of a room that the storage has after [`Chat::unread_after`].
    pub fn read(&mut self, name: &RoomName, lines: Vec<StoredLine>) {
        let room = self.rooms.entry(name.id()).or_insert_with(|| Room {
            name: name.clone(),
            members: BTreeMap::new(),
            lines: VecDeque::new(),
            pending: Vec::new(),
            is_stale: false,
        });
        room.is_stale = false;
        for line in lines {
            room.add(line);
        }
    }

    /// Returns the name of a room in memory.
    #[must_use]
    pub fn name(&self, room: &RoomId) -> Option<&RoomName> {
        self.rooms.get(room).map(|room| &room.name)
    }

    /// Adds a connection to a room that was read. A connection that is in the room already is replaced.
    ///
    /// # Errors
    /// When the connection, or the server, has too many.
    pub fn join(&mut self, id: PeerId, room: &RoomId, member: Member<P>) -> Result<(), Refusal> {
        let own = self.joined.get(&id);
        let is_new = !own.is_some_and(|own| own.contains(room));
        let is_full = own.is_some_and(|own| own.len() >= self.bounds.rooms_per_connection)
            || self.members >= self.bounds.members;
        if is_new && is_full {
            self.forget_if_empty(room);
            return Err(refusal(ErrorCode::TooManyRooms));
        }
        self.joined.entry(id).or_default().insert(room.clone());
        self.members += usize::from(is_new);
        if let Some(room) = self.rooms.get_mut(room) {
            room.members.insert(id, member);
        }
        Ok(())
    }

    /// Removes a connection from a room, and returns it if it was there.
    pub fn leave(&mut self, id: PeerId, room: &RoomId) -> Option<P> {
        let member = self.rooms.get_mut(room)?.members.remove(&id)?;
        self.members -= 1;
        if let Some(own) = self.joined.get_mut(&id) {
            own.remove(room);
            if own.is_empty() {
                self.joined.remove(&id);
            }
        }
        self.forget_if_empty(room);
        Some(member.peer)
    }

    /// Removes a connection that has ended.
    pub fn gone(&mut self, id: PeerId) {
        let own = self.joined.get(&id).cloned().unwrap_or_default();
        for room in own {
            self.leave(id, &room);
        }
        let Some(identity) = self.following.remove(&id) else {
            return;
        };
        if let Some(own) = self.inboxes.get_mut(&identity) {
            own.remove(&id);
            if own.is_empty() {
                self.inboxes.remove(&identity);
            }
        }
    }

    /// Removes all connections of an identity from everything; returns them, each once for each room that it was in.
    pub fn quit(&mut self, identity: &str) -> Vec<(RoomId, P)> {
        let members = self.rooms.iter().flat_map(|(name, room)| {
            let own = room.members.iter();
            let own = own.filter(move |(_, member)| member.identity == identity);
            own.map(move |(id, member)| (*id, name.clone(), member.peer.clone()))
        });
        let members: Vec<(PeerId, RoomId, P)> = members.collect();
        let inboxes = self.inboxes.get(identity).into_iter().flatten();
        let following: Vec<PeerId> = inboxes.map(|(id, _)| *id).collect();
        let own = members.iter().map(|(id, ..)| *id);
        for id in own.chain(following) {
            self.gone(id);
        }
        let left = members.into_iter();
        left.map(|(_, room, peer)| (room, peer)).collect()
    }

    /// Lets a connection follow all direct rooms of its identity.
    pub fn follow_direct(&mut self, id: PeerId, identity: &str, peer: P) {
        let own = self.inboxes.entry(identity.to_owned()).or_default();
        own.insert(id, peer);
        self.following.insert(id, identity.to_owned());
    }

    /// Returns the connections that are in rooms or follow direct rooms.
    pub fn peers(&self) -> impl Iterator<Item = (PeerId, &P)> {
        let rooms = self.rooms.values().flat_map(|room| room.members.iter());
        let rooms = rooms.map(|(id, member)| (*id, &member.peer));
        let inboxes = self.inboxes.values().flatten();
        rooms.chain(inboxes.map(|(id, peer)| (*id, peer)))
    }

    /// Returns the connections in a room.
    pub fn members_of(&self, room: &RoomId) -> Vec<(PeerId, P)> {
        let room = self.rooms.get(room);
        let members = room.into_iter().flat_map(|room| room.members.iter());
        members
            .map(|(id, member)| (*id, member.peer.clone()))
            .collect()
    }

    /// Returns the number of connections in all rooms, one for each of its rooms.
    #[must_use]
    pub const fn members(&self) -> usize {
        self.members
    }

    /// Returns the stored lines of a room after a number that a reader may read: at most the newest 200, the oldest first.
    #[must_use]
    pub fn lines(
        &self,
        room: &RoomId,
        after: u64,
        may_read: &dyn Fn(&StoredLine) -> bool,
    ) -> Vec<StoredLine> {
        let room = self.rooms.get(room);
        let lines = room.into_iter().flat_map(|room| &room.lines);
        lines
            .filter(|line| line.line > after && may_read(line))
            .cloned()
            .collect()
    }

    /// Hides lines of a room that are in memory, or shows them again.
    pub fn hide(&mut self, room: &RoomId, lines: &[u64], is_hidden: bool) {
        let room = self.rooms.get_mut(room);
        let kept = room.into_iter().flat_map(|room| room.lines.iter_mut());
        for line in kept.filter(|line| lines.contains(&line.line)) {
            line.is_hidden = is_hidden;
        }
    }

    /// Takes pending lines that are stored now.
    pub fn stored(&mut self, lines: &[StoredLine]) {
        for line in lines {
            if let Some(room) = self.rooms.get_mut(line.room.as_str()) {
                room.pending.retain(|pending| pending.line != line.line);
                room.add(line.clone());
            }
        }
    }

    /// Drops pending lines whose storage outcome is unknown.
    pub fn unsure(&mut self, lines: &[StoredLine]) {
        for line in lines {
            if let Some(room) = self.rooms.get_mut(line.room.as_str()) {
                room.pending.clear();
                room.is_stale = true;
            }
        }
    }

    /// Returns the connections that get a line: those in its room and, in a direct room, those that follow all direct rooms
    /// of one of the two players, if their identities may read it.
    #[must_use]
    pub fn readers(&self, line: &StoredLine, may_read: &dyn Fn(&str) -> bool) -> Vec<(PeerId, P)> {
        self.readers_who(line.room.as_str(), may_read)
    }

    /// Returns the connections that get the lines of a room, whoever writes them.
    #[must_use]
    pub fn readers_of(&self, room: &RoomId) -> Vec<(PeerId, P)> {
        self.readers_who(room.as_str(), &|_| true)
    }

    fn readers_who(&self, room: &str, reads: &dyn Fn(&str) -> bool) -> Vec<(PeerId, P)> {
        let Some(room) = self.rooms.get(room) else {
            return Vec::new();
        };
        let mut readers: BTreeMap<PeerId, P> = room
            .members
            .iter()
            .filter(|(_, member)| reads(&member.identity))
            .map(|(id, member)| (*id, member.peer.clone()))
            .collect();
        let pair = room.name.pair().into_iter().flatten();
        for identity in pair.filter(|identity| reads(identity)) {
            let own = self.inboxes.get(identity).into_iter().flatten();
            readers.extend(own.map(|(id, peer)| (*id, peer.clone())));
        }
        readers.into_iter().collect()
    }

    /// Forgets players who have written nothing lately.
    pub fn tidy(&mut self, now: Timestamp) {
        self.senders.retain(|_, bucket| !bucket.is_full(now));
    }

    /// Drops a room without members from memory. Pending lines keep it.
    pub(super) fn forget_if_empty(&mut self, room: &RoomId) {
        let found = self.rooms.get(room);
        if found.is_some_and(|room| room.members.is_empty() && room.pending.is_empty()) {
            self.rooms.remove(room);
        }
    }
}
