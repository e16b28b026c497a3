//! The sizes of common messages: the table in `docs/PROTOCOL.md`, and a bound for the most frequent ones.

use std::fmt::Write;

use tilewire_protocol::{
    Accepted, Clocks, Codec, Event, EventBody, GameCommand, OkBody, OpenWindow, Pass, Play,
    PlayCommand, PlayMade, RunningClock, ScoredWord, ServerMessage, TilesDrawn, TurnStarted,
    WindowClosed, WindowReason,
};
use tilewire_protocol::{ClientMessage, encode_client, encode_server};

use crate::examples::{self, Example, Message};

const GAME: &str = "g4k7m2q9x3t5v";
const CMD_ID: &str = "k3Zp-Q_9aa-12";

/// Typical messages of a two-player game; the golden examples have every field and are larger.
fn usual() -> Vec<(&'static str, Example)> {
    let event = |body| {
        Message::Server(ServerMessage::Event(Event {
            game: GAME.into(),
            seq: 140,
            at: 1_780_315_201_234,
            body,
        }))
    };
    let ok = ServerMessage::Ok(Box::new(OkBody::accepted(GAME.into(), 140)));
    let drawn = |tiles| {
        EventBody::TilesDrawn(TilesDrawn {
            seat: 0,
            count: 3,
            tiles,
            bag: 52,
        })
    };
    let own = Some(vec!["E".to_owned(), "?".to_owned(), "R".to_owned()]);
    let closed = EventBody::WindowClosed(WindowClosed {
        play_id: 140,
        reason: WindowReason::Accepted,
    });
    let accepted = EventBody::Accepted(Accepted {
        play_id: 140,
        seat: 1,
    });
    let messages = [
        ("`ok` of a command", Message::Server(ok)),
        ("`play_made`, three words", event(play_made(None))),
        (
            "`play_made`, three words, with a window",
            event(play_made(Some(window()))),
        ),
        (
            "`play_made`, seven tiles, three words, bonus and window",
            event(EventBody::PlayMade(bingo())),
        ),
        ("`turn_started`", event(turn_started())),
        ("`accepted`", event(accepted)),
        ("`window_closed`", event(closed)),
        ("`tiles_drawn`, to others", event(drawn(None))),
        ("`tiles_drawn`, to the own seat", event(drawn(own))),
    ];
    let commands = commands().map(|(title, message)| (title, Message::Client(message)));
    commands
        .into_iter()
        .chain(messages)
        .map(|(title, message)| {
            let (name, id) = ("", 24);
            (title, Example { name, id, message })
        })
        .collect()
}

fn commands() -> [(&'static str, ClientMessage); 4] {
    let play = ClientMessage::Play(Play {
        game: GAME.into(),
        cmd_id: CMD_ID.into(),
        turn_no: 17,
        start: "8F".to_owned(),
        tiles: tiles(),
    });
    let pass = ClientMessage::Pass(Pass {
        game: GAME.into(),
        cmd_id: CMD_ID.into(),
        turn_no: 17,
    });
    let accept = ClientMessage::Accept(PlayCommand {
        game: GAME.into(),
        cmd_id: CMD_ID.into(),
        play_id: 140,
    });
    let resign = ClientMessage::Resign(GameCommand {
        game: GAME.into(),
        cmd_id: CMD_ID.into(),
    });
    [
        ("`play` of four squares", play),
        ("`pass`", pass),
        ("`accept`", accept),
        ("`resign`", resign),
    ]
}

fn tiles() -> Vec<String> {
    ["F", "A", ".", "m"].map(str::to_owned).into()
}

fn window() -> OpenWindow {
    OpenWindow {
        closes_at: Some(1_780_315_221_234),
        eligible: None,
        is_final: false,
    }
}

fn word(word: &str, score: i32) -> ScoredWord {
    ScoredWord {
        word: word.to_owned(),
        score,
    }
}

/// All seven tiles through a tile on the board, over two triple squares, late in a high-scoring game.
fn bingo() -> PlayMade {
    let EventBody::PlayMade(play) = play_made(Some(window())) else {
        panic!("a play is one");
    };
    PlayMade {
        tiles: ["Q", "U", "I", ".", "x", "O", "T", "E"]
            .map(str::to_owned)
            .into(),
        words: vec![word("QUIxOTES", 239), word("OX", 9), word("TAE", 5)],
        bonus: Some(50),
        score: 303,
        total: 612,
        owed: 7,
        ..play
    }
}

fn play_made(window: Option<OpenWindow>) -> EventBody {
    EventBody::PlayMade(PlayMade {
        turn_no: 17,
        seat: 0,
        start: "8F".to_owned(),
        tiles: tiles(),
        words: vec![word("FARm", 22), word("FOX", 26), word("AH", 5)],
        bonus: None,
        score: 53,
        total: 240,
        owed: 3,
        window,
        clocks: None,
    })
}

fn turn_started() -> EventBody {
    EventBody::TurnStarted(TurnStarted {
        turn_no: 18,
        seat: 1,
        clocks: Clocks {
            main_ms: vec![1_143_125, 987_654],
            allowance_ms: vec![0, 0],
            running: Some(RunningClock {
                seat: 1,
                since: 1_780_315_201_234,
            }),
        },
    })
}

/// Snapshots and lists, with the sizes of the golden examples.
const LARGE: &[(&str, &str)] = &[
    ("`hello`, one lexicon and one rule set", "server_hello"),
    (
        "`snapshot` of a small board after four turns",
        "server_snapshot_player",
    ),
];

pub(crate) fn table() -> String {
    let mut table = "| message | MessagePack | JSON |\n|---|---|---|\n".to_owned();
    let all = examples::all();
    let large = LARGE.iter().map(|(title, name)| {
        let example = all.iter().find(|example| example.name == *name).unwrap();
        (*title, example.clone())
    });
    for (title, example) in usual().into_iter().chain(large) {
        let [packed, text] = Codec::ALL.map(|codec| example.encode(codec).len());
        writeln!(table, "| {title} | {packed} | {text} |").unwrap();
    }
    table
}

#[test]
fn a_play_of_three_words_is_small() {
    for body in [
        play_made(None),
        play_made(Some(window())),
        EventBody::PlayMade(bingo()),
    ] {
        let event = Event {
            game: GAME.into(),
            seq: 140,
            at: 1_780_315_201_234,
            body,
        };
        let size = encode_server(Codec::MsgPack, 0, &ServerMessage::Event(event)).len();
        assert!(size < 200, "{size}");
    }
}

#[test]
fn a_command_is_small() {
    let (_, play) = &usual()[0];
    let Message::Client(play) = &play.message else {
        panic!("a play is sent by a client");
    };
    assert!(encode_client(Codec::MsgPack, 24, play).len() < 100);
}
