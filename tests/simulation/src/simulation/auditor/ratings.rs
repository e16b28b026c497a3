//! Ratings once more, from the documents: pools, rating periods, and Glicko-2 (Glickman, *Example of the Glicko-2 system*).

use std::collections::BTreeMap;
use std::f64::consts::PI;

use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::Created;

const DAY_MS: i64 = 24 * 3_600_000;
const HOUR_MS: i64 = 3_600_000;
/// Points of one unit of the Glicko-2 scale.
const SCALE: f64 = 173.7178;
const TAU: f64 = 0.5;

/// A group of games whose ratings are comparable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pool {
    pub(super) name: String,
    period_ms: i64,
}

impl Pool {
    /// The pool that a game changes; `None` for a casual game.
    pub(super) fn of(created: &Created) -> Option<Self> {
        created.options.rated.then(|| Self::with_options(created))?
    }

    /// The pool of a game's options, rated or not; `None` for an untimed game.
    pub(super) fn with_options(created: &Created) -> Option<Self> {
        let options = &created.options;
        let speed = speed(options.clock)?;
        let days = if speed == "correspondence" { 28 } else { 4 };
        Some(Self {
            name: format!("{}/{}/{speed}", options.rule_set, options.lexicon),
            period_ms: days * DAY_MS,
        })
    }
}

fn speed(clock: ClockKind) -> Option<&'static str> {
    let (main_ms, turn_ms) = match clock {
        ClockKind::Untimed => return None,
        ClockKind::SuddenDeath { initial_ms } => (initial_ms, 0),
        ClockKind::Increment {
            initial_ms,
            increment_ms,
        } => (initial_ms, increment_ms),
        ClockKind::Delay {
            initial_ms,
            delay_ms,
        } => (initial_ms, delay_ms),
        ClockKind::Overtime {
            initial_ms, cap_ms, ..
        } => (initial_ms + cap_ms, 0),
        ClockKind::PerMove { limit_ms, .. } if limit_ms >= HOUR_MS => {
            return Some("correspondence");
        }
        ClockKind::PerMove { limit_ms, bank_ms } => (bank_ms, limit_ms),
    };
    Some(match main_ms + 16 * turn_ms {
        ..=120_000 => "ultra_blitz",
        120_001..=360_000 => "blitz",
        360_001..=840_000 => "rapid",
        840_001.. => "standard",
    })
}

/// A rating, its deviation and its volatility.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value {
    pub(super) rating: f64,
    pub(super) deviation: f64,
    volatility: f64,
}

impl Value {
    pub(super) const NEW: Self = Self {
        rating: 1_500.0,
        deviation: 350.0,
        volatility: 0.06,
    };

    /// Whether these whole points are this value.
    pub(super) fn is_shown_as(self, rating: i64, deviation: i64) -> bool {
        is_near(self.rating, rating) && is_near(self.deviation, deviation)
    }

    /// Whether these whole points are this rating.
    pub(super) fn has_rating(self, rating: i64) -> bool {
        is_near(self.rating, rating)
    }

    /// The value after so many periods without a game.
    fn rested(self, periods: i64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "few periods")]
        let growth = self.volatility * SCALE * (periods.max(0) as f64).sqrt();
        Self {
            deviation: self.deviation.hypot(growth).min(350.0),
            ..self
        }
    }

    /// The value after a period with these games: opponents at its start, and scores.
    fn after(self, games: &[(Self, f64)]) -> Self {
        let phi = self.deviation / SCALE;
        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let phi = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt();
            let expected = 1.0 / (1.0 + (g * (opponent.rating - self.rating) / SCALE).exp());
            information += g * g * expected * (1.0 - expected);
            surprise += g * (score - expected);
        }
        let variance = 1.0 / information;
        let volatility = self.volatility_after(variance, variance * surprise);
        let widened = phi * phi + volatility * volatility;
        let phi = 1.0 / (1.0 / widened + information).sqrt();
        Self {
            rating: self.rating + SCALE * phi * phi * surprise,
            deviation: (SCALE * phi).clamp(30.0, 350.0),
            volatility: volatility.min(0.1),
        }
    }

    /// The root of the paper's step 5, by bisection.
    fn volatility_after(self, variance: f64, delta: f64) -> f64 {
        let phi = self.deviation / SCALE;
        let origin = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let spread = phi * phi + variance + x.exp();
            x.exp() * (delta * delta - spread) / (2.0 * spread * spread)
                - (x - origin) / (TAU * TAU)
        };
        let (mut low, mut high) = (origin - 20.0, origin + 20.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            // The function falls.
            if f(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low / 2.0).exp()
    }
}

/// Whether whole points are a value, rounded.
fn is_near(value: f64, points: i64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "few points")]
    let points = points as f64;
    (value - points).abs() < 0.501
}

/// The rating of a player in a pool.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// The chapter in which the last game counted.
    pub(super) chapter: usize,
    period: i64,
    start: Value,
    /// The games of the period: the opponent at its start, and the score.
    games: Vec<(Value, f64)>,
    pub(super) count: u64,
}

impl Standing {
    /// The rating at a moment.
    pub(super) fn at(&self, pool: &Pool, at: i64) -> Value {
        let period = at.div_euclid(pool.period_ms);
        let now = self.start.after(&self.games);
        now.rested(period - self.period - 1)
    }
}

/// All ratings: what each player had after each game.
#[derive(Debug, Default)]
pub(super) struct Ratings {
    pub(super) players: BTreeMap<(Pool, String), Vec<Standing>>,
}

impl Ratings {
    /// Counts a game that ended at a moment; `scores` are those of its two players. Returns their ratings before and after.
    pub(super) fn add(
        &mut self,
        chapter: usize,
        pool: &Pool,
        at: i64,
        players: [&String; 2],
        scores: [f64; 2],
    ) -> [(Value, Value); 2] {
        let before = players.map(|player| self.now(pool, player).cloned());
        // A period that is over does not change.
        let latest = before.iter().flatten().map(|standing| standing.period);
        let period = latest.fold(at.div_euclid(pool.period_ms), i64::max);
        let opened = before
            .clone()
            .map(|standing| opened(standing, pool, period));
        let starts = [opened[1].start, opened[0].start];
        let mut changes = [(Value::NEW, Value::NEW); 2];
        for (seat, mut standing) in opened.into_iter().enumerate() {
            standing.games.push((starts[seat], scores[seat]));
            standing.count += 1;
            standing.chapter = chapter;
            if let Some(before) = &before[seat] {
                changes[seat].0 = before.at(pool, at);
            }
            changes[seat].1 = standing.at(pool, at);
            let key = (pool.clone(), players[seat].clone());
            self.players.entry(key).or_default().push(standing);
        }
        changes
    }

    /// The present rating of a player, if there is a game.
    fn now(&self, pool: &Pool, player: &str) -> Option<&Standing> {
        self.all(pool, player).last()
    }

    /// Returns a player's standing after each game.
    pub(super) fn all(&self, pool: &Pool, player: &str) -> &[Standing] {
        let key = (pool.clone(), player.to_owned());
        self.players.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// The rating with a period as the present one: what was before is rated for good.
fn opened(standing: Option<Standing>, pool: &Pool, period: i64) -> Standing {
    match standing {
        Some(standing) if standing.period == period => standing,
        Some(standing) => Standing {
            start: standing.at(pool, period * pool.period_ms),
            period,
            games: Vec::new(),
            ..standing
        },
        None => Standing {
            chapter: 0,
            period,
            start: Value::NEW,
            games: Vec::new(),
            count: 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    /// The example of the paper.
    #[test]
    fn the_example_of_the_paper_gives_its_ratings() {
        let value = |rating, deviation| Value {
            rating,
            deviation,
            volatility: 0.06,
        };
        let games = [
            (value(1_400.0, 30.0), 1.0),
            (value(1_550.0, 100.0), 0.0),
            (value(1_700.0, 300.0), 0.0),
        ];
        let after = value(1_500.0, 200.0).after(&games);
        let is_near = |one: f64, other: f64| (one - other).abs() < 0.01;
        assert!(is_near(after.rating, 1_464.05), "{after:?}");
        assert!(is_near(after.deviation, 151.52), "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_01, "{after:?}");
    }
}
