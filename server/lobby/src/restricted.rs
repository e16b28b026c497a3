//! Refuses actions of players that a moderator has restricted, or that wait after games they left.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewire_people::moderation::Restraint;

use super::decision::{Action, Visibility};
use super::invitation::Answer;
use super::open_seek::OpenSeek;
use super::task::LobbyTask;
use tilewire_accounts::moderation_messages as moderation;
use tilewire_wire::Refusal;

/// The kind of game that an action would begin.
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
            (Restraint::Wait, begins.is_public),
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

    /// Takes players out of all seeks who may do less than before, and players who wait out of the public ones.
    pub(super) async fn withdraw_restricted(&mut self) {
        let restrictions = Arc::clone(&self.services.restrictions);
        let now = self.services.clock.now();
        let changed = restrictions.take_restricted();
        let is_one_of = |identity: &String, kinds: &[Restraint]| {
            let mut found = kinds
                .iter()
                .filter_map(|kind| restrictions.of(identity, *kind, now));
            found.next().is_some()
        };
        let kept_out = [Restraint::NoRated, Restraint::NoPublic, Restraint::Suspend];
        let of = |kinds: &[Restraint]| -> BTreeSet<String> {
            let mut those = changed.clone();
            those.retain(|identity| is_one_of(identity, kinds));
            those
        };
        let (kept_out, waiting) = (of(&kept_out), of(&[Restraint::Wait]));
        if kept_out.is_empty() && waiting.is_empty() {
            return;
        }
        if !self.withdraw(&kept_out, &waiting).await {
            restrictions.keep_restricted(changed); // the next tick tries again
        }
    }

    /// Says whether the players are out of the seeks: some of all, others of the public ones.
    async fn withdraw(&mut self, kept_out: &BTreeSet<String>, waiting: &BTreeSet<String>) -> bool {
        if self.reconcile().await.is_err() {
            return false;
        }
        let plan = self.lobby.without(kept_out, |_| true);
        let are_out = self.remove_closed(plan).await.is_ok();
        let plan = self.lobby.without(waiting, OpenSeek::is_public);
        are_out && self.remove_closed(plan).await.is_ok()
    }
}
