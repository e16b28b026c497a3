//! Simulation: every candidate is played with the same hidden tiles, sample by sample, and the results are added up.
//!
//! A sample depends on the seed and on its number only, and tallies are sums of integers. So any split of the samples over threads
//! gives the same result.

use std::ops::Range;

use crate::alphabet::Tile;
use crate::analysis::{Candidate, Seen};
use crate::stream::{Seed, Stream};

use super::engine::Engine;
use super::rest_of_game::{Hidden, Outcome, Player, Rest};
use super::standing::CERTAIN;

/// Most candidates of a simulation.
pub const MAX_CANDIDATES: usize = 60;
/// Most turns after the candidate.
pub const MAX_PLIES: u8 = 8;
/// Most unseen tiles with which samples are played to the end of the game.
const TO_THE_END: usize = 14;
/// The share of a win chance of 1/10,000 in the value that ranks candidates. The lead in hundredths of a point has the rest: 10 points
/// weigh as much as 0.1 %.
const WIN: i64 = 100;
/// The largest lead that counts for the value, in hundredths of a point.
const MOST_LEAD: i64 = 30_000;

/// A simulation: a position, its candidates, and how far to look.
#[derive(Clone, Copy, Debug)]
pub struct Simulation<'a> {
    /// The position.
    pub seen: &'a Seen<'a>,
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// Turns after the candidate; the whole rest of the game is played when few tiles are unseen.
    pub plies: u8,
    /// The seed of all samples.
    pub seed: u64,
}

/// The sums of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) samples: u32,
    pub(super) win: i64,
    pub(super) lead: i64,
    pub(super) value: i64,
}

/// The sums of the differences between two candidates in the samples of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) samples: u32,
    pub(super) win: i64,
    pub(super) lead: i64,
    pub(super) value: i64,
    /// The sum of the squares of the differences of values.
    pub(super) squares: i64,
}

impl Difference {
    /// The same difference from the other candidate's side.
    const fn turned(self) -> Self {
        Self {
            win: -self.win,
            lead: -self.lead,
            value: -self.value,
            ..self
        }
    }
}

/// The results of samples; those of other samples can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallies {
    sums: Vec<Sum>,
    /// The differences of every pair: those of the first candidate to all later ones, then those of the second.
    differences: Vec<Difference>,
}

impl Tallies {
    /// Returns empty tallies for some candidates.
    #[must_use]
    pub fn new(candidates: usize) -> Self {
        let pairs = candidates * candidates.saturating_sub(1) / 2;
        Self {
            sums: vec![Sum::default(); candidates],
            differences: vec![Difference::default(); pairs],
        }
    }

    /// Adds the results of other samples of the same simulation.
    pub fn add(&mut self, other: &Self) {
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            sum.samples += other.samples;
            sum.win += other.win;
            sum.lead += other.lead;
            sum.value += other.value;
        }
        for (sum, other) in self.differences.iter_mut().zip(&other.differences) {
            sum.samples += other.samples;
            sum.win += other.win;
            sum.lead += other.lead;
            sum.value += other.value;
            sum.squares += other.squares;
        }
    }

    /// Returns the number of candidates.
    #[must_use]
    pub const fn candidates(&self) -> usize {
        self.sums.len()
    }

    /// Returns the largest number of samples that a candidate has.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.sums.iter().map(|sum| sum.samples).max().unwrap_or(0)
    }

    pub(super) fn sum(&self, candidate: usize) -> Sum {
        self.sums[candidate]
    }

    /// The difference of one candidate to another.
    pub(super) fn difference(&self, one: usize, other: usize) -> Difference {
        match one.cmp(&other) {
            std::cmp::Ordering::Equal => Difference::default(),
            std::cmp::Ordering::Less => self.differences[self.pair(one, other)],
            std::cmp::Ordering::Greater => self.differences[self.pair(other, one)].turned(),
        }
    }

    fn pair(&self, one: usize, other: usize) -> usize {
        one * self.sums.len() - one * (one + 1) / 2 + other - one - 1
    }

    /// Records the results of one sample, by candidate.
    fn record(&mut self, outcomes: &[(usize, Outcome)]) {
        for (at, (one, first)) in outcomes.iter().enumerate() {
            let sum = &mut self.sums[*one];
            sum.samples += 1;
            sum.win += first.win;
            sum.lead += first.lead;
            sum.value += value(first);
            for (other, second) in &outcomes[at + 1..] {
                let pair = self.pair(*one, *other);
                let of = value(first) - value(second);
                let sum = &mut self.differences[pair];
                sum.samples += 1;
                sum.win += first.win - second.win;
                sum.lead += first.lead - second.lead;
                sum.value += of;
                sum.squares += of * of;
            }
        }
    }
}

/// The value of a result: the chance to win, and a little for the lead.
fn value(outcome: &Outcome) -> i64 {
    outcome.win * WIN + outcome.lead.clamp(-MOST_LEAD, MOST_LEAD)
}

/// The value of this chance to win, in 1/10,000.
pub(super) const fn value_of_chance(chance: i64) -> i64 {
    chance * WIN
}

impl Engine {
    /// Plays some candidates of a simulation (by index, ascending) in these samples. `None` if the caller stops it before the end.
    pub fn sample(
        &mut self,
        of: &Simulation<'_>,
        candidates: &[usize],
        samples: Range<u32>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Tallies> {
        let unknown = of.seen.unknown();
        let plies = (of.seen.unseen().len() > TO_THE_END).then_some(of.plies.min(MAX_PLIES));
        let seed = seed(of.seed);
        let mut tallies = Tallies::new(of.candidates.len());
        let mut outcomes = Vec::with_capacity(candidates.len());
        for number in samples {
            let hidden = draw(of.seen, &unknown, &seed, number);
            outcomes.clear();
            for index in candidates {
                if stop() {
                    return None;
                }
                let rest = Rest::new(of.seen, &hidden, mixing(&seed, number));
                let outcome = rest.play(&mut self.player(), &of.candidates[*index], plies);
                outcomes.push((*index, outcome));
            }
            tallies.record(&outcomes);
        }
        Some(tallies)
    }

    /// The result of a candidate with these hidden tiles.
    #[cfg(test)]
    pub(super) fn outcome(&mut self, seen: &Seen<'_>, of: &Candidate, hidden: &Hidden) -> Outcome {
        let rest = Rest::new(seen, hidden, mixing(&seed(0), 0));
        rest.play(&mut self.player(), of, None)
    }

    fn player(&mut self) -> Player<'_> {
        Player {
            generator: &mut self.generator,
            words: self.words.all(),
            leaves: &self.leaves,
            chances: &self.chances,
        }
    }
}

/// The seed of all random numbers of an analysis.
pub(super) fn seed(number: u64) -> Seed {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    Seed::new(&secret, "analysis", &[[]; 0])
}

/// The hidden tiles of a sample.
fn draw(seen: &Seen<'_>, unknown: &[Tile], seed: &Seed, number: u32) -> Hidden {
    let mut order = unknown.to_vec();
    seed.stream(&format!("sample/{number}")).shuffle(&mut order);
    Hidden::deal(seen, &order)
}

/// The numbers that mix exchanged tiles into the bag of a sample; equal for all candidates.
fn mixing(seed: &Seed, number: u32) -> Stream {
    seed.stream(&format!("mixing/{number}"))
}

/// The result of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The index of the candidate.
    pub candidate: usize,
    /// The chance to win, in 1/10,000.
    pub win: u16,
    /// The lead over the best other seat, with leaves, in hundredths of a point.
    pub lead: i64,
    /// The chance to win that the best candidate has more, in 1/10,000.
    pub loss: u16,
    /// Two standard errors of `loss`, in 1/10,000.
    pub error: u16,
    /// Whether the difference to the best candidate is within its error.
    pub is_equal: bool,
    /// The samples of this candidate.
    pub samples: u32,
}

impl Tallies {
    /// Returns the candidate with the highest value among those with the most samples.
    #[must_use]
    pub fn leader(&self) -> usize {
        let most = self.samples();
        let live = (0..self.sums.len()).filter(|at| self.sums[*at].samples == most);
        live.max_by_key(|at| (self.sums[*at].value, std::cmp::Reverse(*at)))
            .unwrap_or(0)
    }

    /// Returns the results, the best one first. A candidate with fewer samples is compared with the best one in its samples.
    #[must_use]
    pub fn estimates(&self) -> Vec<Estimate> {
        if self.samples() == 0 {
            return Vec::new();
        }
        let leader = self.leader();
        let best = self.sums[leader];
        let mean = |sum: i64, samples: u32| sum / i64::from(samples.max(1));
        let chance = |win: i64| u16::try_from(win.clamp(0, i64::from(CERTAIN))).unwrap_or(0);
        let of = |candidate: usize| {
            let difference = self.difference(leader, candidate);
            let (samples, sum) = (difference.samples, self.sums[candidate].samples);
            let loss = mean(difference.win, samples);
            Estimate {
                candidate,
                win: chance(mean(best.win, best.samples) - loss),
                lead: mean(best.lead, best.samples) - mean(difference.lead, samples),
                loss: chance(loss),
                error: chance(2 * difference.error() / WIN),
                is_equal: candidate == leader || !difference.exceeds(2_000),
                samples: sum,
            }
        };
        let mut all: Vec<usize> = (0..self.sums.len()).collect();
        all.sort_by_key(|at| {
            let difference = self.difference(leader, *at);
            (mean(difference.value, difference.samples), *at != leader)
        });
        all.into_iter().map(of).collect()
    }
}
