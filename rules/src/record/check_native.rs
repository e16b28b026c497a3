//! Replays a native record and recomputes every play and the result.

use std::sync::Arc;

use super::check_gcg::Report;
use super::native::line_of;
use super::verify_bag::verify_bag;
use crate::event::{Ended, Event, PlayMade, PublicEvent, Record};
use crate::lexicon::Lexicon;
use crate::play::{Placement, Play};
use crate::ruleset::RuleSet;
use crate::state::State;

/// Replays a log and recomputes every play, every total, the bag and the result. Looks words up if there is a
/// lexicon.
#[must_use]
pub fn check_native(
    rules: &Arc<RuleSet>,
    records: &[Record],
    lexicon: Option<&dyn Lexicon>,
) -> Report {
    let mut report = Report::default();
    let mut state: Option<State> = None;
    for record in records {
        let line = line_of(record);
        let applied = match &mut state {
            None => State::begin(Arc::clone(rules), record).map(|begun| {
                state = Some(begun);
            }),
            Some(state) => {
                if let Event::Public(PublicEvent::PlayMade(made)) = &record.event {
                    check_play(&mut report, line, state, made, lexicon);
                }
                state.apply(record)
            }
        };
        if let Err(error) = applied {
            report.error(line, error.to_string());
            return report;
        }
        if let (Some(state), Event::Public(PublicEvent::Ended(ended))) = (&state, &record.event) {
            check_result(&mut report, line, state, ended);
        }
    }
    let Some(state) = state else {
        report.error(1, "there are no events");
        return report;
    };
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

/// Checks that the final scores add up and show the actual racks and scores.
fn check_result(report: &mut Report, line: usize, state: &State, ended: &Ended) {
    for result in &ended.results {
        let Some(seat) = state.seats().get(result.seat.index()) else {
            report.error(line, "there is no such seat");
            continue;
        };
        let own = state.tiles().rack(result.seat);
        let mut shown = result.rack.clone();
        let mut held = own.to_vec();
        shown.sort_unstable();
        held.sort_unstable();
        if shown != held {
            report.error(line, format!("{} held other tiles", result.seat));
        }
        if result.score != seat.score {
            report.error(line, format!("{} had {} points", result.seat, seat.score));
        }
        let account = i64::from(result.score) + i64::from(result.rack_points)
            - i64::from(result.time_penalty);
        if i64::from(result.final_score) != account {
            report.error(line, format!("{} ends with {account} points", result.seat));
        }
        let value = i64::from(state.rules().tiles.sum(own));
        let rack_points = i64::from(result.rack_points);
        let gained: i64 = ended
            .results
            .iter()
            .filter(|other| other.seat != result.seat)
            .map(|other| -i64::from(other.rack_points))
            .sum();
        let is_possible =
            rack_points == 0 || rack_points == -value || (own.is_empty() && rack_points == gained);
        if !is_possible {
            report.error(line, format!("{} has tiles worth {value}", result.seat));
        }
    }
    let best = ended.results.iter().map(|result| result.rank).min();
    let winners = ended
        .results
        .iter()
        .filter(|result| Some(result.rank) == best);
    let is_named = winners
        .map(|result| result.seat)
        .eq(ended.winners.iter().copied());
    if ended.reason.has_result() && !is_named {
        report.error(line, "the winners are not those of the highest rank");
    }
}
