//! The clients of a mixed load.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tilewire_protocol::{Challenge, ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;
use tokio::time::Instant;

use crate::clients::seeker::Seeker;
use crate::clients::spectator::{Habit, Spectator, Visits};
use crate::clients::{at, idle};
use crate::host;
use crate::player::{Part, Player};
use crate::profile::{Kind, Profile};
use crate::shared::{Behavior, Pacing, Pairing, options};
use crate::testbed::Testbed;

/// Starts all clients within a time; returns the largest number of connections.
///
/// # Errors
/// When a kind of match cannot be played.
pub(super) fn spawn(
    testbed: &mut Testbed,
    profile: &Profile,
    seed: u64,
    within: Duration,
) -> Result<u64> {
    let began = host::now();
    let (mut players, mut spectators) = (0_u32, 0_u32);
    for (kind, matches) in profile.kind.iter().zip(profile.numbers()) {
        let behavior = Arc::new(behavior(kind, seed)?);
        for number in 0..matches {
            let due = began + within.mul_f64(f64::from(number) / f64::from(matches));
            let (pairing, offer, seeks) = Pairing::new();
            let house = u8::try_from(kind.house_bots.len()).unwrap_or(u8::MAX);
            let guests = kind.seats.saturating_sub(house).saturating_sub(1);
            let mut parts: Vec<Part> = (0..guests)
                .map(|_| Part::Guest(seeks.resubscribe()))
                .collect();
            parts.push(Part::Owner(offer));
            for part in parts {
                let player = Player::new(&testbed.shared, &pairing, part, u64::from(players))
                    .with_manner(&behavior)
                    .inviting(&kind.house_bots);
                players += 1;
                testbed.clients.spawn(at(due, player.run()));
            }
            spectators = watch(testbed, profile, &pairing, spectators, due);
        }
    }
    for number in 0..profile.lobby.seekers {
        let pause = Duration::from_secs_f64(profile.lobby.seek_s);
        let seeks = seek_options();
        let seeker = Seeker::new(&testbed.shared, seeks, pause, number);
        testbed.clients.spawn(at(began, seeker.run()));
    }
    for number in 0..profile.idle.connections {
        let stay = Duration::from_secs_f64(profile.idle.stay_s);
        let due = began + within.mul_f64(f64::from(number) / f64::from(profile.idle.connections));
        let idle = idle::idle(Arc::clone(&testbed.shared), stay, number);
        testbed.clients.spawn(at(due, idle));
    }
    let all = [
        players,
        spectators,
        profile.lobby.seekers,
        profile.idle.connections,
    ];
    Ok(all.into_iter().map(u64::from).sum())
}

/// Starts the spectators of a match, numbered from `first`; returns the next free number.
fn watch(
    testbed: &mut Testbed,
    profile: &Profile,
    pairing: &Arc<Pairing>,
    first: u32,
    due: Instant,
) -> u32 {
    let watch = &profile.spectators;
    let habit = Habit::Visits(Visits {
        stay: Duration::from_secs_f64(watch.stay_s),
        away: Duration::from_secs_f64(watch.away_s),
        dropped: watch.dropped,
        naps: watch.stalled,
        nap: Duration::from_secs_f64(watch.stall_s),
    });
    for number in first..first + watch.per_match {
        let spectator = Spectator::new(&testbed.shared, pairing, number, habit);
        testbed.clients.spawn(at(due, spectator.run(due)));
    }
    first + watch.per_match
}

/// The behavior of the players of a kind.
fn behavior(kind: &Kind, seed: u64) -> Result<Behavior> {
    let level: BotLevel = kind.level.parse().ok().context("an unknown bot level")?;
    let budget = i64::try_from(Duration::from_secs_f64(kind.budget_s).as_millis())?;
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(budget);
    let mut options = options(clock, ChallengeKind::Void);
    options.rule_set.clone_from(&kind.rule_set);
    options.seats = kind.seats;
    options.challenge = kind.challenge.map(|rule| Challenge::of(rule.kind()));
    Ok(Behavior {
        level,
        pacing: Pacing::Mean(Duration::from_millis(kind.think_ms)),
        turns_max: None,
        prefers_passing: false,
        budget_ms: (budget, budget),
        illegal: kind.illegal,
        repeated: kind.repeated,
        dropped: kind.dropped,
        chat: 0.0,
        options,
        seed,
    })
}

/// The options of seeks that no player joins.
fn seek_options() -> tilewire_protocol::GameOptions {
    options(Clock::of(ClockKind::Untimed), ChallengeKind::Double)
}
