//! Random plays on random boards, judged twice.

use proptest::prelude::*;
use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::{Seed, Stream};

use crate::oracle::{Judged, Oracle};
use crate::support::{board, lay, rule_set};

/// Placements tried in one case; about one in four is legal.
const TRIES: usize = 60;

struct Chance(Stream);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0.uniform(u32::try_from(n).unwrap()) as usize
    }

    fn rack(&mut self, rules: &RuleSet) -> Vec<Tile> {
        let all = rules.tiles.all();
        (0..rules.rack_size)
            .map(|_| all[self.below(all.len())])
            .collect()
    }

    /// Tiles somewhere near what lies there: mostly from the rack and in line, now and then not.
    fn placement(&mut self, rules: &RuleSet, board: &Board, rack: &[Tile]) -> Placement {
        let direction = if self.below(2) == 0 {
            Direction::Across
        } else {
            Direction::Down
        };
        let occupied: Vec<Square> = board.iter().map(|(square, _)| square).collect();
        let near = if occupied.is_empty() || self.below(12) == 0 {
            let start = rules.layout.start();
            if self.below(4) == 0 {
                Square::new(0, 0)
            } else {
                start
            }
        } else {
            occupied[self.below(occupied.len())]
        };
        let back = |at: u8, by: usize| at.saturating_sub(u8::try_from(by).unwrap());
        let mut square = Square::new(back(near.row, self.below(3)), back(near.col, self.below(3)));
        let start = square;
        let mut left = rack.to_vec();
        let mut tiles = Vec::new();
        let count = 1 + self.below(rack.len());
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

fn judged(play: &Play) -> Judged {
    let mut words: Vec<(String, i32)> = play
        .words()
        .iter()
        .map(|word| (word.text.clone(), word.score))
        .collect();
    words.sort();
    Judged {
        words,
        score: play.score(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Legality, the words formed and the score are what the slow second implementation says.
    #[test]
    fn plays_are_judged_alike(seed in any::<u64>(), name in prop_oneof![Just("classic"), Just("nine_tile"), Just("super")]) {
        let rules = rule_set(name);
        let mut chance = Chance(Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("plays"));
        let (mut lying, mut oracle) = (board(&rules), Oracle::new(&rules));
        let mut legal = 0;
        for _ in 0..TRIES {
            let rack = chance.rack(&rules);
            let placement = chance.placement(&rules, &lying, &rack);
            let play = Play::resolve(&rules, &lying, &rack, &placement);
            let expected = oracle.judge(&rules, &rack, &placement);
            prop_assert_eq!(play.as_ref().ok().map(judged), expected, "{:?} {:?}", placement, play);
            if let Ok(play) = play {
                legal += 1;
                // Written down and read again it is the same play.
                let again = Play::resolve(&rules, &lying, &rack, &play.placement()).expect("still legal");
                prop_assert_eq!(&again, &play);
                oracle.lay(&rules, &placement);
                lay(&mut lying, &play);
            }
        }
        prop_assert!(legal > 0, "something was laid");
    }
}
