//! The checker accepts a sound history, and finds each planted fault.

use tilewire_protocol::{ChatSay, ClientMessage, CmdId, GameCommand, GameId, Pass, Ready, RoomId};

use super::{Fault, History, LogLine, Sight};

const EPOCH: u64 = 7;

/// A record of a game in which seat 0 is ready and passes, then seat 1 passes.
const RECORD: &str = r#"{"format":"tilewire-record","version":1,"game":"g1"}
{"seq":1,"at":10,"event":{"created":{"game":"g1"}}}
{"seq":2,"at":20,"event":{"public":{"seat_ready":{"seat":0}}}}
{"seq":3,"at":30,"event":{"public":{"turn_started":{"turn_no":1,"seat":0}}}}
{"seq":4,"at":40,"event":{"public":{"passed":{"turn_no":1,"seat":0}}}}
{"seq":5,"at":40,"event":{"public":{"clock_credited":{"stopped_at":41,"resumed_at":3041}}}}
{"seq":6,"at":50,"event":{"public":{"turn_started":{"turn_no":2,"seat":1}}}}
{"seq":7,"at":60,"event":{"public":{"passed":{"turn_no":2,"seat":1}}}}"#;

fn log() -> Vec<LogLine> {
    LogLine::read_all(RECORD).expect("a record")
}

fn sight(line: &LogLine) -> Sight {
    let kinds = tilewire_protocol::EventBody::KINDS;
    let kind = kinds.iter().find(|kind| **kind == line.kind);
    Sight {
        seq: line.seq,
        at: line.at,
        kind: kind.expect("a kind"),
        hash: 100 + line.seq,
    }
}

fn pass(cmd_id: &str, turn_no: u32) -> ClientMessage {
    ClientMessage::Pass(Pass {
        game: GameId("g1".to_owned()),
        cmd_id: CmdId(cmd_id.to_owned()),
        turn_no,
    })
}

/// One client saw everything, another one the middle after a new connection, a third one the beginning.
fn history() -> History<()> {
    let (mut history, log) = (History::default(), log());
    for line in log.iter().chain(&log[2..5]).chain(&log[..4]) {
        history.saw(EPOCH, sight(line), ());
    }
    let ready = ClientMessage::Ready(Ready {
        game: GameId("g1".to_owned()),
        cmd_id: CmdId("ready".to_owned()),
        nonce: None,
    });
    history.acknowledged(0, &ready, 2);
    history.acknowledged(0, &pass("first", 1), 4);
    history.acknowledged(1, &pass("second", 2), 7);
    // The answer to a repeated command is the first one.
    history.acknowledged(1, &pass("second", 2), 7);
    history
}

/// A fault and a change of the history or the log that plants it.
type Plant = (&'static str, fn(&mut History<()>, &mut Vec<LogLine>), Fault);

fn lost(command: &str) -> Fault {
    Fault::Lost {
        command: CmdId(command.to_owned()),
    }
}

#[test]
fn a_sound_history_has_no_faults() {
    let history = history();
    assert_eq!(history.judge(&log()), []);
    assert_eq!(history.commands(), 3);
    assert!(history.is_played());
    assert!(history.continued(6).is_some() && history.continued(7).is_none());
    let stood_still: Vec<u64> = log()
        .iter()
        .filter_map(|line| line.stood_still_ms)
        .collect();
    assert_eq!(stood_still, [3_000]);
}

fn planted() -> [Plant; 9] {
    [
        ("lost at the end", |_, log| log.truncate(6), lost("second")),
        (
            "lost, and another event in its place",
            |_, log| log[6].kind = "resumed".to_owned(),
            lost("second"),
        ),
        (
            "acknowledged twice, stored once",
            |history, _| history.acknowledged(1, &pass("third", 2), 7),
            lost("third"),
        ),
        (
            "at another place",
            |history, _| history.acknowledged(0, &pass("first", 1), 5),
            lost("first"),
        ),
        (
            "doubled",
            |_, log| {
                let again = LogLine {
                    seq: 8,
                    ..log[6].clone()
                };
                log.push(again);
            },
            Fault::Doubled { seq: 8 },
        ),
        (
            "a turn used in two ways",
            |_, log| {
                let again = LogLine {
                    seq: 8,
                    kind: "exchanged".to_owned(),
                    ..log[6].clone()
                };
                log.push(again);
            },
            Fault::Doubled { seq: 8 },
        ),
        (
            "forked",
            |history, log| {
                let other = Sight {
                    hash: 1,
                    ..sight(&log[4])
                };
                history.saw(EPOCH, other, ());
            },
            Fault::Forked {
                epoch: EPOCH,
                seq: 5,
            },
        ),
        (
            "forked, and all saw the branch that is gone",
            |_, log| log[4].at += 1,
            Fault::Replaced { seq: 5 },
        ),
        (
            "a gap",
            |_, log| drop(log.remove(2)),
            Fault::Broken { seq: 3 },
        ),
    ]
}

#[test]
fn planted_faults_are_found() {
    for (what, plant, fault) in planted() {
        let (mut history, mut log) = (history(), log());
        plant(&mut history, &mut log);
        let found = history.judge(&log);
        assert!(found.contains(&fault), "{what}: {found:?}");
    }
}

#[test]
fn events_of_nobody_and_of_another_epoch_are_found() {
    let check = |epoch: u64, fault: Fault| {
        let (mut history, log) = (history(), log());
        let more = Sight {
            seq: 8,
            ..sight(&log[5])
        };
        history.saw(epoch, more, ());
        let found = history.judge(&log);
        assert!(found.contains(&fault), "{found:?}");
    };
    check(EPOCH, Fault::Unlogged { seq: 8 });
    check(EPOCH + 1, Fault::Restored { epochs: 2 });
}

/// A command that resigns has its effect, and one of the lobby has none here.
#[test]
fn only_commands_of_games_count() {
    let mut history = History::<()>::default();
    let resign = ClientMessage::Resign(GameCommand {
        game: GameId("g1".to_owned()),
        cmd_id: CmdId("gone".to_owned()),
    });
    history.acknowledged(1, &resign, 3);
    let chat = ClientMessage::ChatSay(ChatSay {
        room: RoomId("r".to_owned()),
        cmd_id: CmdId("said".to_owned()),
        text: "hello".to_owned(),
    });
    history.acknowledged(1, &chat, 3);
    assert_eq!(history.commands(), 1);
    assert_eq!(history.judge(&log()), [lost("gone")]);
}
