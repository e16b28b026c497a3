//! The catalogues agree with themselves, and the examples with the catalogues.

use std::collections::BTreeSet;

use tilewire_protocol::*;

use crate::examples::{self, Message};

#[test]
fn every_op_and_every_kind_has_an_example() {
    let mut clients = BTreeSet::new();
    let mut servers = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for example in examples::all() {
        match &example.message {
            Message::Client(message) => {
                clients.insert(message.op().to_owned());
            }
            Message::Server(message) => {
                servers.insert(message.op().to_owned());
                if let ServerMessage::Event(event) = message {
                    kinds.insert(event.body.kind().to_owned());
                }
            }
        }
    }
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|&name| name.to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(clients, set(ClientMessage::OPS));
    assert_eq!(servers, set(ServerMessage::OPS));
    assert_eq!(kinds, set(EventBody::KINDS));
}

#[test]
fn error_codes_are_distinct_and_come_back_from_their_text() {
    let texts: BTreeSet<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), ErrorCode::ALL.len());
    for &code in ErrorCode::ALL {
        assert_eq!(ErrorCode::from_wire(code.as_str()), code);
        assert!(code.meaning().ends_with('.'));
    }
    assert_eq!(
        ErrorCode::from_wire("of_a_later_version"),
        ErrorCode::Unknown
    );
    assert!(!ErrorCode::Unknown.retryable());
}

#[test]
fn close_codes_are_distinct_and_come_back_from_their_number() {
    let numbers: BTreeSet<_> = CloseCode::ALL.iter().map(|code| code.as_u16()).collect();
    assert_eq!(numbers.len(), CloseCode::ALL.len());
    for &code in CloseCode::ALL {
        assert_eq!(CloseCode::from_u16(code.as_u16()), Some(code));
    }
    assert_eq!(Reconnect::after(None), Reconnect::Now);
    assert_eq!(Reconnect::after(Some(4002)), Reconnect::No);
    assert_eq!(Reconnect::after(Some(1013)), Reconnect::Later);
}

#[test]
fn enumerations_come_back_from_their_text_and_survive_others() {
    for &reason in EndReason::ALL {
        assert_eq!(EndReason::from_wire(reason.as_str()), reason);
    }
    assert_eq!(EndReason::from_wire("meteor"), EndReason::Unknown);
    assert_eq!(Phase::from_wire("unknown"), Phase::Unknown);
}

#[test]
fn subprotocols_name_their_codec() {
    for codec in Codec::ALL {
        assert_eq!(Codec::from_subprotocol(codec.subprotocol()), Some(codec));
    }
    assert_eq!(Codec::from_subprotocol("tilewire.v2.json"), None);
}

#[test]
fn fingerprints_tell_commands_apart_and_never_change() {
    let command = |seq| {
        ClientMessage::Challenge(PlayCommand {
            game: "g".into(),
            cmd_id: "c".into(),
            play_id: seq,
        })
    };
    assert_eq!(command(1).fingerprint(), command(1).fingerprint());
    assert_ne!(command(1).fingerprint(), command(2).fingerprint());
    let hold = ClientMessage::Hold(PlayCommand {
        game: "g".into(),
        cmd_id: "c".into(),
        play_id: 1,
    });
    assert_ne!(command(1).fingerprint(), hold.fingerprint());
    // Stored beside command ids by servers: this number is as fixed as the golden bytes.
    assert_eq!(command(1).fingerprint(), FINGERPRINT);
}

const FINGERPRINT: u64 = 16_912_546_630_748_876_153;

#[test]
fn secrets_do_not_show_in_debug_output() {
    let auth = Auth {
        token: Some(Token("sesame".to_owned())),
        name: None,
        client: String::new(),
    };
    assert!(!format!("{auth:?}").contains("sesame"));
    assert!(!format!("{:?}", Bytes(vec![0xab; 4])).contains("ab"));
}
