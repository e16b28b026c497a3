//! How long a simulation goes on: after each round, candidates that are clearly worse are dropped.

use std::ops::Range;

use super::sample::{Difference, MAX_CANDIDATES, Tallies, value_of_chance};

/// Samples of a round.
const ROUND: u32 = 64;
/// Most samples of a candidate.
pub const MAX_SAMPLES: u32 = 1_000_000;
/// A candidate is dropped when its difference to the best one exceeds this number of standard errors, in thousandths.
const DROPPED: i64 = 3_300;
/// Candidates are equal when their difference is below `EQUAL` (1/10,000) at this number of standard errors, in thousandths.
const SURE: i64 = 2_576;
/// The difference of equal candidates, in 1/10,000.
const EQUAL: i64 = 30;
/// The samples after which a candidate that must stay has a useful estimate.
const USEFUL: u32 = 512;

/// How much to sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleBudget {
    /// Most samples of a candidate.
    pub samples: u32,
    /// A candidate that is never dropped: the turn that was made.
    pub kept: Option<usize>,
}

/// A budget that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// No samples, or too many.
    #[error("a simulation takes 1 to {MAX_SAMPLES} samples, not {0}")]
    Samples(u32),
    /// No candidates, or too many.
    #[error("a simulation has 1 to {MAX_CANDIDATES} candidates, not {0}")]
    Candidates(usize),
}

impl BudgetError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Samples(_) => "samples",
            Self::Candidates(_) => "candidates",
        }
    }
}

/// Why a simulation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// One candidate is better than all others.
    Best,
    /// Those that are left are equal.
    Equal,
    /// The samples are used up.
    Samples,
}

impl Reason {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Equal => "equal",
            Self::Samples => "samples",
        }
    }
}

/// The next step of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play these candidates (by index) in these samples.
    Sample(Vec<usize>, Range<u32>),
    /// It is done.
    Done(Reason),
}

impl SampleBudget {
    /// Checks the budget of a simulation with this number of candidates.
    ///
    /// # Errors
    /// If there is nothing to sample, or too much.
    pub const fn check(&self, candidates: usize) -> Result<(), BudgetError> {
        if self.samples == 0 || self.samples > MAX_SAMPLES {
            return Err(BudgetError::Samples(self.samples));
        }
        if candidates == 0 || candidates > MAX_CANDIDATES {
            return Err(BudgetError::Candidates(candidates));
        }
        Ok(())
    }
}

/// Returns what a simulation with these tallies does next. A candidate that was once dropped has fewer samples than the others and
/// stays out.
#[must_use]
pub fn next(tallies: &Tallies, budget: &SampleBudget) -> Next {
    let done = tallies.samples();
    let end = budget.samples.min(MAX_SAMPLES);
    let round = |live: Vec<usize>| Next::Sample(live, done..end.min(done.saturating_add(ROUND)));
    let live = (0..tallies.candidates()).filter(|at| tallies.sum(*at).samples == done);
    if done == 0 {
        return match (end, tallies.candidates()) {
            (0, _) => Next::Done(Reason::Samples),
            (_, 0) => Next::Done(Reason::Best),
            _ => round(live.collect()),
        };
    }
    let leader = tallies.leader();
    let is_kept = |at: usize| at == leader || budget.kept == Some(at);
    let to = |at: usize| tallies.difference(leader, at);
    let is_worse = |at: usize| at != leader && to(at).exceeds(DROPPED);
    let left: Vec<usize> = live.filter(|at| is_kept(*at) || !is_worse(*at)).collect();
    let mut open = left.iter().filter(|at| **at != leader && !is_worse(**at));
    let is_alone = open.clone().next().is_none();
    let is_useful = done >= USEFUL || left.len() == 1;
    if is_alone && is_useful {
        return Next::Done(Reason::Best);
    }
    if !is_alone && is_useful && open.all(|at| to(*at).is_small()) {
        return Next::Done(Reason::Equal);
    }
    match done >= end {
        true => Next::Done(Reason::Samples),
        false => round(left),
    }
}

impl Difference {
    /// The squared standard error of the sum of the differences, times the number of samples less one.
    fn spread(&self) -> i128 {
        let (samples, sum) = (i128::from(self.samples), i128::from(self.value));
        samples * i128::from(self.squares) - sum * sum
    }

    /// The standard error of the mean difference of values.
    pub(super) fn error(&self) -> i64 {
        let samples = i128::from(self.samples);
        let below = (samples * samples * (samples - 1)).max(1);
        i64::try_from((self.spread().max(0) / below).isqrt()).unwrap_or(i64::MAX)
    }

    /// Whether the mean difference exceeds this number of standard errors, in thousandths.
    pub(super) fn exceeds(&self, errors: i64) -> bool {
        let sum = i128::from(self.value);
        let errors = i128::from(errors);
        sum > 0
            && sum * sum * (i128::from(self.samples) - 1) * 1_000_000
                > errors * errors * self.spread()
    }

    /// Whether the difference is surely below that of equal candidates.
    fn is_small(&self) -> bool {
        let samples = i128::from(self.samples);
        let room = i128::from(value_of_chance(EQUAL)) * samples - i128::from(self.value).abs();
        let sure = i128::from(SURE);
        room > 0 && room * room * (samples - 1) * 1_000_000 >= sure * sure * self.spread()
    }
}
