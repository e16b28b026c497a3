//! Runs cases, several at a time, and reports their outcomes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tilewire_protocol::causes;

use super::failure;
use super::{Case, Check, Skipped, Unlucky, now, skip};

/// The number of games in which a case is tried if the tiles are unsuitable.
const GAMES: usize = 6;

/// The outcome of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is proved.
    Passed,
    /// It is not so.
    Failed(String),
    /// It could not be tried here.
    Skipped(String),
}

/// A case and its outcome.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// The case, with the variant it was carried out in.
    pub name: String,
    /// The clauses it is about.
    pub clauses: Vec<String>,
    /// Its outcome.
    pub outcome: Outcome,
    /// How long it took, ms.
    pub took_ms: u128,
}

/// A prepared case; the closure contains its target.
pub struct Job<'a> {
    /// Its name.
    pub name: String,
    /// The clauses it is about.
    pub clauses: Vec<String>,
    /// Carries it out.
    pub run: Box<dyn Fn() -> Check + Send + Sync + 'a>,
}

impl<'a> Job<'a> {
    /// A case against `target`; `variant` tells it from the same case against another.
    #[must_use]
    pub fn new<T: Sync>(case: &'static Case<T>, target: &'a T, variant: &str) -> Self {
        let variant = if variant.is_empty() {
            String::new()
        } else {
            format!("/{variant}")
        };
        let run = case.run;
        Self {
            name: format!("{}{variant}", case.name),
            clauses: case.clauses.iter().map(|&clause| clause.into()).collect(),
            run: Box::new(move || run(target)),
        }
    }
}

/// Runs jobs, `at_once` at a time; the lines are in the order of the jobs. `told` gets each line as its job ends.
pub fn all(jobs: &[Job<'_>], at_once: usize, told: impl Fn(&CaseResult) + Sync) -> Vec<CaseResult> {
    let next = AtomicUsize::new(0);
    let lines: Mutex<Vec<Option<CaseResult>>> = Mutex::new(vec![None; jobs.len()]);
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            scope.spawn(|| {
                while let Some((at, job)) = {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    jobs.get(at).map(|job| (at, job))
                } {
                    let line = one(job);
                    told(&line);
                    lines.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(line);
                }
            });
        }
    });
    let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
    lines.into_iter().flatten().collect()
}

fn one(job: &Job<'_>) -> CaseResult {
    let began = now();
    failure::begin();
    let mut luck = (0..GAMES).map(|_| catch_unwind(AssertUnwindSafe(|| (job.run)())));
    let is_verdict = |tried: &std::thread::Result<Check>| !matches!(tried, Ok(Err(error)) if error.root_cause().is::<Unlucky>());
    let tried = luck
        .find(is_verdict)
        .unwrap_or_else(|| Ok(skip("no deal had the tiles that the case needs")));
    let failed = |why: &str| Outcome::Failed(failure::lines(why, &job.clauses));
    let outcome = match tried {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(error)) => match error.downcast_ref::<Skipped>() {
            Some(skipped) => Outcome::Skipped(skipped.to_string()),
            None => failed(&causes(error.as_ref())),
        },
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            failed(&text.unwrap_or_else(|| "the case panicked".to_owned()))
        }
    };
    CaseResult {
        name: job.name.clone(),
        clauses: job.clauses.clone(),
        outcome,
        took_ms: began.elapsed().as_millis(),
    }
}

/// How many passed, failed and were skipped.
#[must_use]
pub fn counts(lines: &[CaseResult]) -> (usize, usize, usize) {
    let count =
        |wanted: fn(&Outcome) -> bool| lines.iter().filter(|line| wanted(&line.outcome)).count();
    (
        count(|outcome| matches!(outcome, Outcome::Passed)),
        count(|outcome| matches!(outcome, Outcome::Failed(_))),
        count(|outcome| matches!(outcome, Outcome::Skipped(_))),
    )
}

impl CaseResult {
    /// The line for people.
    #[must_use]
    pub fn text(&self) -> String {
        let head = match &self.outcome {
            Outcome::Passed => "passed ",
            Outcome::Failed(_) => "FAILED ",
            Outcome::Skipped(_) => "skipped",
        };
        let why = match &self.outcome {
            Outcome::Passed => String::new(),
            Outcome::Failed(why) | Outcome::Skipped(why) => why
                .lines()
                .map(|line| format!("\n        {line}"))
                .collect(),
        };
        format!(
            "{head} {} [{}] {} ms{why}",
            self.name,
            self.clauses.join(", "),
            self.took_ms
        )
    }

    /// The line for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let (outcome, why) = match &self.outcome {
            Outcome::Passed => ("passed", None),
            Outcome::Failed(why) => ("failed", Some(why)),
            Outcome::Skipped(why) => ("skipped", Some(why)),
        };
        let mut line = json!({
            "case": self.name, "clauses": self.clauses, "outcome": outcome,
            "took_ms": u64::try_from(self.took_ms).unwrap_or(u64::MAX),
        });
        if let (Some(why), Some(fields)) = (why, line.as_object_mut()) {
            fields.insert("why".to_owned(), json!(why));
        }
        line
    }
}
