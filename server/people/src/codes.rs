//! Codes that prove who a player is without a password: recovery codes and codes by mail.
//!
//! Only digests are stored. A recovery code has 80 random bits, so a fast digest is enough; a mail code has 8 digits, and its
//! safety is the number of tries.

use std::fmt;

use data_encoding::{Encoding, Specification};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::sync::OnceLock;
use subtle::ConstantTimeEq;
use tilewire_rules::time::{Millis, Timestamp};

/// Recovery codes of one account.
pub const RECOVERY_CODES: usize = 10;
/// Random bytes of one recovery code.
pub const RECOVERY_BYTES: usize = 10;
/// Random bytes of all recovery codes of an account.
pub const RECOVERY_RANDOM: usize = RECOVERY_CODES * RECOVERY_BYTES;
/// Digits of a mail code.
pub const MAIL_CODE_DIGITS: usize = 8;
/// The lifetime of a mail code: 15 minutes.
pub const MAIL_CODE_MS: Millis = Millis(15 * 60_000);
/// The number of times that a player can enter a mail code.
pub const MAIL_CODE_TRIES: u8 = 5;

/// Characters between two hyphens of a shown recovery code.
const GROUP: usize = 4;
/// Longest typed code that is looked at, bytes.
const TYPED_MAX: usize = 64;

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// The unused recovery codes of an account, as digests.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecoveryCodes(Vec<Digest>);

impl RecoveryCodes {
    /// Makes ten codes from random bytes. Returns the codes, which the server shows once, and the digests, which it stores.
    #[must_use]
    pub fn generate(identity: &str, random: &[u8; RECOVERY_RANDOM]) -> (Vec<String>, Self) {
        let (codes, _) = random.as_chunks::<RECOVERY_BYTES>();
        let texts: Vec<String> = codes.iter().map(|bytes| alphabet().encode(bytes)).collect();
        let digests = texts.iter().map(|text| recovery_digest(identity, text));
        let digests = digests.collect();
        (
            texts.iter().map(|text| grouped(text)).collect(),
            Self(digests),
        )
    }

    /// Uses up a code. Returns whether it was an unused code of this identity. Case, blanks and hyphens do not count, nor
    /// whether a player reads `O` as zero and `I` or `L` as one.
    pub fn spend(&mut self, identity: &str, typed: &str) -> bool {
        let Some(text) = normal(typed) else {
            return false;
        };
        let digest = recovery_digest(identity, &text);
        // Every digest is compared, so that the time shows nothing.
        let found = self.0.iter().enumerate().fold(None, |found, (at, known)| {
            if bool::from(known.ct_eq(&digest)) {
                Some(at)
            } else {
                found
            }
        });
        if let Some(at) = found {
            self.0.remove(at);
        }
        found.is_some()
    }

    /// Returns the number of unused codes.
    #[must_use]
    pub fn left(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecoveryCodes({} left)", self.left())
    }
}

/// The purpose of a mail code. A code for one purpose is no proof for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailPurpose {
    /// Registers an account, or adds an address to it.
    Register,
    /// Logs in.
    LogIn,
    /// Replaces the password.
    Recover,
}

/// A code that was sent by mail, as it is stored. A session has one at a time; a new one replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailCode {
    session: String,
    purpose: MailPurpose,
    digest: Digest,
    expires_at: Timestamp,
    tries_left: u8,
}

/// Why a mail code was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailCodeError {
    /// It is another code.
    #[error("this is not the code in the mail; tries left: {tries_left}")]
    Wrong {
        /// How often the player can try again.
        tries_left: u8,
    },
    /// It has expired, was tried too often, or belongs to another session or purpose.
    #[error("this code is no longer valid; ask for another one")]
    Invalid,
}

impl MailCodeError {
    /// Returns the stable code of the error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Wrong { .. } => "mail_code_wrong",
            Self::Invalid => "mail_code_invalid",
        }
    }
}

impl MailCode {
    /// Makes a code for the session that asks for it. Returns the eight digits, which the mail contains, and the state, which
    /// the server stores.
    #[must_use]
    pub fn issue(
        session: &str,
        purpose: MailPurpose,
        random: [u8; 8],
        now: Timestamp,
    ) -> (String, Self) {
        // 2^64 is so large that all codes are equally likely for every practical purpose.
        let number = u64::from_be_bytes(random) % 100_000_000;
        let digits = format!("{number:0width$}", width = MAIL_CODE_DIGITS);
        let stored = Self {
            session: session.to_owned(),
            purpose,
            digest: mail_digest(session, &digits),
            expires_at: now + MAIL_CODE_MS,
            tries_left: MAIL_CODE_TRIES,
        };
        (digits, stored)
    }

    /// Tries a typed code. A right one is used up, and so is the last try. The caller stores the code after every call,
    /// before it answers.
    ///
    /// # Errors
    /// The reason for the refusal.
    pub fn attempt(
        &mut self,
        session: &str,
        purpose: MailPurpose,
        typed: &str,
        now: Timestamp,
    ) -> Result<(), MailCodeError> {
        let is_valid = self.tries_left > 0 && now < self.expires_at;
        if !is_valid || self.session != session || self.purpose != purpose {
            return Err(MailCodeError::Invalid);
        }
        self.tries_left -= 1;
        let digits: String = typed
            .chars()
            .take(TYPED_MAX)
            .filter(char::is_ascii_digit)
            .collect();
        if bool::from(self.digest.ct_eq(&mail_digest(session, &digits))) {
            self.tries_left = 0;
            return Ok(());
        }
        match self.tries_left {
            0 => Err(MailCodeError::Invalid),
            tries_left => Err(MailCodeError::Wrong { tries_left }),
        }
    }
}

/// Crockford's base 32: no I, L, O and U.
fn alphabet() -> &'static Encoding {
    static ALPHABET: OnceLock<Encoding> = OnceLock::new();
    ALPHABET.get_or_init(|| {
        let mut specification = Specification::new();
        specification
            .symbols
            .push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
        specification.encoding().expect("32 different characters")
    })
}

fn grouped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let groups: Vec<String> = chars
        .chunks(GROUP)
        .map(|group| group.iter().collect())
        .collect();
    groups.join("-")
}

/// Returns a typed recovery code as it was made; `None` if it is too long for one.
fn normal(typed: &str) -> Option<String> {
    if typed.len() > TYPED_MAX {
        return None;
    }
    let chars = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let chars = chars.map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    });
    Some(chars.collect())
}

fn recovery_digest(identity: &str, text: &str) -> Digest {
    digest("tilewire-recovery/1", identity, text)
}

fn mail_digest(session: &str, digits: &str) -> Digest {
    digest("tilewire-mail-code/1", session, digits)
}

/// The digest of a code, bound to its owner. A zero byte separates the parts; label and owner contain none.
fn digest(label: &str, owner: &str, text: &str) -> Digest {
    let mut hash = Sha256::new();
    for part in [label, owner, text] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
