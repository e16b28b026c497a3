//! Tests of the owner.

use super::*;
use crate::message::Payload;
use tilewire_store::{Part, Term};

const ME: NodeId = NodeId(1);
const GATEWAY: NodeId = NodeId(2);
const NOW: Timestamp = Timestamp(1_000_000);
const TERM: Term = Term(5);
const BOUNDS: OwnerBounds = OwnerBounds {
    channels: 2,
    age_max_ms: Millis(10_000),
};

fn owner() -> Owner {
    let mut owner = Owner::new(ME, BOUNDS);
    let parts = [(Part::LOBBY, (ME, TERM)), (part(), (GATEWAY, TERM))];
    owner.place(parts.into_iter().collect());
    owner
}

/// A part of another node.
fn part() -> Part {
    Part::numbered(7).unwrap()
}

fn channel(connection: u64, generation: u64) -> Channel {
    Channel {
        connection,
        generation,
    }
}

fn key(connection: u64, generation: u64) -> Key {
    let channel = channel(connection, generation);
    Key {
        gateway: GATEWAY,
        channel,
    }
}

fn client() -> Client {
    let pass = tilewire_delivery::session::Pass::without_token("i".to_owned(), String::new());
    Client::new(&pass, None, tilewire_protocol::Codec::Json)
}

fn open(owner: &mut Owner, connection: u64, generation: u64) -> Vec<Effect> {
    let open = ToOwner::Open(channel(connection, generation), client());
    owner.received(NOW, GATEWAY, open)
}

fn request(part: Part, term: i64, age_ms: i64) -> Request {
    Request {
        channel: channel(1, 1),
        relay_id: 9,
        ownership: Ownership {
            part,
            term: Term(term),
        },
        age_ms,
        lag_ms: 30,
        is_attached: false,
        message: Payload(Bytes::from_static(b"m")),
    }
}

#[test]
fn another_generation_replaces_the_channel_before() {
    let mut owner = owner();
    let begin = |generation| Effect::Begin(key(1, generation), client());
    assert_eq!(open(&mut owner, 1, 3), [begin(3)]);
    assert_eq!(open(&mut owner, 1, 3), [], "it came twice");
    assert_eq!(open(&mut owner, 1, 2), [], "it was late");
    assert_eq!(
        open(&mut owner, 1, 4),
        [Effect::End(key(1, 3), End::Lost), begin(4)]
    );
    let close = |generation| ToOwner::Close(channel(1, generation), End::Closed);
    assert_eq!(owner.received(NOW, GATEWAY, close(3)), []);
    let ended = owner.received(NOW, GATEWAY, close(4));
    assert_eq!(ended, [Effect::End(key(1, 4), End::Closed)]);
    assert_eq!(owner.channels(), 0);
}

#[test]
fn channels_are_bounded() {
    let mut owner = owner();
    for connection in [1, 2] {
        open(&mut owner, connection, 1);
    }
    let gone = Effect::Send(GATEWAY, ToGateway::Gone(channel(3, 1)));
    assert_eq!(open(&mut owner, 3, 1), [gone]);
    // A channel in place of another one has room.
    assert_eq!(open(&mut owner, 2, 2).len(), 2);
    assert_eq!(owner.lose(GATEWAY).len(), 2);
    assert_eq!(owner.lose(GATEWAY), []);
    assert_eq!(open(&mut owner, 3, 2).len(), 1);
}

#[test]
fn the_channels_of_one_gateway_end_together() {
    let mut owner = owner();
    open(&mut owner, 1, 1);
    let other = ToOwner::Open(channel(1, 1), client());
    assert_eq!(owner.received(NOW, NodeId(3), other).len(), 1);
    assert_eq!(owner.lose(GATEWAY), [Effect::End(key(1, 1), End::Lost)]);
    assert!(owner.has(Key {
        gateway: NodeId(3),
        channel: channel(1, 1)
    }));
}

#[test]
fn a_request_is_served_by_the_owner_alone() {
    let mut owner = owner();
    let gone = Effect::Send(GATEWAY, ToGateway::Gone(channel(1, 1)));
    let early = ToOwner::Request(request(Part::LOBBY, 5, 0));
    assert_eq!(owner.received(NOW, GATEWAY, early), [gone]);
    open(&mut owner, 1, 1);
    let mut check = |request: Request, expected: Effect| {
        let shown = format!("{request:?}");
        let found = owner.received(NOW, GATEWAY, ToOwner::Request(request));
        assert_eq!(found, [expected], "{shown}");
    };
    let served = |age_ms| {
        let served = Served {
            relay_id: 9,
            received_at: Timestamp(NOW.0 - age_ms),
            lag_ms: Millis(30),
            is_attached: false,
            message: Bytes::from_static(b"m"),
        };
        Effect::Serve(key(1, 1), served)
    };
    let not_mine = || Effect::Send(GATEWAY, ToGateway::NotMine(channel(1, 1), 9));
    check(request(Part::LOBBY, 5, 250), served(250));
    check(request(Part::LOBBY, 4, 0), served(0));
    check(request(Part::LOBBY, 6, 0), not_mine());
    check(request(part(), 5, 0), not_mine());
    check(request(Part::numbered(8).unwrap(), 0, 0), not_mine());
    // A gateway cannot move a clock far.
    check(request(Part::LOBBY, 5, i64::MAX), served(10_000));
    check(request(Part::LOBBY, 5, -5), served(0));
}
