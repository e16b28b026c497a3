//! Tells the games of players of their vacations. A vacation is stored before, so a crash only delays what the games do.

use tilewire_people::vacations::Vacations;
use tilewire_rules::event::Event;
use tilewire_rules::game::Order;
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};

use tilewire_accounts::people::{Failure, People};
use tilewire_game::{Directory, FindError};
use tilewire_store::{Journal, StoredGame};

/// Players that are looked at in one round.
const PLAYERS: usize = 1_000;

/// Tells the games of all players who are not done. What fails is tried again in the next round.
pub async fn round(people: &People, directory: &Directory, journal: &dyn Journal) {
    let found = match people.vacations_to_apply(PLAYERS).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "the vacations of players could not be read");
            return;
        }
    };
    for (identity, vacations) in found {
        if let Err(error) = tell(people, directory, journal, (&identity, &vacations)).await {
            tracing::warn!(%error, "the games of a player could not be told of a vacation");
        }
    }
}

/// Tells the games of a player of the last vacation. Games that cannot take it now are told in a later round. Another server tells
/// those that it has.
pub(crate) async fn tell(
    people: &People,
    directory: &Directory,
    journal: &dyn Journal,
    (identity, vacations): (&str, &Vacations),
) -> Result<(), Failure> {
    let Some(until) = vacations.last() else {
        return Ok(());
    };
    let mut is_done = true;
    for game in journal.unfinished_of(identity).await? {
        let Some(stored) = journal.load(&game).await? else {
            continue;
        };
        if !has_vacations(&stored) {
            continue;
        }
        let seats = stored.meta.players.iter().zip(0..);
        for (_, seat) in seats.filter(|(player, _)| *player == identity) {
            let seat = Seat(seat);
            let asked = directory.order(&game, None, Order::Vacation { seat, until });
            is_done &= match asked.await {
                Ok(seen) => is_told(&seen.position.state, seat, until, seen.position.at),
                Err(FindError::Unknown) => true,
                // Its own server tells it; the log says whether it did.
                Err(FindError::Elsewhere) => {
                    let now = people.now();
                    let told = |state: &State| is_told(state, seat, until, now);
                    directory.of_stored(stored.clone(), told).unwrap_or(false)
                }
                Err(_) => false,
            };
        }
    }
    if is_done {
        people.vacation_applied(identity, vacations).await?;
    }
    Ok(())
}

/// Says whether the server need not tell a game of a vacation again. A game that is paused or adjourned takes the vacation when it
/// goes on. If the storage has refused the vacation, the server tells the game in a later round.
fn is_told(state: &State, seat: Seat, until: Timestamp, at: Timestamp) -> bool {
    let stands = state.pause().is_some() || state.adjournment().is_some();
    !stands && !Order::Vacation { seat, until }.is_possible(state, at)
}

fn has_vacations(stored: &StoredGame) -> bool {
    let first = stored.records.first().map(|record| &record.event);
    matches!(first, Some(Event::Created(created)) if created.options.vacation)
}

#[cfg(test)]
mod tests {
    use tilewire_rules::clock::ClockKind;
    use tilewire_rules::game::Action;

    use super::*;
    use tilewire_courier::table::Table;

    const HOUR_MS: i64 = 3_600_000;

    /// The server tells a game of a vacation until the log of the game has it.
    #[test]
    fn a_game_is_told_until_its_log_has_the_vacation() {
        let clock = ClockKind::PerMove {
            limit_ms: 72 * HOUR_MS,
            bank_ms: 0,
        };
        let mut table = Table::begin("classic", 2, clock);
        let (seat, until) = (table.on_turn(), table.now().plus(100 * HOUR_MS));
        let vacation = Order::Vacation { seat, until };
        let check = |table: &Table, told: bool| {
            assert_eq!(is_told(table.state(), seat, until, table.now()), told);
        };
        check(&table, false);
        let pause = table.now().plus(HOUR_MS);
        table.order(Order::Pause { until: pause });
        check(&table, false);
        table.order(Order::Continue);
        table.order(vacation);
        check(&table, true);
        table.act(seat, Action::Resign);
        check(&table, true);
    }
}
