//! `tilewire record` and `verify` as processes: output, written files, exit status.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::record::native;
use tilewire_rules::ruleset::RuleSet;

/// Three plays of an opening, one of them a phony that stands.
const RIGHT: &str = "\
#character-encoding UTF-8
#player1 Anna Anna Smith
#player2 Ben Ben Jones
#lexicon wordnik
>Anna: HORNFAM 8F HORN +14 14
>Ben: PASTEOB 9H BO +12 12
#note a quiet start
>Anna: FAMEEEE H6 FA.. +9 23
";

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.gcg"), text).unwrap();
    folder
}

/// Runs `tilewire ARGS`; returns the exit status, stdout and stderr. No server listens at its address.
fn run(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewire"))
        .args(args)
        .args(["--server", "ws://127.0.0.1:1"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_correct_score_sheet_is_exact() {
    let folder = folder(RIGHT);
    let (status, said, _) = run(&folder, &["record", "check", "game.gcg"]);
    assert_eq!(status, 0, "{said}");
    let expected = "\
game.gcg:6: remark: not in wordnik: RB
game.gcg:8: remark: not in wordnik: FARB
game.gcg: exact, incomplete (the game has not ended); 3 turns of classic, 23 - 12; words checked with wordnik
";
    assert_eq!(said, expected);
    let none = ["record", "check", "game.gcg", "--lexicon", "none"];
    let (_, said, _) = run(&folder, &none);
    assert!(said.ends_with("words not checked\n"), "{said}");
    let (_, said, _) = run(&folder, &["record", "check", "game.gcg", "--json"]);
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["exact"], true);
    assert_eq!(report["totals"], json!([23, 12]));
    assert_eq!(report["incomplete"], "the game has not ended");
    assert_eq!(report["findings"][0]["line"], 6);
    assert_eq!(report["findings"][0]["code"], "phony");
}

/// The result for a sheet with one changed part: the exit status, and the message with its line.
#[test]
fn a_wrong_number_is_reported_with_its_line() {
    for (from, to, status, says) in [
        ("+12 12", "+13 13", 1, "game.gcg:6: the points are +12"),
        ("+9 23", "+9 24", 1, "game.gcg:8: the total is 23"),
        ("HORNFAM", "HARNFAM", 1, "game.gcg:5: "),
        (">Ben: PASTEOB", "Ben: PASTEOB", 2, "game.gcg:6: "),
        ("+14 14", "", 2, "game.gcg:5: "),
        ("#player1 Anna Anna Smith\n", "", 2, "game.gcg:2: "),
    ] {
        let text = RIGHT.replacen(from, to, 1);
        assert_ne!(text, RIGHT);
        let (code, out, err) = run(&folder(&text), &["record", "check", "game.gcg"]);
        assert_eq!(code, status, "{to}: {out}{err}");
        assert!((out.clone() + &err).contains(says), "{to}: {out}{err}");
    }
}

/// An annotator's rack that contradicts the tiles kept is a remark if every score is right; `--strict` makes it an error.
#[test]
fn a_remark_fails_a_strict_check_only() {
    let folder = folder(&RIGHT.replace("FAMEEEE", "FAXEEEE"));
    let check = ["record", "check", "game.gcg", "--lexicon", "none"];
    let (status, said, _) = run(&folder, &check);
    assert_eq!(status, 0, "{said}");
    let remark = "game.gcg:8: remark: the rack lacks tiles kept the turn before (FAM)";
    assert!(said.starts_with(remark), "{said}");
    let (status, said, _) = run(&folder, &[&check[..], &["--strict"]].concat());
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with(remark), "{said}");
}

#[test]
fn an_unreadable_record_is_refused_in_one_line() {
    let folder = folder(RIGHT);
    for (args, says) in [
        (&["record", "check", "nothing.gcg"][..], "No such file"),
        (&["record", "check", "G4MEID"], "/games/G4MEID.jsonl"),
        (
            &["record", "check", "game.gcg", "--rules", "chess"],
            "chess",
        ),
        (
            &["record", "check", "game.gcg", "--language", "klingon"],
            "klingon",
        ),
        (
            &["record", "check", "game.gcg", "--lexicon", "game.gcg"],
            "game.gcg",
        ),
        (
            &["record", "check", "game.gcg", "--rules", "wordfeud-random"],
            "draws its board",
        ),
        (
            &["record", "convert", "game.gcg", "-o", "game.jsonl"],
            "does not contain everything",
        ),
        (&["record", "convert", "game.gcg", "-o", "game.txt"], "--to"),
        (
            &["record", "convert", "game.gcg", "-o", "no/such.cgp"],
            "no/such.cgp",
        ),
        (
            &["record", "fetch", "G4MEID", "-o", "x.cgp"],
            "a server has no positions",
        ),
        (&["verify", "game.gcg"], "only a native record"),
    ] {
        let (status, out, err) = run(&folder, args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.starts_with("tilewire: "), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

#[test]
fn a_score_sheet_is_converted_and_shown() {
    let folder = folder(RIGHT);
    let convert = ["record", "convert", "game.gcg", "-o", "last.cgp"];
    assert_eq!(run(&folder, &convert).0, 0);
    let position = fs::read_to_string(folder.path().join("last.cgp")).unwrap();
    // Ben is on turn and stands first.
    assert_eq!(
        position,
        "15/15/15/15/15/7F7/7A7/5HORN6/7BO6/15/15/15/15/15/15 / 12/23 0 lex wordnik;\n"
    );
    let convert = ["record", "convert", "game.gcg", "-o", "again.gcg"];
    assert_eq!(run(&folder, &convert).0, 0);
    let again = fs::read_to_string(folder.path().join("again.gcg")).unwrap();
    assert_eq!(again, RIGHT);

    let (status, shown, _) = run(&folder, &["record", "show", "game.gcg"]);
    assert_eq!(status, 0);
    for line in [
        "Anna Smith - Ben Jones",
        "  2  Ben   PASTEOB     9H BO                   +12    12",
        "     a quiet start",
        "  8 = . . ' . H O R N . . ' . . =",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    let first = ["record", "show", "game.gcg", "--move", "1"];
    let (_, shown, _) = run(&folder, &first);
    assert!(!shown.contains("FA.."), "{shown}");
}

/// A rule set as an operator can write it: seven tiles earn 100 points.
const CLUB_NIGHT: &str = "\
id = \"club-night\"
name = \"Club night\"
summary = \"The classic game with a large bonus.\"
base = \"classic\"
[[bingo]]
tiles = 7
bonus = 100
";

/// The native record of a whole game of bots by these rules.
fn played(rules: RuleSet) -> String {
    let (rules, lexicon) = (Arc::new(rules), FstLexicon::builtin());
    let words = lexicon.graphs().unwrap();
    let mut bots = [BotLevel::Club; 2].map(|level| Bot::new(level, Arc::clone(&words)));
    let of = Match {
        options: GameOptions::usual(&rules, lexicon.name()),
        rules: Arc::clone(&rules),
        seed: 3,
    };
    let game = play_game(&of, &*lexicon, &mut bots, |_, _| {}).unwrap();
    native::write(&game.records, Some(&rules)).unwrap()
}

/// The record of an operator's rule set brings the rules along, so a client without a server checks, shows and proves it.
#[test]
fn the_record_of_an_operators_rule_set_contains_the_rules() {
    let text = played(RuleSet::parse(CLUB_NIGHT, "club-night.toml").unwrap());
    assert!(text.contains("\"bonus\":100"), "a play earns the bonus");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("club-night.toml"), CLUB_NIGHT).unwrap();
    let (header, events) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    let mut write = |name: &str, rules: Value| {
        header["rules"] = rules;
        fs::write(folder.path().join(name), format!("{header}\n{events}")).unwrap();
    };
    write("whole.jsonl", CLUB_NIGHT.into());
    write("poor.jsonl", Value::Null);
    write(
        "other.jsonl",
        CLUB_NIGHT.replace("club-night", "other").into(),
    );
    write("broken.jsonl", CLUB_NIGHT.replace("100", "-1").into());
    let commands = [&["record", "check"][..], &["record", "show"], &["verify"]];
    for command in commands {
        let run = |more: &[&str]| run(&folder, &[command, more].concat());
        let (status, said, err) = run(&["whole.jsonl"]);
        assert_eq!(status, 0, "{command:?}: {said}{err}");
        let (status, _, err) = run(&["poor.jsonl"]);
        assert_eq!(status, 2, "{command:?}");
        assert!(
            err.contains("\"club-night\"") && err.contains("--rules FILE"),
            "{err}"
        );
        let (status, said, err) = run(&["poor.jsonl", "--rules", "club-night.toml"]);
        assert_eq!(status, 0, "{command:?}: {said}{err}");
        for (file, says) in [
            ("other.jsonl", "other rules"),
            ("broken.jsonl", "bingo.bonus"),
        ] {
            let (status, _, err) = run(&[file]);
            assert_eq!(status, 2, "{command:?} {file}");
            assert!(err.contains(says), "{err}");
        }
    }
    // A score sheet has no room for rules.
    let convert = ["record", "convert", "whole.jsonl", "-o", "game.gcg"];
    assert_eq!(run(&folder, &convert).0, 0);
    assert_eq!(run(&folder, &["record", "check", "game.gcg"]).0, 2);
    let check = ["record", "check", "game.gcg", "--rules", "club-night.toml"];
    assert_eq!(run(&folder, &check).0, 0);
}

/// A record cannot change the rules of a built-in rule set.
#[test]
fn a_record_with_other_rules_for_a_built_in_rule_set_is_refused() {
    let classic = CLUB_NIGHT.replace("club-night", "classic");
    let text = played(RuleSet::parse(&classic, "classic.toml").unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.jsonl"), text).unwrap();
    let (status, _, err) = run(&folder, &["record", "check", "game.jsonl"]);
    assert_eq!(status, 2, "{err}");
    assert!(
        err.contains("other rules than those of \"classic\""),
        "{err}"
    );
    let check = ["record", "check", "game.jsonl", "--rules", "classic"];
    let (status, said, _) = run(&folder, &check);
    assert_eq!(status, 1, "{said}");
}
