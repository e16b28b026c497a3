//! Which lines each connection gets, framed once for all connections that get the same lines.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tilewire_protocol::Codec;

use super::line::push;
use tilewire_delivery::outbound::{Dispatch, Encoded, Framed, Peer, PeerId};
use tilewire_store::StoredLine;

/// For each connection, the positions of its lines in a list of lines.
#[derive(Debug, Default)]
pub(super) struct Reading(BTreeMap<PeerId, (Peer, Vec<usize>)>);

impl Reading {
    /// Notes the readers of the line at a position.
    pub(super) fn add(&mut self, at: usize, readers: Vec<(PeerId, Peer)>) {
        for (id, peer) in readers {
            let (_, own) = self.0.entry(id).or_insert_with(|| (peer, Vec::new()));
            own.push(at);
        }
    }

    /// Returns the lines for each connection.
    pub(super) fn dispatches(self, lines: &[StoredLine]) -> Vec<Dispatch<Peer>> {
        let encoded: Vec<Encoded> = lines.iter().map(|line| Encoded::new(push(line))).collect();
        let mut framed: HashMap<(Codec, Vec<usize>), Arc<Framed>> = HashMap::new();
        let dispatch = |(peer, own): (Peer, Vec<usize>)| {
            let codec = peer.codec();
            let shared = framed.entry((codec, own)).or_insert_with_key(|(_, own)| {
                let frames = own.iter().map(|at| encoded[*at].frame(codec));
                Arc::new(Framed::new(codec, frames.collect()))
            });
            Dispatch {
                framed: Some(Arc::clone(shared)),
                recipient: peer,
            }
        };
        self.0.into_values().map(dispatch).collect()
    }
}
