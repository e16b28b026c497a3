//! What a player knows of its game: enough to choose a turn, and no more.

use std::sync::Arc;

use tilewire_protocol::{
    ChallengeKind as WireKind, Event, EventBody, GameSetup, Phase, Snapshot, TilesDrawn,
};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Layout, Square};
use tilewire_rules::bot::Seen;
use tilewire_rules::notation;
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;

/// The play that can still be challenged.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    /// Its number.
    pub(crate) play_id: u64,
    /// Who made it.
    pub(crate) author: u8,
    /// Whether the game waits for a word about it.
    pub(crate) is_final: bool,
    /// The words it formed; unknown after a snapshot.
    pub(crate) words: Vec<String>,
}

/// One player's knowledge.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    /// The rules of the game.
    pub(crate) rules: Arc<RuleSet>,
    /// What a challenge costs.
    pub(crate) challenge: ChallengeKind,
    /// The own seat.
    pub(crate) seat: u8,
    /// The tiles on the board.
    pub(crate) board: Board,
    /// The own rack.
    pub(crate) rack: Vec<Tile>,
    /// Points by seat.
    pub(crate) scores: Vec<i32>,
    rack_counts: Vec<usize>,
    bag: usize,
    /// The current turn; 0 before the first.
    pub(crate) turn_no: u32,
    /// Whose turn it is, while it is somebody's.
    pub(crate) on_turn: Option<u8>,
    /// Turns in a row without a point.
    pub(crate) scoreless: u32,
    /// Where the game stands.
    pub(crate) phase: Phase,
    /// The play that can still be challenged.
    pub(crate) open: Option<Open>,
    laid: Vec<(Square, Placed)>,
    last_author: u8,
}

impl Position {
    /// The beginning of a game.
    ///
    /// # Errors
    /// When it is played by rules that are not ours.
    pub(crate) fn new(setup: &GameSetup, seat: u8) -> Result<Self, String> {
        let rules = rules_of(setup)?;
        let seats = setup.seats.len();
        Ok(Self {
            challenge: challenge_of(setup),
            seat,
            board: Board::new(rules.layout.rows(), rules.layout.cols()),
            rack: Vec::new(),
            scores: vec![0; seats],
            rack_counts: vec![0; seats],
            bag: usize::try_from(rules.tiles.total()).unwrap_or(0),
            rules,
            turn_no: 0,
            on_turn: None,
            scoreless: 0,
            phase: Phase::Waiting,
            open: None,
            laid: Vec::new(),
            last_author: 0,
        })
    }

    /// A game at one moment.
    ///
    /// # Errors
    /// When it makes no sense.
    pub(crate) fn of_snapshot(snapshot: &Snapshot, seat: u8) -> Result<Self, String> {
        let mut position = Self::new(&snapshot.setup, seat)?;
        let rules = Arc::clone(&position.rules);
        for tile in &snapshot.board {
            let square = tile.square.parse().map_err(|_| "a square".to_owned())?;
            let placed = rules.tiles.parse_placed(&tile.tile).ok_or("a tile")?;
            position.lay(square, placed)?;
        }
        position.scores = snapshot.seats.iter().map(|seat| seat.score).collect();
        let counts = snapshot.seats.iter().map(|seat| seat.rack_count);
        position.rack_counts = counts
            .map(|count| usize::try_from(count).unwrap_or(0))
            .collect();
        let own = snapshot.seats.get(usize::from(seat));
        let rack = own.and_then(|seat| seat.rack.as_deref()).unwrap_or(&[]);
        position.rack = position.tiles(rack);
        position.bag = usize::try_from(snapshot.bag).unwrap_or(0);
        position.turn_no = snapshot.turn_no;
        position.on_turn = snapshot.on_turn;
        position.phase = snapshot.phase;
        if let Some(window) = &snapshot.window {
            position.open = Some(Open {
                play_id: window.play_id,
                author: window.author,
                is_final: window.is_final,
                words: Vec::new(),
            });
        }
        Ok(position)
    }

    /// Takes the next event in.
    ///
    /// # Errors
    /// When it makes no sense.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            EventBody::BoardDrawn(drawn) => {
                let rules = Arc::make_mut(&mut self.rules);
                let layout = &rules.layout;
                let (rows, cols, start) = (layout.rows(), layout.cols(), layout.start());
                rules.layout = Layout::parse(rows, cols, start, &drawn.layout.join("\n"))
                    .map_err(|error| error.to_string())?;
            }
            EventBody::TilesDrawn(drawn) => self.drawn(drawn),
            EventBody::TurnStarted(turn) => {
                self.phase = Phase::Running;
                self.turn_no = turn.turn_no;
                self.on_turn = Some(turn.seat);
            }
            EventBody::PlayMade(play) => {
                let placement = placement(&self.rules, &play.start, &play.tiles)?;
                self.laid = placement.squares().collect();
                for (square, placed) in self.laid.clone() {
                    self.lay(square, placed)?;
                    if play.seat == self.seat {
                        self.give(placed.tile);
                    }
                }
                self.last_author = play.seat;
                self.scoreless = 0;
                if let Some(score) = self.scores.get_mut(usize::from(play.seat)) {
                    *score = play.total;
                }
                let laid = self.laid.len();
                self.count_rack(play.seat, |count| count.saturating_sub(laid));
                self.on_turn = None;
                self.open = play.window.as_ref().map(|window| Open {
                    play_id: event.seq,
                    author: play.seat,
                    is_final: window.is_final,
                    words: play.words.iter().map(|word| word.word.clone()).collect(),
                });
                if self.open.as_ref().is_some_and(|open| open.is_final) {
                    self.phase = Phase::Final;
                }
            }
            EventBody::Exchanged(exchange) => {
                let count = usize::try_from(exchange.count).unwrap_or(0);
                self.count_rack(exchange.seat, |own| own.saturating_sub(count));
                for tile in self.tiles(exchange.tiles.as_deref().unwrap_or(&[])) {
                    self.give(tile);
                }
                self.on_turn = None;
            }
            EventBody::Passed(_) | EventBody::TurnLost(_) => {
                self.on_turn = None;
                self.scoreless += 1;
            }
            EventBody::ChallengeDecided(verdict) => {
                self.scores.clone_from(&verdict.totals);
                if verdict.upheld {
                    self.take_off();
                }
            }
            EventBody::WindowClosed(_) => self.open = None,
            EventBody::Ended(_) => self.phase = Phase::Ended,
            _ => {}
        }
        Ok(())
    }

    /// What a bot on this seat sees.
    pub(crate) fn seen(&self) -> Seen<'_> {
        Seen {
            rules: &self.rules,
            challenge: self.challenge,
            board: &self.board,
            rack: &self.rack,
            seat: Seat(self.seat),
            scores: self.scores.clone(),
            rack_counts: self.rack_counts.clone(),
            bag: self.bag.saturating_sub(self.owed()),
            turn_no: self.turn_no,
        }
    }

    /// Tiles that are dealt before the next turn takes effect: a rack is short of them while its play can be challenged.
    fn owed(&self) -> usize {
        let full = usize::from(self.rules.rack_size);
        let short = self.rack_counts.iter();
        short.map(|count| full.saturating_sub(*count)).sum()
    }

    fn drawn(&mut self, drawn: &TilesDrawn) {
        self.bag = usize::try_from(drawn.bag).unwrap_or(0);
        let count = usize::try_from(drawn.count).unwrap_or(0);
        self.count_rack(drawn.seat, |own| own + count);
        if let (true, Some(faces)) = (drawn.seat == self.seat, &drawn.tiles) {
            let tiles = self.tiles(faces);
            self.rack.extend(tiles);
        }
    }

    fn take_off(&mut self) {
        for (square, placed) in std::mem::take(&mut self.laid) {
            self.board.remove(square);
            self.count_rack(self.last_author, |count| count + 1);
            if self.last_author == self.seat {
                self.rack.push(placed.tile);
            }
        }
        self.phase = Phase::Running;
    }

    fn lay(&mut self, square: Square, placed: Placed) -> Result<(), String> {
        if !self.board.contains(square) || self.board.get(square).is_some() {
            return Err(format!("a tile cannot lie on {square}"));
        }
        self.board.place(square, placed);
        Ok(())
    }

    fn count_rack(&mut self, seat: u8, change: impl FnOnce(usize) -> usize) {
        if let Some(count) = self.rack_counts.get_mut(usize::from(seat)) {
            *count = change(*count);
        }
    }

    fn give(&mut self, tile: Tile) {
        if let Some(at) = self.rack.iter().position(|own| *own == tile) {
            self.rack.swap_remove(at);
        }
    }

    fn tiles(&self, faces: &[String]) -> Vec<Tile> {
        let tiles = &self.rules.tiles;
        let parsed = faces.iter().filter_map(|face| tiles.parse_tile(face));
        parsed.collect()
    }
}

/// The rules a game of this setup is played by: the built-in ones of that name, on the board the server describes.
///
/// # Errors
/// When there are none, or the server describes other tiles.
pub(crate) fn rules_of(setup: &GameSetup) -> Result<Arc<RuleSet>, String> {
    let info = &setup.rule_set;
    let unknown = || format!("the rule set {} is not ours", info.id);
    let rules = RuleSet::builtin(&info.id).ok_or_else(unknown)?;
    let same = info.tiles.iter().all(|told| {
        let tile = rules.tiles.parse_tile(&told.face);
        tile.is_some_and(|tile| {
            rules.tiles.count(tile) == told.count && rules.tiles.value(tile) == told.value
        })
    });
    if !same || rules.layout.drawing() != info.board.layout && !info.board.drawn {
        return Err(unknown());
    }
    Ok(rules)
}

/// The placement an event or a command describes.
///
/// # Errors
/// When it is none.
pub(crate) fn placement(
    rules: &RuleSet,
    start: &str,
    cells: &[String],
) -> Result<Placement, String> {
    let (start, direction) =
        notation::parse_coordinate(start).map_err(|error| error.to_string())?;
    let tiles: Result<Vec<_>, _> = cells
        .iter()
        .map(|cell| notation::parse_cell(cell, &rules.tiles))
        .collect();
    Ok(Placement {
        start,
        direction,
        tiles: tiles.map_err(|error| error.to_string())?,
    })
}

/// The challenge rule as the rules know it.
pub(crate) fn challenge_of(setup: &GameSetup) -> ChallengeKind {
    match setup.options.challenge_kind() {
        WireKind::Void => ChallengeKind::Void,
        WireKind::Single | WireKind::Unknown => ChallengeKind::Single,
        WireKind::Double => ChallengeKind::Double,
        WireKind::FivePoint => ChallengeKind::FivePoint,
        WireKind::TenPoint => ChallengeKind::TenPoint,
        WireKind::Triple => ChallengeKind::Triple,
    }
}
