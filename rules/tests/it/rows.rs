//! Every row of the rule sheets in `docs/rules.md` has a test and names rules that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const RULES: &str = include_str!("../../../docs/rules.md");
/// Cases that `sequences.rs` plays; each names its rows.
const CASES: &str = include_str!("../data/sequences.toml");

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

/// The words of a text that can be row ids.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with("00"))
}

/// The rows that the tests of a source file name: only the doc comment of a test function counts.
fn rows_of_tests(source: &str) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    let (mut comment, mut is_test) = (String::new(), false);
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            comment.push_str(text);
            comment.push('\n');
        } else if line.starts_with("#[") {
            is_test |= line == "#[test]";
        } else {
            if is_test && line.starts_with("fn ") {
                rows.extend(ids(&comment).map(str::to_owned));
            }
            comment.clear();
            is_test = false;
        }
    }
    rows
}

/// The rows that the cases of a data file name.
fn rows_of_cases(data: &str) -> BTreeSet<String> {
    let table: toml::Table = data.parse().unwrap();
    let cases = table["case"].as_array().unwrap().iter();
    let rows = cases.flat_map(|case| case["rows"].as_array().unwrap());
    rows.map(|row| row.as_str().unwrap().to_owned()).collect()
}

/// The rows that any test of this crate names.
fn tested() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rows = rows_of_cases(CASES);
    let mut open = vec![root.join("tests/it"), root.join("src/game/tests")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                rows.extend(rows_of_tests(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    rows
}

#[test]
fn every_row_has_a_test() {
    let (origins, tested) = (origins(), tested());
    let ids: Vec<&String> = origins.iter().flat_map(|(rows, _)| rows).collect();
    assert!(ids.len() > 90, "the table is there: {} rows", ids.len());
    for (index, id) in ids.iter().enumerate() {
        assert!(tested.contains(*id), "no test names {id}");
        assert!(!ids[..index].contains(id), "{id} is listed twice");
    }
}

/// A row that only speaks of placing and scoring is a fact, so it is a case in the data.
#[test]
fn every_row_on_placing_and_scoring_has_a_case() {
    let cases = rows_of_cases(CASES);
    let is_fact = |rule: &String| rule.starts_with("R-PLAY-") || rule.starts_with("R-SCORE-");
    let mut count = 0;
    for (rows, _) in origins()
        .iter()
        .filter(|(_, rules)| rules.iter().all(is_fact))
    {
        for row in rows {
            assert!(cases.contains(row), "no case for {row}");
            count += 1;
        }
    }
    assert!(count > 50, "the table is there: {count} rows");
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

/// Lists of rows, helpers and the bodies of tests name rows too, but test nothing.
#[test]
fn only_the_comment_of_a_test_counts() {
    let source = "\
        //! 00-heading\n\
        /// A list: 00-list.\n\
        const ROWS: &str = \"00-value\";\n\
        /// 00-helper: a function that is no test.\n\
        fn helper() {}\n\
        /// 00-one, 00-two:\n\
        /// 00-three.\n\
        #[test]\n\
        fn a_test() {\n\
            // 00-body\n\
            let row = \"00-text\";\n\
        }\n";
    let rows: Vec<String> = rows_of_tests(source).into_iter().collect();
    assert_eq!(rows, ["00-one", "00-three", "00-two"]);
}
