//! R-TURN, R-EXCH: plays, exchanges, passes, positions, retries.

use super::*;
use crate::state::REMEMBERED_COMMANDS;
use crate::time::TurnNo;
use crate::view::{Audience, ViewEvent};

/// 001-X, 000-C-G2, 000-C-G3, 003-P5: the five turns of the scoring example, through the machine.
#[test]
fn the_five_turns_of_the_example() {
    let mut table = Setup::new(&["HORNPAS", "FAMOBXX"])
        .challenge(ChallengeKind::Void)
        .only("TEBITQQQQQQQ")
        .start();
    for (seat, play, total) in [(A, "8F HORN", 14), (B, "H6 FA.M", 9)] {
        table.ok(seat, play);
        assert_eq!(table.score(seat), total);
    }
    assert_eq!(table.rack(A), "ABEIPST");
    table.ok(A, "10F PASTE");
    assert_eq!(table.score(A), 39);
    table.ok(B, "9H .OB");
    assert_eq!(table.score(B), 25);
    assert_eq!(table.state().turn().unwrap().seat, A);
}

/// 003-S1, 004-3: the end of every turn (a play, an exchange, a pass) tells the author, the next player and spectators
/// the points of the turn, the total scores, and whose turn it is.
#[test]
fn every_turn_is_told_to_everyone_with_score_and_totals() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB", "AEINRST"])
        .challenge(ChallengeKind::Void)
        .start();
    let turns = [
        (A, "8F HORN", B, Some((14, 14)), [14, 0, 0]),
        (B, "9H OB", C, Some((16, 16)), [14, 16, 0]),
        (C, "exchange AE", A, None, [14, 16, 0]),
        (A, "pass", B, None, [14, 16, 0]),
    ];
    for (seat, command, next, expected, totals) in turns {
        table.ok(seat, command);
        for audience in [A, B, C]
            .map(Audience::Seat)
            .into_iter()
            .chain([Audience::Spectator])
        {
            let told: Vec<ViewEvent<'_>> = table
                .last
                .iter()
                .map(|event| event.seen_by(audience))
                .collect();
            let play = told.iter().find_map(|event| match event {
                ViewEvent::Public(PublicEvent::PlayMade(made)) => Some((made.score, made.total)),
                _ => None,
            });
            assert_eq!(play, expected, "{command}: {audience:?}");
            let is_next_named = told.iter().any(|event| {
                matches!(event, ViewEvent::Public(PublicEvent::TurnStarted { seat, .. }) if *seat == next)
            });
            assert!(is_next_named, "{command}: {audience:?} {told:?}");
            let seats = table.state().seen_by(audience).seats;
            let shown: Vec<i32> = seats.iter().map(|seat| seat.score).collect();
            assert_eq!(shown, totals, "{command}: {audience:?}");
        }
    }
}

/// The rack before a turn is shown as racks are, and to everyone once the game has ended.
#[test]
fn past_racks_are_shown_at_the_end() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .challenge(ChallengeKind::Void)
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "pass");
    let racks = |table: &Table, audience| {
        let history = table.state().seen_by(audience).history;
        let mut racks = history.iter().map(|turn| {
            let mut rack = turn.rack?.to_vec();
            sort_for_mixing(&mut rack);
            Some(notation::format_rack(&rack, &table.rules.tiles))
        });
        let racks = [racks.next(), racks.next()].map(|rack| rack.expect("a turn"));
        racks.map(Option::unwrap_or_default)
    };
    for (audience, shown) in [
        (Audience::Seat(A), ["AFHMNOR", ""]),
        (Audience::Seat(B), ["", "ABEOPST"]),
        (Audience::Spectator, ["", ""]),
        (Audience::Commentary, ["AFHMNOR", "ABEOPST"]),
    ] {
        assert_eq!(racks(&table, audience), shown, "{audience:?}");
    }
    table.ok(A, "resign");
    for audience in [Audience::Seat(A), Audience::Seat(B), Audience::Spectator] {
        assert_eq!(
            racks(&table, audience),
            ["AFHMNOR", "ABEOPST"],
            "{audience:?}"
        );
    }
}

/// 000-C-G3: the turn goes round by seat, starting with the first player.
#[test]
fn turns_go_round() {
    let mut table = Setup::new(&["AEINRST", "AEINRST", "AEIORTU"])
        .with(|options| options.first = FirstPlay::Seat(B))
        .start();
    for (no, seat) in [B, C, A, B].into_iter().enumerate() {
        assert_eq!(table.on_turn(), seat);
        assert_eq!(
            table.state().turn().unwrap().no,
            TurnNo(u32::try_from(no).unwrap() + 1)
        );
        table.ok(seat, "pass");
    }
}

#[test]
fn commands_for_another_turn_or_by_another_seat_are_refused() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    assert_eq!(table.refused(B, "pass"), Rejection::NotYourTurn);
    let stale = Command {
        seat: A,
        cmd_id: "x".to_owned(),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: Action::Pass { turn_no: TurnNo(9) },
    };
    let answer = table.input(Input::Command(stale)).remove(0);
    assert_eq!(
        answer.outcome,
        Err(Rejection::WrongPosition {
            expected: TurnNo(1)
        })
    );
}

/// 000-C-G5, 000-C-G1 and friends reach the player as the rule that was broken.
#[test]
fn an_illegal_play_names_its_rule_and_the_turn_goes_on() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    for play in ["8A HORN", "8H H", "8F HORNX", "8L HORNFA"] {
        assert!(
            matches!(table.refused(A, play), Rejection::Placement(_)),
            "{play}"
        );
    }
    assert_eq!(table.on_turn(), A);
    table.ok(A, "8F HORN");
}

/// 000-C-G7, 001-G7, 003-E1, 004-2, 004-5, C8: draw first, then put back; the turn is over and scores nothing.
#[test]
fn an_exchange_draws_before_it_returns() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .only("CCDDEEGGIILL")
        .start();
    table.ok(A, "exchange HOR");
    assert_eq!(
        table.last_kinds(),
        ["exchanged", "drawn", "shuffled", "turn"]
    );
    assert_eq!(table.rack(A), "ACCDFMN");
    assert_eq!(table.state().tiles().bag().len(), 12);
    assert_eq!(table.score(A), 0);
    assert_eq!(table.on_turn(), B);
}

/// 003-E2, 000-F16: seven in the bag, regardless of the number exchanged.
#[test]
fn an_exchange_needs_seven_tiles_in_the_bag() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).only("CDEGIL").start();
    for count in 1..=7 {
        assert_eq!(
            table.refused(A, &format!("exchange {}", &"HORNFAM"[..count])),
            Rejection::BagTooSmall { bag: 6, needed: 7 },
            "{count} tiles"
        );
    }
    let rules = RuleSet::classic();
    let lacks = |faces: &str| Rejection::NotOnRack {
        missing: notation::parse_rack(faces, &rules.tiles).unwrap(),
    };
    assert_eq!(table.refused(A, "exchange HZQ"), lacks("ZQ"));
    assert_eq!(
        table.refused(A, "exchange HH"),
        lacks("H"),
        "one H is not two"
    );
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).only("CDEGILL").start();
    table.ok(A, "exchange HORNFAM");
    assert_eq!(table.rack(A), "CDEGILL");
}

/// Where one tile in the bag is enough for an exchange, the bag still limits the tiles.
#[test]
fn an_exchange_takes_no_more_than_the_bag_holds() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .by("words-with-friends")
        .only("CDEGIL")
        .start();
    assert_eq!(
        table.refused(A, "exchange HORNFAM"),
        Rejection::TooManyExchanged {
            bag: 6,
            exchanged: 7
        }
    );
    table.ok(A, "exchange HORNFA");
}

/// 003-E2: the number of exchanges in a game is not limited: a player exchanges every tile of the rack in each of
/// thirty turns.
#[test]
fn a_player_may_exchange_in_every_turn() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .with(|options| options.inactivity.limit = crate::options::TurnLimit::Total(100))
        .with(|options| options.inactivity.cap_per_seat = 100)
        .start();
    for turn in 0..30 {
        let rack = table.rack(A);
        table.ok(A, &format!("exchange {rack}"));
        assert_eq!(table.state().rack_count(A), 7, "turn {turn}");
        table.ok(B, "pass");
    }
    assert_eq!(table.on_turn(), A);
}

/// Owed tiles count as dealt: four tiles are owed, so only six of ten can be exchanged from.
#[test]
fn owed_tiles_count_as_dealt_for_an_exchange() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .only("CDEGILLTTT")
        .start();
    table.ok(A, "8F HORN");
    assert_eq!(table.state().bag_count(), 6);
    assert_eq!(table.state().rack_count(A), 7);
    assert_eq!(
        table.refused(B, "exchange P"),
        Rejection::BagTooSmall { bag: 6, needed: 7 }
    );
}

/// 000-C-G6, 003-B1, C25: a blank keeps its letter, scores nothing, and is blank again when off.
#[test]
fn a_blank_is_blank_again_when_challenged_off() {
    let mut table = Setup::new(&["HORN?AM", "PASTEOB"])
        .phonies(&["HORNS"])
        .start();
    table.ok(A, "8E HORNs");
    assert_eq!(table.score(A), 14);
    table.ok(B, "challenge");
    assert_eq!(table.rack(A), "AHMNOR?");
    assert_eq!(table.score(A), 0);
}

/// 004-4, 003-N1, C7: passing commits nothing; an exchange of nothing is refused and named.
#[test]
fn a_pass_scores_nothing() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    table.ok(A, "pass");
    assert_eq!((table.score(A), table.on_turn()), (0, B));
    let empty = Command {
        seat: B,
        cmd_id: "e".to_owned(),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: Action::Exchange {
            turn_no: TurnNo(2),
            tiles: Vec::new(),
        },
    };
    let answer = table.input(Input::Command(empty)).remove(0);
    assert_eq!(answer.outcome, Err(Rejection::NothingToExchange));
}

/// 003-S5, C15: after an opening pass the centre premium is still there.
#[test]
fn an_opening_pass_leaves_the_centre_premium() {
    let mut table = Setup::new(&["AEINRST", "HORNFAM"]).start();
    table.ok(A, "pass");
    table.ok(B, "8F HORN");
    assert_eq!(table.score(B), 14);
}

#[test]
fn void_refuses_words_that_are_not_in_the_lexicon() {
    // 004, 000-W-P5: the author alone learns of it, and the turn goes on.
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .challenge(ChallengeKind::Void)
        .phonies(&["HORN"])
        .start();
    assert_eq!(
        table.refused(A, "8F HORN"),
        Rejection::InvalidWords {
            words: vec!["HORN".to_owned()]
        }
    );
    table.ok(A, "8F FARM");
    assert_eq!(
        table.last_kinds(),
        ["play", "drawn", "turn"],
        "drawn at once"
    );
    assert_eq!(table.refused(B, "challenge"), Rejection::NoChallenges);
}

#[test]
fn a_retry_gets_the_first_answer_and_changes_nothing() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    let first = table.send_as(A, "k1", "8F HORN").unwrap().unwrap();
    assert_eq!(first, table.last_play(), "the answer names the play");
    let events = table.log.len();
    // Parsed again, the text would now mean another turn: only the id and the content count.
    assert_eq!(table.send_as(A, "k1", "8F HORN"), Some(Ok(first)));
    assert_eq!(table.log.len(), events);
    assert_eq!(
        table.send_as(A, "k1", "pass"),
        Some(Err(Rejection::CommandIdReused))
    );
    // The other player may use the same id.
    assert!(table.send_as(B, "k1", "pass").unwrap().is_ok());
}

#[test]
fn the_last_sixteen_commands_are_remembered() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .with(|options| options.inactivity.limit = crate::options::TurnLimit::Total(100))
        .with(|options| options.inactivity.cap_per_seat = 100)
        .start();
    let mut first = Vec::new();
    for turn in 0..=REMEMBERED_COMMANDS {
        first.push(
            table
                .send_as(A, &format!("a{turn}"), "pass")
                .unwrap()
                .unwrap(),
        );
        table.ok(B, "pass");
    }
    for (turn, seq) in first.iter().enumerate().skip(1) {
        assert_eq!(
            table.send_as(A, &format!("a{turn}"), "pass"),
            Some(Ok(*seq))
        );
    }
    // Forgotten: judged again, and accepted as a new command because A is on turn.
    assert_ne!(table.send_as(A, "a0", "pass"), Some(Ok(first[0])));
}
