//! Means and shares with confidence intervals.

use serde::Serialize;

/// Half the width of a 95 % confidence interval, in standard errors.
const NORMAL_95: f64 = 1.96;

/// A mean or a share with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Estimate {
    /// The mean.
    pub(super) mean: f64,
    /// The lower end of the interval.
    pub(super) low: f64,
    /// The upper end of the interval.
    pub(super) high: f64,
}

impl Estimate {
    /// The mean of independent samples, with the normal interval; `None` for fewer than two samples.
    pub(super) fn mean(samples: &[f64]) -> Option<Self> {
        if samples.len() < 2 {
            return None;
        }
        let mean = average(samples);
        let margin = NORMAL_95 * (variance(samples) / count(samples)).sqrt();
        Some(Self {
            mean,
            low: mean - margin,
            high: mean + margin,
        })
    }

    /// The mean of independent pairs of games, each with a share between 0 and 1, with the Wilson score interval.
    ///
    /// The interval has a width even if all shares are 0 or 1. A pair counts for one to two games: the more the two games
    /// with one bag balance each other, the less the pairs vary.
    pub(super) fn share(pairs: &[f64]) -> Self {
        let (share, variance) = (average(pairs), variance(pairs));
        let of_single_games = share * (1.0 - share);
        let games_in_a_pair = if variance > 0.0 {
            (of_single_games / variance).clamp(1.0, 2.0)
        } else {
            1.0
        };
        let count = count(pairs) * games_in_a_pair;
        let square = NORMAL_95.powi(2);
        let scale = 1.0 + square / count;
        let centre = (share + square / (2.0 * count)) / scale;
        let spread = of_single_games / count + square / (4.0 * count.powi(2));
        let margin = NORMAL_95 * spread.sqrt() / scale;
        Self {
            mean: share,
            low: (centre - margin).max(0.0),
            high: (centre + margin).min(1.0),
        }
    }
}

/// The mean of samples; 0 without samples.
pub(super) fn average(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / count(samples)
}

/// The variance of the population from which the samples come.
fn variance(samples: &[f64]) -> f64 {
    let mean = average(samples);
    let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
    squares / (count(samples) - 1.0).max(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 samples")]
fn count(samples: &[f64]) -> f64 {
    samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_and_its_interval() {
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((mean.mean - 2.5).abs() < 1e-12);
        // Sample deviation 1.29099, standard error 0.64550.
        assert!((mean.high - mean.mean - 1.265_17).abs() < 1e-4);
        assert!((mean.mean - mean.low - (mean.high - mean.mean)).abs() < 1e-12);
        assert_eq!(Estimate::mean(&[7.0, 7.0]).unwrap().low, 7.0);
        assert_eq!(Estimate::mean(&[7.0]), None);
    }

    #[test]
    fn the_interval_of_a_share_has_a_width_at_its_ends() {
        // The figures are those of R: `prop.test(x, n, correct = FALSE)`.
        for (won, of, low, high) in [
            (10, 10, 0.722_47, 1.0),
            (100, 100, 0.963_01, 1.0),
            (0, 10, 0.0, 0.277_53),
            (5, 10, 0.236_59, 0.763_41),
            (1, 1, 0.206_55, 1.0),
        ] {
            let samples: Vec<f64> = (0..of)
                .map(|game| f64::from(u8::from(game < won)))
                .collect();
            let share = Estimate::share(&samples);
            assert!((share.low - low).abs() < 1e-4, "{won} of {of}: {share:?}");
            assert!((share.high - high).abs() < 1e-4, "{won} of {of}: {share:?}");
        }
        // Pairs that vary little count for two games each.
        let balanced = Estimate::share(&[0.5, 0.5, 0.5, 1.0]);
        assert!((balanced.low - 0.305_74).abs() < 1e-4, "{balanced:?}");
    }
}
