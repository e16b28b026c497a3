//! One turn of a game beside the best turn of its position.

use crate::alphabet::Tile;
use crate::analysis::{BotTurn, Candidate, Centipoints, Seen};
use crate::tiles::without;

use super::Chances;
use super::after::After;
use super::engine::Engine;
use super::equity::POINT;
use super::sample::{Estimate, MAX_CANDIDATES, Simulation, Tallies};
use super::standing::{CERTAIN, decided};
use super::{EndingBudget, Next, Proof, SampleBudget, next};

/// The points of a pass below what its rack is worth: it is the last resort.
const PASS_COSTS: Centipoints = 2_000;

/// How much to search for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Most samples of a turn; 0 compares turns by score and leave.
    pub samples: u32,
    /// The turns to simulate, besides the one that was made.
    pub candidates: usize,
    /// The turns to look ahead in a sample.
    pub plies: u8,
    /// Most positions of an ending, for each of two searches.
    pub nodes: u64,
    /// Racks that the luck of a draw is measured with; 0 measures no luck.
    pub racks: u32,
    /// The seed of all samples.
    pub seed: u64,
}

/// How sure an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// The values are proved.
    Exact,
    /// A search of an ending ended before it proved the values.
    Depth,
    /// By a simulation.
    Sampled,
    /// By score and leave.
    Static,
}

impl Sureness {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Depth => "depth",
            Self::Sampled => "sampled",
            Self::Static => "static",
        }
    }
}

/// A turn with its worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The turn.
    pub turn: BotTurn,
    /// Its score in points.
    pub score: i32,
    /// The chance to win after it, in 1/10,000.
    pub win: u16,
    /// The lead after it, as far as the search looks, in hundredths of a point.
    pub lead: i64,
}

/// The worth of a turn and of the best turn of its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// How sure the values are.
    pub sureness: Sureness,
    /// The best turn; the one that was made, if it is as good.
    pub best: Worth,
    /// The turn that was made.
    pub made: Worth,
    /// Whether the turn that was made is as good as the best, as far as one can tell.
    pub is_equal: bool,
    /// Whether there was another turn than to pass.
    pub is_choice: bool,
    /// Whether a play for a bonus was there.
    pub has_bingo: bool,
    /// The points that the draw before this turn brought above the mean, in hundredths.
    pub luck: Option<Centipoints>,
}

impl Engine {
    /// Evaluates a turn. `kept` has the tiles that the player kept at the turn before, for the luck of the draw. `None` if the caller
    /// stops the search.
    pub fn evaluate(
        &mut self,
        seen: &Seen<'_>,
        (turn, score): (&BotTurn, i32),
        kept: Option<&[Tile]>,
        effort: &Effort,
        stop: &dyn Fn() -> bool,
    ) -> Option<Evaluation> {
        let list = self.list(seen, effort.candidates.clamp(1, MAX_CANDIDATES - 1));
        let made = Candidate {
            turn: turn.clone(),
            score,
            equity: self.equity(seen, turn, score),
        };
        let is_choice = list.len() > 1 || list.iter().any(|one| one.turn != BotTurn::Pass);
        let has_bingo = self.has_bingo(seen);
        let luck = match (kept, list.first()) {
            (Some(kept), Some(best)) if effort.racks > 0 => {
                self.luck(seen, kept, best.equity, (effort.racks, effort.seed))
            }
            _ => None,
        };
        let other = seen.other_rack().filter(|_| seen.targets.is_empty());
        let worths = match other {
            Some(other) => self.by_ending(seen, &other, &made, effort.nodes, stop),
            None if effort.samples > 0 => self.by_samples(seen, list, made, effort, stop),
            None => Some(self.by_equity(seen, list, made)),
        };
        let Worths {
            best,
            made,
            is_equal,
            sureness,
        } = worths?;
        Some(Evaluation {
            sureness,
            best: if is_equal { made.clone() } else { best },
            made,
            is_equal,
            is_choice,
            has_bingo,
            luck,
        })
    }

    fn has_bingo(&mut self, seen: &Seen<'_>) -> bool {
        use std::ops::ControlFlow;
        let flow = self.generator.try_for_each(
            self.words.all(),
            seen.rules,
            seen.board,
            seen.rack,
            |found| match seen.rules.bingo_bonus(found.laid) > 0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            },
        );
        flow.is_break()
    }

    /// Returns the score of a turn plus the value of its leave.
    fn equity(&self, seen: &Seen<'_>, turn: &BotTurn, score: i32) -> Centipoints {
        let used = match turn {
            BotTurn::Play(placement) => placement.laid().map(|placed| placed.tile).collect(),
            BotTurn::Exchange(tiles) => tiles.clone(),
            BotTurn::Pass => Vec::new(),
        };
        let kept = without(seen.rack, &used).unwrap_or_default();
        let kept = match seen.bag {
            0 => 0,
            _ => self.leave(&kept),
        };
        match turn {
            BotTurn::Pass => kept.min(0) - PASS_COSTS,
            _ => score.saturating_mul(POINT).saturating_add(kept),
        }
    }

    fn by_ending(
        &mut self,
        seen: &Seen<'_>,
        other: &[Tile],
        made: &Candidate,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Worths> {
        let budget = EndingBudget {
            turns: 1,
            nodes: nodes.max(1),
            stop,
        };
        let ending = self.ending(&seen.ending(other), budget);
        if stop() {
            return None;
        }
        let best = ending.turns.into_iter().next()?;
        let (value, proof) = self.ending_after(seen, other, made, budget);
        if stop() {
            return None;
        }
        let worth = |turn: BotTurn, score: i32, value: i32| {
            let lead = seen.lead().saturating_add(value);
            Worth {
                turn,
                score,
                win: decided(lead),
                lead: i64::from(lead) * i64::from(POINT),
            }
        };
        let (turn, score) = match best.play {
            Some(play) => (BotTurn::Play(play.placement), play.score),
            None => (BotTurn::Pass, 0),
        };
        let is_exact = (ending.proof, proof) == (Proof::Exact, Proof::Exact);
        Some(Worths {
            best: worth(turn, score, best.value),
            made: worth(made.turn.clone(), made.score, value),
            is_equal: value >= best.value,
            sureness: match is_exact {
                true => Sureness::Exact,
                false => Sureness::Depth,
            },
        })
    }

    /// The value of a turn of an ending: its score, and what the other player can do after it.
    fn ending_after(
        &mut self,
        seen: &Seen<'_>,
        other: &[Tile],
        made: &Candidate,
        budget: EndingBudget<'_>,
    ) -> (i32, Proof) {
        let tiles = &seen.rules.tiles;
        let after = After::new(seen, made);
        let rack = &after.rack;
        if rack.is_empty() {
            return (made.score + 2 * tiles.sum(other), Proof::Exact);
        }
        if after.is_idle(seen) {
            return (
                made.score + tiles.sum(other) - tiles.sum(rack),
                Proof::Exact,
            );
        }
        let position = after.ending(seen, other, rack);
        let ending = self.ending(&position, budget);
        let reply = ending.turns.first().map_or(0, |turn| turn.value);
        (made.score - reply, ending.proof)
    }

    fn by_samples(
        &mut self,
        seen: &Seen<'_>,
        list: Vec<Candidate>,
        made: Candidate,
        effort: &Effort,
        stop: &dyn Fn() -> bool,
    ) -> Option<Worths> {
        let mut candidates = list;
        let known = candidates
            .iter()
            .position(|one| is_same(&one.turn, &made.turn));
        let own = known.unwrap_or(candidates.len());
        if known.is_none() {
            candidates.push(made);
        }
        let of = Simulation {
            seen,
            candidates: &candidates,
            plies: effort.plies,
            seed: effort.seed,
        };
        let budget = SampleBudget {
            samples: effort.samples,
            kept: Some(own),
        };
        let mut tallies = Tallies::new(candidates.len());
        while let Next::Sample(live, samples) = next(&tallies, &budget) {
            tallies.add(&self.sample(&of, &live, samples, stop)?);
        }
        let estimates = tallies.estimates();
        let best = *estimates.first()?;
        let made = *estimates.iter().find(|one| one.candidate == own)?;
        let worth = |of: Estimate| Worth {
            turn: candidates[of.candidate].turn.clone(),
            score: candidates[of.candidate].score,
            win: of.win,
            lead: of.lead,
        };
        Some(Worths {
            best: worth(best),
            made: worth(made),
            is_equal: made.is_equal,
            sureness: Sureness::Sampled,
        })
    }
}

impl Engine {
    /// Compares by score and leave.
    fn by_equity(&mut self, seen: &Seen<'_>, list: Vec<Candidate>, made: Candidate) -> Worths {
        let winning = seen.lacks(seen.seat).and_then(|lack| {
            let best = self.highest(seen).filter(|best| best.score >= lack)?;
            Some(Candidate {
                turn: BotTurn::Play(best.placement),
                score: best.score,
                equity: best.score.saturating_mul(POINT),
            })
        });
        let best = winning.or_else(|| list.into_iter().next());
        let best = static_worth(&self.chances, seen, best.unwrap_or_else(|| made.clone()));
        let made = static_worth(&self.chances, seen, made);
        Worths {
            is_equal: (made.win, made.lead) >= (best.win, best.lead)
                || !seen.targets.is_empty() && made.win == CERTAIN,
            best,
            made,
            sureness: Sureness::Static,
        }
    }
}

/// The best turn and the one that was made.
struct Worths {
    best: Worth,
    made: Worth,
    is_equal: bool,
    sureness: Sureness,
}

/// The worth of a turn by its score and leave; the chance to win follows from the lead. A play that reaches the target of a race wins.
fn static_worth(chances: &Chances, seen: &Seen<'_>, of: Candidate) -> Worth {
    let needs = |side: usize| seen.targets.get(side).copied().unwrap_or(0);
    let lacking = |side: usize| seen.scores[side].saturating_sub(needs(side));
    let own = seen.seat.index();
    let others = (0..seen.scores.len()).filter(|side| *side != own);
    let lead = lacking(own).saturating_sub(others.clone().map(lacking).max().unwrap_or(0));
    let lead = lead.saturating_mul(POINT).saturating_add(of.equity);
    let nearest = others
        .map(lacking)
        .max()
        .unwrap_or(0)
        .max(lacking(own).saturating_add(of.score));
    let left = match (&of.turn, seen.targets.is_empty()) {
        (_, false) => usize::try_from(nearest.saturating_neg()).unwrap_or(0),
        (BotTurn::Play(play), true) => seen.left().saturating_sub(play.laid().count()),
        (BotTurn::Exchange(_) | BotTurn::Pass, true) => seen.left(),
    };
    let wins = seen.lacks(seen.seat).is_some_and(|lack| of.score >= lack);
    Worth {
        win: match wins {
            true => CERTAIN,
            false => chances.chance(lead, left, false),
        },
        lead: i64::from(lead),
        turn: of.turn,
        score: of.score,
    }
}

/// Whether two turns do the same: lay the same tiles on the same squares, or exchange the same tiles.
pub(super) fn is_same(one: &BotTurn, other: &BotTurn) -> bool {
    match (one, other) {
        (BotTurn::Play(one), BotTurn::Play(other)) => one.squares().eq(other.squares()),
        (BotTurn::Exchange(one), BotTurn::Exchange(other)) => {
            one.len() == other.len() && without(one, other).is_some()
        }
        (BotTurn::Pass, BotTurn::Pass) => true,
        _ => false,
    }
}
