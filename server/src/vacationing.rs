//! Tells the games of players of their vacations. A vacation is stored before, so a crash only delays what the games do.

use tilewire_people::vacations::Vacations;
use tilewire_rules::event::Event;
use tilewire_rules::game::Order;
use tilewire_rules::time::Seat;

use crate::game::{Directory, FindError};
use crate::people::{Failure, People};
use crate::storage::{Journal, StoredGame};

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

/// Tells the games of a player of the last vacation. Games that cannot take it now are told in a later round.
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
                // A game that stands takes it when it goes on, and one whose storage refused it with the next order.
                Ok(seen) => {
                    let (state, at) = (&seen.position.state, seen.position.at);
                    let stands = state.pause().is_some() || state.adjournment().is_some();
                    !stands && !state.can_change_vacation(seat, until, at)
                }
                Err(FindError::Unknown) => true,
                Err(_) => false,
            };
        }
    }
    if is_done {
        people.vacation_applied(identity, vacations).await?;
    }
    Ok(())
}

fn has_vacations(stored: &StoredGame) -> bool {
    let first = stored.records.first().map(|record| &record.event);
    matches!(first, Some(Event::Created(created)) if created.options.vacation)
}
