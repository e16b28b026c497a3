//! A filter that tells whether some letters, in any order, may spell a word.
//!
//! Every word sets one bit; the sum of its letters' keys selects the bit, so the order does not matter. An unset bit
//! proves that no word has these letters; a set bit proves nothing.

use super::cells::MAX_LETTER;

/// Which letters together may spell a word.
#[derive(Clone, Debug, Default)]
pub(super) struct Spellings {
    bits: Vec<u64>,
    /// How far a hash is shifted to leave the number of a bit.
    shift: u32,
}

/// Letters without their order: the sum of their keys.
pub(super) type Letters = u64;

/// Bits for each word: one in ten bits is set.
const BITS: usize = 10;

/// A number for each letter, without any pattern.
pub(super) const KEYS: [u64; MAX_LETTER as usize + 1] = {
    let mut keys = [0; MAX_LETTER as usize + 1];
    let mut letter = 0;
    while letter < keys.len() {
        let mut key = (letter as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        keys[letter] = key ^ key >> 31;
        letter += 1;
    }
    keys
};

/// The key of a letter; the sum of the keys stands for several letters.
pub(super) fn key(letter: u8) -> Letters {
    KEYS.get(usize::from(letter)).copied().unwrap_or(0)
}

impl Spellings {
    /// Collects words given by their letters.
    pub(super) fn new(words: &[Letters]) -> Self {
        let size = (words.len() * BITS).next_power_of_two().max(64);
        let mut spellings = Self {
            bits: vec![0; size / 64],
            shift: 64 - size.ilog2(),
        };
        for word in words {
            let (index, bit) = spellings.place(*word);
            spellings.bits[index] |= bit;
        }
        spellings
    }

    /// Whether these letters may spell a word.
    pub(super) fn may_spell(&self, letters: Letters) -> bool {
        let (index, bit) = self.place(letters);
        self.bits[index] & bit != 0
    }

    fn place(&self, letters: Letters) -> (usize, u64) {
        let number = letters.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> self.shift;
        ((number / 64) as usize, 1 << (number % 64))
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.bits.as_slice())
    }
}
