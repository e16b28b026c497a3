//! The requests of players about their accounts.

use std::fmt;
use std::sync::Arc;

use tilewire_people::accounts::{
    Account, Input, NewRegistration, NewSession, Origin, Proof, Refusal,
};
use tilewire_people::codes::{MailPurpose, RECOVERY_RANDOM, RecoveryCodes};
use tilewire_people::handles::{self, Handle, HandleKey};
use tilewire_people::invitations::InvitationsFrom;
use tilewire_rules::time::{Millis, Timestamp};

use super::change::{Changed, guest, unregistered};
use super::hashing::{Hashing, Wants};
use super::limits::{CodeLimits, TryLimits};
use super::{Blocks, ChatOff, Failure, Letters, MailProof, Pushes};
use crate::enforcement::Enforcement;
use crate::identity::{Accounts, Bearer, Issued};
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::Config;
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::session::Pass;
use tilewire_delivery::wrong_entries::{SignInTry, WrongEntries};
use tilewire_store::{AccountStore, PersonalStore, RelationStore, StoredAccount};

const DAY: Millis = Millis(24 * 3_600_000);
/// The most players that a search finds.
const FOUND_MOST: usize = 20;
/// Characters of a typed handle that are looked at. No handle is longer.
const TYPED_MAX_CHARS: usize = 2 * handles::MAX_CHARS;

/// The services that [`People`] uses.
pub struct PeopleServices {
    /// Server time.
    pub clock: ServerClock,
    /// Makes secrets and ids.
    pub ids: Ids,
    /// The stored accounts and vacations.
    pub store: Arc<dyn AccountStore>,
    /// The stored follows and blocks of players.
    pub relations: Arc<dyn RelationStore>,
    /// All blocks.
    pub blocks: Arc<Blocks>,
    /// The players who have switched chat off.
    pub chat_off: Arc<ChatOff>,
    /// Restrictions, reports, and the connections that they concern.
    pub enforcement: Enforcement,
    /// Exports and erasures.
    pub personal: Arc<dyn PersonalStore>,
    /// Identities and tokens.
    pub accounts: Arc<Accounts>,
    /// The connections, which close when their session ends.
    pub registry: Arc<Registry>,
    /// Where passwords are hashed.
    pub slow_work: SlowWork,
    /// Codes and mailboxes; `None`: the server sends no letters.
    pub letters: Option<Letters>,
    /// Devices; `None`: the server sends no pushes.
    pub pushes: Option<Pushes>,
    /// The counts of wrong passwords and codes.
    pub wrong_entries: Arc<WrongEntries>,
}

/// The accounts of players.
pub struct People {
    pub(super) parts: PeopleServices,
    pub(super) hashing: Hashing,
    pub(super) limits: TryLimits,
    pub(super) code_limits: CodeLimits,
    /// The time between the wish to be erased and its effect.
    pub(super) erased_after: Millis,
}

/// The registration of a guest.
pub struct Registration {
    /// The handle.
    pub handle: String,
    /// The password; `None`: the player logs in by mail.
    pub password: Option<String>,
    /// The proof of a mail address, if the player gives one.
    pub mail: Option<MailProof>,
    /// Whether a program plays.
    pub is_bot: bool,
    /// The program and the machine.
    pub label: String,
}

/// The recovery of an account whose player cannot log in.
pub struct Recovery {
    /// The handle.
    pub handle: String,
    /// One of the recovery codes.
    pub code: String,
    /// The new password.
    pub password: String,
    /// The program and the machine.
    pub label: String,
}

/// A player with a session.
#[derive(Debug)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// The token of the session.
    pub issued: Issued,
    /// The recovery codes, which are shown this once; empty unless they are new.
    pub recovery_codes: Vec<String>,
}

impl People {
    /// Returns the accounts of a server with these settings.
    #[must_use]
    pub fn new(parts: PeopleServices, config: &Config) -> Self {
        Self {
            hashing: Hashing::new(&config.limits, parts.slow_work),
            limits: TryLimits::new(config, parts.clock.clone()),
            code_limits: CodeLimits::new(&config.mail),
            erased_after: DAY * config.retention.erasure_days,
            parts,
        }
    }

    /// Returns the counts of wrong passwords and codes.
    #[must_use]
    pub const fn wrong_entries(&self) -> &Arc<WrongEntries> {
        &self.parts.wrong_entries
    }

    /// Returns the server's time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    /// Returns the holder of a token.
    ///
    /// # Errors
    /// [`Failure::Token`] when the token is refused.
    pub async fn bearer(&self, token: &str) -> Result<Bearer, Failure> {
        let bearer = self.parts.accounts.bearer(token).await;
        bearer.map_err(Failure::Token)
    }

    /// Returns the holder of a pass for which another server vouches.
    ///
    /// # Errors
    /// [`Failure::Token`] when the pass is refused.
    pub async fn vouched(&self, pass: Pass) -> Result<Bearer, Failure> {
        let bearer = self.parts.accounts.vouched(pass).await;
        bearer.map_err(Failure::Token)
    }

    /// Notes that another server has changed the name of a player.
    pub fn name_changed(&self, identity: &str) {
        self.parts.accounts.forget_name(identity);
    }

    /// Registers a guest. The identity stays, the first session begins, and the guest's token ends.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn register(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        asked: Registration,
    ) -> Result<SignedIn, Failure> {
        let handle = Handle::parse(&asked.handle)?;
        let identity = bearer.pass.identity.as_str();
        // Before any slow work.
        if let Some(stored) = self.parts.store.account(identity).await? {
            return Err(already_registered(&stored.account).into());
        }
        self.limits.register(from)?;
        if let Some(proof) = &asked.mail {
            // Before the code is used up.
            let holder = self.holder(identity, &handle).await?;
            if holder.is_some_and(|holder| holder.identity != identity) {
                return Err(Refusal::HandleTaken.into());
            }
            self.check_code(proof, MailPurpose::Register).await?;
        }
        let password = match asked.password {
            Some(password) => {
                let hashed = self.hashed(from, Wants::Stranger, password, &handle);
                Some(hashed.await?)
            }
            None => None,
        };
        let mail = match &asked.mail {
            Some(proof) => Some(self.proven_address(proof, MailPurpose::Register).await?),
            None => None,
        };
        let (recovery_codes, recovery) = self.new_recovery_codes(identity);
        let input = Input::Register {
            new: NewRegistration {
                handle,
                is_bot: asked.is_bot,
                password,
                recovery,
                mail,
            },
            holder: None,
            // A token of no family ends too: from now on a token needs a session.
            guest: Some(bearer.pass.family.clone()).filter(|family| !family.is_empty()),
            session: session(self.parts.ids.token_family(), &asked.label),
        };
        // No account was stored above; if one is now, the change is computed anew and refused.
        let guest = guest(identity, self.created_at(bearer));
        let changed = self.change_stored(guest, input).await?;
        self.parts.wrong_entries.signed_in(&asked.handle, from);
        metrics::registered();
        tracing::info!(identity, "a guest registered");
        signed_in(changed, recovery_codes)
    }

    /// Logs a player in: begins a session.
    ///
    /// # Errors
    /// [`Refusal::BadCredentials`], after the same work, for a wrong password, an unknown handle and an account that cannot
    /// log in; or another reason that does not depend on the account.
    pub async fn log_in(
        &self,
        from: ClientAddress,
        handle: &str,
        password: String,
        label: &str,
    ) -> Result<SignedIn, Failure> {
        let tried = self.parts.wrong_entries.try_sign_in(handle, from)?;
        let wants = match tried.is_strange() {
            true => Wants::Stranger,
            false => Wants::Known,
        };
        let log_in = async {
            let stored = self.account_of(handle).await?;
            let account = stored.as_ref().map(|stored| &stored.account);
            let verified = self.verified(from, wants, account, password).await?;
            let session = session(self.parts.ids.token_family(), label);
            let proof = Proof::Password(verified);
            match stored {
                Some(stored) => {
                    self.change_stored(stored, Input::LogIn { proof, session })
                        .await
                }
                None => Err(Refusal::BadCredentials.into()),
            }
        };
        let changed = self.ended(tried, from, log_in.await)?;
        signed_in(changed, Vec::new())
    }

    /// Sets a new password for a player who has a recovery code, ends all sessions and begins one.
    ///
    /// # Errors
    /// As for [`People::log_in`].
    pub async fn recover(&self, from: ClientAddress, asked: Recovery) -> Result<SignedIn, Failure> {
        let typed = asked.handle.as_str();
        let tried = self.parts.wrong_entries.try_sign_in(typed, from)?;
        let recover = async {
            let stored = self.account_of(typed).await?;
            // No password is hashed for a wrong code, whether or not the account exists.
            let stored =
                stored.filter(|stored| stored.account.recovers_with(self.now(), &asked.code));
            let stored = stored.ok_or(Refusal::BadCredentials)?;
            let handle = typed.to_owned();
            let new = self
                .hashed_for(from, Wants::Known, asked.password, handle)
                .await?;
            let session = session(self.parts.ids.token_family(), &asked.label);
            let proof = Proof::RecoveryCode(asked.code);
            let input = Input::Recover {
                proof,
                new,
                session,
            };
            self.change_stored(stored, input).await
        };
        let changed = self.ended(tried, from, recover.await)?;
        signed_in(changed, Vec::new())
    }

    /// Changes the password of a player who knows the current one. All sessions end, and one begins.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn change_password(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        current: String,
        new: String,
    ) -> Result<SignedIn, Failure> {
        let (handle, proof) = self.proof(bearer, from, current).await?;
        let new = self.hashed(from, Wants::Known, new, &handle).await?;
        let by = bearer.pass.family.clone();
        let family = self.parts.ids.token_family();
        let input = Input::ChangePassword {
            by,
            family,
            proof,
            new,
        };
        signed_in(self.change_of(bearer, input).await?, Vec::new())
    }

    /// Replaces the recovery codes of a player who knows the password. The codes from before no longer work. Returns the
    /// account and the codes, which are shown this once.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn replace_recovery_codes(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        password: String,
    ) -> Result<(Account, Vec<String>), Failure> {
        let (_, proof) = self.proof(bearer, from, password).await?;
        let (codes, new) = self.new_recovery_codes(&bearer.pass.identity);
        let by = bearer.pass.family.clone();
        let input = Input::ReplaceRecoveryCodes { by, proof, new };
        Ok((self.change_of(bearer, input).await?.account, codes))
    }

    fn new_recovery_codes(&self, identity: &str) -> (Vec<String>, RecoveryCodes) {
        let random: [u8; RECOVERY_RANDOM] = self.parts.ids.bytes();
        RecoveryCodes::generate(identity, &random)
    }

    /// Changes the handle.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn change_handle(&self, bearer: &Bearer, wanted: &str) -> Result<Account, Failure> {
        let input = Input::ChangeHandle {
            by: bearer.pass.family.clone(),
            handle: Handle::parse(wanted)?,
            holder: None,
        };
        Ok(self.change_of(bearer, input).await?.account)
    }

    /// Sets the players that may invite a registered player.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn take_invitations(
        &self,
        bearer: &Bearer,
        from: InvitationsFrom,
    ) -> Result<Account, Failure> {
        let input = Input::TakeInvitations { from };
        Ok(self.change_of(bearer, input).await?.account)
    }

    /// Returns the account of a player; of a guest, one without a registration.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn account(&self, bearer: &Bearer) -> Result<Account, Failure> {
        let identity = bearer.pass.identity.as_str();
        let stored = self.parts.store.account(identity).await?;
        Ok(stored.map_or_else(
            || unregistered(identity, self.created_at(bearer)),
            |stored| stored.account,
        ))
    }

    /// Returns the account of the player with this handle.
    ///
    /// # Errors
    /// [`Failure::UnknownPlayer`] when there is none.
    pub async fn player(&self, handle: &str) -> Result<Account, Failure> {
        let stored = self.account_of(handle).await?;
        Ok(stored.ok_or(Failure::UnknownPlayer)?.account)
    }

    /// Returns players whose handle begins with a text, or looks as if it did, at most 20.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn search(&self, start: &str) -> Result<Vec<Account>, Failure> {
        let start = HandleKey::of(start.trim());
        Ok(self.parts.store.search(&start, FOUND_MOST).await?)
    }

    pub(super) async fn change_of(
        &self,
        bearer: &Bearer,
        input: Input,
    ) -> Result<Changed, Failure> {
        let identity = bearer.pass.identity.as_str();
        self.change(identity, self.created_at(bearer), input).await
    }

    fn created_at(&self, bearer: &Bearer) -> Timestamp {
        let row = bearer.row.as_ref();
        row.map_or_else(|| self.parts.clock.now(), |row| row.created_at)
    }

    /// Returns the account that has a typed handle. Nothing longer than a handle is looked for.
    pub(super) async fn account_of(&self, typed: &str) -> Result<Option<StoredAccount>, Failure> {
        let start: String = typed.trim().chars().take(TYPED_MAX_CHARS).collect();
        Ok(self.parts.store.account_of(&HandleKey::of(&start)).await?)
    }

    /// Ends a try to sign in. A wrong password or code counts; an address where the player is signed in now is known.
    pub(super) fn ended(
        &self,
        tried: SignInTry<'_>,
        from: ClientAddress,
        done: Result<Changed, Failure>,
    ) -> Result<Changed, Failure> {
        match &done {
            Err(Failure::Refused(Refusal::BadCredentials) | Failure::Code(_)) => drop(tried),
            Err(_) => tried.does_not_count(),
            Ok(changed) => {
                tried.does_not_count();
                self.is_at(&changed.account, from);
            }
        }
        done
    }

    /// Notes the address of a client that has proved to be the player of an account.
    pub fn is_at(&self, account: &Account, from: ClientAddress) {
        if let Some(registration) = &account.registration {
            let handle = registration.handle.as_str();
            self.parts.wrong_entries.signed_in(handle, from);
        }
    }
}

/// Returns the session of a program. A label is one line.
pub(super) fn session(family: String, label: &str) -> NewSession {
    let label: String = label.chars().filter(|c| !c.is_control()).collect();
    NewSession { family, label }
}

pub(super) fn signed_in(
    changed: Changed,
    recovery_codes: Vec<String>,
) -> Result<SignedIn, Failure> {
    // Every change that begins a session issues its token.
    let issued = changed.issued.ok_or(Failure::Storage)?;
    Ok(SignedIn {
        account: changed.account,
        issued,
        recovery_codes,
    })
}

fn already_registered(account: &Account) -> Refusal {
    match account.origin {
        Origin::Site => Refusal::SiteAccount,
        Origin::Server => Refusal::AlreadyRegistered,
    }
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").finish_non_exhaustive()
    }
}

impl fmt::Debug for PeopleServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PeopleServices").finish_non_exhaustive()
    }
}
