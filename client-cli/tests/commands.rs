//! All commands without a server as processes: `--json`, pipes, overwriting, completion scripts and man pages.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilewire");

const SHEET: &str = "\
#character-encoding UTF-8
#player1 Anna Anna Smith
#player2 Ben Ben Jones
>Anna: HORNFAM 8F HORN +14 14
>Ben: AB -AB +0 0
>Anna: (Z) +20 34
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.gcg"), SHEET).unwrap();
    let opening: Vec<&str> = SHEET.lines().take(4).collect();
    fs::write(folder.path().join("opening.gcg"), opening.join("\n")).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn success(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every line of stdout is a JSON object, and there is at least one.
#[test]
fn every_result_is_json_with_the_flag() {
    let folder = folder();
    for args in [
        &["record", "check", "opening.gcg"][..],
        &["record", "show", "game.gcg"],
        &["record", "convert", "game.gcg", "-o", "last.cgp"],
        &["lexicon", "info", "wordnik"],
        &["lexicon", "check", "horn"],
        &["lexicon", "diff", "wordnik", "wordnik"],
        &["lexicon", "export", "wordnik"],
        &["bot-match", "beginner", "beginner", "--games", "2"],
        &[
            "bot-train",
            "--rounds",
            "1",
            "--games",
            "1",
            "-o",
            "leaves.toml",
        ],
    ] {
        let printed = success(folder.path(), &[args, &["--json"]].concat());
        assert!(!printed.is_empty(), "{args:?}");
        for line in printed.lines().take(100) {
            let value: Value = serde_json::from_str(line).unwrap_or_default();
            assert!(value.is_object(), "{args:?}: {line}");
        }
    }
    let shown = success(folder.path(), &["record", "show", "game.gcg", "--json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["events"][0]["position"], "8F");
    assert_eq!(shown["events"][2]["total"], 34);
    assert_eq!(shown["board"][7][5], "H");
}

#[test]
fn a_file_is_replaced_only_with_force() {
    let folder = folder();
    for command in [
        &["record", "convert", "game.gcg", "-o", "out.cgp"][..],
        &["record", "fetch", "G4MEID", "-o", "out.cgp"],
        &[
            "bot-train",
            "--rounds",
            "1",
            "--games",
            "1",
            "-o",
            "out.cgp",
        ],
    ] {
        fs::write(folder.path().join("out.cgp"), "mine").unwrap();
        let output = run(folder.path(), command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_ne!(output.status.code(), Some(0), "{command:?}");
        assert!(
            said.contains("out.cgp already exists; use --force to replace it"),
            "{command:?}: {said}"
        );
        let kept = fs::read_to_string(folder.path().join("out.cgp")).unwrap();
        assert_eq!(kept, "mine", "{command:?}");
    }
    let convert = ["record", "convert", "game.gcg", "-o", "out.cgp", "--force"];
    success(folder.path(), &convert);
    let written = fs::read_to_string(folder.path().join("out.cgp")).unwrap();
    assert!(written.contains("HORN"), "{written}");
}

#[test]
fn a_record_can_be_written_to_stdout() {
    let folder = folder();
    let convert = ["record", "convert", "game.gcg", "--to", "gcg", "-o", "-"];
    assert_eq!(success(folder.path(), &convert), SHEET);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let folder = folder();
    for args in [
        &["lexicon", "export", "wordnik"][..],
        &["lexicon", "export", "wordnik", "--json"],
        &["record", "show", "game.gcg"],
        &["record", "show", "game.gcg", "--json"],
        &["record", "check", "game.gcg"],
        &["record", "check", "game.gcg", "--json"],
        &["record", "convert", "game.gcg", "--to", "gcg", "-o", "-"],
        &["bot-match", "beginner", "club", "--games", "2"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ] {
        let mut child = Command::new(PROGRAM)
            .args(args)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}: {said}");
        assert_eq!(said, "", "{args:?}");
    }
}

#[test]
fn the_program_prints_completion_scripts_and_man_pages() {
    let folder = folder();
    for (shell, says) in [
        ("bash", "complete -F _tilewire"),
        ("zsh", "#compdef tilewire"),
        ("fish", "complete -c tilewire"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[tilewire]"),
    ] {
        let script = success(folder.path(), &["completions", shell]);
        assert!(script.contains(says), "{shell}");
        for word in ["bot-match", "profile", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = success(folder.path(), &["man"]);
    assert!(page.contains(".TH tilewire 1"), "{page}");
    success(folder.path(), &["man", "-o", "man1"]);
    let pages = fs::read_dir(folder.path().join("man1")).unwrap();
    let mut names: Vec<String> = pages
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in ["tilewire.1", "tilewire-play.1", "tilewire-record-show.1"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
}

/// Bash itself completes commands and flags with the script.
#[test]
fn bash_completes_with_the_printed_script() {
    let folder = folder();
    let script = success(folder.path(), &["completions", "bash"]);
    fs::write(folder.path().join("completions.bash"), script).unwrap();
    let complete = "\
source ./completions.bash
COMP_WORDS=(tilewire pl); COMP_CWORD=1; _tilewire tilewire pl tilewire; echo \"${COMPREPLY[*]}\"
COMP_WORDS=(tilewire play --res); COMP_CWORD=2; _tilewire tilewire --res play; echo \"${COMPREPLY[*]}\"
";
    let output = Command::new("bash")
        .args(["-c", complete])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, "play\n--resume\n", "{:?}", output.stderr);
}

#[test]
fn the_totals_of_a_score_sheet_are_explained() {
    let folder = folder();
    let shown = success(folder.path(), &["record", "show", "game.gcg"]);
    assert!(
        shown.contains("counts the unplayed tiles twice for Anna")
            && shown.contains("both totals are 10 above the final scores"),
        "{shown}"
    );
    let start = ["record", "show", "game.gcg", "--move", "1"];
    assert!(!success(folder.path(), &start).contains("twice"));
}

#[test]
fn a_match_of_equal_bots_says_that_its_games_repeat() {
    let folder = folder();
    let play = |args: &[&str]| {
        let args = [&["bot-match"], args, &["--games", "4"]].concat();
        success(folder.path(), &args)
    };
    let equal = play(&["club", "club"]);
    assert!(
        equal.contains("the bots are equal") && equal.contains("so 2 games are different"),
        "{equal}"
    );
    assert!(!equal.contains("confidence"), "{equal}");
    let clear = play(&["expert", "beginner"]);
    let line = clear.lines().find(|line| line.contains("confidence"));
    let line = line.unwrap_or_default();
    assert!(line.contains("wins 100.0 %"), "{clear}");
    assert!(!line.contains("100.0 to 100.0"), "{clear}");
    assert!(!clear.contains("the bots are equal"), "{clear}");
}
