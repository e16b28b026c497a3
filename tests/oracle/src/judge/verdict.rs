//! Challenges: whether the play stays, and the cost of the challenge.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::{LastPlay, Table};
use crate::document::{integer, integers, list, number};
use crate::fold::Fold;

impl Table {
    /// Judges the verdict on the last play.
    pub(super) fn verdict(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        let mut last = self.last.take().context("no play can be challenged")?;
        ensure!(!last.is_decided, "the challenge was decided before");
        ensure!(number(event, "play_id")? == last.seq, "that play is older");
        let challenger = number(event, "seat")?;
        ensure!(challenger != last.seat, "a player challenged the own play");
        let (is_upheld, is_withdrawn) = (event["upheld"] == true, event["withdrawn"] == true);
        let bad_words = list(event, "bad_words")?.len();
        if is_withdrawn {
            ensure!(is_upheld && bad_words == 0, "the author withdrew the play");
        } else {
            ensure!(
                is_upheld == (last.bad > 0) && bad_words == last.bad,
                "the play has {} bad words",
                last.bad
            );
        }
        let mut due: Vec<i64> = fold.seats.iter().map(|seat| seat.score).collect();
        if is_upheld {
            due[usize::try_from(last.seat)?] -= last.score;
            self.board.take_off(&last.laid);
            self.turns.play_came_off();
        }
        let mut points = Vec::new();
        for entry in list(event, "points")? {
            let (seat, won) = (number(entry, "seat")?, integer(entry, "points")?);
            *due.get_mut(usize::try_from(seat)?).context("a seat")? += won;
            points.push((seat, won));
        }
        let totals = integers(event, "totals")?;
        ensure!(
            totals == due,
            "the totals {totals:?}, where {due:?} are due"
        );
        check_cost(fold, event, &last, is_upheld, &points)?;
        last.is_decided = true;
        self.last = (!is_upheld).then_some(last);
        Ok(())
    }
}

/// Checks the cost of the challenge: points by the kind of challenge, and the next turn of the challenger.
fn check_cost(
    fold: &Fold,
    event: &Value,
    last: &LastPlay,
    is_upheld: bool,
    points: &[(u64, i64)],
) -> Result<()> {
    let challenge = &fold.setup["options"]["challenge"];
    let challenger = number(event, "seat")?;
    let each = match challenge["kind"].as_str() {
        Some("five_point") => 5,
        Some("ten_point") => 10,
        Some(_) => 0,
        None => return Ok(()),
    };
    let times = if challenge["per_word"] == true {
        i64::try_from(last.words)?
    } else {
        1
    };
    let due = match (each * times, fold.seats.len()) {
        (0, _) => vec![],
        _ if is_upheld => vec![],
        (points, 2) => vec![(last.seat, points)],
        (points, _) => vec![(challenger, -points)],
    };
    ensure!(
        points == due,
        "the points {points:?}, where {due:?} are due"
    );
    // The challenger loses a turn only if the game goes on.
    let is_lost = challenge["kind"] == "double" && !is_upheld && !last.is_final;
    let debt = fold.seat_of(event)?.turn_debt + u64::from(is_lost);
    ensure!(
        number(event, "turn_debt")? == debt,
        "the challenger owes {debt} turns"
    );
    Ok(())
}
