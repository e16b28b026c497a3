//! Invitations: only the two players hear of one, the sender asked for it, the invited player takes invitations, and the game
//! is one that the invited player accepted.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::invitations::InvitationsFrom;
use tilewire_protocol::{ClientMessage, Invitation, InvitationEnd, SeekId};

use super::Auditor;
use super::moment::Moment;
use crate::simulation::line::LineId;
use crate::simulation::members::{AccountAnswer, Ask};

/// The auditor's model of invitations.
#[derive(Debug, Default)]
pub(super) struct Invitations {
    /// The senders and handles of requests that came while the invited player may have taken invitations.
    heard: BTreeSet<(String, String)>,
    /// The identities that have accepted each invitation, and when each did first.
    accepted: BTreeMap<SeekId, BTreeMap<String, Moment>>,
    /// The identities that have declined each invitation, or taken it back.
    declined: BTreeMap<SeekId, BTreeSet<String>>,
    /// The handles whose players take no invitations, for certain, and the senders that have tried meanwhile.
    unwilling: BTreeMap<String, BTreeSet<String>>,
    /// The invitations that became games.
    begun: BTreeSet<SeekId>,
}

impl Auditor {
    /// Returns how many invitations became games.
    #[must_use]
    pub fn invitations(&self) -> usize {
        self.invitations.begun.len()
    }

    /// A request arrived that may send or accept an invitation.
    pub(super) fn asked_to_play(
        &mut self,
        line: LineId,
        message: Option<&ClientMessage>,
        moment: Moment,
    ) {
        let identity = self.lines.get(&line).and_then(|line| line.identity.clone());
        let Some(identity) = identity else { return };
        match message {
            Some(ClientMessage::Invite(body)) => {
                if let Some(senders) = self.invitations.unwilling.get_mut(&body.handle) {
                    senders.insert(identity);
                } else {
                    let pair = (identity, body.handle.clone());
                    self.invitations.heard.insert(pair);
                }
            }
            Some(ClientMessage::AnswerInvitation(body)) if body.accept => {
                let accepted = self.invitations.accepted.entry(body.invitation.clone());
                accepted.or_default().entry(identity).or_insert(moment);
            }
            Some(ClientMessage::AnswerInvitation(body)) => {
                let declined = self.invitations.declined.entry(body.invitation.clone());
                declined.or_default().insert(identity);
            }
            _ => {}
        }
    }

    /// A player asks for another setting: until the answer nobody knows which one holds, also for the requests that have
    /// no answer yet.
    pub(super) fn asks_for_setting(&mut self, handle: &str, ask: &Ask) {
        if let Ask::TakeInvitations(..) = ask {
            let senders = self.invitations.unwilling.remove(handle);
            let pairs = senders.into_iter().flatten();
            let pairs = pairs.map(|sender| (sender, handle.to_owned()));
            self.invitations.heard.extend(pairs);
        }
    }

    /// The server has answered that.
    pub(super) fn setting_told(&mut self, handle: &str, ask: &Ask, told: &AccountAnswer) {
        if let (Ask::TakeInvitations(_, InvitationsFrom::Nobody), Ok(_)) = (ask, told) {
            let senders = BTreeSet::new();
            self.invitations
                .unwilling
                .insert(handle.to_owned(), senders);
        }
    }

    /// A client is told of an invitation.
    pub(super) fn invitation_told(&mut self, line: LineId, told: &Invitation, version: u64) {
        let identity = self.lines[&line].identity.clone().unwrap_or_default();
        let (from, to) = (&told.from.identity.0, &told.to.identity.0);
        assert!(
            identity == *from || identity == *to,
            "{line} hears of an invitation of others: {told:?}"
        );
        if identity == *to {
            let pair = (from.clone(), told.to.name.clone());
            let may_hear = self.invitations.heard.contains(&pair);
            assert!(may_hear, "{line} takes no invitations: {told:?}");
            self.check_not_blocked_at(from, to, told.created_at, told);
        }
        if told.end == Some(InvitationEnd::Declined) && identity == *from {
            let declined = self.invitations.declined.get(&told.invitation);
            let has_declined = declined.is_some_and(|declined| declined.contains(to));
            assert!(has_declined, "the sender can tell of a block: {told:?}");
        }
        let Some(game) = &told.game else {
            assert_ne!(told.end, Some(InvitationEnd::Accepted), "{told:?}");
            return;
        };
        let accepted = self.invitations.accepted.get(&told.invitation);
        let first = accepted.and_then(|accepted| accepted.get(to));
        let first = first.unwrap_or_else(|| panic!("nobody accepted {told:?}"));
        self.check_not_blocked(from, to, *first, told);
        self.check_durable(game, 1, version);
        let players = &self.log(game).book.created.players;
        let players: Vec<&String> = players.iter().map(|player| &player.identity).collect();
        assert_eq!(players, [from, to], "the sender has seat 0: {told:?}");
        self.invitations.begun.insert(told.invitation.clone());
    }
}
