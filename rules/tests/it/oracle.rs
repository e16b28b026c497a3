//! The rules of placing and scoring a second time: slow, obvious, and sharing nothing with the crate but its data.
//!
//! The board is a grid of characters. Words are found by writing down every line of two or more letters on the whole
//! board before and after the play; whatever is new was formed by it. Legality is asked of the picture afterwards:
//! do all tiles hang together, does one line hold everything that was laid?

use std::collections::BTreeSet;

use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::play::{Direction, Placement};
use tilewire_rules::ruleset::RuleSet;

const EMPTY: char = ' ';

/// A line of letters: row, column and direction of its first letter, and its text.
type Line = (usize, usize, char, String);

pub(crate) struct Oracle {
    grid: Vec<Vec<char>>,
    premiums: Vec<Vec<char>>,
}

/// What a legal play comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// Words with their points, sorted.
    pub(crate) words: Vec<(String, i32)>,
    pub(crate) score: i32,
}

impl Oracle {
    pub(crate) fn new(rules: &RuleSet) -> Self {
        let premiums: Vec<Vec<char>> = rules
            .layout
            .drawing()
            .iter()
            .map(|row| row.chars().collect())
            .collect();
        let grid = premiums.iter().map(|row| vec![EMPTY; row.len()]).collect();
        Self { grid, premiums }
    }

    /// Judges a placement; `None` when it is illegal.
    pub(crate) fn judge(
        &self,
        rules: &RuleSet,
        rack: &[Tile],
        placement: &Placement,
    ) -> Option<Judged> {
        let laid = self.squares(rules, placement)?;
        if laid.is_empty() || !on_rack(rules, rack, &laid) {
            return None;
        }
        let before = self.grid.clone();
        let mut after = before.clone();
        for (row, col, letter) in &laid {
            after[*row][*col] = *letter;
        }
        let first = before.iter().flatten().all(|cell| *cell == EMPTY);
        if first {
            let start = rules.layout.start();
            let start = (usize::from(start.row), usize::from(start.col));
            let covered = laid.iter().any(|(row, col, _)| (*row, *col) == start);
            if !covered || laid.len() < usize::from(rules.opening_min_tiles) {
                return None;
            }
        }
        if !all_tiles_hang_together(&after) || !one_line_holds(&after, &laid) {
            return None;
        }
        let old: BTreeSet<Line> = lines(&before).into_iter().collect();
        let formed: Vec<Line> = lines(&after)
            .into_iter()
            .filter(|line| !old.contains(line))
            .collect();
        if formed.is_empty() {
            return None;
        }
        let mut words: Vec<(String, i32)> = formed
            .iter()
            .map(|line| (line.3.clone(), self.points(rules, line, &before)))
            .collect();
        words.sort();
        let bonus = rules
            .bingo
            .iter()
            .find(|bingo| usize::from(bingo.tiles) == laid.len());
        let bonus = bonus.map_or(0, |bingo| bingo.bonus);
        let score = words.iter().map(|(_, points)| points).sum::<i32>() + bonus;
        Some(Judged { words, score })
    }

    /// Puts the tiles of a legal placement on the grid.
    pub(crate) fn lay(&mut self, rules: &RuleSet, placement: &Placement) {
        for (row, col, letter) in self.squares(rules, placement).unwrap() {
            self.grid[row][col] = letter;
        }
    }

    /// The tiles laid with row and column; `None` when a dot or a tile does not fit the grid.
    fn squares(&self, rules: &RuleSet, placement: &Placement) -> Option<Vec<(usize, usize, char)>> {
        let mut laid = Vec::new();
        for (step, cell) in placement.tiles.iter().enumerate() {
            let (row, col) = match placement.direction {
                Direction::Across => (
                    usize::from(placement.start.row),
                    usize::from(placement.start.col) + step,
                ),
                Direction::Down => (
                    usize::from(placement.start.row) + step,
                    usize::from(placement.start.col),
                ),
            };
            let there = *self.grid.get(row)?.get(col)?;
            match cell {
                None if there == EMPTY => return None,
                None => {}
                Some(_) if there != EMPTY => return None,
                Some(placed) => laid.push((row, col, character(rules, *placed))),
            }
        }
        Some(laid)
    }

    fn points(&self, rules: &RuleSet, line: &Line, before: &[Vec<char>]) -> i32 {
        let (mut row, mut col) = (line.0, line.1);
        let mut sum = 0;
        let mut times = 1;
        for letter in line.3.chars() {
            let mut value = value_of(rules, letter);
            if before[row][col] == EMPTY {
                match self.premiums[row][col] {
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
            if line.2 == 'A' {
                col += 1;
            } else {
                row += 1;
            }
        }
        sum * times
    }
}

fn character(rules: &RuleSet, placed: Placed) -> char {
    rules.tiles.placed_face(placed).chars().next().unwrap()
}

/// Lower case is a blank.
fn value_of(rules: &RuleSet, letter: char) -> i32 {
    if letter.is_lowercase() {
        return 0;
    }
    let tile = rules.tiles.parse_tile(&letter.to_string()).unwrap();
    rules.tiles.value(tile)
}

fn on_rack(rules: &RuleSet, rack: &[Tile], laid: &[(usize, usize, char)]) -> bool {
    let mut held: Vec<&str> = rack
        .iter()
        .map(|tile| rules.tiles.tile_face(*tile))
        .collect();
    for (_, _, letter) in laid {
        let face = if letter.is_lowercase() {
            "?".to_owned()
        } else {
            letter.to_string()
        };
        match held.iter().position(|other| *other == face) {
            Some(index) => held.remove(index),
            None => return false,
        };
    }
    true
}

/// Every line of two or more letters on the grid.
fn lines(grid: &[Vec<char>]) -> Vec<Line> {
    let mut found = Vec::new();
    for (row, cells) in grid.iter().enumerate() {
        collect(&mut found, cells, |start| (row, start, 'A'));
    }
    for col in 0..grid[0].len() {
        let cells: Vec<char> = grid.iter().map(|row| row[col]).collect();
        collect(&mut found, &cells, |start| (start, col, 'D'));
    }
    found
}

fn collect(found: &mut Vec<Line>, cells: &[char], place: impl Fn(usize) -> (usize, usize, char)) {
    let text: String = cells.iter().collect();
    let mut start = 0;
    for piece in text.split(EMPTY) {
        if piece.chars().count() >= 2 {
            let (row, col, direction) = place(start);
            found.push((row, col, direction, piece.to_owned()));
        }
        start += piece.chars().count() + 1;
    }
}

/// Flood fill from one tile reaches every tile.
fn all_tiles_hang_together(grid: &[Vec<char>]) -> bool {
    let tiles: BTreeSet<(usize, usize)> = (0..grid.len())
        .flat_map(|row| (0..grid[row].len()).map(move |col| (row, col)))
        .filter(|(row, col)| grid[*row][*col] != EMPTY)
        .collect();
    let mut reached: BTreeSet<(usize, usize)> = tiles.first().copied().into_iter().collect();
    loop {
        let more: Vec<(usize, usize)> = tiles
            .iter()
            .filter(|tile| !reached.contains(tile))
            .filter(|tile| {
                reached
                    .iter()
                    .any(|other| tile.0.abs_diff(other.0) + tile.1.abs_diff(other.1) == 1)
            })
            .copied()
            .collect();
        if more.is_empty() {
            return reached.len() == tiles.len();
        }
        reached.extend(more);
    }
}

/// All tiles laid lie in one row or column with no empty square between the outermost of them.
fn one_line_holds(after: &[Vec<char>], laid: &[(usize, usize, char)]) -> bool {
    let rows: BTreeSet<usize> = laid.iter().map(|tile| tile.0).collect();
    let cols: BTreeSet<usize> = laid.iter().map(|tile| tile.1).collect();
    let (Some(top), Some(bottom)) = (rows.first(), rows.last()) else {
        return false;
    };
    let (Some(left), Some(right)) = (cols.first(), cols.last()) else {
        return false;
    };
    if rows.len() > 1 && cols.len() > 1 {
        return false;
    }
    (*top..=*bottom).all(|row| (*left..=*right).all(|col| after[row][col] != EMPTY))
}
