//! Decides whether a player may join a room. The connection asks before the request goes to the chat, because the answer needs the
//! storage.

use std::sync::Arc;

use tilewire_protocol::{ChatJoin, ChatKind, ErrorCode, GameId};
use tilewire_rules::event::PlayerKind;

use super::line::{paused, refusal};
use super::machine::Member;
use super::reading::{Audience, Reader};
use super::room::RoomName;
use tilewire_accounts::identity::Accounts;
use tilewire_accounts::people::People;
use tilewire_config::Config;
use tilewire_delivery::outbound::Peer;
use tilewire_game::{Directory, FindError};
use tilewire_wire::Refusal;

/// The scope of the chat from which on there are rooms of games and friends.
const SCOPE_GAMES: u8 = 1;
/// The scope of the chat from which on the lobby has a room.
const SCOPE_LOBBY: u8 = 2;

/// The services that say who may join a room.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// The settings.
    pub config: &'a Config,
    /// The games.
    pub directory: &'a Arc<Directory>,
    /// The identities.
    pub accounts: &'a Accounts,
    /// The accounts.
    pub people: &'a People,
}

/// A client that may join a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    pub(super) room: RoomName,
    /// The display name; empty if the client cannot write.
    name: String,
    seat: Option<u8>,
    can_say: bool,
}

impl Admission {
    /// Returns the admission of a client that can write.
    #[cfg(test)]
    pub(super) fn of(room: RoomName) -> Self {
        Self {
            room,
            name: "N".to_owned(),
            seat: None,
            can_say: true,
        }
    }

    pub(super) fn member(&self, peer: &Peer) -> Member<Peer> {
        Member {
            peer: peer.clone(),
            identity: peer.identity().to_owned(),
            name: self.name.clone(),
            seat: self.seat,
            can_say: self.can_say,
        }
    }
}

/// Returns the kinds of rooms that a server has, for `hello`.
pub fn kinds(config: &Config) -> Vec<ChatKind> {
    let all = [
        (ChatKind::Players, SCOPE_GAMES),
        (ChatKind::Spectators, SCOPE_GAMES),
        (ChatKind::Direct, SCOPE_GAMES),
        (ChatKind::Lobby, SCOPE_LOBBY),
    ];
    let has = all
        .into_iter()
        .filter(|(_, scope)| config.chat.scope >= *scope);
    has.map(|(kind, _)| kind).collect()
}

impl Access<'_> {
    /// Checks that a client may join a room. `is_attached` says whether its connection is attached to the game of the room.
    ///
    /// # Errors
    /// The reason why it may not.
    pub async fn admit(
        &self,
        peer: &Peer,
        asked: &ChatJoin,
        is_attached: bool,
    ) -> Result<Admission, Refusal> {
        self.check_open(peer, asked.kind)?;
        let unknown = || refusal(ErrorCode::NoSuchRoom);
        let audience = match (asked.kind, &asked.game, &asked.with) {
            (ChatKind::Players, Some(game), _) if is_attached => {
                self.of_game(RoomName::Players, game).await?
            }
            (ChatKind::Spectators, Some(game), _) if is_attached => {
                self.of_game(RoomName::Spectators, game).await?
            }
            (ChatKind::Direct, _, Some(handle)) => self.direct(peer, handle).await?,
            (ChatKind::Lobby, ..) => Audience {
                room: RoomName::Lobby,
                game: None,
            },
            _ => return Err(unknown()),
        };
        let reader = Reader {
            identity: peer.identity(),
            has_chat: self.has_chat(peer),
            may_watch: is_attached,
        };
        if !reader.reads_room(&audience) {
            return Err(unknown());
        }
        self.admission(peer, audience).await
    }

    fn has_chat(&self, peer: &Peer) -> bool {
        let chat_off = self.people.chat_off();
        !peer.pass().is_some_and(|pass| chat_off.is_off_for(pass))
    }

    /// Checks that the server has rooms of a kind, and that nobody has switched chat off for the client.
    ///
    /// # Errors
    /// [`ErrorCode::ChatOff`].
    pub fn check_open(&self, peer: &Peer, kind: ChatKind) -> Result<(), Refusal> {
        match self.has_chat(peer) && kinds(self.config).contains(&kind) {
            true => Ok(()),
            false => Err(refusal(ErrorCode::ChatOff)),
        }
    }

    async fn of_game(
        &self,
        room: fn(GameId) -> RoomName,
        game: &GameId,
    ) -> Result<Audience, Refusal> {
        let facts = self.directory.facts_for_chat(game).await;
        let facts = facts.map_err(|error| match error {
            FindError::Unavailable => paused(),
            _ => refusal(ErrorCode::NoSuchRoom),
        })?;
        Ok(Audience {
            room: room(game.clone()),
            game: Some(facts),
        })
    }

    async fn direct(&self, peer: &Peer, handle: &str) -> Result<Audience, Refusal> {
        let friend = self.people.friend_to_write(peer.identity(), handle).await;
        let friend = friend.map_err(|_| paused())?;
        let friend = friend.ok_or_else(|| refusal(ErrorCode::NoSuchRoom))?;
        Ok(Audience {
            room: RoomName::direct(peer.identity(), &friend),
            game: None,
        })
    }

    /// A reader of a room can write, except for guests among spectators and in the lobby.
    async fn admission(&self, peer: &Peer, audience: Audience) -> Result<Admission, Refusal> {
        let Audience { room, game } = audience;
        let (seat, can_say) = match &room {
            RoomName::Players(_) => (game.and_then(|game| game.seat_of(peer.identity())), true),
            RoomName::Direct(_) => (None, true),
            RoomName::Spectators(_) | RoomName::Lobby => {
                (None, self.kind_of(peer).await? != PlayerKind::Guest)
            }
        };
        let name = match can_say {
            true => self.accounts.name_to_play(peer.identity()).await,
            false => String::new(),
        };
        Ok(Admission {
            room,
            name,
            seat,
            can_say,
        })
    }

    async fn kind_of(&self, peer: &Peer) -> Result<PlayerKind, Refusal> {
        let identity = peer.identity();
        // The name tells whether an identity is a guest, so it must not be stored for one who only reads.
        let name = self
            .accounts
            .known_name(identity)
            .await
            .map_err(|_| paused())?;
        let kind = self.accounts.kind_of(identity, &name).await;
        kind.map_err(|_| paused())
    }
}
