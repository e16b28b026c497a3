//! A table: two players that play one game after another, and their spectators.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::clients::at;
use crate::clients::spectator::{Habit, Spectator};
use crate::player::{Part, Player};
use crate::shared::{Pairing, Shared};

/// The house bot that replaces the second player.
const HOUSE_BOT: &str = "beginner";

/// The clients of each table.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct TableSpec {
    /// Spectators.
    pub(crate) spectators: u32,
    /// Share of events after which a spectator drops its connection.
    pub(crate) dropped: f64,
    /// Whether a house bot replaces the second player.
    pub(crate) has_house_bot: bool,
}

impl TableSpec {
    /// A table without spectators.
    pub(crate) fn unwatched(has_house_bot: bool) -> Self {
        Self {
            has_house_bot,
            ..Self::default()
        }
    }

    /// The number of players that connect, for a number of tables.
    pub(crate) fn players(self, tables: u32) -> u64 {
        u64::from(tables) * if self.has_house_bot { 1 } else { 2 }
    }

    /// The number of connections, spectators included, for a number of tables.
    pub(crate) fn connections(self, tables: u32) -> u64 {
        self.players(tables) + u64::from(tables) * u64::from(self.spectators)
    }

    /// Starts all clients of a table; its number is unique in the run.
    pub(super) fn seat(
        self,
        clients: &mut JoinSet<()>,
        shared: &Arc<Shared>,
        table: u32,
        due: Instant,
    ) {
        let (pairing, offer, seeks) = Pairing::new();
        let first = u64::from(table) * 2;
        let owner = Player::new(shared, &pairing, Part::Owner(offer), first);
        if self.has_house_bot {
            let owner = owner.inviting(&[HOUSE_BOT.to_owned()]);
            clients.spawn(at(due, owner.run()));
        } else {
            let guest = Player::new(shared, &pairing, Part::Guest(seeks), first + 1);
            clients.spawn(at(due, owner.run()));
            clients.spawn(at(due, guest.run()));
        }
        for spectator in 0..self.spectators {
            let own = table * self.spectators + spectator;
            let spectator = Spectator::new(shared, &pairing, own, Habit::Drops(self.dropped));
            clients.spawn(at(due, spectator.run(due)));
        }
    }
}
