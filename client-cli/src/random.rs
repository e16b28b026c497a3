//! A random stream from a seed, for jitter, shuffles, ids and nonces. The shell gets the seed from the system.

use sha2::{Digest, Sha256};

/// The stream: SHA-256 of the seed and a counter.
#[derive(Clone)]
pub struct Random {
    seed: [u8; 32],
    drawn: u64,
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, drawn: 0 }
    }

    /// The next 32 bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        self.drawn += 1;
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update(self.drawn.to_le_bytes());
        hash.finalize().into()
    }

    /// A number below `bound` (0 when `bound` is 0); not exactly uniform, which is sufficient for jitter and for the order of a rack.
    pub fn below(&mut self, bound: u64) -> u64 {
        let bytes = self.bytes();
        let number = bytes
            .iter()
            .take(8)
            .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        number.checked_rem(bound).unwrap_or(0)
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1));
            list.swap(last, usize::try_from(other).unwrap_or(0).min(last));
        }
    }
}

impl std::fmt::Debug for Random {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Random")
            .field("drawn", &self.drawn)
            .finish_non_exhaustive()
    }
}
