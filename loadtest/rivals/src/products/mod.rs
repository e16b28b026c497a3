//! Compares Tilewire with other products, in pairs of runs on the same machine with the same clients.
//!
//! The comparison covers CPU per delivery and per move, memory, and latencies. The report also lists what a product does
//! not do at all (resume, durability), because the ratio alone would not be fair to either side.

mod capacity;
mod catalog;
mod deliveries;
mod fanout;
mod fanout_client;
mod process_group;
mod room_client;
mod rooms;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, to_value};

use crate::pairs::{Comparison, Pairs, is_tilewire_first};
use catalog::Product;
use rooms::Plan;
use tilewire_loadtest::host;
use tilewire_loadtest::options::{CommonOptions, seconds};
use tilewire_loadtest::report::complain;
use tilewire_loadtest::scenario::hot::{HotArgs, rate};

/// The folder that `install` fills.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/rivals");

/// Flags of `products`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct ProductsArgs {
    /// A product to compare with; may be repeated [default: all]
    #[arg(long = "product", value_enum, value_name = "NAME")]
    products: Vec<Product>,
    /// Runs of each of the two servers, in turns
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pairs: u32,
    /// Spectators of the one game
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    spectators: u32,
    /// Mean number of turns per second (Poisson process); each turn is two frames
    #[arg(long, value_name = "TURNS", default_value_t = 10.0, value_parser = rate, conflicts_with = "burst")]
    rate: f64,
    /// Turns per burst at full speed, instead of a rate
    #[arg(long, value_name = "TURNS")]
    burst: Option<u32>,
    /// Time between two bursts
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    burst_every: Duration,
    /// Rooms of two players, for products that have rooms
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rooms: u32,
    /// Spectators of each room
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    room_spectators: u32,
    /// Moves per second in all rooms together
    #[arg(long, value_name = "MOVES", default_value_t = 100.0, value_parser = rate)]
    room_rate: f64,
    /// Find the capacity: the highest rate at which 99 % of the moves arrive in time, starting at --room-rate
    #[arg(long)]
    capacity: bool,
    /// The push latency that counts as in time
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = seconds)]
    in_time: Duration,
    /// The folder that ./install has filled [default: target/rivals in the repository]
    #[arg(long, value_name = "DIR", hide_default_value = true, default_value = INSTALLED)]
    #[serde(skip)]
    installed: PathBuf,
}

impl ProductsArgs {
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
        }
    }

    fn products(&self) -> &[Product] {
        if self.products.is_empty() {
            Product::value_variants()
        } else {
            &self.products
        }
    }
}

/// Compares and writes the report.
///
/// # Errors
/// When a server does not start, or a delivery is missing or repeated.
pub(crate) fn run(args: &ProductsArgs, common: &CommonOptions) -> Result<()> {
    let (machine, runtime) = host::prepare(common.server_cores.as_deref())?;
    let mut comparison = Comparison::new("products", to_value(args)?, common, machine);
    // A product that is not installed is reported before anything is measured.
    for product in args.products() {
        process_group::start_of(&args.installed, product.name())?;
    }
    for product in args.products() {
        let pairs = runtime.block_on(pairs(*product, args, common))?;
        comparison.add(pairs);
    }
    comparison.write(common.json.as_deref())
}

async fn pairs(product: Product, args: &ProductsArgs, common: &CommonOptions) -> Result<Pairs> {
    let mut pairs = Pairs::new(product.name(), Some(product.traits()));
    for pair in 0..args.pairs {
        let seed = common.seed.wrapping_add(u64::from(pair));
        let tilewire = measure(None, product.has_rooms(), args, common, seed);
        let theirs = measure(Some(product), product.has_rooms(), args, common, seed);
        let (tilewire, theirs) = if is_tilewire_first(pair) {
            let tilewire = tilewire.await?;
            (tilewire, theirs.await?)
        } else {
            let theirs = theirs.await?;
            (tilewire.await?, theirs)
        };
        if !common.quiet {
            let (name, done) = (product.name(), pair + 1);
            complain(&format!("{name}: {done} of {} pairs", args.pairs));
        }
        pairs.add(tilewire, theirs);
    }
    Ok(pairs)
}

/// The metrics of one run of a product, or of Tilewire.
async fn measure(
    who: Option<Product>,
    has_rooms: bool,
    args: &ProductsArgs,
    common: &CommonOptions,
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
        (false, _, Some(product)) => {
            to_value(fanout::theirs(product, dir, &args.hot(), common, seed).await?)
        }
        (true, false, None) => to_value(rooms::ours(plan, common, seed).await?),
        (true, false, Some(product)) => {
            to_value(rooms::theirs(product, dir, plan, common, seed).await?)
        }
        (true, true, who) => {
            let who = who.map(|product| (product, dir.as_path()));
            to_value(capacity::look(who, plan, args.in_time, common, seed).await?)
        }
    };
    Ok(metrics?)
}
