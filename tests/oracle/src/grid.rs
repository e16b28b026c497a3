//! The rules of placing and scoring, slow and obvious.
//!
//! The board is a grid of faces; a blank shows its letter in lower case. The words of a play are found by comparing
//! the lines of the board before and after it. Legality is a question about the board afterwards: does one line
//! without a gap hold all new tiles, and are all tiles connected?

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::document::{Square, integer, list, number, on_rack, square, text, texts};

/// A new tile: its square and its face.
pub type Laid = (Square, String);

type Grid = Vec<Vec<Option<String>>>;

/// A rule of placing that a play can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// At least one tile is laid.
    SomeTile,
    /// All new tiles lie in one row or column.
    OneLine,
    /// Every square is on the board.
    OnTheBoard,
    /// New tiles go to free squares.
    EmptySquare,
    /// The line of the play has no gap.
    NoGap,
    /// The first play has enough tiles.
    OpeningSize,
    /// The first play covers the start square.
    StartSquare,
    /// A later play touches a tile on the board.
    Contact,
    /// All tiles come from the rack.
    OwnRack,
    /// A play forms at least one word.
    SomeWord,
}

/// A word that a play forms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// The square of its first letter.
    pub start: Square,
    /// Whether it runs across.
    pub is_across: bool,
    /// Its text: faces of several characters stand in brackets, blanks in lower case.
    pub text: String,
    /// Its points.
    pub score: i64,
}

/// The value of a legal play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The words, sorted.
    pub words: Vec<Word>,
    /// The bonus for the number of tiles.
    pub bonus: i64,
    /// The points of the play.
    pub score: i64,
}

/// A board with its premium squares, the values of the tiles and the tiles laid so far.
#[derive(Debug, Clone)]
pub struct Board {
    premiums: Vec<Vec<char>>,
    start: Square,
    values: BTreeMap<String, i64>,
    bonuses: BTreeMap<u64, i64>,
    opening: usize,
    grid: Grid,
}

impl Board {
    /// Returns the empty board of a rule set, given the form of the field `rule_set` of a game's setup. A field
    /// `opening_min_tiles` gives the least number of tiles of the first play, if it is not 2.
    ///
    /// # Errors
    /// When the document lacks a field.
    pub fn of(rule_set: &Value) -> Result<Self> {
        let board = &rule_set["board"];
        let mut values = BTreeMap::new();
        for tile in list(rule_set, "tiles")? {
            values.insert(text(tile, "face")?.to_owned(), integer(tile, "value")?);
        }
        let mut bonuses = BTreeMap::new();
        for bingo in list(rule_set, "bingo")? {
            bonuses.insert(number(bingo, "tiles")?, integer(bingo, "bonus")?);
        }
        let mut this = Self {
            premiums: Vec::new(),
            start: square(text(board, "start")?)?,
            values,
            bonuses,
            opening: usize::try_from(rule_set["opening_min_tiles"].as_u64().unwrap_or(2))?,
            grid: Vec::new(),
        };
        this.set_layout(&board["layout"])?;
        Ok(this)
    }

    /// Replaces the premium squares of an empty board.
    ///
    /// # Errors
    /// When the layout is not a list of rows.
    pub fn set_layout(&mut self, layout: &Value) -> Result<()> {
        let rows = texts(layout).context("a layout")?;
        self.premiums = rows.iter().map(|row| row.chars().collect()).collect();
        self.grid = self
            .premiums
            .iter()
            .map(|row| vec![None; row.len()])
            .collect();
        Ok(())
    }

    /// Returns the symbol of the premium on the start square.
    pub(crate) fn start_premium(&self) -> Option<char> {
        self.premium(self.start)
    }

    /// Returns the value of a tile on a rack.
    #[must_use]
    pub fn value(&self, face: &str) -> i64 {
        self.values.get(face).copied().unwrap_or(0)
    }

    /// Returns the faces on the board.
    pub fn faces(&self) -> impl Iterator<Item = &String> {
        self.grid.iter().flatten().flatten()
    }

    /// Judges new tiles, and squares that the play declares occupied.
    ///
    /// # Errors
    /// Every rule that an illegal play breaks.
    pub fn judge(
        &self,
        rack: &[String],
        laid: &[Laid],
        through: &[Square],
    ) -> Result<Judged, BTreeSet<Rule>> {
        let broken = self.broken(rack, laid, through);
        if !broken.is_empty() {
            return Err(broken);
        }
        let after = self.after(laid);
        let before = lines(&self.grid, laid);
        let mut words: Vec<Word> = lines(&after, laid)
            .into_iter()
            .filter(|line| !before.contains(line))
            .map(|(start, is_across, faces)| Word {
                start,
                is_across,
                text: faces.iter().map(|face| spelled(face)).collect(),
                score: self.points(start, is_across, &faces),
            })
            .collect();
        if words.is_empty() {
            return Err(BTreeSet::from([Rule::SomeWord]));
        }
        words.sort();
        let bonus = self.bonuses.get(&(laid.len() as u64)).copied().unwrap_or(0);
        let score = words.iter().map(|word| word.score).sum::<i64>() + bonus;
        Ok(Judged {
            words,
            bonus,
            score,
        })
    }

    /// Puts the tiles of a legal play on the board.
    pub fn lay(&mut self, laid: &[Laid]) {
        self.grid = self.after(laid);
    }

    /// Takes the tiles of a play off the board.
    pub fn take_off(&mut self, laid: &[Laid]) {
        for ((row, col), _) in laid {
            if let Some(cell) = cell_mut(&mut self.grid, (*row, *col)) {
                *cell = None;
            }
        }
    }

    fn broken(&self, rack: &[String], laid: &[Laid], through: &[Square]) -> BTreeSet<Rule> {
        let mut broken = BTreeSet::new();
        let mut breaks = |rule: Rule, is_broken: bool| {
            if is_broken {
                broken.insert(rule);
            }
        };
        let squares: BTreeSet<Square> = laid.iter().map(|(square, _)| *square).collect();
        let outside = |at: &Square| look(&self.grid, *at).is_none();
        let taken = |at: &Square| look(&self.grid, *at) == Some(true);
        let empty = |at: &Square| look(&self.grid, *at) == Some(false);
        let after = self.after(laid);
        let is_line = one_line(&squares);
        let has_gap = is_line && spanned(&squares).any(|at| look(&after, at) == Some(false));
        let is_off = squares.iter().chain(through).any(outside);
        breaks(Rule::SomeTile, laid.is_empty());
        breaks(Rule::OnTheBoard, is_off);
        breaks(
            Rule::EmptySquare,
            squares.iter().any(taken) || squares.len() < laid.len(),
        );
        breaks(Rule::NoGap, has_gap || through.iter().any(empty));
        breaks(Rule::OneLine, !is_line);
        breaks(Rule::OwnRack, !is_from_rack(rack, laid));
        if self.faces().next().is_none() {
            breaks(Rule::OpeningSize, laid.len() < self.opening);
            breaks(Rule::StartSquare, !squares.contains(&self.start));
        } else if is_line && !has_gap && !is_off {
            breaks(Rule::Contact, !is_connected(&after));
        }
        broken
    }

    fn after(&self, laid: &[Laid]) -> Grid {
        let mut after = self.grid.clone();
        for (square, face) in laid {
            if let Some(cell) = cell_mut(&mut after, *square) {
                cell.get_or_insert_with(|| face.clone());
            }
        }
        after
    }

    fn points(&self, (mut row, mut col): Square, is_across: bool, faces: &[String]) -> i64 {
        let (mut sum, mut factor) = (0, 1);
        for face in faces {
            // The list of values has no lower-case letter: a blank is worth 0.
            let mut value = self.value(face);
            if look(&self.grid, (row, col)) == Some(false) {
                match self.premium((row, col)) {
                    Some('\'') => value *= 2,
                    Some('"') => value *= 3,
                    Some('^') => value *= 4,
                    Some('-') => factor *= 2,
                    Some('=') => factor *= 3,
                    Some('~') => factor *= 4,
                    _ => {}
                }
            }
            sum += value;
            if is_across {
                col += 1;
            } else {
                row += 1;
            }
        }
        sum * factor
    }

    fn premium(&self, (row, col): Square) -> Option<char> {
        let row = self.premiums.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }
}

/// Returns a face as words show it.
fn spelled(face: &str) -> String {
    if face.chars().count() == 1 {
        face.to_owned()
    } else {
        format!("[{face}]")
    }
}

fn cell_mut(grid: &mut Grid, (row, col): Square) -> Option<&mut Option<String>> {
    let row = grid.get_mut(usize::try_from(row).ok()?)?;
    row.get_mut(usize::try_from(col).ok()?)
}

/// Returns whether a square is occupied; `None` outside the board.
fn look(grid: &Grid, (row, col): Square) -> Option<bool> {
    let row = grid.get(usize::try_from(row).ok()?)?;
    let cell = row.get(usize::try_from(col).ok()?)?;
    Some(cell.is_some())
}

fn is_from_rack(rack: &[String], laid: &[Laid]) -> bool {
    let mut held = rack.to_vec();
    laid.iter().all(|(_, face)| {
        let at = held.iter().position(|own| own == on_rack(face));
        at.map(|at| held.swap_remove(at)).is_some()
    })
}

type WordLine = (Square, bool, Vec<String>);

/// Returns every line of two or more tiles in the rows and columns of the new tiles.
fn lines(grid: &Grid, laid: &[Laid]) -> BTreeSet<WordLine> {
    let rows: BTreeSet<i32> = laid.iter().map(|((row, _), _)| *row).collect();
    let cols: BTreeSet<i32> = laid.iter().map(|((_, col), _)| *col).collect();
    let mut found = BTreeSet::new();
    for row in rows {
        for (at, faces) in pieces(grid, (row, 0), (0, 1)) {
            found.insert(((row, at), true, faces));
        }
    }
    for col in cols {
        for (at, faces) in pieces(grid, (0, col), (1, 0)) {
            found.insert(((at, col), false, faces));
        }
    }
    found
}

/// Returns the lines of two or more tiles from a square at the edge on, each with the place of its first tile.
fn pieces(grid: &Grid, (mut row, mut col): Square, step: Square) -> Vec<(i32, Vec<String>)> {
    let (mut found, mut faces, mut start, mut at) = (Vec::new(), Vec::new(), 0, 0);
    loop {
        let cells = usize::try_from(row).ok().and_then(|row| grid.get(row));
        let cell = cells.and_then(|cells| cells.get(usize::try_from(col).ok()?));
        if let Some(Some(face)) = cell {
            if faces.is_empty() {
                start = at;
            }
            faces.push(face.clone());
        } else {
            let line = std::mem::take(&mut faces);
            if line.len() >= 2 {
                found.push((start, line));
            }
        }
        if cell.is_none() {
            return found;
        }
        (row, col, at) = (row + step.0, col + step.1, at + 1);
    }
}

/// Returns whether a walk from one tile to its neighbours reaches every tile.
fn is_connected(grid: &Grid) -> bool {
    let rows = (0..).zip(grid);
    let mut unreached: BTreeSet<Square> = rows
        .flat_map(|(row, cells)| (0..).zip(cells).map(move |(col, cell)| (row, col, cell)))
        .filter_map(|(row, col, cell)| cell.as_ref().map(|_| (row, col)))
        .collect();
    let mut open: Vec<Square> = unreached.pop_first().into_iter().collect();
    while let Some((row, col)) = open.pop() {
        for next in [
            (row - 1, col),
            (row + 1, col),
            (row, col - 1),
            (row, col + 1),
        ] {
            if unreached.remove(&next) {
                open.push(next);
            }
        }
    }
    unreached.is_empty()
}

fn one_line(squares: &BTreeSet<Square>) -> bool {
    let rows: BTreeSet<i32> = squares.iter().map(|square| square.0).collect();
    let cols: BTreeSet<i32> = squares.iter().map(|square| square.1).collect();
    rows.len() <= 1 || cols.len() <= 1
}

/// Returns every square from the first to the last one of a line.
fn spanned(squares: &BTreeSet<Square>) -> impl Iterator<Item = Square> {
    let first = squares.first().copied().unwrap_or((0, 0));
    let last = squares.last().copied().unwrap_or((-1, -1));
    (first.0..=last.0).flat_map(move |row| (first.1..=last.1).map(move |col| (row, col)))
}
