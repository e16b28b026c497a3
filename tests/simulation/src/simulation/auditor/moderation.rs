//! Moderation: a restriction holds from its answer to its end and no longer, whatever happens to the machine; every act is in
//! the audit once, and the audit stays one chain.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_accounts::people::Failure;
use tilewire_people::accounts::Refusal;
use tilewire_people::audit::{Entry, EntryDigest};
use tilewire_people::moderation::Restraint;
use tilewire_protocol::{
    ClientMessage, ErrorBody, ErrorCode, ModerationKind, ModerationNotice, OkBody,
};
use tilewire_store::ModerationStore as _;

use super::Auditor;
use super::moment::Moment;
use crate::simulation::disk::Durable;
use crate::simulation::durable::{ALL, at_once};
use crate::simulation::line::LineId;
use crate::simulation::members::AccountAnswer;
use crate::simulation::relating::Order;

/// How long the lobby may take until a restricted player is in no seek, ms: it looks every second, and the disk can fail.
const WITHDRAWN_MS: i64 = 12_000;

/// The name of entries of the server, which the audit of conduct checks.
pub(super) const WAITING_TIME: &str = "waiting_time";

/// The auditor's model of moderation.
#[derive(Debug, Default)]
pub(super) struct Moderation {
    /// By identity and kind.
    restrictions: BTreeMap<(String, Restraint), Restricted>,
    /// Every act that was asked for, by its reason.
    acts: BTreeMap<String, Act>,
    /// Requests without an answer.
    open: BTreeMap<u64, Open>,
    /// The digests of the audit, as they were seen last.
    digests: Vec<EntryDigest>,
    pub(super) restricted: u64,
    pub(super) undone: u64,
    pub(super) suspended: u64,
    /// Requests that were refused because of a restriction.
    pub(super) refused: u64,
    /// Lines that were refused because the writer was muted.
    pub(super) muted: u64,
}

/// A restriction of a player.
#[derive(Debug, Clone, Copy)]
struct Restricted {
    /// Since when it holds for certain.
    since: Moment,
    /// Until when it holds for certain, unix ms.
    surely_until: i64,
    /// Until when it may hold, unix ms.
    perhaps_until: i64,
    /// When that was last changed for certain.
    settled: Moment,
}

impl Restricted {
    const NONE: Self = Self {
        since: Moment::START,
        surely_until: i64::MIN,
        perhaps_until: i64::MIN,
        settled: Moment::START,
    };

    /// Returns the restriction after an act that is stored.
    fn after(until: Option<i64>, moment: Moment) -> Self {
        let until = until.unwrap_or(i64::MIN);
        Self {
            since: moment,
            surely_until: until,
            perhaps_until: until,
            settled: moment,
        }
    }

    /// Returns the restriction while nobody knows whether an act is stored.
    fn during(self, until: Option<i64>) -> Self {
        let after = Self::after(until, self.settled);
        Self {
            surely_until: self.surely_until.min(after.surely_until),
            perhaps_until: self.perhaps_until.max(after.perhaps_until),
            ..self
        }
    }
}

/// An act of a moderator.
#[derive(Debug)]
struct Act {
    target: String,
    restraint: Restraint,
    until: Option<i64>,
    /// Whether it is stored, if that is known.
    is_stored: Option<bool>,
}

#[derive(Debug)]
struct Open {
    reason: String,
    before: Restricted,
    /// The sessions of the target, if it is suspended.
    sessions: BTreeSet<String>,
}

impl Moderation {
    /// A server starts: open requests get no answers.
    pub(super) fn restarted(&mut self) {
        self.open.clear();
    }

    fn of(&self, identity: &str, restraint: Restraint) -> Restricted {
        if self.restrictions.is_empty() {
            return Restricted::NONE;
        }
        let key = (identity.to_owned(), restraint);
        let known = self.restrictions.get(&key).copied();
        known.unwrap_or(Restricted::NONE)
    }

    /// Says whether a restriction may have been in force at some time after a request came.
    fn is_perhaps(&self, identity: &str, restraint: Restraint, asked: Moment) -> bool {
        let own = self.of(identity, restraint);
        asked.at < own.perhaps_until || !own.settled.is_before(asked)
    }
}

impl Auditor {
    /// A moderator asks for an act.
    pub(super) fn asks_to_moderate(&mut self, number: u64, order: &Order) {
        let Some(target) = self.relations.identity_of(order.handle).cloned() else {
            return;
        };
        let until = order.until.map(|until| until.0);
        let before = self.moderation.of(&target, order.restraint);
        let suspends = order.restraint == Restraint::Suspend && until.is_some();
        let sessions = self.accounts.perhaps_changed(&target);
        let moderation = &mut self.moderation;
        let key = (target.clone(), order.restraint);
        moderation.restrictions.insert(key, before.during(until));
        let act = Act {
            target,
            restraint: order.restraint,
            until,
            is_stored: None,
        };
        let known = moderation.acts.insert(order.reason.clone(), act);
        assert!(known.is_none(), "every act has its own reason");
        let open = Open {
            reason: order.reason.clone(),
            before,
            sessions: if suspends { sessions } else { BTreeSet::new() },
        };
        moderation.open.insert(number, open);
    }

    /// The server has answered a request; returns whether it was one of a moderator.
    pub(super) fn act_told(&mut self, number: u64, told: &AccountAnswer) -> bool {
        let Some(open) = self.moderation.open.remove(&number) else {
            return false;
        };
        let moment = self.moment();
        let moderation = &mut self.moderation;
        let act = moderation.acts.get_mut(&open.reason).expect("it is open");
        let suspends = act.restraint == Restraint::Suspend;
        let key = (act.target.clone(), act.restraint);
        match told {
            Ok(_) => {
                act.is_stored = Some(true);
                match act.until {
                    Some(_) if suspends => self.accounts.suspended(&act.target),
                    None if suspends => {} // the account changes if the suspension was not over
                    _ => self.accounts.not_changed(&act.target),
                }
                moderation.restricted += u64::from(act.until.is_some());
                moderation.undone += u64::from(act.until.is_none());
                moderation.suspended += u64::from(act.until.is_some() && suspends);
                let after = Restricted::after(act.until, moment);
                moderation.restrictions.insert(key, after);
            }
            Err(Failure::Storage | Failure::Busy) => {
                self.accounts.perhaps_ended(&act.target, open.sessions);
            }
            Err(_) => {
                act.is_stored = Some(false);
                self.accounts.not_changed(&act.target);
                moderation.restrictions.insert(key, open.before);
            }
        }
        true
    }

    /// Says whether a restriction has been in force since before a request came, for certain.
    fn is_surely(&self, identity: &str, restraint: Restraint, asked: Moment) -> bool {
        let own = self.moderation.of(identity, restraint);
        // A restriction that is over goes away, even if a start sets the clock back then.
        own.since.is_before(asked) && self.latest < own.surely_until
    }

    /// A request of a player is accepted.
    ///
    /// # Panics
    /// When a restriction has forbidden it.
    pub(super) fn check_allowed(
        &self,
        identity: &str,
        restraint: Restraint,
        asked: Moment,
        what: impl std::fmt::Debug,
    ) {
        let is_forbidden = self.is_surely(identity, restraint, asked);
        assert!(
            !is_forbidden,
            "{identity} may not do this because of {restraint:?}: {what:?}"
        );
    }

    /// A player has logged in, or has not.
    pub(super) fn check_log_in(&self, identity: &str, asked: Moment, told: &AccountAnswer) {
        let restraint = Restraint::Suspend;
        match told {
            Ok(Some(_)) => self.check_allowed(identity, restraint, asked, told),
            Err(Failure::Refused(Refusal::Suspended { .. })) => {
                let is_perhaps = self.moderation.is_perhaps(identity, restraint, asked);
                assert!(is_perhaps, "{identity} is not suspended: {told:?}");
            }
            _ => {}
        }
    }

    /// A command of the lobby is accepted; `first` is when it came for the first time.
    pub(super) fn check_may_play(
        &self,
        identity: &str,
        asked: &ClientMessage,
        ok: &OkBody,
        first: Moment,
    ) {
        let Some(seek) = &ok.seek else { return };
        let looks_for_game = matches!(
            asked,
            ClientMessage::Seek(_) | ClientMessage::QuickMatch(_) | ClientMessage::JoinSeek(_)
        );
        let forbidding = [
            (Restraint::NoPublic, !seek.private),
            (Restraint::NoRated, seek.options.rated),
            (Restraint::Suspend, true),
        ];
        for (restraint, _) in forbidding.into_iter().filter(|(_, forbids)| *forbids) {
            if looks_for_game {
                self.check_allowed(identity, restraint, first, asked);
            }
            let others = seek.members.iter().map(|person| person.identity.as_str());
            for other in others.filter(|other| ok.game.is_some() && *other != identity) {
                let own = self.moderation.of(other, restraint);
                let since = own.since.latest.max(self.ready_at);
                let withdrawn_at = since.saturating_add(WITHDRAWN_MS);
                assert!(
                    first.at <= withdrawn_at || !self.is_surely(other, restraint, first),
                    "{other} plays in spite of {restraint:?}: {asked:?}"
                );
            }
        }
    }

    /// A request is refused, perhaps because of a restriction.
    ///
    /// # Panics
    /// When there is none.
    pub(super) fn check_restricted(&mut self, identity: &str, error: &ErrorBody, asked: Moment) {
        let restraints: &[Restraint] = match error.code {
            ErrorCode::Muted => &[Restraint::Mute],
            ErrorCode::Restricted => &[Restraint::NoPublic, Restraint::NoRated],
            _ => return,
        };
        let moderation = &mut self.moderation;
        let mut kinds = restraints.iter();
        let is_perhaps = kinds.any(|kind| moderation.is_perhaps(identity, *kind, asked));
        assert!(is_perhaps, "{identity} is not restricted: {error:?}");
        let until = error.detail.as_ref().and_then(|detail| detail.until);
        let ends = until.is_some_and(|until| until > asked.at);
        assert!(ends, "the restriction is over at {asked:?}: {error:?}");
        match error.code {
            ErrorCode::Muted => moderation.muted += 1,
            _ => moderation.refused += 1,
        }
    }

    /// A player is told of an act.
    ///
    /// # Panics
    /// When nobody has done that.
    pub(super) fn notice_told(&mut self, line: LineId, told: &ModerationNotice) {
        let identity = self.lines[&line].identity.clone().unwrap_or_default();
        if told.kind == ModerationKind::Wait {
            let until = told.until.expect("a waiting time ends");
            assert!(self.has_waiting_time(&identity, until), "{told:?}");
            return;
        }
        let act = self.moderation.acts.get_mut(&told.reason);
        let act = act.unwrap_or_else(|| panic!("nobody has done {told:?}"));
        assert_eq!(act.target, identity, "{told:?} is about another player");
        assert_eq!(act.until, told.until, "{told:?}");
        let is_undone = act.until.is_none();
        assert_eq!(told.kind == ModerationKind::Undo, is_undone, "{told:?}");
        assert_ne!(act.is_stored, Some(false), "{told:?} was refused");
        act.is_stored = Some(true);
    }

    /// Checks that the audit is one chain that goes on from where it was, and has every act that was told, once; and that
    /// every restriction in force is stored.
    ///
    /// # Panics
    /// When that is not so.
    pub fn check_moderation(&mut self, durable: &Durable) {
        let entries = durable.stores.entries(None, None, ALL);
        let mut entries = at_once(entries).expect("in memory");
        entries.reverse();
        self.check_chain(&entries);
        let mut stored = BTreeSet::new();
        let by_people = entries.iter().map(|entry| &entry.action);
        for action in by_people.filter(|action| action.action != WAITING_TIME) {
            let act = self.moderation.acts.get(&action.reason);
            let act = act.unwrap_or_else(|| panic!("nobody has asked for {action:?}"));
            assert_ne!(act.is_stored, Some(false), "{action:?} was refused");
            assert_eq!(act.target, action.target);
            assert_eq!(act.until, action.until.map(|until| until.0));
            assert!(stored.insert(&action.reason), "{action:?} is there twice");
        }
        for (reason, act) in &self.moderation.acts {
            let is_lost = act.is_stored == Some(true) && !stored.contains(reason);
            assert!(!is_lost, "{reason} is not in the audit: {act:?}");
        }
        let kept = at_once(durable.stores.in_force()).expect("in memory");
        let in_force = self.moderation.restrictions.iter();
        for ((identity, restraint), own) in
            in_force.filter(|(_, own)| self.latest < own.surely_until)
        {
            let mut all = kept.restrictions.iter();
            let is_stored = all.any(|stored| {
                stored.identity == *identity
                    && stored.restraint == *restraint
                    && stored.until.is_none_or(|until| until.0 >= own.surely_until)
            });
            assert!(is_stored, "{restraint:?} of {identity} is lost: {own:?}");
        }
    }

    /// Each entry follows from the one before, and those that were seen before are the same.
    fn check_chain(&mut self, entries: &[Entry]) {
        let mut previous = EntryDigest::NONE;
        for (entry, number) in entries.iter().zip(1..) {
            assert_eq!((entry.number, entry.previous), (number, previous), "whole");
            previous = entry.digest();
        }
        let digests: Vec<EntryDigest> = entries.iter().map(Entry::digest).collect();
        let seen = std::mem::take(&mut self.moderation.digests);
        assert!(digests.starts_with(&seen), "the audit has changed");
        self.moderation.digests = digests;
    }
}
