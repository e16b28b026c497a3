//! Servers and clients that break one clause each. The named case must fail, which proves that it checks something.
//!
//! A mutation is a [`Tap`] between the kit and a real server, or between a real client and the kit. The product itself
//! has no code for them.

/// One row of a list: a change of the server's messages.
macro_rules! changed {
    ($change:expr) => {
        || Box::new($crate::client::scripts::Changed($change))
    };
}

mod changes;
mod clients;
mod hints;
mod moderation;
mod people;
mod servers;

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::client::{self, Contender};
use super::relay::{Plain, Relay, Tap};
use super::run::{self, Job, Outcome};
use super::{Encoding, Target, server};

/// A mutation.
pub struct Mutation {
    /// Its name.
    pub name: &'static str,
    /// The case that must notice.
    pub case: &'static str,
    /// The relay that breaks it.
    pub tap: fn() -> Box<dyn Tap>,
}

impl Mutation {
    /// A mutation that a case must find.
    #[must_use]
    pub const fn of(name: &'static str, case: &'static str, tap: fn() -> Box<dyn Tap>) -> Self {
        Self { name, case, tap }
    }
}

/// How long cases wait for messages that a mutation suppresses, and without a mutation.
const PATIENCE: Duration = Duration::from_secs(3);
const PATIENCE_WITHOUT: Duration = Duration::from_secs(30);

/// Servers that are broken.
pub fn servers() -> impl Iterator<Item = &'static Mutation> {
    let people = people::ALL.iter().chain(moderation::ALL).chain(hints::ALL);
    servers::ALL.iter().chain(people)
}

/// Clients that are broken.
pub fn clients() -> impl Iterator<Item = &'static Mutation> {
    clients::ALL.iter()
}

/// Runs the case of a mutation against the server at `url` through `tap`; returns why it failed, if it did.
fn server_case(
    url: &str,
    case: &str,
    patience: Duration,
    tap: Box<dyn Tap>,
) -> Result<Option<String>> {
    let real = Target::parse(url, Encoding::Json, patience)?;
    let relay = Relay::start(real.address(), tap)?;
    let target = real.at(&relay.address);
    let targets = [("mutated".to_owned(), target)];
    let mut jobs = server::jobs(&targets, case);
    jobs.retain(|job| job.name == format!("{case}/mutated"));
    ensure!(jobs.len() == 1, "{} cases are called {case}", jobs.len());
    outcome(&run::all(&jobs, 1, |_| {}))
}

fn outcome(lines: &[run::CaseResult]) -> Result<Option<String>> {
    let line = lines.first().context("the case was carried out")?;
    match &line.outcome {
        Outcome::Passed => Ok(None),
        Outcome::Failed(why) => Ok(Some(why.clone())),
        Outcome::Skipped(why) => anyhow::bail!("{} was skipped: {why}", line.name),
    }
}

/// Checks that the case of a broken server fails, and that it does not without the mutation; returns why it failed.
///
/// # Errors
/// When the case passes in spite of the mutation, or fails without it.
pub fn check_server(url: &str, mutation: &Mutation) -> Result<String> {
    let whole = server_case(url, mutation.case, PATIENCE_WITHOUT, Box::new(Plain))?;
    ensure!(
        whole.is_none(),
        "{} fails without a mutation: {whole:?}",
        mutation.case
    );
    let broken = server_case(url, mutation.case, PATIENCE, (mutation.tap)())?;
    broken.with_context(|| format!("{}: {} did not notice", mutation.name, mutation.case))
}

/// The jobs that check every mutation whose name or case contains `only`.
#[must_use]
pub fn jobs<'a>(url: &'a str, contender: Option<&'a Contender>, only: &str) -> Vec<Job<'a>> {
    let is_wanted =
        |mutation: &&Mutation| mutation.name.contains(only) || mutation.case.contains(only);
    let server = servers().filter(is_wanted).map(|mutation| Job {
        name: format!("a server that {}", mutation.name),
        clauses: vec![mutation.case.to_owned()],
        run: Box::new(move || check_server(url, mutation).map(drop)),
    });
    let client = contender.into_iter().flat_map(|contender| {
        let wanted = clients().filter(is_wanted);
        wanted.map(move |mutation| Job {
            name: format!("a client that {}", mutation.name),
            clauses: vec![mutation.case.to_owned()],
            run: Box::new(move || check_client(contender, mutation).map(drop)),
        })
    });
    server.chain(client).collect()
}

/// The same for a broken client.
///
/// # Errors
/// When the case passes in spite of the mutation, or fails without it.
pub fn check_client(contender: &Contender, mutation: &Mutation) -> Result<String> {
    let play = |between| {
        let contender = Contender {
            between,
            ..contender.clone()
        };
        let mut jobs = client::jobs(&contender, mutation.case);
        jobs.retain(|job| job.name == mutation.case);
        ensure!(
            jobs.len() == 1,
            "{} cases are called {}",
            jobs.len(),
            mutation.case
        );
        outcome(&run::all(&jobs, 1, |_| {}))
    };
    let whole = play(None)?;
    ensure!(
        whole.is_none(),
        "{} fails without a mutation: {whole:?}",
        mutation.case
    );
    play(Some(mutation.tap))?
        .with_context(|| format!("{}: {} did not notice", mutation.name, mutation.case))
}
