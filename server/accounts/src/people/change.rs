//! One change of an account: read, decide, store, carry out.

use tilewire_people::accounts::{Account, Effect, Holder, Input, Origin, Refusal};
use tilewire_people::handles::Handle;
use tilewire_rules::time::Timestamp;

use super::{Failure, People};
use crate::enforcement::close_revoked;
use crate::identity::Issued;
use tilewire_base::ids::is_of_site;
use tilewire_delivery::session::Pass;
use tilewire_store::{AccountChange, AccountError, StoredAccount};

/// How often a change is computed anew because the account has changed meanwhile.
const ATTEMPTS: usize = 8;

/// An account after a change that is stored.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) account: Account,
    /// The token that the change issues, if it does.
    pub(super) issued: Option<Issued>,
}

impl People {
    /// Changes the account of an identity. A guest has none yet; it begins as one that was made at `created_at`.
    pub(super) async fn change(
        &self,
        identity: &str,
        created_at: Timestamp,
        input: Input,
    ) -> Result<Changed, Failure> {
        for _ in 0..ATTEMPTS {
            let stored = self.parts.store.account(identity).await?;
            let stored = stored.unwrap_or_else(|| guest(identity, created_at));
            if let Some(changed) = self.try_change(stored, input.clone()).await? {
                return Ok(changed);
            }
        }
        Err(Failure::Busy)
    }

    /// Changes an account that was just read. A refusal costs no further read, whatever the account is.
    pub(super) async fn change_stored(
        &self,
        stored: StoredAccount,
        input: Input,
    ) -> Result<Changed, Failure> {
        let Account {
            identity,
            created_at,
            ..
        } = stored.account.clone();
        match self.try_change(stored, input.clone()).await? {
            Some(changed) => Ok(changed),
            None => self.change(&identity, created_at, input).await,
        }
    }

    /// Changes an account that was read. Returns `None` if it has changed since.
    async fn try_change(
        &self,
        stored: StoredAccount,
        input: Input,
    ) -> Result<Option<Changed>, Failure> {
        let StoredAccount {
            version,
            mut account,
        } = stored;
        let input = self.with_holder(&account.identity, input).await?;
        let at = self.parts.clock.now();
        let effects = account.handle(at, input)?;
        let change = AccountChange {
            expected: version,
            account: account.clone(),
            effects: effects.clone(),
            at,
        };
        match self.parts.store.apply(change).await {
            Ok(()) => {}
            Err(AccountError::Stale) => return Ok(None),
            Err(AccountError::HandleTaken) => return Err(Refusal::HandleTaken.into()),
            Err(AccountError::MailTaken) => return Err(Refusal::MailTaken.into()),
            Err(AccountError::Store(error)) => return Err(error.into()),
        }
        let issued = self.carry_out(&account, effects);
        Ok(Some(Changed { account, issued }))
    }

    /// Adds the holder of the handle to an input that claims one.
    async fn with_holder(&self, identity: &str, mut input: Input) -> Result<Input, Failure> {
        let (handle, holder) = match &mut input {
            Input::Register { new, holder, .. } => (&new.handle, holder),
            Input::ChangeHandle { handle, holder, .. } => (&*handle, holder),
            _ => return Ok(input),
        };
        *holder = self.holder(identity, handle).await?;
        Ok(input)
    }

    /// Returns another account that has a handle or has it reserved; otherwise the account itself, if it has it.
    pub(super) async fn holder(
        &self,
        identity: &str,
        handle: &Handle,
    ) -> Result<Option<Holder>, Failure> {
        let now = self.parts.clock.now();
        let mut holders = self.parts.store.holders(&handle.key()).await?;
        holders.retain(|holder| holder.reserved_until.is_none_or(|until| now < until));
        holders.sort_by_key(|holder| holder.identity == identity);
        Ok(holders.into_iter().next())
    }

    /// Carries out the effects that the storage does not: the change is stored already.
    pub(super) fn carry_out(&self, account: &Account, effects: Vec<Effect>) -> Option<Issued> {
        let identity = &account.identity;
        let (accounts, registry) = (&self.parts.accounts, &self.parts.registry);
        let mut issued = None;
        for effect in effects {
            match effect {
                Effect::ClaimHandle(_) => {
                    if let Some(registration) = &account.registration {
                        accounts.handle_changed(identity, registration.handle.as_str());
                    }
                }
                Effect::IssueToken { family } => {
                    let pass = Pass::without_token(identity.clone(), family);
                    issued = Some(accounts.issue(&pass));
                }
                Effect::RevokeFamilies(families) => {
                    accounts.tokens().revoke_families(families);
                    let closed = close_revoked(accounts, registry, registry.of(identity));
                    tracing::debug!(identity, closed, "sessions have ended");
                }
                // The storage has done these, the letter about the change too.
                Effect::ReserveHandle { .. }
                | Effect::Audit(_)
                | Effect::Notify(_)
                | Effect::MovePushes { .. } => {}
            }
        }
        issued
    }
}

/// Returns the account of an identity that has none stored, as a change takes it.
pub(super) fn guest(identity: &str, created_at: Timestamp) -> StoredAccount {
    StoredAccount {
        version: 0,
        account: unregistered(identity, created_at),
    }
}

/// Returns the account of an identity that has none stored.
pub(super) fn unregistered(identity: &str, created_at: Timestamp) -> Account {
    let origin = match is_of_site(identity) {
        true => Origin::Site,
        false => Origin::Server,
    };
    Account {
        origin,
        ..Account::guest(identity, created_at)
    }
}
