//! Floods a server from 127.0.0.66 while another program measures the effect on other clients.

use std::time::Duration;

use clap::Parser;
use tilewire_tests::flood::{Flood, From, Kind};

/// Floods a server on this machine for a while, from 127.0.0.66.
#[derive(Debug, Parser)]
struct Args {
    /// How
    #[arg(value_enum, required = true)]
    kinds: Vec<Kind>,
    /// Where players connect, ADDR:PORT
    #[arg(long, default_value = "127.0.0.1:7780")]
    server: String,
    /// Where the connections seem to come from
    #[arg(long, value_enum, default_value_t = From::Address)]
    from: From,
    /// For how many seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a flood ends when its time is over"
)]
fn main() {
    let args = Args::parse();
    let (since, length) = (std::time::Instant::now(), Duration::from_secs(args.seconds));
    std::thread::scope(|scope| {
        for kind in args.kinds {
            let address = args.server.as_str();
            scope.spawn(move || {
                let flood = Flood {
                    address,
                    goes_on: &|| since.elapsed() < length,
                    met: &|| {},
                    from: args.from,
                };
                flood.run(kind);
            });
        }
    });
}
