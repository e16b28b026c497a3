//! Says who may read a line of the chat, and denies by default. All that shows a line, or tells whether there is one, asks here:
//! answers to `chat_join`, pushes, reports and their context.

use tilewire_base::ids::normal_code;
use tilewire_protocol::GameId;
use tilewire_protocol::limits::ROOM_ID_MAX_BYTES;

use super::room::RoomName;
use tilewire_accounts::people::{Blocks, People};
use tilewire_delivery::session::Pass;
use tilewire_game::{ChatFacts, Directory};
use tilewire_store::StoredLine;

/// A room, with the facts that decide who reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Audience {
    pub(super) room: RoomName,
    /// The facts about its game, if it is the room of one.
    pub(super) game: Option<ChatFacts>,
}

/// An identity that wants to read a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader<'a> {
    pub(super) identity: &'a str,
    /// Whether neither the player nor the embedding site has switched chat off.
    pub(super) has_chat: bool,
    /// Whether it may watch the game of the room.
    pub(super) may_watch: bool,
}

impl Reader<'_> {
    /// Says whether it may read a room: that of players is for them, that of spectators for those without a seat until the game
    /// is over, and a direct room for its two players.
    pub(super) fn reads_room(&self, audience: &Audience) -> bool {
        let seat = |facts: &ChatFacts| facts.seat_of(self.identity);
        self.has_chat
            && match (&audience.room, &audience.game) {
                (RoomName::Players(_), Some(facts)) => seat(facts).is_some(),
                (RoomName::Spectators(_), Some(facts)) => match seat(facts) {
                    Some(_) => facts.is_over,
                    None => self.may_watch,
                },
                (RoomName::Direct(pair), _) => pair.iter().any(|own| own == self.identity),
                (RoomName::Lobby, _) => true,
                (RoomName::Players(_) | RoomName::Spectators(_), None) => false,
            }
    }
}

/// Returns the identities that may read a line, among those that may read its room: nobody if a moderator hides it, and nobody
/// whom a block separates from its writer.
pub(super) fn readers_of<'a>(line: &'a StoredLine, blocks: &'a Blocks) -> impl Fn(&str) -> bool {
    let is_free = !blocks.concern(&line.identity);
    move |reader| !line.is_hidden && (is_free || !blocks.are_blocked(&line.identity, reader))
}

/// A line that somebody names without being in its room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'a> {
    /// The id of the room.
    pub room: &'a str,
    /// The number of the line.
    pub line: u64,
    /// The identity that is said to have written it.
    pub writer: &'a str,
    /// The code of the private game whose spectators' room it is.
    pub code: Option<&'a str>,
}

/// The services that say who may read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The games.
    pub directory: &'a Directory,
    /// The accounts.
    pub people: &'a People,
}

impl Reading<'_> {
    /// Returns, of the lines around a named one and of that itself, those that the holder of a pass may read.
    pub async fn readable(
        &self,
        pass: &Pass,
        named: Named<'_>,
        around: Vec<StoredLine>,
    ) -> Vec<StoredLine> {
        let Some(audience) = self.audience(&pass.identity, named).await else {
            return Vec::new();
        };
        let may_watch = match &audience.room {
            RoomName::Spectators(game) => self.may_watch(&pass.identity, game, named.code).await,
            RoomName::Players(_) | RoomName::Direct(_) | RoomName::Lobby => false,
        };
        let reader = Reader {
            identity: &pass.identity,
            has_chat: !self.people.chat_off().is_off_for(pass),
            may_watch,
        };
        if !reader.reads_room(&audience) {
            return Vec::new();
        }
        let blocks = self.people.blocks();
        let mut readable = around;
        readable
            .retain(|line| line.room == named.room && readers_of(line, blocks)(reader.identity));
        readable
    }

    /// Returns the room with an id; `None`: there is no such room, or its game cannot be read.
    async fn audience(&self, reader: &str, named: Named<'_>) -> Option<Audience> {
        if named.room.len() > ROOM_ID_MAX_BYTES {
            return None;
        }
        let game = |id: &str| GameId(id.to_owned());
        let room = match named.room.split_once('-') {
            Some(("p", id)) => RoomName::Players(game(id)),
            Some(("s", id)) => RoomName::Spectators(game(id)),
            Some(("d", _)) => RoomName::direct(reader, named.writer),
            Some(_) => return None,
            None => RoomName::Lobby,
        };
        let game = match &room {
            RoomName::Players(game) | RoomName::Spectators(game) => {
                Some(self.directory.facts_for_chat(game).await.ok()?)
            }
            RoomName::Direct(_) | RoomName::Lobby => None,
        };
        (room.id().as_str() == named.room).then_some(Audience { room, game })
    }

    /// Says whether an identity without a seat may watch a game: a private one needs its code. A wrong code is counted.
    async fn may_watch(&self, identity: &str, game: &GameId, code: Option<&str>) -> bool {
        let Ok(stored) = self.directory.stored(game).await else {
            return false;
        };
        let (Some(right), Some(given)) = (&stored.meta.private_code, code) else {
            return stored.meta.private_code.is_none();
        };
        let entries = self.people.wrong_entries();
        if entries.admit_code(identity).is_err() {
            return false;
        }
        let is_right = normal_code(given) == normal_code(right);
        if !is_right {
            entries.wrong_code(identity);
        }
        is_right
    }
}
