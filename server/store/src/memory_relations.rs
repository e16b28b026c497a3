//! Relations in memory, beside the accounts of [`MemoryAccounts`].

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use tilewire_people::relations::{Act, Refusal, Relation, Standing};
use tilewire_rules::time::Timestamp;

use super::memory_accounts::{MemoryAccounts, State, now};
use super::{Related, RelationChange, RelationError, RelationStore, Relations, StoreError};

/// Follows and blocks by the player who acts and the other one.
#[derive(Debug, Default)]
pub(super) struct MemoryRelations {
    follows: BTreeMap<(String, String), Follow>,
    blocks: BTreeMap<(String, String), Timestamp>,
}

#[derive(Debug)]
struct Follow {
    since: Timestamp,
    /// Whether a block has ended it.
    has_ended: bool,
}

impl MemoryRelations {
    fn standing(&self, identity: &str, pair: &(String, String)) -> Standing {
        let is_own = |(own, _): &&(String, String)| own == identity;
        Standing {
            is_followed: self.follows.contains_key(pair),
            is_blocked: self.blocks.contains_key(pair),
            followed: self.follows.keys().filter(is_own).count(),
            blocked: self.blocks.keys().filter(is_own).count(),
        }
    }

    fn relate(&mut self, change: RelationChange) -> Result<(), Refusal> {
        let RelationChange {
            identity,
            other,
            act,
            at,
        } = change;
        let pair = (identity.clone(), other.clone());
        act.check(&self.standing(&identity, &pair))?;
        let back = (other, identity);
        match act {
            Act::Follow => {
                let has_ended = self.blocks.contains_key(&back);
                let follow = Follow {
                    since: at,
                    has_ended,
                };
                self.follows.entry(pair).or_insert(follow).has_ended = has_ended;
            }
            Act::Unfollow => {
                self.follows.remove(&pair);
            }
            Act::Block => {
                self.follows.remove(&pair);
                if let Some(follow) = self.follows.get_mut(&back) {
                    follow.has_ended = true;
                }
                self.blocks.entry(pair).or_insert(at);
            }
            Act::Unblock => {
                self.blocks.remove(&pair);
            }
        }
        Ok(())
    }

    fn relation(&self, identity: &str, other: &str) -> Relation {
        let pair = (identity.to_owned(), other.to_owned());
        let back = (other.to_owned(), identity.to_owned());
        let has_effect = |pair| {
            let follow = self.follows.get(pair);
            follow.is_some_and(|follow| !follow.has_ended)
        };
        Relation {
            is_followed: self.follows.contains_key(&pair),
            is_friend: has_effect(&pair) && has_effect(&back),
            is_blocked: self.blocks.contains_key(&pair),
        }
    }
}

impl State {
    fn related(&self, identity: &str, other: &str, since: Timestamp) -> Option<Related> {
        let account = &self.accounts.get(other)?.account;
        let registration = account.registration.as_ref()?;
        Some(Related {
            identity: other.to_owned(),
            handle: registration.handle.to_string(),
            is_bot: registration.is_bot,
            since,
            is_friend: self.relations.relation(identity, other).is_friend,
        })
    }

    fn list<'a>(
        &self,
        identity: &str,
        pairs: impl Iterator<Item = (&'a (String, String), Timestamp)>,
    ) -> Vec<Related> {
        let own = pairs.filter(|((own, _), _)| own == identity);
        let related = own.filter_map(|((_, other), since)| self.related(identity, other, since));
        let mut related: Vec<Related> = related.collect();
        related.sort_by_key(|related| related.since);
        related
    }
}

impl RelationStore for MemoryAccounts {
    fn relations<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Relations, StoreError>> {
        let state = self.state();
        let follows = state.relations.follows.iter();
        let blocks = state.relations.blocks.iter();
        let relations = Relations {
            followed: state.list(identity, follows.map(|(pair, follow)| (pair, follow.since))),
            blocked: state.list(identity, blocks.map(|(pair, since)| (pair, *since))),
        };
        drop(state);
        now(Ok(relations))
    }

    fn relation<'a>(
        &'a self,
        identity: &'a str,
        other: &'a str,
    ) -> BoxFuture<'a, Result<Relation, StoreError>> {
        now(Ok(self.state().relations.relation(identity, other)))
    }

    fn blocks(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        now(Ok(self.state().relations.blocks.keys().cloned().collect()))
    }

    fn follows(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        let state = self.state();
        let follows = state.relations.follows.iter();
        let follows = follows.filter(|(_, follow)| !follow.has_ended);
        let pairs = follows.map(|(pair, _)| pair.clone()).collect();
        drop(state);
        now(Ok(pairs))
    }

    fn relate(&self, change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>> {
        let related = self.state().relations.relate(change);
        now(related.map_err(RelationError::from))
    }
}
