//! The server with the feature `crash-points`: it dies where `CRASH_AT` says.

use clap::Parser;
use tilewire_server::cli::Cli;
use tilewire_server::{config, telemetry};

fn main() -> anyhow::Result<()> {
    let config = config::load(&Cli::parse().flags.sources())?;
    telemetry::install(&config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(tilewire_server::run(config))
}
