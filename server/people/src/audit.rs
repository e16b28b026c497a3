//! The audit: a chain of entries about everything that a person with a role did, and the waiting times that the server
//! ordered.
//!
//! Each entry contains the digest of the entry before it. A changed, removed or inserted entry breaks the chain, and
//! [`verify`] names the first entry that does not fit. Removing the newest entries leaves a whole chain; to find that out,
//! keep the digest of the newest entry elsewhere and pass it in.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tilewire_rules::time::Timestamp;

/// Each digest begins with this text, which names the format.
const LABEL: &str = "tilewire-audit/1";

/// The SHA-256 digest of an entry; as text, 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntryDigest([u8; 32]);

impl EntryDigest {
    /// The predecessor of the first entry.
    pub const NONE: Self = Self([0; 32]);
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 64 hexadecimal digits")]
pub struct DigestError;

impl TryFrom<String> for EntryDigest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Self, DigestError> {
        let bytes = HEXLOWER.decode(text.as_bytes()).map_err(|_| DigestError)?;
        bytes.try_into().map(Self).map_err(|_| DigestError)
    }
}

impl From<EntryDigest> for String {
    fn from(digest: EntryDigest) -> Self {
        digest.to_string()
    }
}

impl fmt::Display for EntryDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for EntryDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Something that a person with a role or the server did, before it is part of the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The identity that acted; `operator` for a command on the machine, `server` for what the server does by itself.
    pub actor: String,
    /// The stable code of the action, such as `role_granted`.
    pub action: String,
    /// The identity, game or line that it concerns.
    pub target: String,
    /// The actor's reason, in the actor's words.
    pub reason: String,
    /// When the effect of the action ends, if it does by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// An entry of the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the entry: 1, 2, 3 … without gaps.
    pub number: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The action.
    #[serde(flatten)]
    pub action: Action,
    /// The digest of the entry before it; [`EntryDigest::NONE`] for the first.
    pub previous: EntryDigest,
}

impl Entry {
    /// Returns the entry that follows `last`, the newest one; without one, the first.
    #[must_use]
    pub fn after(last: Option<&Self>, at: Timestamp, action: Action) -> Self {
        Self {
            number: last.map_or(1, |last| last.number.saturating_add(1)),
            at,
            action,
            previous: last.map_or(EntryDigest::NONE, Self::digest),
        }
    }

    /// Returns the digest of the entry: SHA-256 of every field, each text after its length in bytes.
    #[must_use]
    pub fn digest(&self) -> EntryDigest {
        let mut hash = Sha256::new();
        let action = &self.action;
        for text in [
            LABEL,
            &action.actor,
            &action.action,
            &action.target,
            &action.reason,
        ] {
            // A text is never longer than 2^64 bytes.
            hash.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(text.as_bytes());
        }
        hash.update(self.number.to_be_bytes());
        hash.update(self.at.0.to_be_bytes());
        hash.update([u8::from(action.until.is_some())]);
        hash.update(action.until.map_or(0, |until| until.0).to_be_bytes());
        hash.update(self.previous.0);
        EntryDigest(hash.finalize().into())
    }
}

/// The first place at which a chain is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrokenChain {
    /// An entry is missing, or inserted, or in the wrong place.
    #[error("expected entry {expected} and found {found}")]
    Number {
        /// The number that was expected.
        expected: u64,
        /// The number that was found.
        found: u64,
    },
    /// The entry before this one was changed, or this one names another predecessor.
    #[error("entry {number} does not follow from the entry before it")]
    Previous {
        /// The number of the entry.
        number: u64,
    },
    /// The newest entry is not the one that was noted elsewhere.
    #[error("entry {number} is not the newest entry that was noted")]
    Newest {
        /// The number of the newest entry found; 0 if there is none.
        number: u64,
    },
}

/// Checks a whole chain, oldest entry first. `newest` is the digest of the newest entry as it was noted elsewhere, if it was.
///
/// # Errors
/// The first entry that does not fit.
pub fn verify(entries: &[Entry], newest: Option<EntryDigest>) -> Result<(), BrokenChain> {
    let mut last: Option<&Entry> = None;
    for (entry, expected) in entries.iter().zip(1..) {
        let found = entry.number;
        if found != expected {
            return Err(BrokenChain::Number { expected, found });
        }
        if entry.previous != last.map_or(EntryDigest::NONE, Entry::digest) {
            return Err(BrokenChain::Previous { number: found });
        }
        last = Some(entry);
    }
    let (number, found) = last.map_or((0, EntryDigest::NONE), |last| (last.number, last.digest()));
    match newest {
        Some(newest) if newest != found => Err(BrokenChain::Newest { number }),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, BrokenChain, Entry, EntryDigest, verify};
    use tilewire_rules::time::Timestamp;

    fn chain(length: u64) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for number in 1..=length {
            let action = Action {
                actor: "operator".to_owned(),
                action: "role_granted".to_owned(),
                target: format!("player-{number}"),
                reason: "first admin".to_owned(),
                until: number.is_multiple_of(2).then_some(Timestamp(9)),
            };
            let at = Timestamp(1_800_000_000_000);
            entries.push(Entry::after(entries.last(), at, action));
        }
        entries
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Vec<Entry>), expected: Result<(), BrokenChain>) {
        let mut entries = chain(5);
        let newest = entries.last().map(Entry::digest);
        change(&mut entries);
        assert_eq!(verify(&entries, newest), expected);
    }

    #[test]
    fn a_whole_chain_is_accepted() {
        check(|_| (), Ok(()));
        assert_eq!(verify(&[], None), Ok(()));
        assert_eq!(verify(&[], Some(EntryDigest::NONE)), Ok(()));
    }

    #[test]
    fn the_first_broken_entry_is_named() {
        use BrokenChain::{Newest, Number, Previous};
        check(
            |all| all[1].action.reason.push('!'),
            Err(Previous { number: 3 }),
        );
        check(
            |all| all[1].action.until = None,
            Err(Previous { number: 3 }),
        );
        check(|all| all[2].at = Timestamp(0), Err(Previous { number: 4 }));
        check(
            |all| all[0].previous = all[3].previous,
            Err(Previous { number: 1 }),
        );
        let number = |expected, found| Err(Number { expected, found });
        check(|all| drop(all.remove(1)), number(2, 3));
        check(|all| all.swap(2, 3), number(3, 4));
        check(|all| all.insert(1, all[0].clone()), number(2, 1));
        // Text that moves from one field to the next is a change.
        let shift = |all: &mut Vec<Entry>| {
            all[1].action.actor.push('r');
            all[1].action.action.remove(0);
        };
        check(shift, Err(Previous { number: 3 }));
        check(|all| all.truncate(3), Err(Newest { number: 3 }));
        check(Vec::clear, Err(Newest { number: 0 }));
        check(
            |all| all[4].action.target.clear(),
            Err(Newest { number: 5 }),
        );
    }

    #[test]
    fn an_entry_reads_back_from_its_json_and_its_digest_never_changes() {
        let entry = chain(2).remove(1);
        let json = serde_json::to_string(&entry).expect("plain data");
        assert_eq!(
            serde_json::from_str::<Entry>(&json).expect("the same"),
            entry
        );
        assert!(json.contains(&chain(1)[0].digest().to_string()), "{json}");
        let golden = "32581da5d617820fd31864751a64a3b278dc488cc741b9a35d7942b170a75396";
        assert_eq!(entry.digest().to_string(), golden);
    }
}
