//! Finds every play of one lane.
//!
//! The search reports a play at its first anchor: the first of its squares that has a neighbour. If a tile lies just
//! before the anchor, the word begins with the run of that tile and continues letter by letter. Otherwise it begins
//! with a stem (module `from_stems`).

use std::ops::{ControlFlow, Range};

use crate::alphabet::{Placed, Tile};
use crate::board::{Board, Direction};
use crate::play::Play;
use crate::ruleset::RuleSet;

use super::Found;
use super::blanks::{Choice, Word};
use super::cells::{Cell, Cells};
use super::lane::{LANE, Lane};
use super::rack::{Left, Rack};
use super::spellings::Spellings;
use super::stems::Stems;

/// Points of the tiles laid so far and of their cross words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// Sum of the letters of the main word, before its factor.
    pub(super) main: i32,
    /// The main word's factor.
    pub(super) factor: i32,
    /// Sum of the cross words.
    crossing: i32,
}

impl Sum {
    pub(super) const EMPTY: Self = Self {
        main: 0,
        factor: 1,
        crossing: 0,
    };
}

/// The data shared by all lanes of a position.
#[derive(Clone, Copy)]
pub(super) struct Position<'a, C> {
    pub(super) graph: &'a Cells<C>,
    pub(super) spellings: &'a Spellings,
    pub(super) rack: &'a Rack,
    pub(super) stems: &'a Stems<C>,
    /// Bonus by number of tiles laid.
    pub(super) bonus: &'a [i32; LANE],
    /// Fewest tiles a play may lay.
    pub(super) least: usize,
    /// The rule set and board, if scores are too large for the search and plays have to be resolved.
    pub(super) large: Option<(&'a RuleSet, &'a Board, &'a [Tile])>,
}

/// Memory that the search reuses for every position.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Stems chosen for an anchor.
    pub(super) chosen: Vec<u32>,
}

/// The recipient of the plays.
pub(super) trait Visit {
    /// Takes a play; `Break` ends the search.
    fn visit(&mut self, found: Found<'_>) -> ControlFlow<()>;

    /// Whether the recipient wants a play with at most this score and this number of tiles laid.
    fn wants(&self, _points: i32, _laid: usize) -> bool {
        true
    }
}

impl<F: FnMut(Found<'_>) -> ControlFlow<()>> Visit for F {
    fn visit(&mut self, found: Found<'_>) -> ControlFlow<()> {
        self(found)
    }
}

/// The search of one position.
pub(super) struct Search<'a, C, V> {
    pub(super) position: Position<'a, C>,
    pub(super) lane: &'a Lane,
    pub(super) visit: V,
    pub(super) scratch: &'a mut Scratch,
    /// Tiles not laid yet.
    pub(super) left: Left,
    /// Points of the stem being followed, by number of its letters.
    pub(super) sums: [Sum; LANE],
    /// Used by [`Self::with_blanks`].
    pub(super) choice: Choice,
    /// The lane after the play: the tiles laid; `None` where a tile already lies.
    pub(super) line: [Option<Placed>; LANE],
}

impl<'a, C, V> Search<'a, C, V>
where
    C: Cell,
    V: Visit,
{
    pub(super) fn new(
        position: Position<'a, C>,
        lane: &'a Lane,
        scratch: &'a mut Scratch,
        visit: V,
    ) -> Self {
        Self {
            position,
            lane,
            visit,
            scratch,
            left: position.rack.tiles.clone(),
            sums: [Sum::EMPTY; LANE],
            choice: Choice::new(position.rack),
            line: [None; LANE],
        }
    }

    /// Finds every play of a lane.
    pub(super) fn lane(&mut self, lane: &'a Lane) -> ControlFlow<()> {
        for anchor in lane.live_anchors() {
            self.anchor(lane, anchor, u32::MAX)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds every play of a lane whose first anchor is here, with the given numbers of tiles before it (bit n = n
    /// tiles).
    pub(super) fn anchor(
        &mut self,
        lane: &'a Lane,
        anchor: usize,
        befores: u32,
    ) -> ControlFlow<()> {
        self.lane = lane;
        self.line = [None; LANE];
        if anchor > 0 && lane.tiles[anchor - 1] != 0 {
            self.after_run(anchor)
        } else {
            self.stems_on(anchor, befores)
        }
    }

    /// Reports plays that begin with the run of tiles before the anchor.
    fn after_run(&mut self, at: usize) -> ControlFlow<()> {
        let lane = self.lane;
        let start = lane.run_before(at);
        let graph = self.position.graph;
        let Some(place) = self.read_run(graph.root, start) else {
            return ControlFlow::Continue(());
        };
        let sum = Sum {
            main: lane.runs[start].points,
            ..Sum::EMPTY
        };
        self.extend(place, start, at, 0, sum)
    }

    /// The place after the run of tiles that begins on this square.
    pub(super) fn read_run(&self, from: C, start: usize) -> Option<C> {
        let run = &self.lane.tiles[start..self.lane.runs[start].end as usize];
        run.iter().try_fold(from, |place, letter| {
            place.step(*letter, &self.position.graph.cells)
        })
    }

    /// Lays a tile on an empty square and continues to the right.
    pub(super) fn extend(
        &mut self,
        place: C,
        start: usize,
        at: usize,
        laid: usize,
        sum: Sum,
    ) -> ControlFlow<()> {
        let can = self.position.rack.can(&self.left);
        let mut letters = place.follows() & self.lane.fits[at] & can;
        while letters != 0 {
            let letter = letters.trailing_zeros();
            letters &= letters - 1;
            let mut next = place.after(letter, &self.position.graph.cells);
            let end = self.lane.runs[at + 1].end as usize;
            if end > at + 1 {
                match self.read_run(next, at + 1) {
                    Some(beyond) => next = beyond,
                    None => continue,
                }
            }
            let mut sum = self.with(sum, letter, at);
            sum.main += self.lane.runs[at + 1].points;
            if next.ends() {
                self.found(start..end, at, laid + 1, sum)?;
            }
            if next.follows() & self.lane.fits[end] != 0 {
                let source = self.left.take(letter as usize);
                let flow = self.extend(next, start, end, laid + 1, sum);
                self.left.put_back(letter as usize, source);
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Lays a letter and adds its points.
    #[inline]
    pub(super) fn with(&mut self, sum: Sum, letter: u32, at: usize) -> Sum {
        self.line[at] = self.position.rack.faces[letter as usize];
        let worth = self.lane.worth[at];
        let points = self.position.rack.points[letter as usize] * worth.letter;
        Sum {
            main: sum.main + points,
            factor: sum.factor * worth.word,
            crossing: sum.crossing + worth.beside + points * worth.crossing,
        }
    }

    /// Reports a word whose last tile laid is on `at`, once for every choice of blanks.
    pub(super) fn found(
        &mut self,
        word: Range<usize>,
        at: usize,
        laid: usize,
        sum: Sum,
    ) -> ControlFlow<()> {
        if laid < self.position.least || word.len() < 2 {
            return ControlFlow::Continue(());
        }
        if laid == 1 {
            // A single tile belongs to the longer of its two words, and to the row if they are equal.
            let crossing = usize::from(self.lane.crossing_len[at]);
            let here = match self.lane.direction {
                Direction::Across => word.len() >= crossing,
                Direction::Down => word.len() > crossing,
            };
            if !here {
                return ControlFlow::Continue(());
            }
        }
        let points = sum.main * sum.factor + sum.crossing + self.position.bonus[laid];
        if self.position.large.is_none() && !self.visit.wants(points, laid) {
            return ControlFlow::Continue(());
        }
        if self.position.rack.tiles.blanks == 0 {
            return self.report(word, laid, points);
        }
        self.with_blanks(&Word {
            squares: word,
            laid,
            points,
            factor: sum.factor,
        })
    }

    pub(super) fn report(
        &mut self,
        word: Range<usize>,
        laid: usize,
        score: i32,
    ) -> ControlFlow<()> {
        let mut found = Found {
            start: self.lane.square(word.start),
            direction: self.lane.direction,
            tiles: &self.line[word],
            laid,
            score,
        };
        if let Some((rules, board, rack)) = self.position.large {
            let play = Play::resolve(rules, board, rack, &found.placement());
            found.score = play.map_or(0, |play| play.score());
        }
        self.visit.visit(found)
    }
}
