//! An operator of a simulation, at random times: pauses games, lets them go on, gives time, and decides one now and then.

use std::sync::Arc;

use tilewire_protocol::GameId;
use tilewire_rules::event::Adjudication;
use tilewire_rules::game::Order;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_server::app::App;

use super::{Coming, World};
use crate::simulation::chance::Chance;

/// The time between two orders, ms.
const OPERATES_MS: (i64, i64) = (5_000, 40_000);
/// The length of a pause, ms.
const PAUSE_MS: (i64, i64) = (1_000, 60_000);
/// The time that a seat is given, ms.
const GIVEN_MS: (i64, i64) = (1_000, 60_000);

fn some_order(chance: &mut Chance, wall: i64) -> Order {
    match chance.index(12) {
        0 => Order::End(*chance.pick(&[
            Adjudication::NoResult,
            Adjudication::Draw,
            Adjudication::AsItStands,
            Adjudication::Win(Seat(0)),
        ])),
        1..=3 => Order::Continue,
        4..=5 => Order::Give {
            seat: Seat(u8::from(chance.one_in(2))),
            time_ms: chance.ms(GIVEN_MS.0, GIVEN_MS.1),
        },
        _ => Order::Pause {
            until: Timestamp(wall + chance.ms(PAUSE_MS.0, PAUSE_MS.1)),
        },
    }
}

impl World {
    /// Queues the first order, in runs that have an operator.
    pub(super) fn plan_operating(&mut self) {
        if self.scenario.operates {
            let at = self.operator.ms(OPERATES_MS.0, OPERATES_MS.1);
            self.at(at, Coming::Operate);
        }
    }

    /// The operator orders something. Nobody looks at the answer: the log says what happened.
    pub(super) fn operate(&mut self, app: &Arc<App>) {
        if self.is_calm {
            return;
        }
        if self.is_away() {
            self.at(self.dark_until, Coming::Operate);
            return;
        }
        let wall = self.wall();
        let order = some_order(&mut self.operator, wall);
        let games = self.tables.iter();
        let games = games.filter_map(|table| table.game.as_ref().map(|(game, _)| game.clone()));
        let games: Vec<GameId> = games.collect();
        if !games.is_empty() {
            let game = self.operator.pick(&games).clone();
            self.trace
                .say(self.now, || format!("the operator: {order:?} {game:?}"));
            let directory = Arc::clone(&app.directory);
            tokio::spawn(async move { directory.order(&game, None, order).await });
        }
        let next = self.now + self.operator.ms(OPERATES_MS.0, OPERATES_MS.1);
        self.at(next, Coming::Operate);
    }
}
