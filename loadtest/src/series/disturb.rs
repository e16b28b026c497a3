//! The effect of disturbances on one game: undisturbed, during reconnect storms, and with spectators that do not read.

use clap::Args;
use serde::Serialize;

use super::{Series, Step};
use crate::options::share;

/// Flags of `disturb`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct DisturbArgs {
    /// Spectators of the game
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    spectators: u32,
    /// Turns per second
    #[arg(long, value_name = "TURNS", default_value_t = 4.0)]
    rate: f64,
    /// Share of spectators that do not read, in the last run
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    stalled: f64,
}

/// Spectators per client process, below the usual limit of open files.
const SPECTATORS_PER_PROCESS: u32 = 10_000;

impl DisturbArgs {
    /// The runs. The spectators run in processes of their own: when they reconnect they keep their process busy, and the
    /// players must not wait for that.
    pub(crate) fn series(&self) -> Series {
        let join = f64::from(self.spectators) / f64::from(super::COMING_PER_S);
        let hot = format!(
            "hot --spectators {} --rate {} --join-within {join:.1} --processes {}",
            self.spectators,
            self.rate,
            self.spectators.div_ceil(SPECTATORS_PER_PROCESS)
        );
        Series {
            name: "disturb",
            columns: vec![
                ("ack_latency_us.p50", "ack p50 ms", 1_000.0),
                ("ack_latency_us.p99", "ack p99 ms", 1_000.0),
                ("push_latency_us.p50", "push p50 ms", 1_000.0),
                ("push_latency_us.p99", "push p99 ms", 1_000.0),
                ("resume_latency_us.p99", "resume p99 ms", 1_000.0),
                ("spectator_snapshots_sent", "snaps sent", 1.0),
                ("spectator_snapshots_encoded", "encoded", 1.0),
                ("send_delay_us.p99", "send delay p99", 1_000.0),
                ("disk_probe_us.max", "disk max ms", 1_000.0),
            ],
            ratios: vec!["ack_latency_us.p99", "push_latency_us.p99"],
            steps: vec![
                Step::new("undisturbed", &hot),
                Step::new("storm", &format!("{hot} --storm")),
                Step::new("storm of new clients", &format!("{hot} --storm --afresh")),
                Step::new(
                    format!("{} % do not read", self.stalled * 100.0),
                    &format!("{hot} --stalled {}", self.stalled),
                ),
            ],
        }
    }
}
