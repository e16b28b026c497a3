//! After a change whose outcome is not known: what is stored takes the place of what the lobby believed.
//!
//! A storage that failed may have stored the change all the same. Were it taken for not stored, seeks would be shown that
//! are gone, and others would come back after a restart.

use super::desk::{Desk, restore};
use super::machine::{Lobby, OpenSeek, Plan};
use super::recall::unreadable;
use crate::wire::Refusal;

impl Desk {
    /// Reads the lobby again if something is in doubt, and tells whoever it concerns what turned out to be so.
    ///
    /// # Errors
    /// When the storage does not answer: nothing can be decided now.
    pub(super) async fn settle(&mut self) -> Result<(), Refusal> {
        if !self.is_in_doubt {
            return Ok(());
        }
        let stored = self.services.store.seeks().await;
        let found = stored.and_then(|seeks| restore(&seeks));
        let mut found = found.map_err(|error| unreadable(&error))?;
        self.is_in_doubt = false;
        // Their games are made: they are only still to be cleared away.
        for seek in &self.made {
            found.remove(seek);
        }
        let (open, starting): (Vec<OpenSeek>, _) = news(&self.lobby, &found)
            .into_iter()
            .partition(|open| open.starting.is_none());
        for start in starting {
            // Its game is made next, and told of.
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

/// The seeks that are stored, and not or otherwise believed.
fn news(believed: &Lobby, stored: &Lobby) -> Vec<OpenSeek> {
    let stored = stored.seeks().cloned();
    stored
        .filter_map(|mut open| {
            let own = believed.get(&open.seek.seek);
            open.orphaned_at = own.and_then(|own| own.orphaned_at);
            (own != Some(&open)).then_some(open)
        })
        .collect()
}

/// The seeks that are believed, and not stored.
fn gone(believed: &Lobby, stored: &Lobby) -> Vec<OpenSeek> {
    let believed = believed.seeks();
    believed
        .filter(|open| stored.get(&open.seek.seek).is_none())
        .cloned()
        .collect()
}
