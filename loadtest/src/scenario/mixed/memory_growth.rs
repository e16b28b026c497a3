//! The growth rate of memory: one slope for all server processes of a run, each with its own base level.

use crate::results::Sample;
use crate::stats::number;

/// Fewest samples a slope is drawn through.
const SAMPLES_MIN: usize = 3;

/// The slope by least squares, KiB in an hour, without the first `settle_s` seconds after each start; `None` where too
/// little is left to say.
///
/// A server that was started again begins with less memory than the one before had: the samples of each are measured
/// from their own mean, so that only the growth within one process counts.
pub(super) fn kib_per_hour(samples: &[Sample], settle_s: f64) -> Option<f64> {
    let (mut across, mut along, mut used) = (0.0, 0.0, 0);
    for process in samples.chunk_by(|one, next| one.restarts == next.restarts) {
        let began = process.first().map_or(0.0, |sample| sample.at_s);
        let settled: Vec<(f64, f64)> = process
            .iter()
            .filter(|sample| sample.at_s - began >= settle_s && sample.rss_bytes > 0)
            .map(|sample| (sample.at_s / 3_600.0, number(sample.rss_bytes) / 1_024.0))
            .collect();
        if settled.len() < SAMPLES_MIN {
            continue;
        }
        used += settled.len();
        let count = number(u64::try_from(settled.len()).unwrap_or(u64::MAX));
        let (hours, kib) = settled
            .iter()
            .fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let (hours, kib) = (hours / count, kib / count);
        for (at, level) in settled {
            across += (at - hours) * (level - kib);
            along += (at - hours) * (at - hours);
        }
    }
    (used >= SAMPLES_MIN && along > 0.0).then(|| across / along)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at_s: f64, kib: u64, restarts: u32) -> Sample {
        Sample {
            at_s,
            rss_bytes: kib * 1_024,
            restarts,
            ..Sample::default()
        }
    }

    #[test]
    fn restarts_hide_no_growth_and_make_none() {
        // 10 KiB in each 36 s are 1000 KiB in an hour; the second process begins far below the first.
        let mut samples = Vec::new();
        for step in 0..10_u32 {
            samples.push(sample(
                f64::from(step) * 36.0,
                5_000 + u64::from(step) * 10,
                0,
            ));
        }
        for step in 0..10_u32 {
            let at = 1_000.0 + f64::from(step) * 36.0;
            samples.push(sample(at, 900 + u64::from(step) * 10, 1));
        }
        let slope = kib_per_hour(&samples, 0.0).expect("enough");
        assert!((slope - 1_000.0).abs() < 1e-6, "{slope}");
    }

    #[test]
    fn what_comes_right_after_a_start_does_not_count() {
        let jump = [(0.0, 100), (1.0, 4_000), (2.0, 9_000)];
        let level = (3..20_u32).map(|at| (f64::from(at), 9_000));
        let all = jump.into_iter().chain(level);
        let samples: Vec<Sample> = all.map(|(at, kib)| sample(at, kib, 0)).collect();
        assert_eq!(kib_per_hour(&samples, 2.0), Some(0.0));
        assert!(kib_per_hour(&samples, 0.0) > Some(0.0));
        assert_eq!(kib_per_hour(&samples, 19.0), None);
    }
}
