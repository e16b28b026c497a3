//! The file format of a rule set, and the checks that turn a file into a [`RuleSet`].
//!
//! A file can build on another: with `base = "classic"` it inherits all values and its own values replace them, table
//! by table. `clock` and `targets` are replaced as a whole, because their keys exclude one another.

use std::sync::Arc;

use serde::Deserialize;

use super::{Bingo, MAX_RACK_SIZE, MAX_SEATS, Premiums, RackCount, RuleSet, Targets};
use crate::board::{Layout, LayoutError, Premium, Square};
use crate::choices::{
    ChallengeKind, ChallengeOptions, Choices, Consent, CountedTurns, FirstPlay, InactivityRule,
    PointsPer, TieRule, TurnLimit,
};
use crate::clock::ClockKind;
use crate::data::{Checked, FieldProblem, RuleSetError, adds_up, in_range, is_id, not_empty};
use crate::tile_sets::{NamedTileSet, RawTileSet};
use crate::time::Seat;

/// Parts of a file that replace those of its base as a whole.
const WHOLE: [&str; 2] = ["clock", "targets"];
/// Largest target score.
const MAX_TARGET: i32 = 10_000;

/// Reads a file; `find_base` returns the text of a built-in rule set for a base.
pub(super) fn read(
    text: &str,
    file: &str,
    find_base: impl Fn(&str) -> Option<&'static str>,
) -> Result<RuleSet, RuleSetError> {
    let toml_error = |source| RuleSetError::Toml {
        file: file.to_owned(),
        source,
    };
    let field_error = |(field, problem)| RuleSetError::Field {
        file: file.to_owned(),
        field,
        problem,
    };
    let mut table: toml::Table = toml::from_str(text).map_err(toml_error)?;
    if !table.contains_key("base") {
        // Parsed from the text directly, so that errors name the line.
        let raw: RawRuleSet = toml::from_str(text).map_err(toml_error)?;
        return raw.check(text).map_err(field_error);
    }
    let source = text;
    // A base is built in, and no built-in rule set is its own base, so the loop ends.
    while let Some(base) = table.remove("base") {
        let named = base.as_str().unwrap_or_default();
        let unknown = || field_error(("base", FieldProblem::Unknown(named.to_owned())));
        let text = find_base(named).ok_or_else(unknown)?;
        table = merged(toml::from_str(text).map_err(toml_error)?, table);
    }
    let raw: RawRuleSet = table.try_into().map_err(toml_error)?;
    raw.check(source).map_err(field_error)
}

/// Merges a file with its base; the values of the file win.
fn merged(mut base: toml::Table, own: toml::Table) -> toml::Table {
    for (key, value) in own {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above))
                if !WHOLE.contains(&key.as_str()) =>
            {
                below.extend(above);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
    base
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRuleSet {
    id: String,
    name: String,
    summary: String,
    players: RawPlayers,
    rack: RawRack,
    board: RawBoard,
    /// Ids of built-in tile sets, one for each language.
    #[serde(default)]
    tile_sets: Vec<String>,
    /// Tile sets that the file defines itself.
    #[serde(default)]
    tiles: Vec<RawTileSet>,
    #[serde(default)]
    bingo: Vec<Bingo>,
    opening: RawOpening,
    exchange: RawExchange,
    challenge: RawChallenge,
    end: RawEnd,
    #[serde(rename = "final")]
    counting: RawFinal,
    first: RawFirst,
    clock: ClockKind,
    #[serde(default)]
    targets: Option<Targets>,
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
    #[serde(default)]
    drawn: bool,
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
struct RawOpening {
    min_tiles: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExchange {
    min_bag: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChallenge {
    kinds: Vec<ChallengeKind>,
    window_ms: i64,
    #[serde(default)]
    consent: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEnd {
    limit: u16,
    per_seat: bool,
    counts: CountedTurns,
    #[serde(default)]
    unless_all_zero: bool,
    cap_per_seat: u16,
    #[serde(default)]
    all_played: bool,
    #[serde(default)]
    uncatchable: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFinal {
    ties: TieRule,
    racks: RackCount,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawFirst {
    Draw,
    Owner,
}

impl RawRuleSet {
    fn check(self, source: &str) -> Checked<RuleSet> {
        is_id("id", &self.id)?;
        not_empty("name", &self.name)?;
        not_empty("summary", &self.summary)?;
        self.check_numbers()?;
        let layout = self.board.check()?;
        let tile_sets = tile_sets(self.tile_sets, self.tiles)?;
        let needed = i64::from(self.players.max) * i64::from(self.rack.size);
        for set in &tile_sets {
            in_range("tiles.total", set.tiles.total(), needed, 1000)?;
        }
        let first_set = tile_sets
            .first()
            .ok_or(("tile_sets", FieldProblem::Empty))?;
        let kind = *self
            .challenge
            .kinds
            .first()
            .ok_or(("challenge.kinds", FieldProblem::Empty))?;
        let rules = RuleSet {
            id: self.id,
            name: self.name,
            summary: self.summary,
            layout,
            premiums: if self.board.drawn {
                Premiums::Drawn
            } else {
                Premiums::Fixed
            },
            language: first_set.language.clone(),
            tiles: first_set.tiles.clone(),
            rack_size: self.rack.size,
            bingo: self.bingo,
            exchange_min_bag: self.exchange.min_bag,
            opening_min_tiles: self.opening.min_tiles,
            min_seats: self.players.min,
            max_seats: self.players.max,
            targets: self.targets,
            rack_count: self.counting.racks,
            usual: Choices {
                clock: self.clock,
                challenge: self.challenge.usual(kind),
                inactivity: self.end.inactivity(),
                all_played: self.end.all_played,
                uncatchable: self.end.uncatchable,
                ties: self.counting.ties,
                first: match self.first {
                    RawFirst::Draw => FirstPlay::Draw,
                    RawFirst::Owner => FirstPlay::Seat(Seat(0)),
                },
            },
            challenges: self.challenge.kinds,
            tile_sets,
            source: source.into(),
        };
        rules
            .check_choices(rules.min_seats, &rules.usual)
            .map_err(|problem| ("usual options", problem.into()))?;
        Ok(rules)
    }

    fn check_numbers(&self) -> Checked<()> {
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
            in_range("bingo.bonus", bingo.bonus, 0, 10_000)?;
        }
        for target in self.targets.iter().flat_map(Targets::all) {
            in_range("targets", target, 1, MAX_TARGET)?;
        }
        in_range("end.cap_per_seat", self.end.cap_per_seat, 1, 1_000)
    }
}

/// The tile sets named and those of the file's own; one for a language.
fn tile_sets(named: Vec<String>, own: Vec<RawTileSet>) -> Checked<Vec<Arc<NamedTileSet>>> {
    let mut sets: Vec<Arc<NamedTileSet>> = Vec::new();
    for id in named {
        let unknown = || ("tile_sets", FieldProblem::Unknown(id.clone()));
        sets.push(NamedTileSet::builtin(&id).ok_or_else(unknown)?);
    }
    for raw in own {
        sets.push(Arc::new(raw.check()?));
    }
    for (at, set) in sets.iter().enumerate() {
        if sets[..at]
            .iter()
            .any(|other| other.language == set.language)
        {
            return Err(("tile_sets", FieldProblem::Twice(set.language.clone())));
        }
    }
    Ok(sets)
}

impl RawChallenge {
    fn usual(&self, kind: ChallengeKind) -> ChallengeOptions {
        ChallengeOptions {
            kind,
            window_ms: (self.window_ms != 0).then_some(self.window_ms),
            points_per: PointsPer::Play,
            consent: if self.consent {
                Consent::Asked
            } else {
                Consent::NotAsked
            },
        }
    }
}

impl RawEnd {
    const fn inactivity(&self) -> InactivityRule {
        InactivityRule {
            limit: if self.per_seat {
                TurnLimit::PerActiveSeat(self.limit)
            } else {
                TurnLimit::Total(self.limit)
            },
            counts: self.counts,
            unless_all_zero: self.unless_all_zero,
            cap_per_seat: self.cap_per_seat,
        }
    }
}

impl RawBoard {
    fn check(&self) -> Checked<Layout> {
        let start: Square = self
            .start
            .parse()
            .map_err(|_| ("board.start", FieldProblem::Square(self.start.clone())))?;
        let layout = Layout::parse(self.rows, self.cols, start, &self.layout)
            .map_err(|problem| (field_of(&problem), FieldProblem::from(problem)))?;
        for (field, premium, declared) in self.premiums.declared() {
            let found = i64::try_from(layout.count(premium)).unwrap_or(i64::MAX);
            adds_up(field, i64::from(declared), found)?;
        }
        Ok(layout)
    }
}

impl RawPremiums {
    const fn declared(&self) -> [(&'static str, Premium, u32); 6] {
        [
            (
                "board.premiums.double_letter",
                Premium::Letter(2),
                self.double_letter,
            ),
            (
                "board.premiums.triple_letter",
                Premium::Letter(3),
                self.triple_letter,
            ),
            (
                "board.premiums.quadruple_letter",
                Premium::Letter(4),
                self.quadruple_letter,
            ),
            (
                "board.premiums.double_word",
                Premium::Word(2),
                self.double_word,
            ),
            (
                "board.premiums.triple_word",
                Premium::Word(3),
                self.triple_word,
            ),
            (
                "board.premiums.quadruple_word",
                Premium::Word(4),
                self.quadruple_word,
            ),
        ]
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
