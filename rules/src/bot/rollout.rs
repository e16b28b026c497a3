//! Rollouts for a low bag: each candidate turn is played to the end for many possible draws, both sides take the
//! highest score, and the turn with the best average result is chosen. Races are played to their target in the same way.

use crate::alphabet::Tile;
use crate::board::Board;
use crate::movegen::{Generator, Scored, WordGraph};
use crate::play::Placement;
use crate::stream::Stream;
use crate::tiles::without;

use super::{BotTurn, Candidate, Seen};

/// The number of draws for each turn.
const DRAWS: usize = 24;
/// Draws in a race. A race is won or lost, so its results vary more.
const DRAWS_OF_RACE: usize = 48;
/// The number of turns after which a rollout stops and the racks are counted.
const MOST_TURNS: usize = 12;
/// The value of a won race besides the lead with which it is won, in points.
const RACE_WON: i32 = 100;

/// Returns the index of the candidate with the best average result.
pub(super) fn choose(
    generator: &mut Generator,
    graph: &WordGraph,
    seen: &Seen<'_>,
    candidates: &[Candidate],
    chance: &mut Stream,
) -> usize {
    let unknown = seen.unknown();
    let known = seen.known.concat();
    let mut totals = vec![0_i64; candidates.len()];
    let draws = match seen.race() {
        Some(_) => DRAWS_OF_RACE,
        None => DRAWS,
    };
    for _ in 0..draws {
        let mut drawn = unknown.clone();
        chance.shuffle(&mut drawn);
        drawn.splice(0..0, known.iter().copied());
        for (candidate, total) in candidates.iter().zip(&mut totals) {
            let mut end = End::new(seen, &drawn);
            end.take(&candidate.turn, candidate.score);
            end.play_out(generator, graph);
            *total += i64::from(end.result());
        }
    }
    // Of equal candidates the first wins: they are in the order of equity.
    let mut best = 0;
    for (index, total) in totals.iter().enumerate() {
        if *total > totals[best] {
            best = index;
        }
    }
    best
}

/// The rest of a game of two seats with every tile known.
struct End<'a> {
    seen: &'a Seen<'a>,
    board: Board,
    /// The own rack, then the opponent's.
    racks: [Vec<Tile>; 2],
    bag: Vec<Tile>,
    /// Points gained from here on.
    points: [i32; 2],
    on_turn: usize,
    passes: usize,
    /// The points that both sides lack to win, in a race.
    lacks: Option<[i32; 2]>,
}

impl<'a> End<'a> {
    /// `drawn` contains the unseen tiles: first the opponent's rack, then the bag.
    fn new(seen: &'a Seen<'a>, drawn: &[Tile]) -> Self {
        let bag = seen.bag.min(drawn.len());
        let (theirs, bag) = drawn.split_at(drawn.len() - bag);
        Self {
            seen,
            board: seen.board.clone(),
            racks: [seen.rack.to_vec(), theirs.to_vec()],
            bag: bag.to_vec(),
            points: [0; 2],
            on_turn: 0,
            passes: 0,
            lacks: seen.race(),
        }
    }

    fn take(&mut self, turn: &BotTurn, score: i32) {
        match turn {
            BotTurn::Play(placement) => self.lay(placement, score),
            BotTurn::Exchange(tiles) => {
                let rack = &mut self.racks[self.on_turn];
                if let Some(mut left) = without(rack, tiles) {
                    let count = tiles.len().min(self.bag.len());
                    left.extend(self.bag.drain(..count));
                    self.bag.extend(tiles.iter().take(count));
                    *rack = left;
                }
                self.passes += 1;
            }
            BotTurn::Pass => self.passes += 1,
        }
        self.on_turn = 1 - self.on_turn;
    }

    fn lay(&mut self, placement: &Placement, score: i32) {
        self.passes = 0;
        self.points[self.on_turn] += score;
        let rack = &mut self.racks[self.on_turn];
        for (square, placed) in placement.squares() {
            self.board.place(square, placed);
            if let Some(at) = rack.iter().position(|tile| *tile == placed.tile) {
                rack.swap_remove(at);
            }
        }
        let full = usize::from(self.seen.rules.rack_size);
        let count = full.saturating_sub(rack.len()).min(self.bag.len());
        rack.extend(self.bag.drain(..count));
    }

    fn play_out(&mut self, generator: &mut Generator, graph: &WordGraph) {
        for _ in 0..MOST_TURNS {
            if self.is_over() {
                return;
            }
            let rack = &self.racks[self.on_turn];
            match generator.best(graph, self.seen.rules, &self.board, rack) {
                Some(Scored { placement, score }) => self.take(&BotTurn::Play(placement), score),
                None => self.take(&BotTurn::Pass, 0),
            }
        }
    }

    fn is_over(&self) -> bool {
        let is_out = self.bag.is_empty() && self.racks.iter().any(Vec::is_empty);
        self.passes >= 2 || is_out || self.winner().is_some()
    }

    /// The side that has won the race.
    fn winner(&self) -> Option<usize> {
        let lacks = self.lacks?;
        (0..2).find(|side| self.points[*side] >= lacks[*side])
    }

    /// The value of the result for the own side.
    fn result(&self) -> i32 {
        let Some(lacks) = self.lacks else {
            return self.spread();
        };
        let lead = match self.winner() {
            Some(0) => lacks[1].saturating_sub(self.points[1]),
            Some(_) => self.points[0].saturating_sub(lacks[0]),
            None => lacks[1]
                .saturating_sub(lacks[0])
                .saturating_add(self.spread()),
        };
        lead.saturating_add(RACE_WON * lead.signum())
    }

    /// The points that the own side gains over the opponent from here on, unplayed tiles included.
    fn spread(&self) -> i32 {
        let tiles = &self.seen.rules.tiles;
        let unplayed = self.racks.each_ref().map(|rack| tiles.sum(rack));
        let out = |side: usize| self.bag.is_empty() && self.racks[side].is_empty();
        let gained = |side: usize| if out(side) { unplayed[1 - side] } else { 0 };
        let total = |side: usize| self.points[side] - unplayed[side] + gained(side);
        total(0) - total(1)
    }
}
