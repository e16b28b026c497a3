//! Replays a native record and recomputes every play and the result.

use std::sync::Arc;

use super::native::line_of;
use super::referee::{Referee, check_result};
use super::report::Report;
use super::verify_bag::verify_bag;
use crate::event::{Event, PlayMade, PublicEvent, Record};
use crate::lexicon::Lexicon;
use crate::play::{Placement, Play};
use crate::ruleset::RuleSet;
use crate::state::State;

/// Replays a log and recomputes every play, every total, the bag and the result, and checks that each event could
/// happen in its game. Looks words up if there is a
/// lexicon.
#[must_use]
pub fn check_native(
    rules: &Arc<RuleSet>,
    records: &[Record],
    lexicon: Option<&dyn Lexicon>,
) -> Report {
    let mut report = Report::default();
    let Some((first, rest)) = records.split_first() else {
        report.error(1, "there are no events");
        return report;
    };
    let mut state = match State::begin(Arc::clone(rules), first) {
        Ok(state) => state,
        Err(error) => {
            report.error(line_of(first), error.to_string());
            return report;
        }
    };
    let mut referee = Referee::new(&state, lexicon);
    for record in rest {
        let line = line_of(record);
        if let Err(reason) = referee.judge(&state, record) {
            report.error(line, reason);
        }
        match &record.event {
            Event::Public(PublicEvent::PlayMade(made)) => {
                check_play(&mut report, line, &state, made, lexicon);
            }
            Event::Public(PublicEvent::Ended(ended)) => {
                check_result(&mut report, line, &state, ended);
            }
            _ => {}
        }
        if let Err(error) = state.apply(record) {
            report.error(line, error.to_string());
            return report;
        }
    }
    report.turns = state.history().len();
    report.board = Some(state.tiles().board().clone());
    report.is_complete = state.outcome().is_some();
    report.totals = match state.outcome() {
        Some(ended) => ended
            .results
            .iter()
            .map(|result| result.final_score)
            .collect(),
        None => state.seats().iter().map(|seat| seat.score).collect(),
    };
    if report.is_complete {
        for step in verify_bag(rules, records)
            .into_iter()
            .filter(|step| !step.holds)
        {
            report.error(step.line, step.what);
        }
    }
    report
}

fn check_play(
    report: &mut Report,
    line: usize,
    state: &State,
    made: &PlayMade,
    lexicon: Option<&dyn Lexicon>,
) {
    let tiles = state.tiles();
    if made.seat.index() >= state.seats().len() {
        return report.error(line, "there is no such seat");
    }
    let placement = Placement {
        start: made.start,
        direction: made.direction,
        tiles: made.tiles.clone(),
    };
    let play = match Play::resolve(
        state.rules(),
        tiles.board(),
        tiles.rack(made.seat),
        &placement,
    ) {
        Ok(play) => play,
        Err(error) => return report.error(line, error.to_string()),
    };
    if (play.score(), play.bonus()) != (made.score, made.bonus) {
        let reason = format!("the points are {:+}, not {:+}", play.score(), made.score);
        report.error(line, reason);
    }
    let words = play
        .words()
        .iter()
        .map(|word| (word.text.as_str(), word.score));
    if !words.eq(made
        .words
        .iter()
        .map(|word| (word.word.as_str(), word.score)))
    {
        report.error(line, "the words or their points differ");
    }
    // A record from a file can contain any numbers, so this must not overflow.
    let total = i64::from(state.seats()[made.seat.index()].score) + i64::from(play.score());
    if total != i64::from(made.total) {
        report.error(line, format!("the total is {total}, not {}", made.total));
    }
    if let Some(lexicon) = lexicon {
        let phonies = play
            .words()
            .iter()
            .filter(|word| !lexicon.contains(&word.spelling()));
        let phonies: Vec<&str> = phonies.map(|word| word.text.as_str()).collect();
        if !phonies.is_empty() {
            report.remark(
                line,
                format!("not in {}: {}", lexicon.name(), phonies.join(", ")),
            );
        }
    }
}
