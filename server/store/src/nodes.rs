//! The nodes of a cluster and the parts of its work, as the database keeps them, and the changes of both.
//!
//! Each change is one statement that proves the lease of the node that asks, by the clock of the database. Every change of an
//! owner makes the term of the part larger, and names the term that it replaces.

use std::fmt;
use std::str::FromStr;

use super::Shard;

/// The number of a node. It outlives the process: after a restart the same parts come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub i32);

/// One life of a node, and within it one connection of its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incarnation(pub i64);

/// Counts the owners of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(pub i64);

impl Term {
    /// Returns the term of the next owner.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A moment on the clock of the database, in milliseconds since the Unix epoch. It is no [`Timestamp`]: the clocks of nodes may
/// be wrong, so moments of the two are never compared.
///
/// [`Timestamp`]: tilewire_rules::time::Timestamp
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DatabaseTime(pub i64);

/// A part of the work that one node at a time does: a shard of the games, or the lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(i16);

impl Part {
    /// The lobby.
    pub const LOBBY: Self = Self(-1);

    /// Returns all parts.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::LOBBY).chain((0..=u8::MAX).map(|shard| Self::from(Shard(shard))))
    }

    /// Returns the part with a number in the database; `None` for a number that no part has.
    #[must_use]
    pub fn numbered(number: i16) -> Option<Self> {
        let is_part = number == Self::LOBBY.0 || u8::try_from(number).is_ok();
        is_part.then_some(Self(number))
    }

    /// Returns the number in the database.
    #[must_use]
    pub const fn number(self) -> i16 {
        self.0
    }

    /// Returns the place of the part in the order of [`Part::all`].
    #[must_use]
    pub fn place(self) -> usize {
        usize::try_from(i32::from(self.0) - i32::from(Self::LOBBY.0)).unwrap_or(0)
    }

    /// Returns the shard; `None` for the lobby.
    #[must_use]
    pub fn shard(self) -> Option<Shard> {
        u8::try_from(self.0).ok().map(Shard)
    }
}

impl From<Shard> for Part {
    fn from(Shard(shard): Shard) -> Self {
        Self(shard.into())
    }
}

/// The version of the program on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Release([u32; 3]);

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl FromStr for Release {
    type Err = std::num::ParseIntError;

    /// Reads a version such as `1.4.0` or `1.4.0-rc.1`; what follows the third number does not count.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = text.split(['-', '+']).next().unwrap_or_default();
        let mut release = Self::default();
        for (place, number) in release.0.iter_mut().zip(plain.split('.')) {
            *place = number.parse()?;
        }
        Ok(release)
    }
}

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// It owns parts and takes more.
    Up,
    /// It gives its parts away, then it stops.
    Draining,
    /// It stores nothing more under this incarnation.
    Fenced,
}

impl NodeState {
    /// Returns the name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Draining => "draining",
            Self::Fenced => "fenced",
        }
    }
}

impl FromStr for NodeState {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let all = [Self::Up, Self::Draining, Self::Fenced];
        all.into_iter().find(|state| state.name() == name).ok_or(())
    }
}

/// A row of `nodes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    /// The node.
    pub node: NodeId,
    /// Its life.
    pub incarnation: Incarnation,
    /// Its state.
    pub state: NodeState,
    /// Its version.
    pub release: Release,
    /// The newest form of records that it reads.
    pub reads_form: i32,
    /// When it last stored something or renewed its lease.
    pub seen: DatabaseTime,
    /// Since when it has renewed its lease in time.
    pub well_since: DatabaseTime,
}

/// A row of `shards`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRow {
    /// The part.
    pub part: Part,
    /// The node that owns it, or did so last.
    pub owner: Option<NodeId>,
    /// How often it has changed its owner.
    pub term: Term,
    /// Since when its games stand still; `None` when an owner has loaded them and given the players their time back.
    pub orphaned_at: Option<DatabaseTime>,
}

/// Both tables at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterView {
    /// The moment.
    pub now: DatabaseTime,
    /// The nodes.
    pub nodes: Vec<NodeRow>,
    /// The parts.
    pub parts: Vec<PartRow>,
}

/// A node's knowledge of its lease at a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastRenewal {
    /// Nothing: it has joined, and this is its first renewal. It counts as well from then on.
    None,
    /// It was renewed at this time. If that is half the time to live ago, the node may have dropped its games meanwhile, and
    /// counts as unwell until now.
    At(DatabaseTime),
    /// It was renewed at this time, and then not in time, so the node dropped its games. They stand still since then.
    LostSince(DatabaseTime),
}

/// A statement about the cluster. Each is refused with [`ClusterError::Fenced`] if the node's lease is not its own any more, and
/// otherwise counts as a sign of life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterChange {
    /// Renews the lease, and reads both tables.
    Renew {
        /// Whether the node is giving its parts away.
        is_draining: bool,
        /// The node's knowledge of its lease.
        last: LastRenewal,
    },
    /// Fences the nodes that were not seen for the time to live, if the node that asks was well for as long and has renewed its
    /// lease at `after`, less than the time to live ago.
    Fence {
        /// The nodes, each in one life.
        nodes: Vec<(NodeId, Incarnation)>,
        /// The last renewal of the node that asks.
        after: DatabaseTime,
    },
    /// Takes those of the parts that still have this term, and no owner or a fenced one.
    Take(Vec<(Part, Term)>),
    /// Gives a part that the node owns with this term to another one that is up. The connection of the appends has to ask it:
    /// an append that began before on another one would not see the new owner.
    Give {
        /// The part.
        part: Part,
        /// The term.
        term: Term,
        /// The next owner.
        to: NodeId,
        /// Since when its games stand still.
        since: DatabaseTime,
    },
    /// Says that the games of these parts are loaded and their players have their time back.
    Settle(Vec<(Part, Term)>),
    /// Gives up the lease and all parts, whose games stand still since then.
    Leave(DatabaseTime),
}

/// The result of a [`ClusterChange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterDone {
    /// The lease is renewed.
    Renewed(ClusterView),
    /// These nodes are fenced.
    Fenced(Vec<NodeId>),
    /// These parts are taken.
    Taken(Vec<PartRow>),
    /// The part is given away, or not: it has another owner, or the next one is not up.
    Given(bool),
    /// The parts are settled.
    Settled,
    /// The node owns nothing more.
    Left,
}

/// Why a [`ClusterChange`] has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// The lease is not this node's any more. It is final, and nothing was changed.
    #[error("this server lost its lease: another server fenced it or uses the same `cluster.node`")]
    Fenced,
    /// The database did not answer. The change may have been made, and is then seen by the next renewal; it is not made after
    /// that.
    #[error("the database did not answer")]
    NoAnswer,
}

#[cfg(test)]
mod tests {
    use super::{NodeState, Part, Release, Shard};

    #[test]
    fn a_part_is_a_shard_or_the_lobby() {
        let all: Vec<Part> = Part::all().collect();
        assert_eq!(all.len(), usize::from(Shard::COUNT) + 1);
        assert!(all.is_sorted());
        for part in all {
            assert_eq!(Part::numbered(part.number()), Some(part));
            let back = part.shard().map_or(Part::LOBBY, Part::from);
            assert_eq!(back, part);
        }
        for number in [-2, 256] {
            assert_eq!(Part::numbered(number), None);
        }
    }

    #[test]
    fn releases_are_ordered_by_their_numbers() {
        let release = |text: &str| text.parse::<Release>();
        let ordered = ["0.9.12", "0.10.0-rc.1", "1.0", "1.0.1+build", "2.0.0"];
        let ordered = ordered.map(|text| release(text).unwrap());
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
        assert_eq!(release("1"), release("1.0.0"));
        assert!(release("").is_err() && release("one").is_err());
    }

    #[test]
    fn a_state_has_a_name() {
        for state in [NodeState::Up, NodeState::Draining, NodeState::Fenced] {
            assert_eq!(state.name().parse(), Ok(state));
        }
        assert_eq!("gone".parse::<NodeState>(), Err(()));
    }
}
