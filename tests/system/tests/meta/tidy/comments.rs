//! Comments say what a thing is or does; none opens with a question word.

use std::fs;
use std::path::{Path, PathBuf};

use tilewire_harness::binaries::workspace;

/// Words that no comment opens with.
const WORDS: [&str; 4] = ["What", "Who", "Whom", "Whose"];

/// Folders without sources of ours: repositories, builds, installed packages, and inputs of tests.
const SKIPPED: [&str; 8] = [
    ".git",
    "target",
    "node_modules",
    "venv",
    "__pycache__",
    "tests/corpora",
    "tests/fixtures",
    "fuzz/found",
];

/// The marks that begin a line of a comment in a file of this kind. `None`: the file is no source.
fn marks(extension: &str) -> Option<&'static [&'static str]> {
    Some(match extension {
        "rs" | "js" | "mjs" => &["///", "//!", "//", "/**", "/*"],
        "css" => &["/**", "/*"],
        "py" => &["#", "\"\"\"", "'''"],
        "sh" => &["#"],
        _ => return None,
    })
}

#[test]
fn no_comment_opens_with_what_or_who() {
    let mut found = Vec::new();
    let files = sources(workspace());
    assert!(files.len() > 100, "only {} sources were read", files.len());
    for (file, marks) in files {
        let text = fs::read_to_string(&file).expect("readable");
        let name = file.strip_prefix(workspace()).expect("in the workspace");
        for (line, number) in text.lines().zip(1..) {
            if opens_with_a_question_word(line, marks) {
                found.push(format!("{}:{number}: {}", name.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_place_of_a_comment_is_read() {
    for word in WORDS {
        let found = |line: &str, extension: &str| {
            let line = line.replace('~', word);
            let marks = marks(extension).expect("a source");
            assert!(opens_with_a_question_word(&line, marks), "{line}");
        };
        found("//! ~ comes next.", "rs");
        found("    /// ~.", "rs");
        found("    let next = 1; // ~ comes next.", "rs");
        found("/** ~ comes next. */", "mjs");
        found(" * ~ comes next.", "js");
        found("p { margin: 0 } /* ~ comes next */", "css");
        found("    \"\"\"~ comes next.\"\"\"", "py");
        found("next = 1  # ~ comes next.", "py");
        found("#~ comes next.", "sh");
    }
    for line in [
        "/// Whatever comes next.",
        "/// The next one. What is it?",
        "let next = \"What comes next\";",
        "let next = What::new();",
        "let address = \"https://example.org/ What\";",
    ] {
        let marks = marks("rs").expect("a source");
        assert!(!opens_with_a_question_word(line, marks), "{line}");
    }
}

/// Says whether a comment in this line, or a line of one, opens with one of the words. A mark counts at the beginning of a line
/// and behind a space.
fn opens_with_a_question_word(line: &str, marks: &[&str]) -> bool {
    let is_block = marks.contains(&"/*");
    let of_block = line.trim_start().strip_prefix('*').filter(|_| is_block);
    let of_marks = marks.iter().flat_map(|mark| {
        let places = line.match_indices(mark);
        let places = places.filter(|(at, _)| *at == 0 || line[..*at].ends_with([' ', '\t']));
        places.map(|(at, found)| &line[at + found.len()..])
    });
    of_block.into_iter().chain(of_marks).any(|comment| {
        let is_end = |c: char| !c.is_ascii_alphabetic();
        let first = comment.trim_start().split(is_end).next();
        first.is_some_and(|first| WORDS.contains(&first))
    })
}

/// Returns the sources below a folder, each with the marks of its comments.
fn sources(folder: &Path) -> Vec<(PathBuf, &'static [&'static str])> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if SKIPPED.iter().any(|skipped| path.ends_with(skipped)) {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if let Some(marks) = path
            .extension()
            .and_then(|extension| marks(&extension.to_string_lossy()))
        {
            found.push((path, marks));
        }
    }
    found
}
