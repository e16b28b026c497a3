//! The table of `docs/PROTOCOL.md` that says which events a cause has, and in which order, holds for random games.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tilewire_oracle::Records;

use tilewire_oracle::walk::{Walk, walks};

/// How often a part of a sequence comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Times {
    Once,
    AtMostOnce,
    Any,
}

/// One part: a kind of event, or another row by its name.
#[derive(Debug, Clone)]
struct Part {
    name: String,
    is_row: bool,
    times: Times,
}

/// The rows by their cause: alternatives, each a sequence of parts.
#[derive(Debug)]
struct Table(BTreeMap<String, Vec<Vec<Part>>>);

impl Table {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PROTOCOL.md");
        let text = fs::read_to_string(path).expect("the document of the protocol");
        let (_, rest) = text.split_once("<!-- sequences begin -->").expect("a mark");
        let (table, _) = rest.split_once("<!-- sequences end -->").expect("a mark");
        let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
        let rows = rows.map(|row| {
            let mut cells = row.trim_matches('|').split('|');
            let mut cell = || cells.next().expect("two cells").trim();
            (cell().to_owned(), sequences(cell()))
        });
        Self(rows.collect())
    }

    /// The sequences of the row whose cause begins with a name such as `*close*`.
    fn named(&self, name: &str) -> &[Vec<Part>] {
        let name = format!("*{name}*");
        let row = self.0.iter().find(|(cause, _)| cause.starts_with(&name));
        row.map(|(_, sequences)| sequences.as_slice())
            .unwrap_or_else(|| panic!("there is no row {name}"))
    }

    /// Where a sequence that begins at `from` can end.
    fn ends(&self, sequence: &[Part], kinds: &[String], from: usize) -> BTreeSet<usize> {
        sequence
            .iter()
            .fold(BTreeSet::from([from]), |starts, part| {
                let mut ends = BTreeSet::new();
                for start in starts {
                    if part.times != Times::Once {
                        ends.insert(start);
                    }
                    let mut open = self.part_ends(part, kinds, start);
                    while let Some(end) = open.pop_first() {
                        if ends.insert(end) && part.times == Times::Any {
                            open.extend(self.part_ends(part, kinds, end));
                        }
                    }
                }
                ends
            })
    }

    fn part_ends(&self, part: &Part, kinds: &[String], from: usize) -> BTreeSet<usize> {
        if part.is_row {
            let sequences = self.named(&part.name).iter();
            return sequences
                .flat_map(|sequence| self.ends(sequence, kinds, from))
                .collect();
        }
        let is_so = kinds.get(from) == Some(&part.name);
        is_so.then_some(from + 1).into_iter().collect()
    }

    /// Whether events are some rows, one behind the other.
    fn explains(&self, kinds: &[String]) -> bool {
        let mut reached = BTreeSet::from([0]);
        let mut open = reached.clone();
        while let Some(from) = open.pop_first() {
            let rows = self.0.iter().filter(|(cause, _)| !cause.starts_with('*'));
            for sequence in rows.flat_map(|(_, sequences)| sequences) {
                let ends = self.ends(sequence, kinds, from);
                open.extend(ends.iter().filter(|end| reached.insert(**end)));
            }
        }
        reached.contains(&kinds.len())
    }
}

/// Reads a cell such as "*close*?, **`passed`**, *next*".
fn sequences(cell: &str) -> Vec<Vec<Part>> {
    let part = |text: &str| {
        let text = text.replace("**", "");
        let (text, times) = match (text.strip_suffix('?'), text.strip_suffix('…')) {
            (Some(text), _) => (text, Times::AtMostOnce),
            (_, Some(text)) => (text, Times::Any),
            (None, None) => (text.as_str(), Times::Once),
        };
        Part {
            name: text.trim_matches(['*', '`']).to_owned(),
            is_row: text.starts_with('*'),
            times,
        }
    };
    cell.split(" or ")
        .map(|sequence| sequence.split(", ").map(part).collect())
        .collect()
}

/// The kinds of the events of each input of a game.
fn batches(walk: &Walk) -> Vec<Vec<String>> {
    let mut records = Records::new(Arc::clone(&walk.rules));
    let kinds: Vec<String> = walk
        .log
        .iter()
        .map(|record| {
            let document = records.document(record).expect("a record is a document");
            document["kind"].as_str().expect("a kind").to_owned()
        })
        .collect();
    let ends = walk.states.iter().map(|(len, _)| *len);
    ends.clone()
        .zip(ends.skip(1))
        .filter(|(from, to)| from < to)
        .map(|(from, to)| kinds[from..to].to_vec())
        .collect()
}

#[test]
fn events_come_in_the_order_of_the_document() {
    let table = Table::read();
    let mut seen = BTreeSet::new();
    for walk in walks(12) {
        for kinds in batches(&walk) {
            assert!(table.explains(&kinds), "no rows are {kinds:?}");
            seen.extend(kinds);
        }
    }
    assert!(seen.len() >= 19, "the games have {seen:?} only");
    let swapped = ["passed", "window_closed", "turn_started"].map(str::to_owned);
    assert!(!table.explains(&swapped), "a turn closes the window first");
}
