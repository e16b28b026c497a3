//! Hints from the relay of a node to its machine.

use tokio::sync::mpsc::UnboundedSender;

use super::Message;
use crate::node::Input;

/// Tells a node what its relay hears: parts have other owners, or the bus does not reach the node.
#[derive(Debug, Clone)]
pub struct Hints(pub(super) UnboundedSender<Message>);

impl Hints {
    /// Makes the node look soon.
    pub fn look(&self) {
        // Without the machine, `stopped` says so.
        self.0.send(Message::Input(Input::Hint)).ok();
    }

    /// Says whether the bus does not reach the node.
    pub fn apart(&self, is_apart: bool) {
        // Without the machine, `stopped` says so.
        self.0.send(Message::Input(Input::Apart(is_apart))).ok();
    }
}
