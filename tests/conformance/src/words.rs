//! Searches plays by trying every word: slow, obvious, and sufficient for a test player.

use std::sync::{Arc, OnceLock};

use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;

/// The words of the built-in lexicon, the longest first.
pub struct Words {
    rules: Arc<RuleSet>,
    lexicon: Arc<FstLexicon>,
    all: Vec<Vec<Letter>>,
}

impl Words {
    /// Returns the words of the built-in lexicon that a rack and one tile on the board can form.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| {
            let lexicon = FstLexicon::builtin();
            let mut all = Vec::new();
            lexicon.for_each(|word| {
                if word.len() <= 8 {
                    all.push(word.to_vec());
                }
            });
            all.sort_by_key(|word| std::cmp::Reverse(word.len()));
            Self {
                rules: RuleSet::classic(),
                lexicon,
                all,
            }
        })
    }

    /// Says whether the lexicon has every word of a play.
    #[must_use]
    pub fn all_good(&self, play: &Play) -> bool {
        play.words()
            .iter()
            .all(|word| self.lexicon.contains(&word.spelling()))
    }

    /// Says whether the lexicon has a word given as a play's text (lower case for blanks).
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        let word = self.rules.tiles.parse_word(&text.to_uppercase());
        word.is_some_and(|word| self.lexicon.contains(&word))
    }

    /// Returns a play of good words: one with a blank if the rack has one and that is possible, else one of the
    /// longest word.
    #[must_use]
    pub fn good_play(&self, board: &Board, rack: &[Tile]) -> Option<Play> {
        let mut first = None;
        for word in &self.all {
            for placement in self.placements(board, rack, word) {
                let Ok(play) = Play::resolve(&self.rules, board, rack, &placement) else {
                    continue;
                };
                if !self.all_good(&play) {
                    continue;
                }
                let has_blank = play.placed().iter().any(|(_, placed)| placed.is_blank());
                if has_blank || !rack.contains(&Tile::BLANK) {
                    return Some(play);
                }
                first.get_or_insert(play);
            }
        }
        first
    }

    /// Returns a legal play of `count` tiles with a word that is none.
    #[must_use]
    pub fn phony(&self, board: &Board, rack: &[Tile], count: usize) -> Option<Play> {
        self.any_play(board, rack, count, |play| !self.all_good(play))
    }

    /// Returns a legal play of the whole rack, its words good or not.
    #[must_use]
    pub fn whole_rack(&self, board: &Board, rack: &[Tile]) -> Option<Play> {
        self.any_play(board, rack, rack.len(), |_| true)
    }

    fn any_play(
        &self,
        board: &Board,
        rack: &[Tile],
        count: usize,
        wanted: impl Fn(&Play) -> bool,
    ) -> Option<Play> {
        let any = Letter::from_number(5).expect("every alphabet has five letters");
        let laid: Vec<Placed> = rack
            .iter()
            .take(count)
            .map(|tile| Placed {
                tile: *tile,
                letter: tile.letter().unwrap_or(any),
            })
            .collect();
        let starts = board
            .squares()
            .flat_map(|start| [(start, Direction::Across), (start, Direction::Down)]);
        starts
            .filter_map(|(start, direction)| lay(board, start, direction, &laid))
            .filter_map(|placement| Play::resolve(&self.rules, board, rack, &placement).ok())
            .find(wanted)
    }

    fn placements(&self, board: &Board, rack: &[Tile], word: &[Letter]) -> Vec<Placement> {
        let missing = missing(rack, word);
        if board.is_empty() {
            let start = self.rules.layout.start();
            return if missing == 0 {
                vec![spell(board, rack, start, Direction::Across, word)]
            } else {
                vec![]
            }
            .into_iter()
            .flatten()
            .collect();
        }
        if missing > 1 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (square, placed) in board.iter() {
            for (at, _) in word
                .iter()
                .enumerate()
                .filter(|(_, letter)| **letter == placed.letter)
            {
                for direction in [Direction::Across, Direction::Down] {
                    let start = (0..at).try_fold(square, |square, _| square.before(direction));
                    found
                        .extend(start.and_then(|start| spell(board, rack, start, direction, word)));
                }
            }
        }
        found
    }
}

/// How many letters of the word neither the rack's letters nor its blanks give.
fn missing(rack: &[Tile], word: &[Letter]) -> usize {
    let mut left = rack.to_vec();
    let mut missing = 0;
    for letter in word {
        if take(&mut left, *letter).is_none() {
            missing += 1;
        }
    }
    missing
}

fn take(rack: &mut Vec<Tile>, letter: Letter) -> Option<Placed> {
    let own = rack.iter().position(|tile| *tile == Tile::of(letter));
    let at = own.or_else(|| rack.iter().position(|tile| tile.is_blank()))?;
    Some(Placed {
        tile: rack.remove(at),
        letter,
    })
}

/// Writes a word on the board, through existing tiles.
fn spell(
    board: &Board,
    rack: &[Tile],
    start: Square,
    direction: Direction,
    word: &[Letter],
) -> Option<Placement> {
    let mut left = rack.to_vec();
    let mut tiles = Vec::new();
    for (letter, steps) in word.iter().zip(0..) {
        let square = start.ahead(direction, steps);
        if !board.contains(square) {
            return None;
        }
        match board.get(square) {
            Some(placed) if placed.letter == *letter => tiles.push(None),
            Some(_) => return None,
            None => tiles.push(Some(take(&mut left, *letter)?)),
        }
    }
    Some(Placement {
        start,
        direction,
        tiles,
    })
}

/// Lays tiles one after another, skipping occupied squares.
fn lay(board: &Board, start: Square, direction: Direction, laid: &[Placed]) -> Option<Placement> {
    let mut tiles = Vec::new();
    let mut laid = laid.iter().copied().peekable();
    let mut square = start;
    while laid.peek().is_some() {
        if !board.contains(square) {
            return None;
        }
        tiles.push(if board.get(square).is_some() {
            None
        } else {
            laid.next()
        });
        square = square.ahead(direction, 1);
    }
    Some(Placement {
        start,
        direction,
        tiles,
    })
}

/// A lexicon without a list: a string of letters is a phony when the sum of their numbers can be divided.
#[derive(Debug)]
pub struct Sums {
    name: &'static str,
    divisor: u8,
    hash: [u8; 32],
}

/// Two of three strings of letters are words.
pub const THIRDS: Sums = Sums::new("thirds", 3);

/// Three of four strings of letters are words.
pub const FOURTHS: Sums = Sums::new("fourths", 4);

impl Sums {
    const fn new(name: &'static str, divisor: u8) -> Self {
        let hash = [divisor; 32];
        Self {
            name,
            divisor,
            hash,
        }
    }
}

impl Lexicon for Sums {
    fn name(&self) -> &str {
        self.name
    }
    fn hash(&self) -> &[u8; 32] {
        &self.hash
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, word: &[Letter]) -> bool {
        let sum: u32 = word.iter().map(|letter| u32::from(letter.number())).sum();
        !sum.is_multiple_of(self.divisor.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_rules::notation;

    #[test]
    fn a_player_finds_words_and_phonies() {
        let words = Words::builtin();
        let rules = RuleSet::classic();
        let rack = notation::parse_rack("HORNFA?", &rules.tiles).unwrap();
        let mut board = Board::new(15, 15);
        let first = words.good_play(&board, &rack).expect("there is a word");
        assert!(first.placed().iter().any(|(_, placed)| placed.is_blank()));
        for (square, placed) in first.placed() {
            board.place(*square, *placed);
        }
        let rack = notation::parse_rack("PASTEOB", &rules.tiles).unwrap();
        let second = words.good_play(&board, &rack).expect("another word");
        assert!(words.all_good(&second));
        let phony = words
            .phony(&board, &rack, 3)
            .expect("nonsense can always be laid");
        assert!(!words.all_good(&phony));
        assert_eq!(
            words
                .whole_rack(&board, &rack)
                .expect("somewhere")
                .placed()
                .len(),
            7
        );
    }
}
