//! Pairs of seeks that stand side by side because a member of the older one was away when the newer one was opened, or
//! because of a block.
//!
//! A quick match passes over a seek with an absent member and opens a seek of its own. When the member is back, neither
//! of the two would ever find the other: both owners have looked already. So the lobby makes one game of them. The same
//! happens when a block ends.

use std::collections::BTreeSet;

use tilewire_protocol::{GameId, SeekId};
use tilewire_rules::options::GameOptions;

use super::decision::{AreBlocked, Asker, Plan};
use super::game_start::NoGame;
use super::machine::Lobby;
use super::open_seek::{OpenSeek, Paired};
use super::rated;
use super::task::{LobbyTask, change};
use crate::people::Ratings;

/// The equal seeks that a quick match remembers to have passed over.
pub(super) const PASSED_OVER: usize = 8;

/// Two seeks that become one game.
#[derive(Debug)]
pub(super) struct Pair {
    /// The older seek, as it was.
    pub(super) older: OpenSeek,
    /// The newer seek, as it was: a quick match that passed over the older one.
    pub(super) newer: OpenSeek,
}

impl Lobby {
    /// Returns the seeks that a client could join by a quick match if all their members were present and nobody blocked
    /// another, the oldest first.
    pub(super) fn equal_to(
        &self,
        options: &GameOptions,
        asker: &Asker,
        ratings: &dyn Ratings,
    ) -> Vec<SeekId> {
        let equal = self.seeks().filter(|open| {
            open.offers(options)
                && open.member(&asker.identity).is_none()
                && rated::check_members(&open.with_member(asker, ratings)).is_ok()
        });
        equal
            .map(|open| open.seek.seek.clone())
            .take(PASSED_OVER)
            .collect()
    }

    /// Returns the first two seeks that can become one game now: one passed over the other, their members are different
    /// and present, none blocks another, and together they take all seats. `tried` are newer seeks that are left out.
    pub(super) fn pair(
        &self,
        is_online: &dyn Fn(&str) -> bool,
        are_blocked: AreBlocked<'_>,
        tried: &BTreeSet<SeekId>,
    ) -> Option<Pair> {
        let newer = self.seeks().filter(|open| !open.passed_over.is_empty());
        newer
            .filter(|newer| !tried.contains(&newer.seek.seek))
            .filter(|newer| newer.starting.is_none() && newer.is_ready(is_online))
            .find_map(|newer| {
                let passed_over = newer.passed_over.iter().filter_map(|seek| self.get(seek));
                let fits = |older: &&OpenSeek| {
                    older.fits_with(newer, is_online)
                        && !older.joined_by(newer).has_blocks(are_blocked)
                };
                let older = passed_over.into_iter().find(fits)?;
                Some(Pair {
                    older: older.clone(),
                    newer: newer.clone(),
                })
            })
    }
}

impl OpenSeek {
    fn fits_with(&self, newer: &Self, is_online: &dyn Fn(&str) -> bool) -> bool {
        let seats = self.seek.members.len() + newer.seek.members.len();
        let mut others = newer.seek.members.iter();
        seats == usize::from(self.options.seats)
            && others.all(|person| self.fits(&newer.options, &person.identity.0, is_online))
            && rated::check_members(&self.joined_by(newer)).is_ok()
    }

    /// Returns the seek with the members of another one.
    fn joined_by(&self, newer: &Self) -> Self {
        let mut open = self.clone();
        open.paired = Some(Paired {
            seek: newer.seek.seek.clone(),
            from: open.seek.members.len(),
        });
        open.seek.members.extend(newer.seek.members.iter().cloned());
        open.nonce_hashes.extend(newer.nonce_hashes.iter().cloned());
        open
    }
}

impl Pair {
    /// Returns the plan that makes one game of both.
    pub(super) fn plan(&self, game: GameId) -> Plan {
        let mut open = self.older.joined_by(&self.newer);
        open.starting = Some(game);
        Plan {
            start: Some(open),
            remove: vec![self.newer.clone()],
            ..Plan::default()
        }
    }

    /// Returns the plan that undoes it.
    fn undone(self) -> Plan {
        Plan {
            put: vec![self.older, self.newer],
            ..Plan::default()
        }
    }
}

impl LobbyTask {
    /// Makes games of all pairs. What fails is tried again at the next look.
    pub(super) async fn make_pairs(&mut self) {
        let mut tried = BTreeSet::new();
        while self.services.overload.level().begins_games() && !self.is_outcome_unknown {
            let presence = &self.services.presence;
            let is_online = |identity: &str| presence.is_online(identity);
            let blocks = &self.services.blocks;
            let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
            let Some(pair) = self.lobby.pair(&is_online, &are_blocked, &tried) else {
                return;
            };
            tried.insert(pair.newer.seek.seek.clone());
            self.make_pair(pair).await;
        }
    }

    async fn make_pair(&mut self, pair: Pair) {
        let (owner, now) = (&pair.newer.seek.owner.0, self.services.clock.now());
        if self.game_starts.begin(owner, pair.newer.from, now).is_err() {
            return;
        }
        let plan = pair.plan(self.services.ids.game_id());
        if self.store(change([&plan], Vec::new())).await.is_err() {
            return;
        }
        // The clients hear of it when the game exists.
        self.lobby.adopt(&plan);
        let Some(open) = plan.start else { return };
        match self.make_game(&open).await {
            Ok(()) => self.game_began(&open),
            Err(NoGame::Perhaps(_)) => {} // Creating it again at the next look tells.
            Err(NoGame::For(_)) => {
                let back = pair.undone();
                if self.store(change([&back], Vec::new())).await.is_ok() {
                    self.lobby.adopt(&back);
                }
            }
        }
    }
}
