//! How a simulated client chats: it joins rooms, writes, repeats itself, and tries rooms that are not its own.

use tilewire_protocol::{ChatJoin, ChatKind, ChatSay, ClientMessage, GameId, RoomId};

use super::chance::Chance;
use super::line::LineId;
use super::manner::Act;
use super::members::some_handle;
use super::person::Person;

/// The rooms that a person has joined, by connection.
pub(super) type Rooms = Vec<(LineId, (RoomId, ChatKind))>;

impl Person {
    /// Writes a line into a joined room, or joins one; returns whether it did something.
    pub(super) fn chats(&mut self, line: LineId, chance: &mut Chance, acts: &mut Vec<Act>) -> bool {
        let own = self.rooms.iter().filter(|(joined, _)| *joined == line);
        let own: Vec<(RoomId, ChatKind)> = own.map(|(_, room)| room.clone()).collect();
        if own.is_empty() || chance.one_in(6) {
            let Some(join) = self.room_to_join(line, chance) else {
                return false;
            };
            self.send(line, ClientMessage::ChatJoin(join), acts);
            return true;
        }
        let cmd_id = self.fresh_cmd();
        let (number, (room, kind)) = (chance.below(20), chance.pick(&own).clone());
        let is_apart = matches!(kind, ChatKind::Players | ChatKind::Direct);
        let is_other = self.has_other_words && is_apart;
        let says = if is_other { "told" } else { "says" };
        // Some texts come again too early.
        let text = format!("{} {says} {number}", self.id);
        let say = ClientMessage::ChatSay(ChatSay { room, cmd_id, text });
        if chance.one_in(4) {
            self.send(line, say.clone(), acts);
        }
        self.send(line, say, acts);
        true
    }

    fn room_to_join(&self, line: LineId, chance: &mut Chance) -> Option<ChatJoin> {
        let attached = self.lines.get(&line).map(|line| &line.attached);
        let games: Vec<GameId> = attached
            .into_iter()
            .flatten()
            .map(|(id, _)| id.clone())
            .collect();
        let join = |kind, game| ChatJoin {
            kind,
            game,
            with: None,
            after: None,
        };
        if self.member.is_some() && chance.one_in(2) {
            return Some(ChatJoin {
                with: Some(some_handle(chance).to_owned()),
                ..join(ChatKind::Direct, None)
            });
        }
        if games.is_empty() || chance.one_in(8) {
            return Some(join(ChatKind::Lobby, None));
        }
        let game = chance.pick(&games).clone();
        let is_player = self
            .games
            .get(&game)
            .is_some_and(|game| game.view.seat.is_some());
        // Some ask for the room of the others.
        let kind = match is_player != chance.one_in(4) {
            true => ChatKind::Players,
            false => ChatKind::Spectators,
        };
        Some(join(kind, Some(game)))
    }

    /// A room was joined.
    pub(super) fn joined_room(&mut self, line: LineId, room: RoomId, kind: ChatKind) {
        let joined = (line, (room, kind));
        if !self.rooms.contains(&joined) {
            self.rooms.push(joined);
        }
    }
}
