//! Applies restrictions and revocations to connections: tells the players, and closes the connections of suspended and revoked
//! players.

use std::sync::Arc;

use tilewire_rules::time::Timestamp;

use crate::identity::Accounts;
use crate::moderation_messages::notice;
use crate::restrictions::{Restrictions, refusal};
use tilewire_delivery::outbound::{ConnectionEnd, Peer, Registry};
use tilewire_store::{ModerationStore, StoreError};

/// The restrictions, their storage, and the connections that they concern.
#[derive(Debug, Clone)]
pub struct Enforcement {
    /// All restrictions.
    pub restrictions: Arc<Restrictions>,
    /// The stored restrictions, reports and acts.
    pub store: Arc<dyn ModerationStore>,
    /// The authenticated connections.
    pub registry: Arc<Registry>,
}

impl Enforcement {
    /// Tells a player what waits for it, on all connections; nothing happens without one. If the storage does not learn that
    /// the player was told, the player is told again after the next start.
    pub fn tell(&self, identity: &str) {
        if !self.restrictions.awaits(identity) {
            return;
        }
        let peers = self.registry.of(identity);
        if peers.is_empty() {
            return;
        }
        let notices = self.restrictions.take_notices(identity);
        for told in &notices {
            let message = notice(told);
            for peer in &peers {
                peer.send(0, &message);
            }
        }
        let entries = notices.iter().map(|told| told.entry).collect();
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            if let Err(error) = store.mark_told(entries).await {
                tracing::warn!(%error, "it was not stored that a player was told");
            }
        });
    }

    /// Closes the connections of suspended players; returns how many.
    pub(crate) fn close_suspended(&self, now: Timestamp) -> usize {
        let mut closed = 0;
        for restriction in self.restrictions.suspended(now) {
            let peers = self.registry.of(&restriction.identity);
            let error = refusal(restriction);
            for peer in peers {
                peer.revoke(&error);
                // At once: the connection itself may take a while to end.
                self.registry.remove(&peer, ConnectionEnd::Closed);
                closed += 1;
            }
        }
        closed
    }

    /// Sends all waiting messages to their players, and then closes the connections of suspended players.
    pub(crate) fn carry_out(&self, now: Timestamp) {
        for identity in self.restrictions.awaited() {
            self.tell(&identity);
        }
        let closed = self.close_suspended(now);
        if closed > 0 {
            tracing::info!(closed, "connections of suspended players were closed");
        }
    }

    /// Reads the stored restrictions again, and carries them out.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn reread(&self, now: Timestamp) -> Result<(), StoreError> {
        self.restrictions.reread(&*self.store).await?;
        self.carry_out(now);
        Ok(())
    }
}

/// Closes the connections with a revoked pass; returns their number.
pub fn close_revoked(accounts: &Accounts, registry: &Registry, peers: Vec<Peer>) -> usize {
    let mut closed = 0;
    for peer in peers {
        if let Some(Err(error)) = peer.pass().map(|pass| accounts.check(pass)) {
            peer.revoke(&error);
            // At once: the connection itself may take a while to end.
            registry.remove(&peer, ConnectionEnd::Closed);
            closed += 1;
        }
    }
    closed
}
