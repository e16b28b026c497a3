//! Tests of the gateway: one connection, and what its client sees.

mod loss;

use bytes::Bytes;
use tilewire_protocol::{
    Attach, ClientMessage, CmdId, Codec, Empty, GameId, Pass, decode_client, encode_client,
};

use super::*;
use crate::message::{Attached, Channel, End, Frame, FrameSummary, Outcome, Payload, Request};
use tilewire_delivery::outbound::Leaving;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_store::Shard;

const ME: NodeId = NodeId(1);
const OWNER: NodeId = NodeId(2);
const NEXT: NodeId = NodeId(3);
const CONNECTION: u64 = 7;
const BOUNDS: GatewayBounds = GatewayBounds {
    grace_ms: Millis(250),
    retry_ms: Millis(100),
    hold_ms: Millis(10_000),
    lagging_retry_ms: Millis(1_000),
    held_bytes: 400,
};

/// A gateway with the games of one owner, and its client.
struct Table {
    gateway: Gateway,
    now: Timestamp,
    client: Arc<Client>,
}

fn game() -> GameId {
    GameId("g".to_owned())
}

fn parts(game_at: NodeId, term: i64, lobby_at: NodeId) -> OwnerTable {
    let part = Part::from(Shard::of(&game()));
    let owners = [
        (part, (game_at, Term(term))),
        (Part::LOBBY, (lobby_at, Term(1))),
    ];
    owners.into_iter().collect()
}

fn attach(position: Option<(u64, u64)>) -> ClientMessage {
    ClientMessage::Attach(Attach {
        game: game(),
        epoch: position.map(|(epoch, _)| epoch),
        seq: position.map(|(_, seq)| seq),
        code: None,
    })
}

fn pass(cmd_id: &str) -> ClientMessage {
    ClientMessage::Pass(Pass {
        game: game(),
        cmd_id: CmdId(cmd_id.to_owned()),
        turn_no: 1,
    })
}

fn frame(summary: FrameSummary) -> Frame {
    let message = Payload(Bytes::from(format!("{summary:?}")));
    Frame { summary, message }
}

fn attached(with_snapshot: bool) -> Outcome {
    Outcome::Attached(Attached {
        epoch: 9,
        with_snapshot,
        is_spectator: false,
        is_delayed: false,
    })
}

impl Table {
    fn new() -> Self {
        let pass = tilewire_delivery::session::Pass::without_token("i".to_owned(), String::new());
        let mut table = Self {
            gateway: Gateway::new(ME, BOUNDS),
            now: Timestamp(1_000_000),
            client: Arc::new(Client::new(&pass, None, Codec::Json)),
        };
        for node in [ME, OWNER, NEXT] {
            assert_eq!(table.input(Input::Up(node)), []);
        }
        let effects = table.input(Input::Placed(Box::new(parts(OWNER, 1, OWNER))));
        assert_eq!(effects, []);
        table
    }

    /// A table whose client follows the game, and has seen event 5.
    fn following() -> Self {
        let mut table = Self::new();
        table.ask(1, &attach(Some((9, 4))));
        let answer = frame(FrameSummary::Answer(1, attached(false)));
        table.frames(
            OWNER,
            1,
            vec![answer, frame(FrameSummary::Event(game(), 5))],
        );
        table
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        self.gateway.handle(self.now, input)
    }

    fn ask(&mut self, request_id: u64, message: &ClientMessage) -> Vec<Effect> {
        let asked = ClientRequest {
            connection: CONNECTION,
            client: Arc::clone(&self.client),
            request_id,
            subject: Subject::of(message).unwrap(),
            message: encode_client(Codec::MsgPack, request_id, message).into(),
            received_at: self.now,
            lag_ms: Millis(3),
            is_attached: false,
        };
        self.input(Input::ClientRequest(Box::new(asked)))
    }

    fn frames(&mut self, from: NodeId, generation: u64, frames: Vec<Frame>) -> Vec<Effect> {
        let message = ToGateway::Frames(channel(generation), frames);
        self.input(Input::Received(from, message))
    }

    fn after(&mut self, ms: i64) -> Vec<Effect> {
        self.now += Millis(ms);
        self.input(Input::Tick)
    }
}

fn channel(generation: u64) -> Channel {
    Channel {
        connection: CONNECTION,
        generation,
    }
}

/// Says in short what a gateway sends: `open`, `attach 9/5`, `pass c`, with the node, generation and relay id.
fn sent(effects: &[Effect]) -> Vec<String> {
    let shown = effects.iter().map(|effect| match effect {
        Effect::Send(node, ToOwner::Open(channel, _)) => {
            format!("{}: open {}", node.0, channel.generation)
        }
        Effect::Send(node, ToOwner::Close(channel, _)) => {
            format!("{}: close {}", node.0, channel.generation)
        }
        Effect::Send(node, ToOwner::Request(request)) => {
            format!("{}: {}", node.0, shown(request))
        }
        Effect::Send(node, ToOwner::Present(channel)) => {
            format!("{}: present {}", node.0, channel.generation)
        }
        Effect::Send(
            _,
            other @ (ToOwner::Call(_) | ToOwner::Look | ToOwner::Games(_) | ToOwner::Ask(_)),
        ) => {
            panic!("a gateway does not send {other:?}")
        }
        Effect::Deliver(_, frames) => {
            let ids = frames
                .iter()
                .map(|frame| frame.answers.map_or(0, |(id, _)| id));
            format!("frames {:?}", ids.collect::<Vec<_>>())
        }
        Effect::Push(_, push) => format!("{push:?}"),
    });
    shown.collect()
}

fn shown(request: &Request) -> String {
    let (_, message) = decode_client(Codec::MsgPack, &request.message.0).unwrap();
    let what = match message {
        ClientMessage::Attach(attach) => match ResumePoint::of(&attach) {
            Some(from) => format!("attach {}/{}", from.epoch, from.seq),
            None => "attach".to_owned(),
        },
        ClientMessage::Pass(pass) => format!("pass {}", pass.cmd_id),
        other => other.op().to_owned(),
    };
    let (generation, relay_id, term) = (
        request.channel.generation,
        request.relay_id,
        request.ownership.term,
    );
    format!("{what} by {generation}, id {relay_id}, term {}", term.0)
}

#[test]
fn the_first_request_opens_a_channel() {
    let mut table = Table::new();
    let effects = table.ask(1, &pass("a"));
    let expected = ["2: open 1", "2: pass a by 1, id 1, term 1"];
    assert_eq!(sent(&effects), expected);
    let effects = table.ask(2, &ClientMessage::LobbySubscribe(Empty {}));
    assert_eq!(sent(&effects), ["2: lobby_subscribe by 1, id 2, term 1"]);
    let effects = table.frames(
        OWNER,
        1,
        vec![frame(FrameSummary::Answer(1, Outcome::Done))],
    );
    assert_eq!(sent(&effects), ["frames [1]"]);
    let again = table.frames(
        OWNER,
        1,
        vec![frame(FrameSummary::Answer(1, Outcome::Done))],
    );
    assert_eq!(again, [], "it is answered once");
    let effects = table.input(Input::Ended(CONNECTION, End::Closed));
    assert_eq!(sent(&effects), ["2: close 1"]);
    assert_eq!((table.gateway.connections(), table.gateway.bytes), (0, 0));
}

#[test]
fn a_game_goes_on_at_its_next_owner() {
    let mut table = Table::following();
    table.ask(2, &pass("a"));
    assert_eq!(sent(&table.input(Input::Down(OWNER))), [""; 0]);
    assert_eq!(table.after(249), []);
    let paused = format!("{:?}", Push::Paused(game()));
    assert_eq!(sent(&table.after(1)), [paused]);
    assert_eq!(table.after(2_000), [], "it is told once");
    let effects = table.input(Input::Placed(Box::new(parts(NEXT, 2, OWNER))));
    let expected = [
        "3: open 2",
        "3: attach 9/5 by 2, id 3, term 2",
        "3: pass a by 2, id 2, term 2",
    ];
    assert_eq!(sent(&effects), expected);
    let answer = frame(FrameSummary::Answer(3, attached(false)));
    let effects = table.frames(NEXT, 2, vec![answer, frame(FrameSummary::Event(game(), 6))]);
    let unpaused = format!("{:?}", Push::Unpaused(game()));
    assert_eq!(sent(&effects), [unpaused, "frames [0]".to_owned()]);
    let effects = table.frames(NEXT, 2, vec![frame(FrameSummary::Answer(2, Outcome::Done))]);
    assert_eq!(sent(&effects), ["frames [2]"]);
    // The former owner is late.
    let late = vec![
        frame(FrameSummary::Event(game(), 6)),
        frame(FrameSummary::Answer(2, Outcome::Done)),
    ];
    assert_eq!(table.frames(OWNER, 1, late), []);
}

/// The owner says that the game leaves it, before anybody knows the next owner.
#[test]
fn a_game_that_is_let_go_is_attached_at_its_next_owner() {
    let mut table = Table::following();
    let let_go = |channel| Input::Received(OWNER, ToGateway::LetGo(channel, game()));
    assert_eq!(table.input(let_go(channel(9))), [], "another channel");
    assert_eq!(table.input(let_go(channel(1))), []);
    let effects = table.input(Input::Placed(Box::new(parts(NEXT, 2, OWNER))));
    let expected = ["3: open 2", "3: attach 9/5 by 2, id 2, term 2"];
    assert_eq!(sent(&effects), expected);
}

/// A game that the client followed without the relay leaves this node.
#[test]
fn a_game_that_leaves_this_node_is_followed() {
    let mut table = Table::new();
    let leaving = Leaving {
        game: game(),
        position: Some(ResumePoint { epoch: 9, seq: 5 }),
        code: None,
        is_spectator: false,
        is_delayed: false,
        is_paused: true,
    };
    let follow = |table: &mut Table| {
        let client = Arc::clone(&table.client);
        let leaving = Box::new(leaving.clone());
        table.input(Input::Follow(CONNECTION, client, leaving))
    };
    let effects = follow(&mut table);
    let expected = ["2: open 1", "2: attach 9/5 by 1, id 1, term 1"];
    assert_eq!(sent(&effects), expected);
    assert_eq!(follow(&mut table), [], "it is followed already");
    let answer = frame(FrameSummary::Answer(1, attached(false)));
    let effects = table.frames(
        OWNER,
        1,
        vec![answer, frame(FrameSummary::Event(game(), 6))],
    );
    let unpaused = format!("{:?}", Push::Unpaused(game()));
    assert_eq!(sent(&effects), [unpaused, "frames [0]".to_owned()]);
}

/// The part goes away and comes back to the same node, while the answer to an attach is on its way.
#[test]
fn an_answer_of_an_earlier_term_does_not_count() {
    let mut table = Table::new();
    table.ask(1, &attach(Some((9, 4))));
    let effects = table.input(Input::Placed(Box::new(parts(OWNER, 3, OWNER))));
    let expected = ["2: attach 9/4 by 1, id 2, term 3"];
    assert_eq!(sent(&effects), expected);
    let late = vec![frame(FrameSummary::Answer(1, attached(false)))];
    assert_eq!(table.frames(OWNER, 1, late), []);
    let answer = vec![frame(FrameSummary::Answer(2, attached(false)))];
    assert_eq!(sent(&table.frames(OWNER, 1, answer)), ["frames [1]"]);
}

#[test]
fn a_short_loss_is_not_shown() {
    let mut table = Table::following();
    let effects = table.input(Input::Reset(OWNER));
    let expected = [
        "2: close 1",
        "2: open 2",
        "2: attach 9/5 by 2, id 2, term 1",
    ];
    assert_eq!(sent(&effects), expected);
    // Frames of the channel before are not for this one.
    assert_eq!(
        table.frames(OWNER, 1, vec![frame(FrameSummary::Event(game(), 7))]),
        []
    );
    table.after(100);
    let answer = frame(FrameSummary::Answer(2, attached(true)));
    let snapshot = frame(FrameSummary::Snapshot(game(), 9, 8));
    let effects = table.frames(OWNER, 2, vec![answer, snapshot]);
    assert_eq!(sent(&effects), ["frames [0]"]);
    let effects = table.input(Input::Reset(OWNER));
    assert_eq!(sent(&effects)[2], "2: attach 9/8 by 3, id 3, term 1");
}

#[test]
fn a_request_goes_to_the_next_owner_when_the_first_refuses() {
    let mut table = Table::new();
    table.ask(1, &pass("a"));
    let refused = || Input::Received(OWNER, ToGateway::NotMine(channel(1), 1));
    assert_eq!(table.input(refused()), []);
    assert_eq!(table.after(99), []);
    let again = ["2: pass a by 1, id 1, term 1"];
    assert_eq!(sent(&table.after(1)), again);
    assert_eq!(table.input(refused()), []);
    let effects = table.input(Input::Placed(Box::new(parts(NEXT, 2, OWNER))));
    let expected = ["3: open 2", "3: pass a by 2, id 1, term 2"];
    assert_eq!(sent(&effects), expected, "at once");
}

#[test]
fn a_request_that_the_owner_cannot_read_comes_back_once() {
    let mut table = Table::new();
    table.ask(1, &pass("a"));
    let from = |node| Input::Received(node, ToGateway::Unreadable(channel(1), 1));
    assert_eq!(table.input(from(NEXT)), [], "it does not have the request");
    let request = encode_client(Codec::MsgPack, 1, &pass("a")).into();
    let expected = [Effect::Push(CONNECTION, Push::Unreadable(1, request))];
    assert_eq!(table.input(from(OWNER)), expected);
    assert_eq!(table.input(from(OWNER)), []);
    assert_eq!(table.gateway.bytes(), 0);
}

#[test]
fn a_channel_that_the_owner_refuses_is_opened_later() {
    let mut table = Table::new();
    table.ask(1, &pass("a"));
    let gone = Input::Received(OWNER, ToGateway::Gone(channel(1)));
    assert_eq!(sent(&table.input(gone)), ["2: close 1"]);
    assert_eq!(table.after(99), []);
    let expected = ["2: open 2", "2: pass a by 2, id 1, term 1"];
    assert_eq!(sent(&table.after(1)), expected);
}

#[test]
fn what_waits_for_too_long_is_refused() {
    let mut table = Table::following();
    table.ask(2, &pass("a"));
    table.input(Input::Down(OWNER));
    table.ask(3, &ClientMessage::LobbySubscribe(Empty {}));
    table.after(250);
    let effects = sent(&table.after(9_750));
    assert_eq!(effects.len(), 3, "{effects:?}");
    assert!(effects[0].starts_with("Detached"), "{effects:?}");
    // It may have been carried out.
    assert!(effects[1].starts_with("Refuse(2, Internal"), "{effects:?}");
    assert!(effects[2].starts_with("Refuse(3, Busy"), "{effects:?}");
    assert_eq!(table.gateway.next_deadline(), None);
    assert_eq!(table.gateway.bytes, 0);
}

#[test]
fn requests_are_bounded_in_bytes() {
    let mut table = Table::new();
    table.input(Input::Down(OWNER));
    let mut refused = 0;
    for id in 1..=20 {
        refused += table.ask(id, &pass("a")).len();
        assert!(table.gateway.bytes <= BOUNDS.held_bytes);
    }
    assert!((1..20).contains(&refused), "{refused}");
}

#[test]
fn a_client_of_the_lobby_reads_its_lists_anew() {
    let mut table = Table::following();
    table.ask(2, &ClientMessage::LobbySubscribe(Empty {}));
    table.frames(
        OWNER,
        1,
        vec![frame(FrameSummary::Answer(2, Outcome::Done))],
    );
    let effects = table.input(Input::Placed(Box::new(parts(OWNER, 1, NEXT))));
    assert!(sent(&effects)[0].starts_with("Close(GoingAway"));
    assert_eq!(table.after(1_000), [], "nothing more is done for it");
}

#[test]
fn the_lobby_hears_who_is_connected() {
    let mut table = Table::new();
    let present = Input::Present(CONNECTION, Arc::clone(&table.client));
    assert_eq!(sent(&table.input(present)), ["2: open 1", "2: present 1"]);
    let effects = table.input(Input::Placed(Box::new(parts(OWNER, 1, NEXT))));
    assert_eq!(sent(&effects), ["3: open 2", "3: present 2"]);
    // This node knows by itself.
    let effects = table.input(Input::Placed(Box::new(parts(OWNER, 1, ME))));
    assert_eq!(effects, []);
    assert_eq!(table.gateway.next_deadline(), None);
}

#[test]
fn a_slow_spectator_gets_a_snapshot_later() {
    let mut table = Table::following();
    assert_eq!(table.input(Input::Behind(CONNECTION, game())), []);
    let missed = [
        FrameSummary::Event(game(), 6),
        FrameSummary::OfStream(game()),
    ];
    let missed = missed.into_iter().map(frame).collect();
    assert_eq!(table.frames(OWNER, 1, missed), []);
    assert_eq!(table.after(999), [], "no pause is shown");
    let expected = ["2: attach by 1, id 2, term 1"];
    assert_eq!(sent(&table.after(1)), expected);
}

#[test]
fn the_attach_of_the_client_replaces_that_of_the_gateway() {
    let mut table = Table::following();
    table.input(Input::Reset(OWNER));
    let effects = table.ask(8, &attach(None));
    assert_eq!(sent(&effects), ["2: attach by 2, id 3, term 1"]);
    let late = frame(FrameSummary::Answer(2, attached(false)));
    assert_eq!(table.frames(OWNER, 2, vec![late]), []);
    let answer = frame(FrameSummary::Answer(3, attached(true)));
    let effects = table.frames(OWNER, 2, vec![answer]);
    assert_eq!(sent(&effects), ["frames [8]"]);
}

#[test]
fn a_game_that_is_gone_ends_its_stream() {
    let mut table = Table::following();
    table.input(Input::Reset(OWNER));
    let check = |table: &mut Table, relay_id, code: &str| {
        let refused = Outcome::Refused(code.to_owned());
        let effects = table.frames(
            OWNER,
            2,
            vec![frame(FrameSummary::Answer(relay_id, refused))],
        );
        sent(&effects)
    };
    assert_eq!(check(&mut table, 2, "storage_paused"), [""; 0]);
    let again = ["2: attach 9/5 by 2, id 3, term 1"];
    assert_eq!(sent(&table.after(100)), again);
    let effects = check(&mut table, 3, "unknown_game");
    assert!(effects[0].starts_with("Detached(GameId(\"g\"), UnknownGame"));
    assert_eq!(table.after(20_000), []);
}

#[test]
fn requests_that_every_node_answers_are_not_passed_on() {
    for message in [
        ClientMessage::Time(Empty {}),
        ClientMessage::Renew(Empty {}),
    ] {
        assert_eq!(Subject::of(&message), None);
    }
    assert_eq!(Subject::of(&pass("a")), Some(Subject::Command(game())));
    let subscribe = ClientMessage::LobbySubscribe(Empty {});
    assert_eq!(Subject::of(&subscribe).unwrap().part(), Part::LOBBY);
}
