//! Means with confidence intervals.

use serde::Serialize;

/// Half the width of a 95 % confidence interval, in standard errors.
const NORMAL_95: f64 = 1.96;

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Mean {
    /// The mean.
    pub(super) mean: f64,
    /// The lower end of the interval.
    pub(super) low: f64,
    /// The upper end of the interval.
    pub(super) high: f64,
}

impl Mean {
    /// The mean of independent samples.
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 samples")]
    pub(super) fn of(samples: &[f64]) -> Self {
        let count = samples.len().max(1) as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let variance = squares / (count - 1.0).max(1.0);
        let margin = NORMAL_95 * (variance / count).sqrt();
        Self {
            mean,
            low: mean - margin,
            high: mean + margin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_and_its_interval() {
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0]);
        assert!((mean.mean - 2.5).abs() < 1e-12);
        // Sample deviation 1.29099, standard error 0.64550.
        assert!((mean.high - mean.mean - 1.265_17).abs() < 1e-4);
        assert!((mean.mean - mean.low - (mean.high - mean.mean)).abs() < 1e-12);
        assert_eq!(Mean::of(&[7.0, 7.0]).low, 7.0);
    }
}
