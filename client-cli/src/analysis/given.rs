//! A position as the user gives it, checked against the rules.

use std::sync::Arc;

use thiserror::Error;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::bot::Seen;
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::record::cgp::{self, Cgp, CgpError};
use tilewire_rules::ruleset::{Premiums, RuleSet};
use tilewire_rules::state::Runs;
use tilewire_rules::tiles::without;
use tilewire_rules::time::Seat;

/// Most turns without score that a position can have behind it.
const MAX_SCORELESS: u32 = 1_000;

/// The reason why a position cannot be analysed.
#[derive(Debug, Error)]
pub(super) enum PositionError {
    #[error("this is not a position in CGP: {0}")]
    Cgp(#[from] CgpError),
    #[error("the board has {0} rows and {1} columns; {2} has {3} and {4}")]
    Board(u8, u8, String, u8, u8),
    #[error("a position has two racks, that of the player on turn first; this one has {0}")]
    Players(usize),
    #[error("the player on turn has no tiles")]
    NoRack,
    #[error("a rack has {0} tiles; the rules allow {1}")]
    RackSize(usize, u8),
    #[error("the position has tiles that the rules do not have")]
    Tiles,
    #[error("{0} draws its board for each game, and CGP does not contain the premium squares")]
    DrawnBoard(String),
    #[error("{0} turns without score are more than any game has")]
    Scoreless(u32),
}

impl PositionError {
    /// The stable code.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::Cgp(_) => "bad_cgp",
            Self::Board(..) => "board_size",
            Self::Players(_) => "players",
            Self::NoRack => "no_rack",
            Self::RackSize(..) => "rack_size",
            Self::Tiles => "too_many_tiles",
            Self::DrawnBoard(_) => "drawn_board",
            Self::Scoreless(_) => "scoreless",
        }
    }
}

/// A position that the rules allow.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) rules: Arc<RuleSet>,
    cgp: Cgp,
    /// The rack of the other player, if it is known: given, or all that is left.
    other: Option<Vec<Tile>>,
    /// Tiles in the bag.
    bag: usize,
}

impl Given {
    /// Reads a position.
    ///
    /// # Errors
    /// Names the part that cannot be.
    pub(super) fn new(text: &str, rules: Arc<RuleSet>) -> Result<Self, PositionError> {
        if rules.premiums == Premiums::Drawn {
            return Err(PositionError::DrawnBoard(rules.id.clone()));
        }
        let cgp = cgp::parse(text, &rules.tiles)?;
        let (layout, board) = (&rules.layout, &cgp.board);
        if (board.rows(), board.cols()) != (layout.rows(), layout.cols()) {
            let (rows, cols) = (layout.rows(), layout.cols());
            let rules = rules.id.clone();
            return Err(PositionError::Board(
                board.rows(),
                board.cols(),
                rules,
                rows,
                cols,
            ));
        }
        let [own, other] = cgp.racks.as_slice() else {
            return Err(PositionError::Players(cgp.racks.len()));
        };
        if own.is_empty() {
            return Err(PositionError::NoRack);
        }
        let size = usize::from(rules.rack_size);
        if let Some(rack) = [own, other].into_iter().find(|rack| rack.len() > size) {
            return Err(PositionError::RackSize(rack.len(), rules.rack_size));
        }
        if cgp.scoreless > MAX_SCORELESS {
            return Err(PositionError::Scoreless(cgp.scoreless));
        }
        let mut used: Vec<Tile> = board.tiles().map(|placed| placed.tile).collect();
        used.extend(own);
        let unseen = without(&rules.tiles.all(), &used).ok_or(PositionError::Tiles)?;
        let left = without(&unseen, other).ok_or(PositionError::Tiles)?;
        let (other, bag) = match other.is_empty() {
            true if unseen.len() <= size => (Some(unseen), 0),
            true => (None, unseen.len() - size),
            false => (Some(other.clone()), left.len()),
        };
        Ok(Self {
            rules,
            other,
            bag,
            cgp,
        })
    }

    /// Returns the rack of the other player if the position is an ending: the bag is empty, and points decide, not a target
    /// (R-END-13).
    pub(super) fn last_rack(&self) -> Option<&[Tile]> {
        let is_ending = self.bag == 0 && self.rules.targets.is_none();
        self.other.as_deref().filter(|_| is_ending)
    }

    /// The name of the lexicon in the position.
    pub(super) fn lexicon(&self) -> Option<&str> {
        let mut opcodes = self.cgp.opcodes.split(';').map(str::trim);
        opcodes
            .find_map(|opcode| opcode.strip_prefix("lex "))
            .map(str::trim)
    }

    /// The position as the player on turn sees it.
    pub(super) fn seen(&self) -> Seen<'_> {
        let size = usize::from(self.rules.rack_size);
        let scoreless = self.cgp.scoreless;
        Seen {
            rules: &self.rules,
            challenge: ChallengeKind::Void,
            board: &self.cgp.board,
            rack: &self.cgp.racks[0],
            seat: Seat(0),
            scores: self.cgp.scores.clone(),
            targets: Vec::new(),
            rack_counts: vec![
                self.cgp.racks[0].len(),
                self.other.as_ref().map_or(size, Vec::len),
            ],
            known: Vec::new(),
            bag: self.bag,
            turn_no: 1,
            inactivity: self.rules.usual.inactivity,
            runs: Runs {
                scoreless,
                passes: scoreless,
                without_score: scoreless,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str) {
        check_by("classic", text, code);
    }

    fn check_by(rules: &str, text: &str, code: &str) {
        let error = Given::new(text, RuleSet::builtin(rules).unwrap()).unwrap_err();
        assert_eq!(error.code(), code, "{text}: {error}");
    }

    #[test]
    fn a_position_that_cannot_be_says_why() {
        const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
        check("", "bad_cgp");
        check("15/15 A/B 0/0 0", "board_size");
        check(&format!("{EMPTY} A/B/C 0/0/0 0"), "players");
        check(&format!("{EMPTY} /B 0/0 0"), "no_rack");
        check(&format!("{EMPTY} ABCDEFGH/ 0/0 0"), "rack_size");
        check(&format!("{EMPTY} QQ/ 0/0 0"), "too_many_tiles");
        check(&format!("{EMPTY} Q/Q 0/0 0"), "too_many_tiles");
        check(&format!("{EMPTY} Q/ 0/0 4000000000"), "scoreless");
        check_by(
            "wordfeud-random",
            &format!("{EMPTY} A/ 0/0 0"),
            "drawn_board",
        );
        let given = Given::new(
            &format!("{EMPTY} ABC/ 0/0 0 lex wordnik;"),
            RuleSet::classic(),
        );
        let given = given.unwrap();
        assert_eq!((given.bag, given.lexicon()), (90, Some("wordnik")));
        assert_eq!(given.last_rack(), None);
    }
}
