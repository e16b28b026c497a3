//! Every play of a position, found the slow and obvious way: write every word of the list on every line of squares,
//! in every way the rack allows, and ask [`Play::resolve`] and the list.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;

/// A play as both sides write it down: start, direction, tiles, score.
pub(crate) type Listed = (Square, Direction, Vec<Option<Placed>>, i32);

/// A list of words for lookups and iteration.
pub(crate) struct Words(pub(crate) BTreeSet<Vec<Letter>>);

impl Words {
    /// The same list as a lexicon.
    pub(crate) fn lexicon(&self) -> FstLexicon {
        let keys = self
            .0
            .iter()
            .map(|word| word.iter().map(|letter| letter.number()).collect());
        let faces: Vec<String> = (1..=255).map(|number| format!("A{number}")).collect();
        let about = [
            format!("\0alphabet={}", faces.join(" ")),
            "\0format=1".to_owned(),
            "\0language=made-up".to_owned(),
        ];
        let about = about.into_iter().map(String::into_bytes);
        let keys: Vec<Vec<u8>> = about.chain(keys).collect();
        let set = fst::Set::from_iter(keys).unwrap();
        FstLexicon::from_bytes("words", set.into_fst().into_inner()).unwrap()
    }

    /// Every play of a position with its score.
    pub(crate) fn plays(&self, rules: &RuleSet, board: &Board, rack: &[Tile]) -> Vec<Listed> {
        let mut plays = BTreeMap::new();
        for direction in [Direction::Across, Direction::Down] {
            for square in board.squares() {
                for word in &self.0 {
                    for tiles in written(board, rack, square, direction, word) {
                        let placement = Placement {
                            start: square,
                            direction,
                            tiles,
                        };
                        let Ok(play) = Play::resolve(rules, board, rack, &placement) else {
                            continue;
                        };
                        if play.words().iter().all(|w| self.0.contains(&w.spelling())) {
                            let key = (play.start(), play.direction(), play.tiles().to_vec());
                            plays.insert(key, play.score());
                        }
                    }
                }
            }
        }
        let listed = plays.into_iter();
        listed
            .map(|((start, direction, tiles), score)| (start, direction, tiles, score))
            .collect()
    }
}

/// Every way to form the word from this square on with tiles on the board and on the rack.
fn written(
    board: &Board,
    rack: &[Tile],
    start: Square,
    direction: Direction,
    word: &[Letter],
) -> Vec<Vec<Option<Placed>>> {
    let squares = || (0..).map(|step| start.ahead(direction, step)).zip(word);
    let fits = squares().all(|(square, letter)| match board.get(square) {
        Some(lies) => lies.letter == *letter,
        None => board.contains(square),
    });
    if !fits || !enough(board, rack, squares().map(|(s, letter)| (s, *letter))) {
        return Vec::new();
    }
    let mut ways = vec![(Vec::new(), rack.to_vec())];
    for (square, letter) in squares() {
        let mut longer = Vec::new();
        for (tiles, left) in ways {
            if board.get(square).is_some() {
                longer.push(([tiles, vec![None]].concat(), left));
                continue;
            }
            for placed in [Placed::new(*letter), Placed::blank(*letter)] {
                let mut left = left.clone();
                if let Some(held) = left.iter().position(|tile| *tile == placed.tile) {
                    left.swap_remove(held);
                    longer.push(([tiles.clone(), vec![Some(placed)]].concat(), left));
                }
            }
        }
        ways = longer;
    }
    ways.into_iter().map(|(tiles, _)| tiles).collect()
}

/// Whether the rack has a tile for every empty square.
fn enough(board: &Board, rack: &[Tile], squares: impl Iterator<Item = (Square, Letter)>) -> bool {
    let mut held = [0_u8; 256];
    for tile in rack {
        held[usize::from(tile.draw_rank())] += 1;
    }
    let mut laid = 0;
    for (square, letter) in squares {
        if board.get(square).is_none() {
            let own = usize::from(letter.number());
            let source = if held[own] > 0 { own } else { 0 };
            if held[source] == 0 {
                return false;
            }
            held[source] -= 1;
            laid += 1;
        }
    }
    laid > 0
}
