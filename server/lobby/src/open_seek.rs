//! An open seek and its members.

use std::collections::BTreeSet;

use super::criteria::Excluded;
use super::decision::{AreBlocked, Asker};
use super::invitation::Invite;
use super::rated::member;
use super::rematch::Offer;
use serde::{Deserialize, Serialize};
use tilewire_accounts::people::Ratings;
use tilewire_base::address::ClientAddress;
use tilewire_delivery::shares::ListOwner;
use tilewire_protocol::{Bytes, GameId, IdentityId, Person, Seek, SeekId};
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::Timestamp;

/// An open seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSeek {
    /// The seek as its members see it, with its code.
    pub seek: Seek,
    /// The options of the game, with every default filled in.
    pub options: GameOptions,
    /// The hashes of the members' nonces, in the order of the members; `None` for a member that announced none.
    pub nonce_hashes: Vec<Option<Bytes>>,
    /// The game that it becomes. Stored before the game is created, so that a start after a crash finishes it.
    pub starting: Option<GameId>,
    /// Whether a quick match opened it: the lobby joins it to an older equal seek as soon as that is possible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_quick: bool,
    /// The players for whom the seek does not exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// The newer seek that the lobby joined to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paired: Option<Paired>,
    /// The rematch that it offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<Box<Offer>>,
    /// The invitation that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Box<Invite>>,
    /// When its owner's last connection ended.
    #[serde(skip)]
    pub orphaned_at: Option<Timestamp>,
    /// The address of its owner, if the seek was opened since the server started.
    #[serde(skip)]
    pub from: Option<ClientAddress>,
}

/// A seek that the lobby joined to an older one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// The seek, which is closed.
    pub seek: SeekId,
    /// The place of its first member in the other one.
    pub from: usize,
}

impl OpenSeek {
    /// Returns the id under which the member at a place knows the seek.
    pub(super) fn id_for(&self, place: usize) -> &SeekId {
        let paired = self.paired.as_ref();
        let paired = paired.filter(|paired| place >= paired.from);
        paired.map_or(&self.seek.seek, |paired| &paired.seek)
    }

    /// Returns the code for spectators of the game, if the game is private.
    pub(super) fn spectators_code(&self) -> Option<&String> {
        match &self.rematch {
            Some(offer) => offer.code.as_ref(),
            None => self.seek.code.as_ref(),
        }
    }

    /// Returns whether everybody can find the seek and join it.
    pub(super) fn is_public(&self) -> bool {
        self.seek.code.is_none() && !self.is_offer()
    }

    pub(super) fn is_full(&self) -> bool {
        self.seek.members.len() >= usize::from(self.options.seats)
    }

    /// Says whether the game needs its players to be present when it begins.
    pub(super) const fn is_live(&self) -> bool {
        !self.options.clock.is_correspondence()
    }

    /// Returns the owner as fair lists count it: the widest network of its address, or the identity.
    pub(super) fn list_owner(&self) -> ListOwner {
        ListOwner::of(self.from, &self.seek.owner.0)
    }

    /// Returns the place of an identity among the members; the owner has place 0.
    pub(super) fn member(&self, identity: &str) -> Option<usize> {
        let mut members = self.seek.members.iter();
        members.position(|person| person.identity.0 == identity)
    }

    /// Returns the seek with one more member.
    pub(super) fn with_member(&self, asker: &Asker, ratings: &dyn Ratings) -> Self {
        let mut open = self.clone();
        let member = member(asker, ratings, &open.options);
        open.seek.members.push(member);
        open.nonce_hashes.push(asker.nonce_hash.clone());
        open
    }

    /// Says whether this is a public offer of a game with equal options.
    pub(super) fn offers(&self, options: &GameOptions) -> bool {
        !self.seek.private && self.starting.is_none() && self.options == *options
    }

    /// Says whether the seek does not exist for an identity that is no member: the owner excludes it, a member blocks it, or it
    /// blocks a member.
    pub(super) fn is_closed_to(&self, identity: &str, are_blocked: AreBlocked<'_>) -> bool {
        self.excludes(identity) || is_closed(&self.seek, identity, are_blocked)
    }

    /// Says whether a member blocks another one.
    pub(super) fn has_blocks(&self, are_blocked: AreBlocked<'_>) -> bool {
        !self.after_blocks(are_blocked).is_empty()
    }

    /// Returns the members that cannot play with an earlier member, as one of the two blocks the other.
    fn after_blocks(&self, are_blocked: AreBlocked<'_>) -> BTreeSet<IdentityId> {
        let mut kept: Vec<&Person> = Vec::new();
        let mut left_out = BTreeSet::new();
        for person in &self.seek.members {
            let cannot = |other: &&Person| {
                !person.bot && !other.bot && are_blocked(&other.identity.0, &person.identity.0)
            };
            if kept.iter().any(cannot) {
                left_out.insert(person.identity.clone());
            } else {
                kept.push(person);
            }
        }
        left_out
    }

    /// Removes the members that cannot play with an earlier member, before the game begins or another member joins: a
    /// player can block another one while both wait. Returns them.
    pub(super) fn remove_blocked(&mut self, are_blocked: AreBlocked<'_>) -> Vec<IdentityId> {
        let left_out = self.after_blocks(are_blocked);
        if !left_out.is_empty() {
            self.remove_members(|person| left_out.contains(&person.identity));
        }
        left_out.into_iter().collect()
    }

    /// Says whether a quick match may join an identity to this seek. A live game needs members that are online.
    pub(super) fn fits(
        &self,
        options: &GameOptions,
        identity: &str,
        is_online: &dyn Fn(&str) -> bool,
    ) -> bool {
        self.offers(options) && self.member(identity).is_none() && self.is_ready(is_online)
    }

    /// Says whether all members are present that the game needs at its beginning.
    pub(super) fn is_ready(&self, is_online: &dyn Fn(&str) -> bool) -> bool {
        let is_here = |person: &Person| person.bot || is_online(&person.identity.0);
        !self.is_live() || self.seek.members.iter().all(is_here)
    }

    /// Removes the members that `have_left`, but not the owner; returns whether there were any.
    pub(super) fn remove_members(&mut self, have_left: impl Fn(&Person) -> bool) -> bool {
        let before = self.seek.members.len();
        let owner = self.seek.owner.clone();
        let members = std::mem::take(&mut self.seek.members).into_iter();
        let members = members.zip(std::mem::take(&mut self.nonce_hashes));
        (self.seek.members, self.nonce_hashes) = members
            .filter(|(person, _)| person.identity == owner || !have_left(person))
            .unzip();
        self.seek.members.len() < before
    }

    /// Removes the absent members of a live game, before the game begins or another member joins.
    pub(super) fn remove_absent(&mut self, is_online: &dyn Fn(&str) -> bool) {
        if self.is_live() {
            self.remove_members(|person| !person.bot && !is_online(&person.identity.0));
        }
    }
}

/// Says whether a member of a seek blocks an identity that is no member, or is blocked by it.
pub(super) fn is_closed(seek: &Seek, identity: &str, are_blocked: AreBlocked<'_>) -> bool {
    let is_own = |person: &Person| person.identity.0 == identity;
    let blocks = |person: &Person| !person.bot && are_blocked(&person.identity.0, identity);
    seek.members.iter().any(blocks) && !seek.members.iter().any(is_own)
}
