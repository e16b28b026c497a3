//! Which node a part belongs to: each node has a number for each part, and the largest one wins.
//!
//! A node that joins or goes changes only its own parts, and every node computes the same order without asking another one.

use tilewire_store::{NodeId, Part};

/// Returns the number of a node for a part.
///
/// It never changes: nodes of two versions that disagreed would hand a part to each other for ever.
fn weight(node: NodeId, part: Part) -> u64 {
    let node = u64::from(node.0.cast_unsigned());
    let part = u64::from(part.number().cast_unsigned());
    mixed(mixed(node.wrapping_add(1)) ^ part)
}

/// Spreads the bits of a number (the finish of SplitMix64).
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Returns the node of `nodes` to which a part belongs; `None` if there is no node.
#[must_use]
pub fn first(part: Part, nodes: impl IntoIterator<Item = NodeId>) -> Option<NodeId> {
    nodes
        .into_iter()
        .max_by_key(|node| (weight(*node, part), *node))
}

/// Returns how many of `nodes` come before `node` in the order of a part.
pub(super) fn rank(part: Part, node: NodeId, nodes: impl IntoIterator<Item = NodeId>) -> usize {
    let mine = (weight(node, part), node);
    let before = |other: &NodeId| (weight(*other, part), *other) > mine;
    nodes.into_iter().filter(before).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The slow way: sorts all nodes.
    fn order(part: Part, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut order = nodes.to_vec();
        order.sort_by_key(|node| std::cmp::Reverse((weight(*node, part), *node)));
        order
    }

    fn some_nodes() -> impl Iterator<Item = Vec<NodeId>> {
        (1_u32..128).map(|set| {
            let is_in = |number: &i32| set >> number & 1 == 1;
            (0..7).filter(is_in).map(NodeId).collect()
        })
    }

    #[test]
    fn the_first_and_the_ranks_are_those_of_the_whole_order() {
        for nodes in some_nodes() {
            for part in Part::all() {
                let order = order(part, &nodes);
                assert_eq!(first(part, nodes.iter().copied()), order.first().copied());
                for (place, node) in order.iter().enumerate() {
                    assert_eq!(rank(part, *node, nodes.iter().copied()), place);
                }
            }
        }
        assert_eq!(first(Part::LOBBY, []), None);
    }

    #[test]
    fn a_node_that_goes_moves_only_its_own_parts() {
        for nodes in some_nodes() {
            for gone in &nodes {
                let rest: Vec<NodeId> = nodes.iter().copied().filter(|node| node != gone).collect();
                for part in Part::all() {
                    let before = first(part, nodes.iter().copied());
                    let after = first(part, rest.iter().copied());
                    assert!(before == Some(*gone) || before == after);
                }
            }
        }
    }

    /// The deviation is that of chance: 256 parts on three nodes are 85 each, give or take 8.
    #[test]
    fn parts_are_spread_evenly() {
        for nodes in some_nodes() {
            let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
            for part in Part::all() {
                *counts
                    .entry(first(part, nodes.iter().copied()).unwrap())
                    .or_default() += 1;
            }
            let fair = 257 / nodes.len();
            for (node, count) in counts {
                assert!(
                    (fair * 6 / 10..=fair * 14 / 10 + 1).contains(&count),
                    "{node:?} of {nodes:?}: {count}"
                );
            }
        }
    }

    /// Another order would move parts in a cluster whose nodes have two versions.
    #[test]
    fn the_order_never_changes() {
        let nodes = [1, 2, 3].map(NodeId);
        let owners = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 100, 200, 255].map(|number| {
            let part = Part::numbered(number).unwrap();
            first(part, nodes).unwrap().0
        });
        assert_eq!(owners, [2, 2, 2, 1, 2, 1, 3, 1, 2, 1, 1, 1]);
    }
}
