//! Tables of settings: how one is put over another, and how a dotted key is looked up.

use toml::{Table, Value};

/// Puts the values of `upper` over those of `lower`, table by table.
pub(super) fn merge(lower: &mut Table, upper: &Table) {
    for (name, value) in upper {
        match (lower.get_mut(name), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => merge(inner, value),
            _ => {
                lower.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Returns the value of a dotted key.
pub(super) fn find<'a>(values: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => values.get(key),
        Some((section, rest)) => find(values.get(section)?.as_table()?, rest),
    }
}

/// Returns the table in which a dotted key has this value, and nothing else is.
pub(super) fn nested(key: &str, value: Value) -> Table {
    match key.split_once('.') {
        None => Table::from_iter([(key.to_owned(), value)]),
        Some((section, rest)) => {
            Table::from_iter([(section.to_owned(), Value::Table(nested(rest, value)))])
        }
    }
}
