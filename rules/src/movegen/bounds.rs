//! Upper bounds for the worth of the plays at an anchor.
//!
//! A bound should be cheap rather than tight: it puts the highest tiles of the rack on the premium squares within
//! reach, regardless of the words. More squares never lower the bound for the score, so that considers only the longest
//! plays. If leaves count, each number of tiles has its own bound.

use super::kept::{Kept, POINT};
use super::lane::{LANE, Lane, Worth, letters};
use super::rack::{LETTERS, Rack};
use super::search::Position;
use super::spellings::{KEYS, Letters, Spellings, key};
use super::worth::Leavings;

/// The most that the tiles of a rack can score, and that the leave is worth.
pub(super) struct Reach<'a> {
    rack: &'a Rack,
    spellings: &'a Spellings,
    /// Sum of the highest tiles, by their number.
    top: [i32; LANE],
    /// Highest bonus by the largest number of tiles laid.
    bonus: [i32; LANE],
    /// Most tiles that can be laid.
    tiles: usize,
    /// Letters on the rack in descending order of their points.
    by_points: [(u64, i32); LETTERS],
    /// All letters of the rack.
    letters: Letters,
    /// Whether the whole rack may form a word with this letter, or alone (number 0); cached on first use.
    spells: [Option<bool>; LETTERS],
    /// The values of the squares from the anchor on, by their number.
    right: [Stretch; LANE],
    /// Whether scores are ignored.
    large: bool,
    /// The most that leaves are worth, if they count.
    leavings: Option<Leavings<'a>>,
    /// The most that a leave is worth, by the largest number of tiles laid.
    leaves: [i64; LANE],
}

/// The values of the squares considered so far.
#[derive(Clone, Copy)]
struct Stretch {
    /// Factor of the main word.
    factor: i32,
    /// Squares that double a letter, squares that do more, and how much more at most.
    doubles: usize,
    higher: usize,
    extra: i32,
    /// Squares where any tile may lie.
    open: usize,
    /// Points of the runs between them, and the most that the tiles on the other squares count for.
    fixed: i32,
    /// Of these, the points of the tiles themselves.
    crossed: i32,
    /// Points of the crossing words, at most.
    crossing: i32,
    /// Letters of the runs.
    letters: Letters,
    /// The only letter of the runs, 0 if there is none, [`MANY`] if there are more.
    letter: u8,
}

const MANY: u8 = u8::MAX;

impl Stretch {
    const EMPTY: Self = Self {
        factor: 1,
        doubles: 0,
        higher: 0,
        extra: 0,
        open: 0,
        fixed: 0,
        crossed: 0,
        crossing: 0,
        letters: 0,
        letter: 0,
    };

    /// Adds a square without neighbours, where any tile may lie.
    fn add(&mut self, worth: &Worth) {
        self.factor *= worth.word;
        self.doubles += usize::from(worth.letter == 2);
        self.higher += usize::from(worth.letter > 2);
        self.extra = self.extra.max(worth.letter - 1);
        self.open += 1;
    }

    /// Adds a square with neighbours, where no tile with more points fits.
    fn add_crossed(&mut self, worth: &Worth, highest: i32) {
        let points = highest * worth.letter;
        self.factor *= worth.word;
        self.fixed += points;
        self.crossed += highest;
        self.crossing += worth.beside + points * worth.crossing;
    }

    /// Adds a run of tiles.
    fn pass(&mut self, lane: &Lane, start: usize) {
        let run = lane.runs[start];
        self.fixed += run.points;
        for &tile in &lane.tiles[start..run.end as usize] {
            self.letter = if self.letter == 0 { tile } else { MANY };
            self.letters = self.letters.wrapping_add(key(tile));
        }
    }

    /// These squares before an anchor, and those from the anchor on.
    fn with(&self, other: &Self) -> Self {
        Self {
            factor: self.factor * other.factor,
            doubles: self.doubles + other.doubles,
            higher: self.higher + other.higher,
            extra: self.extra.max(other.extra),
            open: self.open + other.open,
            fixed: self.fixed + other.fixed,
            crossed: self.crossed + other.crossed,
            crossing: self.crossing + other.crossing,
            letters: other.letters,
            letter: other.letter,
        }
    }
}

impl<'a> Reach<'a> {
    pub(super) fn new<C>(position: &Position<'a, C>, kept: Option<&'a Kept>) -> Self {
        let rack = position.rack;
        let mut reach = Self {
            rack,
            spellings: position.spellings,
            top: [0; LANE],
            bonus: *position.bonus,
            tiles: rack.len.min(LANE - 1),
            by_points: [(0, 0); LETTERS],
            letters: 0,
            spells: [None; LETTERS],
            right: [Stretch::EMPTY; LANE],
            large: position.large.is_some(),
            leavings: kept.map(Leavings::new),
            leaves: [0; LANE],
        };
        if let Some(leavings) = &mut reach.leavings {
            let mut most = i64::MIN / 2;
            for (laid, leave) in reach.leaves.iter_mut().enumerate().skip(1) {
                most = most.max(leavings.most(0, laid).unwrap_or(0));
                *leave = most;
            }
        }
        let mut kinds = 0;
        for letter in letters(rack.tiles.shown) {
            reach.by_points[kinds] = (1 << letter, rack.points[letter as usize]);
            kinds += 1;
        }
        reach.by_points[..kinds].sort_unstable_by_key(|(_, points)| -points);
        let mut held = 0;
        for (set, points) in &reach.by_points[..kinds] {
            let letter = set.trailing_zeros() as usize;
            for _ in 0..rack.tiles.counts[letter] {
                reach.letters = reach.letters.wrapping_add(KEYS[letter]);
                if held < reach.tiles {
                    held += 1;
                    reach.top[held] = reach.top[held - 1] + points;
                }
            }
        }
        let sum = reach.top[held];
        reach.top[held..].fill(sum);
        for laid in 1..LANE {
            reach.bonus[laid] = reach.bonus[laid].max(reach.bonus[laid - 1]);
        }
        reach
    }

    /// The most that the leave is worth, by number of tiles laid.
    pub(super) fn leaves(&mut self) -> [i64; LANE] {
        let leavings = &mut self.leavings;
        std::array::from_fn(|laid| leavings.as_mut().and_then(|l| l.most(0, laid)).unwrap_or(0))
    }

    /// The upper bound for the worth of plays whose first anchor is here.
    pub(super) fn most(&mut self, lane: &Lane, anchor: usize) -> i64 {
        let mut most = i64::MIN;
        self.each(lane, anchor, |reach, left, before, after| {
            most = most.max(reach.worth(left, before, after));
        });
        most
    }

    /// The numbers of tiles before an anchor with which plays may be worth so much (bit n = n tiles).
    pub(super) fn befores(&mut self, lane: &Lane, anchor: usize, floor: i64) -> u32 {
        let mut befores = 0;
        self.each(lane, anchor, |reach, left, before, after| {
            befores |= u32::from(reach.may_be(left, before, after, floor)) << before;
        });
        befores
    }

    /// Calls `visit` with the squares before an anchor and every number of tiles on them, and the most tiles from the anchor on.
    fn each(
        &mut self,
        lane: &Lane,
        anchor: usize,
        mut visit: impl FnMut(&mut Self, &Stretch, usize, usize),
    ) {
        if self.large {
            (0..LANE).for_each(|before| visit(self, &Stretch::EMPTY, before, 0));
            return;
        }
        let mut reached = 0;
        let mut at = anchor;
        let mut all = Stretch::EMPTY;
        let after_run = anchor > 0 && lane.tiles[anchor - 1] != 0;
        if after_run {
            all.pass(lane, lane.run_before(anchor));
        }
        self.right[0] = all;
        while reached < self.tiles && lane.fits[at] != 0 {
            let worth = &lane.worth[at];
            if worth.crossing == 0 {
                all.add(worth);
            } else {
                all.add_crossed(worth, self.highest(lane.fits[at]));
            }
            all.pass(lane, at + 1);
            at = lane.runs[at + 1].end as usize;
            reached += 1;
            self.right[reached] = all;
        }
        visit(self, &Stretch::EMPTY, 0, reached);
        if !after_run {
            let mut left = Stretch::EMPTY;
            for before in 1..=lane.free_before(anchor).min(self.tiles - 1) {
                left.add(&lane.worth[anchor - before]);
                let after = reached.min(self.tiles - before);
                visit(self, &left, before, after);
            }
        }
    }

    /// A rough bound for plays with this number of tiles before the anchor and at most so many from it on: for score and leave apart.
    fn worth(&mut self, left: &Stretch, before: usize, after: usize) -> i64 {
        if self.large {
            return i64::MAX;
        }
        let all = before + after == self.rack.len;
        let after = after - usize::from(all && after > 1 && !self.may_use_all(after));
        let tiles = before + after;
        i64::from(self.points(&left.with(&self.right[after]), tiles)) * POINT + self.leaves[tiles]
    }

    /// Whether plays with this number of tiles before the anchor and at most so many from it on may be worth so much.
    fn may_be(&mut self, left: &Stretch, before: usize, most: usize, floor: i64) -> bool {
        if self.leavings.is_none() || self.large {
            return self.worth(left, before, most) >= floor;
        }
        for after in (1..=most).rev() {
            let tiles = before + after;
            let squares = left.with(&self.right[after]);
            let points = i64::from(self.points(&squares, tiles)) * POINT;
            if points + self.leaves[tiles] < floor {
                return false;
            }
            let may = tiles < self.rack.len || self.may_use_all(after);
            if may && self.together(&squares, tiles) >= floor {
                return true;
            }
        }
        false
    }

    /// The most that this number of tiles on these squares and the leave are worth together.
    fn together(&mut self, squares: &Stretch, tiles: usize) -> i64 {
        let besides = squares.fixed - squares.crossed + self.premiums(squares);
        let besides = besides * squares.factor + squares.crossing + self.bonus[tiles];
        let leavings = self.leavings.as_mut();
        let most = leavings.and_then(|leavings| leavings.most(squares.factor, tiles));
        most.map_or(i64::MAX, |most| {
            most.saturating_add(i64::from(besides) * POINT)
        })
    }

    /// The highest score of this number of tiles on these squares.
    fn points(&self, squares: &Stretch, tiles: usize) -> i32 {
        let word = squares.fixed + self.top[squares.open] + self.premiums(squares);
        word * squares.factor + squares.crossing + self.bonus[tiles]
    }

    /// The most that the premium squares for letters add.
    fn premiums(&self, squares: &Stretch) -> i32 {
        let higher = self.top[squares.higher];
        let doubles = self.top[squares.higher + squares.doubles] - higher;
        squares.extra * higher + doubles
    }

    /// Whether the whole rack may form a word with the runs among the given number of squares from the anchor on.
    fn may_use_all(&mut self, after: usize) -> bool {
        let squares = &self.right[after];
        let sum = self.letters.wrapping_add(squares.letters);
        let known = self.spells.get(usize::from(squares.letter)).copied();
        if let Some(Some(known)) = known {
            return known;
        }
        let may = match self.rack.tiles.blanks {
            0 => self.spellings.may_spell(sum),
            1 => letters(self.rack.letters).any(|letter| {
                self.spellings
                    .may_spell(sum.wrapping_add(KEYS[letter as usize]))
            }),
            _ => true,
        };
        if let Some(spells) = self.spells.get_mut(usize::from(squares.letter)) {
            *spells = Some(may);
        }
        may
    }

    /// Points of the highest tile that shows one of these letters.
    fn highest(&self, fits: u64) -> i32 {
        let fitting = self.by_points.iter().take_while(|(letter, _)| *letter != 0);
        let mut fitting = fitting.filter(|(letter, _)| letter & fits != 0);
        fitting.next().map_or(0, |(_, points)| *points)
    }
}
