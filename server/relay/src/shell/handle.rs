//! The way to the relay of this node, for the services that are made before it.

use std::sync::{Arc, OnceLock, Weak};

use tilewire_delivery::outbound::{OtherNodes, PeerId};
use tilewire_game::GameNodes;
use tilewire_protocol::{GameId, RematchChanged, ServerMessage};
use tilewire_rules::time::Seat;

use super::Exchange;

/// The way to the relay of this node. It is made before the games and the connections, and the relay after them: they use each
/// other. So the handle keeps no relay: its tasks do. What is said before the relay is there, or after its end, gets lost, as it can on
/// the bus.
#[derive(Debug, Clone, Default)]
pub struct RelayHandle(Arc<OnceLock<Weak<Exchange>>>);

impl RelayHandle {
    /// Leads to this relay from now on; once, before the first connection.
    pub fn lead_to(&self, exchange: &Arc<Exchange>) {
        // A process makes one relay.
        drop(self.0.set(Arc::downgrade(exchange)));
    }

    /// Returns the relay, while it is there.
    #[must_use]
    pub fn get(&self) -> Option<Arc<Exchange>> {
        self.0.get()?.upgrade()
    }
}

impl OtherNodes for RelayHandle {
    fn call(&self, identity: &str, except: &[PeerId], message: &ServerMessage) {
        if let Some(exchange) = self.get() {
            exchange.call(identity, except, message);
        }
    }
}

impl GameNodes for RelayHandle {
    fn wake(&self, game: &GameId) {
        if let Some(exchange) = self.get() {
            exchange.wake(game);
        }
    }

    fn resign(&self, game: &GameId, seat: Seat) {
        if let Some(exchange) = self.get() {
            exchange.resign(game, seat);
        }
    }

    fn tell_rematch(&self, changed: &RematchChanged) {
        if let Some(exchange) = self.get() {
            exchange.tell_rematch(changed);
        }
    }
}
