//! How much of everything one game may use.

use serde::{Deserialize, Serialize};

use crate::config::Config;

/// The bounds of one game, taken from the server's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameBounds {
    /// Messages in a game's mailbox.
    pub mailbox: usize,
    /// Recent events kept for clients that resume; who is further behind gets a snapshot.
    pub history_events: usize,
    /// Commands that wait for the append in flight.
    pub commands_waiting: usize,
    /// Spectators of one game.
    pub spectators: usize,
    /// Messages that wait for the hub; beyond, spectators get a snapshot instead.
    pub hub_queue: usize,
    /// How long a player may be without a connection before the rules are told, ms.
    pub vanish_grace_ms: i64,
    /// Shortest time between two notices of how many watch, ms.
    pub crowd_every_ms: i64,
    /// Shortest time between two writes to spectators, ms.
    pub spectator_gap_ms: i64,
    /// How soon the hub looks again after spectators who did not keep up, ms.
    pub lagging_retry_ms: i64,
    /// How long a finished game stays in memory after the last one has left, ms.
    pub finished_idle_ms: i64,
    /// How long nobody is at a game by correspondence, and nothing happens in it, before it sleeps, ms.
    pub sleep_idle_ms: i64,
    /// How far away the next deadline of a game must be for it to sleep, ms.
    pub sleep_min_ms: i64,
    /// How long an append may take before people are told that the game waits, ms.
    pub storage_stall_ms: i64,
    /// Pause before the first retry of an append that failed, ms; doubles with each further one.
    pub storage_retry_ms: i64,
    /// Longest pause between two retries, ms.
    pub storage_retry_max_ms: i64,
    /// Shortest time a house bot takes to act, ms.
    pub bot_pause_min_ms: i64,
    /// Longest time a house bot takes to act, ms.
    pub bot_pause_max_ms: i64,
    /// Most network delay given back for one command, ms.
    pub lag_credit_max_ms: i64,
    /// When those are asked to come again who may not watch because the server has too much to do, ms.
    pub overload_retry_ms: i64,
}

impl From<&Config> for GameBounds {
    fn from(config: &Config) -> Self {
        let (limits, timing) = (&config.limits, &config.timing);
        Self {
            mailbox: limits.game_mailbox,
            history_events: limits.history_events,
            commands_waiting: limits.commands_waiting,
            spectators: limits.spectators,
            hub_queue: limits.hub_queue,
            vanish_grace_ms: timing.vanish_grace_ms,
            crowd_every_ms: timing.crowd_every_ms,
            spectator_gap_ms: timing.spectator_gap_ms,
            lagging_retry_ms: timing.lagging_retry_ms,
            finished_idle_ms: timing.finished_idle_ms,
            sleep_idle_ms: timing.sleep_idle_ms,
            sleep_min_ms: timing.sleep_min_ms,
            storage_stall_ms: timing.storage_stall_ms,
            storage_retry_ms: timing.storage_retry_ms,
            storage_retry_max_ms: timing.storage_retry_max_ms,
            bot_pause_min_ms: timing.bot_pause_min_ms,
            bot_pause_max_ms: timing.bot_pause_max_ms,
            lag_credit_max_ms: timing.lag_credit_max_ms,
            overload_retry_ms: config.overload.retry_after_ms,
        }
    }
}

impl Default for GameBounds {
    fn default() -> Self {
        Self::from(&Config::default())
    }
}
