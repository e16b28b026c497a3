//! Checks that a placement is legal, and finds the words that it forms.

use super::{Placement, PlacementError, Play, WordScore};
use crate::alphabet::{Placed, Tile};
use crate::board::{Board, Direction, Square};
use crate::ruleset::RuleSet;
use crate::score::{Age, word_score};

impl Play {
    /// Checks a placement against the rules of placing (R-PLAY-1 to R-PLAY-10) and scores it.
    ///
    /// It checks the rules about the board first and the rack last. The result starts at the first square of the main
    /// word and ends at its last, even if the placement named only a part; a single tile gets the direction of
    /// its longer word, across if both are equal.
    pub fn resolve(
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        placement: &Placement,
    ) -> Result<Self, PlacementError> {
        let placed = squares_of(board, placement)?;
        check_connection(rules, board, &placed)?;
        check_rack(rules, rack, &placed)?;
        let view = After {
            board,
            placed: &placed,
        };
        let direction = view.main_direction(placement.direction);
        let main = view.run(placed[0].0, direction);
        if main.len < 2 {
            return Err(PlacementError::WordTooShort);
        }
        let mut words = vec![view.word(rules, main)];
        for &(square, _) in &placed {
            let crossing = view.run(square, direction.crossing());
            if crossing.len >= 2 {
                words.push(view.word(rules, crossing));
            }
        }
        let tiles = main
            .squares()
            .map(|square| match view.tile(square) {
                Some((tile, Age::New)) => Some(tile),
                _ => None,
            })
            .collect();
        let bonus = rules.bingo_bonus(placed.len());
        let score = words
            .iter()
            .fold(bonus, |sum, word| sum.saturating_add(word.score));
        Ok(Self {
            start: main.start,
            direction,
            tiles,
            placed,
            words,
            bonus,
            score,
        })
    }

    /// Resolves tiles given with their squares in any order.
    pub fn resolve_scattered(
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        laid: &[(Square, Placed)],
    ) -> Result<Self, PlacementError> {
        Self::resolve(rules, board, rack, &Placement::from_squares(laid)?)
    }
}

/// The squares of the tiles laid: on the board, empty, and without a gap between them.
fn squares_of(
    board: &Board,
    placement: &Placement,
) -> Result<Vec<(Square, Placed)>, PlacementError> {
    if placement.laid().next().is_none() {
        return Err(PlacementError::NoTiles);
    }
    let mut placed = Vec::with_capacity(placement.tiles.len().min(usize::from(u8::MAX)));
    for (step, cell) in placement.tiles.iter().enumerate() {
        let square = placement.start.ahead(placement.direction, step);
        if !board.contains(square) {
            return Err(PlacementError::OffBoard { square });
        }
        match (cell, board.get(square)) {
            (Some(tile), None) => placed.push((square, *tile)),
            (Some(_), Some(_)) => return Err(PlacementError::Occupied { square }),
            (None, Some(_)) => {}
            (None, None) => return Err(PlacementError::Gap { square }),
        }
    }
    Ok(placed)
}

/// The first play covers the start square with enough tiles; a later one touches a tile on the board.
fn check_connection(
    rules: &RuleSet,
    board: &Board,
    placed: &[(Square, Placed)],
) -> Result<(), PlacementError> {
    if !board.is_empty() {
        let touches = placed
            .iter()
            .any(|(square, _)| board.has_neighbour(*square));
        return if touches {
            Ok(())
        } else {
            Err(PlacementError::NotAdjacent)
        };
    }
    let start = rules.layout.start();
    if placed.len() < usize::from(rules.opening_min_tiles) {
        return Err(PlacementError::TooFewTiles {
            needed: rules.opening_min_tiles,
        });
    }
    if !placed.iter().any(|(square, _)| *square == start) {
        return Err(PlacementError::CentreMissed { start });
    }
    Ok(())
}

/// Every tile laid is on the rack, as often as it is laid, and only a blank stands for another letter.
fn check_rack(
    rules: &RuleSet,
    rack: &[Tile],
    placed: &[(Square, Placed)],
) -> Result<(), PlacementError> {
    let mut left = rack.to_vec();
    for (_, Placed { tile, letter }) in placed.iter().copied() {
        let shows_it = tile.letter().is_none_or(|own| own == letter);
        let held = left.iter().position(|other| *other == tile);
        match held {
            Some(index) if shows_it && rules.tiles.has_letter(letter) => left.swap_remove(index),
            _ => return Err(PlacementError::TileNotInRack { tile }),
        };
    }
    Ok(())
}

/// An unbroken line of tiles.
#[derive(Clone, Copy)]
struct Run {
    start: Square,
    direction: Direction,
    len: usize,
}

impl Run {
    fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.len).map(move |step| self.start.ahead(self.direction, step))
    }
}

/// The board after the play, without copying it.
struct After<'a> {
    board: &'a Board,
    placed: &'a [(Square, Placed)],
}

impl After<'_> {
    fn tile(&self, square: Square) -> Option<(Placed, Age)> {
        if let Some(old) = self.board.get(square) {
            return Some((old, Age::Old));
        }
        let new = self.placed.iter().find(|(laid, _)| *laid == square);
        new.map(|(_, tile)| (*tile, Age::New))
    }

    /// The unbroken line of tiles through `square`.
    fn run(&self, square: Square, direction: Direction) -> Run {
        let mut start = square;
        while let Some(before) = start.before(direction).filter(|s| self.tile(*s).is_some()) {
            start = before;
        }
        let mut len = 0;
        while self.tile(start.ahead(direction, len)).is_some() {
            len += 1;
        }
        Run {
            start,
            direction,
            len,
        }
    }

    /// The direction of the main word: as sent, or for a single tile that of its longer word.
    fn main_direction(&self, sent: Direction) -> Direction {
        let [(square, _)] = self.placed else {
            return sent;
        };
        let across = self.run(*square, Direction::Across).len;
        let down = self.run(*square, Direction::Down).len;
        if down > across {
            Direction::Down
        } else {
            Direction::Across
        }
    }

    fn word(&self, rules: &RuleSet, run: Run) -> WordScore {
        let squares = || {
            run.squares()
                .filter_map(|s| self.tile(s).map(|(tile, age)| (s, tile, age)))
        };
        let word: Vec<Placed> = squares().map(|(_, tile, _)| tile).collect();
        WordScore {
            start: run.start,
            direction: run.direction,
            score: word_score(rules, squares()),
            text: rules.tiles.word_text(&word),
            tiles: word,
        }
    }
}
