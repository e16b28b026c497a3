//! Invitations: a game that one registered player offers to another (P-INVITE).
//!
//! An invitation is a seek that the lobby hides from everybody but its two players. So it is stored and becomes a game as
//! other seeks do. A player who must not learn of it makes no difference to the sender: the invitation stands until it
//! expires.

use serde::{Deserialize, Serialize};
use tilewire_protocol::{
    DeclineReason, ErrorCode, GameId, Invitation, InvitationEnd, OkBody, Person, SeekId,
};
use tilewire_rules::event::PlayerKind;
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::decision::{Asker, Context, HasBlocked, LobbyBounds, Plan, Visibility};
use super::machine::{Lobby, join, refusal};
use super::open_seek::OpenSeek;
use super::rated;
use tilewire_accounts::people::Invited;
use tilewire_store::{Letter, NewLetter};
use tilewire_wire::Refusal;

/// The additional data of a seek that is an invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invite {
    /// The invited player.
    pub to: Person,
    /// When the invitation expires.
    pub expires_at: Timestamp,
    /// Whether the invited player hears nothing of it, because of a block or its settings.
    #[serde(default)]
    pub is_unheard: bool,
    /// How it ended, until the players are told.
    #[serde(skip)]
    pub ended: Option<(InvitationEnd, Option<DeclineReason>)>,
}

/// The bounds of invitations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationBounds {
    /// Open invitations of one sender.
    pub most: usize,
    /// The time for which an invitation to a live game stays open.
    pub open_ms: Millis,
    /// The same for a game by correspondence.
    pub correspondence_ms: Millis,
}

/// Returns the letter that tells the invited player of an invitation; `None` if the player must not learn of it.
pub(super) fn letter(open: &OpenSeek, now: Timestamp, wait_ms: Millis) -> Option<NewLetter> {
    let invite = open.invitation.as_deref()?;
    if invite.is_unheard {
        return None;
    }
    let seek = &open.seek;
    let owner = seek.members.iter();
    let mut owner = owner.filter(|member| member.identity == seek.owner);
    Some(NewLetter {
        key: format!("invitation/{}", seek.seek.0),
        identity: invite.to.identity.0.clone(),
        address: None,
        game: None,
        at: now,
        due_at: now + wait_ms,
        until: invite.expires_at,
        content: Letter::Invitation {
            seek: seek.seek.0.clone(),
            from: seek.owner.0.clone(),
            name: owner.next()?.name.clone(),
            rule_set: open.options.rule_set.clone(),
            lexicon: open.options.lexicon.clone(),
            limit_ms: open.options.clock.correspondence_limit_ms(),
        },
    })
}

/// The answer to an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The invited player accepts.
    Accept,
    /// The invited player declines, or the sender takes it back.
    Decline(Option<DeclineReason>),
}

impl Lobby {
    /// Returns the plan that invites a player.
    pub(super) fn invite(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        options: GameOptions,
        invited: &Invited,
    ) -> Result<Plan, Refusal> {
        if asker.kind == PlayerKind::Guest {
            return Err(refusal(ErrorCode::NotRegistered));
        }
        if invited.identity == asker.identity {
            return Err(refusal(ErrorCode::Yourself));
        }
        if options.seats != 2 {
            let text = "an invitation is to a game of two seats";
            return Err(Refusal::field(ErrorCode::BadOptions, "options.seats", text));
        }
        self.check_open_invitations(&bounds.invitations, asker, &options, invited)?;
        let are_blocked = (context.are_blocked)(&asker.identity, &invited.identity);
        let (now, ratings) = (context.now, context.ratings);
        let open_ms = match options.clock.is_correspondence() {
            true => bounds.invitations.correspondence_ms,
            false => bounds.invitations.open_ms,
        };
        let other = as_asker(invited);
        let invite = Invite {
            to: rated::member(&other, ratings, &options),
            expires_at: now + open_ms,
            is_unheard: are_blocked || !invited.is_willing,
            ended: None,
        };
        let mut plan = self.open(
            bounds,
            context,
            asker,
            options,
            Visibility::Offered,
            Vec::new(),
        )?;
        for open in &mut plan.put {
            rated::check_members(&open.with_member(&other, ratings))?;
            plan.answer = OkBody {
                invitation: Some(Box::new(open.invited(&invite))),
                ..OkBody::default()
            };
            open.invitation = Some(Box::new(invite.clone()));
        }
        Ok(plan)
    }

    /// Checks that the sender may have one more open invitation, and has no equal one.
    fn check_open_invitations(
        &self,
        bounds: &InvitationBounds,
        asker: &Asker,
        options: &GameOptions,
        invited: &Invited,
    ) -> Result<(), Refusal> {
        let sent = self.seeks_with(&asker.identity);
        let sent = sent.filter_map(|open| Some((open, open.invitation.as_deref()?)));
        let mut count = 0;
        for (open, invite) in sent.filter(|(open, _)| open.seek.owner.0 == asker.identity) {
            if invite.to.identity.0 == invited.identity && open.options == *options {
                return Err(refusal(ErrorCode::AlreadyInvited));
            }
            count += 1;
        }
        if count >= bounds.most {
            return Err(refusal(ErrorCode::TooManyInvitations));
        }
        Ok(())
    }

    /// Returns the plan that accepts an invitation, declines it, or takes it back.
    pub(super) fn answer_invitation(
        &self,
        context: Context<'_>,
        asker: &Asker,
        invitation: &SeekId,
        answer: Answer,
    ) -> Result<Plan, Refusal> {
        let open = self.get(invitation).filter(|open| open.starting.is_none());
        let is_sent = open.is_some_and(|open| open.seek.owner.0 == asker.identity);
        let concerns = |open: &&OpenSeek| is_sent || open.invites(&asker.identity, &context);
        let unknown = || refusal(ErrorCode::UnknownInvitation);
        let mut open = open.filter(concerns).ok_or_else(unknown)?.clone();
        match answer {
            Answer::Accept => {
                let plan = join(open, context, asker)?;
                let answer = OkBody {
                    game: plan.answer.game,
                    ..OkBody::default()
                };
                Ok(Plan { answer, ..plan })
            }
            Answer::Decline(reason) => {
                let invite = open.invitation.as_mut().ok_or_else(unknown)?;
                invite.ended = Some(match is_sent {
                    true => (InvitationEnd::Withdrawn, None),
                    false => (InvitationEnd::Declined, reason),
                });
                Ok(Plan {
                    remove: vec![open],
                    ..Plan::default()
                })
            }
        }
    }
}

impl Invite {
    /// Says whether the invitation has expired, and notes it.
    pub(super) fn has_expired(&mut self, now: Timestamp) -> bool {
        let has_expired = now >= self.expires_at;
        if has_expired {
            self.ended = Some((InvitationEnd::Expired, None));
        }
        has_expired
    }
}

/// Returns the invited player as one who asks for the game.
fn as_asker(invited: &Invited) -> Asker {
    Asker {
        identity: invited.identity.clone(),
        address: None,
        name: invited.handle.clone(),
        nonce_hash: None,
        level: None,
        kind: match invited.is_bot {
            true => PlayerKind::ExternalBot,
            false => PlayerKind::Registered,
        },
    }
}

/// The effect of a block on an open invitation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The sender blocks: the invitation ends for both.
    Ended(OpenSeek),
    /// The invited player blocks: it ends for that player; for the sender it stands until it expires.
    Unheard(OpenSeek),
}

impl OpenSeek {
    /// Says whether this is an invitation that an identity has got and can answer.
    fn invites(&self, identity: &str, context: &Context<'_>) -> bool {
        let invite = self.invitation.as_deref();
        let is_for = |invite: &Invite| invite.to.identity.0 == identity && !invite.is_unheard;
        invite.is_some_and(is_for) && !self.is_closed_to(identity, context.are_blocked)
    }

    /// Returns the effect of a block on this invitation, if there is a block and the invited player has got the invitation.
    pub(super) fn cut(&self, has_blocked: HasBlocked<'_>) -> Option<Cut> {
        let invite = self.invitation.as_ref()?;
        let (from, to) = (self.seek.owner.as_str(), invite.to.identity.as_str());
        if has_blocked(from, to) {
            return Some(Cut::Ended(self.clone()));
        }
        if invite.is_unheard || !has_blocked(to, from) {
            return None;
        }
        let mut open = self.clone();
        open.invitation.as_mut()?.is_unheard = true;
        Some(Cut::Unheard(open))
    }

    /// Says whether a block has just ended this invitation, as it was `before`, for the invited player alone.
    pub(super) fn was_cut_off(&self, before: &Self) -> bool {
        let is_unheard = |open: &Self| {
            let invite = open.invitation.as_ref();
            invite.is_some_and(|invite| invite.is_unheard)
        };
        is_unheard(self) && !is_unheard(before)
    }

    /// Returns the message about this open invitation.
    pub(super) fn invited(&self, invite: &Invite) -> Invitation {
        Invitation {
            invitation: self.seek.seek.clone(),
            from: self.seek.members[0].clone(),
            to: invite.to.clone(),
            options: self.seek.options.clone(),
            created_at: self.seek.created_at,
            expires_at: invite.expires_at.0,
            end: None,
            reason: None,
            game: None,
        }
    }

    /// Returns the message that tells the invited player of the end of this invitation when that player blocks the sender.
    pub(super) fn declined_by_block(&self, invite: &Invite) -> Invitation {
        Invitation {
            end: Some(InvitationEnd::Declined),
            ..self.invited(invite)
        }
    }

    /// Returns the message about the end of this invitation. Without another reason the sender has left or blocks.
    pub(super) fn invitation_ended(&self, invite: &Invite) -> Invitation {
        let (end, reason) = invite.ended.unwrap_or((InvitationEnd::Withdrawn, None));
        Invitation {
            end: Some(end),
            reason,
            ..self.invited(invite)
        }
    }

    /// Returns the message that this invitation has become a game.
    pub(super) fn accepted(&self, invite: &Invite, game: &GameId) -> Invitation {
        Invitation {
            end: Some(InvitationEnd::Accepted),
            game: Some(game.clone()),
            ..self.invited(invite)
        }
    }
}
