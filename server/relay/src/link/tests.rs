//! Tests of the links: two nodes over a bus that keeps the order and loses batches.

use std::collections::VecDeque;

use tilewire_rules::stream::{Seed, Stream};

use super::*;

const BOUNDS: LinkBounds = LinkBounds {
    beat_ms: Millis(500),
    silent_ms: Millis(2_000),
};
const NODES: [NodeId; 2] = [NodeId(1), NodeId(2)];

/// Two nodes, and the batches on their way.
struct Pair {
    now: Timestamp,
    links: [Links; 2],
    /// The heads that each node has sent, with the number of a message if the batch has one.
    sent: [VecDeque<(Head, Option<u64>)>; 2],
    /// The items that each node has received: changes, and the numbers of messages that count.
    heard: [Vec<Heard>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Change(Change),
    Message(u64),
}

impl Pair {
    fn new() -> Self {
        let mut pair = Self {
            now: Timestamp(1_000_000),
            links: [0, 1].map(|node: usize| Self::begun(node, 7)),
            sent: [VecDeque::new(), VecDeque::new()],
            heard: [Vec::new(), Vec::new()],
        };
        pair.run(Millis(1_000));
        pair
    }

    fn begun(node: usize, incarnation: i64) -> Links {
        let mut links = Links::new(NODES[node], Incarnation(incarnation), BOUNDS);
        links.want([NODES[1 - node]]);
        links
    }

    /// Starts a node again.
    fn restart(&mut self, node: usize, incarnation: i64) {
        self.links[node] = Self::begun(node, incarnation);
    }

    fn send(&mut self, node: usize, message: Option<u64>) {
        let head = self.links[node].head(self.now, NODES[1 - node]);
        self.sent[node].push_back((head, message));
    }

    /// Delivers the next batch of a node, or loses it.
    fn deliver(&mut self, from: usize, is_lost: bool) {
        let Some((head, message)) = self.sent[from].pop_front() else {
            return;
        };
        if is_lost {
            return;
        }
        let to = 1 - from;
        let received = self.links[to].received(self.now, &head);
        let changes = received.changes.into_iter().map(Heard::Change);
        self.heard[to].extend(changes);
        let counts = message.filter(|_| received.counts);
        self.heard[to].extend(counts.map(Heard::Message));
    }

    fn tick(&mut self, node: usize) {
        let changes = self.links[node].tick(self.now);
        self.heard[node].extend(changes.into_iter().map(Heard::Change));
        for _ in self.links[node].beats(self.now) {
            self.send(node, None);
        }
    }

    /// Lets time pass, with a bus that loses nothing.
    fn run(&mut self, ms: Millis) {
        let end = self.now + ms;
        while self.now < end {
            for node in [0, 1] {
                self.tick(node);
                while !self.sent[node].is_empty() {
                    self.deliver(node, false);
                }
            }
            self.now += Millis(100);
        }
    }

    fn take(&mut self, node: usize) -> Vec<Heard> {
        std::mem::take(&mut self.heard[node])
    }
}

fn up(node: usize) -> Heard {
    Heard::Change(Change::Up(NODES[node]))
}

fn down(node: usize) -> Heard {
    Heard::Change(Change::Down(NODES[node]))
}

fn reset(node: usize) -> Heard {
    Heard::Change(Change::Reset(NODES[node]))
}

#[test]
fn two_nodes_come_up_once() {
    let mut pair = Pair::new();
    assert_eq!(pair.take(0), [up(1)]);
    assert_eq!(pair.take(1), [up(0)]);
    pair.run(Millis(20_000));
    assert_eq!((pair.take(0), pair.take(1)), (vec![], vec![]));
}

#[test]
fn both_nodes_hear_of_a_lost_batch() {
    let mut pair = Pair::new();
    pair.heard = [Vec::new(), Vec::new()];
    for (message, is_lost) in [(1, false), (2, true)] {
        pair.send(0, Some(message));
        pair.deliver(0, is_lost);
    }
    assert_eq!(pair.take(1), [Heard::Message(1)]);
    // Nothing more is said: the next beat shows the gap.
    pair.run(Millis(600));
    assert_eq!(pair.take(1), [reset(0)]);
    assert_eq!(pair.take(0), [reset(1)]);
    pair.send(0, Some(3));
    pair.run(Millis(100));
    assert_eq!(pair.take(1), [Heard::Message(3)]);
}

#[test]
fn a_repeated_batch_counts_once() {
    let mut pair = Pair::new();
    pair.take(1);
    pair.send(0, Some(1));
    let again = pair.sent[0][0];
    pair.sent[0].push_back(again);
    pair.run(Millis(100));
    assert_eq!(pair.take(1), [Heard::Message(1)]);
}

#[test]
fn another_incarnation_ends_the_one_before() {
    let mut pair = Pair::new();
    pair.heard = [Vec::new(), Vec::new()];
    pair.send(1, Some(1)); // for the incarnation that ends
    pair.restart(0, 8);
    pair.run(Millis(1_000));
    assert_eq!(
        pair.take(0),
        [up(1)],
        "the message was for another incarnation"
    );
    assert_eq!(pair.take(1), [down(0), up(0)]);
}

/// The bus, or whoever can write to it, brings batches of earlier lives again, of the beginning and of the time when the link was
/// up. Nothing is read twice, and the link stays up.
#[test]
fn batches_of_earlier_lives_change_nothing() {
    let mut pair = Pair::new();
    pair.send(0, Some(1));
    let mut earlier = vec![pair.sent[0][0]];
    pair.run(Millis(100));
    for life in 8..12 {
        pair.restart(0, life);
        let first = pair.links[0].head(pair.now, NODES[1]);
        assert_eq!(first.to_incarnation, None);
        earlier.push((first, Some(1)));
        pair.run(Millis(1_000));
        pair.send(0, Some(1));
        earlier.push(pair.sent[0][0]);
        pair.run(Millis(100));
    }
    assert!(pair.links[1].is_up(NODES[0]));
    pair.heard = [Vec::new(), Vec::new()];
    let is_old = |(head, _): &(Head, _)| head.incarnation != Incarnation(11);
    earlier.retain(is_old);
    for _ in 0..3 {
        for again in earlier.clone() {
            pair.sent[0].push_back(again);
            pair.run(Millis(300));
        }
    }
    assert_eq!((pair.take(0), pair.take(1)), (vec![], vec![]));
    pair.send(0, Some(2));
    pair.run(Millis(100));
    assert_eq!(pair.take(1), [Heard::Message(2)]);
}

#[test]
fn a_node_that_was_given_up_hears_of_it() {
    let mut pair = Pair::new();
    pair.heard = [Vec::new(), Vec::new()];
    // Node 0 hears nothing for a while; node 1 hears it all the time.
    for _ in 0..25 {
        for node in [0, 1] {
            pair.tick(node);
            while !pair.sent[node].is_empty() {
                pair.deliver(node, node == 1);
            }
        }
        pair.now += Millis(100);
    }
    assert_eq!(pair.take(0), [down(1)]);
    pair.take(1);
    pair.run(Millis(1_000));
    assert_eq!(pair.take(0)[0], up(1));
    assert!(pair.take(1).contains(&reset(0)), "it was forgotten");
}

#[test]
fn batches_for_others_and_of_nobody_known_are_left_alone() {
    let mut pair = Pair::new();
    pair.heard = [Vec::new(), Vec::new()];
    let head = pair.links[0].head(pair.now, NODES[1]);
    for wrong in [
        Head {
            to: NodeId(9),
            ..head
        },
        Head {
            from: NODES[1],
            ..head
        },
    ] {
        assert_eq!(
            pair.links[1].received(pair.now, &wrong),
            Received::default()
        );
    }
    // A node that nobody wants gets an answer, and no beats.
    let stranger = Head {
        from: NodeId(5),
        to_incarnation: None,
        number: 1,
        ..head
    };
    let received = pair.links[1].received(pair.now, &stranger);
    assert_eq!(received, Received::default());
    assert!(pair.links[1].beats(pair.now).contains(&NodeId(5)));
    let answer = pair.links[1].head(pair.now, NodeId(5));
    assert_eq!(answer.to_incarnation, Some(Incarnation(7)));
    let later = pair.now + Millis(60_000);
    assert!(!pair.links[1].beats(later).contains(&NodeId(5)));
}

/// A message that counts is received in order. After a lost message the sender learns of a change.
#[test]
fn no_loss_stays_unknown_to_the_sender() {
    for seed in 0..300 {
        check_losses(seed);
    }
}

fn check_losses(seed: u64) {
    let mut random: Stream = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("links");
    let mut chance = |percent: u32| random.uniform(100) < percent;
    let mut pair = Pair::new();
    pair.heard = [Vec::new(), Vec::new()];
    // The messages of each node since the last change that it heard.
    let mut open: [Vec<u64>; 2] = Default::default();
    let mut received: [Vec<u64>; 2] = Default::default();
    let mut next = 0;
    for step in 0..600 {
        for node in [0, 1] {
            let is_up = pair.links[node].is_up(NODES[1 - node]);
            if is_up && chance(30) {
                next += 1;
                pair.send(node, Some(next));
                open[node].push(next);
            }
            if chance(1) {
                pair.restart(node, 100 + step);
                pair.heard[node].push(down(1 - node));
            }
            // Sometimes nothing comes through for a while.
            let is_cut = step % 100 > 85 && seed.is_multiple_of(3);
            pair.tick(node);
            while chance(70) && !pair.sent[node].is_empty() {
                pair.deliver(node, is_cut || chance(3));
            }
        }
        pair.now += Millis(100);
        note(&mut pair, &mut open, &mut received);
    }
    pair.run(Millis(5_000));
    note(&mut pair, &mut open, &mut received);
    for node in [0, 1] {
        assert!(received[1 - node].is_sorted(), "seed {seed}");
        let lost: Vec<&u64> = open[node]
            .iter()
            .filter(|message| !received[1 - node].contains(message))
            .collect();
        assert!(lost.is_empty(), "seed {seed}: node {node} lost {lost:?}");
        assert!(pair.links[node].is_up(NODES[1 - node]), "seed {seed}");
    }
}

/// Takes what the nodes have heard. A change closes the account of what its node had sent.
fn note(pair: &mut Pair, open: &mut [Vec<u64>; 2], received: &mut [Vec<u64>; 2]) {
    for node in [0, 1] {
        for heard in pair.take(node) {
            match heard {
                Heard::Change(_) => open[node].clear(),
                Heard::Message(message) => received[node].push(message),
            }
        }
    }
}
