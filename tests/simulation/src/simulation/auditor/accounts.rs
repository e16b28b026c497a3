//! Accounts and sessions: what was reported is stored, what was refused changed nothing, and what has ended stays so.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_accounts::people::Failure;
use tilewire_people::handles::HandleKey;
use tilewire_protocol::ClientMessage;
use tilewire_store::AccountStore as _;

use super::Auditor;
use super::moment::Moment;
use super::requests::AuditedConnection;
use crate::simulation::disk::Durable;
use crate::simulation::durable::at_once;
use crate::simulation::members::{AccountAnswer, Ask, family_of};

/// The auditor's model of the accounts, from reports.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    known: BTreeMap<String, AccountState>,
    /// The sessions that were reported to have ended.
    ended: BTreeSet<String>,
    /// Requests without an answer.
    open: BTreeMap<u64, Open>,
}

/// A request without an answer.
#[derive(Debug)]
struct Open {
    identity: String,
    ask: Ask,
    asked: Moment,
    /// The sessions that there were.
    sessions: BTreeSet<String>,
}

/// The reported state of an account.
#[derive(Debug, Default)]
struct AccountState {
    /// The handle, once the account is registered.
    handle: Option<String>,
    /// How many changes were reported, and how many are possible beside.
    changes: u64,
    unsure: u64,
    sessions: BTreeSet<String>,
    /// Sessions that a request of unknown outcome was to end. The server finds out when it looks for changed credentials
    /// the next time, and at a start.
    doubtful: BTreeSet<String>,
}

impl Accounts {
    /// A moderator may change an account; returns its sessions.
    pub(super) fn perhaps_changed(&mut self, identity: &str) -> BTreeSet<String> {
        let known = self.known.entry(identity.to_owned()).or_default();
        known.unsure += 1;
        known.sessions.clone()
    }

    /// The moderator has not changed it.
    pub(super) fn not_changed(&mut self, identity: &str) {
        if let Some(known) = self.known.get_mut(identity) {
            known.unsure -= 1;
        }
    }

    /// The moderator may have ended these sessions of it.
    pub(super) fn perhaps_ended(&mut self, identity: &str, mut sessions: BTreeSet<String>) {
        if let Some(known) = self.known.get_mut(identity) {
            known.doubtful.append(&mut sessions);
        }
    }

    /// The moderator has suspended its player: all sessions have ended.
    pub(super) fn suspended(&mut self, identity: &str) {
        if let Some(known) = self.known.get_mut(identity) {
            known.unsure -= 1;
            known.changes += 1;
            let mut ends = std::mem::take(&mut known.sessions);
            ends.retain(|session| !known.doubtful.contains(session));
            self.ended.append(&mut ends);
        }
    }
}

impl Auditor {
    /// An account exists before the server.
    pub fn exists(&mut self, identity: &str, handle: &str) {
        let known = AccountState {
            handle: Some(handle.to_owned()),
            changes: 1,
            ..AccountState::default()
        };
        self.accounts.known.insert(identity.to_owned(), known);
        self.relations.exists(identity, handle);
    }

    /// Says whether an identity has a handle, as far as it was reported.
    pub(super) fn has_handle(&self, identity: &str, handle: &str) -> bool {
        let known = self.accounts.known.get(identity);
        let own = known.and_then(|known| known.handle.as_deref());
        own.is_some_and(|own| HandleKey::of(own) == HandleKey::of(handle))
    }

    /// A person asks for a change of the account.
    pub fn asks(&mut self, number: u64, (identity, handle): (&str, &str), ask: &Ask) {
        match ask {
            Ask::Relate(_, act, other) => {
                return self.asks_to_relate(number, identity, *act, other);
            }
            Ask::Moderate(_, order) => return self.asks_to_moderate(number, order),
            // It changes no account.
            Ask::Vacation(..) => return,
            _ => {}
        }
        self.asks_for_setting(handle, ask);
        let asked = self.moment();
        let known = self.accounts.known.entry(identity.to_owned()).or_default();
        let open = Open {
            identity: identity.to_owned(),
            ask: ask.clone(),
            asked,
            sessions: known.sessions.clone(),
        };
        self.accounts.open.insert(number, open);
    }

    /// The server has answered.
    ///
    /// # Panics
    /// When the answer is wrong.
    pub fn told(&mut self, number: u64, handle: &str, told: &AccountAnswer) {
        self.checked += 1;
        if self.relation_told(number, told) || self.act_told(number, told) {
            return;
        }
        let Some(open) = self.accounts.open.remove(&number) else {
            return;
        };
        let Open {
            identity,
            ask,
            asked,
            sessions,
        } = open;
        self.setting_told(handle, &ask, told);
        self.check_log_in(&identity, asked, told);
        let accounts = &mut self.accounts;
        let known = accounts.known.entry(identity.clone()).or_default();
        let mut ends = ended_by(&ask, sessions);
        let signed_in = match told {
            Ok(signed_in) => signed_in,
            Err(Failure::Storage | Failure::Busy) => {
                known.unsure += 1;
                known.doubtful.append(&mut ends);
                return;
            }
            Err(_) => return,
        };
        known.changes += 1;
        known.sessions.retain(|session| !ends.contains(session));
        ends.retain(|session| !known.doubtful.contains(session));
        accounts.ended.append(&mut ends);
        if let Some(signed_in) = signed_in {
            assert_eq!(
                signed_in.account.identity, identity,
                "a player keeps the identity: {ask:?}"
            );
            known.handle = Some(handle.to_owned());
            let session = family_of(&signed_in.issued.token).expect("a token has a family");
            known.sessions.insert(session);
        }
    }

    /// The machine went down: nobody knows whether open requests have changed anything.
    pub(super) fn forget_requests(&mut self) {
        for open in std::mem::take(&mut self.accounts.open).into_values() {
            let known = self.accounts.known.entry(open.identity).or_default();
            known.unsure += 1;
        }
        self.relations.restarted(self.latest);
        self.moderation.restarted();
        for known in self.accounts.known.values_mut() {
            known.doubtful.clear();
        }
    }

    /// Checks that the disk has what was reported, and no more.
    ///
    /// # Panics
    /// When it has not.
    pub fn check_accounts(&self, durable: &Durable) {
        for (identity, known) in &self.accounts.known {
            let stored = at_once(durable.stores.account(identity)).expect("in memory");
            let version = stored.as_ref().map_or(0, |stored| stored.version);
            let open = self.accounts.open.values();
            let open = open.filter(|open| open.identity == *identity).count();
            let most = known.changes + known.unsure + u64::try_from(open).unwrap_or(0);
            assert!(
                (known.changes..=most).contains(&version),
                "{identity} changed {version} times: {known:?}"
            );
            let Some(handle) = &known.handle else {
                continue;
            };
            let registration = stored.and_then(|stored| stored.account.registration);
            let registration = registration.unwrap_or_else(|| panic!("{known:?} is gone"));
            assert_eq!(registration.handle.as_str(), handle);
            let holder = at_once(durable.stores.account_of(&HandleKey::of(handle)));
            let holder = holder.ok().flatten();
            let holder = holder.map(|stored| stored.account.identity);
            assert_eq!(holder.as_ref(), Some(identity), "{known:?}");
            let row = at_once(durable.stores.identity(identity)).expect("in memory");
            assert_eq!(row.map(|row| row.name).as_ref(), Some(handle));
        }
    }

    /// A request arrives: it is noted whether its session had ended before.
    pub(super) fn check_session(&mut self, line: u64, id: u64, message: Option<&ClientMessage>) {
        let line: &mut AuditedConnection = self.lines.entry(line).or_default();
        if let Some(ClientMessage::Auth(auth)) = message {
            let token = auth.token.as_ref();
            line.session = token.and_then(|token| family_of(token.as_str()));
        }
        let ended = &self.accounts.ended;
        if line.session.as_ref().is_some_and(|own| ended.contains(own)) {
            line.late.insert(id);
        }
    }
}

/// The sessions that a request ends, of those that there are.
fn ended_by(ask: &Ask, sessions: BTreeSet<String>) -> BTreeSet<String> {
    match ask {
        Ask::LogIn(_)
        | Ask::TakeInvitations(..)
        | Ask::Relate(..)
        | Ask::Vacation(..)
        | Ask::Moderate(..) => BTreeSet::new(),
        Ask::Recover(..) => sessions,
        // The guest's token ends with the registration.
        Ask::Register(token) | Ask::LogOut(token) | Ask::End(_, token) => {
            family_of(token).into_iter().collect()
        }
        Ask::EndOthers(by) => {
            let own = family_of(by);
            let others = sessions.into_iter();
            others.filter(|one| Some(one) != own.as_ref()).collect()
        }
    }
}
