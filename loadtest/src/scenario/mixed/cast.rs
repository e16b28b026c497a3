//! Who takes part in a mixed load.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tilewire_protocol::{Challenge, ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;
use tokio::time::Instant;

use crate::bench::Bench;
use crate::host;
use crate::lobby::{self, Seeker};
use crate::player::{Part, Player};
use crate::profile::{Kind, Profile};
use crate::spectator::{Habit, Spectator, Visits};
use crate::stage::{Manner, Pace, Pair, options};

/// Lets everybody come within a time; returns how many connections that makes at most.
///
/// # Errors
/// When a kind of match cannot be played.
pub(super) fn come(
    bench: &mut Bench,
    profile: &Profile,
    seed: u64,
    within: Duration,
) -> Result<u64> {
    let began = host::now();
    let (mut players, mut spectators) = (0_u32, 0_u32);
    for (kind, matches) in profile.kind.iter().zip(profile.numbers()) {
        let manner = Arc::new(manner(kind, seed)?);
        for at in 0..matches {
            let due = began + within.mul_f64(f64::from(at) / f64::from(matches));
            let (pair, offer, seeks) = Pair::new();
            let house = u8::try_from(kind.house_bots.len()).unwrap_or(u8::MAX);
            let guests = kind.seats.saturating_sub(house).saturating_sub(1);
            let mut parts: Vec<Part> = (0..guests)
                .map(|_| Part::Guest(seeks.resubscribe()))
                .collect();
            parts.push(Part::Owner(offer));
            for part in parts {
                let player = Player::new(&bench.stage, &pair, part, u64::from(players))
                    .with_manner(&manner)
                    .inviting(&kind.house_bots);
                players += 1;
                bench.clients.spawn(lobby::at(due, player.run()));
            }
            spectators = watch(bench, profile, &pair, spectators, due);
        }
    }
    for number in 0..profile.lobby.seekers {
        let pause = Duration::from_secs_f64(profile.lobby.seek_s);
        let seeks = seek_options();
        let seeker = Seeker::new(&bench.stage, seeks, pause, number);
        bench.clients.spawn(lobby::at(began, seeker.run()));
    }
    for number in 0..profile.idle.connections {
        let stay = Duration::from_secs_f64(profile.idle.stay_s);
        let due = began + within.mul_f64(f64::from(number) / f64::from(profile.idle.connections));
        let idle = lobby::idle(Arc::clone(&bench.stage), stay, number);
        bench.clients.spawn(lobby::at(due, idle));
    }
    let all = [
        players,
        spectators,
        profile.lobby.seekers,
        profile.idle.connections,
    ];
    Ok(all.into_iter().map(u64::from).sum())
}

/// Lets the spectators of a match come; `first` is the number of the first, the number of the next is returned.
fn watch(bench: &mut Bench, profile: &Profile, pair: &Arc<Pair>, first: u32, due: Instant) -> u32 {
    let watch = &profile.spectators;
    let habit = Habit::Visits(Visits {
        stay: Duration::from_secs_f64(watch.stay_s),
        away: Duration::from_secs_f64(watch.away_s),
        dropped: watch.dropped,
        naps: watch.stalled,
        nap: Duration::from_secs_f64(watch.stall_s),
    });
    for number in first..first + watch.per_match {
        let spectator = Spectator::new(&bench.stage, pair, number, habit);
        bench.clients.spawn(lobby::at(due, spectator.run(due)));
    }
    first + watch.per_match
}

/// How the players of a kind behave.
fn manner(kind: &Kind, seed: u64) -> Result<Manner> {
    let level: BotLevel = kind.level.parse().ok().context("a bot's level")?;
    let budget = i64::try_from(Duration::from_secs_f64(kind.budget_s).as_millis())?;
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(budget);
    let mut options = options(clock, ChallengeKind::Void);
    options.rule_set.clone_from(&kind.rule_set);
    options.seats = kind.seats;
    options.challenge = kind.challenge.map(|rule| Challenge::of(rule.kind()));
    Ok(Manner {
        level,
        pace: Pace::Mean(Duration::from_millis(kind.think_ms)),
        rest_after: None,
        dawdles: false,
        budget_ms: (budget, budget),
        illegal: kind.illegal,
        repeated: kind.repeated,
        dropped: kind.dropped,
        options,
        seed,
    })
}

/// Seeks nobody joins.
fn seek_options() -> tilewire_protocol::GameOptions {
    options(Clock::of(ClockKind::Untimed), ChallengeKind::Double)
}
