//! Judges a whole game with a failed challenge, an exchange, an outage and an end, and snapshots of the game. The game
//! is correct at first, and then has one change at a time.

use bytes::Bytes;
use tilewire_protocol::{
    BagShuffled, BoardTile, ChallengeDecided, ChallengeKind, ClockCredited, Clocks, Codec, Created,
    EndReason, Event, EventBody, Exchanged, GameResult, OpenWindow, Phase, PlayMade, RetireReason,
    Role, RunningClock, ScoredWord, SeatResult, SeatRetired, ServerMessage, Snapshot, SnapshotSeat,
    TurnKind, TurnRecord, TurnUsed, WindowClosed, WindowReason, encode_server,
};
use tilewire_rules::lexicon::FstLexicon;

use super::super::replay::replay;
use super::{drawn, faces, game, judge, setup, transcript, turn};
use crate::transcript::{Body, Decoded, Transcript, Viewer};

/// The event after which the snapshots were taken.
const SHOWN_AT: u64 = 11;

/// A change of the whole log.
type Change = fn(&mut Vec<EventBody>);
/// A change of the snapshot.
type Shown = fn(&mut Snapshot);

/// Seat 0 plays HORN; seat 1 challenges it, fails and loses its turn. Then come an exchange, a turn with an outage of
/// the server, and a resignation.
fn bodies() -> Vec<(i64, EventBody)> {
    let mut setup = setup();
    setup.options.challenge = Some(tilewire_protocol::Challenge::of(ChallengeKind::Double));
    let play = PlayMade {
        turn_no: 1,
        seat: 0,
        start: "8F".to_owned(),
        tiles: faces("HORN"),
        words: vec![horn()],
        bonus: None,
        score: 14,
        total: 14,
        owed: 4,
        window: Some(OpenWindow {
            closes_at: None,
            eligible: None,
            is_final: false,
        }),
        clocks: None,
    };
    let verdict = ChallengeDecided {
        play_id: 5,
        seat: 1,
        upheld: false,
        withdrawn: false,
        bad_words: Vec::new(),
        points: Vec::new(),
        turn_debt: 1,
        totals: vec![14, 0],
        clocks: None,
    };
    let setup = Box::new(setup);
    vec![
        (0, EventBody::Created(Created { setup })),
        (0, drawn(0, "HORNAEI", 93)),
        (0, drawn(1, "QZXJKVW", 86)),
        (1_000, turn(1, 0, [60_000, 60_000], 1_000)),
        (4_000, EventBody::PlayMade(play)),
        (4_000, turn(2, 1, [57_000, 60_000], 4_000)),
        (5_000, EventBody::ChallengeDecided(verdict)),
        (5_000, closed()),
        (5_000, drawn(0, "SSTE", 82)),
        (5_000, lost(2, 1)),
        (5_000, turn(3, 0, [57_000, 59_000], 5_000)),
        (6_000, exchanged("AE")),
        (6_000, drawn(0, "DO", 80)),
        (6_000, shuffled(82)),
        (6_000, turn(4, 1, [56_000, 59_000], 6_000)),
        (20_000, credited(57_000)),
        (21_000, gone(1)),
        (21_000, EventBody::Ended(result())),
    ]
}

fn horn() -> ScoredWord {
    ScoredWord {
        word: "HORN".to_owned(),
        score: 14,
    }
}

fn closed() -> EventBody {
    EventBody::WindowClosed(WindowClosed {
        play_id: 5,
        reason: WindowReason::Verdict,
    })
}

fn lost(turn_no: u32, seat: u8) -> EventBody {
    EventBody::TurnLost(TurnUsed { turn_no, seat })
}

fn exchanged(tiles: &str) -> EventBody {
    EventBody::Exchanged(Exchanged {
        turn_no: 3,
        seat: 0,
        count: 2,
        tiles: Some(faces(tiles)),
    })
}

fn shuffled(count: u32) -> EventBody {
    EventBody::BagShuffled(BagShuffled {
        label: "exchange".to_owned(),
        count,
    })
}

/// The server was down from 8,000 to 20,000, two seconds into a turn of seat 1.
fn credited(left: i64) -> EventBody {
    EventBody::ClockCredited(ClockCredited {
        stopped_at: 8_000,
        resumed_at: 20_000,
        clocks: clocks([56_000, left], Some((1, 20_000))),
    })
}

fn clocks(main_ms: [i64; 2], running: Option<(u8, i64)>) -> Clocks {
    Clocks {
        main_ms: main_ms.to_vec(),
        allowance_ms: vec![0, 0],
        running: running.map(|(seat, since)| RunningClock { seat, since }),
    }
}

fn gone(seat: u8) -> EventBody {
    EventBody::SeatRetired(SeatRetired {
        seat,
        reason: RetireReason::Resigned,
    })
}

fn result() -> GameResult {
    let account = |seat, score, rank, rack| SeatResult {
        seat,
        score,
        rack_points: 0,
        time_penalty: 0,
        final_score: score,
        rank,
        rack: faces(rack),
    };
    GameResult {
        reason: EndReason::Resignation,
        results: vec![account(0, 14, 1, "ISSTEDO"), account(1, 0, 2, "QZXJKVW")],
        winners: vec![0],
        aborter: None,
        exchanges: Vec::new(),
        secret: None,
        clocks: clocks([56_000, 56_000], None),
    }
}

fn events(change: Change) -> Vec<Event> {
    let (times, mut bodies): (Vec<i64>, Vec<EventBody>) = bodies().into_iter().unzip();
    change(&mut bodies);
    // Events that a change adds happen at the end.
    let times = times.into_iter().chain(std::iter::repeat(21_000));
    let numbered = (1..).zip(times).zip(bodies);
    let numbered = numbered.map(|((seq, at), body)| Event {
        game: game(),
        seq,
        at,
        body,
    });
    numbered.collect()
}

/// Returns the objections to the transcripts of both players and the snapshot of a spectator.
fn objections(change: Change, shown: Shown) -> Vec<String> {
    let mut transcripts: Vec<Transcript> = [0, 1]
        .map(|seat| {
            transcript(
                Viewer::Seat(seat),
                without_exchange(seat, events(change)),
                |_| {},
            )
        })
        .into();
    transcripts.push(watching(Viewer::Spectator(7), shown));
    judge(transcripts, Vec::new(), &FstLexicon::builtin()).objections
}

/// Only the player of an exchange sees its tiles.
fn without_exchange(seat: u8, mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let EventBody::Exchanged(exchange) = &mut event.body
            && exchange.seat != seat
        {
            exchange.tiles = None;
        }
    }
    events
}

/// Returns the transcript of a viewer that gets a snapshot.
fn watching(viewer: Viewer, change: Shown) -> Transcript {
    let mut snapshot = snapshot();
    if let Some(seat) = viewer.seat() {
        snapshot.seat = Some(seat);
        snapshot.role = Role::Player;
        snapshot.seats[usize::from(seat)].rack = Some(faces("AEISSTE"));
    }
    change(&mut snapshot);
    let rack = snapshot.seats[0].rack.clone();
    let message = ServerMessage::Snapshot(Box::new(snapshot));
    let frame = Bytes::from(encode_server(Codec::MsgPack, 0, &message));
    let (decoded, _) = Decoded::read(&frame).expect("a message");
    let Body::Snapshot { seq, digest, .. } = decoded.body else {
        unreachable!("a snapshot")
    };
    let mut transcript = Transcript::new(game(), viewer);
    transcript.faults.extend(decoded.fault_for(viewer));
    transcript.snapshot(seq, digest);
    transcript.racks.extend(rack.map(|rack| (seq, rack)));
    transcript
}

fn snapshot() -> Snapshot {
    let line = |turn_no, seat, kind, total| TurnRecord {
        turn_no,
        seat,
        kind,
        start: None,
        tiles: None,
        words: None,
        score: 0,
        total,
        count: None,
        off: false,
        play_id: None,
        bonus: None,
        challenger: None,
        bad_words: Vec::new(),
        points: Vec::new(),
        rack: None,
    };
    let play = TurnRecord {
        start: Some("8F".to_owned()),
        tiles: Some(faces("HORN")),
        words: Some(vec![horn()]),
        score: 14,
        play_id: Some(5),
        ..line(1, 0, TurnKind::Play, 14)
    };
    let seat = |score| SnapshotSeat {
        score,
        rack_count: 7,
        rack: None,
        ready: false,
        retired: None,
        turn_debt: 0,
        connected: true,
        vacation_until: None,
    };
    let laid = |(square, tile): (&str, &str)| BoardTile {
        square: square.to_owned(),
        tile: tile.to_owned(),
    };
    Snapshot {
        game: game(),
        epoch: 1,
        seq: SHOWN_AT,
        at: 5_500,
        role: Role::Spectator,
        seat: None,
        setup: setup(),
        phase: Phase::Running,
        turn_no: 3,
        on_turn: Some(0),
        first: Some(0),
        board: [("F8", "H"), ("G8", "O"), ("H8", "R"), ("I8", "N")]
            .map(laid)
            .into(),
        seats: vec![seat(14), seat(0)],
        bag: 82,
        clocks: clocks([57_000, 59_000], Some((0, 5_000))),
        window: None,
        turns: vec![play, line(2, 1, TurnKind::LostTurn, 0)],
        vanished: Vec::new(),
        abort_request: None,
        nudge: None,
        adjourn_request: None,
        adjourned: None,
        time_refused: Vec::new(),
        hints: Vec::new(),
        waiting_until: None,
        result: None,
    }
}

#[test]
fn a_whole_game_is_sound() {
    assert_eq!(objections(|_| {}, |_| {}), Vec::<String>::new());
}

#[test]
fn every_part_of_it_is_judged() {
    let changes: [(&str, Change); 15] = [
        ("a seat that plays twice", |log| {
            log[10] = turn(3, 1, [57_000, 59_000], 5_000);
        }),
        ("a turn of another", |log| {
            log[11] = match exchanged("AE") {
                EventBody::Exchanged(exchange) => EventBody::Exchanged(Exchanged {
                    seat: 1,
                    ..exchange
                }),
                other => other,
            };
        }),
        ("a turn lost twice", |log| log[9] = lost(3, 1)),
        ("fewer tiles than owed", |log| log[8] = drawn(0, "SST", 83)),
        ("no tiles for those exchanged", |log| {
            drop(log.drain(12..14))
        }),
        ("a bag after an exchange", |log| log[13] = shuffled(81)),
        ("exchanged tiles that no player held", |log| {
            log[11] = exchanged("QQ")
        }),
        ("a word that is one, taken off", |log| {
            with_verdict(log, |verdict| {
                verdict.upheld = true;
                verdict.totals = vec![0, 0];
            });
        }),
        ("totals after a challenge", |log| {
            with_verdict(log, |verdict| verdict.totals = vec![14, 5]);
        }),
        ("an outage that costs time", |log| {
            log[15] = credited(45_000)
        }),
        ("the winner", |log| {
            with_result(log, |result| result.winners = vec![1])
        }),
        ("ranks", |log| {
            with_result(log, |result| {
                (result.results[0].rank, result.results[1].rank) = (2, 1);
                result.winners = vec![1];
            });
        }),
        ("a final score", |log| {
            with_result(log, |result| result.results[0].final_score = 15);
        }),
        ("the rack that is shown", |log| {
            with_result(log, |result| result.results[0].rack = faces("ISSTEDD"));
        }),
        ("more after the end", |log| log.push(gone(0))),
    ];
    for (what, change) in changes {
        assert!(!objections(change, |_| {}).is_empty(), "{what}");
    }
}

fn with_verdict(log: &mut [EventBody], change: fn(&mut ChallengeDecided)) {
    if let EventBody::ChallengeDecided(verdict) = &mut log[6] {
        change(verdict);
    }
}

fn with_result(log: &mut [EventBody], change: fn(&mut GameResult)) {
    if let EventBody::Ended(result) = &mut log[17] {
        change(result);
    }
}

#[test]
fn every_part_of_a_snapshot_is_judged() {
    let changes: [(&str, Shown); 12] = [
        ("its event", |shown| shown.seq = 10),
        ("the turn", |shown| shown.turn_no = 4),
        ("whose turn", |shown| shown.on_turn = Some(1)),
        ("a tile", |shown| shown.board[1].tile = "A".to_owned()),
        ("a square", |shown| shown.board[1].square = "G9".to_owned()),
        ("points", |shown| shown.seats[0].score = 15),
        ("the number of tiles", |shown| shown.seats[1].rack_count = 6),
        ("a seat that is ready", |shown| shown.seats[1].ready = true),
        ("the bag", |shown| shown.bag = 86),
        ("a clock", |shown| shown.clocks.main_ms[0] += 1),
        ("the scoresheet", |shown| shown.turns[0].off = true),
        ("a rack of another player", |shown| {
            shown.seats[0].rack = Some(faces("ZZ"));
        }),
    ];
    for (what, change) in changes {
        assert!(!objections(|_| {}, change).is_empty(), "{what}");
    }
}

/// Snapshots show players their own racks.
#[test]
fn a_players_own_rack_is_judged() {
    let judged = |change: Shown| {
        let seats = [0, 1].map(|seat| {
            transcript(
                Viewer::Seat(seat),
                without_exchange(seat, events(|_| {})),
                |_| {},
            )
        });
        let mut transcripts: Vec<Transcript> = seats.into();
        transcripts.push(watching(Viewer::Seat(0), change));
        judge(transcripts, Vec::new(), &FstLexicon::builtin()).violations
    };
    assert_eq!(judged(|_| {}), 0);
    assert_eq!(
        judged(|shown| shown.seats[0].rack = Some(faces("AEISSTS"))),
        1
    );
}

/// While a possibly last play can be challenged, no clock runs, and none runs after an outage.
#[test]
fn an_outage_after_a_possibly_last_play_is_judged() {
    let check = |left, running, is_sound| {
        let away = EventBody::ClockCredited(ClockCredited {
            stopped_at: 5_000,
            resumed_at: 20_000,
            clocks: clocks([left, 60_000], running),
        });
        let mut log = events(|_| {});
        log.truncate(6);
        (log[5].at, log[5].body) = (20_000, away);
        let replayed = replay(&log, &FstLexicon::builtin(), |_| {});
        assert_eq!(
            replayed.is_ok(),
            is_sound,
            "{left} {running:?}: {replayed:?}"
        );
    };
    check(57_000, None, true);
    check(45_000, None, false);
    check(57_000, Some((0, 20_000)), false);
    check(57_000, Some((1, 20_000)), false);
}
