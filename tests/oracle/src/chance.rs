//! Random numbers from a seed: the same on every machine.

/// A stream of numbers (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// Returns the stream of a seed; another `label` gives another stream.
    #[must_use]
    pub fn new(seed: u64, label: &str) -> Self {
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        for byte in label.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut chance = Self { state };
        chance.draw();
        chance
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `most`; 0 when that is 0.
    pub fn below(&mut self, most: u64) -> u64 {
        if most == 0 { 0 } else { self.draw() % most }
    }

    /// Returns an index below `most`.
    pub fn index(&mut self, most: usize) -> usize {
        usize::try_from(self.below(u64::try_from(most).unwrap_or(u64::MAX))).unwrap_or(0)
    }

    /// Returns a time from `least` to `most`, ms.
    pub fn ms(&mut self, least: i64, most: i64) -> i64 {
        let range = u64::try_from(most - least + 1).unwrap_or(1);
        least + i64::try_from(self.below(range)).unwrap_or(0)
    }

    /// Says yes once in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns one of them.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }
}
