//! The position of a seat that has to move, in the types of the rules crate.

use std::sync::Arc;

use tilewire_protocol::{ClientMessage, CmdId, Exchange, GameId, Pass, Play, TurnKind, TurnRecord};
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;
use tilewire_rules::bot::{BotTurn, Seen};
use tilewire_rules::choices::InactivityRule;
use tilewire_rules::notation::{self, NotationError};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::Runs;
use tilewire_rules::time::Seat;

use crate::rules::{SetupError, challenge_of, inactivity_of};
use crate::view::GameView;

/// A position as one seat sees it.
#[derive(Debug, Clone)]
pub struct Position {
    /// The rules of the game, with the premium squares of its board.
    pub rules: Arc<RuleSet>,
    /// The challenge rule.
    pub challenge: ChallengeKind,
    /// The tiles on the board.
    pub board: Board,
    /// The rack of the seat; empty if the client does not see it.
    pub rack: Vec<Tile>,
    /// The seat.
    pub seat: u8,
    /// The points of every seat.
    pub scores: Vec<i32>,
    /// The score at which each seat wins; empty unless the game is a race.
    pub targets: Vec<i32>,
    /// The tiles on every rack, owed tiles included; 0 for a seat that left.
    pub rack_counts: Vec<usize>,
    /// The tiles in the bag, owed tiles not included.
    pub bag: usize,
    /// The number of the current turn.
    pub turn_no: u32,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// The turns without score so far.
    pub runs: Runs,
}

impl Position {
    /// The position of `seat` in a game.
    ///
    /// # Errors
    /// Returns an error if the rules of the game cannot be read.
    pub fn of(view: &GameView, seat: u8) -> Result<Self, SetupError> {
        let rules = Arc::clone(view.rules()?);
        let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
        for (square, face) in &view.board {
            if let Some(placed) = rules.tiles.parse_placed(face)
                && board.contains(*square)
            {
                board.place(*square, placed);
            }
        }
        let rack = view.rack_of(seat).unwrap_or_default().iter();
        let count = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        let rack_counts = view.seats.iter().map(|seat| match seat.retired {
            Some(_) => 0,
            None => count(seat.rack_count),
        });
        Ok(Self {
            challenge: challenge_of(&view.setup.options),
            board,
            rack: rack
                .filter_map(|face| rules.tiles.parse_tile(face))
                .collect(),
            seat,
            scores: view.seats.iter().map(|seat| seat.score).collect(),
            targets: view.setup.targets.clone().unwrap_or_default(),
            rack_counts: rack_counts.collect(),
            bag: count(view.bag),
            turn_no: view.turn_no,
            inactivity: inactivity_of(&view.setup.options, &rules),
            runs: runs_of(&view.turns),
            rules,
        })
    }

    /// The position as bots read it.
    #[must_use]
    pub fn seen(&self) -> Seen<'_> {
        Seen {
            rules: &self.rules,
            challenge: self.challenge,
            board: &self.board,
            rack: &self.rack,
            seat: Seat(self.seat),
            scores: self.scores.clone(),
            targets: self.targets.clone(),
            rack_counts: self.rack_counts.clone(),
            known: Vec::new(),
            bag: self.bag,
            turn_no: self.turn_no,
            inactivity: self.inactivity,
            runs: self.runs,
        }
    }

    /// Reads a placement as commands and events describe it.
    ///
    /// # Errors
    /// Returns an error if the start is not a coordinate or a cell is not a face of the tile set.
    pub fn placement(&self, start: &str, cells: &[String]) -> Result<Placement, NotationError> {
        let (start, direction) = notation::parse_coordinate(start)?;
        let cells = cells.iter();
        let tiles = cells.map(|cell| notation::parse_cell(cell, &self.rules.tiles));
        Ok(Placement {
            start,
            direction,
            tiles: tiles.collect::<Result<_, _>>()?,
        })
    }

    /// Writes a placement as commands and events describe it: the start and one face for each square.
    #[must_use]
    pub fn placement_text(&self, placement: &Placement) -> (String, Vec<String>) {
        let start = notation::format_coordinate(placement.start, placement.direction);
        let cells = placement.tiles.iter();
        let faces = cells.map(|cell| notation::format_cell(*cell, &self.rules.tiles));
        (start, faces.collect())
    }

    /// The command that takes the current turn as `turn` says.
    #[must_use]
    pub fn command(&self, turn: &BotTurn, game: GameId, cmd_id: CmdId) -> ClientMessage {
        let turn_no = self.turn_no;
        match turn {
            BotTurn::Play(placement) => {
                let (start, tiles) = self.placement_text(placement);
                ClientMessage::Play(Play {
                    game,
                    cmd_id,
                    turn_no,
                    start,
                    tiles,
                })
            }
            BotTurn::Exchange(given) => ClientMessage::Exchange(Exchange {
                game,
                cmd_id,
                turn_no,
                tiles: self.faces(given),
            }),
            BotTurn::Pass => ClientMessage::Pass(Pass {
                game,
                cmd_id,
                turn_no,
            }),
        }
    }

    /// The faces of tiles of the rack.
    #[must_use]
    pub fn faces(&self, tiles: &[Tile]) -> Vec<String> {
        let set = &self.rules.tiles;
        let faces = tiles.iter().map(|tile| set.tile_face(*tile).to_owned());
        faces.collect()
    }
}
/// The turns without score at the end of a game's turns.
fn runs_of(turns: &[TurnRecord]) -> Runs {
    turns
        .iter()
        .fold(Runs::default(), |runs, turn| match turn.kind {
            TurnKind::Pass => runs.after_pass(),
            TurnKind::Play if turn.off => runs.after_scoreless(),
            TurnKind::Play if turn.score == 0 => runs.after_play_worth_nothing(),
            TurnKind::Play => Runs::default(),
            TurnKind::Exchange | TurnKind::LostTurn | TurnKind::Unknown => runs.after_scoreless(),
        })
}
