//! `docs/records.md` describes the native record: it names every field, kind and word that a record can have.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{ChallengeKind, Consent, GameOptions, SpectatorView};
use tilewire_rules::record::native;
use tilewire_rules::ruleset::RuleSet;

use super::walk::{self, Walk};

/// Fields whose text is a name, or is chosen by the game and not by the format.
const FREE_TEXT: [&str; 15] = [
    "format",
    "game",
    "rule_set",
    "language",
    "lexicon",
    "identity",
    "name",
    "level",
    "label",
    "layout",
    "word",
    "bad_words",
    "lexicon_hash",
    "commitment",
    "secret",
];

#[test]
fn the_native_record_is_described_completely() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/records.md");
    let text = fs::read_to_string(path).expect("the document of the records");
    let (_, section) = text.split_once("## The native record").expect("a section");
    let mut missing = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for walk in walks() {
        let written = native::write(&walk.log, None).expect("a log begins with the creation");
        for line in written.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            kinds.extend(kind(&line));
            names(&line, "", &mut missing);
        }
    }
    missing.retain(|name| !section.contains(&format!("`{name}`")));
    assert!(
        missing.is_empty(),
        "docs/records.md does not name {missing:?}"
    );
    assert!(kinds.len() >= 20, "the games have {kinds:?} only");
}

/// Random games of all kinds: with every clock, every kind of challenge, and dealt boards.
pub(super) fn walks() -> impl Iterator<Item = Walk> {
    let clocks = [
        ClockKind::Untimed,
        ClockKind::SuddenDeath {
            initial_ms: 400_000,
        },
        ClockKind::Increment {
            initial_ms: 100_000,
            increment_ms: 9_000,
        },
        ClockKind::Delay {
            initial_ms: 100_000,
            delay_ms: 7_000,
        },
        ClockKind::Overtime {
            initial_ms: 90_000,
            penalty_per_minute: 10,
            cap_ms: 120_000,
        },
        ClockKind::PerMove {
            limit_ms: 40_000,
            bank_ms: 60_000,
        },
    ];
    RuleSet::builtins()
        .iter()
        .enumerate()
        .flat_map(move |(at, rules)| {
            (0..12).map(move |seed| {
                let mut options = GameOptions::usual(rules, "hashed");
                options.clock = clocks[(at + seed) % clocks.len()];
                options.challenge.kind = rules.challenges[seed % rules.challenges.len()];
                let kind = options.challenge.kind;
                if kind != ChallengeKind::Triple {
                    options.seats = rules.max_seats.min(3);
                }
                if seed % 2 == 0 && !matches!(kind, ChallengeKind::Void | ChallengeKind::Triple) {
                    options.challenge.consent = Consent::Asked;
                }
                options.spectators = Some(SpectatorView {
                    delay_ms: 60_000,
                    racks: true,
                });
                let mut walk = Walk::new(rules, options, seed as u64);
                for _ in 0..walk::MAX_INPUTS {
                    walk.step();
                }
                walk.run_out();
                walk
            })
        })
}

fn kind(line: &Value) -> Option<String> {
    let event = line["event"].as_object()?;
    let (kind, fields) = event.iter().next()?;
    match fields.as_object() {
        Some(inner) if kind == "public" => inner.keys().next().cloned(),
        _ => Some(kind.clone()),
    }
}

/// Collects the keys of a value, and the texts that are words of the format.
fn names(value: &Value, key: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                names(value, key, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                names(value, key, found);
            }
        }
        Value::String(text) if !FREE_TEXT.contains(&key) && !is_hash(text) => {
            found.insert(text.clone());
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
