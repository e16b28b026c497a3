//! Views of scripted games.

use tilewire_protocol::*;

use super::*;
use crate::fixtures::{Story, T0, clocks, faces, setup, window};

fn count(view: &GameView) -> u32 {
    let racks: u32 = view.seats.iter().map(|seat| seat.rack_count).sum();
    let board = view.board.len();
    racks + view.bag + u32::try_from(board).unwrap()
}

fn unseen(view: &GameView, face: &str) -> u32 {
    view.unseen()
        .into_iter()
        .find(|(known, _)| known == face)
        .unwrap()
        .1
}

#[test]
fn a_play_that_stands_moves_its_tiles_to_the_board() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let play_id = story.play(0, "8F", "HORn", &[("HORn", 12)], 4, window(&[1], false));
    let view = story.view();
    assert_eq!(view.rack, faces("NAE"));
    assert_eq!(view.last_play.as_ref().unwrap().play_id, play_id);
    assert_eq!(
        (view.bag, view.seats[0].rack_count, view.seats[0].owed),
        (82, 7, 4)
    );
    assert_eq!(count(view), 100);
    assert_eq!(
        (unseen(view, "?"), unseen(view, "H"), unseen(view, "N")),
        (1, 1, 5)
    );
    assert!(!view.may_answer(), "the author");
    story.tell(EventBody::WindowClosed(WindowClosed {
        play_id,
        reason: WindowReason::Timer,
    }));
    story.draws(0, 4, Some("STUV"), 82);
    let view = story.view();
    assert!(view.window.is_none());
    assert_eq!(
        (
            view.rack.len(),
            view.seats[0].rack_count,
            view.seats[0].owed
        ),
        (7, 7, 0)
    );
    assert_eq!(count(view), 100);
}

#[test]
fn a_play_that_is_challenged_off_leaves_no_trace() {
    for seat in [None, Some(0), Some(1)] {
        let mut story = Story::started(&["Anna", "Ben"], seat, "HORNAE?");
        let before = story.view().clone();
        let play_id = story.play(0, "8F", "HORn", &[("HORn", 12)], 4, window(&[1], false));
        assert_eq!(story.view().may_answer(), seat == Some(1));
        story.verdict(play_id, 1, &["HORN"], &[0, 0]);
        let view = story.view();
        assert_eq!(
            (&view.board, view.bag, count(view)),
            (&before.board, before.bag, 100)
        );
        assert_eq!(view.seats[0], before.seats[0]);
        let sorted = |rack: &[String]| {
            let mut rack = rack.to_vec();
            rack.sort();
            rack
        };
        assert_eq!(sorted(&view.rack), sorted(&before.rack));
        let turn = &view.turns[0];
        assert!(turn.off && turn.total == 0 && turn.score == 12);
        assert_eq!(
            (turn.challenger, turn.bad_words.as_slice()),
            (Some(1), &["HORN".to_owned()][..])
        );
        assert_eq!(turn.rack, (seat == Some(0)).then(|| faces("HORNAE?")));
        assert!(!view.may_answer());
    }
}

#[test]
fn a_failed_challenge_leaves_the_play_and_costs_a_turn() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "AAAAAAA");
    let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1], false));
    story.turn(2, 1);
    story.verdict(play_id, 1, &[], &[14, 0]);
    assert_eq!(story.view().seats[1].turn_debt, 1);
    assert_eq!(story.view().at(Square::new(7, 5)), Some("H"));
    story.tell(EventBody::TurnLost(TurnUsed {
        turn_no: 2,
        seat: 1,
    }));
    assert_eq!(story.view().seats[1].turn_debt, 0);
    assert_eq!(story.view().turns.last().unwrap().kind, TurnKind::LostTurn);
}

#[test]
fn holds_acceptances_and_outages_change_the_window() {
    let mut story = Story::started(&["Anna", "Ben", "Cleo"], Some(1), "AAAAAAA");
    let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1, 2], false));
    let running = clocks(&[1, 2, 3], Some((2, T0)));
    story.tell(EventBody::HoldStarted(HoldStarted {
        play_id,
        seat: 2,
        until: T0 + 5_000,
        clocks: running.clone(),
    }));
    assert_eq!(story.view().window.as_ref().unwrap().holder, Some(2));
    story.tell(EventBody::ClockCredited(ClockCredited {
        stopped_at: T0,
        resumed_at: T0 + 7_000,
        clocks: running.clone(),
    }));
    let shifted = story.view().window.clone().unwrap();
    assert_eq!(
        (shifted.closes_at, shifted.hold_until),
        (Some(T0 + 127_000), Some(T0 + 12_000))
    );
    story.tell(EventBody::HoldEnded(HoldEnded {
        play_id,
        seat: 2,
        reason: HoldReason::Released,
        clocks: running,
        closes_at: Some(T0),
    }));
    story.tell(EventBody::Accepted(Accepted { play_id, seat: 1 }));
    assert!(!story.view().may_answer(), "accepted for good");
    assert_eq!(story.view().window.as_ref().unwrap().holds_used, [2]);
}

#[test]
fn the_tiles_of_an_exchange_are_hidden_from_others() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "ABCDEFG");
    story.tell(EventBody::Exchanged(Exchanged {
        turn_no: 1,
        seat: 0,
        count: 3,
        tiles: None,
    }));
    story.draws(0, 3, None, 83);
    story.tell(EventBody::BagShuffled(BagShuffled {
        label: "exchange/1".to_owned(),
        count: 86,
    }));
    assert_eq!(
        (story.view().seats[0].rack_count, count(story.view())),
        (7, 100)
    );
    story.turn(2, 1);
    story.tell(EventBody::Exchanged(Exchanged {
        turn_no: 2,
        seat: 1,
        count: 2,
        tiles: Some(faces("AB")),
    }));
    story.draws(1, 2, Some("XY"), 84);
    assert_eq!(story.view().rack, faces("CDEFGXY"));
    let racks: Vec<_> = story.view().turns.iter().map(|turn| &turn.rack).collect();
    assert_eq!(racks, [&None, &Some(faces("ABCDEFG"))]);
}

#[test]
fn clocks_count_from_server_time() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "ABCDEFG");
    let view = story.view.as_mut().unwrap();
    view.clocks = Clocks {
        main_ms: vec![5_000, 9_000],
        allowance_ms: vec![3_000, 0],
        running: Some(RunningClock { seat: 0, since: T0 }),
    };
    for (after, main_ms, allowance_ms) in [
        (-50, 5_000, 3_000),
        (2_000, 5_000, 1_000),
        (4_000, 4_000, 0),
        (10_000, -2_000, 0),
    ] {
        let time = view.time_left(0, T0 + after).unwrap();
        assert_eq!(
            (time.main_ms, time.allowance_ms),
            (main_ms, allowance_ms),
            "{after}"
        );
    }
    assert_eq!(view.time_left(1, T0 + 4_000).unwrap().main_ms, 9_000);
}

#[test]
fn a_snapshot_and_the_events_give_the_same_view() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "ABCDEFG");
    let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1], false));
    let view = story.view().clone();
    let snapshot = Snapshot {
        game: view.game.clone(),
        epoch: 1,
        seq: view.seq,
        at: T0,
        role: Role::Player,
        seat: Some(1),
        setup: view.setup.clone(),
        phase: view.phase,
        turn_no: view.turn_no,
        on_turn: None,
        first: Some(0),
        board: "HORN"
            .chars()
            .zip("FGHI".chars())
            .map(|(tile, col)| BoardTile {
                square: format!("{col}8"),
                tile: tile.to_string(),
            })
            .collect(),
        seats: view
            .seats
            .iter()
            .zip([None, Some(view.rack.clone())])
            .map(|(seat, rack)| SnapshotSeat {
                score: seat.score,
                rack_count: seat.rack_count,
                rack,
                ready: true,
                retired: None,
                turn_debt: 0,
                connected: true,
                vacation_until: None,
            })
            .collect(),
        bag: view.bag,
        clocks: view.clocks.clone(),
        window: view.window.clone(),
        turns: view.turns.clone(),
        vanished: Vec::new(),
        waiting_until: None,
        abort_request: None,
        nudge: None,
        adjourn_request: None,
        adjourned: None,
        time_refused: Vec::new(),
        hints: Vec::new(),
        result: None,
    };
    let mut other = GameView::from_snapshot(&snapshot);
    for seat in &mut other.seats {
        seat.is_connected = None;
    }
    assert_eq!(other, view);
    story.verdict(play_id, 1, &["HORN"], &[0, 0]);
    for event in &story.events[story.events.len() - 2..] {
        other.apply(event);
    }
    assert_eq!(&other, story.view());
}

#[test]
fn a_turn_waits_until_the_next_event() {
    let mut story = Story::started(&["Anna", "Ben", "Carla"], Some(1), "ABCDEFG");
    let mut view = story.view().clone();
    view.on_turn = Some(1);
    let mut clocks = view.clocks.clone();
    clocks.running = None;
    clocks.main_ms[1] -= 958;
    view.turn_waits(&TurnWaiting {
        game: view.game.clone(),
        turn_no: view.turn_no,
        seat: 1,
        until: T0 + 5_000,
        clocks: clocks.clone(),
    });
    assert_eq!(view.waiting_until, Some(T0 + 5_000));
    assert_eq!(view.clocks, clocks);
    assert_eq!(view.prompt(), None, "the turn is made");
    story.draws(0, 1, None, 79);
    view.apply(story.events.last().unwrap());
    assert_eq!(view.waiting_until, None);
    assert_eq!(view.clocks, clocks, "the event says nothing of the clocks");
}

#[test]
fn inconsistent_events_do_not_panic() {
    let mut story = Story::new(&["Anna", "Ben"], Some(0));
    story.draws(9, 7, None, 5);
    for start in ["99Z", "Z99", "", "nonsense"] {
        story.play(0, start, "HORN", &[], 99, window(&[7], true));
    }
    story.verdict(77, 9, &[], &[1, 2, 3, 4, 5]);
    story.tell(EventBody::Unknown {
        kind: "later".to_owned(),
    });
    assert_eq!(story.view().time_left(9, T0), None);
}

#[test]
fn a_request_to_abort_waits_for_the_other_seat() {
    for (seat, can_answer) in [(Some(0), false), (Some(1), true), (None, false)] {
        let mut story = Story::started(&["Anna", "Ben"], seat, "ABCDEFG");
        let until = T0 + 60_000;
        story.tell(EventBody::AbortRequested(AbortRequested { seat: 0, until }));
        assert_eq!(story.view().abort_to_answer().is_some(), can_answer);
        story.tell(EventBody::ClockCredited(ClockCredited {
            stopped_at: T0,
            resumed_at: T0 + 5_000,
            clocks: story.view().clocks.clone(),
        }));
        let request = story.view().abort_request.expect("a request is open");
        assert_eq!(request.until, until + 5_000);
        story.tell(EventBody::AbortDeclined(AbortDeclined {
            seat: 0,
            reason: AbortDecline::Refused,
        }));
        assert_eq!(story.view().abort_request, None);
    }
}

#[test]
fn a_nudge_ends_with_an_answer_and_with_the_turn() {
    let check = |end: &dyn Fn(&mut Story)| {
        let mut story = Story::started(&["Anna", "Ben"], Some(1), "ABCDEFG");
        let claim_at = Some(T0 + 120_000);
        story.tell(EventBody::Nudged(Nudged {
            seat: 1,
            target: 0,
            claim_at,
        }));
        story.tell(EventBody::ClockCredited(ClockCredited {
            stopped_at: T0,
            resumed_at: T0 + 5_000,
            clocks: story.view().clocks.clone(),
        }));
        let nudge = story.view().nudge.expect("a nudge is open");
        assert_eq!(nudge.claim_at, claim_at.map(|at| at + 5_000));
        assert_eq!(story.view().claimable(T0 + 124_999), None);
        assert_eq!(story.view().claimable(T0 + 125_000), Some(0));
        end(&mut story);
        assert_eq!(story.view().nudge, None);
        assert_eq!(story.view().claimable(T0 + 125_000), None);
    };
    check(&|story| story.tell(EventBody::NudgeAnswered(NudgeAnswered { seat: 0 })));
    check(&|story| {
        story.tell(EventBody::Passed(TurnUsed {
            turn_no: 1,
            seat: 0,
        }));
    });
    check(&|story| {
        story.play(0, "8F", "HORN", &[("HORN", 14)], 4, None);
    });
    check(&|story| {
        story.tell(EventBody::SeatRetired(SeatRetired {
            seat: 0,
            reason: RetireReason::Abandoned,
        }));
    });
}

#[test]
fn an_adjourned_game_waits_for_all_and_goes_on() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "ABCDEFG");
    let until = T0 + 60_000;
    story.tell(EventBody::AdjournRequested(AdjournRequested {
        seat: 1,
        until,
    }));
    assert_eq!(story.view().prompt(), Some(Prompt::Adjourn(until)));
    story.tell(EventBody::Adjourned(Adjourned {
        until,
        claim_until: until + 1_000,
        vanished: None,
        clocks: clocks(&[5, 5], None),
    }));
    assert_eq!(story.view().adjourn_request, None);
    assert_eq!(story.view().prompt(), Some(Prompt::Resume(until)));
    assert_eq!(story.view().clocks, clocks(&[5, 5], None));
    assert_eq!(story.view().claimable(until), None);
    story.tell(EventBody::ReadyToResume(ResumeReadiness { seat: 0 }));
    assert_eq!(story.view().prompt(), None);
    assert_eq!(story.view().claimable(until - 1), None);
    assert_eq!(story.view().claimable(until), Some(1));
    story.tell(EventBody::NotReadyToResume(ResumeReadiness { seat: 0 }));
    assert!(story.view().may_resume());
    assert_eq!(story.view().missing().collect::<Vec<_>>(), [0, 1]);
    story.tell(EventBody::Resumed(Resumed {
        clocks: clocks(&[5, 5], Some((0, T0))),
    }));
    assert_eq!(story.view().adjourned, None);
    assert_eq!(story.view().prompt(), Some(Prompt::Turn(1)));
}

#[test]
fn given_time_is_on_the_clocks_and_refusals_are_known() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "ABCDEFG");
    let given = clocks(&[75_000, 60_000], Some((0, T0)));
    story.tell(EventBody::TimeGiven(TimeGiven {
        seat: 1,
        target: 0,
        time_ms: 15_000,
        clocks: given.clone(),
    }));
    assert_eq!(story.view().clocks, given);
    for seat in [1, 0] {
        story.tell(EventBody::TimeRefused(TimeRefused { seat }));
    }
    assert_eq!(story.view().time_refused, [0, 1], "as in a snapshot");
}

#[test]
fn used_hints_are_counted_by_seat() {
    let mut setup = setup(&["Anna", "Ben"]);
    setup.options.hints = Some(2);
    let mut story = Story::begun(setup, Some(0), "ABCDEFG");
    story.tell(EventBody::HintUsed(HintUsed { seat: 0, grade: 3 }));
    assert_eq!(story.view().hints_left(0), 1);
    assert_eq!(story.view().hints_left(1), 2);
    let turn_no = story.view().turn_no;
    let used = UsedHint {
        seat: 0,
        turn_no,
        grade: 3,
    };
    assert_eq!(story.view().hints, [used], "as in a snapshot");
}

#[test]
fn an_opponent_on_turn_gets_time_or_else_the_next_one() {
    let mut story = Story::started(&["Anna", "Ben", "Carla"], Some(2), "ABCDEFG");
    story.turn(2, 1);
    assert_eq!(story.view().receiver(), Some(1), "on turn");
    story.turn(3, 2);
    assert_eq!(story.view().receiver(), Some(0), "next");
    story.tell(EventBody::SeatRetired(SeatRetired {
        seat: 0,
        reason: RetireReason::Resigned,
    }));
    assert_eq!(story.view().receiver(), Some(1), "seat 0 has left");
    let watched = Story::started(&["Anna", "Ben"], None, "");
    assert_eq!(watched.view().receiver(), None, "a spectator gives none");
}
