//! `tilewire lexicon` as a process: output, written files, exit status.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A directory with files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn lexicon(folder: &TempDir, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilewire"))
        .arg("lexicon")
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Runs it; returns the exit status and stdout.
fn run(folder: &TempDir, args: &[&str]) -> (i32, String) {
    let output = lexicon(folder, args);
    let printed = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), printed)
}

/// Runs it, which must fail; returns the error message.
fn refused(folder: &TempDir, args: &[&str]) -> String {
    let output = lexicon(folder, args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert_eq!(output.stdout, b"", "{args:?}");
    assert!(
        said.starts_with("tilewire: ") && said.lines().count() == 1,
        "{said}"
    );
    said
}

fn json_of(folder: &TempDir, args: &[&str]) -> Value {
    let (_, printed) = run(folder, args);
    serde_json::from_str(&printed).unwrap()
}

/// Names of the files in a folder.
fn files(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const LIST: &[u8] = b"# words\ncat\ndog\r\nAnna\ne-mail\na\ndog\nzo\xc3\xab\n\nx2\n";

#[test]
fn a_word_list_becomes_a_lexicon() {
    let folder = folder(&[("list.txt", LIST)]);
    let (status, report) = run(&folder, &["build", "list.txt", "-o", "mine.fst"]);
    assert_eq!(status, 0);
    for line in [
        "File      mine.fst",
        "Name      mine",
        "Language  english",
        "Words     3",
        "Entries   8 read as UTF-8, 1 of them duplicates",
        "       3  3 words",
        "Left out  1 shorter than 2 tiles: a",
        "Left out  1 capitalised: names, abbreviations: Anna",
        "Left out  1 with a hyphen, an apostrophe, a dot or a space: e-mail",
        "Left out  1 with a non-letter character: x2",
    ] {
        assert!(
            report.lines().any(|found| found == line),
            "{line}\n{report}"
        );
    }
    assert_eq!(files(folder.path()), ["list.txt", "mine.fst"]);
    let (status, words) = run(&folder, &["export", "mine.fst"]);
    assert_eq!((status, words.as_str()), (0, "cat\ndog\nzoe\n"));
}

/// An exported list builds the same bytes again, also in languages with multi-character tiles.
#[test]
fn an_export_builds_the_same_again() {
    let catalan = "pel·lícula\ncol.legi\naquí\nanyada\nplaça\n".as_bytes();
    let spanish = "CHORRO\nLLAMA\nNIÑO\nARROZ\n".as_bytes();
    for (language, list) in [("catalan", catalan), ("spanish", spanish)] {
        let folder = folder(&[("list.txt", list)]);
        let build = |words: &str, output: &str| {
            let args = ["build", words, "-o", output, "--language", language];
            assert_eq!(run(&folder, &args).0, 0);
            fs::read(folder.path().join(output)).unwrap()
        };
        let first = build("list.txt", "first.fst");
        let (_, exported) = run(&folder, &["export", "first.fst"]);
        fs::write(folder.path().join("again.txt"), exported).unwrap();
        assert_eq!(build("again.txt", "second.fst"), first, "{language}");
        let info = json_of(&folder, &["info", "first.fst", "--json"]);
        assert_eq!(info["language"], language);
    }
}

#[test]
fn info_describes_a_lexicon() {
    let folder = folder(&[("list.txt", b"ab\nabc\nabd\n")]);
    run(&folder, &["build", "list.txt", "-o", "mine.fst"]);
    let info = json_of(&folder, &["info", "mine.fst", "--json"]);
    assert_eq!(info["name"], "mine");
    assert_eq!(info["words"], 3);
    assert_eq!(info["by_length"], json!({ "2": 1, "3": 2 }));
    assert_eq!(info["alphabet"].as_array().unwrap().len(), 26);
    // The hash is that of the file.
    let file = fs::read(folder.path().join("mine.fst")).unwrap();
    assert_eq!(info["hash"], HEXLOWER.encode(&Sha256::digest(file)));
    let builtin = json_of(&folder, &["info", "wordnik", "--json"]);
    assert_eq!(
        (&builtin["words"], &builtin["name"]),
        (&json!(198_355), &json!("wordnik"))
    );
    let (status, text) = run(&folder, &["info", "wordnik"]);
    assert_eq!(status, 0);
    assert!(text.contains("Words     198355\n"), "{text}");
    assert!(text.contains(builtin["hash"].as_str().unwrap()), "{text}");
}

#[test]
fn check_reports_each_word_and_an_exit_status() {
    let folder = folder(&[("list.txt", "niño\nchico\n".as_bytes())]);
    run(
        &folder,
        &["build", "list.txt", "-o", "es.fst", "--language", "spanish"],
    );
    let (status, answers) = run(&folder, &["check", "cat", "DOG", "Qi"]);
    assert_eq!(
        (status, answers.as_str()),
        (0, "cat  valid\nDOG  valid\nQi  valid\n")
    );
    let (status, answers) = run(&folder, &["check", "cat", "xyzzy", "e-mail"]);
    assert_eq!(status, 1);
    assert_eq!(
        answers,
        "cat  valid\nxyzzy  not valid\n\
         e-mail  not valid: it has a hyphen, an apostrophe, a dot or a space\n"
    );
    let spanish = ["check", "--json", "--lexicon", "es.fst", "CHICO", "kilo"];
    let (status, answers) = run(&folder, &spanish);
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(status, 1);
    assert_eq!(
        answers,
        [
            json!({ "word": "CHICO", "valid": true, "tiles": ["CH", "I", "C", "O"] }),
            json!({ "word": "kilo", "valid": false, "problem": "no tile shows the character \"K\"" }),
        ]
    );
}

#[test]
fn diff_lists_the_words_of_only_one_lexicon() {
    let folder = folder(&[("a.txt", b"cat\ndog\nemu\n"), ("b.txt", b"dog\ncow\n")]);
    run(&folder, &["build", "a.txt", "-o", "a.fst"]);
    run(&folder, &["build", "b.txt", "-o", "b.fst"]);
    let (status, text) = run(&folder, &["diff", "a.fst", "b.fst"]);
    assert_eq!(status, 1);
    assert_eq!(
        text,
        "1 words in both\n2 only in a.fst\n- cat\n- emu\n1 only in b.fst\n+ cow\n"
    );
    let found = json_of(&folder, &["diff", "a.fst", "b.fst", "--json"]);
    assert_eq!(found["only_a"], json!(["cat", "emu"]));
    assert_eq!(found["only_b"], json!(["cow"]));
    assert_eq!(
        (&found["both"], &found["b"]["words"]),
        (&json!(1), &json!(2))
    );
    let same = run(&folder, &["diff", "wordnik", "wordnik"]);
    assert_eq!(
        same,
        (
            0,
            "198355 words in both\n0 only in wordnik\n0 only in wordnik\n".to_owned()
        )
    );
    run(
        &folder,
        &["build", "a.txt", "-o", "pl.fst", "--language", "polish"],
    );
    assert!(refused(&folder, &["diff", "a.fst", "pl.fst"]).contains("different alphabets"));
}

#[test]
fn word_lists_of_every_form_are_read() {
    let folder = folder(&[
        ("latin.txt", b"stra\xdfe\n\xe4pfel\n"),
        ("defined.txt", b"aa\trough lava\nab a muscle\n"),
        ("nouns.txt", "Haus\ngehen\nlaufen\n".as_bytes()),
        (
            "tiles.toml",
            b"id = 'own'\nlanguage = 'own'\nname = 'Own'\ntotal = 4\npoints = 4\nblanks = 0\n\
              letters = [['A', 2, 1], ['ZZ', 2, 1]]\n",
        ),
        ("own.txt", b"azza\nzz\nzzzz\naz\n"),
    ]);
    let words = |args: &[&str], output: &str| {
        let mut build = vec!["build", "--output", output];
        build.extend(args);
        assert_eq!(run(&folder, &build).0, 0, "{args:?}");
        run(&folder, &["export", output]).1
    };
    let german = words(&["latin.txt", "--language", "german"], "latin.fst");
    assert_eq!(german, "äpfel\nstrasse\n");
    assert_eq!(
        words(&["defined.txt", "--first-column"], "defined.fst"),
        "aa\nab\n"
    );
    let nouns = ["nouns.txt", "--language", "german", "--keep-capitalised"];
    assert_eq!(words(&nouns, "nouns.fst"), "gehen\nhaus\nlaufen\n");
    assert_eq!(
        words(&["own.txt", "--tiles", "tiles.toml"], "own.fst"),
        "azza\nzzzz\n"
    );
    let (_, checked) = run(&folder, &["check", "--lexicon", "own.fst", "ZZZZ"]);
    assert_eq!(checked, "ZZZZ  valid\n");
}

#[test]
fn a_word_list_can_come_from_stdin() {
    let folder = folder(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilewire"))
        .args(["lexicon", "build", "-", "-o", "piped.fst", "--json"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LIST).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["words"], 3);
    assert_eq!(report["entries"], 8);
    assert_eq!(report["duplicates"], 1);
    assert_eq!(report["encoding"], "UTF-8");
    assert_eq!(
        report["left_out"][1],
        json!({ "reason": "capitalised", "count": 1, "examples": ["Anna"] })
    );
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let folder = folder(&[("list.txt", LIST), ("mine.fst", b"precious")]);
    let build = ["build", "list.txt", "-o", "mine.fst"];
    assert!(refused(&folder, &build).contains("--force"));
    // A failed build does not replace the file.
    let empty = ["build", "empty.txt", "-o", "mine.fst", "--force"];
    fs::write(folder.path().join("empty.txt"), "a\ne-mail\n").unwrap();
    let said = refused(&folder, &empty);
    assert!(said.contains("no words in 2 entries; 1 shorter"), "{said}");
    assert_eq!(
        fs::read(folder.path().join("mine.fst")).unwrap(),
        b"precious"
    );
    assert_eq!(run(&folder, &[&build[..], &["--force"]].concat()).0, 0);
    assert_eq!(run(&folder, &["export", "mine.fst"]).1, "cat\ndog\nzoe\n");
    assert_eq!(files(folder.path()), ["empty.txt", "list.txt", "mine.fst"]);
}

/// Files whose content does not match their names.
const BAD: &[(&str, &[u8])] = &[
    ("binary.txt", b"cat\0dog"),
    ("empty.fst", b""),
    ("empty.txt", b""),
    ("list.txt", LIST),
    ("sixteen.txt", b"\xff\xfec\0a\0t\0"),
    ("text.fst", LIST),
    (
        "tiles.toml",
        b"id = 'own'\nlanguage = 'own'\nname = 'Own'\ntotal = 2\npoints = 5\nblanks = 0\n\
          letters = [['A', 2, 1]]\n",
    ),
];

#[test]
fn an_invalid_word_list_is_named_and_leaves_no_file() {
    let folder = folder(BAD);
    for (list, output, more, says) in [
        ("binary.txt", "x.fst", &[][..], "binary.txt: it is not text"),
        ("sixteen.txt", "x.fst", &[], "UTF-16"),
        ("empty.txt", "x.fst", &[], "no words in 0 entries"),
        ("none.txt", "x.fst", &[], "cannot read none.txt"),
        (".", "x.fst", &[], "cannot read ."),
        ("list.txt", "x.txt", &[], "is NAME.fst"),
        ("list.txt", "My List.fst", &[], "is NAME.fst"),
        ("list.txt", "no/such/x.fst", &[], "cannot write"),
        (
            "list.txt",
            "x.fst",
            &["--language", "klingon"],
            "english, catalan",
        ),
        (
            "list.txt",
            "x.fst",
            &["--tiles", "tiles.toml"],
            "tiles.points",
        ),
    ] {
        let said = refused(&folder, &[&["build", list, "-o", output], more].concat());
        assert!(said.contains(says), "{list} {more:?}: {said}");
    }
    let names: Vec<&str> = BAD.iter().map(|(name, _)| *name).collect();
    assert_eq!(files(folder.path()), names);
    // Wrong flags are for clap to refuse, with the same status.
    let neither = lexicon(&folder, &["build", "list.txt"]);
    assert_eq!(neither.status.code(), Some(2));
}

#[test]
fn an_invalid_lexicon_is_named() {
    let folder = folder(BAD);
    run(&folder, &["build", "list.txt", "-o", "mine.fst"]);
    let bytes = fs::read(folder.path().join("mine.fst")).unwrap();
    fs::write(folder.path().join("cut.fst"), &bytes[..bytes.len() - 9]).unwrap();
    for (args, says) in [
        (&["info", "cut.fst"][..], "cut.fst is not a lexicon"),
        (&["info", "empty.fst"], "empty.fst is not a lexicon"),
        (&["info", "text.fst"], "text.fst is not a lexicon"),
        (&["info", "none.fst"], "cannot read none.fst"),
        (
            &["info", "enable"],
            "unknown lexicon \"enable\"; the built-in lexicon is \"wordnik\"",
        ),
        (
            &["check", "--lexicon", "cut.fst", "cat"],
            "cut.fst is not a lexicon",
        ),
        (&["diff", "wordnik", "cut.fst"], "cut.fst is not a lexicon"),
        (&["export", "list.txt"], "is NAME.fst"),
    ] {
        let said = refused(&folder, args);
        assert!(said.contains(says), "{args:?}: {said}");
    }
}
