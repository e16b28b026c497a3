//! Round trips of records of bot games, and files with one error.

use std::sync::Arc;

use super::gcg::{self, Gcg, GcgProblem, Kind};
use super::*;
use crate::bot::{Bot, BotLevel, Match, play_game};
use crate::event::{Event, PublicEvent, Record};
use crate::lexicon::{FstLexicon, Lexicon};
use crate::options::{ChallengeKind, GameOptions};
use crate::ruleset::RuleSet;
use crate::state::State;
use crate::time::Seat;

/// A game of bots; the beginner challenges good words now and then.
fn played(rules: &Arc<RuleSet>, seats: u8, seed: u64, kind: ChallengeKind) -> Vec<Record> {
    let lexicon = FstLexicon::builtin();
    let words = lexicon.graphs().unwrap();
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = seats;
    if rules.challenges.contains(&kind) {
        options.challenge.kind = kind;
    }
    let levels = [
        BotLevel::Club,
        BotLevel::Beginner,
        BotLevel::Club,
        BotLevel::Beginner,
    ];
    let bots = levels.iter().take(usize::from(seats));
    let mut bots: Vec<Bot> = bots
        .map(|level| Bot::new(*level, Arc::clone(&words)))
        .collect();
    let of = Match {
        rules: Arc::clone(rules),
        options,
        seed,
    };
    play_game(&of, &*lexicon, &mut bots, |_, _| {})
        .unwrap()
        .records
}

fn without_lines(mut gcg: Gcg) -> Gcg {
    for event in &mut gcg.events {
        event.line = 0;
    }
    for rack in &mut gcg.racks {
        rack.line = 0;
    }
    gcg
}

#[test]
fn every_game_written_as_gcg_checks_out() {
    let lexicon = FstLexicon::builtin();
    for rules in RuleSet::builtins() {
        for seed in 0..6 {
            let seats = rules.min_seats + u8::try_from(seed % 3).unwrap().min(rules.max_seats - 2);
            let kind = [ChallengeKind::Double, ChallengeKind::FivePoint][usize::from(seed > 2)];
            let records = played(rules, seats, seed, kind);
            let sheet = gcg::from_log(rules, &records).unwrap();
            let text = gcg::write(&sheet);
            let read = gcg::read(text.as_bytes()).unwrap();
            assert_eq!(without_lines(read.clone()), sheet, "{text}");
            // Boards that are dealt for each game are in the log, not in a GCG.
            let state = State::replay(Arc::clone(rules), &records).unwrap();
            let report = check_gcg(&read, state.rules(), Some(&*lexicon));
            assert!(
                report.is_exact(),
                "{} {:?}\n{text}",
                rules.id,
                report.findings
            );
            assert_eq!(report.turns, state.history().len());
            compare_totals(&report, &state);
        }
    }
}

/// The differences between the players are those of the game; two players' totals are in the field's form.
fn compare_totals(report: &Report, state: &State) {
    let results = &state.outcome().unwrap().results;
    let finals: Vec<i32> = results.iter().map(|result| result.final_score).collect();
    if finals.len() > 2 {
        assert_eq!(report.totals, finals);
    } else {
        assert_eq!(report.totals[0] - report.totals[1], finals[0] - finals[1]);
    }
}

#[test]
fn every_native_record_reads_back_and_is_proved() {
    for rules in RuleSet::builtins() {
        let records = played(rules, rules.max_seats, 11, ChallengeKind::TenPoint);
        let text = native::write(&records, Some(rules)).unwrap();
        assert!(native::is_native(text.as_bytes()));
        let (header, read) = native::read(text.as_bytes()).unwrap();
        let published: Vec<Record> = records.iter().map(native::published).collect();
        assert_eq!(
            (header.rule_set.as_str(), &read),
            (rules.id.as_str(), &published)
        );
        assert!(read.iter().all(|record| record.command.is_none()));
        assert!(native::is_finished(&read));
        let report = check_native(rules, &read, Some(&*FstLexicon::builtin()));
        assert!(
            report.is_exact() && report.is_complete(),
            "{:?}",
            report.findings
        );
        let steps = verify_bag(rules, &read);
        assert!(
            steps.len() > 10 && steps.iter().all(|step| step.holds),
            "{steps:?}"
        );
    }
}

#[test]
fn an_edited_native_record_is_detected() {
    let rules = RuleSet::classic();
    let records = played(&rules, 2, 4, ChallengeKind::Double);
    let touch = |change: &dyn Fn(&mut Record) -> bool| {
        let mut records = records.clone();
        let at = records
            .iter_mut()
            .position(change)
            .expect("there is such an event");
        let report = check_native(&rules, &records, None);
        let line = report
            .findings
            .first()
            .expect("the report has a finding")
            .line;
        let near = at + 2..at + 5;
        // Another order of the bag shows when the first tiles are drawn.
        assert!(
            !report.is_exact() && near.contains(&line),
            "{:?} {at}",
            report.findings
        );
    };
    touch(&|record| match &mut record.event {
        Event::Public(PublicEvent::PlayMade(play)) => {
            play.score += 1;
            true
        }
        _ => false,
    });
    touch(&|record| match &mut record.event {
        Event::Public(PublicEvent::PlayMade(play)) => {
            play.words[0].score += 1;
            true
        }
        _ => false,
    });
    touch(&|record| match &mut record.event {
        Event::BagShuffled { order, .. } => {
            order.swap(0, 1);
            order[0] != order[1]
        }
        _ => false,
    });
    touch(&|record| match &mut record.event {
        Event::Public(PublicEvent::Ended(ended)) => {
            ended.results[0].final_score += 1;
            true
        }
        _ => false,
    });
    // Another secret explains another bag.
    let mut other = records.clone();
    if let Event::Created(created) = &mut other[0].event {
        created.secret[0] ^= 1;
    }
    assert!(
        verify_bag(&rules, &other)
            .iter()
            .filter(|step| !step.holds)
            .count()
            > 2
    );
}

#[test]
fn a_position_written_as_cgp_reads_back() {
    for rules in RuleSet::builtins() {
        let records = played(rules, 2, 21, ChallengeKind::Double);
        let mut state = State::begin(Arc::clone(rules), &records[0]).unwrap();
        for record in &records[1..] {
            state.apply(record).unwrap();
            let position = cgp::Cgp {
                board: state.tiles().board().clone(),
                racks: Seat::all(2)
                    .map(|seat| state.tiles().rack(seat).to_vec())
                    .collect(),
                scores: state.seats().iter().map(|seat| seat.score).collect(),
                scoreless: state.runs.scoreless,
                opcodes: "lex wordnik;".to_owned(),
            };
            let text = cgp::write(&position, &rules.tiles);
            assert_eq!(cgp::parse(&text, &rules.tiles), Ok(position), "{text}");
        }
    }
}

#[test]
fn a_malformed_position_is_refused() {
    let tiles = &RuleSet::classic().tiles;
    for (text, problem) in [
        ("", "expected a board"),
        ("15 A/ 0/0", "expected a board"),
        ("15/14 A/ 0/0 0", "row 2"),
        ("99 A/ 0/0 0", "row 1"),
        ("1é A/ 0/0 0", "\"é\""),
        ("2[CH A/ 0/0 0", "bracket"),
        ("2 A/ 0/x 0", "\"x\""),
        ("2 A/B/C 0/0 0", "3 racks and 2 scores"),
        ("2 A/ 0/0 zero", "\"zero\""),
        ("2 a/ 0/0 0", "\"a\" is not a tile"),
    ] {
        let error = cgp::parse(text, tiles).expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

/// A small game with every GCG feature.
const SHEET: &str = "\
#character-encoding UTF-8
#player1 Anna Anna Ångström
#player2 Ben Ben
#title A game
#- with a title of two lines
#lexicon wordnik
>Anna: HORNFAM 8F HORN +14 14
>Ben: PASTEOB H6 .. +0 0
";

#[test]
fn every_gcg_form_reads_back() {
    let sheet = SHEET.replace(
        ">Ben: PASTEOB H6 .. +0 0\n",
        ">Ben: PASTEOB 9G BO +9 9\n#note a note\n#- of two lines\n>Ben: PASTEOB -- -9 0\n>Anna: FAM - +0 14\n#note \
         #unsuccessful-challenge\n>Ben: PASTEOB -PAS +0 0\n>Anna: FAM -3 +0 14\n>Ben: TEOB (challenge) +5 5\n>Ben: (FAM) \
         +8 13\n>Anna: FAM (FAM) -8 6\n>Anna: FAM (time) -10 -4\n#rack1 FAM\n#incomplete\n",
    );
    let gcg = gcg::read(sheet.as_bytes()).unwrap();
    let kinds: Vec<&Kind> = gcg.events.iter().map(|event| &event.kind).collect();
    assert!(matches!(kinds[2], Kind::Off) && matches!(kinds[3], Kind::Pass));
    assert!(matches!(kinds[4], Kind::Exchange(tiles) if tiles == "PAS"));
    assert!(matches!(kinds[5], Kind::Exchange(count) if count == "3"));
    assert!(matches!(kinds[6], Kind::Challenge) && matches!(kinds[9], Kind::Time));
    assert_eq!(gcg.events[1].note.as_deref(), Some("a note\nof two lines"));
    assert_eq!(
        gcg.pragma("title"),
        Some("A game\nwith a title of two lines")
    );
    assert_eq!((gcg.events[9].total, gcg.racks.len()), (-4, 1));
    assert_eq!(gcg.players[0].name, "Anna Ångström");
    let again = gcg::read(gcg::write(&gcg).as_bytes()).unwrap();
    assert_eq!(without_lines(again), without_lines(gcg));
}

#[test]
fn encodings_and_line_ends() {
    let plain = SHEET.replace(">Ben: PASTEOB H6 .. +0 0\n", "");
    let unnamed = plain.replace("#character-encoding UTF-8\n", "");
    let latin: Vec<u8> = unnamed
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let named = [b"#character-encoding ISO-8859-1\n".as_slice(), &latin].concat();
    let with_mark = [b"\xef\xbb\xbf".as_slice(), plain.as_bytes()].concat();
    for bytes in [
        plain.clone().into_bytes(),
        unnamed.clone().into_bytes(),
        latin,
        named,
        with_mark,
        plain.replace('\n', "\r\n").into_bytes(),
        plain.replace('\n', "\r").into_bytes(),
    ] {
        let gcg = gcg::read(&bytes).unwrap();
        assert_eq!(gcg.players[0].name, "Anna Ångström");
        assert_eq!(gcg.events.len(), 1);
    }
    let lying = [b"#character-encoding UTF-8\n#player1 A \xe9\n".as_slice()].concat();
    assert_eq!(gcg::read(&lying).unwrap_err().problem, GcgProblem::NotUtf8);
}

#[test]
fn a_malformed_gcg_file_is_refused() {
    for (from, to, line, says) in [
        (
            "#character-encoding UTF-8\n",
            "#character-encoding UTF-16\n",
            1,
            "UTF-16",
        ),
        (
            "#lexicon",
            "#character-encoding UTF-8\n#lexicon",
            6,
            "first line",
        ),
        ("#player2 Ben Ben\n", "#player3 Ben Ben\n", 3, "#playerN"),
        ("#player2 Ben Ben\n", "#player2 Anna Ben\n", 3, "#playerN"),
        ("#player2 Ben Ben\n", "#player2\n", 3, "#playerN"),
        ("#title", "title", 4, "expected a pragma"),
        (">Ben", "#title late\n>Ben", 8, "#title"),
        (">Ben", ">Cleo", 8, "\"Cleo\""),
        (">Ben:", ">Ben", 8, "expected a play"),
        ("+14 14", "+x 14", 7, "\"+x\""),
        ("+14 14", "14", 7, "expected a play"),
        ("+14 14", "++14 14", 7, "\"++14\""),
        ("+14 14", "+99999999999 14", 7, "99999999999"),
        ("#- with", "#- with\n>x\n#-", 6, "expected a play"),
    ] {
        let sheet = SHEET.replacen(from, to, 1);
        assert_ne!(sheet, SHEET, "{from}");
        let error = gcg::read(sheet.as_bytes()).expect_err(to);
        assert_eq!(error.line, line, "{to}: {error}");
        assert!(error.to_string().contains(says), "{to}: {error}");
    }
    for bytes in [b"".as_slice(), b"\n\n", b"\xff\xfe\x00", b"#title only\n"] {
        assert!(gcg::read(bytes).is_err(), "{bytes:?}");
    }
}

proptest::proptest! {
    /// Any bytes give a sheet or an error, and a sheet written as text reads back.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
        for text in [bytes.clone(), [SHEET.as_bytes(), &bytes].concat()] {
            if let Ok(gcg) = gcg::read(&text) {
                let again = gcg::read(gcg::write(&gcg).as_bytes());
                proptest::prop_assert_eq!(again.map(without_lines), Ok(without_lines(gcg)));
            }
            drop(native::read(&text));
            let lossy = String::from_utf8_lossy(&text);
            drop(cgp::parse(&lossy, &RuleSet::classic().tiles));
        }
    }
}
