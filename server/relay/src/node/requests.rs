//! The requests over HTTP of a relay.

use std::collections::BTreeSet;

use super::{Effect, Outgoing, Relay};
use crate::asks;
use crate::asks::{Asks, Reach};
use crate::message::{ToGateway, ToOwner};
use tilewire_store::NodeId;

impl Relay {
    /// Returns the other nodes: those that own parts, and those that can be reached.
    #[must_use]
    pub fn others(&self) -> BTreeSet<NodeId> {
        let mut nodes = self.owner.parts().nodes();
        nodes.extend(self.links.up());
        nodes.remove(&self.me);
        nodes
    }

    /// Does something with the requests over HTTP.
    pub(super) fn asks(
        &mut self,
        out: &mut Vec<Effect>,
        act: impl FnOnce(&mut Asks, Reach<'_>) -> Vec<asks::Effect>,
    ) {
        let reach = Reach {
            parts: self.owner.parts(),
            links: &self.links,
        };
        for effect in act(&mut self.asks, reach) {
            match effect {
                asks::Effect::Ask(to, ask) => {
                    let waiting = self.outgoing.entry(to).or_default();
                    waiting.push_back(Outgoing::ToOwner(ToOwner::Ask(Box::new(ask))));
                }
                asks::Effect::Reply(to, reply) => {
                    let waiting = self.outgoing.entry(to).or_default();
                    waiting.push_back(Outgoing::ToGateway(ToGateway::Reply(Box::new(reply))));
                }
                asks::Effect::Answered(number, result) => {
                    out.push(Effect::Answered(number, Box::new(result)));
                }
                asks::Effect::Serve(number, request) => {
                    out.push(Effect::Answer(number, Box::new(request)));
                }
                asks::Effect::Look => out.push(Effect::Look),
            }
        }
    }
}
