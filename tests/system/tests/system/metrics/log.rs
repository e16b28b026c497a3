//! The fields of the log, and their document.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use tilewire_harness::binaries::workspace;
use tilewire_harness::server::Server;
use tilewire_system::imports::rust_files;

use super::{play, read};

/// The fields in the table of the document of the log.
fn documented_fields() -> BTreeSet<String> {
    let document = read(&workspace().join("docs/logs.md"));
    let (_, table) = document.split_once("## Fields").expect("the table");
    let cells = table.lines().filter_map(|line| line.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

/// The arguments of a call, from behind the parenthesis that opens it.
fn arguments(text: &str) -> Vec<String> {
    let (mut depth, mut is_text) = (1, false);
    let mut found = vec![String::new()];
    for char in text.chars() {
        is_text ^= char == '"';
        match char {
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth -= 1,
            _ => {}
        }
        match char {
            _ if depth == 0 => break,
            ',' if depth == 1 && !is_text => found.push(String::new()),
            _ => found.last_mut().expect("there is one").push(char),
        }
    }
    found
}

/// The names of the fields in the entries that a source writes.
fn fields_of(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next();
    let mut found = BTreeSet::new();
    for level in ["error", "warn", "info", "debug", "trace"] {
        let start = format!("tracing::{level}!(");
        for call in code.unwrap_or_default().split(&start).skip(1) {
            let arguments = arguments(call);
            let names = arguments.iter().map(|argument| {
                let name = argument.split('=').next().unwrap_or_default();
                name.trim().trim_start_matches(['%', '?']).to_owned()
            });
            found.extend(names.filter(|name| !name.is_empty() && !name.starts_with('"')));
        }
    }
    found
}

#[test]
fn the_fields_of_an_entry_are_found() {
    let check = |code: &str, expected: &[&str]| {
        let found = fields_of(code);
        assert!(found.iter().eq(expected.iter()), "{code}: {found:?}");
    };
    check("tracing::info!(\"done\");", &[]);
    check(
        "tracing::warn!(%error, a = b.0, \"x, y\");",
        &["a", "error"],
    );
    check(
        "tracing::debug!(\n game = f(1, [2, 3]),\n ?why,\n \"no (\",\n);\nlater(x, y)",
        &["game", "why"],
    );
    check(
        "#[cfg(test)]\nmod tests { tracing::info!(x = 1, \"y\"); }",
        &[],
    );
}

#[test]
fn the_document_has_the_fields_of_the_log() {
    let sources = rust_files(&workspace().join("server"));
    let is_test = |path: &PathBuf| {
        let path = path.strip_prefix(workspace()).expect("it is below");
        path.to_string_lossy().ends_with("tests.rs") || path.iter().any(|part| part == "tests")
    };
    let sources = sources.iter().filter(|path| !is_test(path));
    let mut written: BTreeSet<String> = sources.flat_map(|path| fields_of(&read(path))).collect();
    assert!(written.len() > 40, "{written:?}");
    // The library adds these to every entry.
    written.extend(["timestamp", "level", "target", "message"].map(str::to_owned));
    assert_eq!(documented_fields(), written);
}

#[test]
fn entries_of_the_log_have_documented_fields() {
    let server = Server::start("[log]\nfilter = \"debug\"\n");
    play(&server);
    server.until_logged("a game ended");
    let documented = documented_fields();
    let log = server.log();
    // The last line may still be written.
    let whole = log.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut ours = 0;
    for line in whole.lines() {
        let entry: Value = serde_json::from_str(line).expect("every line is JSON");
        let entry = entry.as_object().expect("an object");
        for name in ["timestamp", "level", "target", "message"] {
            assert!(entry[name].is_string(), "{line}");
        }
        if entry["target"]
            .as_str()
            .is_some_and(|target| target.starts_with("tilewire_"))
        {
            ours += 1;
            let unknown = entry.keys().find(|name| !documented.contains(*name));
            assert_eq!(unknown, None, "{line}");
        }
    }
    assert!(ours > 5, "{log}");
}
