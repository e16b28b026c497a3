//! Mail addresses of accounts: codes that prove them, logins and recoveries by code, and the letters that a player wants.
//!
//! An answer never shows whether an account has an address: every request for a code gets a ticket, and only a letter tells
//! its reader more. A code counts only with its ticket, which nobody but the client that asked has.

use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tilewire_people::accounts::{Account, Input, Proof, Refusal};
use tilewire_people::codes::{MAIL_CODE_MS, MailCode, MailCodeError, MailPurpose};
use tilewire_people::letters::{Address, Language, LetterChoices, LetterKind};
use tilewire_rules::time::{Millis, Timestamp};

use super::hashing::Wants;
use super::service::{session, signed_in};
use super::{Blocks, Failure, People, SignedIn};
use crate::identity::Bearer;
use crate::links::LinkKey;
use tilewire_base::address::ClientAddress;
use tilewire_store::{Hidden, Letter, Mailbox, NewLetter, OutboxStore, StoredAccount, StoredCode};

/// Characters of a ticket: 130 bits.
const TICKET_CHARS: usize = 26;
/// Bytes of a typed ticket that are looked at.
const TICKET_MAX_BYTES: usize = 64;
/// The time for which a code is kept after it was made; it counts for less.
const KEPT_MS: Millis = Millis(2 * MAIL_CODE_MS.0);
/// How often an attempt is repeated because another one was faster.
const ATTEMPTS: usize = 8;

/// The services that the accounts use for letters.
#[derive(Debug, Clone)]
pub struct Letters {
    /// Codes and mailboxes.
    pub store: Arc<dyn OutboxStore>,
    /// Reads links in letters.
    pub key: LinkKey,
    /// Whether the mail server can be reached. The courier notes it.
    pub reach: MailReach,
}

/// Whether the mail server answered when this server last spoke to it.
#[derive(Debug, Clone, Default)]
pub struct MailReach(Arc<Mutex<Option<bool>>>);

impl MailReach {
    /// Returns whether it answered; `None`: this server has not spoken to it.
    #[must_use]
    pub fn last(&self) -> Option<bool> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether it answered. Returns what was noted before.
    pub fn note(&self, is_there: Option<bool>) -> Option<bool> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *last, is_there)
    }
}

/// A code on its way.
#[derive(Debug)]
pub struct CodeSent {
    /// The ticket that the code counts with.
    pub ticket: String,
    /// When the code expires.
    pub expires_at: Timestamp,
    /// Whether the letter waits for the mail server, which did not answer last.
    pub is_delayed: bool,
}

/// A request for a code.
#[derive(Debug)]
pub struct CodeAsked {
    /// The mail address.
    pub address: String,
    /// The purpose of the code.
    pub purpose: MailPurpose,
    /// The language of the letter, if the address belongs to no account.
    pub language: Language,
}

/// A code with its ticket.
#[derive(Debug)]
pub struct MailProof {
    /// The ticket.
    pub ticket: Hidden,
    /// The code, as the player typed it.
    pub code: Hidden,
}

impl People {
    fn letters(&self) -> Result<&Letters, Failure> {
        self.parts.letters.as_ref().ok_or(Failure::MailOff)
    }

    /// Sends a code to a mail address. Returns the ticket for it, and when the code expires. A code to log in or to recover
    /// goes only to the address of an account, and no further ones because of strangers after so many; the answer is the same.
    ///
    /// # Errors
    /// When the server sends no letters, the text is no address, or too many codes were asked for.
    pub async fn mail_code(
        &self,
        from: ClientAddress,
        asked: CodeAsked,
    ) -> Result<CodeSent, Failure> {
        let letters = self.letters()?;
        let address: Address = asked.address.parse()?;
        let now = self.now();
        let mailbox = address.mailbox();
        self.code_limits.ask(from, &mailbox, now)?;
        let owner = self.owner(&address).await?;
        let ids = &self.parts.ids;
        let ticket = ids.base32(TICKET_CHARS);
        let (digits, code) = MailCode::issue(&ticket, asked.purpose, ids.bytes(), now);
        let digest = ticket_digest(&ticket);
        let account = owner.as_ref().map(|stored| &stored.account);
        if asked.purpose == MailPurpose::Register {
            self.code_limits.claim(&mailbox, now)?;
        }
        let has_reader = account.is_some() || asked.purpose == MailPurpose::Register;
        let registration = account.and_then(|account| account.registration.as_ref());
        let entries = &self.parts.wrong_entries;
        let is_at_home = registration.is_some_and(|one| entries.knows(one.handle.as_str(), from));
        // The answer must not show whether a letter goes out.
        let is_sent =
            has_reader && (is_at_home || self.code_limits.send_for_stranger(&mailbox, now));
        let language = account.map_or(asked.language, |account| account.letters.language);
        let letter = is_sent.then(|| NewLetter {
            key: format!("code/{digest}"),
            identity: account.map_or_else(String::new, |account| account.identity.clone()),
            address: Some(Hidden(address.as_str().to_owned())),
            game: None,
            at: now,
            due_at: now,
            until: now + MAIL_CODE_MS,
            content: Letter::Code {
                digits: Hidden(digits),
                purpose: asked.purpose,
                language,
            },
        });
        let stored = StoredCode {
            ticket: digest,
            address: Hidden(address.as_str().to_owned()),
            code,
            expires_at: now + KEPT_MS,
        };
        letters.store.put_code(stored, letter, now).await?;
        Ok(CodeSent {
            ticket,
            expires_at: now + MAIL_CODE_MS,
            // The same for an address that no account has.
            is_delayed: letters.reach.last() == Some(false),
        })
    }

    /// Checks a code without using it up, if it is right. A wrong one counts as a try.
    pub(super) async fn check_code(
        &self,
        proof: &MailProof,
        purpose: MailPurpose,
    ) -> Result<(), Failure> {
        let ticket = proof.ticket.0.as_str();
        if ticket.len() <= TICKET_MAX_BYTES {
            let stored = self.letters()?.store.code(&ticket_digest(ticket)).await?;
            let is_right = stored.is_some_and(|mut stored| {
                let tried = stored
                    .code
                    .attempt(ticket, purpose, &proof.code.0, self.now());
                tried.is_ok()
            });
            if is_right {
                return Ok(());
            }
        }
        self.proven_address(proof, purpose).await?;
        // It was wrong a moment ago.
        Err(MailCodeError::Invalid.into())
    }

    /// Returns the address that a code proves. The code is used up.
    pub(super) async fn proven_address(
        &self,
        proof: &MailProof,
        purpose: MailPurpose,
    ) -> Result<String, Failure> {
        let store = &self.letters()?.store;
        let ticket = proof.ticket.0.as_str();
        if ticket.len() > TICKET_MAX_BYTES {
            return Err(MailCodeError::Invalid.into());
        }
        let digest = ticket_digest(ticket);
        for _ in 0..ATTEMPTS {
            let Some(stored) = store.code(&digest).await? else {
                return Err(MailCodeError::Invalid.into());
            };
            let mut after = stored.code.clone();
            let tried = after.attempt(ticket, purpose, &proof.code.0, self.now());
            if after != stored.code
                && !store
                    .replace_code(digest.clone(), stored.code, after)
                    .await?
            {
                continue; // another attempt was faster
            }
            tried?;
            return Ok(stored.address.0);
        }
        Err(Failure::Busy)
    }

    /// Logs a player in who has a code for the address of the account.
    ///
    /// # Errors
    /// When the code is refused, no account has the address, or the account cannot log in.
    pub async fn log_in_by_mail(
        &self,
        from: ClientAddress,
        proof: MailProof,
        label: &str,
    ) -> Result<SignedIn, Failure> {
        let tried = self.parts.wrong_entries.try_code(from)?;
        let log_in = async {
            let stored = self.proven_owner(&proof, MailPurpose::LogIn).await?;
            let session = session(self.parts.ids.token_family(), label);
            let proof = Proof::MailCode;
            self.change_stored(stored, Input::LogIn { proof, session })
                .await
        };
        signed_in(self.ended(tried, from, log_in.await)?, Vec::new())
    }

    /// Sets a new password for a player who has a code for the address of the account; ends all sessions and begins one.
    ///
    /// # Errors
    /// As for [`People::log_in_by_mail`], and when the password is refused. A right code is not used up then.
    pub async fn recover_by_mail(
        &self,
        from: ClientAddress,
        proof: MailProof,
        password: String,
        label: &str,
    ) -> Result<SignedIn, Failure> {
        let tried = self.parts.wrong_entries.try_code(from)?;
        let recover = async {
            // No password is hashed for a wrong code.
            self.check_code(&proof, MailPurpose::Recover).await?;
            let handle = String::new();
            let new = self
                .hashed_for(from, Wants::Known, password, handle)
                .await?;
            let stored = self.proven_owner(&proof, MailPurpose::Recover).await?;
            let session = session(self.parts.ids.token_family(), label);
            let input = Input::Recover {
                proof: Proof::MailCode,
                new,
                session,
            };
            self.change_stored(stored, input).await
        };
        signed_in(self.ended(tried, from, recover.await)?, Vec::new())
    }

    /// Gives an account another address, which the player has proved. The player is the owner by the password, or by a code
    /// for the present address.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn change_mail(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        new: MailProof,
        owner: OwnerProof,
    ) -> Result<Account, Failure> {
        let proof = self.owner_proof(bearer, from, owner).await?;
        let address = self.proven_address(&new, MailPurpose::Register).await?;
        let by = bearer.pass.family.clone();
        let new = Some(address);
        let changed = self.change_of(bearer, Input::ChangeMail { by, proof, new });
        Ok(changed.await?.account)
    }

    /// Takes the address away from an account that has a password.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn remove_mail(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        owner: OwnerProof,
    ) -> Result<Account, Failure> {
        let proof = self.owner_proof(bearer, from, owner).await?;
        let by = bearer.pass.family.clone();
        let changed = self.change_of(
            bearer,
            Input::ChangeMail {
                by,
                proof,
                new: None,
            },
        );
        Ok(changed.await?.account)
    }

    /// Sets the letters that a player wants.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn choose_letters(
        &self,
        bearer: &Bearer,
        letters: LetterChoices,
    ) -> Result<Account, Failure> {
        let changed = self.change_of(bearer, Input::ChooseLetters { letters });
        Ok(changed.await?.account)
    }

    /// Returns the mailbox of a player; `None` without an address, and if the server sends no letters.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn mailbox(&self, identity: &str) -> Result<Option<Mailbox>, Failure> {
        match &self.parts.letters {
            Some(letters) => Ok(letters.store.mailbox(identity).await?),
            None => Ok(None),
        }
    }

    /// Returns the blocks between players.
    #[must_use]
    pub const fn blocks(&self) -> &Arc<Blocks> {
        &self.parts.blocks
    }

    /// Says whether the server sends letters or pushes.
    #[must_use]
    pub const fn sends_news(&self) -> bool {
        self.parts.letters.is_some() || self.parts.pushes.is_some()
    }

    /// Returns the player and the kind of a link in a letter.
    pub fn linked<'a>(&self, path: &'a str) -> Option<(&'a str, LetterKind)> {
        self.parts.letters.as_ref()?.key.read(path)
    }

    /// Ends letters of a kind to a player who has followed a link of a letter.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn unsubscribe(&self, identity: &str, kind: LetterKind) -> Result<(), Failure> {
        let Some(stored) = self.parts.store.account(identity).await? else {
            return Ok(()); // there is nobody to write to
        };
        let letters = stored.account.letters.without(kind);
        let changed = self.change_stored(stored, Input::ChooseLetters { letters });
        match changed.await {
            Ok(_) | Err(Failure::Refused(Refusal::NotRegistered)) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the account with an address.
    async fn owner(&self, address: &Address) -> Result<Option<StoredAccount>, Failure> {
        let letters = self.letters()?;
        match letters.store.mailbox_of(&address.key()).await? {
            Some(mailbox) => Ok(self.parts.store.account(&mailbox.identity).await?),
            None => Ok(None),
        }
    }

    /// Returns the account whose address a code proves.
    async fn proven_owner(
        &self,
        proof: &MailProof,
        purpose: MailPurpose,
    ) -> Result<StoredAccount, Failure> {
        let address = self.proven_address(proof, purpose).await?;
        let owner = self.owner(&address.parse()?).await?;
        owner.ok_or_else(|| Refusal::BadCredentials.into())
    }

    async fn owner_proof(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        owner: OwnerProof,
    ) -> Result<Proof, Failure> {
        match owner {
            OwnerProof::Password(password) => {
                let (_, proof) = self.proof(bearer, from, password).await?;
                Ok(proof)
            }
            OwnerProof::Code(code) => {
                let address = self.proven_address(&code, MailPurpose::LogIn).await?;
                let account = self.account(bearer).await?;
                let own = account
                    .registration
                    .and_then(|registration| registration.mail);
                match own == Some(address) {
                    true => Ok(Proof::MailCode),
                    false => Err(Refusal::WrongProof.into()),
                }
            }
        }
    }
}

/// The proof that a player who is logged in is the owner of the account.
#[derive(Debug)]
pub enum OwnerProof {
    /// The password.
    Password(String),
    /// A code for the present address.
    Code(MailProof),
}

/// Returns the form in which a ticket is stored. The storage alone opens nothing.
fn ticket_digest(ticket: &str) -> String {
    let digest = Sha256::new()
        .chain_update("tilewire-mail-ticket/1\0")
        .chain_update(ticket)
        .finalize();
    HEXLOWER.encode(&digest)
}

#[cfg(test)]
mod tests;
