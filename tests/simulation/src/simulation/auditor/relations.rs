//! Relations between players: nothing comes through a block, the end of a block gives everything back, only friends share a
//! direct room, and nobody can tell a block from something else.
//!
//! The outcome of an unanswered request is unknown: then neither the block nor its absence is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use tilewire_accounts::people::Failure;
use tilewire_people::relations::Act;
use tilewire_protocol::{ErrorBody, ErrorCode};
use tilewire_rules::event::Created;
use tilewire_store::RelationStore as _;

use super::Auditor;
use super::moment::Moment;
use crate::simulation::disk::Durable;
use crate::simulation::durable::at_once;
use crate::simulation::members::AccountAnswer;

/// How long a game may take from the decision of the lobby until it is stored, ms: the disk can fail many times.
const DECIDED_MS: i64 = 100_000;

/// A player who does something about another one, and the other one.
type Pair = (String, String);

/// The auditor's model of relations, by identity.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// The identities of the players with accounts from before, by handle.
    identities: BTreeMap<String, String>,
    blocks: BTreeMap<Pair, Block>,
    /// The follows that may have an effect.
    follows: BTreeSet<Pair>,
    /// Since when two players are no friends for certain; the smaller identity first.
    strangers: BTreeMap<Pair, Moment>,
    /// Requests without an answer, and the block before each.
    open: BTreeMap<u64, (Pair, Act, Block)>,
    /// The first refusal of each kind that may hide a block.
    words: Vec<ErrorBody>,
    pub(super) blocked: u64,
    pub(super) unblocked: u64,
}

/// Whether a player blocks another one, and since when that is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    is_set: Option<bool>,
    since: Moment,
}

impl Relations {
    /// A player exists.
    pub(super) fn exists(&mut self, identity: &str, handle: &str) {
        self.identities
            .insert(handle.to_owned(), identity.to_owned());
    }

    /// Returns the identity of a player with an account from before.
    pub(super) fn identity_of(&self, handle: &str) -> Option<&String> {
        self.identities.get(handle)
    }

    /// A server starts: open requests get no answers, and it has read what is certain.
    pub(super) fn restarted(&mut self, latest: i64) {
        self.open.clear();
        for block in self.blocks.values_mut() {
            block.since.latest = latest;
        }
    }

    fn block(&self, pair: &Pair) -> Block {
        let known = self.blocks.get(pair).copied();
        known.unwrap_or(Block {
            is_set: Some(false),
            since: Moment::START,
        })
    }

    /// Returns the blocks of two players, in both directions.
    fn between(&self, one: &str, other: &str) -> [Block; 2] {
        let pair = (one.to_owned(), other.to_owned());
        let back = (other.to_owned(), one.to_owned());
        [self.block(&pair), self.block(&back)]
    }

    /// Returns since when a block stands between two players for certain.
    pub(super) fn blocked_since(&self, one: &str, other: &str) -> Option<Moment> {
        if self.blocks.is_empty() {
            return None;
        }
        let blocks = self.between(one, other).into_iter();
        let set = blocks.filter(|block| block.is_set == Some(true));
        set.map(|block| block.since).min_by_key(|since| since.step)
    }

    /// Returns since when no block stands between two players for certain.
    fn free_since(&self, one: &str, other: &str) -> Option<Moment> {
        let blocks = self.between(one, other);
        let is_free = blocks.iter().all(|block| block.is_set == Some(false));
        let since = blocks.iter().map(|block| block.since);
        since.max_by_key(|since| since.step).filter(|_| is_free)
    }

    /// An act is stored.
    fn done(&mut self, pair: &Pair, act: Act, before: Block, moment: Moment) {
        let back = (pair.1.clone(), pair.0.clone());
        let is_set = match act {
            Act::Block => true,
            Act::Unblock => false,
            Act::Unfollow => {
                self.follows.remove(pair);
                return;
            }
            Act::Follow => return,
        };
        if is_set {
            self.follows.remove(pair);
            // One that is on its way can come after the end of this block.
            let mut open = self.open.values();
            if !open.any(|(pair, act, _)| *act == Act::Follow && *pair == back) {
                self.follows.remove(&back);
            }
        }
        if before.is_set == Some(is_set) {
            return;
        }
        let block = Block {
            is_set: Some(is_set),
            since: moment,
        };
        self.blocks.insert(pair.clone(), block);
        match is_set {
            true => self.blocked += 1,
            false => self.unblocked += 1,
        }
    }

    /// Notes whether two players may be friends.
    fn note(&mut self, (one, other): &Pair, moment: Moment) {
        let pair = (one.clone(), other.clone());
        let back = (other.clone(), one.clone());
        let may_be = self.follows.contains(&pair)
            && self.follows.contains(&back)
            && self.blocked_since(one, other).is_none();
        let key = if pair < back { pair } else { back };
        let since = self.strangers.entry(key).or_insert(Moment::START);
        if may_be {
            *since = Moment::NEVER;
        } else if *since == Moment::NEVER {
            *since = moment;
        }
    }
}

impl Auditor {
    /// A player asks for a change of a relation.
    pub(super) fn asks_to_relate(&mut self, number: u64, identity: &str, act: Act, handle: &str) {
        let moment = self.moment();
        let relations = &mut self.relations;
        let Some(other) = relations.identity_of(handle) else {
            return;
        };
        let pair = (identity.to_owned(), other.clone());
        let before = relations.block(&pair);
        let changes_to = match act {
            Act::Block => Some(true),
            Act::Unblock => Some(false),
            Act::Follow | Act::Unfollow => None,
        };
        if changes_to.is_some() && changes_to != before.is_set {
            let unsure = Block {
                is_set: None,
                since: moment,
            };
            relations.blocks.insert(pair.clone(), unsure);
        }
        if act == Act::Follow {
            relations.follows.insert(pair.clone());
        }
        relations.note(&pair, moment);
        relations.open.insert(number, (pair, act, before));
    }

    /// The server has answered a request; returns whether it was one about a relation.
    pub(super) fn relation_told(&mut self, number: u64, told: &AccountAnswer) -> bool {
        let Some((pair, act, before)) = self.relations.open.remove(&number) else {
            return false;
        };
        let moment = self.moment();
        let relations = &mut self.relations;
        match told {
            Ok(_) => relations.done(&pair, act, before, moment),
            Err(Failure::Storage | Failure::Busy) => {}
            Err(_) => {
                relations.blocks.insert(pair.clone(), before);
            }
        }
        relations.note(&pair, moment);
        true
    }

    /// Something that began with a request concerns two players together.
    ///
    /// # Panics
    /// When a block stood between them before the request came.
    pub(super) fn check_not_blocked(
        &self,
        one: &str,
        other: &str,
        asked: Moment,
        what: impl Debug,
    ) {
        let since = self.relations.blocked_since(one, other);
        assert!(
            since.is_none_or(|since| !since.is_before(asked)),
            "a block stood between {one} and {other}: {what:?}"
        );
    }

    /// The server did something at a time that concerns two players together.
    ///
    /// # Panics
    /// When a block stood between them before.
    pub(super) fn check_not_blocked_at(&self, one: &str, other: &str, at: i64, what: impl Debug) {
        let since = self.relations.blocked_since(one, other);
        assert!(
            since.is_none_or(|since| !since.is_before_time(at)),
            "a block stood between {one} and {other} at {at}: {what:?}"
        );
    }

    /// A game of two was created. However it began, the lobby has decided it not long ago.
    ///
    /// # Panics
    /// When a block has stood between the players for longer.
    pub(super) fn check_pair(&self, created: &Created) {
        let [one, other] = created.players.as_slice() else {
            return;
        };
        let since = self.relations.blocked_since(&one.identity, &other.identity);
        let Some(since) = since else { return };
        let begun_by = since.latest.max(self.ready_at).saturating_add(DECIDED_MS);
        assert!(self.now <= begun_by, "a block stands between {created:?}");
    }

    /// Says whether no block has stood between two players since before a time.
    ///
    /// Returns `Some(false)` when one stands now, and `None` when nobody knows.
    pub(super) fn is_free_since(&self, one: &str, other: &str, at: i64) -> Option<bool> {
        let relations = &self.relations;
        if relations.blocked_since(one, other).is_some() {
            return Some(false);
        }
        let since = relations.free_since(one, other)?;
        since.is_before_time(at).then_some(true)
    }

    /// Something happens in the direct room of two players.
    ///
    /// # Panics
    /// When they were no friends before the request for it came.
    pub(super) fn check_friends(&self, one: &str, other: &str, asked: Moment, what: impl Debug) {
        let (one, other) = (one.to_owned(), other.to_owned());
        let key = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        let since = self.relations.strangers.get(&key);
        let since = since.copied().unwrap_or(Moment::START);
        assert!(!since.is_before(asked), "{key:?} are no friends: {what:?}");
    }

    /// A refusal that may hide a block says the same as every other one.
    ///
    /// # Panics
    /// When it does not.
    pub(super) fn check_words(&mut self, error: &ErrorBody) {
        let may_hide = matches!(
            error.code,
            ErrorCode::UnknownSeek
                | ErrorCode::WrongCode
                | ErrorCode::UnknownInvitation
                | ErrorCode::RematchTooLate
                | ErrorCode::NoRematch
                | ErrorCode::NoSuchRoom
        );
        if !may_hide {
            return;
        }
        let words = &mut self.relations.words;
        match words.iter().find(|known| known.code == error.code) {
            Some(known) => assert_eq!(known, error, "a client can tell why it is refused"),
            None => words.push(error.clone()),
        }
    }

    /// Checks that the disk has every relation that is certain.
    ///
    /// # Panics
    /// When it has not.
    pub fn check_relations(&self, durable: &Durable) {
        let relation = |one: &str, other: &str| {
            let found = at_once(durable.stores.relation(one, other));
            found.expect("in memory")
        };
        for ((one, other), block) in &self.relations.blocks {
            let is_set = relation(one, other).is_blocked;
            let is_so = block.is_set.is_none_or(|certain| certain == is_set);
            assert!(is_so, "{one} and {other}: {block:?}, stored: {is_set}");
        }
        for ((one, other), since) in &self.relations.strangers {
            let are_friends = relation(one, other).is_friend;
            let may_be = *since == Moment::NEVER;
            assert!(may_be || !are_friends, "{one} and {other} are friends");
        }
    }
}
