//! The rest of a game with every tile known, played by score and leave.

use std::collections::VecDeque;

use crate::alphabet::Tile;
use crate::analysis::{BotTurn, Candidate, Centipoints, Chances, Leaves, Seen, best_by_equity};
use crate::board::Board;
use crate::movegen::{Generator, WordGraph};
use crate::ruleset::RackCount;
use crate::state::Runs;
use crate::stream::Stream;
use crate::tiles::without;

use super::equity::POINT;
use super::leave::kind;
use super::standing::decided;

/// Most turns of a game that is played to its end.
const MOST_TURNS: u32 = 60;

/// The tiles that nobody has seen, as one possibility: the racks of the other seats, and the bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hidden {
    /// The rack of each seat; that of the own seat is empty.
    pub(super) racks: Vec<Vec<Tile>>,
    /// The own seat draws from the front, the others from the back. So their tiles do not depend on how many the own seat draws.
    pub(super) bag: Vec<Tile>,
}

impl Hidden {
    /// Deals the tiles of which nothing is known in this order: first to the racks of the other seats, besides their known tiles, then
    /// to the bag.
    pub(super) fn deal(seen: &Seen<'_>, order: &[Tile]) -> Self {
        let mut rest = order.iter().copied();
        let counts = seen.rack_counts.iter().enumerate();
        let racks = counts.map(|(at, count)| {
            let count = if at == seen.seat.index() { 0 } else { *count };
            let known = seen.known.get(at).into_iter().flatten().take(count);
            let mut rack: Vec<Tile> = known.copied().collect();
            rack.extend(rest.by_ref().take(count - rack.len()));
            rack
        });
        Self {
            racks: racks.collect(),
            bag: rest.collect(),
        }
    }
}

/// The result of a candidate in one possible rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The chance to win, in 1/10,000.
    pub(super) win: i64,
    /// The lead over the best other seat, with the leaves, in hundredths of a point.
    pub(super) lead: i64,
}

/// The means of a player: words, their search, what a leave is worth, and who wins how often.
pub(super) struct Player<'a> {
    pub(super) generator: &'a mut Generator,
    pub(super) words: &'a WordGraph,
    pub(super) leaves: &'a Leaves,
    pub(super) chances: &'a Chances,
}

/// The rest of a game.
pub(super) struct Rest<'a> {
    seen: &'a Seen<'a>,
    board: Board,
    racks: Vec<Vec<Tile>>,
    bag: VecDeque<Tile>,
    scores: Vec<i32>,
    /// The value of what each seat kept at its last turn.
    kept: Vec<Centipoints>,
    on_turn: usize,
    runs: Runs,
    /// Where exchanged tiles go in the bag.
    mixing: Stream,
}

impl<'a> Rest<'a> {
    pub(super) fn new(seen: &'a Seen<'a>, hidden: &Hidden, mixing: Stream) -> Self {
        let mut racks = hidden.racks.clone();
        racks[seen.seat.index()] = seen.rack.to_vec();
        Self {
            seen,
            board: seen.board.clone(),
            bag: hidden.bag.iter().copied().collect(),
            scores: seen.scores.clone(),
            kept: vec![0; racks.len()],
            racks,
            on_turn: seen.seat.index(),
            runs: seen.runs,
            mixing,
        }
    }

    /// Plays a candidate, then this number of further turns, or all of them.
    pub(super) fn play(
        mut self,
        player: &mut Player<'_>,
        first: &Candidate,
        plies: Option<u8>,
    ) -> Outcome {
        self.take(player.leaves, &first.turn, first.score);
        for _ in 0..plies.map_or(MOST_TURNS, u32::from) {
            if self.is_over() {
                break;
            }
            let best = self.best(player);
            self.take(player.leaves, &best.turn, best.score);
        }
        self.outcome(player.chances)
    }

    /// The best turn by score and leave; by score alone when nothing can be drawn.
    fn best(&self, player: &mut Player<'_>) -> Candidate {
        let rack = &self.racks[self.on_turn];
        if self.bag.is_empty() {
            let best = player
                .generator
                .best(player.words, self.seen.rules, &self.board, rack);
            return best.map_or(PASS, |best| Candidate {
                turn: BotTurn::Play(best.placement),
                score: best.score,
                equity: 0,
            });
        }
        let seen = Seen {
            board: &self.board,
            rack,
            scores: Vec::new(),
            targets: Vec::new(),
            rack_counts: Vec::new(),
            known: Vec::new(),
            bag: self.bag.len(),
            ..*self.seen
        };
        let mut best = best_by_equity(player.generator, player.words, player.leaves, &seen, 1);
        best.pop().unwrap_or(PASS)
    }

    fn take(&mut self, leaves: &Leaves, turn: &BotTurn, score: i32) {
        let side = self.on_turn;
        match turn {
            BotTurn::Play(placement) => {
                let rack = &mut self.racks[side];
                for (square, placed) in placement.squares() {
                    self.board.place(square, placed);
                    if let Some(at) = rack.iter().position(|tile| *tile == placed.tile) {
                        rack.swap_remove(at);
                    }
                }
                self.scores[side] = self.scores[side].saturating_add(score);
                self.keep(leaves, side);
                self.draw(side);
                self.runs = match score {
                    0 => self.runs.after_play_worth_nothing(),
                    _ => Runs::default(),
                };
            }
            BotTurn::Exchange(tiles) => {
                if let Some(left) = without(&self.racks[side], tiles) {
                    self.racks[side] = left;
                    self.keep(leaves, side);
                    self.draw(side);
                    for tile in tiles {
                        let places = u32::try_from(self.bag.len() + 1).unwrap_or(u32::MAX);
                        let at = usize::try_from(self.mixing.uniform(places)).unwrap_or(0);
                        self.bag.insert(at, *tile);
                    }
                }
                self.runs = self.runs.after_scoreless();
            }
            BotTurn::Pass => {
                self.keep(leaves, side);
                self.runs = self.runs.after_pass();
            }
        }
        self.on_turn = self.next(side);
    }

    /// The seat after this one; a seat without tiles is left out.
    fn next(&self, side: usize) -> usize {
        let seats = self.racks.len();
        let mut after = (1..=seats).map(|step| (side + step) % seats);
        after.find(|at| !self.racks[*at].is_empty()).unwrap_or(side)
    }

    fn keep(&mut self, leaves: &Leaves, side: usize) {
        self.kept[side] = worth_of_leave(leaves, &self.racks[side]);
    }

    fn draw(&mut self, side: usize) {
        let full = usize::from(self.seen.rules.rack_size);
        let rack = &mut self.racks[side];
        while rack.len() < full {
            let drawn = match side == self.seen.seat.index() {
                true => self.bag.pop_front(),
                false => self.bag.pop_back(),
            };
            let Some(tile) = drawn else {
                return;
            };
            rack.push(tile);
        }
    }

    fn is_over(&self) -> bool {
        let has_left = |side: usize| self.seen.rack_counts[side] == 0;
        let mut sides = 0..self.racks.len();
        let is_out =
            self.bag.is_empty() && sides.any(|side| self.racks[side].is_empty() && !has_left(side));
        let active = self.racks.iter().filter(|rack| !rack.is_empty()).count();
        let is_all_zero = self.scores.iter().all(|score| *score == 0);
        let is_idle = || {
            let rule = self.seen.inactivity;
            rule.ends(self.runs, active, is_all_zero).is_some()
        };
        is_out || self.winner().is_some() || is_idle()
    }

    /// The seat that has reached its target in a race.
    fn winner(&self) -> Option<usize> {
        let mut seats = self.seen.targets.iter().zip(&self.scores);
        seats.position(|(target, score)| score >= target)
    }

    fn outcome(&self, chances: &Chances) -> Outcome {
        let own = self.seen.seat.index();
        if let Some(winner) = self.winner() {
            let lead = self.lead(own, |side| self.lacks(side)).unwrap_or(0);
            return Outcome {
                win: if winner == own { 10_000 } else { 0 },
                lead: i64::from(lead) * i64::from(POINT),
            };
        }
        if self.is_over() {
            let lead = self.lead(own, |side| self.final_score(side)).unwrap_or(0);
            return Outcome {
                win: i64::from(decided(lead)),
                lead: i64::from(lead) * i64::from(POINT),
            };
        }
        let counts = |side: usize| match self.bag.is_empty() {
            true => 0,
            false => self.kept[side],
        };
        let worth = |side: usize| {
            let points = self.lacks(side);
            points.saturating_mul(POINT).saturating_add(counts(side))
        };
        let lead = self.lead(own, worth).unwrap_or(0);
        Outcome {
            win: i64::from(chances.chance(lead, self.left(), self.on_turn == own)),
            lead: i64::from(lead),
        }
    }

    /// The amount that is left of the game: tiles, or points in a race.
    fn left(&self) -> usize {
        if self.seen.targets.is_empty() {
            return self.bag.len() + self.racks.iter().map(Vec::len).sum::<usize>();
        }
        let lack = (0..self.racks.len()).map(|side| self.lacks(side).saturating_neg());
        usize::try_from(lack.min().unwrap_or(0)).unwrap_or(0)
    }

    /// The points of a seat; in a race less those that it needs.
    fn lacks(&self, side: usize) -> i32 {
        let target = self.seen.targets.get(side).copied().unwrap_or(0);
        self.scores[side].saturating_sub(target)
    }

    /// The lead of the own seat over the best other seat.
    fn lead(&self, own: usize, worth: impl Fn(usize) -> i32) -> Option<i32> {
        let others = (0..self.racks.len()).filter(|side| *side != own);
        let best = others.map(&worth).max()?;
        Some(worth(own).saturating_sub(best))
    }

    /// The points of a seat after the unplayed tiles are counted (R-END-7).
    fn final_score(&self, side: usize) -> i32 {
        let score = self.scores[side];
        if self.seen.rules.rack_count == RackCount::EmptyBag && !self.bag.is_empty() {
            return score;
        }
        let tiles = &self.seen.rules.tiles;
        let is_out = self.racks[side].is_empty() && self.seen.rack_counts[side] > 0;
        match is_out && self.bag.is_empty() {
            true => score.saturating_add(self.racks.iter().map(|rack| tiles.sum(rack)).sum()),
            false => score.saturating_sub(tiles.sum(&self.racks[side])),
        }
    }
}

/// The worth of tiles that are kept.
pub(super) fn worth_of_leave(leaves: &Leaves, kept: &[Tile]) -> Centipoints {
    let mut counts = [0_u8; 256];
    for tile in kept {
        let count = &mut counts[kind(*tile)];
        *count = count.saturating_add(1);
    }
    leaves.value(&counts)
}

const PASS: Candidate = Candidate {
    turn: BotTurn::Pass,
    score: 0,
    equity: 0,
};
