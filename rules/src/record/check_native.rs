//! Replays a native record and recomputes every play and the result.

use std::sync::Arc;

use super::native::line_of;
use super::referee::{Referee, check_result};
use super::report::{Code, Report};
use super::times::check_times;
use super::verify_bag::verify_bag;
use crate::event::{Event, PlayMade, PublicEvent, Record, ScoredWord};
use crate::lexicon::Lexicon;
use crate::play::{Placement, Play, WordScore};
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
    let mut report = Report {
        incomplete: Some("it cannot be replayed to its end"),
        ..Report::default()
    };
    let Some((first, rest)) = records.split_first() else {
        report.error(1, Code::Event, "there are no events");
        return report;
    };
    let mut state = match State::begin(Arc::clone(rules), first) {
        Ok(state) => state,
        Err(error) => {
            report.error(line_of(first), Code::Event, error.to_string());
            return report;
        }
    };
    let mut referee = Referee::new(&state, lexicon);
    for record in rest {
        let line = line_of(record);
        if let Err(reason) = referee.judge(&state, record) {
            report.error(line, Code::Event, reason);
        }
        check_times(&mut report, line, &state, record);
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
            report.error(line, Code::Event, error.to_string());
            return report;
        }
    }
    report.turns = state.history().len();
    report.board = Some(state.tiles().board().clone());
    report.incomplete = match state.outcome() {
        Some(_) => None,
        None => Some("the game has not ended"),
    };
    report.totals = match state.outcome() {
        Some(ended) => ended
            .results
            .iter()
            .map(|result| result.final_score)
            .collect(),
        None => state.seats().iter().map(|seat| seat.score).collect(),
    };
    if report.is_complete() {
        for step in verify_bag(rules, records)
            .into_iter()
            .filter(|step| !step.holds)
        {
            report.error(step.line, Code::Bag, step.what);
        }
    }
    report
}

/// Compares the words that a record names with those that lie on the board, with their letters and points.
fn check_words(report: &mut Report, line: usize, play: &Play, made: &PlayMade) {
    let (right, own) = (play.words(), &made.words);
    let is_same = |(right, own): (&WordScore, &ScoredWord)| {
        (right.text.as_str(), right.score) == (own.word.as_str(), own.score)
    };
    if right.len() != own.len() || !right.iter().zip(own).all(is_same) {
        return report.error(line, Code::Words, "the words or their points differ");
    }
    let main = right.first();
    if main.is_some_and(|main| main.tiles.len() != made.tiles.len()) {
        let reason = "the tiles are not those of the whole main word";
        return report.error(line, Code::Words, reason);
    }
    let mut both = right.iter().zip(own);
    if let Some((right, _)) = both.find(|(right, own)| right.spelling() != own.letters) {
        let reason = format!("the letters of {} differ", right.text);
        report.error(line, Code::Words, reason);
    }
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
        return report.error(line, Code::Event, "there is no such seat");
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
        Err(error) => return report.error(line, Code::Play, error.to_string()),
    };
    if (play.score(), play.bonus()) != (made.score, made.bonus) {
        let reason = format!("the points are {:+}, not {:+}", play.score(), made.score);
        report.error(line, Code::Score, reason);
    }
    check_words(report, line, &play, made);
    // A record from a file can contain any numbers, so this must not overflow.
    let total = i64::from(state.seats()[made.seat.index()].score) + i64::from(play.score());
    if total != i64::from(made.total) {
        report.error(
            line,
            Code::Score,
            format!("the total is {total}, not {}", made.total),
        );
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
                Code::Phony,
                format!("not in {}: {}", lexicon.name(), phonies.join(", ")),
            );
        }
    }
}
