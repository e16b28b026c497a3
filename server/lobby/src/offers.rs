//! Offers to certain players, rematches and invitations: seeks that no list has. The lobby tells their players of them.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::{GameId, Invitation, RematchChanged, SeekId, ServerMessage};
use tilewire_rules::time::Timestamp;

use super::decision::AreBlocked;
use super::open_seek::OpenSeek;
use super::services::Services;
use super::task::LobbyTask;
use tilewire_delivery::outbound::{Peer, PeerId};

/// The connections that know of each open offer: a player who comes back is told again.
#[derive(Debug, Default)]
pub(super) struct NotifiedOffers(BTreeMap<SeekId, BTreeSet<PeerId>>);

impl OpenSeek {
    /// Says whether this is an offer to certain players: no list has it, and the requests for seeks do not know it.
    pub(super) const fn is_offer(&self) -> bool {
        self.rematch.is_some() || self.invitation.is_some()
    }

    /// Says whether this is an expired offer, and notes that it has expired.
    pub(super) fn has_expired(&mut self, now: Timestamp) -> bool {
        if let Some(offer) = &mut self.rematch {
            return offer.has_expired(now);
        }
        let invite = self.invitation.as_mut();
        invite.is_some_and(|invite| invite.has_expired(now))
    }

    /// Returns the identities that get an offer.
    fn hearers(&self, are_blocked: AreBlocked<'_>) -> Vec<&str> {
        if let Some(invite) = &self.invitation {
            let sender = self.seek.owner.as_str();
            let invited = (!invite.is_unheard).then(|| invite.to.identity.as_str());
            return std::iter::once(sender).chain(invited).collect();
        }
        // A block between a player and one who agrees hides the agreement: the player sees no answer.
        let players = self.rematch.iter().flat_map(|offer| &offer.seats);
        let hears = |own: &&String| !self.is_closed_to(own, are_blocked);
        players.filter(hears).map(String::as_str).collect()
    }

    /// Returns the message about an open offer.
    fn offer_message(&self) -> Option<ServerMessage> {
        if let Some(offer) = &self.rematch {
            return Some(rematch(self.offered(offer)));
        }
        let invite = self.invitation.as_ref()?;
        Some(invitation(self.invited(invite)))
    }

    /// Returns the message about the end of an offer.
    fn offer_end_message(&self) -> Option<ServerMessage> {
        if let Some(offer) = &self.rematch {
            return Some(rematch(self.offer_ended(offer)));
        }
        let invite = self.invitation.as_ref()?;
        Some(invitation(self.invitation_ended(invite)))
    }
}

impl LobbyTask {
    /// Tells the players of an open offer, which was `before`.
    pub(super) fn tell_offer(&mut self, open: &OpenSeek, before: Option<&OpenSeek>) {
        if let Some(invite) = &open.invitation
            && before.is_some_and(|before| open.was_cut_off(before))
        {
            // The sender sees no answer.
            let message = invitation(open.declined_by_block(invite));
            for peer in self.services.registry.of(&invite.to.identity.0) {
                peer.send(0, &message);
            }
            return;
        }
        let Some(message) = open.offer_message() else {
            return;
        };
        let peers = hearers(&self.services, open);
        for peer in &peers {
            peer.send(0, &message);
        }
        let told = peers.iter().map(Peer::id).collect();
        self.told_offers.0.insert(open.seek.seek.clone(), told);
    }

    /// Tells the players of the end of an offer.
    pub(super) fn tell_offer_ended(&mut self, open: &OpenSeek) {
        self.told_offers.0.remove(&open.seek.seek);
        let Some(message) = open.offer_end_message() else {
            return;
        };
        for peer in hearers(&self.services, open) {
            peer.send(0, &message);
        }
    }

    /// Tells of the game that an offer has become: everybody who is attached to the old game of a rematch, or the two
    /// players of an invitation.
    pub(super) fn tell_offer_begun(&mut self, open: &OpenSeek, game: &GameId) {
        self.told_offers.0.remove(&open.seek.seek);
        if let Some(invite) = &open.invitation {
            let message = invitation(open.accepted(invite, game));
            for peer in hearers(&self.services, open) {
                peer.send(0, &message);
            }
        }
        let Some(offer) = &open.rematch else { return };
        let changed = RematchChanged {
            next: Some(game.clone()),
            ..RematchChanged::about(offer.of.clone())
        };
        self.services.directory.tell_rematch(changed);
    }

    /// Tells players of open offers on connections that are new since.
    pub(super) fn tell_offers_again(&mut self) {
        let offers = self.lobby.seeks().filter(|open| open.starting.is_none());
        for open in offers.filter(|open| open.is_offer()) {
            let told = self
                .told_offers
                .0
                .entry(open.seek.seek.clone())
                .or_default();
            let Some(message) = open.offer_message() else {
                continue;
            };
            for peer in hearers(&self.services, open) {
                if told.insert(peer.id()) {
                    peer.send(0, &message);
                }
            }
        }
        let lobby = &self.lobby;
        self.told_offers
            .0
            .retain(|seek, _| lobby.get(seek).is_some());
    }
}

/// Returns the connections of the players who get an offer.
fn hearers(services: &Services, open: &OpenSeek) -> Vec<Peer> {
    let blocks = &services.blocks;
    let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
    let players = open.hearers(&are_blocked).into_iter();
    players.flat_map(|own| services.registry.of(own)).collect()
}

fn rematch(changed: RematchChanged) -> ServerMessage {
    ServerMessage::Rematch(Box::new(changed))
}

fn invitation(invitation: Invitation) -> ServerMessage {
    ServerMessage::Invitation(Box::new(invitation))
}
