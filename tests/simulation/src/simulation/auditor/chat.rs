//! Chat: every line that a client receives was written, has one number, stays stored, and is for that client.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::moderation::Restraint;
use tilewire_protocol::{
    ChatAnswer, ChatJoin, ChatKind, ChatLine, ChatSaid, ChatSay, ClientMessage, ErrorBody,
    ErrorCode, GameId,
};
use tilewire_store::ChatStore as _;

use super::Auditor;
use super::moment::Moment;
use crate::simulation::disk::Durable;
use crate::simulation::durable::{ALL, at_once};
use crate::simulation::line::LineId;

/// The auditor's model of chat.
#[derive(Debug, Default)]
pub(super) struct Chats {
    /// The lines that each identity asked to write in each room.
    asked: BTreeSet<(String, String, String)>,
    /// The number of each accepted command, by identity, room and command.
    accepted: BTreeMap<(String, String, String), u64>,
    /// The writer and the text of each line that was told, by room and number.
    lines: BTreeMap<(String, u64), (String, String)>,
    /// The rooms that connections have joined, and the last line that each was told.
    joined: BTreeMap<(LineId, String), Joined>,
    /// The lines that a connection was not told although it was told a later one.
    missing: Vec<Missing>,
    pub(super) kept_back: u64,
    pub(super) direct_rooms: u64,
}

/// A line that a connection was not told.
#[derive(Debug)]
struct Missing {
    room: String,
    line: u64,
    reader: String,
    /// The latest time of the server until the connection joined the room, unix ms.
    joined_at: i64,
}

#[derive(Debug)]
struct Joined {
    kind: ChatKind,
    game: Option<GameId>,
    last: u64,
    /// The other player of a direct room.
    other: Option<String>,
    /// The latest time of the server until it was joined, unix ms.
    latest: i64,
}

impl Auditor {
    /// Returns how many lines of chat were told.
    #[must_use]
    pub fn chat_lines(&self) -> usize {
        self.chats.lines.len()
    }

    /// A request arrived that may write a line.
    pub(super) fn asked_to_say(&mut self, line: LineId, message: Option<&ClientMessage>) {
        let identity = self.lines.get(&line).and_then(|line| line.identity.clone());
        if let (Some(ClientMessage::ChatSay(say)), Some(identity)) = (message, identity) {
            let asked = (identity, say.room.0.clone(), say.text.clone());
            self.chats.asked.insert(asked);
        }
    }

    /// A connection has joined a room.
    pub(super) fn chat_joined(
        &mut self,
        line: LineId,
        join: &ChatJoin,
        chat: &ChatAnswer,
        asked: Moment,
    ) {
        let Some(room) = &chat.room else {
            return;
        };
        let reader = self.lines[&line].identity.clone().unwrap_or_default();
        let with = join.with.as_deref();
        let other = with.and_then(|handle| self.relations.identity_of(handle));
        let other = other.cloned();
        if let Some(other) = &other {
            self.check_friends(&reader, other, asked, join);
            self.chats.direct_rooms += 1;
        }
        let joined = Joined {
            kind: join.kind,
            game: join.game.clone(),
            last: join.after.unwrap_or(0),
            other,
            latest: self.latest,
        };
        self.chats.joined.insert((line, room.0.clone()), joined);
        for told in chat.lines.iter().flatten() {
            let writer = told.identity.as_str();
            self.check_not_blocked(&reader, writer, asked, told);
            self.chat_told(line, room.as_str(), told);
        }
    }

    /// A line was accepted: the same command has the same number each time.
    pub(super) fn chat_accepted(
        &mut self,
        line: LineId,
        say: &ChatSay,
        chat: &ChatAnswer,
        asked: Moment,
    ) {
        let identity = self.lines[&line].identity.clone().expect("authenticated");
        self.check_allowed(&identity, Restraint::Mute, asked, say);
        let joined = self.chats.joined.get(&(line, say.room.0.clone()));
        if let Some(other) = joined.and_then(|joined| joined.other.as_ref()) {
            self.check_friends(&identity, other, asked, say);
        }
        let number = chat.line.expect("an accepted line has a number");
        let room = say.room.0.clone();
        let told = (identity.clone(), say.text.clone());
        let known = self
            .chats
            .lines
            .insert((room.clone(), number), told.clone());
        assert!(
            known.is_none_or(|known| known == told),
            "line {number} of {room} was another one before: {told:?}"
        );
        let key = (identity, room, say.cmd_id.0.clone());
        let first = self.chats.accepted.insert(key, number);
        assert!(
            first.is_none_or(|first| first == number),
            "{say:?} was line {first:?} before, and is {number} now"
        );
    }

    /// A line was refused: a command that was accepted before is answered as before, and not counted against its writer.
    pub(super) fn chat_refused(&self, identity: &str, say: &ChatSay, error: &ErrorBody) {
        let is_counted = matches!(
            error.code,
            ErrorCode::RepeatedLine | ErrorCode::TooManyLines
        );
        let key = (
            identity.to_owned(),
            say.room.0.clone(),
            say.cmd_id.0.clone(),
        );
        let first = self.chats.accepted.get(&key);
        assert!(
            first.is_none() || !is_counted,
            "{say:?} was line {first:?} before: {error:?}"
        );
    }

    /// A line was pushed.
    pub(super) fn chat_pushed(&mut self, line: LineId, said: &ChatSaid) {
        let room = said.room.as_str();
        let reader = self.lines[&line].identity.clone().unwrap_or_default();
        let (writer, at) = (said.line.identity.as_str(), said.line.at);
        self.check_not_blocked_at(&reader, writer, at, said);
        if let Some(joined) = self.chats.joined.get(&(line, room.to_owned())) {
            let missing = (joined.last + 1..said.line.line).map(|line| Missing {
                room: room.to_owned(),
                line,
                reader: reader.clone(),
                joined_at: joined.latest,
            });
            self.chats.missing.extend(missing);
        }
        self.chat_told(line, room, &said.line);
    }

    /// Checks that a block is the reason for every line that a connection has just not been told.
    ///
    /// # Panics
    /// When no block was between writer and reader.
    pub fn check_kept_back(&mut self, durable: &Durable) {
        for missing in std::mem::take(&mut self.chats.missing) {
            let lines = durable.stores.lines(&missing.room, missing.line - 1, ALL);
            let lines = at_once(lines).expect("in memory");
            let Some(line) = lines.first().filter(|line| line.line == missing.line) else {
                continue;
            };
            // Before the connection joined, nobody owed it the line.
            let is_owed = line.at.0 > missing.joined_at;
            match self.is_free_since(&line.identity, &missing.reader, line.at.0) {
                Some(true) => assert!(!is_owed, "nothing explains {missing:?}: {line:?}"),
                Some(false) => self.chats.kept_back += u64::from(is_owed),
                None => {}
            }
        }
    }

    fn chat_told(&mut self, line: LineId, room: &str, told: &ChatLine) {
        let joined = self.chats.joined.get_mut(&(line, room.to_owned()));
        let joined = joined.unwrap_or_else(|| panic!("{line} is not in {room}: {told:?}"));
        assert!(
            told.line > joined.last,
            "{line} was told line {} of {room} before {told:?}",
            joined.last
        );
        joined.last = told.line;
        let (kind, game) = (joined.kind, joined.game.clone());
        let writer = told.identity.0.clone();
        let asked = (writer.clone(), room.to_owned(), told.text.clone());
        assert!(self.chats.asked.contains(&asked), "nobody wrote {told:?}");
        let key = (room.to_owned(), told.line);
        let line_told = (writer.clone(), told.text.clone());
        let known = self.chats.lines.insert(key, line_told.clone());
        assert!(
            known.is_none_or(|known| known == line_told),
            "a line of {room} has changed: {told:?}"
        );
        if let Some(game) = game {
            let reader = self.lines[&line].identity.clone().expect("authenticated");
            self.check_readers(kind, &game, &[writer, reader], told);
        }
    }

    /// Players and spectators are apart until the game is over.
    fn check_readers(&self, kind: ChatKind, game: &GameId, both: &[String], told: &ChatLine) {
        let book = &self.log(game).book;
        let seat_of = |identity: &String| {
            let mut players = book.created.players.iter();
            players.position(|player| player.identity == *identity)
        };
        let seats: Vec<Option<usize>> = both.iter().map(seat_of).collect();
        match kind {
            ChatKind::Players => {
                assert!(seats.iter().all(Option::is_some), "a stranger: {told:?}");
                assert_eq!(told.seat.map(usize::from), seats[0], "{told:?}");
            }
            _ => {
                let is_apart = seats.iter().all(Option::is_none);
                assert!(is_apart || book.ended.is_some(), "a player: {told:?}");
                assert_eq!(told.seat, None, "{told:?}");
            }
        }
    }

    /// Checks that every line that was told is stored.
    pub(super) fn check_chat(&self, durable: &Durable) {
        for ((room, number), (identity, text)) in &self.chats.lines {
            let stored = durable.stores.lines(room, number - 1, ALL);
            let stored = at_once(stored).expect("in memory");
            let line = stored.first().map(|line| (&line.identity, &line.text));
            assert_eq!(line, Some((identity, text)), "line {number} of {room}");
        }
    }
}
