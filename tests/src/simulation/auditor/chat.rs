//! Chat: every line that a client is told was written, has one number, stays stored, and is for that client.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt as _;
use tilewire_protocol::{
    ChatAnswer, ChatJoin, ChatKind, ChatLine, ChatSaid, ChatSay, ClientMessage, ErrorBody,
    ErrorCode, GameId,
};
use tilewire_server::storage::ChatStore as _;

use super::Auditor;
use crate::simulation::disk::Durable;
use crate::simulation::line::LineId;

/// What is known of chat.
#[derive(Debug, Default)]
pub(super) struct Chats {
    /// What each identity asked to write in each room.
    asked: BTreeSet<(String, String, String)>,
    /// The number of each accepted command, by identity, room and command.
    accepted: BTreeMap<(String, String, String), u64>,
    /// The writer and the text of each line that was told, by room and number.
    lines: BTreeMap<(String, u64), (String, String)>,
    /// The rooms that connections have joined, and the last line that each was told.
    joined: BTreeMap<(LineId, String), Joined>,
}

#[derive(Debug)]
struct Joined {
    kind: ChatKind,
    game: Option<GameId>,
    last: u64,
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
    pub(super) fn chat_joined(&mut self, line: LineId, join: &ChatJoin, chat: &ChatAnswer) {
        let Some(room) = &chat.room else {
            return;
        };
        let joined = Joined {
            kind: join.kind,
            game: join.game.clone(),
            last: join.after.unwrap_or(0),
        };
        self.chats.joined.insert((line, room.0.clone()), joined);
        for told in chat.lines.iter().flatten() {
            self.chat_told(line, room.as_str(), told);
        }
    }

    /// A line was accepted: the same command has the same number each time.
    pub(super) fn chat_accepted(&mut self, identity: String, say: &ChatSay, chat: &ChatAnswer) {
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
        self.chat_told(line, said.room.as_str(), &said.line);
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
            let stored = durable.accounts.lines(room, number - 1, usize::MAX);
            let stored = stored.now_or_never().expect("it waits for nothing");
            let stored = stored.expect("memory never fails");
            let line = stored.first().map(|line| (&line.identity, &line.text));
            assert_eq!(line, Some((identity, text)), "line {number} of {room}");
        }
    }
}
