//! Random identifiers. Ids are public; codes and keys are secret.

use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, PoisonError};
use tilewire_protocol::GameId;

use tilewire_rules::stream::{Seed, Stream};

/// Alphabet of ids: lower-case base32 (RFC 4648).
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Alphabet of codes that people read to each other: 30 characters, without `0 O 1 I L U`.
const CODE: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Characters of a game's or seek's id: 80 bits.
const ID_CHARS: usize = 16;

/// Characters of an identity's id: 130 bits.
const IDENTITY_CHARS: usize = 26;

/// Characters of the code of a private game: 63.8 bits. A code admits everyone who knows it, so it must be beyond
/// guessing even by an attacker with many identities.
const CODE_CHARS: usize = 13;

/// Characters of the name of a family of tokens: 80 bits.
const FAMILY_CHARS: usize = 16;

/// The prefix of the identities of a site's users; a guest's identity does not contain its last character.
pub const SITE_PREFIX: &str = "site-";

/// The source of identifiers and secrets. Cheap to clone; clones draw from the same source.
#[derive(Debug, Clone)]
pub struct Ids {
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    System,
    Seeded(Arc<Mutex<Stream>>),
}

impl Ids {
    /// Draws from the operating system.
    #[must_use]
    pub const fn system() -> Self {
        Self {
            source: Source::System,
        }
    }

    /// Draws from a seed: the same seed gives the same values. For simulations; nothing drawn so is secret.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        let stream = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("ids");
        Self {
            source: Source::Seeded(Arc::new(Mutex::new(stream))),
        }
    }

    /// Returns a new game's id.
    #[must_use]
    pub fn game_id(&self) -> GameId {
        GameId(self.base32(ID_CHARS))
    }

    /// Returns a new seek's id.
    #[must_use]
    pub fn seek_id(&self) -> String {
        self.base32(ID_CHARS)
    }

    /// Returns a new identity's id.
    #[must_use]
    pub fn identity_id(&self) -> String {
        self.base32(IDENTITY_CHARS)
    }

    /// Returns the name of a new family of tokens.
    #[must_use]
    pub fn token_family(&self) -> String {
        self.base32(FAMILY_CHARS)
    }

    /// Returns the code of a private seek or game: short, upper case, without characters that look alike. The players
    /// share it as a secret.
    #[must_use]
    pub fn private_code(&self) -> String {
        self.text(CODE, CODE_CHARS)
    }

    /// Returns 256 secret bits.
    ///
    /// # Panics
    /// When the operating system gives no randomness; no game can be dealt fairly then.
    #[must_use]
    pub fn secret(&self) -> [u8; 32] {
        self.bytes()
    }

    /// Returns random bytes.
    ///
    /// # Panics
    /// When the operating system gives no randomness.
    #[must_use]
    pub fn bytes<const COUNT: usize>(&self) -> [u8; COUNT] {
        let mut bytes = [0; COUNT];
        self.fill(&mut bytes);
        bytes
    }

    /// Returns `count` random lower-case base32 characters (five bits each).
    pub fn base32(&self, count: usize) -> String {
        self.text(BASE32, count)
    }

    /// Returns `count` characters of `alphabet`, each equally likely.
    fn text(&self, alphabet: &[u8], count: usize) -> String {
        // Bytes beyond the largest multiple of the alphabet's length would favour its first characters.
        let fair = 256 - 256 % alphabet.len();
        let mut text = String::with_capacity(count);
        let mut bytes = [0; 32];
        while text.len() < count {
            self.fill(&mut bytes);
            let chars = bytes
                .iter()
                .map(|byte| usize::from(*byte))
                .filter(|byte| *byte < fair)
                .map(|byte| char::from(alphabet[byte % alphabet.len()]));
            text.extend(chars.take(count - text.len()));
        }
        text
    }

    fn fill(&self, bytes: &mut [u8]) {
        match &self.source {
            Source::System => fill(bytes),
            Source::Seeded(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                for chunk in bytes.chunks_mut(4) {
                    let word = stream.next_u32().to_le_bytes();
                    chunk.copy_from_slice(&word[..chunk.len()]);
                }
            }
        }
    }
}

/// Returns the id of the rematch of a game. It follows from the game's id, so that a game has one rematch at most.
#[must_use]
pub fn rematch_id(of: &GameId) -> GameId {
    let digest = Sha256::new()
        .chain_update("rematch of ")
        .chain_update(of.as_str())
        .finalize();
    let chars = digest.iter().take(ID_CHARS);
    let chars = chars.map(|byte| char::from(BASE32[usize::from(*byte) % BASE32.len()]));
    GameId(chars.collect())
}

/// Returns a typed code in its stored form: case, blanks and hyphens do not count.
#[must_use]
pub fn normal_code(typed: &str) -> String {
    typed
        .chars()
        .filter(|typed| !typed.is_whitespace() && *typed != '-')
        .map(|typed| typed.to_ascii_uppercase())
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the server draws its randomness"
)]
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives randomness");
}

/// Says whether an identity belongs to a site's user.
#[must_use]
pub fn is_of_site(identity: &str) -> bool {
    identity.starts_with(SITE_PREFIX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{BASE32, CODE, Ids, normal_code};
    use tilewire_protocol::limits::{CODE_MAX_BYTES, ID_MAX_BYTES};

    const IDS: Ids = Ids::system();

    #[test]
    fn ids_fit_the_protocol_and_their_alphabet() {
        for id in [IDS.game_id().0, IDS.seek_id(), IDS.identity_id()] {
            assert!((16..=ID_MAX_BYTES).contains(&id.len()), "{id}");
            assert!(id.bytes().all(|byte| BASE32.contains(&byte)), "{id}");
        }
        let code = IDS.private_code();
        assert!(code.len() <= CODE_MAX_BYTES);
        assert!(code.bytes().all(|byte| CODE.contains(&byte)), "{code}");
    }

    #[test]
    fn a_code_may_be_typed_carelessly() {
        assert_eq!(normal_code(" abcde-23 456\n"), "ABCDE23456");
        let code = IDS.private_code();
        assert_eq!(normal_code(&code), code);
    }

    #[test]
    fn no_two_are_equal_and_every_character_comes() {
        let codes: BTreeSet<_> = (0..1_000).map(|_| IDS.private_code()).collect();
        assert_eq!(codes.len(), 1_000);
        let seen: BTreeSet<_> = codes.iter().flat_map(|code| code.bytes()).collect();
        assert_eq!(seen.len(), CODE.len());
        assert_ne!(IDS.secret(), IDS.secret());
    }

    #[test]
    fn a_seed_gives_the_same_again_and_another_one_something_else() {
        let drawn = |seed| {
            let ids = Ids::seeded(seed);
            let other = ids.clone();
            (ids.game_id(), other.secret(), ids.private_code())
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let ids = Ids::seeded(1);
        assert_ne!(ids.clone().game_id(), ids.game_id());
    }
}
