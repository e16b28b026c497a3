//! Chat: the room of the game or of the lobby, direct messages, and the lines that the player writes.

use std::collections::BTreeMap;

use tilewire_protocol::{
    ChatAnswer, ChatJoin, ChatKind, ChatLeave, ChatLine, ChatSaid, ChatSay, ClientMessage, GameId,
    IdentityId, Role, RoomId,
};

use super::report::{Channel, Report};
use super::{App, Effect, Goal, Origin, Request};

/// The room that `say` writes into.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChatRoom {
    /// Its kind and game, as far as the program has asked for a room.
    asked: Option<(ChatKind, Option<GameId>)>,
    /// The room, when the server has answered.
    room: Option<RoomId>,
    /// The number of the last line.
    last: u64,
    /// The last line of each player who has written in the room, with the name.
    written: BTreeMap<IdentityId, (String, u64)>,
}

/// The number of players whose last line the program keeps.
const WRITERS_KEPT: usize = 100;

impl ChatRoom {
    /// Returns the newest line of those players that `wanted` accepts by identity and name: the writer, the room and the
    /// number.
    pub(super) fn last_line(
        &self,
        wanted: impl Fn(&IdentityId, &str) -> bool,
    ) -> Option<(&IdentityId, RoomId, u64)> {
        let room = self.room.as_ref()?;
        let written = self.written.iter();
        let fitting = written.filter(|(writer, (name, _))| wanted(writer, name));
        let newest = fitting.max_by_key(|(_, (_, line))| *line);
        newest.map(|(writer, (_, line))| (writer, room.clone(), *line))
    }

    /// Notes a line of the room. The writer who has been silent for the longest time is forgotten.
    fn note(&mut self, line: &ChatLine) {
        let last = (line.name.clone(), line.line);
        self.written.insert(line.identity.clone(), last);
        if self.written.len() > WRITERS_KEPT {
            let oldest = self.written.iter().min_by_key(|(_, (_, line))| *line);
            if let Some(writer) = oldest.map(|(writer, _)| writer.clone()) {
                self.written.remove(&writer);
            }
        }
    }
}

impl App {
    /// Joins the room of the followed game, or joins it again after the last line.
    pub(super) fn join_game_chat(&mut self, effects: &mut Vec<Effect>) {
        let kind = match self.role {
            Role::Player => ChatKind::Players,
            _ => ChatKind::Spectators,
        };
        if let Some(game) = self.game.clone() {
            self.join_chat(kind, Some(game), effects);
        }
    }

    /// Joins the room of the lobby, if the server has one.
    pub(super) fn join_lobby_chat(&mut self, effects: &mut Vec<Effect>) {
        self.join_chat(ChatKind::Lobby, None, effects);
    }

    fn join_chat(&mut self, kind: ChatKind, game: Option<GameId>, effects: &mut Vec<Effect>) {
        if !self.has_chat(kind) {
            return;
        }
        let asked = Some((kind, game.clone()));
        if self.chat.asked != asked {
            self.chat = ChatRoom {
                asked,
                ..ChatRoom::default()
            };
        }
        let after = (self.chat.last > 0).then_some(self.chat.last);
        let join = ChatJoin {
            kind,
            game,
            with: None,
            after,
        };
        self.send_automatic_chat(ClientMessage::ChatJoin(join), effects);
    }

    /// Follows all direct rooms, if the player can have friends and the program stays.
    pub(super) fn follow_direct_chat(&mut self, is_registered: bool, effects: &mut Vec<Effect>) {
        let stays = !matches!(
            self.config.goal,
            Goal::List | Goal::ListFinished(_) | Goal::Identify | Goal::Rules(_) | Goal::LookUp(_)
        );
        if is_registered && stays && self.has_chat(ChatKind::Direct) {
            let join = ChatJoin {
                kind: ChatKind::Direct,
                game: None,
                with: None,
                after: None,
            };
            self.send_automatic_chat(ClientMessage::ChatJoin(join), effects);
        }
    }

    /// Leaves the room of the lobby.
    pub(super) fn leave_lobby_chat(&mut self, effects: &mut Vec<Effect>) {
        let is_lobby = matches!(self.chat.asked, Some((ChatKind::Lobby, _)));
        if let Some(room) = self.chat.room.take_if(|_| is_lobby) {
            let leave = ClientMessage::ChatLeave(ChatLeave { room });
            self.send_automatic_chat(leave, effects);
        }
    }

    fn has_chat(&self, kind: ChatKind) -> bool {
        let hello = self.hello.as_ref();
        hello.is_some_and(|hello| hello.chat.contains(&kind))
    }

    fn send_automatic_chat(&mut self, message: ClientMessage, effects: &mut Vec<Effect>) {
        let origin = Origin::Auto;
        self.send(Request { message, origin }, effects);
    }

    /// Handles the answer to a `chat_join` that the program sent by itself: shows the lines that it does not have.
    pub(super) fn chat_joined(
        &mut self,
        join: &ChatJoin,
        answer: ChatAnswer,
        effects: &mut Vec<Effect>,
    ) {
        let asked = Some((join.kind, join.game.clone()));
        let Some(room) = answer.room.filter(|_| self.chat.asked == asked) else {
            return;
        };
        self.chat.room = Some(room.clone());
        for line in answer.lines.unwrap_or_default() {
            self.chat_received(
                &ChatSaid {
                    room: room.clone(),
                    line,
                },
                effects,
            );
        }
    }

    /// Handles a line; one that the program has already is dropped.
    pub(super) fn chat_received(&mut self, said: &ChatSaid, effects: &mut Vec<Effect>) {
        if self.chat.room.as_ref() == Some(&said.room) {
            if said.line.line <= self.chat.last {
                return;
            }
            self.chat.last = said.line.line;
            self.chat.note(&said.line);
        }
        let is_own = self.identity.as_ref() == Some(&said.line.identity);
        let channel = match self.chat.room.as_ref() == Some(&said.room) {
            _ if is_own => Channel::Own,
            true => Channel::Room,
            false => Channel::Direct,
        };
        let report = Report::Chat(Box::new(said.clone()), channel);
        effects.push(Effect::Report(report));
    }

    /// Returns the request that writes a line into the room of the game or of the lobby.
    ///
    /// # Errors
    /// When there is no such room.
    pub(super) fn say_request(&mut self, text: String) -> Result<ClientMessage, String> {
        let room = match (&self.chat.room, &self.chat.asked) {
            (Some(room), _) => room.clone(),
            (None, Some(_)) => return Err("you cannot chat here".to_owned()),
            (None, None) => return Err("this server has no chat here".to_owned()),
        };
        Ok(self.chat_say(room, text))
    }

    pub(super) fn chat_say(&mut self, room: RoomId, text: String) -> ClientMessage {
        ClientMessage::ChatSay(ChatSay {
            room,
            cmd_id: self.session.next_cmd_id(),
            text,
        })
    }

    /// Returns the request that finds the direct room of a friend.
    ///
    /// # Errors
    /// When the server has no direct rooms.
    pub(super) fn tell_request(&self, friend: String) -> Result<ClientMessage, String> {
        if !self.has_chat(ChatKind::Direct) {
            return Err("this server has no direct messages".to_owned());
        }
        Ok(ClientMessage::ChatJoin(ChatJoin {
            kind: ChatKind::Direct,
            game: None,
            with: Some(friend),
            after: None,
        }))
    }
}
