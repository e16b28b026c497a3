//! Tables of settings: merges two tables, and finds, sets and lists dotted keys.

use toml::{Table, Value};

/// Copies the values of `upper` to `lower`, table by table; they replace the values that `lower` has.
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

/// Returns a table that contains only this value, under the dotted key.
pub(super) fn nested(key: &str, value: Value) -> Table {
    match key.split_once('.') {
        None => Table::from_iter([(key.to_owned(), value)]),
        Some((section, rest)) => {
            Table::from_iter([(section.to_owned(), Value::Table(nested(rest, value)))])
        }
    }
}

/// Sets the value of a dotted key whose section exists.
pub(super) fn set(values: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            values.insert(key.to_owned(), value);
        }
        Some((section, rest)) => {
            if let Some(Value::Table(inner)) = values.get_mut(section) {
                set(inner, rest, value);
            }
        }
    }
}

/// Removes the keys that `known` does not have, and returns them, dotted.
pub(super) fn take_unknown(values: &mut Table, known: &Table) -> Vec<String> {
    let mut unknown: Vec<String> = Vec::new();
    values.retain(|name, value| match (value, known.get(name)) {
        (_, None) => {
            unknown.push(name.to_owned());
            false
        }
        (Value::Table(inner), Some(Value::Table(known))) => {
            let keys = take_unknown(inner, known).into_iter();
            unknown.extend(keys.map(|key| format!("{name}.{key}")));
            true
        }
        // A table in the place of a value has the wrong type, which `check` reports.
        _ => true,
    });
    unknown
}

/// Returns every key, dotted, and every section.
pub(super) fn keys(values: &Table) -> Vec<String> {
    let mut all = Vec::new();
    for (name, value) in values {
        all.push(name.clone());
        if let Some(section) = value.as_table() {
            let inner = keys(section).into_iter();
            all.extend(inner.map(|key| format!("{name}.{key}")));
        }
    }
    all
}
