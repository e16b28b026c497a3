//! Memory per connection and per game, by kind of connection.

use clap::Args;
use serde::Serialize;

use super::{Series, Step};

/// Flags of `memory`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct MemoryArgs {
    /// Connections of each kind, and half as many games
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    connections: u32,
}

impl MemoryArgs {
    /// The runs.
    pub(crate) fn series(&self) -> Series {
        let all = self.connections;
        let games = all / 2;
        let join = f64::from(all) / f64::from(super::COMING_PER_S);
        let idle = |kind: &str| {
            let command = format!("idle --kind {kind} --connections {all} --join-within {join:.1}");
            Step::new(kind, &command)
        };
        // One turn per game in ten seconds: the games stay active and do not all sleep.
        let matches = format!(
            "matches --games {games} --think 10000 --spectators 0 --illegal 0 --repeated 0 --dropped 0"
        );
        Series {
            name: "memory",
            columns: vec![
                ("bytes_per_connection", "KiB/conn", 1_024.0),
                ("kernel_bytes_per_connection", "kernel KiB", 1_024.0),
                ("bytes_per_game", "KiB/game", 1_024.0),
                ("connections", "connections", 1.0),
                ("server_rss_bytes", "MiB total", 1_048_576.0),
            ],
            ratios: vec!["bytes_per_connection"],
            steps: vec![
                idle("connected"),
                idle("lobby"),
                idle("spectator"),
                idle("seated"),
                Step::new("games being played", &matches).with_warm_up(all),
            ],
        }
    }
}
