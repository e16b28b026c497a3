//! Simulations on several threads. The result does not depend on their number.

use std::sync::Arc;
use std::thread;

use tilewire_rules::analysis::{
    BudgetError, Engine, Next, Reason, SampleBudget, Simulation, Tallies, next,
};
use tilewire_rules::lexicon::WordGraphs;
use tilewire_rules::ruleset::RuleSet;

/// Most threads.
pub(super) const MAX_THREADS: u64 = 256;

/// A finished simulation, or one that the caller stopped.
pub(super) struct Simulated {
    pub(super) tallies: Tallies,
    /// Why it ended; `None` if it was stopped.
    pub(super) reason: Option<Reason>,
}

/// The number of threads of this machine.
pub(super) fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Engines for some threads.
pub(super) fn engines(words: &Arc<WordGraphs>, rules: &RuleSet, threads: usize) -> Vec<Engine> {
    (0..threads.max(1))
        .map(|_| Engine::new(Arc::clone(words), rules))
        .collect()
}

/// Simulates until the question is settled, the budget is used up, or `stop` says so; one thread for each engine.
///
/// # Errors
/// If the budget cannot be used.
pub(super) fn simulate(
    engines: &mut [Engine],
    of: &Simulation<'_>,
    budget: &SampleBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Simulated, BudgetError> {
    budget.check(of.candidates.len())?;
    let mut tallies = Tallies::new(of.candidates.len());
    loop {
        let (live, samples) = match next(&tallies, budget) {
            Next::Done(reason) => {
                return Ok(Simulated {
                    tallies,
                    reason: Some(reason),
                });
            }
            Next::Sample(live, samples) => (live, samples),
        };
        let parts = u32::try_from(engines.len()).unwrap_or(1);
        let (first, count) = (samples.start, samples.end - samples.start);
        let from = |part: u32| first + count * part / parts;
        let round: Option<Vec<Tallies>> = thread::scope(|scope| {
            let live = &live;
            let workers: Vec<_> = (0..parts)
                .zip(engines.iter_mut())
                .map(|(part, engine)| {
                    let samples = from(part)..from(part + 1);
                    scope.spawn(move || engine.sample(of, live, samples, &stop))
                })
                .collect();
            let joined = workers.into_iter().map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect()
        });
        let Some(round) = round else {
            return Ok(Simulated {
                tallies,
                reason: None,
            });
        };
        round.iter().for_each(|part| tallies.add(part));
    }
}
