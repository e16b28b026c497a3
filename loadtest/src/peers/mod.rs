//! Ours and servers of somebody else's, one after the other, pair by pair on the same machine with the same clients.
//!
//! What is compared is processor time for each delivery, memory, and times. What a peer does not do at all (resume,
//! durability) is said beside it: the ratio alone would not be fair to either.

mod catalog;
mod fanout;
mod table;
mod tally;
mod tree;
mod wire;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::args::{Common, seconds};
use crate::host::{self, Cores, Machine};
use crate::report::complain;
use crate::scenario::hot::{HotArgs, rate};
use catalog::Peer;
use table::{Comparison, Pairs};

/// Flags of `peers`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct PeersArgs {
    /// Compare with this one; may be repeated [default: all]
    #[arg(long = "peer", value_enum, value_name = "NAME")]
    peers: Vec<Peer>,
    /// Runs of each of the two, in turns
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pairs: u32,
    /// Spectators of the one game
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    spectators: u32,
    /// Turns in a second, by chance; each is two frames
    #[arg(long, value_name = "TURNS", default_value_t = 10.0, value_parser = rate, conflicts_with = "burst")]
    rate: f64,
    /// Turns that follow each other as fast as they go, in place of a rate
    #[arg(long, value_name = "TURNS")]
    burst: Option<u32>,
    /// Time between two bursts
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    burst_every: Duration,
    /// Where loadtest/peers/install has put them
    #[arg(long, value_name = "DIR", default_value = "target/peers")]
    #[serde(skip)]
    installed: PathBuf,
}

impl PeersArgs {
    fn hot(&self) -> HotArgs {
        HotArgs {
            spectators: self.spectators,
            rate: self.rate,
            burst: self.burst,
            burst_every: self.burst_every,
            join_within: Duration::ZERO,
            storm: false,
            stalled: 0.0,
            floor: None,
            pairs: None,
        }
    }

    fn peers(&self) -> &[Peer] {
        if self.peers.is_empty() {
            Peer::value_variants()
        } else {
            &self.peers
        }
    }
}

/// Compares and reports.
///
/// # Errors
/// When a server does not start, or a subscriber was not delivered everything once.
pub(crate) fn run(args: &PeersArgs, common: &Common) -> Result<()> {
    host::raise_open_files();
    let cores = Cores::split(common.server_cores.as_deref())?;
    let machine = Machine::look(&cores);
    host::pin(&cores.clients)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.clients.len())
        .enable_all()
        .build()?;
    let mut comparison = Comparison::new(serde_json::to_value(args)?, machine);
    for peer in args.peers() {
        let pairs = runtime.block_on(pairs(*peer, args, common))?;
        comparison.add(pairs);
    }
    comparison.write(common.json.as_deref())
}

async fn pairs(peer: Peer, args: &PeersArgs, common: &Common) -> Result<Pairs> {
    let hot = args.hot();
    let mut pairs = Pairs::new(peer);
    for pair in 0..args.pairs {
        let seed = common.seed.wrapping_add(u64::from(pair));
        // What goes first may find the machine warmer or colder: each does in half of the pairs.
        let theirs = fanout::theirs(peer, &args.installed, &hot, common, seed);
        let ours = fanout::ours(&hot, common, seed);
        let (ours, theirs) = if pair % 2 == 0 {
            let ours = ours.await?;
            (ours, theirs.await?)
        } else {
            let theirs = theirs.await?;
            (ours.await?, theirs)
        };
        if !common.quiet {
            complain(&format!(
                "{} {} of {}: {:.2} µs at ours, {:.2} µs at theirs for each delivery",
                peer.name(),
                pair + 1,
                args.pairs,
                ours.cpu_us_per_delivery,
                theirs.cpu_us_per_delivery
            ));
        }
        pairs.add(&ours, &theirs)?;
    }
    Ok(pairs)
}
