//! The page: its modules by themselves, against the rules, and in a browser with a real server.
//!
//! The tests themselves are in `tests/web`, in JavaScript. `tests/run tools` installs what they need.

mod browser;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tilewire_harness::binaries;
use tilewire_system::page_vectors;

/// Games of each rule set that are compared event by event: more than 500 in all.
const GAMES_OF_EACH: usize = 100;
/// Plays of each rule set in each language whose scores are compared: more than 100,000 in all.
const PLAYS_OF_EACH: usize = 6_000;

/// Every file of tests takes less than two minutes; a test that hangs does not hold up the others for ever.
const NODE_WITHIN: &str = "10m";

/// Longer files hold more than one concept.
const MAX_LINES: usize = 400;
/// The names that the modules of a folder may not use. Pure modules get time and randomness as arguments.
const FORBIDDEN: [(&str, &[&str]); 6] = [
    ("model", PURE),
    ("play", PURE),
    ("bag", PURE),
    (
        "wire",
        &[
            "'../model/",
            "'../play/",
            "'../view/",
            "'../page/",
            "document.",
            "innerHTML",
        ],
    ),
    (
        "view",
        &[
            "'../wire/",
            "'../page/",
            "WebSocket",
            "fetch(",
            "innerHTML",
            "outerHTML",
        ],
    ),
    (
        "input",
        &["'../wire/", "'../page/", "WebSocket", "fetch(", "innerHTML"],
    ),
];
const PURE: &[&str] = &[
    "document.",
    "Date.now",
    "performance.",
    "Math.random",
    "localStorage",
    "setTimeout",
    "WebSocket",
    "fetch(",
    "'../wire/",
    "'../view/",
    "'../page/",
    "'../store/",
    "'../input/",
];

fn directory() -> PathBuf {
    binaries::workspace().join("tests/web")
}

/// Runs node in `tests/web`.
fn node(args: &[&str], variables: &[(&str, &Path)]) {
    let mut command = Command::new("timeout");
    command
        .args(["--kill-after=10s", NODE_WITHIN, "node"])
        .args(args)
        .current_dir(directory());
    for (name, value) in variables {
        command.env(name, value);
    }
    let status = command
        .status()
        .expect("node runs; `tests/run tools` installs it");
    let too_long = match status.code() {
        Some(124 | 137) => "; it was stopped because it took too long",
        _ => "",
    };
    assert!(
        status.success(),
        "node {}: {status}{too_long}",
        args.first().expect("a command")
    );
}

/// Returns the files of tests in a folder below `tests/web`, without their extension.
fn test_files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(directory().join(folder)).expect("the folder");
    let names = entries.map(|entry| entry.expect("a file").file_name().into_string());
    let names = names.map(|name| name.expect("a plain name"));
    let mut files: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".test.mjs")?.to_owned()))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no tests in {folder}");
    files
}

/// Runs tests below `tests/web`, two files at a time.
fn run_tests(files: &[String], variables: &[(&str, &Path)]) {
    // This reporter tells all failures once more at its end.
    let mut args = vec!["--test", "--test-concurrency=2", "--test-reporter=spec"];
    args.extend(files.iter().map(String::as_str));
    node(&args, variables);
}

/// The files of the page with an extension, and their texts.
fn sources(folder: &Path, extension: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            let text = fs::read_to_string(&path).expect("readable");
            found.push((path, text));
        }
    }
    found
}

fn page() -> PathBuf {
    binaries::workspace().join("server/web")
}

#[test]
fn every_file_states_its_purpose_and_is_short() {
    let scripts = sources(&page().join("src"), "js");
    let styles = sources(&page().join("style"), "css");
    assert!(
        scripts.len() > 20 && styles.len() > 3,
        "the files were read"
    );
    for (path, text) in scripts.iter().chain(&styles) {
        let is_stated = text.starts_with("// ") || text.starts_with("/* ");
        assert!(is_stated, "{} does not state its purpose", path.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn the_modules_keep_to_their_folders() {
    for (folder, forbidden) in FORBIDDEN {
        for (path, text) in sources(&page().join("src").join(folder), "js") {
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with(['*', '/']));
            for line in code {
                let word = forbidden.iter().find(|word| line.contains(**word));
                assert!(word.is_none(), "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn the_types_of_the_modules_agree() {
    node(&["node_modules/typescript/bin/tsc", "--project", "."], &[]);
}

#[test]
fn the_modules_do_what_they_say() {
    let files = test_files(".");
    let files: Vec<String> = files
        .iter()
        .map(|file| format!("{file}.test.mjs"))
        .collect();
    run_tests(&files, &[]);
}

#[test]
fn the_page_folds_and_scores_as_the_rules_do() {
    let vectors = tempfile::tempdir().expect("a temporary directory");
    let games = page_vectors::write_games(vectors.path(), GAMES_OF_EACH).expect("a disk");
    assert!(games >= 500, "{games} games");
    let plays = page_vectors::write_scores(vectors.path(), PLAYS_OF_EACH).expect("a disk");
    assert!(plays >= 100_000, "{plays} plays");
    node(
        &["--test", "vectors.mjs"],
        &[("TILEWIRE_VECTORS", vectors.path())],
    );
}
