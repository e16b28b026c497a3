//! Reconciliation after a change whose outcome is unknown: the stored seeks replace those in memory.
//!
//! A storage that reports a failure may have stored the change. If the lobby assumed that it did not, it would show
//! seeks that are gone, and others would come back after a restart.

use super::decision::Plan;
use super::machine::Lobby;
use super::open_seek::OpenSeek;
use super::stored_answers::unreadable;
use super::task::{LobbyTask, restore};
use tilewire_wire::Refusal;

impl LobbyTask {
    /// Reads the lobby again if the outcome of a change is unknown, and announces the differences.
    ///
    /// # Errors
    /// When the storage does not answer: nothing can be decided now.
    pub(super) async fn reconcile(&mut self) -> Result<(), Refusal> {
        if !self.is_outcome_unknown {
            return Ok(());
        }
        let stored = self.services.store.seeks().await;
        let found = stored.and_then(|seeks| restore(&seeks));
        let mut found = found.map_err(|error| unreadable(&error))?;
        self.is_outcome_unknown = false;
        // Their games exist; these seeks only wait for their removal.
        for seek in &self.started {
            found.remove(seek);
        }
        let (open, starting): (Vec<OpenSeek>, _) = missing(&self.lobby, &found)
            .into_iter()
            .partition(|open| open.starting.is_none());
        for start in starting {
            // Its game is created and announced next.
            self.lobby.adopt(&Plan {
                start: Some(start),
                ..Plan::default()
            });
        }
        let remove = gone(&self.lobby, &found);
        self.adopt(&Plan {
            put: open,
            remove,
            ..Plan::default()
        });
        Ok(())
    }
}

/// Returns the stored seeks that are missing in memory, or differ there.
fn missing(in_memory: &Lobby, stored: &Lobby) -> Vec<OpenSeek> {
    let stored = stored.seeks().cloned();
    stored
        .filter_map(|mut open| {
            let own = in_memory.get(&open.seek.seek);
            open.orphaned_at = own.and_then(|own| own.orphaned_at);
            open.from = own.and_then(|own| own.from);
            (own != Some(&open)).then_some(open)
        })
        .collect()
}

/// Returns the seeks in memory that are not stored.
fn gone(in_memory: &Lobby, stored: &Lobby) -> Vec<OpenSeek> {
    let seeks = in_memory.seeks();
    seeks
        .filter(|open| stored.get(&open.seek.seek).is_none())
        .cloned()
        .collect()
}
