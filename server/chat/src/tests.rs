//! The rooms without a task, a storage or a socket.

use tilewire_protocol::{ChatSay, CmdId, ErrorCode, GameId, RoomId};
use tilewire_rules::time::{Millis, Timestamp};

use super::machine::{Chat, ChatBounds, Member};
use super::reading::readers_of;
use super::room::RoomName;
use super::say::SayOutcome;
use tilewire_accounts::people::Blocks;
use tilewire_delivery::outbound::PeerId;
use tilewire_store::StoredLine;

const BOUNDS: ChatBounds = ChatBounds {
    burst: 3,
    lines_per_minute: 30,
    repeat_ms: Millis(30_000),
    rooms_per_connection: 2,
    members: 5,
};

/// A chat with connections whose identities have the same number.
struct Scene {
    chat: Chat<u64>,
    now: Timestamp,
    commands: u32,
}

fn players() -> RoomName {
    RoomName::Players(GameId("g1".to_owned()))
}

fn identity(peer: u64) -> String {
    format!("i{peer}")
}

impl Scene {
    fn new() -> Self {
        Self {
            chat: Chat::new(BOUNDS),
            now: Timestamp(1_000_000),
            commands: 0,
        }
    }

    /// Returns a scene with these connections in the room of the players.
    fn with(peers: &[u64]) -> Self {
        let mut scene = Self::new();
        for peer in peers {
            scene.join(*peer, &players()).unwrap();
        }
        scene
    }

    fn join(&mut self, peer: u64, room: &RoomName) -> Result<(), ErrorCode> {
        if self.chat.unread_after(&room.id()).is_some() {
            self.chat.read(room, Vec::new());
        }
        let member = Member {
            peer,
            identity: identity(peer),
            name: format!("N{peer}"),
            seat: Some(0),
            can_say: peer < 9,
        };
        let joined = self.chat.join(PeerId(peer), &room.id(), member);
        joined.map_err(|refusal| refusal.code)
    }

    fn try_say(&mut self, peer: u64, cmd: &str, text: &str) -> Result<SayOutcome, ErrorCode> {
        let asked = ChatSay {
            room: players().id(),
            cmd_id: CmdId(cmd.to_owned()),
            text: text.to_owned(),
        };
        let said = self.chat.say(self.now, PeerId(peer), &asked);
        said.map_err(|refusal| refusal.code)
    }

    /// Writes a line that is new, and returns it.
    fn say(&mut self, peer: u64, text: &str) -> StoredLine {
        self.commands += 1;
        match self.try_say(peer, &format!("c{}", self.commands), text) {
            Ok(SayOutcome::New(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    fn stored(&mut self, peer: u64, text: &str) -> u64 {
        let line = self.say(peer, text);
        self.chat.stored(std::slice::from_ref(&line));
        line.line
    }

    fn texts(&self, after: u64) -> Vec<String> {
        let lines = self
            .chat
            .lines(&players().id(), after, &|line| !line.is_hidden);
        lines.into_iter().map(|line| line.text).collect()
    }

    fn readers(&self, line: &StoredLine, blocked: Option<(u64, u64)>) -> Vec<u64> {
        let blocks = Blocks::default();
        if let Some((from, to)) = blocked {
            blocks.insert(&identity(from), &identity(to));
        }
        let readers = self.chat.readers(line, &readers_of(line, &blocks));
        readers.into_iter().map(|(_, peer)| peer).collect()
    }
}

#[test]
fn lines_are_numbered_in_each_room_and_shown_when_they_are_stored() {
    let mut scene = Scene::with(&[1, 2]);
    let (one, two) = (scene.say(1, "hi"), scene.say(2, "hello"));
    assert_eq!((one.line, two.line), (1, 2));
    assert_eq!(scene.texts(0), Vec::<String>::new(), "nothing is stored");
    scene.chat.stored(&[one, two]);
    assert_eq!(scene.texts(0), ["hi", "hello"]);
    assert_eq!(scene.texts(1), ["hello"]);
    assert_eq!(scene.stored(1, "go"), 3);
}

#[test]
fn a_repeated_command_is_one_line() {
    let mut scene = Scene::with(&[1, 2]);
    let line = match scene.try_say(1, "x", "hi") {
        Ok(SayOutcome::New(line)) => line,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        scene.try_say(1, "x", " hi "),
        Ok(SayOutcome::Again(1)),
        "pending"
    );
    scene.chat.stored(&[line]);
    assert_eq!(scene.try_say(1, "x", "hi"), Ok(SayOutcome::Again(1)));
    let reused = scene.try_say(1, "x", "other");
    assert_eq!(reused, Err(ErrorCode::CmdIdReused));
    // The ids of another player are others.
    assert!(matches!(
        scene.try_say(2, "x", "hi"),
        Ok(SayOutcome::New(_))
    ));
}

#[test]
fn a_text_is_refused_for_a_while_after_it_was_written() {
    let mut scene = Scene::with(&[1, 2]);
    scene.stored(1, "gg");
    let repeated = scene.try_say(1, "y", "gg");
    assert_eq!(repeated, Err(ErrorCode::RepeatedLine));
    scene.stored(2, "gg");
    scene.now += BOUNDS.repeat_ms;
    scene.stored(1, "gg");
}

#[test]
fn a_player_writes_at_most_so_many_lines() {
    let mut scene = Scene::with(&[1, 2]);
    for text in ["a", "b", "c"] {
        scene.stored(1, text);
    }
    assert_eq!(scene.try_say(1, "d", "d"), Err(ErrorCode::TooManyLines));
    scene.stored(2, "d");
    scene.now += Millis(2_000);
    scene.stored(1, "d");
    scene.now += Millis(60_000);
    scene.chat.tidy(scene.now);
    assert!(scene.chat.senders.is_empty(), "nobody wrote lately");
}

#[test]
fn only_members_who_may_write_do() {
    let mut scene = Scene::with(&[1, 9]);
    assert_eq!(scene.try_say(2, "a", "hi"), Err(ErrorCode::NotInRoom));
    assert_eq!(scene.try_say(9, "a", "hi"), Err(ErrorCode::CannotSay));
    assert_eq!(scene.try_say(1, "a", " \n"), Err(ErrorCode::BadText));
    assert_eq!(scene.chat.leave(PeerId(1), &players().id()), Some(1));
    assert_eq!(scene.chat.leave(PeerId(1), &players().id()), None);
    assert_eq!(scene.try_say(1, "a", "hi"), Err(ErrorCode::NotInRoom));
}

#[test]
fn a_block_hides_lines_in_both_directions() {
    let mut scene = Scene::with(&[1, 2, 3]);
    let line = scene.say(1, "hi");
    assert_eq!(scene.readers(&line, None), [1, 2, 3]);
    assert_eq!(scene.readers(&line, Some((1, 2))), [1, 3]);
    assert_eq!(scene.readers(&line, Some((2, 1))), [1, 3]);
    assert_eq!(scene.readers(&line, Some((2, 3))), [1, 2, 3]);
}

#[test]
fn hidden_lines_keep_their_numbers_and_are_shown_to_nobody() {
    let mut scene = Scene::with(&[1, 2]);
    for text in ["one", "two", "three"] {
        scene.stored(1, text);
    }
    let room = players().id();
    scene.chat.hide(&room, &[2, 3, 9], true);
    assert_eq!(scene.texts(0), ["one"]);
    assert_eq!(scene.stored(2, "four"), 4);
    assert_eq!(scene.texts(0), ["one", "four"]);
    scene.chat.hide(&room, &[2], false);
    assert_eq!(scene.texts(0), ["one", "two", "four"]);
    let told = scene.chat.readers_of(&room).into_iter();
    assert_eq!(told.map(|(_, peer)| peer).collect::<Vec<u64>>(), [1, 2]);
    scene.chat.hide(&RoomId("lobby".to_owned()), &[1], true);
}

#[test]
fn the_two_players_of_a_direct_room_read_it_wherever_they_are() {
    let mut scene = Scene::new();
    let room = RoomName::direct(&identity(2), &identity(1));
    assert_eq!(room, RoomName::direct(&identity(1), &identity(2)));
    scene.join(1, &room).unwrap();
    scene.chat.follow_direct(PeerId(20), &identity(2), 20);
    scene.chat.follow_direct(PeerId(30), &identity(3), 30);
    let asked = ChatSay {
        room: room.id(),
        cmd_id: CmdId("a".to_owned()),
        text: "hi".to_owned(),
    };
    let Ok(SayOutcome::New(line)) = scene.chat.say(scene.now, PeerId(1), &asked) else {
        panic!("a member says it");
    };
    assert_eq!(scene.readers(&line, None), [1, 20]);
    assert_eq!(scene.readers(&line, Some((2, 1))), [1]);
    scene.chat.gone(PeerId(20));
    assert_eq!(scene.readers(&line, None), [1]);
}

#[test]
fn rooms_and_members_are_bounded() {
    let mut scene = Scene::with(&[1, 2, 3]);
    let spectators = |game: &str| RoomName::Spectators(GameId(game.to_owned()));
    assert_eq!(scene.join(1, &spectators("a")), Ok(()));
    let refused = scene.join(1, &spectators("b"));
    assert_eq!(refused, Err(ErrorCode::TooManyRooms), "of one connection");
    assert_eq!(scene.join(1, &players()), Ok(()), "it is there already");
    assert_eq!(scene.join(4, &players()), Ok(()));
    let refused = scene.join(5, &players());
    assert_eq!(refused, Err(ErrorCode::TooManyRooms), "of all");
    assert_eq!(scene.chat.members(), BOUNDS.members);
    for peer in 1..=5 {
        scene.chat.gone(PeerId(peer));
    }
    assert_eq!(scene.chat.members(), 0);
    assert!(scene.chat.rooms.is_empty(), "a room without members");
}

/// The outcome of a commit is unknown: the room reads what the storage has, and goes on after it.
#[test]
fn a_line_of_unknown_outcome_is_read_from_the_storage() {
    for is_stored in [true, false] {
        let mut scene = Scene::with(&[1, 2]);
        scene.stored(1, "one");
        let line = scene.say(2, "two");
        scene.chat.unsure(std::slice::from_ref(&line));
        let room = players().id();
        assert_eq!(scene.chat.unread_after(&room), Some(1));
        let read = if is_stored { vec![line] } else { Vec::new() };
        scene.chat.read(&players(), read);
        assert_eq!(scene.chat.unread_after(&room), None);
        let again = scene.try_say(2, "c2", "two");
        match (is_stored, again) {
            (true, Ok(SayOutcome::Again(2))) => {}
            (false, Ok(SayOutcome::New(line))) => assert_eq!(line.line, 2),
            (_, other) => panic!("{is_stored}: {other:?}"),
        }
    }
}

#[test]
fn a_room_that_is_not_in_memory_is_read_from_the_beginning() {
    let scene = Scene::new();
    assert_eq!(
        scene.chat.unread_after(&RoomId("lobby".to_owned())),
        Some(0)
    );
}

#[test]
fn ids_of_rooms_fit_and_show_no_identity() {
    let long = "g".repeat(32);
    let rooms = [
        RoomName::Players(GameId(long.clone())),
        RoomName::Spectators(GameId(long)),
        RoomName::direct(
            "site-aaaaaaaaaaaaaaaaaaaaaaaaaa",
            "bbbbbbbbbbbbbbbbbbbbbbbbbb",
        ),
        RoomName::Lobby,
    ];
    let ids: std::collections::BTreeSet<String> = rooms.iter().map(|room| room.id().0).collect();
    assert_eq!(ids.len(), rooms.len());
    for id in &ids {
        assert!(
            id.len() <= tilewire_protocol::limits::ROOM_ID_MAX_BYTES,
            "{id}"
        );
        assert!(!id.contains("aaaa") && !id.contains("bbbb"), "{id}");
    }
}

#[test]
fn a_player_without_chat_is_in_no_room() {
    let mut scene = Scene::with(&[1, 2]);
    let direct = RoomName::direct(&identity(1), &identity(2));
    for peer in [1, 2] {
        scene.join(peer, &direct).unwrap();
        let own = identity(peer);
        scene.chat.follow_direct(PeerId(peer), &own, peer);
    }
    let mut left = scene.chat.quit(&identity(1));
    left.sort();
    let mut rooms = vec![(direct.id(), 1), (players().id(), 1)];
    rooms.sort();
    assert_eq!(left, rooms, "each room once");
    assert_eq!(scene.chat.quit(&identity(1)), []);
    assert_eq!(scene.chat.members(), 2, "the other one stays");
    assert!(scene.chat.peers().all(|(_, peer)| *peer == 2));
    assert_eq!(scene.try_say(1, "c", "hi"), Err(ErrorCode::NotInRoom));
    let line = scene.say(2, "hi");
    assert_eq!(scene.readers(&line, None), [2]);
}
