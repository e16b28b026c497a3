//! Floods a server, or measures what a flood costs honest players.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use clap::Parser;
use clap::ValueEnum;
use tilewire_harness::flood::effect::{Charged, Measure};
use tilewire_harness::flood::{Flood, From, Kind};

/// Floods a server on this machine for a while, from 127.0.0.66.
///
/// With --games it lets honest players play in turns without and with each flood, and prints the time that the server charges
/// them for a turn beyond their own thinking time.
#[derive(Debug, Parser)]
struct Args {
    /// How; with --games, default: every kind
    #[arg(value_enum)]
    kinds: Vec<Kind>,
    /// Where players connect, ADDR:PORT
    #[arg(long, default_value = "127.0.0.1:7780")]
    server: String,
    /// Where the connections seem to come from
    #[arg(long, value_enum, default_value_t = From::Address)]
    from: From,
    /// For how many seconds; with --games, the length of each run
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Measure with so many games of honest players
    #[arg(long)]
    games: Option<usize>,
    /// Runs with each flood, and as many without
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

fn main() -> std::io::Result<()> {
    let args = Args::parse();
    match args.games {
        Some(games) => measure(&args, games),
        None => {
            flood(&args);
            Ok(())
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a flood ends when its time is over"
)]
fn flood(args: &Args) {
    let (since, length) = (Instant::now(), Duration::from_secs(args.seconds));
    std::thread::scope(|scope| {
        for kind in &args.kinds {
            scope.spawn(move || {
                let flood = Flood {
                    address: &args.server,
                    goes_on: &|| since.elapsed() < length,
                    met: &|| {},
                    from: args.from,
                };
                flood.run(*kind);
            });
        }
    });
}

fn measure(args: &Args, games: usize) -> std::io::Result<()> {
    let measure = Measure {
        address: &args.server,
        games,
        rounds: args.rounds,
        length: Duration::from_secs(args.seconds),
        from: args.from,
    };
    let kinds = match args.kinds.as_slice() {
        [] => Kind::value_variants(),
        kinds => kinds,
    };
    let mut out = stdout().lock();
    writeln!(
        out,
        "Time charged beyond the thinking time, ms, {games} games"
    )?;
    writeln!(
        out,
        "{:<12} {:>7} {:>18} {:>7} {:>18} {:>9} {:>9}",
        "kind", "turns", "control p99/max", "turns", "flooded p99/max", "more p99", "more max"
    )?;
    for kind in kinds {
        let effect = measure.run(*kind);
        let (control, flooded) = (&effect.control, &effect.flooded);
        let more = |percent| flooded.percentile(percent) - control.percentile(percent);
        let both = |charged: &Charged| {
            format!(
                "{:.1} / {:.1}",
                charged.percentile(99),
                charged.percentile(100)
            )
        };
        writeln!(
            out,
            "{:<12} {:>7} {:>18} {:>7} {:>18} {:>9.1} {:>9.1}",
            kind.to_possible_value()
                .map_or_else(String::new, |kind| kind.get_name().to_owned()),
            control.turns(),
            both(control),
            flooded.turns(),
            both(flooded),
            more(99),
            more(100),
        )?;
        out.flush()?;
    }
    Ok(())
}
