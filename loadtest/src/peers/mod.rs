//! Ours and servers of somebody else's, one after the other, pair by pair on the same machine with the same clients.
//!
//! What is compared is processor time for each delivery, memory, and times. What a peer does not do at all (resume,
//! durability) is said beside it: the ratio alone would not be fair to either.

mod capacity;
mod catalog;
mod fanout;
mod rooms;
mod seat;
mod table;
mod tally;
mod tree;
mod wire;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, to_value};

use crate::args::{Common, seconds};
use crate::flags::conditions;
use crate::floor::Beside;
use crate::host;
use crate::report::complain;
use crate::scenario::hot::{HotArgs, rate};
use catalog::Peer;
use rooms::Plan;
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
    /// Rooms of two seats, for peers that have rooms
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rooms: u32,
    /// Spectators of each room
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    room_spectators: u32,
    /// Moves in a second, in all rooms together
    #[arg(long, value_name = "MOVES", default_value_t = 100.0, value_parser = rate)]
    room_rate: f64,
    /// Look for the most moves in a second at which 99 of 100 reach the others in time, from --room-rate upwards
    #[arg(long)]
    capacity: bool,
    /// What in time means
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = seconds)]
    in_time: Duration,
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
            processes: 0,
            storm: false,
            afresh: false,
            stalled: 0.0,
            beside: Beside::default(),
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
    let (machine, runtime) = host::prepare(common.server_cores.as_deref())?;
    let mut comparison = Comparison::new(to_value(args)?, conditions("peers", common), machine);
    // Who is missing should be known before anything is measured.
    for peer in args.peers() {
        tree::start_of(&args.installed, peer.name())?;
    }
    for peer in args.peers() {
        let pairs = runtime.block_on(pairs(*peer, args, common))?;
        comparison.add(pairs);
    }
    comparison.write(common.json.as_deref())
}

async fn pairs(peer: Peer, args: &PeersArgs, common: &Common) -> Result<Pairs> {
    let mut pairs = Pairs::new(peer);
    for pairing in 0..args.pairs {
        let seed = common.seed.wrapping_add(u64::from(pairing));
        // What goes first may find the machine warmer or colder: each does in half of the pairs.
        let (ours, theirs) = if pairing % 2 == 0 {
            let ours = measure(None, peer.has_rooms(), args, common, seed).await?;
            let theirs = measure(Some(peer), peer.has_rooms(), args, common, seed).await?;
            (ours, theirs)
        } else {
            let theirs = measure(Some(peer), peer.has_rooms(), args, common, seed).await?;
            let ours = measure(None, peer.has_rooms(), args, common, seed).await?;
            (ours, theirs)
        };
        if !common.quiet {
            complain(&format!(
                "{}: {} of {} pairs",
                peer.name(),
                pairing + 1,
                args.pairs
            ));
        }
        pairs.add(ours, theirs);
    }
    Ok(pairs)
}

/// The figures of one run of a peer, or of ours.
async fn measure(
    who: Option<Peer>,
    has_rooms: bool,
    args: &PeersArgs,
    common: &Common,
    seed: u64,
) -> Result<Value> {
    let dir = &args.installed;
    let plan = Plan {
        rooms: args.rooms,
        spectators: args.room_spectators,
        rate: args.room_rate,
    };
    let metrics = match (has_rooms, args.capacity, who) {
        (false, _, None) => to_value(fanout::ours(&args.hot(), common, seed).await?),
        (false, _, Some(peer)) => {
            to_value(fanout::theirs(peer, dir, &args.hot(), common, seed).await?)
        }
        (true, false, None) => to_value(rooms::ours(plan, common, seed).await?),
        (true, false, Some(peer)) => to_value(rooms::theirs(peer, dir, plan, common, seed).await?),
        (true, true, who) => {
            let who = who.map(|peer| (peer, dir.as_path()));
            to_value(capacity::look(who, plan, args.in_time, common, seed).await?)
        }
    };
    Ok(metrics?)
}
