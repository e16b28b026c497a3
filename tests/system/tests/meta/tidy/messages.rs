//! Messages show no types of Rust: no text that a client, a player or an operator can read is made with `{:?}`.

use std::fs;
use std::path::Path;

use super::sources;
use tilewire_harness::binaries::workspace;

/// The programs and their crates.
const PROGRAMS: [&str; 4] = ["server", "rules/src", "protocol/src", "client-cli"];

/// The macros whose texts only developers read: faults of the program, and the log.
const FOR_DEVELOPERS: [&str; 13] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "panic",
    "unreachable",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "trace_span",
];

/// Parts of the names of files and folders that hold tests, or write code.
const NO_PROGRAM: [&str; 7] = [
    "tests",
    "test",
    "simulation",
    "contract",
    "examples",
    "benches",
    "build",
];

#[test]
fn no_message_shows_a_type_of_rust() {
    let (mut found, mut read) = (Vec::new(), 0);
    for file in PROGRAMS.iter().flat_map(|folder| sources(folder)) {
        let name = file.strip_prefix(workspace()).expect("in the workspace");
        if is_no_program(name) {
            continue;
        }
        read += 1;
        let text = fs::read_to_string(&file).expect("readable");
        for line in shown_as_debug(&text) {
            found.push(format!("{}:{line}", name.display()));
        }
    }
    assert!(read > 500, "only {read} sources were read");
    assert!(
        found.is_empty(),
        "write `quoted(…)` for texts, and words for the rest:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_macro_around_a_text_decides() {
    for (text, lines) in [
        ("let text = format!(\"turn {turn:?}\");", &[1][..]),
        ("#[error(\n    \"held until {until:?}\"\n)]", &[2]),
        ("write!(f, \"{:#?}\", self.0)", &[1]),
        ("bail!(\"{name:?}: {}\", reason())", &[1]),
        ("assert!(is_sound(), \"{found:?}\");", &[]),
        ("tracing::warn!(%error, \"{found:?}\");", &[]),
        ("panic!(\"{}: {found:?}\", name());", &[]),
        ("// as `{:?}` shows it", &[]),
        (
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() -> String { format!(\"{c:?}\") }\n}",
            &[],
        ),
    ] {
        assert_eq!(shown_as_debug(text), lines, "{text}");
    }
}

/// Says whether a file holds tests, or code that runs in builds only.
fn is_no_program(file: &Path) -> bool {
    file.iter().any(|part| {
        let part = part.to_string_lossy();
        let mut words = part.trim_end_matches(".rs").split('_');
        words.any(|word| NO_PROGRAM.contains(&word))
    })
}

/// Returns the lines in which a text for readers shows a value with `{:?}`.
fn shown_as_debug(text: &str) -> Vec<usize> {
    // Tests are the last part of a file.
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let text = &text[..end];
    let marks = text.match_indices(":?}").chain(text.match_indices(":#?}"));
    let shown = marks.filter(|(at, _)| {
        let before = &text[..*at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        !line.trim_start().starts_with("//") && !FOR_DEVELOPERS.contains(&macro_around(before))
    });
    let mut lines: Vec<usize> = shown
        .map(|(at, _)| text[..at].matches('\n').count() + 1)
        .collect();
    lines.dedup();
    lines
}

/// Returns the name of the macro that was opened last.
fn macro_around(before: &str) -> &str {
    let Some(bang) = before.rfind("!(") else {
        return "";
    };
    let mut words = before[..bang].rsplit(|c: char| !c.is_alphanumeric() && c != '_');
    words.next().unwrap_or_default()
}
