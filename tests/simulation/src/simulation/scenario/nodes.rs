//! Scenarios with several servers: live games, and no faults of a single machine.

use tilewire_rules::time::Millis;

use super::{HOUR_MS, Scenario};
use crate::simulation::chance::Chance;

/// How long people play before everything calms down, ms.
const PLAY_MS: i64 = 120_000;
/// The limit of a turn in games that would be by correspondence, ms.
const LIMIT_MS: i64 = 30_000;

impl Scenario {
    /// Returns the scenario of `seed` for several servers.
    #[must_use]
    pub fn of_nodes(seed: u64) -> Self {
        let mut scenario = Self::of(seed);
        let mut chance = Chance::new(seed, "scenario of nodes");
        for table in &mut scenario.tables {
            table.kinds = Vec::new();
            table.options.rated = false;
            table.options.vacation = false;
            if let Some(clock) = &mut table.options.clock
                && clock.limit_ms.is_some_and(|limit_ms| limit_ms >= HOUR_MS)
            {
                clock.limit_ms = Some(LIMIT_MS);
            }
        }
        let config = &mut scenario.config;
        config.webhooks = Default::default();
        config.game.abandon_ms = Millis(120_000);
        config.cluster.node = 1;
        scenario.temper.crashes = 0;
        scenario.temper.wait_ms = *chance.pick(&[1, 20, 20, 300]);
        scenario.temper.is_vague = *chance.pick(&[0, 12, 12, 40]);
        Self {
            stalls: Vec::new(),
            nights: Vec::new(),
            late_riser: None,
            has_wrong_clock: false,
            relates: false,
            moderates: false,
            operates: false,
            writes: false,
            has_vacations: false,
            stops: Vec::new(),
            crashes: Vec::new(),
            play_ms: PLAY_MS,
            ..scenario
        }
    }
}
