//! Before the end: with few tiles in the bag, every way in which they can lie is played.
//!
//! A turn that draws the whole bag leaves an ending, in which both players know all tiles: a search finds its result. Stage by stage
//! fewer turns are searched, and deeper. First the search only tells a win, a tie and a loss apart; then it finds the points of the
//! turns that win equally often. After a turn that leaves tiles in the bag both sides play by score and leave, so its result is an
//! estimate in every stage.

use crate::alphabet::Tile;
use crate::analysis::{Candidate, Seen};
use crate::movegen::WordGraph;
use crate::tiles::without;

use super::after::After;
use super::engine::Engine;
use super::equity::POINT;
use super::evaluate::is_same;
use super::rest_of_game::{Hidden, Player, Rest};
use super::sample::seed;
use super::standing::{CERTAIN, decided};
use super::{BotTurn, EndingBudget, EndingSearch, Proof};

/// Most tiles in the bag.
pub const MAX_BAG: usize = 4;
/// Most turns that are compared, besides the one that must be: by the number of tiles in the bag, from 1.
const COMPARED: [usize; MAX_BAG] = [64, 48, 32, 24];
/// The positions that a game played by score and leave counts as.
const GREEDY: u64 = 8;
/// The positions that a search of many endings keeps.
const TABLE: usize = 1 << 17;
/// The turns of each stage, and the positions of each of its endings.
const STAGES: [(usize, u64); 5] = [
    (24, 400),
    (10, 4_000),
    (BEST, 30_000),
    (BEST, 250_000),
    (BEST, u64::MAX),
];
/// How many of the best turns the last stage proves.
const BEST: usize = 4;

/// How much to search before the end.
#[derive(Clone, Copy)]
pub struct BeforeEndBudget<'a> {
    /// A turn that is always compared: the one that was made.
    pub kept: Option<&'a Candidate>,
    /// Most positions.
    pub nodes: u64,
    /// Asked between two positions: whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// A turn and its results over all ways in which the unseen tiles can lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The turn.
    pub candidate: Candidate,
    /// The expected result in 1/10,000: the opponent plays its best without seeing the bag. A tie is half a win. Neither 0 nor all
    /// before it is proved.
    pub win: u16,
    /// The share of the ways, in 1/10,000, in which no reply avoids the loss of the opponent; `None` before it is proved.
    pub sure: Option<u16>,
    /// The mean lead at the end, in hundredths of a point.
    pub lead: i64,
    /// Whether the lead is proved too.
    pub is_exact: bool,
}

/// The results of the turns of a position before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeEnd {
    /// The turns, the best one first.
    pub turns: Vec<Decided>,
    /// The stages that are finished.
    pub stage: u8,
    /// Whether all stages are finished. Turns that leave tiles in the bag are estimates even then.
    pub is_finished: bool,
    /// How many positions were searched.
    pub nodes: u64,
}

impl BeforeEnd {
    /// The number of stages.
    #[expect(clippy::cast_possible_truncation, reason = "five")]
    pub const STAGES: u8 = STAGES.len() as u8;

    /// Whether win, tie and loss of the best turns are proved in every way in which the unseen tiles can lie.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        let mut best = self.turns.iter().take(BEST);
        self.is_finished && best.all(|turn| turn.sure.is_some())
    }
}

/// One way in which the unseen tiles can lie.
struct Way {
    bag: Vec<Tile>,
    other: Vec<Tile>,
    /// How many orders of the tiles it stands for.
    count: i64,
}

/// The result of a turn in one way.
#[derive(Clone, Copy, Default)]
struct Known {
    lead: i32,
    /// The chance to win: 0, a half or 1 of `CERTAIN`.
    win: u16,
    /// Whether win, tie or loss is proved.
    is_decided: bool,
    /// Whether the lead is proved.
    is_exact: bool,
}

/// A turn with its results.
struct Arm {
    candidate: Candidate,
    after: After,
    /// Whether the turn draws the whole bag.
    is_ending: bool,
    results: Vec<Known>,
    /// The positions that each of its endings was searched with.
    searched: u64,
}

/// The budget is used up, or the caller stopped the search.
struct Spent;

impl Engine {
    /// Compares the turns of a position of two players with 1 to [`MAX_BAG`] tiles in the bag. `None` for every other position, and if
    /// the caller stops it before the first stage is finished.
    pub fn before_end(
        &mut self,
        seen: &Seen<'_>,
        budget: BeforeEndBudget<'_>,
    ) -> Option<BeforeEnd> {
        let unseen = seen.unseen();
        let opponent = seen.opponent()?;
        let has_end = (1..=MAX_BAG).contains(&seen.bag) && seen.targets.is_empty();
        if !has_end || unseen.len() != seen.bag + seen.rack_counts[opponent] {
            return None;
        }
        let pool = [seen.rack, &unseen].concat();
        let spelled = self.words.all().within_lines(seen.board, &pool);
        let ways = ways((&unseen, &seen.unknown()), seen.bag);
        let mut list = self.list(seen, COMPARED[seen.bag - 1]);
        if let Some(kept) = budget.kept
            && !list.iter().any(|one| is_same(&one.turn, &kept.turn))
        {
            list.push(kept.clone());
        }
        let mut search = Before {
            engine: self,
            seen,
            opponent,
            spelled: &spelled,
            ways: &ways,
            left: budget.nodes,
            stop: budget.stop,
        };
        let mut arms: Vec<Arm> = list.into_iter().map(|one| search.arm(one)).collect();
        let mut stage = 0;
        if search.greedy(&mut arms).is_err() && (budget.stop)() {
            return None;
        }
        let mut is_finished = true;
        for (most, nodes) in STAGES {
            search.rank(&mut arms);
            if search.decide(&mut arms, most, nodes).is_err() {
                is_finished = false;
                break;
            }
            stage += 1;
        }
        search.rank(&mut arms);
        if is_finished && search.points(&mut arms).is_ok() {
            // The leads of the others are estimates.
            let best = arms.len().min(BEST);
            search.rank(&mut arms[..best]);
        }
        let nodes = budget.nodes - search.left;
        let turns = arms.into_iter().map(|arm| arm.told(&ways)).collect();
        Some(BeforeEnd {
            turns,
            stage,
            is_finished,
            nodes,
        })
    }
}

/// The search of one position.
struct Before<'a> {
    engine: &'a mut Engine,
    seen: &'a Seen<'a>,
    opponent: usize,
    spelled: &'a WordGraph,
    ways: &'a [Way],
    left: u64,
    stop: &'a dyn Fn() -> bool,
}

impl Before<'_> {
    fn arm(&self, candidate: Candidate) -> Arm {
        let after = After::new(self.seen, &candidate);
        let is_play = matches!(candidate.turn, BotTurn::Play(_));
        let room = usize::from(self.seen.rules.rack_size).saturating_sub(after.rack.len());
        Arm {
            after,
            is_ending: is_play && room >= self.seen.bag,
            results: vec![Known::default(); self.ways.len()],
            searched: 0,
            candidate,
        }
    }

    /// Plays every turn to the end of the game by score and leave.
    fn greedy(&mut self, arms: &mut [Arm]) -> Result<(), Spent> {
        for arm in arms {
            for (way, result) in self.ways.iter().zip(&mut arm.results) {
                if (self.stop)() {
                    return Err(Spent);
                }
                // Which tile of the bag comes first matters only if some are left in it.
                let orders = if arm.is_ending { 1 } else { way.bag.len() };
                let (mut lead, mut win) = (0, 0);
                for first in 0..orders {
                    self.left = self.left.saturating_sub(GREEDY);
                    let mut hidden = Hidden {
                        racks: vec![Vec::new(); self.seen.scores.len()],
                        bag: way.bag.clone(),
                    };
                    hidden.bag.rotate_left(first);
                    hidden.racks[self.opponent].clone_from(&way.other);
                    let engine = &mut *self.engine;
                    let mut player = Player {
                        generator: &mut engine.generator,
                        words: self.spelled,
                        leaves: &engine.leaves,
                        chances: &engine.chances,
                    };
                    let rest = Rest::new(self.seen, &hidden, seed(0).stream("before the end"));
                    let outcome = rest.play(&mut player, &arm.candidate, None);
                    lead += outcome.lead;
                    win += outcome.win;
                }
                let orders = i64::try_from(orders).unwrap_or(1).max(1);
                result.lead = i32::try_from(lead / orders / i64::from(POINT)).unwrap_or(0);
                result.win = u16::try_from(win / orders).unwrap_or(0);
            }
        }
        Ok(())
    }

    /// Tells wins, ties and losses of the best turns apart, with endings of this number of positions.
    fn decide(&mut self, arms: &mut [Arm], most: usize, nodes: u64) -> Result<(), Spent> {
        let most = most.min(arms.len());
        // When the results of a turn fall, another turn takes its place.
        let mut is_open = true;
        while is_open {
            is_open = false;
            for arm in arms.iter_mut().take(most) {
                if arm.searched >= nodes || !arm.is_ending {
                    continue;
                }
                for number in 0..self.ways.len() {
                    if !arm.results[number].is_decided {
                        arm.results[number] = self.result(arm, number, nodes, false)?;
                    }
                }
                arm.searched = nodes;
                is_open = true;
            }
            self.rank(arms);
        }
        Ok(())
    }

    /// Finds the points of the best turn and of those that win as often.
    fn points(&mut self, arms: &mut [Arm]) -> Result<(), Spent> {
        let Some(best) = arms.first().map(|arm| arm.win(self.ways)) else {
            return Ok(());
        };
        let equal = arms.iter_mut().take(BEST);
        for arm in equal.filter(|arm| arm.is_ending && arm.win(self.ways) == best) {
            for number in 0..self.ways.len() {
                if !arm.results[number].is_exact {
                    arm.results[number] = self.result(arm, number, u64::MAX, true)?;
                }
            }
        }
        Ok(())
    }

    /// Searches the ending after a turn in one way.
    fn result(
        &mut self,
        arm: &Arm,
        number: usize,
        nodes: u64,
        with_points: bool,
    ) -> Result<Known, Spent> {
        let (way, before) = (&self.ways[number], arm.results[number]);
        let own = [&arm.after.rack[..], &way.bag].concat();
        let lead = self.seen.lead().saturating_add(arm.candidate.score);
        let tiles = &self.seen.rules.tiles;
        let exact = |lead: i32| Known {
            lead,
            win: decided(lead),
            is_decided: true,
            is_exact: true,
        };
        if arm.after.is_idle(self.seen) {
            return Ok(exact(lead - tiles.sum(&own) + tiles.sum(&way.other)));
        }
        if self.left == 0 || (self.stop)() {
            return Err(Spent);
        }
        let limit = nodes.min(self.left);
        let budget = EndingBudget {
            turns: 1,
            nodes: limit,
            stop: self.stop,
        };
        let window = match with_points {
            true => (-super::search::INFINITE, super::search::INFINITE),
            false => (lead.saturating_sub(1), lead.saturating_add(1)),
        };
        let position = arm.after.ending(self.seen, &way.other, &own);
        let engine = &mut *self.engine;
        let endings = engine
            .many_endings
            .get_or_insert_with(|| EndingSearch::with_table(TABLE));
        let generator = &mut engine.generator;
        let ending = endings.solve_within(generator, self.spelled, &position, budget, Some(window));
        self.left = self.left.saturating_sub(ending.nodes.max(1));
        let value = ending.turns.first().map_or(0, |turn| turn.value);
        let found = lead.saturating_sub(value);
        match ending.proof {
            Proof::Exact if with_points => Ok(exact(found)),
            Proof::Exact => Ok(Known {
                win: decided(found),
                is_decided: true,
                // The search says how far the lead is only between its bounds.
                lead: match before.lead.signum() == found.signum() && found != 0 {
                    true => before.lead,
                    false => found,
                },
                is_exact: found == 0,
            }),
            Proof::Depth(_) if limit < nodes || (self.stop)() => Err(Spent),
            Proof::Depth(0) => Ok(before),
            Proof::Depth(_) => Ok(Known {
                win: decided(found),
                ..before
            }),
        }
    }

    /// Puts the best turns first.
    fn rank(&self, arms: &mut [Arm]) {
        arms.sort_by_cached_key(|arm| {
            let (win, lead) = (arm.win(self.ways), arm.lead(self.ways));
            std::cmp::Reverse((win, lead, arm.candidate.equity))
        });
    }
}

impl Arm {
    fn mean(&self, ways: &[Way], of: impl Fn(&Known) -> i64) -> i64 {
        let results = || ways.iter().zip(&self.results);
        let sum: i64 = results().map(|(way, result)| way.count * of(result)).sum();
        let count: i64 = ways.iter().map(|way| way.count).sum();
        sum.div_euclid(count.max(1))
    }

    fn win(&self, ways: &[Way]) -> i64 {
        self.mean(ways, |result| i64::from(result.win))
    }

    fn lead(&self, ways: &[Way]) -> i64 {
        self.mean(ways, |result| i64::from(result.lead) * i64::from(POINT))
    }

    fn told(self, ways: &[Way]) -> Decided {
        let is_decided = self.results.iter().all(|result| result.is_decided);
        let share = |chance: i64| u16::try_from(chance).unwrap_or(0).min(CERTAIN);
        let wins = |result: &Known| match result.win == CERTAIN {
            true => i64::from(CERTAIN),
            false => 0,
        };
        Decided {
            win: match is_decided {
                true => share(self.win(ways)),
                false => share(self.win(ways)).clamp(1, CERTAIN - 1),
            },
            sure: is_decided.then(|| share(self.mean(ways, wins))),
            lead: self.lead(ways),
            is_exact: self.results.iter().all(|result| result.is_exact),
            candidate: self.candidate,
        }
    }
}

/// Every way in which the unseen tiles can lie in the bag and on the other rack.
fn ways((unseen, unknown): (&[Tile], &[Tile]), bag: usize) -> Vec<Way> {
    let mut kinds: Vec<(Tile, i64)> = Vec::new();
    for tile in unknown {
        match kinds.iter_mut().find(|(kind, _)| kind == tile) {
            Some((_, count)) => *count += 1,
            None => kinds.push((*tile, 1)),
        }
    }
    let mut bags = vec![(Vec::new(), 1_i64)];
    for (tile, held) in kinds {
        let more = |(tiles, count): (Vec<Tile>, i64)| {
            let room = bag - tiles.len();
            let most = usize::try_from(held).unwrap_or(0).min(room);
            let mut choices = 1;
            (0..=most).map(move |number| {
                let drawn = i64::try_from(number).unwrap_or(0);
                if drawn > 0 {
                    choices = choices * (held - drawn + 1) / drawn;
                }
                let mut tiles = tiles.clone();
                tiles.extend(std::iter::repeat_n(tile, number));
                (tiles, count * choices)
            })
        };
        bags = bags.into_iter().flat_map(more).collect();
    }
    let full = bags.into_iter().filter(|(tiles, _)| tiles.len() == bag);
    let ways = full.map(|(tiles, count)| Way {
        other: without(unseen, &tiles).unwrap_or_default(),
        bag: tiles,
        count,
    });
    ways.collect()
}
