//! The network delay that the clocks of a game give back.
//!
//! The server measures a connection's lag by the answers to its pings, which a client can delay. The quota of a player bounds
//! the time that a player gains so.

use tilewire_rules::time::{Millis, Seat};

use crate::bounds::GameBounds;

/// The lag credit that is left for each seat.
#[derive(Debug)]
pub(super) struct LagQuotas {
    left: Vec<Millis>,
    bounds: GameBounds,
}

impl LagQuotas {
    /// Returns full quotas.
    pub(super) fn full(seats: u8, bounds: GameBounds) -> Self {
        Self {
            left: vec![bounds.lag_quota_ms; usize::from(seats)],
            bounds,
        }
    }

    /// Returns how much of `lag_ms` a command of `seat` gets back.
    pub(super) fn credit(&self, seat: Seat, lag_ms: Millis) -> Millis {
        let most = self.bounds.lag_credit_max_ms.min(self.left[seat.index()]);
        lag_ms.clamp(Millis::ZERO, most)
    }

    /// A turn of `seat` took effect and got `credit` back.
    pub(super) fn turn_ended(&mut self, seat: Seat, credit: Millis) {
        let left = &mut self.left[seat.index()];
        let refilled = *left - credit + self.bounds.lag_refill_ms;
        *left = refilled.min(self.bounds.lag_quota_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Seat = Seat(1);

    fn quotas() -> LagQuotas {
        let bounds = GameBounds {
            lag_credit_max_ms: Millis(500),
            lag_quota_ms: Millis(1_000),
            lag_refill_ms: Millis(100),
            ..GameBounds::default()
        };
        LagQuotas::full(2, bounds)
    }

    fn credits(lag_ms: i64, turns: usize) -> Vec<i64> {
        let mut quotas = quotas();
        let mut turn = || {
            let credit = quotas.credit(SEAT, Millis(lag_ms));
            quotas.turn_ended(SEAT, credit);
            credit.0
        };
        (0..turns).map(|_| turn()).collect()
    }

    #[test]
    fn a_usual_lag_is_given_back_with_every_turn() {
        assert_eq!(credits(80, 50), vec![80; 50]);
        assert_eq!(credits(-80, 2), [0, 0]);
    }

    #[test]
    fn a_large_lag_is_given_back_from_a_quota_that_refills_slowly() {
        assert_eq!(credits(700, 6), [500, 500, 200, 100, 100, 100]);
    }

    #[test]
    fn the_quota_of_a_seat_is_its_own() {
        let mut quotas = quotas();
        for _ in 0..4 {
            quotas.turn_ended(SEAT, quotas.credit(SEAT, Millis(500)));
        }
        assert_eq!(quotas.credit(Seat(0), Millis(500)), Millis(500));
        assert_eq!(quotas.credit(SEAT, Millis(500)), Millis(100));
    }
}
