//! The rules of placing and scoring a second time: slow, obvious, and sharing no code with the crate.
//!
//! The board is a grid of characters, a blank is a lower-case letter, and the data files are read anew. Words are
//! found by listing every line of two or more letters on the whole board before and after the play; the play formed the
//! new lines. Legality is checked on the board after the play: one unbroken line contains all tiles laid, and all tiles
//! are connected.

use std::collections::{BTreeMap, BTreeSet};

type Grid = Vec<Vec<Option<char>>>;

/// A tile laid: row and column counted from 0, and its face.
pub(crate) type Laid = (i32, i32, char);

/// A word with row and column of its first letter, `'A'` for across or `'D'` for down, its text and its points.
pub(crate) type Word = (usize, usize, char, String, i32);

/// A rule of placing, to compare which rule was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    SomeTile,
    OneLine,
    OnTheBoard,
    EmptySquare,
    NoGap,
    OpeningSize,
    StartSquare,
    Contact,
    OwnRack,
    SomeWord,
}

/// The result of a legal play.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// Words with their points, sorted.
    pub(crate) words: Vec<Word>,
    pub(crate) score: i32,
}

/// The numbers of a rule set, read from its file without the crate's reader.
pub(crate) struct Sheet {
    premiums: Vec<Vec<char>>,
    start: (i32, i32),
    values: BTreeMap<char, i64>,
    pub(crate) bonus: BTreeMap<usize, i32>,
    pub(crate) opening: usize,
}

impl Sheet {
    /// Reads a rule set's file, the file it builds on for what it does not say itself, and its tiles.
    pub(crate) fn read(own: &str, base: &str, tiles: &str) -> Self {
        let [own, base, tiles]: [toml::Table; 3] =
            [own, base, tiles].map(|text| text.parse().unwrap());
        let find = |table: &str| own.get(table).unwrap_or_else(|| &base[table]);
        let board = find("board");
        let drawing = board["layout"].as_str().unwrap();
        let start = board["start"].as_str().unwrap();
        let column = i32::try_from(u32::from(start.chars().next().unwrap()) - u32::from('A'));
        let letters = tiles["letters"].as_array().unwrap();
        let bonuses = find("bingo").as_array().unwrap();
        Self {
            premiums: drawing.lines().map(|row| row.chars().collect()).collect(),
            start: (start[1..].parse::<i32>().unwrap() - 1, column.unwrap()),
            values: letters
                .iter()
                .map(|entry| {
                    let face = entry[0].as_str().unwrap();
                    (face.chars().next().unwrap(), entry[2].as_integer().unwrap())
                })
                .collect(),
            bonus: bonuses
                .iter()
                .map(|entry| (number(&entry["tiles"]) as usize, number(&entry["bonus"])))
                .collect(),
            opening: number(&find("opening")["min_tiles"]) as usize,
        }
    }
}

fn number(value: &toml::Value) -> i32 {
    i32::try_from(value.as_integer().unwrap()).unwrap()
}

pub(crate) struct Oracle {
    sheet: Sheet,
    grid: Grid,
}

impl Oracle {
    pub(crate) fn new(sheet: Sheet) -> Self {
        let grid = sheet
            .premiums
            .iter()
            .map(|row| vec![None; row.len()])
            .collect();
        Self { sheet, grid }
    }

    /// Judges tiles laid and squares that should be occupied; an illegal play returns every rule that it breaks.
    pub(crate) fn judge(
        &self,
        rack: &[char],
        laid: &[Laid],
        through: &[(i32, i32)],
    ) -> Result<Judged, BTreeSet<Rule>> {
        let broken = self.broken(rack, laid, through);
        if !broken.is_empty() {
            return Err(broken);
        }
        let after = self.after(laid);
        let old: BTreeSet<_> = lines(&self.grid).into_iter().collect();
        let mut words: Vec<Word> = lines(&after)
            .into_iter()
            .filter(|line| !old.contains(line))
            .map(|(row, col, way, text)| {
                let points = self.points(row, col, way, &text);
                (row, col, way, text, points)
            })
            .collect();
        if words.is_empty() {
            return Err(BTreeSet::from([Rule::SomeWord]));
        }
        words.sort();
        let bonus = self.sheet.bonus.get(&laid.len()).copied().unwrap_or(0);
        let score = words.iter().map(|word| word.4).sum::<i32>() + bonus;
        Ok(Judged { words, score })
    }

    /// Puts the tiles of a legal play on the grid.
    pub(crate) fn lay(&mut self, laid: &[Laid]) {
        self.grid = self.after(laid);
    }

    fn broken(&self, rack: &[char], laid: &[Laid], through: &[(i32, i32)]) -> BTreeSet<Rule> {
        let mut broken = BTreeSet::new();
        let mut breaks = |rule: Rule, is_broken: bool| {
            if is_broken {
                broken.insert(rule);
            }
        };
        let squares: BTreeSet<(i32, i32)> = laid.iter().map(|tile| (tile.0, tile.1)).collect();
        let outside = |at: &(i32, i32)| look(&self.grid, *at).is_none();
        let taken = |at: &(i32, i32)| look(&self.grid, *at) == Some(Some(()));
        let empty = |at: &(i32, i32)| look(&self.grid, *at) == Some(None);
        let after = self.after(laid);
        let in_line = one_line(&squares);
        let hole = in_line && spanned(&squares).any(|at| look(&after, at) == Some(None));
        let off = squares.iter().chain(through).any(outside);
        breaks(Rule::SomeTile, laid.is_empty());
        breaks(Rule::OnTheBoard, off);
        breaks(
            Rule::EmptySquare,
            squares.iter().any(taken) || squares.len() < laid.len(),
        );
        breaks(Rule::NoGap, hole || through.iter().any(empty));
        breaks(Rule::OneLine, !in_line);
        breaks(Rule::OwnRack, !on_rack(rack, laid));
        if self.grid.iter().flatten().all(Option::is_none) {
            breaks(Rule::OpeningSize, laid.len() < self.sheet.opening);
            breaks(Rule::StartSquare, !squares.contains(&self.sheet.start));
        } else if in_line && !hole && !off {
            breaks(Rule::Contact, !all_tiles_hang_together(&after));
        }
        broken
    }

    fn after(&self, laid: &[Laid]) -> Grid {
        let mut after = self.grid.clone();
        for (row, col, face) in laid {
            if look(&after, (*row, *col)) == Some(None) {
                after[*row as usize][*col as usize] = Some(*face);
            }
        }
        after
    }

    fn points(&self, mut row: usize, mut col: usize, way: char, text: &str) -> i32 {
        let mut sum = 0;
        let mut times = 1;
        for letter in text.chars() {
            // A lower-case letter is a blank and has no value.
            let mut value = self.sheet.values.get(&letter).copied().unwrap_or(0);
            if self.grid[row][col].is_none() {
                match self.sheet.premiums[row][col] {
                    '\'' => value *= 2,
                    '"' => value *= 3,
                    '^' => value *= 4,
                    '-' => times *= 2,
                    '=' => times *= 3,
                    '~' => times *= 4,
                    _ => {}
                }
            }
            sum += value;
            if way == 'A' {
                col += 1;
            } else {
                row += 1;
            }
        }
        i32::try_from(sum * times).unwrap()
    }
}

/// `None` outside the grid, otherwise whether there is something.
fn look(grid: &Grid, (row, col): (i32, i32)) -> Option<Option<()>> {
    let row = grid.get(usize::try_from(row).ok()?)?;
    let cell = row.get(usize::try_from(col).ok()?)?;
    Some(cell.map(|_| ()))
}

fn on_rack(rack: &[char], laid: &[Laid]) -> bool {
    let mut held = rack.to_vec();
    for (_, _, face) in laid {
        let face = if face.is_lowercase() { '?' } else { *face };
        match held.iter().position(|other| *other == face) {
            Some(index) => held.remove(index),
            None => return false,
        };
    }
    true
}

/// Every line of two or more letters on the grid.
fn lines(grid: &Grid) -> Vec<(usize, usize, char, String)> {
    let mut found = Vec::new();
    for (row, cells) in grid.iter().enumerate() {
        for (start, text) in pieces(cells) {
            found.push((row, start, 'A', text));
        }
    }
    for col in 0..grid[0].len() {
        let cells: Vec<Option<char>> = grid.iter().map(|row| row[col]).collect();
        for (start, text) in pieces(&cells) {
            found.push((start, col, 'D', text));
        }
    }
    found
}

fn pieces(cells: &[Option<char>]) -> Vec<(usize, String)> {
    let text: String = cells.iter().map(|cell| cell.unwrap_or(' ')).collect();
    let mut start = 0;
    let mut found = Vec::new();
    for piece in text.split(' ') {
        let length = piece.chars().count();
        if length >= 2 {
            found.push((start, piece.to_owned()));
        }
        start += length + 1;
    }
    found
}

/// Flood fill from one tile reaches every tile.
fn all_tiles_hang_together(grid: &Grid) -> bool {
    let tiles: BTreeSet<(usize, usize)> = (0..grid.len())
        .flat_map(|row| (0..grid[row].len()).map(move |col| (row, col)))
        .filter(|(row, col)| grid[*row][*col].is_some())
        .collect();
    let mut reached: BTreeSet<(usize, usize)> = tiles.first().copied().into_iter().collect();
    let touches =
        |a: &(usize, usize), b: &(usize, usize)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    loop {
        let more: Vec<(usize, usize)> = tiles
            .difference(&reached)
            .filter(|tile| reached.iter().any(|other| touches(tile, other)))
            .copied()
            .collect();
        if more.is_empty() {
            return reached.len() == tiles.len();
        }
        reached.extend(more);
    }
}

fn one_line(squares: &BTreeSet<(i32, i32)>) -> bool {
    let rows: BTreeSet<i32> = squares.iter().map(|square| square.0).collect();
    let cols: BTreeSet<i32> = squares.iter().map(|square| square.1).collect();
    rows.len() <= 1 || cols.len() <= 1
}

/// Every square from the first to the last of some in one line.
fn spanned(squares: &BTreeSet<(i32, i32)>) -> impl Iterator<Item = (i32, i32)> {
    let first = squares.first().copied().unwrap_or((0, 0));
    let last = squares.last().copied().unwrap_or((-1, -1));
    (first.0..=last.0).flat_map(move |row| (first.1..=last.1).map(move |col| (row, col)))
}
