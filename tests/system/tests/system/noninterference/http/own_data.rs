//! A player's export of running games contains only the view of the player's own seats.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::stored::Twins;
use crate::zip::unzipped;

use super::{House, TimelessAnswer, check_names};

impl House {
    /// Checks that the exports of a player from both servers differ in numbers only, and name no running game of others.
    pub(super) fn check_own_data(&self, name: &str, one: &TimelessAnswer, other: &TimelessAnswer) {
        assert_eq!(one.status, other.status, "{name}");
        let running = self.running.iter().map(|twins| twins.game.as_str());
        let is_own = |game: &str| name == "the opponent" && game.starts_with("played");
        let (own, others): (Vec<&str>, Vec<&str>) = running.partition(|game| is_own(game));
        check_names(one, &others);
        if one.status != 200 {
            return;
        }
        let [one, other] = [one, other].map(|told| self.without_numbers(&told.body));
        assert!(one.keys().eq(other.keys()), "{name}");
        for ((file, lines), others) in one.iter().zip(other.values()) {
            let differ = lines.iter().zip(others).find(|(one, other)| one != other);
            assert_eq!(differ, None, "{name}: {file}");
            assert_eq!(lines.len(), others.len(), "{name}: {file}");
        }
        for game in own {
            let shown = &one[&format!("games/{game}-seat-2.jsonl")];
            assert!(!shown.is_empty(), "{game}");
        }
    }

    /// The files of an export by their names, in which every number is 0: times differ between two servers. Events that
    /// came after the twins were made are left out: there the player drew from bags that differ.
    fn without_numbers(&self, zip: &[u8]) -> BTreeMap<String, Vec<Value>> {
        let files = unzipped(zip).into_iter().map(|(name, text)| {
            let lines = text.lines().map(|line| match serde_json::from_str(line) {
                Ok(value) => value,
                Err(_) => json!(line),
            });
            let lines = lines.filter(|line| !self.is_later(line)).map(blanked);
            (name, lines.collect())
        });
        files.collect()
    }

    /// Says whether this is an event of a running game after the twins were made.
    fn is_later(&self, line: &Value) -> bool {
        let mut running = self.running.iter();
        let twins = running.find(|twins| line["game"] == twins.game.as_str());
        let head = twins.map(Twins::head);
        head.zip(line["seq"].as_u64())
            .is_some_and(|(head, seq)| seq > head)
    }
}

/// A value in which every number is 0.
fn blanked(value: Value) -> Value {
    match value {
        Value::Number(_) => json!(0),
        Value::Array(values) => values.into_iter().map(blanked).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(fields.map(|(name, value)| (name, blanked(value))).collect())
        }
        other => other,
    }
}
