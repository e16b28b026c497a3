//! CPU per move with rising numbers of games, and CPU per delivery with rising numbers of spectators.

use clap::Args;
use serde::Serialize;

use super::{Series, Step};

/// Flags of `growth`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct GrowthArgs {
    /// Numbers of concurrent games
    #[arg(
        long,
        value_name = "N,N",
        value_delimiter = ',',
        default_value = "100,500,1000,2500,5000"
    )]
    games: Vec<u32>,
    /// Moves per second of all games together, the same for each number of games; choose less than half of the
    /// server's capacity
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    moves_per_s: u32,
    /// Numbers of spectators of one game
    #[arg(
        long,
        value_name = "N,N",
        value_delimiter = ',',
        default_value = "100,300,1000,3000,10000"
    )]
    spectators: Vec<u32>,
    /// Approximate deliveries per second to all spectators together
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    deliveries_per_s: u32,
}

/// Most turns per second of one game; the two bots do not play faster.
const RATE_MAX: f64 = 50.0;
/// Events per pass.
const EVENTS_OF_A_PASS: f64 = 2.0;

impl GrowthArgs {
    /// The runs: games first.
    pub(crate) fn series(&self) -> Vec<Series> {
        let games = self.games.iter().map(|games| {
            let think = f64::from(*games) * 1_000.0 / f64::from(self.moves_per_s);
            let command = format!(
                "matches --games {games} --think {think:.3} --spectators 0 --illegal 0 --repeated 0 --dropped 0"
            );
            Step::new(format!("{games} games"), &command).with_warm_up(games.saturating_mul(2))
        });
        let spectators = self.spectators.iter().map(|count| {
            let rate =
                f64::from(self.deliveries_per_s) / EVENTS_OF_A_PASS / f64::from((*count).max(1));
            let rate = rate.clamp(0.01, RATE_MAX);
            let join = f64::from(*count) / f64::from(super::COMING_PER_S);
            let command =
                format!("hot --spectators {count} --rate {rate:.2} --join-within {join:.1}");
            Step::new(format!("{count} spectators"), &command)
        });
        let per_move = "server_cpu_us_per_move";
        let per_delivery = "server_cpu_us_per_delivery";
        vec![
            Series {
                name: "growth of games",
                columns: vec![
                    (per_move, "CPU us/move", 1.0),
                    ("moves_per_s", "moves/s", 1.0),
                    ("server_cores_used", "cores", 1.0),
                    ("ack_latency_us.p50", "ack p50 ms", 1_000.0),
                    ("ack_latency_us.p99", "ack p99 ms", 1_000.0),
                    ("bytes_per_game", "KiB/game", 1_024.0),
                ],
                ratios: vec![per_move],
                steps: games.collect(),
            },
            Series {
                name: "growth of spectators",
                columns: vec![
                    (per_delivery, "us/delivery", 1.0),
                    ("deliveries_per_s", "deliveries/s", 1.0),
                    ("server_cores_used", "cores", 1.0),
                    ("push_latency_us.p50", "push p50 ms", 1_000.0),
                    ("push_latency_us.p99", "push p99 ms", 1_000.0),
                    ("bytes_per_connection", "KiB/conn", 1_024.0),
                ],
                ratios: vec![per_delivery],
                steps: spectators.collect(),
            },
        ]
    }
}
