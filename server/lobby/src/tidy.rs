//! Seeks that end without a request: their owners are away or revoked, or their time is over.

use std::collections::BTreeSet;

use tilewire_rules::time::Timestamp;

use super::decision::{HasBlocked, LobbyBounds, Plan};
use super::invitation::Cut;
use super::machine::Lobby;
use super::open_seek::OpenSeek;

impl Lobby {
    /// Notes which owners are online, and returns the plan that closes seeks whose owner has been gone for too long.
    ///
    /// `departed` are the identities that closed their last connection themselves. If they are still offline, their
    /// seeks of live games are closed and they leave the other ones, without a wait. A seek of a game by correspondence
    /// does not need its members to be present, and neither does an invitation, which a block ends.
    pub fn tidy(
        &mut self,
        bounds: &LobbyBounds,
        now: Timestamp,
        is_online: &dyn Fn(&str) -> bool,
        has_blocked: HasBlocked<'_>,
        departed: &BTreeSet<String>,
    ) -> Plan {
        let has_left = |identity: &str| departed.contains(identity) && !is_online(identity);
        let mut plan = Plan::default();
        for open in self.seeks.all_mut().filter(|open| open.starting.is_none()) {
            if open.has_expired(now) {
                plan.remove.push(open.clone());
                continue;
            }
            match open.cut(has_blocked) {
                Some(Cut::Ended(ended)) => {
                    plan.remove.push(ended);
                    continue;
                }
                Some(Cut::Unheard(unheard)) => plan.put.push(unheard),
                None => {}
            }
            let owner = &open.seek.owner.0;
            let owner_has_left = has_left(owner);
            if is_online(owner) {
                open.orphaned_at = None;
                if open.is_live() && !departed.is_empty() {
                    let mut fewer = open.clone();
                    if fewer.remove_members(|person| has_left(&person.identity.0)) {
                        plan.put.push(fewer);
                    }
                }
                continue;
            }
            let orphaned_at = *open.orphaned_at.get_or_insert(now);
            if open.invitation.is_some() {
                continue;
            }
            let (is_withdrawn, patience) = match open.is_live() {
                true => (owner_has_left, bounds.orphan_ms),
                false => (false, bounds.correspondence_ms),
            };
            if is_withdrawn || now >= orphaned_at + patience {
                plan.remove.push(open.clone());
            }
        }
        plan
    }

    /// Returns the plan that closes the seeks of revoked identities and removes them from all others, of those that fit.
    #[must_use]
    pub fn without(&self, revoked: &BTreeSet<String>, fits: impl Fn(&OpenSeek) -> bool) -> Plan {
        let mut plan = Plan::default();
        let open = revoked.iter().flat_map(|own| self.seeks.of_member(own));
        for open in open.filter(|open| open.starting.is_none() && fits(open)) {
            if revoked.contains(&open.seek.owner.0) {
                plan.remove.push(open.clone());
            } else {
                let mut fewer = open.clone();
                fewer.remove_members(|person| revoked.contains(&person.identity.0));
                plan.put.push(fewer);
            }
        }
        plan
    }
}
