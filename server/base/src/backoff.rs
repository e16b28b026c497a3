//! The waits after failures.

use tilewire_rules::time::Millis;

/// The largest exponent.
const DOUBLINGS: u32 = 20;

/// Returns the wait after this number of failures before: the first one doubled for each, at most `most`.
#[must_use]
pub fn doubled(first: Millis, most: Millis, failures: u32) -> Millis {
    let factor = 1_i64 << failures.min(DOUBLINGS);
    let wait = first.0.saturating_mul(factor);
    Millis(wait.min(most.0))
}

/// Returns the longer one of a wait and the one that the other side asks for, which counts up to `most`.
#[must_use]
pub fn or_asked(wait: Millis, most: Millis, asked: Option<Millis>) -> Millis {
    wait.max(asked.unwrap_or(Millis::ZERO).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_doubles_up_to_its_bound() {
        for (failures, expected) in [(0, 10), (1, 20), (3, 80), (4, 100), (u32::MAX, 100)] {
            assert_eq!(doubled(Millis(10), Millis(100), failures), Millis(expected));
        }
        assert_eq!(doubled(Millis(i64::MAX), Millis(100), 5), Millis(100));
    }

    #[test]
    fn the_other_side_asks_for_a_longer_wait_up_to_the_bound() {
        for (asked, expected) in [(None, 20), (Some(5), 20), (Some(70), 70), (Some(500), 100)] {
            let asked = asked.map(Millis);
            let found = or_asked(Millis(20), Millis(100), asked);
            assert_eq!(found, Millis(expected), "{asked:?}");
        }
    }
}
