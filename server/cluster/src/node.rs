//! A node of a cluster: keeps its lease, judges the other nodes, takes parts without an owner, and gives parts away.
//!
//! Invariant: without an answer of the database for the time to live, by its own clock, the node holds nothing.

mod ask;
mod moves;
mod tables;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tilewire_rules::time::{Millis, Timestamp};

use super::Bounds;
use tilewire_store::{
    ClusterChange, ClusterDone, ClusterError, ClusterView, DatabaseTime, LastRenewal, NodeId,
    NodeRow, NodeState, Part, PartRow, Release, Term,
};

/// How often a node reads the tables at most in the interval of its renewals, because others say that they have changed.
const LOOKS_PER_RENEWAL: i64 = 20;

/// The properties that a node registers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Its number.
    pub node: NodeId,
    /// Its version.
    pub release: Release,
    /// The newest form of records that it reads.
    pub reads_form: i32,
}

/// An input of the node machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Time has passed.
    Tick,
    /// Another node says that the tables have changed.
    Hint,
    /// The bus has not reached this node for the time to live of a lease, or reaches it again.
    Apart(bool),
    /// The answer to [`Effect::Ask`]. Each gets one.
    Answered(Result<ClusterDone, ClusterError>),
    /// The games of a part are loaded, and their players have their time back.
    Loaded(Part, Term),
    /// The games of a part have nothing in flight and take no commands.
    Paused(Part, Term),
    /// The server shall stop.
    Drain,
}

/// An effect that the shell carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask the database. One question is open at a time, and the next one is put after the answer of the one before.
    Ask(ClusterChange),
    /// Load the games of a part, and give their players back the time since `since`; then report [`Input::Loaded`].
    Load {
        /// The part.
        part: Part,
        /// Its term.
        term: Term,
        /// Since when its games stand still.
        since: Option<DatabaseTime>,
    },
    /// Take no more commands for the games of a part, finish what is being stored, and report [`Input::Paused`].
    Pause(Part, Term),
    /// Take commands again: the part stays here.
    Resume(Part, Term),
    /// Forget the games of a part without another word to anybody: they are another node's.
    Drop(Part, Term),
    /// Forget the games of all parts, and send the clients to other nodes: the database does not answer this one.
    CutOff,
    /// The node has ended; it holds nothing.
    Stop(StopReason),
}

/// Why a node has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Its lease was taken: another life of the server has to join anew.
    Fenced,
    /// It was asked to, and owns nothing more.
    Left,
}

/// The stage of a part that the node owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It waits to be loaded.
    Waiting,
    /// Its games are being loaded.
    Loading,
    /// It is played.
    Serving,
    /// Its games finish what they are storing, since this time.
    Pausing(Timestamp),
    /// Nothing is in flight: it can be given away.
    Paused,
    /// The database is asked to give it away.
    Giving,
}

/// A part that a node owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OwnedPart {
    term: Term,
    stage: Stage,
    /// Since when its games stood still before it came here.
    since: Option<DatabaseTime>,
    /// Since when they stand still on their way to another node.
    still_since: Option<DatabaseTime>,
    /// The earliest time for another attempt to give it away.
    not_before: Timestamp,
}

/// Where the life of a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Up,
    /// It gives its parts away, since this time.
    Draining(Timestamp),
    /// Its games finish what they are storing, since this time; then it leaves.
    Leaving(Timestamp),
    Ended,
}

/// The pure node.
#[derive(Debug)]
pub struct Node {
    identity: Identity,
    bounds: Bounds,
    life: Life,
    /// Since when the bus does not reach this node: clients of the others cannot play here.
    apart_since: Option<Timestamp>,
    /// The tables, as far as they are known; `None` until a renewal after which everything else is to be decided.
    view: Option<ClusterView>,
    /// When they were read.
    read_at: Timestamp,
    held: BTreeMap<Part, OwnedPart>,
    /// Parts that were given away and are not loaded by their next owners yet, with the new terms.
    on_their_way: BTreeMap<Part, Term>,
    /// Parts without an owner, and since when this node knows.
    orphans: BTreeMap<Part, (Term, Timestamp)>,
    /// The open question, and when it was put.
    asked: Option<(Timestamp, ClusterChange)>,
    /// When the last question was put.
    last_asked_at: Timestamp,
    /// When the next renewal is due.
    renew_at: Timestamp,
    /// The time of the last input. The node has done everything that was due by then.
    handled_at: Timestamp,
    /// When the newest question was put that the database has answered; `None` while the lease may have ended.
    proved_at: Option<Timestamp>,
    last: LastRenewal,
}

impl Node {
    /// Returns a node that has joined, at server time `now`, with what it knows of its last renewal.
    #[must_use]
    pub const fn new(
        identity: Identity,
        bounds: Bounds,
        (now, last): (Timestamp, LastRenewal),
    ) -> Self {
        Self {
            identity,
            bounds,
            life: Life::Up,
            apart_since: None,
            view: None,
            read_at: now,
            held: BTreeMap::new(),
            on_their_way: BTreeMap::new(),
            orphans: BTreeMap::new(),
            asked: None,
            last_asked_at: Timestamp::MIN,
            renew_at: now,
            handled_at: now,
            proved_at: None,
            last,
        }
    }

    /// Applies an input at server time `now`.
    #[must_use]
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.life == Life::Ended {
            return effects;
        }
        self.handled_at = now;
        // First: the process may have stood still.
        self.notice_cut_off(now, &mut effects);
        match input {
            Input::Tick => {}
            Input::Hint => self.hint(),
            Input::Apart(is_apart) => self.apart(now, is_apart),
            Input::Answered(answer) => self.answered(now, answer, &mut effects),
            Input::Loaded(part, term) => self.change(part, term, Stage::Loading, Stage::Serving),
            Input::Paused(part, term) => self.paused(part, term),
            Input::Drain => self.drain(now),
        }
        if self.life != Life::Ended {
            self.load(&mut effects);
            self.move_parts(now, &mut effects);
            self.ask(now, &mut effects);
        }
        effects
    }

    /// Returns the terms of the parts that this node owns, as far as it knows; the storage proves them with each append.
    pub fn terms(&self) -> impl Iterator<Item = (Part, Term)> {
        self.held.iter().map(|(part, held)| (*part, held.term))
    }

    /// Returns the last tables that this node has read.
    #[must_use]
    pub const fn view(&self) -> Option<&ClusterView> {
        self.view.as_ref()
    }

    /// Says whether the bus does not reach this node, and it has given everything to nodes that it reaches.
    #[must_use]
    pub fn has_no_use(&self) -> bool {
        let is_empty = self.held.is_empty() && self.on_their_way.is_empty();
        let has_other = |view| self.live(view).any(|row| !self.is_me(row));
        self.apart_since.is_some() && is_empty && self.view.as_ref().is_some_and(has_other)
    }

    /// Drops everything if the lease may have ended.
    fn notice_cut_off(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(proved_at) = self.proved_at else {
            return;
        };
        if now - proved_at < self.bounds.lease_ms {
            return;
        }
        self.proved_at = None;
        self.view = None;
        self.held.clear();
        self.on_their_way.clear();
        self.orphans.clear();
        if let LastRenewal::At(at) = self.last {
            self.last = LastRenewal::LostSince(at);
        }
        effects.push(Effect::CutOff);
    }

    /// Reads the tables soon, but not more often than [`LOOKS_PER_RENEWAL`] allows: during a hand-over of many parts, each of
    /// them is such a hint.
    fn hint(&mut self) {
        let soon = self.last_asked_at + self.bounds.renew_ms / LOOKS_PER_RENEWAL;
        self.renew_at = self.renew_at.min(soon);
    }

    /// Gives the parts to nodes that the bus reaches, or takes its own share again.
    fn apart(&mut self, now: Timestamp, is_apart: bool) {
        // It is told after a time to live of silence.
        self.apart_since = is_apart.then_some(now - self.bounds.lease_ms);
        // The other nodes shall know before they choose again.
        self.renew_at = self.renew_at.min(now);
    }

    /// Says whether parts belong here.
    fn is_open(&self) -> bool {
        self.life == Life::Up && self.apart_since.is_none()
    }

    fn drain(&mut self, now: Timestamp) {
        if self.life == Life::Up {
            self.life = Life::Draining(now);
            self.orphans.clear();
            // The other nodes shall know before they choose again.
            self.renew_at = now;
        }
    }

    /// Moves a part from one stage to the next, unless the report is about another term or stage.
    fn change(&mut self, part: Part, term: Term, from: Stage, to: Stage) {
        if let Some(held) = self.held.get_mut(&part)
            && held.term == term
            && held.stage == from
        {
            held.stage = to;
        }
    }

    fn answered(
        &mut self,
        now: Timestamp,
        answer: Result<ClusterDone, ClusterError>,
        effects: &mut Vec<Effect>,
    ) {
        let Some((asked_at, asked)) = self.asked.take() else {
            return;
        };
        let done = match answer {
            Ok(ClusterDone::Left) => return self.end(StopReason::Left, effects),
            Err(ClusterError::Fenced) => return self.end(StopReason::Fenced, effects),
            Err(ClusterError::NoAnswer) => return self.doubt(asked_at, now),
            // The lease may have ended since then.
            Ok(_) if now - asked_at >= self.bounds.lease_ms => return self.doubt(asked_at, now),
            Ok(done) => done,
        };
        // After a cut, only a renewal that tells of it says what this node still owns.
        let is_expected = matches!(&asked, ClusterChange::Renew { last, .. } if *last == self.last);
        if self.proved_at.is_none() && !is_expected {
            return self.doubt(asked_at, now);
        }
        self.proved_at = Some(asked_at);
        match (done, asked) {
            (ClusterDone::Renewed(view), _) => self.renewed(asked_at, now, view, effects),
            (ClusterDone::Fenced(fenced), _) => self.judged(now, &fenced),
            (ClusterDone::Taken(rows), ClusterChange::Take(asked)) => self.taken(&asked, &rows),
            (ClusterDone::Given(is_given), ClusterChange::Give { part, term, to, .. }) => {
                self.given(now, (part, term), is_given.then_some(to), effects);
            }
            (ClusterDone::Settled, ClusterChange::Settle(parts)) => self.settled(&parts),
            _ => {}
        }
    }

    fn end(&mut self, reason: StopReason, effects: &mut Vec<Effect>) {
        self.life = Life::Ended;
        self.held.clear();
        self.view = None;
        effects.push(Effect::Stop(reason));
    }

    /// Decides nothing until the next renewal: the last question may have had an effect.
    fn doubt(&mut self, asked_at: Timestamp, now: Timestamp) {
        self.view = None;
        self.renew_at = (asked_at + self.bounds.renew_ms).max(now + self.bounds.renew_ms / 5);
    }

    /// Begins to load the next parts.
    fn load(&mut self, effects: &mut Vec<Effect>) {
        if let Life::Leaving(_) = self.life {
            return;
        }
        let is_loading = |held: &&OwnedPart| held.stage == Stage::Loading;
        let loading = self.held.values().filter(is_loading).count();
        let room = self.bounds.loads.saturating_sub(loading);
        let waiting = self.held.iter_mut();
        let waiting = waiting.filter(|(_, held)| held.stage == Stage::Waiting);
        for (part, held) in waiting.take(room) {
            held.stage = Stage::Loading;
            effects.push(Effect::Load {
                part: *part,
                term: held.term,
                since: held.since,
            });
        }
    }
}

impl OwnedPart {
    /// Returns a part that was just obtained.
    const fn fresh(row: &PartRow) -> Self {
        Self {
            term: row.term,
            stage: Stage::Waiting,
            since: row.orphaned_at,
            still_since: None,
            not_before: Timestamp::MIN,
        }
    }

    /// Notes that the node still owns the part in the database: a transfer with an unknown outcome did not happen.
    fn was_kept(&mut self) {
        if self.stage == Stage::Giving {
            self.stage = Stage::Paused;
        }
    }

    /// Says whether its games are in memory.
    const fn is_loaded(&self) -> bool {
        !matches!(self.stage, Stage::Waiting | Stage::Loading)
    }

    /// Says whether it is being handed over.
    const fn is_moving(&self) -> bool {
        matches!(
            self.stage,
            Stage::Pausing(_) | Stage::Paused | Stage::Giving
        )
    }
}

/// Says whether a node was seen within the time to live. The clock of the database may have jumped back, with another machine
/// that serves it now: such a time says nothing.
fn is_seen(row: &NodeRow, now: DatabaseTime, lease_ms: Millis) -> bool {
    (now.0 - row.seen.0).abs() < lease_ms.0
}

/// Says whether a part has no owner that may store.
fn is_orphan(row: &PartRow, nodes: &[NodeRow]) -> bool {
    let owner = nodes.iter().find(|node| Some(node.node) == row.owner);
    owner.is_none_or(|owner| owner.state == NodeState::Fenced)
}
