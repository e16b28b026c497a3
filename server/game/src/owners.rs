//! Which node has which part, as far as this node knows: its own parts exactly, the others as it has read them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tilewire_protocol::GameId;
use tokio::sync::watch;

use crate::owner_table::OwnerTable;
use crate::{Location, Placement};
use tilewire_store::{ClusterView, NodeId, NodeRow, NodeState, Part, Shard, Shards, Term};

/// The parts and their nodes.
#[derive(Debug)]
pub struct Owners {
    me: NodeId,
    known: RwLock<OwnersState>,
    changes: watch::Sender<u64>,
    is_cut_off: AtomicBool,
    /// Whether other nodes get new games.
    spreads: AtomicBool,
    is_apart: AtomicBool,
}

#[derive(Debug)]
struct OwnersState {
    /// The shards whose games this node plays now.
    mine: Shards,
    has_lobby: bool,
    /// The terms of the parts that this node answers for.
    terms: BTreeMap<Part, Term>,
    /// The owners of all parts and their terms, in the order of [`Part::all`].
    owners: Vec<Option<(NodeId, Term)>>,
    /// The shards of other nodes that can have new games.
    open: Shards,
}

impl OwnersState {
    fn owner(&self, part: Part) -> Option<(NodeId, Term)> {
        *self.owners.get(part.place())?
    }
}

impl Owners {
    /// Of a node that has no part and knows nothing.
    #[must_use]
    pub fn new(me: NodeId) -> Self {
        Self {
            me,
            known: RwLock::new(OwnersState {
                mine: Shards::NONE,
                has_lobby: false,
                terms: BTreeMap::new(),
                owners: vec![None; Part::all().count()],
                open: Shards::NONE,
            }),
            changes: watch::Sender::new(0),
            is_cut_off: AtomicBool::new(false),
            spreads: AtomicBool::new(false),
            is_apart: AtomicBool::new(false),
        }
    }

    /// This node answers for a part from now on, in this term.
    pub fn serve(&self, part: Part, term: Term) {
        self.change(|known| {
            known.terms.insert(part, term);
            match part.shard() {
                Some(shard) => known.mine.insert(shard),
                None => known.has_lobby = true,
            }
        });
    }

    /// This node does not answer for a part from now on.
    pub fn leave(&self, part: Part) {
        self.change(|known| {
            known.terms.remove(&part);
            match part.shard() {
                Some(shard) => known.mine.remove(shard),
                None => known.has_lobby = false,
            }
        });
    }

    /// Notes the tables that this node has read.
    pub fn note(&self, view: &ClusterView) {
        self.is_cut_off.store(false, Ordering::Relaxed);
        let is_up = |owner: &NodeId| {
            let mut nodes = view.nodes.iter();
            nodes.any(|row| row.node == *owner && row.state != NodeState::Fenced)
        };
        let mut owners = vec![None; Part::all().count()];
        for row in &view.parts {
            if let Some(owner) = owners.get_mut(row.part.place()) {
                *owner = row.owner.filter(is_up).map(|owner| (owner, row.term));
            }
        }
        if self.read().owners != owners {
            self.change(|known| known.owners = owners);
        }
        self.write().open = self.open_in(view);
    }

    /// Returns the shards of other nodes that can have new games: their nodes do not leave, and are not older than this one.
    fn open_in(&self, view: &ClusterView) -> Shards {
        let mut nodes = view.nodes.iter();
        let Some(own) = nodes.find(|row| row.node == self.me) else {
            return Shards::NONE;
        };
        let is_able = |row: &NodeRow| {
            row.state == NodeState::Up
                && row.release >= own.release
                && row.reads_form >= own.reads_form
        };
        let able = view.nodes.iter().filter(|row| is_able(row));
        let able: BTreeSet<NodeId> = able.map(|row| row.node).collect();
        let parts = view.parts.iter();
        let open = parts.filter(|row| row.owner.is_some_and(|owner| able.contains(&owner)));
        open.filter_map(|row| row.part.shard()).collect()
    }

    /// Lets other nodes have new games from now on: their clients reach them through the relay.
    pub fn spread(&self) {
        self.spreads.store(true, Ordering::Relaxed);
    }

    /// Notes that the database does not answer this node.
    pub fn cut_off(&self) {
        self.is_cut_off.store(true, Ordering::Relaxed);
    }

    /// Notes whether the bus does not reach this node and others play everything; says whether that begins.
    pub fn set_apart(&self, is_apart: bool) -> bool {
        let was_apart = self.is_apart.swap(is_apart, Ordering::Relaxed);
        is_apart && !was_apart
    }

    /// Says whether the database or the bus does not answer this node, so that it plays nothing.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed) || self.is_apart.load(Ordering::Relaxed)
    }

    /// Returns the owners of all parts that somebody answers for. Of the own parts, those that are not loaded yet are missing.
    #[must_use]
    pub fn parts(&self) -> OwnerTable {
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

    fn at(&self, known: &OwnersState, (is_mine, part): (bool, Part)) -> Location {
        match is_mine {
            true => Location::Mine,
            // A part that this node has but does not play is on its way.
            false => {
                let owner = known.owner(part).map(|(owner, _)| owner);
                Location::Elsewhere(owner.filter(|owner| *owner != self.me))
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut OwnersState)) {
        change(&mut self.write());
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn read(&self) -> RwLockReadGuard<'_, OwnersState> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, OwnersState> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Placement for Owners {
    fn mine(&self) -> Shards {
        self.read().mine
    }

    fn place(&self, game: &GameId) -> Location {
        let (shard, known) = (Shard::of(game), self.read());
        self.at(&known, (known.mine.has(shard), shard.into()))
    }

    fn new_games(&self) -> Shards {
        let known = self.read();
        let mut shards = known.mine;
        if self.spreads.load(Ordering::Relaxed) {
            known.open.iter().for_each(|shard| shards.insert(shard));
        }
        shards
    }

    fn lobby(&self) -> Location {
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
    use tilewire_store::{DatabaseTime, Incarnation, PartRow, Release};

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
        let nowhere = Location::Elsewhere(None);
        assert_eq!((owners.place(&game), owners.lobby()), (nowhere, nowhere));
        owners.note(&view(&[(shard, 2), (Part::LOBBY, 3)]));
        let there = Location::Elsewhere(Some(NodeId(2)));
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
            (Location::Mine, Location::Mine)
        );
        assert_eq!(owners.mine().iter().collect::<Vec<_>>(), [Shard::of(&game)]);
        owners.leave(shard);
        owners.leave(Part::LOBBY);
        assert_eq!((owners.place(&game), owners.lobby()), (nowhere, nowhere));
    }

    #[test]
    fn new_games_go_to_nodes_that_stay_and_can_read_them() {
        let owners = Owners::new(ME);
        let shards = [Shard(1), Shard(2), Shard(3), Shard(4), Shard(5)];
        let of = |(number, shard): (i32, Shard)| (Part::from(shard), number);
        let mut view = view(&(1..).zip(shards).map(of).collect::<Vec<_>>());
        view.nodes.push(node(4, NodeState::Up));
        view.nodes.push(node(5, NodeState::Up));
        let found = |owners: &Owners| owners.new_games().iter().collect::<Vec<_>>();
        owners.note(&view);
        assert_eq!(found(&owners), [], "the others get none without a relay");
        owners.spread();
        // Node 2 leaves, node 3 is fenced.
        assert_eq!(found(&owners), [Shard(1), Shard(4), Shard(5)]);
        view.nodes[0].release = "1.2.0".parse::<Release>().unwrap();
        view.nodes[3].release = "1.1.9".parse::<Release>().unwrap();
        view.nodes[4].release = "2.0.0".parse::<Release>().unwrap();
        owners.note(&view);
        assert_eq!(found(&owners), [Shard(1), Shard(5)]);
        view.nodes[4].reads_form = -1;
        owners.note(&view);
        assert_eq!(found(&owners), [Shard(1)]);
    }
}
