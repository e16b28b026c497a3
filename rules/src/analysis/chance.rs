//! The chance to win from a lead, from what is left of the game, and from the side to move.
//!
//! A table says how far the lead of the side on turn still moves until the end of a game: the quantiles of that distance, learned from
//! games of bots ([`crate::bot::learn_chances`]), for several stages of a game. The chance to win is the share of the distances
//! that leave a lead. So it never falls when the lead grows, and both sides share it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::analysis::Centipoints;
use crate::ruleset::RuleSet;

use super::standing::{CERTAIN, decided};

/// The shares of games, in 1/10,000, up to which a table has the distances.
pub(crate) const LEVELS: [i32; 33] = [
    5, 25, 50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500,
    5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 8_500, 9_000, 9_250, 9_500, 9_650, 9_800,
    9_900, 9_950, 9_975, 9_995,
];
/// The unit of the tables, in hundredths of a point.
pub(crate) const UNIT: Centipoints = 10;

/// The tables of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceTables {
    /// Language of the words.
    pub language: String,
    /// How the tables were learned: games, seed.
    pub made_by: String,
    /// The table of each rule set, by its name.
    pub tables: BTreeMap<String, Vec<ChanceRow>>,
}

/// The distances for one stage of a game, in tenths of a point: the tiles or points that are left, the distance at the first share, then the steps
/// to the distances at the next ones.
pub type ChanceRow = Vec<i32>;

/// The chances to win of one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chances {
    /// By what is left, ascending.
    knots: Vec<Knot>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Knot {
    left: u32,
    /// In hundredths of a point, ascending.
    distances: [Centipoints; LEVELS.len()],
}

impl ChanceTables {
    /// Returns the built-in tables.
    #[must_use]
    pub fn builtin() -> &'static [Self] {
        static TABLES: OnceLock<Vec<ChanceTables>> = OnceLock::new();
        TABLES.get_or_init(|| {
            let english = include_str!("../../data/chances/english.toml");
            toml::from_str(english).into_iter().collect()
        })
    }
}

impl Chances {
    /// Returns the chances of a rule set: those learned with its language, else those with another one, else those of `classic`.
    #[must_use]
    pub fn of(rules: &RuleSet) -> Arc<Self> {
        static READY: OnceLock<BTreeMap<(&str, &str), Arc<Chances>>> = OnceLock::new();
        let ready = READY.get_or_init(|| {
            let all = ChanceTables::builtin().iter().flat_map(|of| {
                let named = |(id, rows): (&'static String, &Vec<ChanceRow>)| {
                    let key = (id.as_str(), of.language.as_str());
                    (key, Arc::new(Self::new(rows)))
                };
                of.tables.iter().map(named)
            });
            all.collect()
        });
        let other = |id: &str| {
            let mut found = ready.iter().filter(|((name, _), _)| *name == id);
            found.next().map(|(_, found)| found)
        };
        let own = ready.get(&(rules.id.as_str(), rules.language.as_str()));
        let found = own
            .or_else(|| other(&rules.id))
            .or_else(|| other("classic"));
        found.map_or_else(|| Arc::new(Self::new(&[])), Arc::clone)
    }

    /// Prepares a table. A row that is too short is left out.
    #[must_use]
    pub fn new(rows: &[ChanceRow]) -> Self {
        let mut knots: Vec<Knot> = rows.iter().filter_map(|row| knot(row)).collect();
        knots.sort_by_key(|knot| knot.left);
        knots.dedup_by_key(|knot| knot.left);
        Self { knots }
    }

    /// Returns the chance, in 1/10,000, that a seat with this lead over the best opponent wins. `left` counts the tiles that are
    /// not on the board, or in a race the points that the side nearest to its target lacks. `is_on_turn` says whether
    /// that seat has the turn.
    #[must_use]
    pub fn chance(&self, lead: Centipoints, left: usize, is_on_turn: bool) -> u16 {
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        match is_on_turn {
            true => self.on_turn(lead, left),
            false => CERTAIN - self.on_turn(lead.saturating_neg(), left),
        }
    }

    fn on_turn(&self, lead: Centipoints, left: u32) -> u16 {
        let at = self.knots.partition_point(|knot| knot.left < left);
        let below = at.checked_sub(1).and_then(|at| self.knots.get(at));
        let before = (
            below.map_or(0, |knot| knot.left),
            below.map_or_else(|| decided(lead), |knot| knot.chance(lead)),
        );
        let Some(after) = self.knots.get(at) else {
            return before.1;
        };
        let (from, low) = (i64::from(before.0), i64::from(before.1));
        let (to, high) = (i64::from(after.left), i64::from(after.chance(lead)));
        let share = (high - low) * (i64::from(left) - from) / (to - from).max(1);
        u16::try_from(low + share).unwrap_or(CERTAIN)
    }
}

impl Knot {
    /// The share of the distances that leave a lead; half of those that leave a tie.
    fn chance(&self, lead: Centipoints) -> u16 {
        let most = i32::from(CERTAIN);
        let lost = self.share_up_to(lead.saturating_neg());
        u16::try_from((most - lost).clamp(1, most - 1)).unwrap_or(CERTAIN)
    }

    /// The share of the distances up to this one, in 1/10,000.
    fn share_up_to(&self, distance: Centipoints) -> i32 {
        let last = LEVELS.len() - 1;
        let from = self.distances.partition_point(|of| *of < distance);
        let to = self.distances.partition_point(|of| *of <= distance);
        if from < to {
            return i32::midpoint(LEVELS[from], LEVELS[to - 1]);
        }
        // Beyond the ends the outermost steps go on.
        let (one, other) = match from {
            0 => (0, 1),
            _ if from > last => (last - 1, last),
            _ => (from - 1, from),
        };
        let step = i64::from(self.distances[other]) - i64::from(self.distances[one]);
        let way = i64::from(distance) - i64::from(self.distances[one]);
        let rise = i64::from(LEVELS[other] - LEVELS[one]);
        let share = i64::from(LEVELS[one]) + way.saturating_mul(rise) / step.max(1);
        let share = i32::try_from(share.clamp(0, i64::from(CERTAIN))).unwrap_or(0);
        match from {
            0 => share.min(LEVELS[0]),
            _ if from > last => share.max(LEVELS[last]),
            _ => share,
        }
    }
}

fn knot(row: &[i32]) -> Option<Knot> {
    let (left, steps) = row.split_first()?;
    let steps: &[i32; LEVELS.len()] = steps.try_into().ok()?;
    let mut at: Centipoints = 0;
    let mut is_first = true;
    let distances = steps.map(|step| {
        // Only the first one can be negative.
        let step = if is_first { step } else { step.max(0) };
        is_first = false;
        at = at.saturating_add(step.saturating_mul(UNIT));
        at
    });
    Some(Knot {
        left: u32::try_from(*left).ok()?,
        distances,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_lead_wins_more_often_and_both_sides_share_the_chance() {
        for rules in RuleSet::builtins() {
            let chances = Chances::of(rules);
            for left in [0, 1, 2, 5, 9, 14, 25, 50, 100, 300] {
                let mut last = 0;
                for lead in (-60_000..=60_000).step_by(35) {
                    let own = chances.chance(lead, left, true);
                    assert!(own >= last, "{}: {lead} {left}", rules.id);
                    assert_eq!(own + chances.chance(-lead, left, false), CERTAIN);
                    last = own;
                }
                for lead in [i32::MIN, i32::MAX] {
                    let own = chances.chance(lead, left, true);
                    let due = if lead < 0 { 0..=5 } else { 9_995..=CERTAIN };
                    assert!(due.contains(&own), "{}: {own} {left}", rules.id);
                }
            }
        }
    }

    #[test]
    fn every_rule_set_has_a_table_and_its_end_is_exact() {
        let of = |name: &str| RuleSet::builtin(name).unwrap();
        for rules in RuleSet::builtins() {
            let chances = Chances::of(rules);
            assert!(chances.knots.len() > 5, "{}", rules.id);
            let ends = [-1, 0, 1].map(|lead| chances.chance(lead, 0, true));
            assert_eq!(ends, [0, CERTAIN / 2, CERTAIN], "{}", rules.id);
        }
        let mut own = of("classic").as_ref().clone();
        own.id = "an operator's".to_owned();
        assert_eq!(Chances::of(&own), Chances::of(&of("classic")));
        assert_ne!(Chances::of(&of("super")), Chances::of(&of("classic")));
        assert_eq!(Chances::new(&[vec![1, 2, 3]]), Chances::new(&[]));
    }

    #[test]
    fn the_same_lead_is_worth_more_near_the_end_and_with_the_turn() {
        let chances = Chances::of(&RuleSet::builtin("classic").unwrap());
        let after = |left| chances.chance(3_000, left, false);
        assert!(after(10) > after(40) && after(40) > after(90));
        for left in [7, 14, 40, 90] {
            let even = chances.chance(0, left, true);
            assert!((5_000..9_500).contains(&even), "{left}: {even}");
        }
    }
}
