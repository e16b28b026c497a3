//! Every row of the rule sheets in `docs/rules.md` is cited by a test and names rules that exist.

use std::fs;
use std::path::Path;

const RULES: &str = include_str!("../../../docs/rules.md");

/// The cells of the table of origins: row ids, and the rules they became.
fn origins() -> Vec<(Vec<String>, Vec<String>)> {
    let (_, origin) = RULES.split_once("## Origin of the rules").unwrap();
    let rows = origin
        .lines()
        .filter(|line| line.starts_with("| 00"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            assert_eq!(cells.len(), 3, "{line}");
            let items = |cell: &str| {
                cell.split(", ")
                    .flat_map(|item| item.split(" to "))
                    .map(|item| item.trim().to_owned())
                    .collect()
            };
            (items(cells[0]), items(cells[1]))
        });
    rows.collect()
}

/// The text of every test: sources and data.
fn tests() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    let mut open = vec![
        root.join("tests/it"),
        root.join("tests/data"),
        root.join("src/game/tests"),
    ];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "toml") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}

/// Whether `id` stands in the text by itself, not as the beginning of a longer id.
fn names(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let next = text[at + id.len()..].chars().next();
        !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

#[test]
fn every_row_has_a_test() {
    let (origins, tests) = (origins(), tests());
    let ids: Vec<&String> = origins.iter().flat_map(|(rows, _)| rows).collect();
    assert!(ids.len() > 90, "the table is there: {} rows", ids.len());
    for (index, id) in ids.iter().enumerate() {
        assert!(names(&tests, id), "no test names {id}");
        assert!(!ids[..index].contains(id), "{id} is listed twice");
    }
}

#[test]
fn every_row_names_rules_that_exist() {
    for (rows, rules) in origins() {
        for rule in rules {
            let stated = RULES.contains(&format!("**{rule}** "));
            assert!(stated, "{rows:?}: {rule} is not stated");
        }
    }
}
