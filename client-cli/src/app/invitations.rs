//! Invitations: the open ones, and the commands about them.

use tilewire_protocol::{
    AnswerInvitation, ClientMessage, DeclineReason, Invitation, InvitationEnd, Invite, SeekId,
};

use super::{App, Offer};

impl App {
    /// Keeps the open invitations: first those that the player has received, then those that the player has sent.
    pub(super) fn invitation_told(&mut self, told: &Invitation) {
        let is_sent = self.is_sent(told);
        let known = &mut self.lists.invitations;
        let place = known
            .iter()
            .position(|own| own.invitation == told.invitation);
        match (told.end, place) {
            (Some(InvitationEnd::Accepted), _) => {} // the game follows
            (Some(_), Some(place)) => {
                known.remove(place);
            }
            (Some(_), None) => {}
            (None, Some(place)) => known[place].clone_from(told),
            (None, None) => {
                let own = self.identity.as_ref();
                let received = known
                    .iter()
                    .take_while(|one| Some(&one.from.identity) != own);
                let place = if is_sent {
                    known.len()
                } else {
                    received.count()
                };
                known.insert(place, told.clone());
            }
        }
    }

    /// Says whether a game comes from an invitation that the player has sent.
    pub(super) fn has_invited(&self, seek: &SeekId) -> bool {
        let mut known = self.lists.invitations.iter();
        known.any(|one| one.invitation == *seek && self.is_sent(one))
    }

    fn is_sent(&self, invitation: &Invitation) -> bool {
        self.identity.as_ref() == Some(&invitation.from.identity)
    }

    /// The request that invites a player; `None` before `hello`.
    pub(super) fn invite_request(
        &mut self,
        offer: &Offer,
        handle: String,
    ) -> Option<ClientMessage> {
        let options = offer.options(self.hello.as_ref()?);
        Some(ClientMessage::Invite(Box::new(Invite {
            cmd_id: self.session.next_cmd_id(),
            handle,
            options,
            nonce_hash: Some(self.nonce_hash()),
            level: offer.level,
        })))
    }

    /// The request that accepts an invitation, given by its number in the list or its id.
    ///
    /// # Errors
    /// When there is no such invitation, or the player has sent it.
    pub(super) fn accept_request(&mut self, what: &str) -> Result<ClientMessage, String> {
        let invitation = self.named_invitation(what)?;
        if self.has_invited(&invitation) {
            return Err(format!(
                "you sent this invitation; type decline {what} to cancel it"
            ));
        }
        Ok(ClientMessage::AnswerInvitation(AnswerInvitation {
            cmd_id: self.session.next_cmd_id(),
            invitation,
            accept: true,
            reason: None,
            nonce_hash: Some(self.nonce_hash()),
            level: self.config.level,
        }))
    }

    /// The request that declines an invitation, or takes back the player's own.
    ///
    /// # Errors
    /// When there is no such invitation.
    pub(super) fn decline_request(
        &mut self,
        what: &str,
        reason: Option<DeclineReason>,
    ) -> Result<ClientMessage, String> {
        let invitation = self.named_invitation(what)?;
        Ok(ClientMessage::AnswerInvitation(AnswerInvitation {
            cmd_id: self.session.next_cmd_id(),
            invitation,
            accept: false,
            reason,
            nonce_hash: None,
            level: None,
        }))
    }

    fn named_invitation(&self, what: &str) -> Result<SeekId, String> {
        let known = &self.lists.invitations;
        let named = super::lobby::find(known, what, |one| one.invitation.as_str());
        let named = named.map(|one| one.invitation.clone());
        named.ok_or_else(|| format!("there is no invitation `{what}` in the list"))
    }
}
