//! Verifies every random draw of a finished game with its revealed secret.

use std::sync::Arc;

use super::native::line_of;
use crate::alphabet::Tile;
use crate::event::{Created, Event, PublicEvent, Record};
use crate::ruleset::{Premiums, RuleSet};
use crate::stream::{
    BAG_LABEL, LAYOUT_LABEL, Seed, commitment, exchange_label, nonce_hash, order_label,
};
use crate::tiles::sort_for_mixing;

/// One step of the verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line of the record, counted from 1.
    pub line: usize,
    /// A description of the step.
    pub what: String,
    /// Whether the recomputed value matches the record.
    pub holds: bool,
}

/// Recomputes every random draw of a finished game from its secret and the players' nonces (R-BAG), step by step.
#[must_use]
pub fn verify_bag(rules: &Arc<RuleSet>, records: &[Record]) -> Vec<Step> {
    let Some(Event::Created(created)) = records.first().map(|record| &record.event) else {
        return vec![Step {
            line: 2,
            what: "the record does not begin with the creation of a game".to_owned(),
            holds: false,
        }];
    };
    let nonces = nonces(records, created.players.len());
    let mut proof = Proof {
        rules,
        seed: Seed::new(&created.secret, &created.game, &nonces),
        bag: rules.tiles.all(),
        aside: Vec::new(),
        exchanges: 0,
        steps: Vec::new(),
    };
    proof.commitments(created, records);
    for record in records {
        proof.record(record);
    }
    proof.steps
}

/// Returns the nonces that count: those that the log records.
fn nonces(records: &[Record], seats: usize) -> Vec<Vec<u8>> {
    let mut nonces = vec![Vec::new(); seats];
    for record in records {
        if let Event::Public(PublicEvent::SeatReady { seat, nonce }) = &record.event
            && let Some(own) = nonces.get_mut(seat.index())
        {
            // A game refuses a longer nonce, so a record with one cannot be verified.
            nonce.clone_into(own);
            own.truncate(crate::stream::MAX_NONCE_BYTES);
        }
    }
    nonces
}

/// The bag recomputed from the seed, for comparison with the log.
struct Proof<'a> {
    rules: &'a RuleSet,
    seed: Seed,
    bag: Vec<Tile>,
    /// Exchanged tiles, which go back before the next shuffle.
    aside: Vec<Tile>,
    exchanges: u32,
    steps: Vec<Step>,
}

impl Proof<'_> {
    fn step(&mut self, line: usize, what: impl Into<String>, holds: bool) {
        self.steps.push(Step {
            line,
            what: what.into(),
            holds,
        });
    }

    fn record(&mut self, record: &Record) {
        let line = line_of(record);
        match &record.event {
            Event::Public(PublicEvent::BoardDrawn { layout }) => {
                let drawn = self.rules.layout.redrawn(|premiums| {
                    self.seed.stream(LAYOUT_LABEL).shuffle(premiums);
                });
                let holds = self.rules.premiums == Premiums::Drawn && drawn.drawing() == *layout;
                self.step(line, "the premium squares are dealt", holds);
            }
            Event::Public(PublicEvent::OrderDrawn { rounds, .. }) => {
                for (number, round) in (1..).zip(rounds) {
                    let mut all = self.rules.tiles.all();
                    self.seed.stream(&order_label(number)).shuffle(&mut all);
                    let drawn = round.iter().map(|(_, tile)| *tile);
                    let holds = drawn.eq(all.iter().take(round.len()).copied());
                    let what = format!("round {number} of the draw for first play");
                    self.step(line, what, holds);
                }
            }
            Event::BagShuffled { label, order } => self.mixed(line, label, order),
            Event::TilesDrawn { seat, tiles, .. } => {
                let holds = self.bag.starts_with(tiles);
                self.bag.drain(..tiles.len().min(self.bag.len()));
                let what = format!("{seat} draws {} from the front", tiles.len());
                self.step(line, what, holds);
            }
            Event::Exchanged { tiles, .. } => {
                self.aside.extend(tiles);
                self.exchanges += 1;
            }
            Event::Created(_) | Event::Public(_) => {}
        }
    }

    fn mixed(&mut self, line: usize, label: &str, order: &[Tile]) {
        let expected = match self.exchanges {
            0 => BAG_LABEL.to_owned(),
            exchanges => exchange_label(exchanges),
        };
        self.bag.append(&mut self.aside);
        sort_for_mixing(&mut self.bag);
        self.seed.stream(&expected).shuffle(&mut self.bag);
        let holds = label == expected && self.bag == order;
        let what = format!("{} tiles mixed ({label})", order.len());
        self.step(line, what, holds);
        order.clone_into(&mut self.bag);
    }

    /// Checks the secret against its commitment and the nonces against their announcements.
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
                Event::Public(PublicEvent::SeatReady { seat, .. }) => {
                    let player = created.players.get(seat.index());
                    if player.is_some_and(|player| player.nonce_hash.is_some()) {
                        // The bag is correct, but the record does not show who left the nonce out.
                        let what = format!("{seat} announced a nonce that does not count");
                        self.step(line_of(record), what, true);
                    }
                }
                _ => {}
            }
        }
    }
}
