//! Learns the chances to win from games of the expert against itself, and checks them with other games.
//!
//! For every turn a lesson says what was left of the game, how far the side on turn led, and how far it led at the end. The distances
//! between both leads, grouped by what was left, make a table ([`crate::analysis::Chances`]). The seed determines everything.

use std::ops::Range;
use std::sync::Arc;

use crate::analysis::equity::POINT;
use crate::analysis::{CERTAIN, ChanceRow, Chances, LEVELS, UNIT, decided};
use crate::lexicon::{Lexicon, WordGraphs};
use crate::options::OptionsError;
use crate::ruleset::RuleSet;
use crate::time::Seat;

use super::train::{kept, options};
use super::{Bot, Centipoints, Leaves, Match, Seen, play_game};

/// The upper bounds of the groups of lessons, by what is left.
const GROUPS: [u32; 19] = [
    2, 4, 6, 8, 10, 12, 14, 17, 21, 26, 33, 42, 55, 70, 85, 110, 140, 170, 210,
];
/// A group with fewer lessons joins the next one.
const FEWEST: usize = 1_000;

/// A position of a game, and how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The amount that was left of the game, as in [`Chances::chance`].
    pub left: u32,
    /// The lead of the side on turn, with leaves.
    pub lead: Centipoints,
    /// Its lead at the end.
    pub end: Centipoints,
}

/// Positions with about the same chance to win: a tenth of all chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tenth {
    /// The number of positions.
    pub positions: u64,
    /// The sum of the chances, in 1/10,000.
    pub expected: u64,
    /// The sum of the results: 10,000 a win, 5,000 a tie.
    pub won: u64,
}

/// Plays games with these seeds and returns their lessons.
///
/// # Errors
/// If the rule set does not allow two seats.
pub fn chance_lessons(
    rules: &Arc<RuleSet>,
    lexicon: &dyn Lexicon,
    words: &Arc<WordGraphs>,
    seeds: Range<u64>,
) -> Result<Vec<Lesson>, OptionsError> {
    let leaves = Leaves::for_tiles(&rules.tiles, &rules.language);
    let bot = || Bot::in_training(Arc::clone(words), leaves.clone());
    let mut bots = [bot(), bot()];
    let mut lessons = Vec::new();
    for seed in seeds {
        let of = Match {
            rules: Arc::clone(rules),
            options: options(rules, lexicon),
            seed,
        };
        let mut notes: Vec<(Seat, Lesson)> = Vec::new();
        let mut leaves_of = [0; 2];
        let mut targets = [0; 2];
        let result = play_game(&of, lexicon, &mut bots, |seen, turn| {
            let own = seen.seat.index();
            for (target, of) in targets.iter_mut().zip(&seen.targets) {
                *target = *of;
            }
            let points = lead(&seen.scores, targets, own).saturating_mul(POINT);
            let of_leaves = match seen.bag {
                0 => 0,
                _ => leaves_of[own] - leaves_of[1 - own],
            };
            let lesson = Lesson {
                left: left(seen),
                lead: points.saturating_add(of_leaves),
                end: 0,
            };
            notes.push((seen.seat, lesson));
            leaves_of[own] = leaves.value(&kept(seen, turn));
        })?;
        let scores = result.ended.results.iter().map(|of| of.final_score);
        let scores: Vec<i32> = scores.collect();
        lessons.extend(notes.into_iter().map(|(seat, lesson)| Lesson {
            end: lead(&scores, targets, seat.index()).saturating_mul(POINT),
            ..lesson
        }));
    }
    Ok(lessons)
}

/// The lead of a seat; in a race the points that the other one lacks more.
fn lead(scores: &[i32], targets: [i32; 2], own: usize) -> i32 {
    let worth = |seat: usize| scores[seat].saturating_sub(targets[seat]);
    worth(own).saturating_sub(worth(1 - own))
}

fn left(seen: &Seen<'_>) -> u32 {
    let left = match seen.race() {
        Some(lacks) => usize::try_from(lacks[0].min(lacks[1])).unwrap_or(0),
        None => seen.left(),
    };
    u32::try_from(left).unwrap_or(u32::MAX)
}

/// Learns the table of a rule set from lessons.
#[must_use]
pub fn learn_chances(lessons: &[Lesson]) -> Vec<ChanceRow> {
    let mut groups: Vec<Vec<Lesson>> = vec![Vec::new(); GROUPS.len()];
    for lesson in lessons {
        let at = GROUPS.partition_point(|bound| *bound < lesson.left);
        groups[at.min(GROUPS.len() - 1)].push(*lesson);
    }
    let mut rows = Vec::new();
    let mut group = Vec::new();
    for more in groups {
        group.extend(more);
        if group.len() >= FEWEST {
            rows.push(row(&group));
            group.clear();
        }
    }
    rows
}

/// The row of a group that is not empty.
fn row(group: &[Lesson]) -> ChanceRow {
    let left: u64 = group.iter().map(|lesson| u64::from(lesson.left)).sum();
    let count = u64::try_from(group.len()).unwrap_or(1).max(1);
    let mut distances: Vec<Centipoints> = group
        .iter()
        .map(|lesson| lesson.end.saturating_sub(lesson.lead))
        .collect();
    distances.sort_unstable();
    spread(&mut distances);
    let mut row = vec![i32::try_from((left + count / 2) / count).unwrap_or(i32::MAX)];
    let mut last = 0;
    for level in LEVELS {
        let level = usize::try_from(level).unwrap_or(0);
        let at = distances.len() * level / usize::from(CERTAIN);
        let distance = distances[at.min(distances.len() - 1)];
        let rounded = (distance + UNIT / 2).div_euclid(UNIT);
        row.push(rounded - last);
        last = rounded;
    }
    row
}

/// Spreads equal distances evenly over the point around them, so that a tie is half a win.
fn spread(distances: &mut [Centipoints]) {
    for equal in distances.chunk_by_mut(|one, other| one == other) {
        let count = Centipoints::try_from(equal.len()).unwrap_or(Centipoints::MAX);
        for (at, distance) in (0..).zip(equal) {
            let part = i64::from(POINT) * (2 * i64::from(at) + 1) / (2 * i64::from(count));
            *distance += Centipoints::try_from(part).unwrap_or(0) - POINT / 2;
        }
    }
}

/// Compares the chances of a table with the results of other games, by tenths of the chance to win.
#[must_use]
pub fn tenths(chances: &Chances, lessons: &[Lesson]) -> [Tenth; 10] {
    let mut tenths = [Tenth::default(); 10];
    for lesson in lessons {
        let left = usize::try_from(lesson.left).unwrap_or(usize::MAX);
        let chance = chances.chance(lesson.lead, left, true);
        let tenth = &mut tenths[usize::from(chance / (CERTAIN / 10)).min(9)];
        tenth.positions += 1;
        tenth.expected += u64::from(chance);
        tenth.won += u64::from(decided(lesson.end));
    }
    tenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_repeats_the_results_of_its_lessons() {
        // The side on turn gains 3 points on average, evenly from -17 to 23.
        let lessons: Vec<Lesson> = (0..41_000)
            .map(|number| Lesson {
                left: 20,
                lead: (number / 41 % 30 - 15) * POINT,
                end: (number / 41 % 30 - 15 + number % 41 - 17) * POINT,
            })
            .collect();
        let rows = learn_chances(&lessons);
        assert_eq!(rows.len(), 1);
        let chances = Chances::new(&rows);
        let even = chances.chance(-3 * POINT, 20, true);
        assert!(even.abs_diff(CERTAIN / 2) < 60, "{even}");
        let tenths = tenths(&chances, &lessons);
        for tenth in tenths.iter().filter(|tenth| tenth.positions > 0) {
            let mean = tenth.expected / tenth.positions;
            let won = tenth.won / tenth.positions;
            assert!(mean.abs_diff(won) < 100, "{tenth:?}");
        }
    }

    #[test]
    fn few_lessons_make_no_row() {
        assert!(learn_chances(&[]).is_empty());
    }
}
