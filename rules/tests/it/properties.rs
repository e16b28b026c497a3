//! Random plays on random boards, judged twice.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;

use crate::compare::Both;
use crate::support::{Chance, random};

/// Placements tried in one case; about one in four is legal.
const TRIES: usize = 60;

impl Chance {
    fn rack(&mut self, rules: &RuleSet) -> Vec<Tile> {
        let all = rules.tiles.all();
        (0..rules.rack_size)
            .map(|_| all[self.below(all.len())])
            .collect()
    }

    /// A square, usually near tiles on the board.
    fn near(&mut self, rules: &RuleSet, board: &Board) -> Square {
        let occupied: Vec<Square> = board.iter().map(|(square, _)| square).collect();
        if self.below(12) == 0 {
            let mut side = |length| u8::try_from(self.below(usize::from(length))).unwrap();
            return Square::new(side(board.rows()), side(board.cols()));
        }
        let near = match occupied.len() {
            0 => rules.layout.start(),
            count => occupied[self.below(count)],
        };
        let mut back = |at: u8| at.saturating_sub(u8::try_from(self.below(3)).unwrap());
        Square::new(back(near.row), back(near.col))
    }

    /// Tiles in a line: mostly from the rack and on empty squares, but not always.
    fn placement(&mut self, rules: &RuleSet, board: &Board, rack: &[Tile]) -> Placement {
        let direction = [Direction::Across, Direction::Down][self.below(2)];
        let start = self.near(rules, board);
        let mut square = start;
        let mut left = rack.to_vec();
        let mut tiles = Vec::new();
        let count = self.below(20).min(1 + self.below(rack.len()));
        while tiles.iter().flatten().count() < count && tiles.len() < 25 {
            let follow = self.below(30) != 0;
            tiles.push(match board.get(square) {
                Some(_) if follow => None,
                None if !follow => None,
                _ => Some(self.tile(rules, &mut left)),
            });
            square = square.ahead(direction, 1);
        }
        Placement {
            start,
            direction,
            tiles,
        }
    }

    /// Tiles with their squares: mostly in one line, in random order and with random gaps.
    fn scattered(
        &mut self,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> Vec<(Square, Placed)> {
        let direction = [Direction::Across, Direction::Down][self.below(2)];
        let start = self.near(rules, board);
        let mut left = rack.to_vec();
        let mut laid = Vec::new();
        for step in 0..self.below(6) {
            let mut square = start.ahead(direction, step);
            if self.below(25) == 0 {
                square = self.near(rules, board);
            }
            if board.get(square).is_none() || self.below(15) == 0 {
                laid.push((square, self.tile(rules, &mut left)));
            }
        }
        self.0.shuffle(&mut laid);
        laid
    }

    fn tile(&mut self, rules: &RuleSet, left: &mut Vec<Tile>) -> Placed {
        let letters: Vec<Letter> = rules.tiles.letters().collect();
        let any = letters[self.below(letters.len())];
        if left.is_empty() || self.below(40) == 0 {
            return Placed::new(any);
        }
        let tile = left.remove(self.below(left.len()));
        Placed {
            tile,
            letter: tile.letter().unwrap_or(any),
        }
    }
}

/// Grows a board by legal plays among illegal ones and counts the outcomes by the variant's name.
fn grow(name: &str, seed: u64, outcomes: &mut BTreeMap<String, u32>) {
    let mut both = Both::new(name);
    let mut chance = Chance::new(seed, "plays");
    for attempt in 0..TRIES {
        let rack = chance.rack(&both.rules);
        let judged = if attempt % 3 == 2 {
            let laid = chance.scattered(&both.rules, &both.board, &rack);
            both.judge_scattered(&rack, &laid)
        } else {
            let placement = chance.placement(&both.rules, &both.board, &rack);
            both.judge(&rack, &placement)
        };
        let outcome = match judged {
            Ok(play) => {
                // The notation of the play parses back to the same play.
                let again = Play::resolve(&both.rules, &both.board, &rack, &play.placement());
                assert_eq!(again.as_ref(), Ok(&play));
                both.lay(&play);
                "legal".to_owned()
            }
            Err(error) => format!("{error:?}")
                .split_whitespace()
                .next()
                .unwrap()
                .to_owned(),
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
}

proptest! {
    #![proptest_config(random(60, 20_261_121))]
    /// Legality, the broken rule, the words and the score match those of the oracle.
    #[test]
    fn both_implementations_judge_plays_alike(seed in any::<u64>(), name in prop_oneof![
        Just("classic"), Just("classic-nine"), Just("super"), Just("one_tile_opening"),
        Just("words-with-friends"), Just("wordfeud")
    ]) {
        grow(name, seed, &mut BTreeMap::new());
    }
}

/// The generator above covers every rule of placing and makes many legal plays.
#[test]
fn random_placements_meet_every_rule() {
    let mut outcomes = BTreeMap::new();
    for seed in 0..60 {
        let name = ["classic", "one_tile_opening"][usize::from(seed % 2 == 1)];
        grow(name, seed, &mut outcomes);
    }
    for outcome in [
        "legal",
        "NoTiles",
        "NotInLine",
        "OffBoard",
        "Occupied",
        "Gap",
        "TooFewTiles",
        "CentreMissed",
        "NotAdjacent",
        "TileNotInRack",
        "WordTooShort",
    ] {
        let least = if outcome == "legal" { 200 } else { 1 };
        let met = outcomes.get(outcome).copied().unwrap_or(0);
        assert!(met >= least, "{outcome}: {met} of {outcomes:?}");
    }
}
