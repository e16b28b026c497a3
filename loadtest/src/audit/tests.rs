//! The judge finds each single change of a correct log.

mod whole;

use std::time::Duration;

use bytes::Bytes;
use tilewire_protocol::{
    Bingo, BoardInfo, ChallengeKind, ClientMessage, Clock, ClockKind, Clocks, CmdId, Codec,
    Created, Event, EventBody, GameId, GameSetup, IdentityId, LexiconRef, Pass, Person, PlayMade,
    RackCount, RetireReason, RuleSetInfo, RunningClock, ScoredWord, SeatRetired, ServerMessage,
    TileInfo, TilesDrawn, TurnStarted, TurnUsed, encode_server,
};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::ruleset::RuleSet;

use super::Verdict;
use super::docket::Docket;
use crate::host;
use crate::shared::options;
use crate::transcript::{Accepted, Decoded, Transcript, Viewer};

/// Returns the verdict on all transcripts at once.
fn judge(transcripts: Vec<Transcript>, faults: Vec<String>, lexicon: &FstLexicon) -> Verdict {
    let mut docket = Docket::default();
    docket.take(transcripts, faults, host::now());
    docket.finish(lexicon, host::now())
}

/// A change of the events of one viewer.
type Change = fn(&mut Vec<Event>);

fn game() -> GameId {
    GameId("g1".to_owned())
}

fn setup() -> GameSetup {
    let rules = RuleSet::classic();
    let tiles = rules.tiles.kinds().map(|tile| TileInfo {
        face: rules.tiles.tile_face(tile).to_owned(),
        count: rules.tiles.count(tile),
        value: rules.tiles.value(tile),
    });
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(60_000);
    let person = |id: &str| Person {
        identity: IdentityId(id.to_owned()),
        name: id.to_owned(),
        level: None,
        bot: false,
        kind: None,
        rating: None,
    };
    GameSetup {
        game: game(),
        options: options(clock, ChallengeKind::Void),
        rule_set: RuleSetInfo {
            id: rules.id.clone(),
            name: rules.id.clone(),
            language: None,
            language_tag: None,
            rack_size: rules.rack_size,
            bingo: vec![Bingo {
                tiles: 7,
                bonus: 50,
            }],
            exchange_min_bag: 7,
            opening_min_tiles: 2,
            rack_count: RackCount::Always,
            board: BoardInfo {
                rows: 15,
                cols: 15,
                start: "H8".to_owned(),
                layout: rules.layout.drawing(),
                drawn: false,
            },
            tiles: tiles.collect(),
        },
        seats: vec![person("a"), person("b")],
        targets: None,
        lexicon: LexiconRef {
            name: "wordnik".to_owned(),
            hash: FstLexicon::builtin().hash().as_slice().into(),
        },
        commitment: [0; 32].into(),
        nonce_hashes: Vec::new(),
        created_at: 0,
        ready_by: None,
        private: false,
        series: None,
    }
}

fn faces(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

fn drawn(seat: u8, tiles: &str, bag: u32) -> EventBody {
    EventBody::TilesDrawn(TilesDrawn {
        seat,
        count: u32::try_from(tiles.len()).expect("a rack"),
        tiles: Some(faces(tiles)),
        bag,
    })
}

fn turn(turn_no: u32, seat: u8, main_ms: [i64; 2], since: i64) -> EventBody {
    EventBody::TurnStarted(TurnStarted {
        turn_no,
        seat,
        clocks: Clocks {
            main_ms: main_ms.to_vec(),
            allowance_ms: vec![0, 0],
            running: Some(RunningClock { seat, since }),
        },
    })
}

/// HORN at 8F is worth 14 with the double word of the centre; then seat 1 passes.
fn log() -> Vec<Event> {
    let play = PlayMade {
        turn_no: 1,
        seat: 0,
        start: "8F".to_owned(),
        tiles: faces("HORN"),
        words: vec![ScoredWord {
            word: "HORN".to_owned(),
            score: 14,
        }],
        bonus: None,
        score: 14,
        total: 14,
        owed: 4,
        window: None,
        clocks: None,
    };
    let bodies = [
        (
            0,
            EventBody::Created(Created {
                setup: Box::new(setup()),
            }),
        ),
        (0, drawn(0, "HORNAEI", 93)),
        (0, drawn(1, "QZXJKVW", 86)),
        (1_000, turn(1, 0, [60_000, 60_000], 1_000)),
        (4_000, EventBody::PlayMade(play)),
        (4_000, drawn(0, "SSTE", 82)),
        (4_000, turn(2, 1, [57_000, 60_000], 4_000)),
        (
            5_000,
            EventBody::Passed(TurnUsed {
                turn_no: 2,
                seat: 1,
            }),
        ),
        (5_000, turn(3, 0, [57_000, 59_000], 5_000)),
    ];
    let numbered = (1..).zip(bodies);
    numbered
        .map(|(seq, (at, body))| Event {
            game: game(),
            seq,
            at,
            body,
        })
        .collect()
}

/// The flag of seat 0 is due 57 s after its turn began, and falls `late` ms later.
fn with_flag(events: &mut Vec<Event>, late: i64) {
    events.push(Event {
        game: game(),
        seq: 10,
        at: 62_000 + late,
        body: EventBody::SeatRetired(SeatRetired {
            seat: 0,
            reason: RetireReason::Flagged,
        }),
    });
}

/// Returns the transcript of a viewer, who sees only its own tiles.
fn transcript(viewer: Viewer, mut events: Vec<Event>, change: Change) -> Transcript {
    for event in &mut events {
        if let EventBody::TilesDrawn(drawn) = &mut event.body
            && viewer.seat() != Some(drawn.seat)
        {
            drawn.tiles = None;
        }
    }
    change(&mut events);
    let mut transcript = Transcript::new(game(), viewer);
    for event in events {
        let frame = encode_server(Codec::MsgPack, 0, &ServerMessage::Event(event));
        let (decoded, _) = Decoded::read(&frame).expect("a message");
        if let Some(fault) = decoded.fault_for(viewer) {
            transcript.fault(fault);
        }
        transcript.event(&decoded, &Bytes::from(frame));
    }
    transcript
}

/// Returns the objections after a change of the log of all viewers and a change of the log of one viewer.
fn objections(in_all: Change, viewer: usize, alone: Change) -> Vec<String> {
    let mut events = log();
    in_all(&mut events);
    let viewers = [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator(7)];
    let transcripts = viewers.into_iter().enumerate();
    let transcripts = transcripts.map(|(at, of)| {
        let change = if at == viewer {
            alone
        } else {
            |_: &mut Vec<Event>| {}
        };
        transcript(of, events.clone(), change)
    });
    judge(transcripts.collect(), Vec::new(), &FstLexicon::builtin()).objections
}

#[test]
fn a_sound_record_is_sound() {
    assert_eq!(objections(|_| {}, 0, |_| {}), Vec::<String>::new());
    assert_eq!(
        objections(|events| with_flag(events, 0), 0, |_| {}),
        Vec::<String>::new()
    );
}

#[test]
fn differences_between_clients_are_found() {
    let changes: [(&str, usize, Change); 6] = [
        ("a gap", 0, |events| drop(events.remove(6))),
        ("a gap for a spectator", 2, |events| drop(events.remove(3))),
        ("twice", 2, |events| events.insert(4, events[3].clone())),
        ("another event", 2, |events| events[7].at += 1),
        ("another event for a player", 1, |events| events[7].at += 1),
        ("tiles of another", 2, |events| {
            if let EventBody::TilesDrawn(drawn) = &mut events[1].body {
                drawn.tiles = Some(faces("HORNAEI"));
            }
        }),
    ];
    for (what, viewer, change) in changes {
        assert!(!objections(|_| {}, viewer, change).is_empty(), "{what}");
    }
}

#[test]
fn broken_rules_are_found_though_all_clients_agree() {
    let changes: [(&str, Change); 9] = [
        ("a late flag", |events| with_flag(events, 1)),
        ("points", |events| with_play(events, |play| play.score = 15)),
        ("a total", |events| {
            with_play(events, |play| play.total = 13)
        }),
        ("a word", |events| {
            with_play(events, |play| "HORNS".clone_into(&mut play.words[0].word));
        }),
        ("tiles not held", |events| {
            with_play(events, |play| play.tiles = faces("HORS"));
        }),
        ("a bag", |events| {
            if let EventBody::TilesDrawn(drawn) = &mut events[5].body {
                drawn.bag = 81;
            }
        }),
        ("too many of a tile", |events| {
            if let EventBody::TilesDrawn(drawn) = &mut events[5].body {
                drawn.tiles = Some(faces("QQQQ"));
            }
        }),
        ("a clock", |events| {
            events[6].body = turn(2, 1, [58_000, 60_000], 4_000)
        }),
        ("a turn", |events| {
            events[8].body = turn(4, 0, [57_000, 59_000], 5_000)
        }),
    ];
    for (what, change) in changes {
        assert!(!objections(change, 0, |_| {}).is_empty(), "{what}");
    }
}

fn with_play(events: &mut [Event], change: fn(&mut PlayMade)) {
    if let EventBody::PlayMade(play) = &mut events[4].body {
        change(play);
    }
}

/// A game is judged when the transcripts of all players are there. Those of spectators may come later, but must agree.
#[test]
fn games_are_judged_as_they_finish() {
    let lexicon = FstLexicon::builtin();
    let mut docket = Docket::default();
    let decoded = |viewer, change: Change| vec![transcript(viewer, log(), change)];
    docket.take(decoded(Viewer::Seat(0), |_| {}), Vec::new(), host::now());
    docket.judge(&lexicon, host::now());
    assert_eq!(docket.held(), (1, 0));
    docket.take(decoded(Viewer::Seat(1), |_| {}), Vec::new(), host::now());
    docket.judge(&lexicon, host::now());
    assert_eq!(docket.held(), (0, 1));
    docket.take(
        decoded(Viewer::Spectator(1), |_| {}),
        Vec::new(),
        host::now(),
    );
    let other: Change = |events| events[7].at += 1;
    docket.take(
        decoded(Viewer::Spectator(2), other),
        Vec::new(),
        host::now(),
    );
    let verdict = docket.finish(&lexicon, host::now());
    assert_eq!((verdict.games, verdict.violations), (1, 1));
    assert_eq!(verdict.events, 4 * 9);
}

/// Returns the transcript of seat 1 with an acknowledged pass.
fn who_passed(turn_no: u32, seq: u64) -> Transcript {
    let mut transcript = transcript(Viewer::Seat(1), log(), |_| {});
    let command = ClientMessage::Pass(Pass {
        game: game(),
        cmd_id: CmdId("c".to_owned()),
        turn_no,
    });
    transcript.accepted.push(Accepted { command, seq });
    transcript
}

/// A game does not wait for a player for ever. The judge looks up the acknowledged commands of late transcripts, too.
#[test]
fn late_clients_are_judged_too() {
    let lexicon = FstLexicon::builtin();
    let late = |turn_no| {
        let mut docket = Docket::default();
        let first = transcript(Viewer::Seat(0), log(), |_| {});
        docket.take(vec![first], Vec::new(), host::now());
        let later = host::now() + Duration::from_secs(130);
        docket.judge(&lexicon, later);
        assert_eq!(docket.held(), (0, 1));
        docket.take(vec![who_passed(turn_no, 8)], Vec::new(), later);
        docket.finish(&lexicon, later)
    };
    assert_eq!((late(2).acked, late(2).lost), (1, 0));
    assert_eq!(late(4).lost, 1);
}

#[test]
fn acknowledged_commands_must_take_effect() {
    let acknowledged = |turn_no, seq| {
        let own = [who_passed(turn_no, seq)];
        judge(own.into(), Vec::new(), &FstLexicon::builtin())
    };
    assert_eq!((acknowledged(2, 8).acked, acknowledged(2, 8).lost), (1, 0));
    assert_eq!(acknowledged(4, 8).lost, 1);
    assert_eq!(acknowledged(2, 9).lost, 1);
    assert_eq!(acknowledged(2, 99).lost, 1);
}
