//! When the clients of a simulation are away.

use tilewire_protocol::{Clock, ClockKind};

use super::{HOUR_MS, Plan};
use crate::simulation::chance::Chance;

/// How long all clients are away once where there are letters, ms: more than half of a turn by correspondence.
const LONG_NIGHT_MS: (i64, i64) = (32 * 60_000, 50 * 60_000);
/// How much later than the others one client comes back there, ms.
const LATE_MS: (i64, i64) = (30_000, 100_000);

/// Lets all clients be away twice, once for so long that turns can be nudged and reminders come. Returns the length of that, ms.
pub(super) fn absences(seed: u64, nights: &mut Vec<(i64, i64)>) -> i64 {
    let mut chance = Chance::new(seed, "absences");
    nights.push((chance.ms(20_000, 60_000), chance.ms(20_000, 40_000)));
    let long_ms = chance.ms(LONG_NIGHT_MS.0, LONG_NIGHT_MS.1);
    nights.push((chance.ms(60_000, 150_000), long_ms));
    nights.sort_unstable();
    long_ms
}

/// Returns a client that comes back later than the others, and by how much, ms.
pub(super) fn late_riser(seed: u64) -> (usize, i64) {
    let mut chance = Chance::new(seed, "late riser");
    (chance.index(2), chance.ms(LATE_MS.0, LATE_MS.1))
}

/// Makes the games of every third seed last so long that they sleep, by correspondence or live. Returns when all clients are
/// away from live ones.
pub(super) fn let_sleep(seed: u64, tables: &mut [Plan]) -> Vec<(i64, i64)> {
    let mut chance = Chance::new(seed, "sleepers");
    if Chance::new(seed, "correspondence").one_in(6) {
        for table in tables {
            table.options.clock = Some(Clock {
                limit_ms: Some(HOUR_MS),
                ..Clock::of(ClockKind::PerMove)
            });
        }
        return Vec::new();
    }
    if !chance.one_in(5) {
        return Vec::new();
    }
    for table in tables {
        let kinds = [
            ClockKind::SuddenDeath,
            ClockKind::Increment,
            ClockKind::Delay,
            ClockKind::Untimed,
        ];
        let mut clock = Clock::of(*chance.pick(&kinds));
        let lasts = clock.kind != ClockKind::Untimed;
        clock.initial_ms = lasts.then_some(HOUR_MS);
        clock.increment_ms = (clock.kind == ClockKind::Increment).then_some(5_000);
        clock.delay_ms = (clock.kind == ClockKind::Delay).then_some(5_000);
        table.options.clock = Some(clock);
    }
    vec![
        (chance.ms(5_000, 40_000), chance.ms(30_000, 100_000)),
        (chance.ms(150_000, 180_000), chance.ms(30_000, 100_000)),
    ]
}
