//! How many moves a second a server bears: the rate is raised until 99 of 100 no longer reach the others in time.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::catalog::Product;
use super::rooms::{self, Plan, RoomRun};
use tilewire_loadtest::options::CommonOptions;

/// Each rate is so many times the one before.
const STEP: f64 = 1.5;
/// Steps at most; the last rate is some two thousand times the first.
const STEPS_MAX: u32 = 20;
/// The number of bisection steps between the last sustained rate and the first failed one: to about a tenth of the rate.
const HALVINGS: u32 = 2;
/// A rate that was too much is tried again: the machine may have been at fault.
const TRIES: u32 = 2;

/// The result of the search.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Capacity {
    /// Moves a second at the highest rate that was borne; 0 if the first was too much.
    pub(super) capacity_per_s: f64,
    /// The run at that rate.
    #[serde(flatten)]
    pub(super) run: RoomRun,
}

/// Looks for it, at a product or at ours.
///
/// # Errors
/// When a server does not start, or tells wrong.
pub(super) async fn look(
    who: Option<(Product, &Path)>,
    plan: Plan,
    in_time: Duration,
    common: &CommonOptions,
    seed: u64,
) -> Result<Capacity> {
    let mut search = Search {
        who,
        plan,
        in_time,
        common,
        seed,
    };
    let first = search.run(plan.rate).await?;
    if !search.is_borne(&first) {
        return Ok(Capacity {
            capacity_per_s: 0.0,
            run: first,
        });
    }
    let mut bounds = Bounds::new(plan.rate);
    let mut last = first;
    for _ in 0..STEPS_MAX + HALVINGS {
        let Some(rate) = bounds.next() else { break };
        let run = search.run(rate).await?;
        let is_borne = search.is_borne(&run);
        bounds.learn(rate, is_borne);
        if is_borne {
            last = run;
        }
    }
    Ok(Capacity {
        capacity_per_s: last.moves_per_s,
        run: last,
    })
}

/// Between which rates the capacity lies.
#[derive(Debug)]
struct Bounds {
    borne: f64,
    too_much: Option<f64>,
    halvings: u32,
}

impl Bounds {
    const fn new(borne: f64) -> Self {
        Self {
            borne,
            too_much: None,
            halvings: 0,
        }
    }

    /// The rate to try next; none when it is known well enough.
    fn next(&self) -> Option<f64> {
        match self.too_much {
            None => Some(self.borne * STEP),
            Some(too_much) => (self.halvings < HALVINGS).then(|| (self.borne * too_much).sqrt()),
        }
    }

    fn learn(&mut self, rate: f64, is_borne: bool) {
        if self.too_much.is_some() {
            self.halvings += 1;
        }
        if is_borne {
            self.borne = rate;
        } else {
            self.too_much = Some(rate);
        }
    }
}

#[derive(Debug)]
struct Search<'a> {
    who: Option<(Product, &'a Path)>,
    plan: Plan,
    in_time: Duration,
    common: &'a CommonOptions,
    // Of the next run.
    seed: u64,
}

impl Search<'_> {
    /// Runs at this rate, again if it was too much.
    async fn run(&mut self, rate: f64) -> Result<RoomRun> {
        let plan = Plan { rate, ..self.plan };
        let mut run = self.once(plan).await?;
        for _ in 1..TRIES {
            if self.is_borne(&run) {
                break;
            }
            run = self.once(plan).await?;
        }
        Ok(run)
    }

    async fn once(&mut self, plan: Plan) -> Result<RoomRun> {
        let seed = self.seed;
        self.seed = seed.wrapping_add(1_000);
        match self.who {
            Some((product, dir)) => rooms::theirs(product, dir, plan, self.common, seed).await,
            None => rooms::ours(plan, self.common, seed).await,
        }
    }

    fn is_borne(&self, run: &RoomRun) -> bool {
        run.keeps_up(self.in_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(capacity: f64) -> (f64, u32) {
        let (mut bounds, mut runs) = (Bounds::new(100.0), 0);
        while let Some(rate) = bounds.next() {
            bounds.learn(rate, rate <= capacity);
            runs += 1;
        }
        (bounds.borne, runs)
    }

    #[test]
    fn what_is_found_is_borne_and_little_less_than_the_most() {
        for capacity in [100.0, 110.0, 149.0, 150.0, 151.0, 3_217.0, 50_000.0] {
            let (found, runs) = found(capacity);
            assert!(found <= capacity, "{found} of {capacity}");
            assert!(capacity < found * STEP.powf(0.26), "{found} of {capacity}");
            assert!(runs <= STEPS_MAX + HALVINGS, "{runs}");
        }
    }
}
