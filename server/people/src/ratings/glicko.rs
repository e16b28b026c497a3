//! One rating period of one player (Glickman, *Example of the Glicko-2 system*, steps 2 to 8).
//!
//! The crate `skillratings` rates games that are won, shared or lost, and needs the list of them. A test compares both.

use std::f64::consts::PI;

use super::{Rating, START_RATING, Score, Sums, TAU, parts, whole};

/// Parts in which the sums of a period are stored: the last digits of a float can differ between machines.
const SUM_PARTS: f64 = 1e9;
/// Points of one unit of the Glicko-2 scale.
const SCALE: f64 = 173.7178;
/// The precision of the volatility's logarithm, as the paper suggests.
const TOLERANCE: f64 = 0.000_001;
/// Steps after which the search for the volatility ends in any case; it needs about ten.
const STEPS_MAX: usize = 100;

/// Returns what a game against an opponent says about a player, both with the values at the start of the period (step 3).
pub(super) fn game(start: Rating, opponent: Rating, score: Score) -> Sums {
    let distance = (start.rating() - opponent.rating()) / SCALE;
    let g = weight(opponent.deviation() / SCALE);
    let expected = 1.0 / (1.0 + (-g * distance).exp());
    Sums {
        precision: parts(g * g * expected * (1.0 - expected), SUM_PARTS),
        gain: parts(g * (score.points() - expected), SUM_PARTS),
    }
}

/// Returns the rating after a period with these games. Without games it is the rating at its start.
pub(super) fn rate(start: Rating, games: Sums) -> Rating {
    if games == Sums::default() {
        return start;
    }
    let mu = (start.rating() - START_RATING) / SCALE;
    let phi = start.deviation() / SCALE;
    // Games whose outcome was certain say a little too.
    let precision = whole(games.precision.max(1), SUM_PARTS);
    let gain = whole(games.gain, SUM_PARTS);
    let variance = 1.0 / precision;
    let volatility = volatility(start.volatility(), variance * gain, phi, variance);
    let phi_before = phi.hypot(volatility);
    let phi_after = 1.0 / (1.0 / (phi_before * phi_before) + precision).sqrt();
    let mu_after = mu + phi_after * phi_after * gain;
    Rating::new(
        mu_after * SCALE + START_RATING,
        phi_after * SCALE,
        volatility,
    )
}

/// Returns the rating after this number of periods without a game: only the deviation grows (step 6).
pub(super) fn rest(before: Rating, periods: i64) -> Rating {
    if periods <= 0 {
        return before;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "the deviation reaches its limit long before"
    )]
    let periods = periods as f64;
    let growth = before.volatility() * SCALE;
    let deviation = before.deviation().hypot(growth * periods.sqrt());
    Rating::new(before.rating(), deviation, before.volatility())
}

/// The function g of the paper: games against an uncertain opponent say less.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

/// The new volatility (step 5), by the Illinois algorithm.
fn volatility(before: f64, delta: f64, phi: f64, variance: f64) -> f64 {
    let origin = (before * before).ln();
    let f = |x: f64| {
        let (ex, spread) = (x.exp(), phi * phi + variance + x.exp());
        ex * (delta * delta - spread) / (2.0 * spread * spread) - (x - origin) / (TAU * TAU)
    };
    let mut a = origin;
    let mut b = if delta * delta > phi * phi + variance {
        (delta * delta - phi * phi - variance).ln()
    } else {
        let bounds = (1..).map(|k| origin - f64::from(k) * TAU);
        bounds
            .take(STEPS_MAX)
            .find(|x| f(*x) >= 0.0)
            .unwrap_or(origin)
    };
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..STEPS_MAX {
        if (b - a).abs() <= TOLERANCE {
            break;
        }
        let c = a + (a - b) * fa / (fb - fa);
        let fc = f(c);
        if fc * fb <= 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa /= 2.0;
        }
        (b, fb) = (c, fc);
    }
    (a / 2.0).exp()
}
