//! Rule sets as data: board, tiles, rack, bonuses and limits, read from TOML and checked once.
//!
//! Everything that differs between games of this family and is a number or a table is here; everything that is a
//! procedure is code. Options that players choose per game (clock, challenge, endings) belong to
//! [`crate::options`].

use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::alphabet::{LetterSpec, TileSet, TileSetError};
use crate::board::{Layout, LayoutError, Premium, Square};

/// Most tiles a rack may hold, in any rule set.
pub const MAX_RACK_SIZE: u8 = 16;

/// Most seats a game may have, in any rule set.
pub const MAX_SEATS: u8 = 4;

/// Bonus for laying a certain number of tiles in one turn (R-SCORE-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bingo {
    /// Tiles laid, exactly.
    pub tiles: u8,
    /// Points added after all multiplication.
    pub bonus: i32,
}

/// The rules of one game of the family that are data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Stable identifier, such as `classic`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Size, start square and premium squares of the board.
    pub layout: Layout,
    /// Letters, blanks and values.
    pub tiles: TileSet,
    /// Tiles on a full rack.
    pub rack_size: u8,
    /// Bonuses by number of tiles laid.
    pub bingo: Vec<Bingo>,
    /// Fewest tiles in the bag with which an exchange is allowed (R-EXCH-3).
    pub exchange_min_bag: u8,
    /// Fewest tiles in the first play (R-PLAY-5).
    pub opening_min_tiles: u8,
    /// Fewest seats.
    pub min_seats: u8,
    /// Most seats.
    pub max_seats: u8,
}

/// Why a rule set's data was refused; names the file and the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleSetError {
    /// Not TOML, or a field is missing, unknown or of the wrong type (the message names it).
    #[error("{file}: {source}")]
    Toml {
        /// Name of the data.
        file: String,
        /// The parser's report, with line and field.
        source: toml::de::Error,
    },
    /// A field's value breaks a rule.
    #[error("{file}: {field}: {problem}")]
    Field {
        /// Name of the data.
        file: String,
        /// Path of the field.
        field: &'static str,
        /// What is wrong.
        problem: FieldProblem,
    },
}

/// What is wrong with one field of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldProblem {
    /// A text that must not be empty.
    #[error("must not be empty")]
    Empty,
    /// A number outside its range.
    #[error("must be {min} to {max}, is {found}")]
    Range {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
        /// Value in the data.
        found: i64,
    },
    /// A number that disagrees with what it counts.
    #[error("is {declared}, the data adds up to {found}")]
    Count {
        /// Number stated.
        declared: i64,
        /// Number counted.
        found: i64,
    },
    /// A square that cannot be read.
    #[error("must be a square such as H8, is {0:?}")]
    Square(String),
    /// A layout that cannot be read.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A tile set that cannot be used.
    #[error(transparent)]
    Tiles(#[from] TileSetError),
}

impl RuleSet {
    /// The classic rule set.
    #[must_use]
    pub fn classic() -> Arc<Self> {
        static CLASSIC: OnceLock<Arc<RuleSet>> = OnceLock::new();
        let rules = CLASSIC.get_or_init(|| {
            let text = include_str!("../data/classic.toml");
            Arc::new(Self::parse(text, "classic.toml").expect("the data in the tree is tested"))
        });
        Arc::clone(rules)
    }

    /// The built-in rule set with this id.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Arc<Self>> {
        Self::builtins().into_iter().find(|rules| rules.id == id)
    }

    /// Every built-in rule set.
    #[must_use]
    pub fn builtins() -> Vec<Arc<Self>> {
        vec![Self::classic()]
    }

    /// Reads and checks a rule set; `file` names the data in errors.
    pub fn parse(text: &str, file: &str) -> Result<Self, RuleSetError> {
        let raw: RawRuleSet = toml::from_str(text).map_err(|source| RuleSetError::Toml {
            file: file.to_owned(),
            source,
        })?;
        raw.check().map_err(|(field, problem)| RuleSetError::Field {
            file: file.to_owned(),
            field,
            problem,
        })
    }

    /// Bonus for laying this many tiles in one turn (R-SCORE-8).
    #[must_use]
    pub fn bingo_bonus(&self, tiles_laid: usize) -> i32 {
        self.bingo
            .iter()
            .find(|bingo| usize::from(bingo.tiles) == tiles_laid)
            .map_or(0, |bingo| bingo.bonus)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRuleSet {
    id: String,
    name: String,
    players: RawPlayers,
    rack: RawRack,
    board: RawBoard,
    tiles: RawTiles,
    #[serde(default)]
    bingo: Vec<Bingo>,
    opening: RawOpening,
    exchange: RawExchange,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlayers {
    min: u8,
    max: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRack {
    size: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBoard {
    rows: u8,
    cols: u8,
    start: String,
    layout: String,
    premiums: RawPremiums,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawPremiums {
    double_letter: u32,
    triple_letter: u32,
    quadruple_letter: u32,
    double_word: u32,
    triple_word: u32,
    quadruple_word: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTiles {
    total: u32,
    points: i64,
    blanks: u32,
    letters: Vec<(String, u32, i32)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOpening {
    min_tiles: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExchange {
    min_bag: u8,
}

type Checked<T> = Result<T, (&'static str, FieldProblem)>;

impl RawRuleSet {
    fn check(self) -> Checked<RuleSet> {
        not_empty("id", &self.id)?;
        not_empty("name", &self.name)?;
        in_range("players.max", self.players.max, 2, MAX_SEATS)?;
        in_range("players.min", self.players.min, 2, self.players.max)?;
        in_range("rack.size", self.rack.size, 1, MAX_RACK_SIZE)?;
        in_range(
            "opening.min_tiles",
            self.opening.min_tiles,
            1,
            self.rack.size,
        )?;
        for bingo in &self.bingo {
            in_range("bingo.tiles", bingo.tiles, 1, self.rack.size)?;
            in_range_i64("bingo.bonus", i64::from(bingo.bonus), 0, 10_000)?;
        }
        let layout = self.board.check()?;
        let tiles = self.tiles.check()?;
        let needed = u32::from(self.players.max) * u32::from(self.rack.size);
        in_range_i64(
            "tiles.total",
            i64::from(tiles.total()),
            i64::from(needed),
            1000,
        )?;
        Ok(RuleSet {
            id: self.id,
            name: self.name,
            layout,
            tiles,
            rack_size: self.rack.size,
            bingo: self.bingo,
            exchange_min_bag: self.exchange.min_bag,
            opening_min_tiles: self.opening.min_tiles,
            min_seats: self.players.min,
            max_seats: self.players.max,
        })
    }
}

impl RawBoard {
    fn check(self) -> Checked<Layout> {
        let start: Square = self
            .start
            .parse()
            .map_err(|_| ("board.start", FieldProblem::Square(self.start.clone())))?;
        let layout = Layout::parse(self.rows, self.cols, start, &self.layout)
            .map_err(|problem| (field_of(&problem), problem.into()))?;
        let declared = &self.premiums;
        for (field, premium, declared) in [
            (
                "board.premiums.double_letter",
                Premium::Letter(2),
                declared.double_letter,
            ),
            (
                "board.premiums.triple_letter",
                Premium::Letter(3),
                declared.triple_letter,
            ),
            (
                "board.premiums.quadruple_letter",
                Premium::Letter(4),
                declared.quadruple_letter,
            ),
            (
                "board.premiums.double_word",
                Premium::Word(2),
                declared.double_word,
            ),
            (
                "board.premiums.triple_word",
                Premium::Word(3),
                declared.triple_word,
            ),
            (
                "board.premiums.quadruple_word",
                Premium::Word(4),
                declared.quadruple_word,
            ),
        ] {
            adds_up(
                field,
                i64::from(declared),
                i64::try_from(layout.count(premium)).unwrap_or(i64::MAX),
            )?;
        }
        Ok(layout)
    }
}

impl RawTiles {
    fn check(self) -> Checked<TileSet> {
        let letters = self
            .letters
            .into_iter()
            .map(|(face, count, value)| LetterSpec { face, count, value })
            .collect();
        let tiles = TileSet::new(letters, self.blanks)
            .map_err(|problem| ("tiles.letters", problem.into()))?;
        adds_up(
            "tiles.total",
            i64::from(self.total),
            i64::from(tiles.total()),
        )?;
        adds_up("tiles.points", self.points, tiles.points())?;
        Ok(tiles)
    }
}

/// The field of the board that a layout's problem is about.
const fn field_of(problem: &LayoutError) -> &'static str {
    match problem {
        LayoutError::Start(_) => "board.start",
        LayoutError::Size => "board.rows, board.cols",
        LayoutError::Lines { .. } | LayoutError::Width { .. } | LayoutError::Symbol { .. } => {
            "board.layout"
        }
    }
}

fn not_empty(field: &'static str, text: &str) -> Checked<()> {
    if text.trim().is_empty() {
        return Err((field, FieldProblem::Empty));
    }
    Ok(())
}

fn in_range(field: &'static str, found: u8, min: u8, max: u8) -> Checked<()> {
    in_range_i64(field, i64::from(found), i64::from(min), i64::from(max))
}

fn in_range_i64(field: &'static str, found: i64, min: i64, max: i64) -> Checked<()> {
    if (min..=max).contains(&found) {
        return Ok(());
    }
    Err((field, FieldProblem::Range { min, max, found }))
}

fn adds_up(field: &'static str, declared: i64, found: i64) -> Checked<()> {
    if declared == found {
        return Ok(());
    }
    Err((field, FieldProblem::Count { declared, found }))
}
