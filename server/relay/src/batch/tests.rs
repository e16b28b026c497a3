//! Tests of the form of batches. The golden bytes were made by another program, from the description of the form.

use std::net::{IpAddr, Ipv4Addr};

use data_encoding::HEXLOWER;
use tilewire_protocol::GameId;

use super::*;
use crate::asks::message::{Api, Ask, Caller, HttpAnswer, HttpRequest, Replied, Reply};
use crate::message::{
    Attached, Channel, Client, End, Frame, FrameSummary, Outcome, Ownership, Payload, Request,
};
use tilewire_store::{Part, Term};

const BEAT: &str = "01f94c1e4988371fd5755654350a2a014d9701fb02c00100929090";
const TO_OWNER: &str = "01b123d1554247e7d5203e78bbbd01d6a197010702080200929481a46f70656e929207cd012c99a26961a166a26b31cf0000019e830e1a00c0c2c381a2563494ccc0000201c381a770726573656e749207cd012c81a772657175657374979207cd012c0192ff05140fc3c402930181a5636c6f7365929207cd012ca6636c6f73656490";
const TO_GATEWAY: &str = "018e4f3553bc223a8b8b436027baffb0619702080107ce000111700192909581a66672616d6573929207cd012c9a9281a6616e737765729201a4646f6e65c401669281a6616e73776572920281a861747461636865649409c3c2c3c401669281a6616e73776572920381a772656675736564a462757379c401669281a56576656e7492a2673104c401669281a8736e617073686f7493a267310904c401669281a6706175736564a26731c401669281a8756e706175736564a26731c401669281a86465746163686564a26731c401669281a96f665f73747265616da26731c4016692a56f74686572c4016681a86e6f745f6d696e65929207cd012c0381a4676f6e659207cd012c81a5636c6f7365939207cd012ccd0fa6a362796581aa756e7265616461626c65929207cd012c04";
const HTTP: &str = "011094c4f9ab6ed663ad86843d58c7d21c97010702080300929381a361736b930192ff0596a7706c617965727381a6686f6c64657299a26961a166a26b31cf0000019e830e1a00c0c2c381a2563494ccc0000201c3a3505554b32f6170692f76312f626c6f636b65642f62656ec0c40081a361736b9302c096a661646d696e73a86f70657261746f72a4504f5354af2f61646d696e2f76312f7061757365ce00011170c4027b7d81a361736b9303c096a56e6f646573a46e6f6465a4504f5354a52f6e616d65c0c4027b7d9381a57265706c79920181a4646f6e6593cccc9192ad63616368652d636f6e74726f6ca86e6f2d73746f7265c40081a57265706c799202a86e6f745f6d696e6581a57265706c799203a462757379";

fn sealer() -> Sealer {
    Sealer::new("test", [&b"secret"[..]])
}

fn head(
    from: i32,
    incarnation: i64,
    to: i32,
    to_incarnation: Option<i64>,
    number: u64,
    resets: u64,
) -> Head {
    Head {
        from: NodeId(from),
        incarnation: Incarnation(incarnation),
        to: NodeId(to),
        to_incarnation: to_incarnation.map(Incarnation),
        number,
        resets,
    }
}

const CHANNEL: Channel = Channel {
    connection: 7,
    generation: 300,
};

fn beat() -> Batch {
    Batch {
        head: head(1, -5, 2, None, 1, 0),
        messages: Messages::default(),
    }
}

fn client() -> Client {
    Client {
        identity: "ia".to_owned(),
        family: "f".to_owned(),
        kid: Some("k1".to_owned()),
        expires_at: Some(1_780_315_200_000),
        name: None,
        is_named_by_site: false,
        has_no_chat: true,
        address: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
        is_json: true,
    }
}

/// Requests over HTTP, and answers.
fn http() -> Batch {
    let ask =
        |number, ownership, request: (Api, Caller, &str, &str), entry, body: &'static [u8]| {
            let (api, caller, method, target) = request;
            let request = HttpRequest {
                api,
                caller,
                method: method.to_owned(),
                target: target.to_owned(),
                entry,
                body: Payload(Bytes::from_static(body)),
            };
            ToOwner::Ask(Box::new(Ask {
                number,
                ownership,
                request,
            }))
        };
    let lobby = Ownership {
        part: Part::LOBBY,
        term: Term(5),
    };
    let block = (
        Api::Players,
        Caller::Holder(client()),
        "PUT",
        "/api/v1/blocked/ben",
    );
    let pause = (Api::Admins, Caller::Operator, "POST", "/admin/v1/pause");
    let name = (Api::Nodes, Caller::Node, "POST", "/name");
    let answer = HttpAnswer {
        status: 204,
        headers: vec![("cache-control".to_owned(), "no-store".to_owned())],
        body: Payload::default(),
    };
    let replies = [Replied::Done(answer), Replied::NotMine, Replied::Busy];
    let replies = (1..)
        .zip(replies)
        .map(|(number, result)| ToGateway::Reply(Box::new(Reply { number, result })));
    let messages = Messages {
        to_owner: vec![
            ask(1, Some(lobby), block, None, b""),
            ask(2, None, pause, Some(70_000), b"{}"),
            ask(3, None, name, None, b"{}"),
        ],
        to_gateway: replies.collect(),
    };
    Batch {
        head: head(1, 7, 2, Some(8), 3, 0),
        messages,
    }
}

fn to_owner() -> Batch {
    let request = Request {
        channel: CHANNEL,
        relay_id: 1,
        ownership: Ownership {
            part: Part::LOBBY,
            term: Term(5),
        },
        age_ms: 20,
        lag_ms: 15,
        is_attached: true,
        message: Payload(Bytes::from_static(&[0x93, 1])),
    };
    let messages = Messages {
        to_owner: vec![
            ToOwner::Open(CHANNEL, client()),
            ToOwner::Present(CHANNEL),
            ToOwner::Request(request),
            ToOwner::Close(CHANNEL, End::Closed),
        ],
        to_gateway: Vec::new(),
    };
    Batch {
        head: head(1, 7, 2, Some(8), 2, 0),
        messages,
    }
}

fn to_gateway() -> Batch {
    let game = || GameId("g1".to_owned());
    let attached = Attached {
        epoch: 9,
        with_snapshot: true,
        is_spectator: false,
        is_delayed: true,
    };
    let summary = [
        FrameSummary::Answer(1, Outcome::Done),
        FrameSummary::Answer(2, Outcome::Attached(attached)),
        FrameSummary::Answer(3, Outcome::Refused("busy".to_owned())),
        FrameSummary::Event(game(), 4),
        FrameSummary::Snapshot(game(), 9, 4),
        FrameSummary::Paused(game()),
        FrameSummary::Unpaused(game()),
        FrameSummary::Detached(game()),
        FrameSummary::OfStream(game()),
        FrameSummary::Other,
    ];
    let frames = summary.map(|summary| Frame {
        summary,
        message: Payload(Bytes::from_static(b"f")),
    });
    let messages = Messages {
        to_owner: Vec::new(),
        to_gateway: vec![
            ToGateway::Frames(CHANNEL, frames.into()),
            ToGateway::NotMine(CHANNEL, 3),
            ToGateway::Gone(CHANNEL),
            ToGateway::Close(CHANNEL, 4006, "bye".to_owned()),
            ToGateway::Unreadable(CHANNEL, 4),
        ],
    };
    Batch {
        head: head(2, 8, 1, Some(7), 70_000, 1),
        messages,
    }
}

#[test]
fn batches_have_the_golden_bytes() {
    for (batch, golden) in [
        (beat(), BEAT),
        (to_owner(), TO_OWNER),
        (to_gateway(), TO_GATEWAY),
        (http(), HTTP),
    ] {
        let bytes = batch.encode(&sealer());
        assert_eq!(HEXLOWER.encode(&bytes), golden);
        assert_eq!(Batch::decode(&sealer(), &bytes).unwrap(), batch);
    }
}

#[test]
fn a_changed_batch_is_refused() {
    let sound = to_gateway().encode(&sealer());
    for (at, bit) in (0..sound.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut changed = sound.to_vec();
        changed[at] ^= 1 << bit;
        let refused = Batch::decode(&sealer(), &changed).unwrap_err();
        match at {
            0 => assert!(matches!(refused, BatchError::Form(_))),
            _ => assert!(matches!(refused, BatchError::Seal), "byte {at}: {refused}"),
        }
    }
    for length in 0..sound.len() {
        assert!(Batch::decode(&sealer(), &sound[..length]).is_err());
    }
    let huge = vec![FORM; BATCH_MAX_BYTES + 1];
    let refused = Batch::decode(&sealer(), &huge).unwrap_err();
    assert!(matches!(refused, BatchError::Size(_)));
}

#[test]
fn only_the_servers_of_a_cluster_can_seal() {
    let batch = beat();
    let check = |sealer: &Sealer, is_accepted: bool| {
        let bytes = batch.encode(sealer);
        let decoded = Batch::decode(&Sealer::new("test", [&b"new"[..], b"secret"]), &bytes);
        assert_eq!(decoded.is_ok(), is_accepted, "{sealer:?}");
    };
    check(&Sealer::new("test", [&b"secret"[..]]), true);
    check(&Sealer::new("test", [&b"new"[..], b"old"]), true);
    check(&Sealer::new("test", [&b"other"[..], b"secret"]), false);
    check(&Sealer::new("another", [&b"secret"[..]]), false);
    check(&Sealer::new("test", []), false);
}

/// The decoder refuses sealed bytes that are not a batch.
#[test]
fn a_sealed_batch_is_checked() {
    let sealed = |content: &[u8]| {
        let mut bytes = vec![FORM];
        bytes.extend_from_slice(&sealer().seal(content));
        bytes.extend_from_slice(content);
        Batch::decode(&sealer(), &bytes)
    };
    let huge = [0xdd, 0xff, 0xff, 0xff, 0xff]; // an array of 2^32 - 1 elements
    for content in [&b""[..], &[0xc0], &[0x97, 1, 2, 3], &huge] {
        let refused = sealed(content).unwrap_err();
        assert!(matches!(refused, BatchError::Content(_)), "{refused}");
    }
    // A part that does not exist.
    let content = HEXLOWER.decode(TO_OWNER.as_bytes()).unwrap();
    let content = &content[HEAD_BYTES..];
    let part = [0x92, 0xff, 0x05];
    let at = content
        .windows(3)
        .position(|three| three == part)
        .expect("the part is there");
    let mut wrong = content.to_vec();
    wrong[at + 1] = 0xfe;
    assert!(matches!(sealed(&wrong), Err(BatchError::Content(_))));
}
