//! Pairs of seeks that stand side by side because they could not become one game when the newer one was opened.
//!
//! A quick match passes over a seek with an absent member, beyond a block, whose criteria it does not meet, or outside its
//! rating range, and opens a seek of its own. When the reason is gone, neither of the two would ever find the other: both
//! owners have looked already. So the lobby makes one game of them. It looks once a second, and whenever a rating range
//! becomes wider.

use std::collections::BTreeSet;
use std::time::Duration;

use tilewire_protocol::{GameId, SeekId};
use tilewire_rules::time::Timestamp;

use super::criteria::Facts;
use super::decision::{AreBlocked, Plan};
use super::game_start::NoGame;
use super::machine::Lobby;
use super::open_seek::{OpenSeek, Paired};
use super::rated;
use super::task::{LobbyTask, change};

/// Two seeks that become one game.
#[derive(Debug)]
pub(super) struct Pair {
    /// The older seek, as it was.
    pub(super) older: OpenSeek,
    /// The newer seek, as it was: a quick match.
    pub(super) newer: OpenSeek,
}

impl Lobby {
    /// Returns the first two seeks that can become one game now: the newer one is a quick match, their members are different
    /// and present, none blocks another, each seek admits the members of the other, and together they take all seats. A
    /// newer seek takes the oldest that fits. `tried` are newer seeks that are left out.
    pub(super) fn pair(
        &self,
        is_online: &dyn Fn(&str) -> bool,
        are_blocked: AreBlocked<'_>,
        facts: &Facts<'_>,
        tried: &BTreeSet<SeekId>,
    ) -> Option<Pair> {
        let newer = self.seeks().filter(|open| open.is_quick);
        newer
            .filter(|newer| !tried.contains(&newer.seek.seek))
            .filter(|newer| newer.starting.is_none() && newer.is_ready(is_online))
            .find_map(|newer| {
                let older = self.equal_to(&newer.options);
                let mut older = older.take_while(|older| older.seek.seek != newer.seek.seek);
                let older = older.find(|older| {
                    older.fits_with(newer, is_online, facts)
                        && !older.joined_by(newer).has_blocks(are_blocked)
                })?;
                Some(Pair {
                    older: older.clone(),
                    newer: newer.clone(),
                })
            })
    }
}

impl OpenSeek {
    fn fits_with(&self, newer: &Self, is_online: &dyn Fn(&str) -> bool, facts: &Facts<'_>) -> bool {
        let seats = self.seek.members.len() + newer.seek.members.len();
        let mut others = newer.seek.members.iter();
        seats == usize::from(self.options.seats)
            && others.all(|person| self.fits(&newer.options, &person.identity.0, is_online))
            && rated::check_members(&self.joined_by(newer)).is_ok()
            && self.admits(newer, facts)
            && newer.admits(self, facts)
            && self.unfit_members(facts).is_empty()
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
    /// Makes games of pairs if a rating range has become wider since the last look.
    pub(super) async fn make_widened_pairs(&mut self) {
        let now = self.services.clock.now();
        let widened_at = self.lobby.widens_at(self.paired_at);
        if widened_at.is_some_and(|at| at <= now) {
            self.make_pairs().await;
        }
    }

    /// Returns how long it takes until a rating range becomes wider; `None` if none does.
    pub(super) fn until_widened(&self) -> Option<Duration> {
        let widens_at = self.lobby.widens_at(self.paired_at)?;
        Some((widens_at - self.services.clock.now()).to_duration())
    }

    /// Makes games of all pairs. What fails is tried again at the next look.
    pub(super) async fn make_pairs(&mut self) {
        let now = self.services.clock.now();
        self.paired_at = now;
        let mut tried = BTreeSet::new();
        let is_open = self.services.drain.closed().is_none();
        while is_open && self.services.overload.level().begins_games() && !self.is_outcome_unknown {
            let Some(pair) = self.find_pair(now, &tried) else {
                return;
            };
            tried.insert(pair.newer.seek.seek.clone());
            self.make_pair(pair).await;
        }
    }

    fn find_pair(&self, now: Timestamp, tried: &BTreeSet<SeekId>) -> Option<Pair> {
        let (presence, blocks) = (&self.services.presence, &self.services.blocks);
        let is_online = |identity: &str| presence.is_online(identity);
        let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
        let facts = Facts {
            now,
            follows: &|one, other| blocks.follows(one, other),
            ratings: &*self.services.ratings,
        };
        self.lobby.pair(&is_online, &are_blocked, &facts, tried)
    }

    async fn make_pair(&mut self, pair: Pair) {
        let (owner, now) = (&pair.newer.seek.owner.0, self.services.clock.now());
        if self.game_starts.begin(owner, pair.newer.from, now).is_err() {
            return;
        }
        let plan = pair.plan(self.services.directory.new_id());
        if self.store(change([&plan], Vec::new())).await.is_err() {
            return;
        }
        // The clients learn of the pair when the game exists.
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
