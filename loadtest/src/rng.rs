//! Random numbers from a seed: the same seed produces the same load.

use std::time::Duration;

/// A stream of random numbers (SplitMix64); good enough to schedule clients.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The stream of one client under a seed.
    pub fn new(seed: u64, client: u64) -> Self {
        let mut rng = Self(seed ^ client.wrapping_mul(0xd6e8_feb8_6659_fd93));
        rng.next_u64();
        rng
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// `true` with this probability.
    pub fn random_bool(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number in [0, `bound`); `bound` must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound.max(1)
    }

    /// The time to the next event of a Poisson process with this mean interval.
    pub fn exponential(&mut self, mean: Duration) -> Duration {
        mean.mul_f64(-(1.0 - self.unit()).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_probabilities_have_their_mean() {
        let mut rng = Rng::new(1, 2);
        let mean = Duration::from_millis(10);
        let total: Duration = (0..10_000).map(|_| rng.exponential(mean)).sum();
        let average = total.as_secs_f64() / 10_000.0;
        assert!((average - 0.010).abs() < 0.0005, "{average}");
        let hits = (0..10_000).filter(|_| rng.random_bool(0.05)).count();
        assert!((400..600).contains(&hits), "{hits}");
        assert_ne!(Rng::new(1, 2).next_u64(), Rng::new(1, 3).next_u64());
    }
}
