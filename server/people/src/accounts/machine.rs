//! The machine: sessions, credentials and handles.

use tilewire_rules::time::Timestamp;

use super::{
    Account, Effect, FormerHandle, Holder, Input, LABEL_MAX_CHARS, NewRegistration, NewSession,
    Notice, Origin, Proof, Refusal, Registration, SESSIONS_MAX, Session,
};
use crate::handles::{CHANGE_EVERY, Handle, RESERVED_FOR};
use crate::passwords::{PasswordHash, Verified};

type Done = Result<Vec<Effect>, Refusal>;

/// Logs a player in. `account` is the one that the store knows under the typed handle or address, if there is one.
///
/// The caller has paid with [`super::SignInLimits::pay`] before, and has verified the password even without an account
/// ([`crate::passwords::verify`]), so that the time of the answer does not show whether the account exists.
///
/// # Errors
/// [`Refusal::BadCredentials`] for a wrong proof, an unknown or unregistered player, and a user of the embedding site;
/// [`Refusal::Suspended`] for a suspended player with the right proof.
pub fn log_in(
    account: Option<&mut Account>,
    now: Timestamp,
    proof: Proof,
    session: NewSession,
) -> Done {
    let account = account.ok_or(Refusal::BadCredentials)?;
    account.handle(now, Input::LogIn { proof, session })
}

/// Sets a new password for a player who cannot log in. `account` is as for [`log_in`].
///
/// # Errors
/// [`Refusal::BadCredentials`], as for [`log_in`].
pub fn recover(
    account: Option<&mut Account>,
    now: Timestamp,
    proof: Proof,
    new: PasswordHash,
    session: NewSession,
) -> Done {
    let account = account.ok_or(Refusal::BadCredentials)?;
    account.handle(
        now,
        Input::Recover {
            proof,
            new,
            session,
        },
    )
}

impl Account {
    /// Applies an input at server time `now`. The caller stores the account, carries out the effects in order and then
    /// answers the player.
    ///
    /// # Errors
    /// The reason for a refusal; the account is unchanged then.
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Done {
        let mut next = self.clone();
        let effects = next.apply(now, input)?;
        *self = next;
        Ok(effects)
    }

    fn apply(&mut self, now: Timestamp, input: Input) -> Done {
        match input {
            Input::Register {
                new,
                holder,
                guest,
                session,
            } => {
                let fresh = self.registration(now, new, holder.as_ref())?;
                self.register(now, fresh, guest, session)
            }
            Input::LogIn { proof, session } => self.log_in(now, &proof, session),
            Input::OpenSession { session } => {
                self.own_registration()?;
                Ok(self.open_session(now, session))
            }
            Input::Used { by } => self.used(now, &by),
            Input::LogOut { by } => self.end_own(&by, |session| session.family == by),
            Input::RevokeSession { by, family } => {
                self.acting(&by)?;
                self.session(&family).ok_or(Refusal::NoSuchSession)?;
                Ok(self.end_sessions(|session| session.family == family))
            }
            Input::RevokeOtherSessions { by } => self.end_own(&by, |session| session.family != by),
            Input::ChangePassword {
                by,
                family,
                proof,
                new,
            } => self.change_password(now, by, family, &proof, new),
            Input::ReplaceRecoveryCodes { by, proof, new } => {
                self.proven(&by, &proof)?.recovery = new;
                Ok(vec![Effect::Notify(Notice::RecoveryCodesReplaced)])
            }
            Input::ChangeMail { by, proof, new } => self.change_mail(&by, &proof, new),
            Input::ChangeHandle { by, handle, holder } => {
                self.change_handle(now, &by, handle, holder.as_ref())
            }
            Input::TakeInvitations { from } => self.choose(|own| own.invitations_from = from),
            Input::ChooseLetters { letters } => self.choose(|own| own.letters = letters),
            Input::ChoosePushes { pushes } => self.choose(|own| own.pushes = pushes),
            Input::SwitchChat { is_on } => self.choose(|own| own.has_no_chat = !is_on),
            Input::Recover {
                proof,
                new,
                session,
            } => self.recover(now, &proof, new, session),
            Input::GrantRole {
                actor,
                role,
                reason,
            } => self.grant_role(&actor, role, &reason),
            Input::RevokeRole {
                actor,
                role,
                reason,
            } => self.revoke_role(&actor, role, &reason),
            Input::Suspend {
                actor,
                until,
                reason,
            } => self.suspend(now, &actor, until, &reason),
            Input::Restore { actor, reason } => self.restore(now, &actor, &reason),
            Input::Rename {
                actor,
                handle,
                holder,
                reason,
            } => self.rename(now, &actor, handle, holder.as_ref(), &reason),
        }
    }

    /// Ends sessions for the player of one.
    fn end_own(&mut self, by: &str, ends: impl Fn(&Session) -> bool) -> Done {
        self.acting(by)?;
        Ok(self.end_sessions(ends))
    }

    /// Changes a setting of a registered player.
    fn choose(&mut self, change: impl FnOnce(&mut Self)) -> Done {
        self.registration.as_ref().ok_or(Refusal::NotRegistered)?;
        change(self);
        Ok(Vec::new())
    }

    fn registration(
        &self,
        now: Timestamp,
        new: NewRegistration,
        holder: Option<&Holder>,
    ) -> Result<Registration, Refusal> {
        if self.origin == Origin::Site {
            return Err(Refusal::SiteAccount);
        }
        if self.registration.is_some() {
            return Err(Refusal::AlreadyRegistered);
        }
        if new.password.is_none() && new.mail.is_none() {
            return Err(Refusal::NoCredential);
        }
        self.check_free(now, holder)?;
        Ok(Registration {
            handle: new.handle,
            is_bot: new.is_bot,
            at: now,
            handle_changed_at: None,
            former_handles: Vec::new(),
            password: new.password,
            recovery: new.recovery,
            mail: new.mail,
        })
    }

    fn register(
        &mut self,
        now: Timestamp,
        fresh: Registration,
        guest: Option<String>,
        session: NewSession,
    ) -> Done {
        if self.is_suspended(now) {
            return Err(Refusal::Forbidden);
        }
        let mut effects = vec![Effect::ClaimHandle(fresh.handle.key())];
        self.registration = Some(fresh);
        effects.extend(self.open_session(now, session));
        effects.extend(guest.map(|guest| Effect::RevokeFamilies(vec![guest])));
        Ok(effects)
    }

    fn log_in(&mut self, now: Timestamp, proof: &Proof, session: NewSession) -> Done {
        let registration = self.registration.as_ref();
        let is_proven = registration.is_some_and(|registration| registration.accepts(proof));
        if self.origin == Origin::Site || !is_proven {
            return Err(Refusal::BadCredentials);
        }
        self.check_suspension(now)?;
        Ok(self.open_session(now, session))
    }

    fn used(&mut self, now: Timestamp, by: &str) -> Done {
        let session = self
            .sessions
            .iter_mut()
            .find(|session| session.family == by);
        let session = session.ok_or(Refusal::SessionEnded)?;
        session.used_at = session.used_at.max(now);
        Ok(Vec::new())
    }

    fn change_password(
        &mut self,
        now: Timestamp,
        by: String,
        family: String,
        proof: &Proof,
        new: PasswordHash,
    ) -> Done {
        self.proven(&by, proof)?.password = Some(new);
        let own = self.session(&by).ok_or(Refusal::SessionEnded)?;
        let label = own.label.clone();
        let (from, to) = (by, family.clone());
        let mut effects = vec![
            Effect::Notify(Notice::PasswordChanged),
            Effect::MovePushes { from, to },
        ];
        effects.extend(self.end_sessions(|_| true));
        effects.extend(self.open_session(now, NewSession { family, label }));
        Ok(effects)
    }

    fn change_mail(&mut self, by: &str, proof: &Proof, new: Option<String>) -> Done {
        let registration = self.proven(by, proof)?;
        if new.is_none() && registration.password.is_none() {
            return Err(Refusal::NoCredential);
        }
        if registration.mail == new {
            return Err(Refusal::NoChange);
        }
        let old = std::mem::replace(&mut registration.mail, new.clone());
        Ok(vec![Effect::Notify(Notice::MailChanged { old, new })])
    }

    fn change_handle(
        &mut self,
        now: Timestamp,
        by: &str,
        handle: Handle,
        holder: Option<&Holder>,
    ) -> Done {
        self.acting(by)?;
        self.check_free(now, holder)?;
        let registration = self.own_registration()?;
        let until = registration.handle_changed_at.map(|at| at + CHANGE_EVERY);
        let is_early = until.filter(|until| now < *until && registration.handle != handle);
        if let Some(until) = is_early {
            return Err(Refusal::HandleChangedRecently { until });
        }
        self.take_handle(now, handle, holder)
    }

    /// Gives the player another handle, at any time.
    pub(super) fn take_handle(
        &mut self,
        now: Timestamp,
        handle: Handle,
        holder: Option<&Holder>,
    ) -> Done {
        self.check_free(now, holder)?;
        let registration = self.own_registration()?;
        if registration.handle == handle {
            return Err(Refusal::NoChange);
        }
        let (old, key) = (registration.handle.key(), handle.key());
        let former = FormerHandle {
            handle: std::mem::replace(&mut registration.handle, handle),
            reserved_until: now + RESERVED_FOR,
        };
        registration.handle_changed_at = Some(now);
        let mut effects = Vec::new();
        // A change of case keeps the key; there is nothing to reserve then.
        if old != key {
            let until = former.reserved_until;
            effects.push(Effect::ReserveHandle { key: old, until });
        }
        // The player can return to a handle of the past.
        registration
            .former_handles
            .retain(|past| past.handle.key() != key);
        registration.former_handles.push(former);
        effects.push(Effect::ClaimHandle(key));
        Ok(effects)
    }

    /// Says whether a typed recovery code would replace the password now.
    #[must_use]
    pub fn recovers_with(&self, now: Timestamp, typed: &str) -> bool {
        let registration = self.registration.as_ref();
        let registration = registration.filter(|_| self.origin == Origin::Server);
        let is_right = registration
            .is_some_and(|registration| registration.recovery.clone().spend(&self.identity, typed));
        is_right && !self.is_suspended(now)
    }

    fn recover(
        &mut self,
        now: Timestamp,
        proof: &Proof,
        new: PasswordHash,
        session: NewSession,
    ) -> Done {
        if self.is_suspended(now) {
            return Err(Refusal::BadCredentials);
        }
        let identity = self.identity.clone();
        let registration = self
            .own_registration()
            .map_err(|_| Refusal::BadCredentials)?;
        let holds = match proof {
            Proof::RecoveryCode(typed) => registration.recovery.spend(&identity, typed),
            Proof::MailCode => registration.mail.is_some(),
            Proof::Password(_) => false,
        };
        if !holds {
            return Err(Refusal::BadCredentials);
        }
        registration.password = Some(new);
        let codes_left = registration.recovery.left();
        let mut effects = self.end_sessions(|other| other.family != session.family);
        effects.extend(self.open_session(now, session));
        effects.push(Effect::Notify(Notice::Recovered { codes_left }));
        Ok(effects)
    }

    /// Checks that the session from which the player acts has not ended. A user of a site has no sessions here.
    fn acting(&self, by: &str) -> Result<(), Refusal> {
        if self.origin == Origin::Site {
            return Err(Refusal::SiteAccount);
        }
        self.session(by).map(|_| ()).ok_or(Refusal::SessionEnded)
    }

    /// Returns the registration, if this server keeps the name and the password.
    fn own_registration(&mut self) -> Result<&mut Registration, Refusal> {
        if self.origin == Origin::Site {
            return Err(Refusal::SiteAccount);
        }
        self.registration.as_mut().ok_or(Refusal::NotRegistered)
    }

    /// Returns the registration, if a player who acts from this session has proved to be the owner.
    fn proven(&mut self, by: &str, proof: &Proof) -> Result<&mut Registration, Refusal> {
        self.acting(by)?;
        let registration = self.own_registration()?;
        if registration.accepts(proof) {
            Ok(registration)
        } else {
            Err(Refusal::WrongProof)
        }
    }

    /// Refuses a suspended player. The caller has checked the password or the code before.
    fn check_suspension(&self, now: Timestamp) -> Result<(), Refusal> {
        match &self.suspension {
            Some(suspension) if self.is_suspended(now) => Err(Refusal::Suspended {
                until: suspension.until,
                reason: suspension.reason.clone(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Checks that no other account has the handle, or has it reserved.
    fn check_free(&self, now: Timestamp, holder: Option<&Holder>) -> Result<(), Refusal> {
        let is_taken = holder.is_some_and(|holder| {
            let is_over = holder.reserved_until.is_some_and(|until| until <= now);
            holder.identity != self.identity && !is_over
        });
        if is_taken {
            Err(Refusal::HandleTaken)
        } else {
            Ok(())
        }
    }

    /// Begins a session. Beyond the limit, the session that was not used for the longest time ends.
    fn open_session(&mut self, now: Timestamp, session: NewSession) -> Vec<Effect> {
        let NewSession { family, label } = session;
        let label: String = label.chars().take(LABEL_MAX_CHARS).collect();
        let mut effects = Vec::new();
        while self.sessions.len() >= SESSIONS_MAX {
            let oldest = self.sessions.iter().min_by_key(|session| session.used_at);
            let Some(oldest) = oldest.map(|session| session.family.clone()) else {
                break;
            };
            effects.extend(self.end_sessions(|session| session.family == oldest));
        }
        self.sessions.push(Session {
            family: family.clone(),
            label,
            created_at: now,
            used_at: now,
        });
        effects.push(Effect::IssueToken { family });
        effects
    }

    /// Ends the sessions that `ends` selects.
    pub(super) fn end_sessions(&mut self, ends: impl Fn(&Session) -> bool) -> Vec<Effect> {
        let ended = self.sessions.extract_if(.., |session| ends(session));
        let families: Vec<String> = ended.map(|session| session.family).collect();
        if families.is_empty() {
            return Vec::new();
        }
        vec![Effect::RevokeFamilies(families)]
    }
}

impl Registration {
    /// Returns whether a proof shows, for a login or a change, that the player is the owner. Without an address no mail code
    /// can have been sent.
    const fn accepts(&self, proof: &Proof) -> bool {
        match proof {
            Proof::Password(Verified::Right) => self.password.is_some(),
            Proof::MailCode => self.mail.is_some(),
            Proof::Password(Verified::Wrong) | Proof::RecoveryCode(_) => false,
        }
    }
}
