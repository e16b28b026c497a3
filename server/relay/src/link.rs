//! The links of a node to the others: who is alive, and whether a batch was lost.
//!
//! The bus loses messages and keeps the order of each publisher. So every batch has a number, and a node without anything to say
//! sends an empty one now and then, a *beat*. A missing number is a lost batch. The node that misses it counts a *reset*, and tells
//! the other one with its next batch. So both know of every loss within the interval of beats. A node that has given the other one
//! up counts a reset too, because it has forgotten what it held for that one.
//!
//! A link is up when both nodes know each other's incarnation. Messages for another incarnation than the present one are never
//! read. Another incarnation of a node follows the one before only when it names the present incarnation of this node, which it can
//! have learned from an answer alone; one that has ended never comes back. So a batch of an earlier life that comes again changes nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tilewire_rules::time::{Millis, Timestamp};

use super::batch::Head;
use tilewire_store::{Incarnation, NodeId};

#[cfg(test)]
mod tests;

/// The times of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkBounds {
    /// The longest time between two batches to a node.
    pub beat_ms: Millis,
    /// The silence of a node after which its link is down.
    pub silent_ms: Millis,
}

/// Ended incarnations that are remembered of each node.
const ENDED_MOST: usize = 64;

/// A change of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The link is up.
    Up(NodeId),
    /// The link is down: the node is silent, or has begun another incarnation.
    Down(NodeId),
    /// Messages were lost, in one direction or both; the link is up.
    Reset(NodeId),
}

/// The result of receiving a batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// The changes, in order; they come before the messages of the batch.
    pub changes: Vec<Change>,
    /// Whether the messages of the batch count.
    pub counts: bool,
}

/// The link to one node.
#[derive(Debug)]
struct Link {
    /// The incarnation of the node that was heard last.
    theirs: Option<Theirs>,
    /// The incarnations before it with which the link was up, the oldest first.
    ended: VecDeque<Incarnation>,
    /// Batches to the node so far.
    sent: u64,
    /// When the last one was sent.
    sent_at: Timestamp,
    /// Whether the next beat is due at once.
    must_beat: bool,
    is_up: bool,
}

/// The state of the other node's incarnation.
#[derive(Debug, Clone, Copy)]
struct Theirs {
    incarnation: Incarnation,
    /// The number of its last batch.
    received: u64,
    /// How often we have lost its batches, or have given it up.
    resets: u64,
    /// Its own number of resets, as it said last.
    told_resets: u64,
    heard_at: Timestamp,
    /// Whether the link was up with it.
    was_up: bool,
}

/// The links of a node.
#[derive(Debug)]
pub struct Links {
    me: NodeId,
    incarnation: Incarnation,
    bounds: LinkBounds,
    /// The nodes to which links are kept.
    wanted: BTreeSet<NodeId>,
    links: BTreeMap<NodeId, Link>,
}

impl Links {
    /// Returns the links of a node that begins an incarnation.
    #[must_use]
    pub const fn new(me: NodeId, incarnation: Incarnation, bounds: LinkBounds) -> Self {
        Self {
            me,
            incarnation,
            bounds,
            wanted: BTreeSet::new(),
            links: BTreeMap::new(),
        }
    }

    /// Keeps links to these nodes up; a link to another node is up while that node wants it.
    pub fn want(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.wanted = nodes.into_iter().filter(|node| *node != self.me).collect();
        for node in &self.wanted {
            self.links.entry(*node).or_insert(Link::DOWN);
        }
    }

    /// Says whether the link to a node is up.
    #[must_use]
    pub fn is_up(&self, node: NodeId) -> bool {
        self.links.get(&node).is_some_and(|link| link.is_up)
    }

    /// Returns the nodes whose links are up.
    #[must_use]
    pub fn up(&self) -> Vec<NodeId> {
        let up = self.links.iter().filter(|(_, link)| link.is_up);
        up.map(|(node, _)| *node).collect()
    }

    /// Returns the head of the next batch to a node. The caller sends it, or the other node finds it missing.
    #[must_use]
    pub fn head(&mut self, now: Timestamp, to: NodeId) -> Head {
        let link = self.links.entry(to).or_insert(Link::DOWN);
        link.sent += 1;
        link.sent_at = now;
        link.must_beat = false;
        Head {
            from: self.me,
            incarnation: self.incarnation,
            to,
            to_incarnation: link.theirs.map(|theirs| theirs.incarnation),
            number: link.sent,
            resets: link.theirs.map_or(0, |theirs| theirs.resets),
        }
    }

    /// Takes the head of a batch that came over the bus.
    #[must_use]
    pub fn received(&mut self, now: Timestamp, head: &Head) -> Received {
        let mut received = Received::default();
        if head.to != self.me || head.from == self.me {
            return received;
        }
        let from = head.from;
        let link = self.links.entry(from).or_insert(Link::DOWN);
        let reset = match &mut link.theirs {
            Some(theirs) if theirs.incarnation == head.incarnation => {
                if head.number <= theirs.received {
                    return received;
                }
                theirs.take(now, head)
            }
            theirs => {
                let knows_me = head.to_incarnation == Some(self.incarnation);
                let is_settled = theirs.is_some_and(|theirs| theirs.was_up);
                if link.ended.contains(&head.incarnation) || is_settled && !knows_me {
                    // A new incarnation learns this one from the next beat.
                    link.must_beat |= is_settled && !link.ended.contains(&head.incarnation);
                    return received;
                }
                if let Some(before) = theirs.filter(|_| is_settled) {
                    let surplus = (link.ended.len() + 1).saturating_sub(ENDED_MOST);
                    link.ended.drain(..surplus);
                    link.ended.push_back(before.incarnation);
                }
                if std::mem::take(&mut link.is_up) {
                    received.changes.push(Change::Down(from));
                }
                link.theirs = Some(Theirs::of(now, head));
                link.must_beat = true;
                false
            }
        };
        let knows_this_incarnation = head.to_incarnation == Some(self.incarnation);
        match (link.is_up, knows_this_incarnation) {
            (true, true) if reset => received.changes.push(Change::Reset(from)),
            (true, true) => {}
            (false, true) => {
                link.is_up = true;
                received.changes.push(Change::Up(from));
            }
            (was_up, false) => {
                // It knows another incarnation of this node, or none.
                link.must_beat = true;
                link.is_up = false;
                received
                    .changes
                    .extend(was_up.then_some(Change::Down(from)));
            }
        }
        link.must_beat |= reset;
        if let Some(theirs) = &mut link.theirs {
            theirs.was_up |= link.is_up;
        }
        received.counts = link.is_up && knows_this_incarnation;
        received
    }

    /// Returns the links that are down because their nodes are silent.
    #[must_use]
    pub fn tick(&mut self, now: Timestamp) -> Vec<Change> {
        let mut changes = Vec::new();
        for (node, link) in &mut self.links {
            if let (true, Some(theirs)) = (link.is_up, &mut link.theirs)
                && now - theirs.heard_at >= self.bounds.silent_ms
            {
                theirs.resets += 1;
                link.is_up = false;
                changes.push(Change::Down(*node));
            }
        }
        changes
    }

    /// Returns the nodes to which a beat is due.
    #[must_use]
    pub fn beats(&self, now: Timestamp) -> Vec<NodeId> {
        let is_due = |node: &NodeId, link: &Link| {
            let is_kept = link.is_up || self.wanted.contains(node);
            link.must_beat || is_kept && now - link.sent_at >= self.bounds.beat_ms
        };
        let due = self.links.iter().filter(|(node, link)| is_due(node, link));
        due.map(|(node, _)| *node).collect()
    }
}

impl Link {
    /// A link to a node that was never heard.
    const DOWN: Self = Self {
        theirs: None,
        ended: VecDeque::new(),
        sent: 0,
        // A beat is due at once.
        sent_at: Timestamp(0),
        must_beat: true,
        is_up: false,
    };
}

impl Theirs {
    /// Begins with a batch of an incarnation that was not known.
    const fn of(now: Timestamp, head: &Head) -> Self {
        Self {
            incarnation: head.incarnation,
            received: head.number,
            resets: 0,
            told_resets: head.resets,
            heard_at: now,
            was_up: false,
        }
    }

    /// Takes the next batch; says whether some were lost in either direction.
    fn take(&mut self, now: Timestamp, head: &Head) -> bool {
        let is_gap = head.number > self.received + 1;
        let is_told = head.resets != self.told_resets;
        self.resets += u64::from(is_gap);
        (self.received, self.told_resets, self.heard_at) = (head.number, head.resets, now);
        is_gap || is_told
    }
}
