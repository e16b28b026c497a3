//! The storage contract for vacations on the simulated disk.

use futures::future::BoxFuture;
use tilewire_people::vacations::Vacations;
use tilewire_rules::time::Timestamp;
use tilewire_store::{StoreError, VacationChange, VacationStore};

use super::disk::{Disk, State};
use super::disk_people::on_purpose;

/// The stored vacations of a player.
#[derive(Debug, Clone)]
pub struct StoredVacations {
    /// The vacations.
    pub vacations: Vacations,
    /// Whether all games of the player have them.
    pub is_applied: bool,
    /// When the player changed them last.
    pub changed_at: Timestamp,
}

impl State {
    fn change_vacations(&mut self, change: VacationChange) -> bool {
        let now = self.clock.now();
        let known = self.durable.vacations.get(&change.identity);
        let before = known.map_or_else(Vacations::default, |known| known.vacations.clone());
        if before != change.before {
            return false;
        }
        let is_same = change.before == change.after;
        let changed_at = known.map_or(now, |known| known.changed_at);
        let stored = StoredVacations {
            vacations: change.after,
            is_applied: change.is_applied,
            changed_at: if is_same { changed_at } else { now },
        };
        self.durable.vacations.insert(change.identity, stored);
        true
    }
}

impl VacationStore for Disk {
    fn vacations<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Vacations, StoreError>> {
        Box::pin(self.read(move |state| {
            let known = state.durable.vacations.get(identity);
            known.map_or_else(Vacations::default, |known| known.vacations.clone())
        }))
    }

    fn to_apply(&self, most: usize) -> BoxFuture<'_, Result<Vec<(String, Vacations)>, StoreError>> {
        Box::pin(async move {
            // It is looked at all the time, mostly for nothing.
            let is_done = self.look(|durable| durable.vacations.values().all(|own| own.is_applied));
            if is_done {
                return Ok(Vec::new());
            }
            self.read(move |state| {
                let waiting = state.durable.vacations.iter();
                let waiting = waiting.filter(|(_, own)| !own.is_applied).take(most);
                waiting
                    .map(|(identity, own)| (identity.clone(), own.vacations.clone()))
                    .collect()
            })
            .await
        })
    }

    fn change_vacations(&self, change: VacationChange) -> BoxFuture<'_, Result<bool, StoreError>> {
        let fail = || Err(on_purpose());
        let changed = move |state: &mut State| Ok(state.change_vacations(change));
        Box::pin(self.change(fail, fail, changed))
    }
}
