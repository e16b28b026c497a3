//! Replays an event log: recomputes every play and the result, and proves the bag from the revealed secret.

use std::sync::Arc;

use super::check::Report;
use crate::alphabet::Tile;
use crate::event::{Created, Ended, Event, PlayMade, PublicEvent, Record};
use crate::lexicon::Lexicon;
use crate::play::{Placement, Play};
use crate::ruleset::{Premiums, RuleSet};
use crate::state::State;
use crate::stream::{
    BAG_LABEL, LAYOUT_LABEL, Seed, commitment, exchange_label, nonce_hash, order_label,
};
use crate::tiles::sort_for_mixing;

/// A thing that was recomputed from the secret, or could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line of the record, counted from 1 with the first line of the file.
    pub line: usize,
    /// What was recomputed, for people.
    pub what: String,
    /// Whether it came out as the record says.
    pub holds: bool,
}

/// The line of an event in a native record: one line goes before the events.
fn line_of(record: &Record) -> usize {
    usize::try_from(record.seq.0)
        .unwrap_or(usize::MAX)
        .saturating_add(1)
}

/// Replays a log and recomputes every play, every total, the bag and the result. Words are looked up if there is a
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
        report.error(line, "the words or their points are others");
    }
    let total = state.seats()[made.seat.index()].score + play.score();
    if total != made.total {
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

/// The final account adds up, and shows the racks and scores there were.
fn check_result(report: &mut Report, line: usize, state: &State, ended: &Ended) {
    for (result, seat) in ended.results.iter().zip(state.seats()) {
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
        let account = result.score + result.rack_points - result.time_penalty;
        if result.final_score != account {
            report.error(line, format!("{} ends with {account} points", result.seat));
        }
        let value = state.rules().tiles.sum(own);
        let gained: i32 = ended
            .results
            .iter()
            .filter(|other| other.seat != result.seat)
            .map(|other| -other.rack_points)
            .sum();
        let is_possible = result.rack_points == 0
            || result.rack_points == -value
            || (own.is_empty() && result.rack_points == gained);
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

/// Recomputes everything random of a finished game from its secret and the players' nonces (R-BAG), step by step.
#[must_use]
pub fn verify_bag(rules: &Arc<RuleSet>, records: &[Record]) -> Vec<Step> {
    let mut proof = Proof::default();
    let Some(Event::Created(created)) = records.first().map(|record| &record.event) else {
        return vec![Step {
            line: 2,
            what: "the record does not begin with the creation of a game".to_owned(),
            holds: false,
        }];
    };
    proof.commitments(created, records);
    let nonces = nonces(records, created.players.len());
    let seed = Seed::new(&created.secret, &created.game, &nonces);
    let mut bag = rules.tiles.all();
    let mut aside: Vec<Tile> = Vec::new();
    let mut exchanges = 0;
    for record in records {
        let line = line_of(record);
        match &record.event {
            Event::Public(PublicEvent::BoardDrawn { layout }) => {
                let drawn = rules.layout.redrawn(|premiums| {
                    seed.stream(LAYOUT_LABEL).shuffle(premiums);
                });
                let holds = rules.premiums == Premiums::Drawn && drawn.drawing() == *layout;
                proof.step(line, "the premium squares are dealt", holds);
            }
            Event::Public(PublicEvent::OrderDrawn { rounds, .. }) => {
                for (number, round) in (1..).zip(rounds) {
                    let mut all = rules.tiles.all();
                    seed.stream(&order_label(number)).shuffle(&mut all);
                    let drawn = round.iter().map(|(_, tile)| *tile);
                    let holds = drawn.eq(all.iter().take(round.len()).copied());
                    proof.step(
                        line,
                        format!("round {number} of the draw for first play"),
                        holds,
                    );
                }
            }
            Event::BagShuffled { label, order } => {
                let expected_label = if exchanges == 0 {
                    BAG_LABEL.to_owned()
                } else {
                    exchange_label(exchanges)
                };
                bag.append(&mut aside);
                sort_for_mixing(&mut bag);
                seed.stream(&expected_label).shuffle(&mut bag);
                let holds = *label == expected_label && bag == *order;
                proof.step(
                    line,
                    format!("{} tiles mixed ({label})", order.len()),
                    holds,
                );
                bag.clone_from(order);
            }
            Event::TilesDrawn { seat, tiles, .. } => {
                let holds = bag.starts_with(tiles);
                bag.drain(..tiles.len().min(bag.len()));
                proof.step(
                    line,
                    format!("{seat} draws {} from the front", tiles.len()),
                    holds,
                );
            }
            Event::Exchanged { tiles, .. } => {
                aside.extend(tiles);
                exchanges += 1;
            }
            Event::Created(_) | Event::Public(_) => {}
        }
    }
    proof.steps
}

/// The nonces that count: those the log says the players sent in time.
fn nonces(records: &[Record], seats: usize) -> Vec<Vec<u8>> {
    let mut nonces = vec![Vec::new(); seats];
    for record in records {
        if let Event::Public(PublicEvent::SeatReady { seat, nonce }) = &record.event
            && let Some(own) = nonces.get_mut(seat.index())
        {
            // A longer one is refused when it arrives; a record that has one proves nothing.
            nonce.clone_into(own);
            own.truncate(crate::stream::MAX_NONCE_BYTES);
        }
    }
    nonces
}

#[derive(Default)]
struct Proof {
    steps: Vec<Step>,
}

impl Proof {
    fn step(&mut self, line: usize, what: impl Into<String>, holds: bool) {
        self.steps.push(Step {
            line,
            what: what.into(),
            holds,
        });
    }

    /// The secret is the one that was committed to, and the nonces are those that were announced.
    fn commitments(&mut self, created: &Created, records: &[Record]) {
        let holds = commitment(&created.secret) == created.commitment;
        self.step(
            2,
            "the secret is the one committed to before the game",
            holds,
        );
        for record in records {
            match &record.event {
                Event::Public(PublicEvent::Ended(ended)) => {
                    let holds = ended.secret == created.secret;
                    self.step(line_of(record), "the secret revealed is that secret", holds);
                }
                Event::Public(PublicEvent::SeatReady { seat, nonce }) if !nonce.is_empty() => {
                    let player = created.players.get(seat.index());
                    let announced = player.and_then(|player| player.nonce_hash);
                    let holds = announced == Some(nonce_hash(nonce));
                    let what = format!("the nonce of {seat} is the one announced");
                    self.step(line_of(record), what, holds);
                }
                _ => {}
            }
        }
    }
}
