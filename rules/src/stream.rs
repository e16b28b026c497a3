//! Verifiable randomness: every draw of a game follows from a secret that the server commits to before the game.
//!
//! The commitment is published when the game is created, the players may add nonces of their own, and at the end the
//! secret is revealed, so that everyone can recompute every shuffle (R-BAG-1 to R-BAG-6). The construction, byte for
//! byte:
//!
//! * commitment = SHA-256(secret), nonce hash = SHA-256(nonce);
//! * seed = SHA-256(secret || game id in UTF-8 || for each seat in order: one byte length, then the nonce);
//! * stream key = SHA-256(seed || label in UTF-8);
//! * stream = ChaCha20 keystream (RFC 8439; nonce of twelve zero bytes, counter from 0) read as little-endian `u32`;
//! * uniform below n: words w until w < 2^32 - (2^32 mod n), then w mod n;
//! * shuffle: for i from the last index down to 1, swap with uniform below i + 1.

use std::fmt;

use chacha20::cipher::StreamCipher;
use chacha20::{ChaCha20, KeyIvInit};
use sha2::{Digest, Sha256};

/// Longest nonce a player may add, in bytes.
pub const MAX_NONCE_BYTES: usize = 32;

/// Label of the shuffle that fills the bag.
pub const BAG_LABEL: &str = "bag";

/// Label of the shuffle that deals the premium squares of a board that is drawn for each game.
pub const LAYOUT_LABEL: &str = "layout";

/// Label of the k-th round of the draw for first play, counted from 1.
#[must_use]
pub fn order_label(round: u32) -> String {
    format!("order/{round}")
}

/// Label of the shuffle after the k-th exchange, counted from 1.
#[must_use]
pub fn exchange_label(exchange: u32) -> String {
    format!("exchange/{exchange}")
}

/// Label of the dice of the house bot on a seat (R-BAG-6).
#[must_use]
pub fn dice_label(seat: u8) -> String {
    format!("dice/{seat}")
}

/// SHA-256 of the server's secret, published when the game is created.
#[must_use]
pub fn commitment(secret: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// SHA-256 of a player's nonce, sent before the nonce itself.
#[must_use]
pub fn nonce_hash(nonce: &[u8]) -> [u8; 32] {
    Sha256::digest(nonce).into()
}

/// The seed of all streams of one game; `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Mixes the secret, the game's id and one nonce per seat; a seat without a nonce gives an empty one.
    ///
    /// # Panics
    /// If a nonce is longer than [`MAX_NONCE_BYTES`]: a game refuses such a nonce when it arrives.
    #[must_use]
    pub fn new<N: AsRef<[u8]>>(secret: &[u8; 32], game_id: &str, nonces: &[N]) -> Self {
        let mut hash = Sha256::new();
        hash.update(secret);
        hash.update(game_id.as_bytes());
        for nonce in nonces {
            let nonce = nonce.as_ref();
            assert!(
                nonce.len() <= MAX_NONCE_BYTES,
                "a nonce has at most {MAX_NONCE_BYTES} bytes"
            );
            let length = u8::try_from(nonce.len()).expect("just compared");
            hash.update([length]);
            hash.update(nonce);
        }
        Self(hash.finalize().into())
    }

    /// The stream with this label, from its beginning.
    #[must_use]
    pub fn stream(&self, label: &str) -> Stream {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(label.as_bytes());
        let key: [u8; 32] = hash.finalize().into();
        Stream {
            cipher: ChaCha20::new(&key.into(), &[0; 12].into()),
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// An endless sequence of numbers that follows from a seed and a label.
pub struct Stream {
    cipher: ChaCha20,
}

impl Stream {
    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        let mut word = [0; 4];
        self.cipher.apply_keystream(&mut word);
        u32::from_le_bytes(word)
    }

    /// A number below `n`, each with the same probability.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn uniform(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        // 2^32 mod n without 64-bit arithmetic; words at or above `limit` would favour small results.
        let surplus = (u32::MAX % n + 1) % n;
        let limit = u32::MAX - surplus;
        loop {
            let word = self.next_u32();
            if word <= limit {
                return word % n;
            }
        }
    }

    /// Puts the items into a random order.
    ///
    /// # Panics
    /// When there are more than 2^32 - 1 items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let below = u32::try_from(i + 1).expect("far fewer than 2^32 items");
            let j = usize::try_from(self.uniform(below)).expect("no larger than an index");
            items.swap(i, j);
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream(..)")
    }
}
