//! Pages of results.

use rusqlite::types::Value;
use tilewire_rules::time::Timestamp;

use super::results::{stored, with_changes};
use super::{Connection, Result};
use tilewire_store::{
    ResultFilter, ResultPage, SCANNED_RESULTS, StoreError, StoredResult, reason_name,
};

/// Reads a page of results.
pub(super) fn page(
    db: &Connection,
    filter: &ResultFilter,
    before: Option<u64>,
    limit: usize,
) -> std::result::Result<ResultPage, StoreError> {
    let read = || -> Result<ResultPage> {
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let Some(last) = last_scanned(db, filter, before)? else {
            let results = Vec::new();
            return Ok(ResultPage {
                results,
                next: None,
            });
        };
        let (text, values) = page_query(filter, before, last.number, limit);
        let found: Vec<StoredResult> = db
            .prepare_cached(&text)?
            .query_map(values, stored)?
            .collect::<Result<_>>()?;
        let is_full = found.len() >= limit;
        let end = found.last().filter(|_| is_full).map(|found| found.number);
        let results = found.into_iter().map(|found| with_changes(db, found));
        let results = results.collect::<Result<Vec<_>>>()?;
        // A full page that ends with the last scanned result has nothing behind it, unless the scan stopped there.
        let next = match end {
            Some(end) if end > last.number || !last.is_end => Some(end),
            None if !last.is_end => Some(last.number),
            Some(_) | None => None,
        };
        Ok(ResultPage { results, next })
    };
    read().map_err(StoreError::from)
}

/// The last result that a page looks at.
struct LastScanned {
    number: u64,
    /// Whether no older result is left.
    is_end: bool,
}

/// Returns the last result that a page before a number looks at; `None` if there is none.
fn last_scanned(
    db: &Connection,
    filter: &ResultFilter,
    before: i64,
) -> Result<Option<LastScanned>> {
    let scan = SCANNED_RESULTS + 1;
    let numbers: Vec<u64> = match &filter.player {
        Some(player) => db
            .prepare_cached(
                "SELECT number FROM result_seats WHERE identity = ?1 AND number < ?2
                 ORDER BY number DESC LIMIT ?3",
            )?
            .query_map((player, before, scan), |row| row.get(0))?
            .collect::<Result<_>>()?,
        None => db
            .prepare_cached(
                "SELECT number FROM results WHERE number < ?1 ORDER BY number DESC LIMIT ?2",
            )?
            .query_map((before, scan), |row| row.get(0))?
            .collect::<Result<_>>()?,
    };
    let is_end = numbers.len() < scan;
    let last = numbers.get(..SCANNED_RESULTS).unwrap_or(&numbers).last();
    Ok(last.map(|number| LastScanned {
        number: *number,
        is_end,
    }))
}

/// Returns the query of a page with its values.
fn page_query(filter: &ResultFilter, before: i64, last: u64, limit: usize) -> (String, Vec<Value>) {
    let mut asked = Conditions::default();
    let from = match &filter.player {
        Some(player) => {
            asked.add("seat.identity = ?", player.clone());
            "result_seats AS seat JOIN results ON results.number = seat.number"
        }
        None => "results",
    };
    let number = match filter.player {
        Some(_) => "seat.number",
        None => "results.number",
    };
    asked.add(&format!("{number} < ?"), before);
    asked.add(&format!("{number} >= ?"), last.cast_signed());
    let has_seat = "EXISTS (SELECT 1 FROM result_seats AS other
         WHERE other.number = results.number AND other.identity = ?)";
    asked.add(
        &format!("(results.is_private = 0 OR {has_seat})"),
        filter.viewer.clone(),
    );
    if let Some(opponent) = &filter.opponent {
        asked.add(has_seat, opponent.clone());
    }
    for (condition, value) in [
        ("results.rule_set = ?", &filter.rule_set),
        ("results.lexicon = ?", &filter.lexicon),
        ("results.pool = ?", &filter.pool),
    ] {
        if let Some(value) = value {
            asked.add(condition, value.clone());
        }
    }
    match filter.is_rated {
        Some(true) => asked.conditions.push("results.pool IS NOT NULL".to_owned()),
        Some(false) => asked.conditions.push("results.pool IS NULL".to_owned()),
        None => {}
    }
    if let Some(reason) = filter.reason {
        asked.add("results.reason = ?", reason_name(reason).to_owned());
    }
    for (condition, value) in [
        ("results.ended_at >= ?", filter.from),
        ("results.ended_at < ?", filter.until),
    ] {
        if let Some(Timestamp(value)) = value {
            asked.add(condition, value);
        }
    }
    asked.add_seat(filter);
    let conditions = asked.conditions.join(" AND ");
    asked
        .values
        .push(Value::from(i64::try_from(limit).unwrap_or(i64::MAX)));
    let text = format!(
        "SELECT results.number, results.is_private, results.result FROM {from}
         WHERE {conditions} ORDER BY {number} DESC LIMIT ?{}",
        asked.values.len()
    );
    (text, asked.values)
}

/// Conditions with numbered values.
#[derive(Default)]
struct Conditions {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        let number = format!("?{}", self.values.len());
        self.conditions.push(condition.replacen('?', &number, 1));
    }

    /// Adds what the filter asks of the player's seat.
    fn add_seat(&mut self, filter: &ResultFilter) {
        let asks =
            filter.outcome.is_some() || filter.score_min.is_some() || filter.score_max.is_some();
        if filter.player.is_none() {
            if asks {
                self.conditions.push("1 = 0".to_owned());
            }
            return;
        }
        if let Some(outcome) = filter.outcome {
            self.add("seat.outcome = ?", outcome.name().to_owned());
        }
        if let Some(min) = filter.score_min {
            self.add("seat.final_score >= ?", i64::from(min));
        }
        if let Some(max) = filter.score_max {
            self.add("seat.final_score <= ?", i64::from(max));
        }
    }
}
