//! Learns the values of leaves from games of bots against each other.
//!
//! For every turn the training records the leave, and the result of the same seat's next turn: its score plus the value
//! of its next leave. A ridge regression fits the values of single tiles, pairs and balances to these results. The next
//! round plays with the new values. The seed determines everything.

use std::sync::Arc;

use crate::alphabet::Tile;
use crate::lexicon::{Lexicon, WordGraphs};
use crate::options::{ChallengeKind, GameOptions, OptionsError};
use crate::ruleset::RuleSet;

use super::{Bot, BotTurn, Centipoints, LeaveTable, Leaves, Match, Seen, play_game};
use crate::analysis::equity::POINT;
use crate::analysis::leave::kind;

/// The amount of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPlan {
    /// The number of rounds; each plays with the values of the previous one.
    pub rounds: u32,
    /// Games of each round.
    pub games: u64,
    /// The seed of all games.
    pub seed: u64,
}

/// The weight of the previous round's value, in turns: the value of a rare leave changes slowly.
const DOUBT: f64 = 60.0;
/// The number of sweeps over all values.
const SWEEPS: u32 = 200;

/// Learns the leave values of a rule set's tiles. After every round `tell` gets its number, the number of games played,
/// and the average score of a turn.
///
/// # Errors
/// If the rule set does not allow two seats.
pub fn train(
    rules: &Arc<RuleSet>,
    lexicon: &dyn Lexicon,
    words: &Arc<WordGraphs>,
    plan: TrainingPlan,
    mut tell: impl FnMut(u32, u64, f64),
) -> Result<LeaveTable, OptionsError> {
    let tiles = &rules.tiles;
    let mut leaves = Leaves::guessed(tiles);
    let mut weights = leaves.weights();
    let made_by = format!(
        "{} rounds of {} games, seed {}",
        plan.rounds, plan.games, plan.seed
    );
    for round in 0..plan.rounds {
        let mut lessons = Lessons::new(leaves.feature_count());
        for game in 0..plan.games {
            let seed = plan.seed.wrapping_add(u64::from(round) * plan.games + game);
            let bot = || Bot::in_training(Arc::clone(words), leaves.clone());
            let of = Match {
                rules: Arc::clone(rules),
                options: options(rules, lexicon),
                seed,
            };
            let mut notes: [Option<Note>; 2] = [None, None];
            play_game(&of, lexicon, &mut [bot(), bot()], |seen, turn| {
                lessons.note(&leaves, seen, turn, &mut notes);
            })?;
        }
        weights = lessons.learn(&weights);
        let table = Leaves::table(tiles, &rules.language, made_by.clone(), &weights);
        leaves = Leaves::new(tiles, &table);
        tell(round + 1, plan.games, lessons.average());
    }
    Ok(Leaves::table(tiles, &rules.language, made_by, &weights))
}

pub(super) fn options(rules: &RuleSet, lexicon: &dyn Lexicon) -> GameOptions {
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = 2;
    options.challenge.kind = ChallengeKind::Void;
    options
}

/// The leave of a seat's last turn.
struct Note {
    features: Vec<u32>,
    turn_no: u32,
}

/// The collected turns and their results.
struct Lessons {
    /// The features of each leave, and the value of the next turn.
    turns: Vec<(Vec<u32>, f64)>,
    features: usize,
    points: i64,
}

impl Lessons {
    const fn new(features: usize) -> Self {
        Self {
            turns: Vec::new(),
            features,
            points: 0,
        }
    }

    fn note(
        &mut self,
        leaves: &Leaves,
        seen: &Seen<'_>,
        turn: &BotTurn,
        notes: &mut [Option<Note>; 2],
    ) {
        // Near the end of a game leaves matter less.
        if seen.bag < usize::from(seen.rules.rack_size) {
            notes[seen.seat.index()] = None;
            return;
        }
        let counts = kept(seen, turn);
        let score = match turn {
            BotTurn::Play(placement) => {
                crate::play::Play::resolve(seen.rules, seen.board, seen.rack, placement)
                    .map_or(0, |play| play.score())
            }
            BotTurn::Exchange(_) | BotTurn::Pass => 0,
        };
        let note = &mut notes[seen.seat.index()];
        if let Some(before) = note.take()
            && before.turn_no + 2 == seen.turn_no
        {
            let worth = score.saturating_mul(POINT) + leaves.value(&counts);
            self.points += i64::from(score);
            self.turns.push((before.features, f64::from(worth)));
        }
        let mut features = Vec::new();
        leaves.features(&counts, |feature| {
            features.push(u32::try_from(feature).unwrap_or(0));
        });
        *note = Some(Note {
            features,
            turn_no: seen.turn_no,
        });
    }

    /// The average score of the collected turns.
    fn average(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 turns")]
        let (points, turns) = (self.points as f64, self.turns.len().max(1) as f64);
        points / turns
    }

    /// Coordinate descent for a ridge regression around the previous values: it sets each value in turn to the residual
    /// of the others.
    fn learn(&self, before: &[Centipoints]) -> Vec<Centipoints> {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 turns")]
        let count = self.turns.len().max(1) as f64;
        let mean = self.turns.iter().map(|(_, worth)| worth).sum::<f64>() / count;
        let mut weights: Vec<f64> = before.iter().copied().map(f64::from).collect();
        let explained = |features: &[u32]| -> f64 {
            features
                .iter()
                .map(|feature| weights[*feature as usize])
                .sum()
        };
        let unexplained = |(features, worth): &(Vec<u32>, f64)| worth - mean - explained(features);
        let mut left: Vec<f64> = self.turns.iter().map(unexplained).collect();
        let mut having: Vec<Vec<u32>> = vec![Vec::new(); self.features];
        for (index, (features, _)) in (0..).zip(&self.turns) {
            for feature in features {
                having[*feature as usize].push(index);
            }
        }
        for _ in 0..SWEEPS {
            for ((weight, turns), before) in weights.iter_mut().zip(&having).zip(before) {
                if turns.is_empty() {
                    continue;
                }
                let unexplained: f64 = turns.iter().map(|turn| left[*turn as usize]).sum();
                #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 turns")]
                let evidence = turns.len() as f64;
                let doubt = DOUBT * f64::from(*before);
                let value = (unexplained + evidence * *weight + doubt) / (evidence + DOUBT);
                let change = value - *weight;
                for turn in turns {
                    left[*turn as usize] -= change;
                }
                *weight = value;
            }
        }
        weights.into_iter().map(rounded).collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to far less than 2^31"
)]
fn rounded(value: f64) -> Centipoints {
    value.clamp(-100_000.0, 100_000.0).round() as Centipoints
}

/// The number of tiles of each kind that are kept after a turn.
pub(super) fn kept(seen: &Seen<'_>, turn: &BotTurn) -> Vec<u8> {
    let mut counts = vec![0_u8; usize::from(u8::MAX) + 1];
    for tile in seen.rack {
        counts[kind(*tile)] += 1;
    }
    let mut take = |tile: Tile| {
        let count = &mut counts[kind(tile)];
        *count = count.saturating_sub(1);
    };
    match turn {
        BotTurn::Play(placement) => placement.laid().for_each(|placed| take(placed.tile)),
        BotTurn::Exchange(tiles) => tiles.iter().copied().for_each(take),
        BotTurn::Pass => {}
    }
    counts
}
