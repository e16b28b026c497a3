//! Connected peers (first sketch; the connection side fills this in).

/// Names a connection for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u64);

/// A connected peer.
#[derive(Debug, Clone)]
pub struct Peer;
