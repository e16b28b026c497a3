//! Plays that begin with tiles of the rack: stems that end on an anchor, and their continuations.
//!
//! The squares before such an anchor accept any letters, so every stem that can end on the anchor is tried. On empty
//! squares only longer stems can follow; after a run of tiles the search continues letter by letter.

use std::ops::ControlFlow;

use super::cells::{Cell, MAX_LETTER};
use super::search::{Position, Search, Sum, Visit};

impl<C, V> Search<'_, C, V>
where
    C: Cell,
    V: Visit,
{
    /// Reports plays that begin with tiles of the rack before and on the anchor.
    pub(super) fn stems_on(&mut self, anchor: usize, befores: u32) -> ControlFlow<()> {
        let lane = self.lane;
        let befores = befores & ((2 << lane.free_before(anchor)) - 1);
        let next = anchor + 1;
        // A stem is useful if a tile or a fitting letter after the anchor continues it, or if it is a word itself.
        let useful = match lane.tiles[next] {
            0 => lane.fits[next] | 1,
            letter if letter <= MAX_LETTER => 1 << letter,
            _ => return ControlFlow::Continue(()),
        };
        let Position { stems, .. } = self.position;
        let count = stems.choose(lane.fits[anchor], befores, useful, &mut self.scratch.chosen);
        for index in 0..count {
            let stem = self.scratch.chosen[index] as usize;
            if lane.tiles[next] == 0 {
                self.stem_and_more(stem, anchor)?;
            } else {
                self.stem_and_run(stem, anchor)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports plays that begin with this stem, its last letter on the anchor, and the run of tiles after it.
    fn stem_and_run(&mut self, index: usize, anchor: usize) -> ControlFlow<()> {
        let stem = self.position.stems.list[index];
        let Some(beyond) = self.read_run(stem.place, anchor + 1) else {
            return ControlFlow::Continue(());
        };
        let sum = self.lay(index, anchor);
        let len = usize::from(stem.len);
        self.through(beyond, anchor + 1 - len, anchor, len, sum)
    }

    /// Reports plays that begin with this stem, its last letter on the anchor, and continue on empty squares.
    fn stem_and_more(&mut self, index: usize, anchor: usize) -> ControlFlow<()> {
        let list = &self.position.stems.list;
        let stem = list[index];
        let len = usize::from(stem.len);
        let start = anchor + 1 - len;
        let sum = self.lay(index, anchor);
        if stem.place.ends() {
            self.found(start..anchor + 1, anchor, len, sum)?;
        }
        self.sums[len] = sum;
        let mut index = index + 1;
        while index < stem.skip as usize {
            let stem = list[index];
            let len = usize::from(stem.len);
            let at = start + len - 1;
            if self.lane.fits[at] >> stem.letter & 1 == 0 {
                index = stem.skip as usize;
                continue;
            }
            let sum = self.with(self.sums[len - 1], u32::from(stem.letter), at);
            self.sums[len] = sum;
            if self.lane.tiles[at + 1] != 0 {
                index = stem.skip as usize;
                if let Some(beyond) = self.read_run(stem.place, at + 1) {
                    self.through(beyond, start, at, len, sum)?;
                }
                continue;
            }
            index += 1;
            if stem.place.ends() {
                self.found(start..at + 1, at, len, sum)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Lays the letters of a stem, the last one on this square.
    fn lay(&mut self, index: usize, at: usize) -> Sum {
        let list = &self.position.stems.list;
        let mut sum = Sum::EMPTY;
        let mut stem = list[index];
        let mut square = at;
        loop {
            sum = self.with(sum, u32::from(stem.letter), square);
            if stem.len == 1 {
                return sum;
            }
            stem = list[stem.parent as usize];
            square -= 1;
        }
    }

    /// Continues after a run of tiles that follows a stem; `beyond` is the place after the run.
    fn through(
        &mut self,
        beyond: C,
        start: usize,
        at: usize,
        laid: usize,
        mut sum: Sum,
    ) -> ControlFlow<()> {
        let run = self.lane.runs[at + 1];
        let end = run.end as usize;
        sum.main += run.points;
        if beyond.ends() {
            self.found(start..end, at, laid, sum)?;
        }
        if beyond.follows() & self.lane.fits[end] == 0 {
            return ControlFlow::Continue(());
        }
        for placed in self.line[start..=at].iter().flatten() {
            self.left.take(usize::from(placed.letter.number()));
        }
        let flow = self.extend(beyond, start, end, laid, sum);
        self.left.clone_from(&self.position.rack.tiles);
        flow
    }
}
