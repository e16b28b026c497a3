//! Judges one play twice: by the crate and by the oracle.

use tilewire_oracle::{self as oracle, Judged, Laid, Rule, Word};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::play::{Placement, PlacementError, Play};
use tilewire_rules::ruleset::RuleSet;

use crate::support::{board, lay, rule_set, sheet};

/// A board in both representations.
pub(crate) struct Both {
    pub(crate) rules: std::sync::Arc<RuleSet>,
    pub(crate) board: Board,
    oracle: oracle::Board,
}

impl Both {
    pub(crate) fn new(name: &str) -> Self {
        let mut sheet = sheet(name);
        if name == "one_tile_opening" {
            sheet["opening_min_tiles"] = 1.into();
        }
        let rules = rule_set(name);
        Self {
            board: board(&rules),
            oracle: oracle::Board::of(&sheet).unwrap(),
            rules,
        }
    }

    /// Judges a placement; panics when the two differ in legality, broken rule, words or score.
    pub(crate) fn judge(
        &self,
        rack: &[Tile],
        placement: &Placement,
    ) -> Result<Play, PlacementError> {
        let ours = Play::resolve(&self.rules, &self.board, rack, placement);
        let (laid, through) = self.sent(placement);
        let theirs = self.oracle.judge(&self.faces(rack), &laid, &through);
        self.compare(&ours, theirs, placement);
        ours
    }

    /// The same for tiles with their squares in any order.
    pub(crate) fn judge_scattered(
        &self,
        rack: &[Tile],
        scattered: &[(Square, Placed)],
    ) -> Result<Play, PlacementError> {
        let ours = Play::resolve_scattered(&self.rules, &self.board, rack, scattered);
        let laid: Vec<Laid> = scattered
            .iter()
            .map(|(square, placed)| self.laid(*square, *placed))
            .collect();
        let theirs = self.oracle.judge(&self.faces(rack), &laid, &[]);
        self.compare(&ours, theirs, scattered);
        ours
    }

    /// Lays a legal play on both boards.
    pub(crate) fn lay(&mut self, play: &Play) {
        let placed = play.placed().iter();
        let laid: Vec<Laid> = placed.map(|(at, tile)| self.laid(*at, *tile)).collect();
        self.oracle.lay(&laid);
        lay(&mut self.board, play);
    }

    fn compare(
        &self,
        ours: &Result<Play, PlacementError>,
        theirs: Result<Judged, std::collections::BTreeSet<Rule>>,
        what: impl std::fmt::Debug,
    ) {
        match (ours, theirs) {
            (Ok(play), Ok(judged)) => assert_eq!(judged_from(play), judged, "{what:?}"),
            (Err(error), Err(broken)) => {
                let rule = rule_of(error);
                assert!(
                    broken.contains(&rule),
                    "{what:?}: {error}, expected one of {broken:?}"
                );
            }
            (ours, theirs) => panic!("{what:?}: {ours:?}, but {theirs:?}"),
        }
    }

    fn sent(&self, placement: &Placement) -> (Vec<Laid>, Vec<oracle::Square>) {
        let (mut laid, mut through) = (Vec::new(), Vec::new());
        let (mut row, mut col) = (
            i32::from(placement.start.row),
            i32::from(placement.start.col),
        );
        for cell in &placement.tiles {
            match cell {
                Some(placed) => laid.push(((row, col), self.face(*placed))),
                None => through.push((row, col)),
            }
            match placement.direction {
                Direction::Across => col += 1,
                Direction::Down => row += 1,
            }
        }
        (laid, through)
    }

    fn laid(&self, square: Square, placed: Placed) -> Laid {
        (place(square), self.face(placed))
    }

    fn face(&self, placed: Placed) -> String {
        self.rules.tiles.placed_face(placed)
    }

    fn faces(&self, rack: &[Tile]) -> Vec<String> {
        let faces = rack.iter().map(|tile| self.rules.tiles.tile_face(*tile));
        faces.map(str::to_owned).collect()
    }
}

fn place(square: Square) -> oracle::Square {
    (i32::from(square.row), i32::from(square.col))
}

fn judged_from(play: &Play) -> Judged {
    let words = play.words().iter().map(|word| Word {
        start: place(word.start),
        is_across: word.direction == Direction::Across,
        text: word.text.clone(),
        score: word.score.into(),
    });
    let mut words: Vec<Word> = words.collect();
    words.sort();
    Judged {
        words,
        bonus: play.bonus().into(),
        score: play.score().into(),
    }
}

fn rule_of(error: &PlacementError) -> Rule {
    match error {
        PlacementError::NoTiles => Rule::SomeTile,
        PlacementError::NotInLine => Rule::OneLine,
        PlacementError::OffBoard { .. } => Rule::OnTheBoard,
        PlacementError::Occupied { .. } => Rule::EmptySquare,
        PlacementError::Gap { .. } => Rule::NoGap,
        PlacementError::TooFewTiles { .. } => Rule::OpeningSize,
        PlacementError::CentreMissed { .. } => Rule::StartSquare,
        PlacementError::NotAdjacent => Rule::Contact,
        PlacementError::TileNotInRack { .. } => Rule::OwnRack,
        PlacementError::WordTooShort => Rule::SomeWord,
    }
}
