//! The application against a server that is played by hand.

mod chat;
mod complaints;
mod connection;
mod game;
mod invitations;
mod lobby;
mod rematch;
mod similar;

use serde_json::Value;
use tilewire_protocol::*;

use super::*;
use crate::text::Invocation;
use tilewire_client::fixtures::{Story, T0, options};

fn app(goal: Goal) -> App {
    App::new(AppConfig {
        goal,
        token: Some(Token("secret".to_owned())),
        name: Some("Anna".to_owned()),
        identity_hint: "use another --profile".to_owned(),
        invocation: Invocation {
            program: "tilewire".to_owned(),
            server: None,
            profile: Some("two".to_owned()),
            data_dir: None,
        },
        accept: Accept::Ask,
        on_refusal: OnRefusal::Report,
        follow: Follow::FromStart,
        at_end: AtEnd::Leave,
        level: None,
        change_offer: |offer, flags| {
            let mut offer = offer.clone();
            offer.rule_set = flags.first().cloned().or(offer.rule_set);
            Ok(offer)
        },
        give_up_ms: 60_000,
        seed: [7; 32],
    })
}

fn hello() -> ServerMessage {
    ServerMessage::Hello(Hello {
        protocol: 1,
        server: "tilewire 0".to_owned(),
        server_time: T0,
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
            hash: Bytes::from([0; 32]),
            words: 1,
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

fn welcome() -> ServerMessage {
    ServerMessage::Welcome(Welcome {
        identity: "anna".into(),
        name: "Anna".to_owned(),
        token: Token("new".to_owned()),
        expires_at: None,
        server_time: T0,
        registered: false,
        chat_off: false,
        games: Vec::new(),
    })
}

/// The effects of the application: the requests it sent, and its reports.
#[derive(Debug, Default)]
struct Did {
    sent: Vec<(u64, ClientMessage)>,
    reports: Vec<Value>,
    connected: bool,
    kept: Option<Token>,
    reads_token: bool,
    exit: Option<u8>,
    complaints: Vec<ReportOrder>,
}

impl Did {
    fn of(effects: Vec<Effect>) -> Self {
        let mut did = Self::default();
        for effect in effects {
            match effect {
                Effect::Connect => did.connected = true,
                Effect::Send(id, message) => did.sent.push((id, *message)),
                Effect::KeepToken(token) => did.kept = Some(token),
                Effect::ReadToken => did.reads_token = true,
                Effect::Report(report) => did.reports.push(serde_json::to_value(&report).unwrap()),
                Effect::SendReport(order) => did.complaints.push(*order),
                Effect::Exit(status) => did.exit = Some(status),
            }
        }
        did
    }

    fn only(&self) -> (u64, &ClientMessage) {
        assert_eq!(self.sent.len(), 1, "{self:?}");
        (self.sent[0].0, &self.sent[0].1)
    }
}

impl App {
    fn does(&mut self, input: Input) -> Did {
        Did::of(self.handle(0, input))
    }

    fn hears(&mut self, id: u64, message: ServerMessage) -> Did {
        self.does(Input::Received(id, Box::new(message)))
    }

    fn types(&mut self, line: &str) -> Did {
        self.does(Input::Line(line.to_owned()))
    }

    fn loses(&mut self, close_code: Option<u16>, reason: &str) -> Did {
        self.does(Input::Lost(Loss {
            close_code,
            reason: reason.to_owned(),
            is_final: false,
        }))
    }

    /// Opens a connection up to the answer to `auth`.
    fn comes_in(&mut self) -> Did {
        self.does(Input::Opened);
        let did = self.hears(0, hello());
        let (id, message) = did.only();
        assert!(matches!(message, ClientMessage::Auth(_)));
        self.hears(id, welcome())
    }

    /// Attaches to the game of a story and hears all of it.
    fn attaches(&mut self, id: u64, story: &Story, seat: Option<u8>) {
        let head = story.events.len() as u64;
        let role = if seat.is_some() {
            Role::Player
        } else {
            Role::Spectator
        };
        self.hears(id, attached(role, seat, head));
        for event in &story.events {
            self.hears(0, ServerMessage::Event(event.clone()));
        }
    }
}

fn attached(role: Role, seat: Option<u8>, head: u64) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        game: Some("game1".into()),
        epoch: Some(1),
        role: Some(role),
        seat,
        outcome: Some(AttachOutcome::Events),
        head: Some(head),
        ..OkBody::default()
    }))
}

fn in_game(story: &Story, seat: Option<u8>) -> App {
    let mut app = app(Goal::Resume(Some("game1".into())));
    app.does(Input::Started);
    let did = app.comes_in();
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::Attach(attach) if attach.seq == Some(0)));
    app.attaches(id, story, seat);
    app
}

/// Players who name no lexicon get the same game after the operator adds a second lexicon.
#[test]
fn the_usual_lexicon_comes_first() {
    let ServerMessage::Hello(mut hello) = hello() else {
        unreachable!("the server introduces itself");
    };
    let lexicon = |name: &str, language: &str, tag: &str, byte: u8| LexiconInfo {
        name: name.to_owned(),
        hash: Bytes::from([byte; 32]),
        words: 1,
        language: Some(language.to_owned()),
        language_tag: Some(tag.to_owned()),
    };
    let languages = ["english", "german", "french"].map(str::to_owned);
    hello.rule_sets[0].languages = Some(languages.to_vec());
    hello.lexica = vec![
        lexicon("duden", "german", "de", 1),
        lexicon("english-2", "english", "en", 2),
        lexicon("ods", "french", "fr", 3),
        lexicon("wordnik", "english", "en", 4),
    ];
    let chosen = |offer: &Offer, hello: &Hello| offer.options(hello).lexicon;
    let mut offer = offer();
    assert_eq!(chosen(&offer, &hello), "wordnik");
    offer.language_tag = Some("fr".to_owned());
    assert_eq!(chosen(&offer, &hello), "wordnik", "the server's usual one");
    hello.lexica.pop();
    assert_eq!(chosen(&offer, &hello), "english-2");
    offer.lexicon_hash = Some([1; 32]);
    assert_eq!(chosen(&offer, &hello), "duden", "a bot knows these words");
    offer.lexicon_hash = None;
    hello.lexica.remove(1);
    assert_eq!(chosen(&offer, &hello), "ods", "the player's language");
    offer.language_tag = None;
    assert_eq!(chosen(&offer, &hello), "duden");
}

fn offer() -> Offer {
    let options = options(2);
    Offer {
        rule_set: None,
        seats: 2,
        lexicon: None,
        clock: options.clock,
        challenge: options.challenge,
        ..Offer::default()
    }
}

fn seek(members: &[&str]) -> Seek {
    Seek {
        seek: "seek1".into(),
        owner: "anna".into(),
        options: options(2),
        private: false,
        code: None,
        members: members
            .iter()
            .map(|name| Person {
                identity: (*name).into(),
                name: (*name).to_owned(),
                level: None,
                bot: false,
                kind: None,
                rating: None,
            })
            .collect(),
        created_at: T0,
        criteria: None,
        range: None,
    }
}

fn ok(seq: u64) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody::accepted("game1".into(), seq)))
}
