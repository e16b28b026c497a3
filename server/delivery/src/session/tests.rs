//! The order of things on a connection.

use super::*;
use tilewire_protocol::Empty;

const BOUNDS: SessionBounds = SessionBounds {
    auth_within_ms: Millis(10_000),
    heartbeat_lost_ms: Millis(25_000),
    messages_per_second: 10,
    message_burst: 5,
    patience: 2,
};

fn frame(id: u64, message: ClientMessage) -> Input {
    let request = Request {
        content: message.into(),
        packed: bytes::Bytes::new(),
    };
    Input::Frame(Box::new(Ok((id, request))))
}

fn auth(id: u64) -> Input {
    let auth = Auth {
        token: None,
        name: None,
        client: "test".to_owned(),
    };
    frame(id, ClientMessage::Auth(auth))
}

fn time(id: u64) -> Input {
    frame(id, ClientMessage::Time(Empty {}))
}

fn nonsense() -> Input {
    let codec = tilewire_protocol::Codec::Json;
    let refused = tilewire_protocol::decode_client(codec, b"nonsense").unwrap_err();
    Input::Frame(Box::new(Err(refused)))
}

fn open() -> Session {
    let mut session = Session::new(Timestamp(0), BOUNDS);
    assert!(matches!(
        session.handle(Timestamp(0), auth(1))[..],
        [Effect::Authenticate(1, _)]
    ));
    assert!(session.is_checking());
    assert_eq!(session.handle(Timestamp(0), Input::Authenticated), []);
    session
}

fn closes(effects: &[Effect]) -> Option<CloseCode> {
    match effects.last() {
        Some(Effect::Close(code, _)) => Some(*code),
        _ => None,
    }
}

fn code(effects: &[Effect]) -> Option<ErrorCode> {
    match effects.first() {
        Some(Effect::Refuse(_, body)) => Some(body.code),
        _ => None,
    }
}

#[test]
fn auth_comes_first_and_once() {
    let mut early = Session::new(Timestamp(0), BOUNDS);
    let effects = early.handle(Timestamp(0), time(7));
    assert_eq!(code(&effects), Some(ErrorCode::NotAuthenticated));
    assert_eq!(closes(&effects), Some(CloseCode::BadHandshake));
    assert_eq!(early.handle(Timestamp(0), auth(8)), [], "it is over");

    let mut session = open();
    assert!(matches!(
        session.handle(Timestamp(0), time(2))[..],
        [Effect::Request(2, _)]
    ));
    assert_eq!(
        code(&session.handle(Timestamp(0), auth(3))),
        Some(ErrorCode::AlreadyAuthenticated)
    );
}

#[test]
fn a_first_message_that_cannot_be_read_ends_it() {
    let mut session = Session::new(Timestamp(0), BOUNDS);
    let effects = session.handle(Timestamp(0), nonsense());
    assert_eq!(code(&effects), Some(ErrorCode::BadFrame));
    assert_eq!(closes(&effects), Some(CloseCode::BadHandshake));
}

#[test]
fn a_token_that_is_none_ends_it() {
    let mut session = Session::new(Timestamp(0), BOUNDS);
    session.handle(Timestamp(0), auth(1));
    assert_eq!(
        closes(&session.handle(Timestamp(0), Input::AuthRefused)),
        Some(CloseCode::BadToken)
    );
}

#[test]
fn silence_ends_it() {
    let mut quiet = Session::new(Timestamp(0), BOUNDS);
    assert_eq!(quiet.next_deadline(), Timestamp(10_000));
    assert_eq!(quiet.handle(Timestamp(9_999), Input::Tick), []);
    assert_eq!(
        closes(&quiet.handle(Timestamp(10_000), Input::Tick)),
        Some(CloseCode::AuthTimeout)
    );

    let mut session = open();
    session.handle(Timestamp(5_000), Input::Alive);
    assert_eq!(session.next_deadline(), Timestamp(30_000));
    assert_eq!(session.handle(Timestamp(29_999), Input::Tick), []);
    assert_eq!(
        closes(&session.handle(Timestamp(30_000), Input::Tick)),
        Some(CloseCode::HeartbeatLost)
    );
}

#[test]
fn a_stall_of_the_server_is_no_silence_of_the_client() {
    let mut greeting = Session::new(Timestamp(0), BOUNDS);
    let mut session = open();
    for session in [&mut greeting, &mut session] {
        let stalled = session.handle(Timestamp(60_000), Input::Stalled(Millis(59_000)));
        assert_eq!(stalled, []);
    }
    assert_eq!(greeting.next_deadline(), Timestamp(69_000));
    assert_eq!(session.next_deadline(), Timestamp(84_000));
    assert_eq!(session.handle(Timestamp(83_999), Input::Tick), []);
}

#[test]
fn nonsense_is_answered_until_patience_ends() {
    let mut session = open();
    for at in [1_000, 2_000] {
        let effects = session.handle(Timestamp(at), nonsense());
        assert_eq!(
            (code(&effects), closes(&effects)),
            (Some(ErrorCode::BadFrame), None)
        );
    }
    assert_eq!(
        closes(&session.handle(Timestamp(3_000), nonsense())),
        Some(CloseCode::ProtocolError)
    );
}

#[test]
fn a_flood_is_answered_until_patience_ends() {
    let mut session = open();
    for id in 2..6 {
        assert!(matches!(
            session.handle(Timestamp(0), time(id))[..],
            [Effect::Request(..)]
        ));
    }
    for id in 6..8 {
        let effects = session.handle(Timestamp(0), time(id));
        let Some(Effect::Refuse(refused, body)) = effects.first() else {
            panic!("refused");
        };
        assert_eq!((*refused, body.code), (id, ErrorCode::RateLimited));
        assert_eq!(
            body.detail
                .as_ref()
                .and_then(|detail| detail.retry_after_ms),
            Some(100)
        );
    }
    assert_eq!(
        closes(&session.handle(Timestamp(0), time(8))),
        Some(CloseCode::Flood)
    );
}

#[test]
fn control_frames_that_nobody_asked_for_count_as_messages() {
    let mut session = open();
    // Authentication took one of five.
    for _ in 0..4 {
        assert_eq!(session.handle(Timestamp(0), Input::Control), []);
    }
    // Answers to pings cost nothing.
    for _ in 0..100 {
        assert_eq!(session.handle(Timestamp(0), Input::Alive), []);
    }
    for _ in 0..BOUNDS.patience {
        assert_eq!(session.handle(Timestamp(0), Input::Control), []);
    }
    let effects = session.handle(Timestamp(0), Input::Control);
    assert_eq!(closes(&effects), Some(CloseCode::Flood));
}
