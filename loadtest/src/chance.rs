//! Chance that follows from a seed: the same test sends the same load twice.

use std::time::Duration;

/// A stream of random numbers (SplitMix64): plenty for deciding who does what when.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The stream of this seed for this client.
    pub(crate) fn new(seed: u64, client: u64) -> Self {
        let mut chance = Self(seed ^ client.wrapping_mul(0xd6e8_feb8_6659_fd93));
        chance.next();
        chance
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something that happens in this share of all cases happens now.
    pub(crate) fn hits(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// The time between two events that come independently of each other, one every `mean`.
    pub(crate) fn pause(&mut self, mean: Duration) -> Duration {
        mean.mul_f64(-(1.0 - self.share()).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_have_their_mean_and_shares_their_share() {
        let mut chance = Chance::new(1, 2);
        let mean = Duration::from_millis(10);
        let total: Duration = (0..10_000).map(|_| chance.pause(mean)).sum();
        let average = total.as_secs_f64() / 10_000.0;
        assert!((average - 0.010).abs() < 0.0005, "{average}");
        let hits = (0..10_000).filter(|_| chance.hits(0.05)).count();
        assert!((400..600).contains(&hits), "{hits}");
        assert_ne!(Chance::new(1, 2).next(), Chance::new(1, 3).next());
    }
}
