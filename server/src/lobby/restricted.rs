//! What the lobby refuses to players whom a moderator has restricted.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewire_people::moderation::Restraint;

use super::decision::{Action, Visibility};
use super::invitation::Answer;
use super::task::LobbyTask;
use crate::wire::{Refusal, moderation};

/// What an action would begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Begins {
    /// A rated game.
    is_rated: bool,
    /// A game through a public seek.
    is_public: bool,
}

impl LobbyTask {
    /// Refuses an action that a restriction of its client forbids.
    pub(super) fn check_restrictions(
        &self,
        identity: &str,
        action: &Action,
    ) -> Result<(), Refusal> {
        let begins = self.begins(action);
        let now = self.services.clock.now();
        for (restraint, is_concerned) in [
            (Restraint::NoRated, begins.is_rated),
            (Restraint::NoPublic, begins.is_public),
        ] {
            let restrictions = &self.services.restrictions;
            if is_concerned && let Some(found) = restrictions.of(identity, restraint, now) {
                return Err(moderation::restricted(&found));
            }
        }
        Ok(())
    }

    fn begins(&self, action: &Action) -> Begins {
        let rated = |is_rated: bool| Begins {
            is_rated,
            is_public: false,
        };
        match action {
            Action::Open(options, visibility, bots, _) => Begins {
                is_rated: options.rated,
                is_public: *visibility == Visibility::Public
                    && bots.len() + 1 < usize::from(options.seats),
            },
            Action::Quick(options, _) => Begins {
                is_rated: options.rated,
                is_public: true,
            },
            Action::Join(seek) => Begins {
                is_rated: self.lobby.get(seek).is_some_and(|open| open.options.rated),
                is_public: true,
            },
            Action::JoinByCode(code) => {
                let mut all = self.lobby.seeks();
                let open = all.find(|open| open.seek.code.as_ref() == Some(code));
                rated(open.is_some_and(|open| open.options.rated))
            }
            Action::OfferRematch(finished) => rated(finished.options.rated),
            Action::Invite(options, _) => rated(options.rated),
            Action::AnswerInvitation(seek, Answer::Accept) => {
                rated(self.lobby.get(seek).is_some_and(|open| open.options.rated))
            }
            Action::AnswerInvitation(..)
            | Action::DeclineRematch(_)
            | Action::Leave(_)
            | Action::Cancel(_)
            | Action::Start(_) => Begins::default(),
        }
    }

    /// Takes players out of all seeks who may do less than before.
    pub(super) async fn withdraw_restricted(&mut self) {
        let restrictions = Arc::clone(&self.services.restrictions);
        let now = self.services.clock.now();
        let is_kept_out = |identity: &String| {
            let kinds = [Restraint::NoRated, Restraint::NoPublic, Restraint::Suspend];
            let mut found = kinds
                .iter()
                .filter_map(|kind| restrictions.of(identity, *kind, now));
            found.next().is_some()
        };
        let restricted = restrictions.take_restricted().into_iter();
        let restricted: BTreeSet<String> = restricted.filter(is_kept_out).collect();
        if restricted.is_empty() {
            return;
        }
        let are_out = match self.reconcile().await {
            Ok(()) => {
                let plan = self.lobby.without(&restricted);
                self.remove_closed(plan).await.is_ok()
            }
            Err(_) => false,
        };
        if !are_out {
            restrictions.keep_restricted(restricted); // the next tick tries again
        }
    }
}
