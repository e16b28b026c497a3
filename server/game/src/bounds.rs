//! The limits of one game.

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use tilewire_config::Config;

/// The limits of one game, from the server's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameBounds {
    /// Messages in a game's mailbox.
    pub mailbox: usize,
    /// Recent events in memory for clients that resume; a client that needs older ones gets a snapshot.
    pub history_events: usize,
    /// Commands that wait for the append in flight.
    pub commands_waiting: usize,
    /// Spectators of one game.
    pub spectators: usize,
    /// Messages that wait for the hub; beyond, spectators get a snapshot instead.
    pub hub_queue: usize,
    /// Time without a connection after which the rules treat a player as away.
    pub vanish_grace_ms: Millis,
    /// Shortest time between two updates of the number of spectators.
    pub crowd_every_ms: Millis,
    /// Shortest time between two messages about the presence of a player.
    pub presence_every_ms: Millis,
    /// Shortest time between two writes to spectators.
    pub spectator_gap_ms: Millis,
    /// Interval at which the hub offers a snapshot to spectators that fell behind.
    pub lagging_retry_ms: Millis,
    /// Time that a finished game stays in memory after the last client has left.
    pub finished_idle_ms: Millis,
    /// Time without clients and events after which a correspondence game sleeps.
    pub sleep_idle_ms: Millis,
    /// Least time to the next deadline of a game that goes to sleep.
    pub sleep_min_ms: Millis,
    /// Time after which a slow append pauses the game.
    pub storage_stall_ms: Millis,
    /// Pause before the first retry of a failed append; doubles with each further one.
    pub storage_retry_ms: Millis,
    /// Longest pause between two retries.
    pub storage_retry_max_ms: Millis,
    /// Shortest time of a house bot's action.
    pub bot_pause_min_ms: Millis,
    /// Longest time of a house bot's action.
    pub bot_pause_max_ms: Millis,
    /// Largest network delay that the clock gives back for one command.
    pub lag_credit_max_ms: Millis,
    /// Network delay that the clock of a player gives back in a game before the quota refills.
    pub lag_quota_ms: Millis,
    /// Part of the quota that each turn of the player refills.
    pub lag_refill_ms: Millis,
    /// Time for which a deadline waits for commands of players who are connected to other nodes.
    pub deadline_wait_ms: Millis,
    /// Time after which a client that was refused under load may try again.
    pub overload_retry_ms: Millis,
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
            presence_every_ms: timing.presence_every_ms,
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
            lag_quota_ms: timing.lag_quota_ms,
            lag_refill_ms: timing.lag_refill_ms,
            deadline_wait_ms: config.cluster.deadline_wait_ms,
            overload_retry_ms: config.overload.retry_after_ms,
        }
    }
}

impl Default for GameBounds {
    fn default() -> Self {
        Self::from(&Config::default())
    }
}
