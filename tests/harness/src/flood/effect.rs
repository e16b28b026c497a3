//! The effect of a flood on honest players: the time that the server charges them beyond their own thinking time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Flood, From, Kind};
use crate::duel::{Duel, options};

/// The thinking time of an honest player.
const THINKING: Duration = Duration::from_millis(450);
/// Main time of each player, ms: a flag never falls in a run without faults.
const MAIN_MS: i64 = 1_500_000;
/// Turns after which the players begin a new game: fewer than the scoreless turns that end one (R-END-2).
const TURNS: u64 = 20;

/// The time charged beyond the thinking time, ms, for each turn.
#[derive(Debug, Clone, Default)]
pub struct Charged(Vec<f64>);

impl Charged {
    /// The charge that so many percent of the turns do not exceed, ms.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        sorted.get(last * percent / 100).copied().unwrap_or(0.0)
    }

    /// The number of turns.
    #[must_use]
    pub const fn turns(&self) -> usize {
        self.0.len()
    }
}

/// The turns of honest players with a flood, and without.
#[derive(Debug, Default)]
pub struct Effect {
    /// Without.
    pub control: Charged,
    /// With.
    pub flooded: Charged,
}

/// The setup of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Measure<'a> {
    /// Where players connect.
    pub address: &'a str,
    /// Games of honest players.
    pub games: usize,
    /// Runs with the flood; each comes after a run without.
    pub rounds: usize,
    /// The length of a run.
    pub length: Duration,
    /// Where the connections of the flood seem to come from.
    pub from: From,
}

impl Measure<'_> {
    /// Lets honest players play in turns without and with a flood.
    ///
    /// # Panics
    /// When a player loses on time or is disconnected, or the flood meets something else than its gate.
    #[must_use]
    pub fn run(&self, kind: Kind) -> Effect {
        let mut effect = Effect::default();
        for _ in 0..self.rounds {
            effect.control.0.extend(self.play(None));
            effect.flooded.0.extend(self.play(Some(kind)));
        }
        effect
    }

    #[expect(clippy::disallowed_methods, reason = "a run has a length")]
    fn play(&self, kind: Option<Kind>) -> Vec<f64> {
        let (since, stop) = (Instant::now(), AtomicBool::new(false));
        let goes_on = || since.elapsed() < self.length && !stop.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            if let Some(kind) = kind {
                let goes_on = &goes_on;
                scope.spawn(move || {
                    let flood = Flood {
                        address: self.address,
                        goes_on,
                        met: &|| {},
                        from: self.from,
                    };
                    flood.run(kind);
                });
            }
            let players: Vec<_> = (0..self.games)
                .map(|_| scope.spawn(|| play(self.address, &goes_on)))
                .collect();
            let charged = players.into_iter().map(|game| game.join());
            let charged = charged.flat_map(|game| game.expect("an honest game goes on"));
            let charged = charged.collect();
            stop.store(true, Ordering::Relaxed);
            charged
        })
    }
}

/// Plays games of two honest players for as long as `goes_on`; returns what each turn cost beyond its thinking time, ms.
#[expect(clippy::disallowed_methods, reason = "the thinking time is measured")]
fn play(address: &str, goes_on: &impl Fn() -> bool) -> Vec<f64> {
    let mut setup = options(&json!({ "kind": "sudden_death", "initial_ms": MAIN_MS }));
    setup["end"] = json!({ "limit": 100, "per_seat": true, "counts": "passes" });
    let mut charged = Vec::new();
    while goes_on() {
        let mut duel = Duel::at(address, &setup);
        for turn_no in 1..=TURNS {
            if !goes_on() {
                break;
            }
            let seat = usize::from(turn_no % 2 == 0);
            duel.until(seat, |fold| {
                fold.turn_no >= turn_no && fold.on_turn.is_some()
            });
            let before = left_ms(&duel, seat);
            let since = Instant::now();
            std::thread::sleep(THINKING);
            let thought = since.elapsed();
            duel.ok(seat, "pass", json!({ "turn_no": turn_no }));
            duel.until(seat, |fold| fold.turn_no > turn_no);
            let used = before - left_ms(&duel, seat);
            charged.push(used - thought.as_secs_f64() * 1_000.0);
        }
        duel.ok(0, "resign", json!({}));
    }
    charged
}

/// The main time that a seat has left, as of the last event.
fn left_ms(duel: &Duel, seat: usize) -> f64 {
    let left = duel.folds[seat].clocks["main_ms"][seat].as_f64();
    left.expect("a clock")
}
