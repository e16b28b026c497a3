//! Passwords: the policy for new ones, and their hashes.
//!
//! A hash is argon2id with 19 MiB of memory, two passes and one lane, in the PHC string format (OWASP's minimum). It takes
//! some 20 ms and 19 MiB: the caller computes it on a thread of its own, at most two at once.
//!
//! The strength meter, zxcvbn, reads the current year for passwords that contain a date. It is the only influence on a
//! result that is no argument.

use std::fmt;

use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// The fewest characters of a password.
pub const MIN_CHARS: usize = 10;
/// The most characters of a password. A longer text costs the meter and the hash too much.
pub const MAX_CHARS: usize = 128;
/// The lowest score of zxcvbn, of 0 to 4, that a new password needs.
pub const MIN_SCORE: u8 = 3;
/// Memory of one hash, KiB.
pub const MEMORY_KIB: u32 = 19 * 1024;
/// Passes of one hash.
pub const PASSES: u32 = 2;
/// Lanes of one hash.
pub const LANES: u32 = 1;
/// Bytes of a salt.
pub const SALT_BYTES: usize = 16;

/// The longest text that is read, in bytes: `MAX_CHARS` characters of four bytes.
const MAX_BYTES: usize = MAX_CHARS * 4;
/// A hash of no known password, with the parameters of every other hash.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$9bemiBe1JKkWtec4PSpnQw$412caA1nGv4XxuqR2R2JKzn828ZQCnfirFIiyRUOhd0";

/// How much work the hash of a new password is. Hashes of both kinds are compared alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// [`MEMORY_KIB`] and [`PASSES`].
    #[default]
    Usual,
    /// As little as there can be, for simulations.
    Least,
}

/// Why a text cannot be a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// It is too short.
    #[error("a password has at least {MIN_CHARS} characters")]
    TooShort,
    /// It is too long.
    #[error("a password has at most {MAX_CHARS} characters")]
    TooLong,
    /// It is too easy to guess.
    #[error("this password is too easy to guess; use several uncommon words, and not your handle")]
    TooWeak,
}

impl PasswordError {
    /// Returns the stable code of the error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooShort => "password_too_short",
            Self::TooLong => "password_too_long",
            Self::TooWeak => "password_too_weak",
        }
    }
}

/// A password that meets the policy and is not hashed yet. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl NewPassword {
    /// Checks a text that a player wants as the password. `handle` is the player's handle; a password like it is weak.
    ///
    /// The text is normalised (NFKC), so that the same keys give the same password on every system.
    ///
    /// # Errors
    /// The rule that the text breaks.
    pub fn check(wanted: &str, handle: &str) -> Result<Self, PasswordError> {
        let text = normal(wanted).ok_or(PasswordError::TooLong)?;
        if text.chars().count() < MIN_CHARS {
            return Err(PasswordError::TooShort);
        }
        let folded = handle.to_lowercase();
        let entropy = zxcvbn::zxcvbn(&text, &[handle, folded.as_str(), "tilewire"]);
        if u8::from(entropy.score()) < MIN_SCORE {
            return Err(PasswordError::TooWeak);
        }
        Ok(Self(text))
    }

    /// Returns the hash with a salt that the caller has drawn at random. Slow on purpose.
    #[must_use]
    pub fn hash(&self, salt: &[u8; SALT_BYTES], cost: Cost) -> PasswordHash {
        let hash: Phc = hasher(cost)
            .hash_password_with_salt(self.0.as_bytes(), salt)
            .expect("the password is short and the salt has a usual length");
        PasswordHash(hash.to_string())
    }
}

impl fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPassword")
    }
}

/// The stored hash of a password, in the PHC string format.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Returns the hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash")
    }
}

/// Whether a password was the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// It was.
    Right,
    /// It was not, or there is no account.
    Wrong,
}

/// Compares a typed password with a stored hash. Slow on purpose.
///
/// Without a hash (no such account, or an account without a password) it does the same work with a decoy and answers
/// [`Verified::Wrong`], so that the time does not show whether the account exists.
#[must_use]
pub fn verify(stored: Option<&PasswordHash>, typed: &str) -> Verified {
    let hash = stored.map_or(DECOY, PasswordHash::as_str);
    // No account has a longer password; the length is the guesser's own.
    let Some(text) = normal(typed) else {
        return Verified::Wrong;
    };
    // A hash that cannot be read admits nobody.
    let is_equal = Phc::new(hash).is_ok_and(|hash| {
        hasher(Cost::Usual)
            .verify_password(text.as_bytes(), &hash)
            .is_ok()
    });
    match stored {
        Some(_) if is_equal => Verified::Right,
        Some(_) | None => Verified::Wrong,
    }
}

fn hasher(cost: Cost) -> Argon2<'static> {
    let (memory_kib, passes) = match cost {
        Cost::Usual => (MEMORY_KIB, PASSES),
        Cost::Least => (Params::MIN_M_COST, Params::MIN_T_COST),
    };
    let params = Params::new(memory_kib, passes, LANES, None).expect("valid parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Returns the normal form of a password; `None` if it is too long.
fn normal(text: &str) -> Option<String> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let text: String = text.nfkc().collect();
    (text.chars().count() <= MAX_CHARS).then_some(text)
}

#[cfg(test)]
mod tests;
