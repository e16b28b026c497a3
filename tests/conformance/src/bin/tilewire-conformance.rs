//! `tilewire-conformance`: checks whether a server or a client speaks the protocol.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use tilewire_conformance::client::{self, Contender};
use tilewire_conformance::own_server::OwnServer;
use tilewire_conformance::run::{self, CaseResult};
use tilewire_conformance::{Encoding, Target, mutations, server};
use tilewire_protocol::causes;

/// Proves, clause by clause, that a server or a client speaks the protocol of docs/PROTOCOL.md.
#[derive(Debug, Parser)]
#[command(name = "tilewire-conformance", version, max_term_width = 100)]
struct Cli {
    /// The kind of program under test.
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Debug, Subcommand)]
enum Mode {
    /// Speak to a server as clients do, well and badly
    Server(ServerArgs),
    /// Let a client play on a real server, with trouble on the way
    Client(ClientArgs),
    /// Break a server in many ways, one at a time, and see that a case notices each
    Mutations(ServerArgs),
}

/// Flags of every mode.
#[derive(Debug, Args)]
struct Common {
    /// List the cases and the clauses they prove, and end
    #[arg(long)]
    list: bool,
    /// Run only cases whose name contains this text, or that prove this clause
    #[arg(long, value_name = "PATTERN", default_value = "")]
    only: String,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    /// Use only this encoding, instead of both in turn
    #[arg(long, value_enum, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// How long to wait for an immediate reaction, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    patience: u64,
    /// Cases carried out at the same time
    #[arg(long, value_name = "N", default_value_t = 8)]
    at_once: usize,
}

/// Flags of `server`.
#[derive(Debug, Args)]
struct ServerArgs {
    /// The server, such as ws://127.0.0.1:7780/ws; of several that share their games, all: connections go to them in turn
    #[arg(value_name = "URL", default_value = "ws://127.0.0.1:7780/ws")]
    urls: Vec<String>,
    /// Flags of every mode.
    #[command(flatten)]
    common: Common,
}

/// Flags of `client`.
#[derive(Debug, Args)]
struct ClientArgs {
    /// The server to play on [default: one of our own is started]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// How long one game may take, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    bound: u64,
    /// Flags of every mode.
    #[command(flatten)]
    common: Common,
    /// The client, after `--`; {url}, {name} and {dir} (an empty directory) are filled in
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "list")]
    command: Vec<String>,
}

fn main() -> ExitCode {
    // A case that breaks down tells it in its line.
    std::panic::set_hook(Box::new(|_| {}));
    match Cli::parse().mode {
        Mode::Server(args) => finish(under_test(&args)),
        Mode::Client(args) => finish(contends(args)),
        Mode::Mutations(args) => finish(breaks(&args)),
    }
}

#[expect(clippy::print_stderr, reason = "the last words of a program")]
fn finish(outcome: Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tilewire-conformance: {}", causes(error.as_ref()));
            ExitCode::from(2)
        }
    }
}

fn under_test(args: &ServerArgs) -> Result<bool> {
    let common = &args.common;
    if common.list {
        return Ok(list(
            server::cases().map(|case| (case.name, case.clauses)),
            common,
        ));
    }
    let encodings = common
        .encoding
        .map_or(vec![Encoding::Json, Encoding::Msgpack], |encoding| {
            vec![encoding]
        });
    let patience = Duration::from_secs(common.patience);
    let targets: Vec<(String, Target)> = encodings
        .into_iter()
        .map(|encoding| {
            let variant = format!("{encoding:?}").to_lowercase();
            Ok((variant, Target::of_all(&args.urls, encoding, patience)?))
        })
        .collect::<Result<_>>()?;
    targets.iter().try_for_each(|(_, target)| target.reach())?;
    let jobs = server::jobs(&targets, &common.only);
    let lines = run::all(&jobs, common.at_once, |line| tell(line, common.json));
    Ok(close(&lines, common.json))
}

fn breaks(args: &ServerArgs) -> Result<bool> {
    let common = &args.common;
    if common.list {
        let cases: Vec<_> = mutations::servers()
            .map(|mutation| (mutation.name, [mutation.case]))
            .collect();
        let cases = cases.iter().map(|(name, case)| (*name, &case[..]));
        return Ok(list(cases, common));
    }
    let patience = Duration::from_secs(common.patience);
    let [url] = &args.urls[..] else {
        bail!("name one server: it is broken in between");
    };
    Target::parse(url, Encoding::Json, patience)?.reach()?;
    let jobs = mutations::jobs(url, None, &common.only);
    let lines = run::all(&jobs, common.at_once, |line| tell(line, common.json));
    Ok(close(&lines, common.json))
}

fn contends(args: ClientArgs) -> Result<bool> {
    let common = &args.common;
    if common.list {
        let cases = client::CASES.iter();
        return Ok(list(cases.map(|case| (case.name, case.clauses)), common));
    }
    let own = match args.server {
        Some(_) => None,
        None => Some(OwnServer::start()?),
    };
    let own_url = own.as_ref().map(|own| own.url.clone());
    let url = args.server.or(own_url).unwrap_or_default();
    let patience = Duration::from_secs(common.patience);
    let contender = Contender {
        server: Target::parse(&url, Encoding::Json, patience)?,
        command: args.command,
        bound: Duration::from_secs(args.bound),
        between: None,
    };
    contender.server.reach()?;
    let jobs = client::jobs(&contender, &common.only);
    let lines = run::all(&jobs, common.at_once, |line| tell(line, common.json));
    Ok(close(&lines, common.json))
}

#[expect(clippy::print_stdout, reason = "the program prints its results")]
fn list<'a>(cases: impl Iterator<Item = (&'a str, &'a [&'a str])>, common: &Common) -> bool {
    for (name, clauses) in cases.filter(|(name, _)| name.contains(&common.only)) {
        if common.json {
            println!(
                "{}",
                serde_json::json!({ "case": name, "clauses": clauses })
            );
        } else {
            println!("{name} [{}]", clauses.join(", "));
        }
    }
    true
}

#[expect(clippy::print_stdout, reason = "the program prints its results")]
fn tell(line: &CaseResult, as_json: bool) {
    if as_json {
        println!("{}", line.json());
    } else {
        println!("{}", line.text());
    }
}

#[expect(clippy::print_stdout, reason = "the program prints its results")]
fn close(lines: &[CaseResult], as_json: bool) -> bool {
    let (passed, failed, skipped) = run::counts(lines);
    if as_json {
        println!(
            "{}",
            serde_json::json!({ "passed": passed, "failed": failed, "skipped": skipped })
        );
    } else {
        if skipped > 0 {
            println!("{skipped} skipped");
        }
        println!("{passed} passed, {failed} failed");
    }
    failed == 0
}
