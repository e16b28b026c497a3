//! The messages that begin a connection.

use tilewire_protocol::*;

use super::parts::*;

pub(super) fn hello() -> ServerMessage {
    ServerMessage::Hello(Hello {
        protocol: PROTOCOL_VERSION,
        server: "tilewire-server/0.1.0".to_owned(),
        server_time: NOON,
        heartbeat_ms: 10_000,
        auth_within_ms: 10_000,
        limits: HelloLimits {
            client_frame_bytes: 16_384,
            requests_in_flight: 32,
            attached_games: 64,
            messages_per_second: 20,
            message_burst: 100,
            open_seeks: 5,
        },
        lexica: vec![LexiconInfo {
            name: "wordnik".to_owned(),
            hash: hash(0x40),
            words: 198_422,
            language: None,
            language_tag: None,
        }],
        rule_sets: vec![RuleSetName {
            id: "classic".to_owned(),
            name: "Classic".to_owned(),
            summary: None,
            languages: None,
        }],
        bots: Vec::new(),
        chat: Vec::new(),
    })
}

pub(super) fn hello_in_languages() -> ServerMessage {
    let ServerMessage::Hello(mut hello) = hello() else {
        unreachable!("hello() says hello");
    };
    hello.lexica[0].language = Some("english".to_owned());
    hello.rule_sets[0].summary = Some("The game of the box.".to_owned());
    hello.rule_sets[0].languages = Some(strings(&["english", "swedish"]));
    hello.bots = strings(&["beginner", "club", "expert"]);
    ServerMessage::Hello(hello)
}

pub(super) fn hello_with_tags() -> ServerMessage {
    let ServerMessage::Hello(mut hello) = hello_in_languages() else {
        unreachable!("hello_in_languages() says hello");
    };
    hello.lexica[0].language_tag = Some("en".to_owned());
    ServerMessage::Hello(hello)
}

pub(super) fn hello_with_chat() -> ServerMessage {
    let ServerMessage::Hello(mut hello) = hello() else {
        unreachable!("hello() says hello");
    };
    hello.chat = vec![ChatKind::Players, ChatKind::Spectators, ChatKind::Direct];
    ServerMessage::Hello(hello)
}

pub(super) fn welcome() -> ServerMessage {
    ServerMessage::Welcome(Welcome {
        identity: ann().identity,
        name: "Ann".to_owned(),
        token: Token("eyJhbGciOiJIUzI1NiJ9.e30.c2ln".to_owned()),
        expires_at: None,
        server_time: NOON,
        registered: false,
        chat_off: false,
        games: vec![summary()],
    })
}

pub(super) fn welcome_expiring() -> ServerMessage {
    let ServerMessage::Welcome(mut welcome) = welcome() else {
        unreachable!("welcome() welcomes");
    };
    welcome.expires_at = Some(NOON + 31_536_000_000);
    ServerMessage::Welcome(welcome)
}

pub(super) fn welcome_registered() -> ServerMessage {
    let ServerMessage::Welcome(mut welcome) = welcome() else {
        unreachable!("welcome() welcomes");
    };
    welcome.registered = true;
    ServerMessage::Welcome(welcome)
}
