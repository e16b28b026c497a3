//! The clauses of `docs/PROTOCOL.md`: each id once, and none cited that is not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The families of ids, each a part of the document.
const FAMILIES: &[&str] = &[
    "CONN", "MSG", "AUTH", "CMD", "LOBBY", "CRIT", "REMATCH", "INVITE", "GAME", "NUDGE", "ADJ",
    "GIFT", "HINT", "VAC", "RESUME", "EVENT", "SNAP", "CLOCK", "CHAL", "CHAT", "PUSH", "BAG",
    "SEE", "LIM", "ERR", "CLOSE", "VER", "SEC",
];

/// Directories without text of this repository.
const SKIPPED: &[&str] = &["target", ".git", "node_modules"];

#[test]
fn every_clause_has_an_id_of_its_own() {
    let document = fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let mut seen = BTreeSet::new();
    for id in defined(&document) {
        assert!(seen.insert(id.clone()), "{id} stands for two clauses");
    }
    for family in FAMILIES {
        let prefix = format!("P-{family}-");
        assert!(
            seen.iter().any(|id| id.starts_with(&prefix)),
            "no clause is a {prefix}"
        );
    }
}

/// The appendices have clauses for few readers, which are not needed where their numbers would be.
#[test]
fn clauses_come_in_order() {
    let document = fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let (text, appendices) = document.split_once("\n## Appendix").unwrap();
    for part in [text, appendices] {
        for family in FAMILIES {
            let prefix = format!("P-{family}-");
            let numbers = defined(part).filter_map(|id| id.strip_prefix(&prefix)?.parse().ok());
            let numbers: Vec<u32> = numbers.collect();
            assert!(numbers.is_sorted(), "{prefix} come as {numbers:?}");
        }
    }
}

#[test]
fn every_clause_belongs_to_one_level() {
    let document = fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let (_, rest) = document.split_once("<!-- levels begin -->").unwrap();
    let (table, _) = rest.split_once("<!-- levels end -->").unwrap();
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with('|')).skip(2) {
        let cell = row.trim_matches('|').split('|').nth(1).unwrap();
        for entry in cell.trim().split(", ") {
            listed.extend(range(entry));
        }
    }
    let all: BTreeSet<String> = defined(&document).collect();
    let found: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(found, all, "the levels list other clauses");
    assert_eq!(listed.len(), found.len(), "a clause is listed twice");
}

/// The ids of `P-CONN-1 to P-CONN-5`, or of a single clause.
fn range(entry: &str) -> Vec<String> {
    let (first, last) = entry.split_once(" to ").unwrap_or((entry, entry));
    let parts = |id: &str| -> (String, u32) {
        let (family, number) = id.rsplit_once('-').unwrap();
        (family.to_owned(), number.parse().unwrap())
    };
    let ((family, first), (_, last)) = (parts(first), parts(last));
    (first..=last)
        .map(|number| format!("{family}-{number}"))
        .collect()
}

#[test]
fn every_clause_that_is_cited_exists() {
    let document = fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let known: BTreeSet<String> = defined(&document).collect();
    let mut files = Vec::new();
    texts(&root(), &mut files);
    let mut cited = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for id in ids(&text) {
            cited += 1;
            let file = file.display();
            assert!(known.contains(&id), "{file} cites {id}, which is no clause");
        }
    }
    assert!(cited > known.len(), "the files were read");
}

#[test]
fn ids_are_found_wherever_they_stand() {
    let text = "**P-CONN-1** as P-LOBBY-11, XP-CMD-3, P-NEW-4, P-CMD- and `P-SEC-7`.";
    assert_eq!(
        ids(text).collect::<Vec<_>>(),
        ["P-CONN-1", "P-LOBBY-11", "P-SEC-7"]
    );
    assert_eq!(defined(text).collect::<Vec<_>>(), ["P-CONN-1"]);
}

/// The ids of clauses that begin in `text`: those in bold.
fn defined(text: &str) -> impl Iterator<Item = String> {
    text.split("**")
        .filter(|part| ids(part).next().as_deref() == Some(*part))
        .map(str::to_owned)
}

/// The ids of clauses in `text`, in order.
fn ids(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| {
            let mut parts = word.split('-');
            parts.next() == Some("P")
                && parts
                    .next()
                    .is_some_and(|family| FAMILIES.contains(&family))
                && parts.next().is_some_and(|n| n.parse::<u32>().is_ok())
                && parts.next().is_none()
        })
        .map(str::to_owned)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Rust and Markdown files below a directory.
fn texts(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_ref()) {
                texts(&path, found);
            }
        } else if name.ends_with(".rs") || name.ends_with(".md") {
            found.push(path);
        }
    }
}
