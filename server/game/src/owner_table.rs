//! Which node answers for which part.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_store::{NodeId, Part, Term};

/// The owners of the parts at one moment, as far as a node knows. Parts without an owner are missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnerTable {
    owners: BTreeMap<Part, (NodeId, Term)>,
}

impl OwnerTable {
    /// No part has an owner.
    pub const NONE: Self = Self {
        owners: BTreeMap::new(),
    };

    /// Returns the owner of a part.
    #[must_use]
    pub fn owner(&self, part: Part) -> Option<(NodeId, Term)> {
        self.owners.get(&part).copied()
    }

    /// Returns the nodes that own parts.
    #[must_use]
    pub fn nodes(&self) -> BTreeSet<NodeId> {
        self.owners.values().map(|(node, _)| *node).collect()
    }
}

impl FromIterator<(Part, (NodeId, Term))> for OwnerTable {
    fn from_iter<I: IntoIterator<Item = (Part, (NodeId, Term))>>(owners: I) -> Self {
        Self {
            owners: owners.into_iter().collect(),
        }
    }
}
