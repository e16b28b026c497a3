//! Which node has which part, as far as this node knows: its own parts exactly, the others as it has read them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tilewire_protocol::GameId;
use tokio::sync::watch;

use super::Parts;
use crate::game::{Place, Placement};
use crate::storage::{ClusterView, NodeId, NodeState, Part, Shard, Shards, Term};

/// The parts and their nodes.
#[derive(Debug)]
pub struct Owners {
    me: NodeId,
    known: RwLock<Known>,
    changes: watch::Sender<u64>,
    is_cut_off: AtomicBool,
}

#[derive(Debug)]
struct Known {
    /// The shards whose games this node plays now.
    mine: Shards,
    has_lobby: bool,
    /// The terms of the parts that this node answers for.
    terms: BTreeMap<Part, Term>,
    /// The owners of all parts and their terms, by the numbers of the parts from that of the lobby on.
    owners: Vec<Option<(NodeId, Term)>>,
}

impl Known {
    fn owner(&self, part: Part) -> Option<(NodeId, Term)> {
        *self.owners.get(place_of(part))?
    }
}

/// Returns the place of a part in the list of owners.
fn place_of(part: Part) -> usize {
    usize::try_from(i32::from(part.number()) - i32::from(Part::LOBBY.number()))
        .unwrap_or(usize::MAX)
}

impl Owners {
    /// Of a node that has no part and knows nothing.
    #[must_use]
    pub fn new(me: NodeId) -> Self {
        Self {
            me,
            known: RwLock::new(Known {
                mine: Shards::NONE,
                has_lobby: false,
                terms: BTreeMap::new(),
                owners: vec![None; Part::all().count()],
            }),
            changes: watch::Sender::new(0),
            is_cut_off: AtomicBool::new(false),
        }
    }

    /// This node answers for a part from now on, in this term.
    pub(super) fn serve(&self, part: Part, term: Term) {
        self.change(|known| {
            known.terms.insert(part, term);
            match part.shard() {
                Some(shard) => known.mine.insert(shard),
                None => known.has_lobby = true,
            }
        });
    }

    /// This node does not answer for a part from now on.
    pub(super) fn leave(&self, part: Part) {
        self.change(|known| {
            known.terms.remove(&part);
            match part.shard() {
                Some(shard) => known.mine.remove(shard),
                None => known.has_lobby = false,
            }
        });
    }

    /// Notes the tables that this node has read.
    pub(super) fn note(&self, view: &ClusterView) {
        self.is_cut_off.store(false, Ordering::Relaxed);
        let is_up = |owner: &NodeId| {
            let mut nodes = view.nodes.iter();
            nodes.any(|row| row.node == *owner && row.state != NodeState::Fenced)
        };
        let mut owners = vec![None; Part::all().count()];
        for row in &view.parts {
            if let Some(owner) = owners.get_mut(place_of(row.part)) {
                *owner = row.owner.filter(is_up).map(|owner| (owner, row.term));
            }
        }
        if self.read().owners != owners {
            self.change(|known| known.owners = owners);
        }
    }

    /// Notes that the database does not answer this node.
    pub(super) fn cut_off(&self) {
        self.is_cut_off.store(true, Ordering::Relaxed);
    }

    /// Says whether the database does not answer this node, so that it plays nothing.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed)
    }

    /// Returns the owners of all parts that somebody answers for. Of the own parts, those that are not loaded yet are missing.
    #[must_use]
    pub fn parts(&self) -> Parts {
        let known = self.read();
        let owner = |part| {
            let mine = known.terms.get(&part).map(|term| (self.me, *term));
            let other = known.owner(part).filter(|(owner, _)| *owner != self.me);
            Some((part, mine.or(other)?))
        };
        Part::all().filter_map(owner).collect()
    }

    /// Says whether another node has a part.
    #[must_use]
    pub fn knows_others(&self) -> bool {
        let known = self.read();
        let mut owners = known.owners.iter().flatten();
        owners.any(|(owner, _)| *owner != self.me)
    }

    fn at(&self, known: &Known, (is_mine, part): (bool, Part)) -> Place {
        match is_mine {
            true => Place::Mine,
            // A part that this node has but does not play is on its way.
            false => {
                let owner = known.owner(part).map(|(owner, _)| owner);
                Place::Elsewhere(owner.filter(|owner| *owner != self.me))
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.write());
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Placement for Owners {
    fn mine(&self) -> Shards {
        self.read().mine
    }

    fn place(&self, game: &GameId) -> Place {
        let (shard, known) = (Shard::of(game), self.read());
        self.at(&known, (known.mine.has(shard), shard.into()))
    }

    fn lobby(&self) -> Place {
        let known = self.read();
        self.at(&known, (known.has_lobby, Part::LOBBY))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{DatabaseTime, Incarnation, NodeRow, PartRow, Release};

    const ME: NodeId = NodeId(1);

    fn node(node: i32, state: NodeState) -> NodeRow {
        NodeRow {
            node: NodeId(node),
            incarnation: Incarnation(0),
            state,
            release: Release::default(),
            reads_form: 0,
            seen: DatabaseTime(0),
            well_since: DatabaseTime(0),
        }
    }

    fn view(parts: &[(Part, i32)]) -> ClusterView {
        ClusterView {
            now: DatabaseTime(0),
            nodes: vec![
                node(1, NodeState::Up),
                node(2, NodeState::Draining),
                node(3, NodeState::Fenced),
            ],
            parts: parts
                .iter()
                .map(|(part, owner)| PartRow {
                    part: *part,
                    owner: Some(NodeId(*owner)),
                    term: Term(1),
                    orphaned_at: None,
                })
                .collect(),
        }
    }

    #[test]
    fn a_part_is_here_at_its_owner_or_nowhere() {
        let owners = Owners::new(ME);
        let mut changes = owners.changes();
        let game = GameId::from("g"); // its shard is 205
        let shard = Part::from(Shard::of(&game));
        let nowhere = Place::Elsewhere(None);
        assert_eq!((owners.place(&game), owners.lobby()), (nowhere, nowhere));
        owners.note(&view(&[(shard, 2), (Part::LOBBY, 3)]));
        let there = Place::Elsewhere(Some(NodeId(2)));
        let known = owners.parts();
        assert_eq!(known.owner(shard), Some((NodeId(2), Term(1))));
        assert!(owners.knows_others());
        assert_eq!(
            owners.place(&game),
            there,
            "it gives its parts away one by one"
        );
        assert_eq!(owners.lobby(), nowhere, "its owner is gone");
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        owners.note(&view(&[(shard, 2), (Part::LOBBY, 3)]));
        assert!(!changes.has_changed().unwrap(), "that is no news");
        owners.note(&view(&[(shard, 1), (Part::LOBBY, 1)]));
        assert_eq!(
            (owners.place(&game), owners.lobby()),
            (nowhere, nowhere),
            "it is loaded"
        );
        assert!(!owners.knows_others(), "it has everything itself");
        let lobby_of = |owners: &Owners| owners.parts().owner(Part::LOBBY);
        assert_eq!(lobby_of(&owners), None, "nobody answers for it yet");
        owners.serve(shard, Term(1));
        owners.serve(Part::LOBBY, Term(4));
        assert_eq!(lobby_of(&owners), Some((ME, Term(4))));
        assert_eq!(
            (owners.place(&game), owners.lobby()),
            (Place::Mine, Place::Mine)
        );
        assert_eq!(owners.mine().iter().collect::<Vec<_>>(), [Shard::of(&game)]);
        owners.leave(shard);
        owners.leave(Part::LOBBY);
        assert_eq!((owners.place(&game), owners.lobby()), (nowhere, nowhere));
    }
}
