//! The facts of a game that a letter contains.

use tilewire_rules::board::{Premium, Square};
use tilewire_rules::notation::format_coordinate;
use tilewire_rules::state::{PlayStatus, State, TurnKind, TurnRecord};
use tilewire_rules::time::Seat;

/// Turns that a letter lists.
const TURNS: usize = 8;

/// A game as a letter shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// The id of the game.
    pub(crate) game: String,
    /// The name of the rule set.
    pub(crate) rule_set: String,
    /// The players in seat order.
    pub(crate) players: Vec<Seated>,
    /// The squares, row by row.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// The last turns, the oldest first.
    pub(crate) turns: Vec<TurnLine>,
    /// The tiles that are left in the bag.
    pub(crate) bag: usize,
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seated {
    /// The name.
    pub(crate) name: String,
    /// The points; after the end, the final ones.
    pub(crate) score: i32,
    /// Whether this is the reader.
    pub(crate) is_reader: bool,
}

/// A square of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    /// No tile lies on it.
    Empty(Premium),
    /// A tile lies on it.
    Tile {
        /// The letter, as a text of one or more characters; in lower case for a blank.
        face: String,
        /// Whether the last play laid it.
        is_new: bool,
    },
}

/// A turn of the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnLine {
    /// The name of the player.
    pub(crate) name: String,
    /// The action of the player.
    pub(crate) what: Done,
    /// The player's score after it, as it counts now.
    pub(crate) total: i32,
}

/// The action of a player in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Done {
    /// A play.
    Play {
        /// Where, such as `8F`.
        place: String,
        /// The main word.
        word: String,
        /// The points.
        score: i32,
        /// Whether a challenge or a withdrawal took it off.
        is_off: bool,
    },
    /// An exchange, with the number of tiles.
    Exchange(usize),
    /// A pass.
    Pass,
    /// A lost turn.
    Lost,
}

impl Sheet {
    /// Returns the facts of a game for the player of a seat.
    pub(crate) fn of(state: &State, reader: Seat) -> Self {
        let created = state.created();
        let seats = created.players.iter().zip(Seat::all(state.options().seats));
        let players = seats.map(|(player, seat)| Seated {
            name: one_line(&player.name),
            score: score_of(state, seat),
            is_reader: seat == reader,
        });
        let history = state.history();
        let turns = history.iter().skip(history.len().saturating_sub(TURNS));
        let name = |seat: Seat| {
            let player = created.players.get(seat.index());
            player.map_or_else(String::new, |player| one_line(&player.name))
        };
        Self {
            game: created.game.clone(),
            rule_set: one_line(&state.rules().name),
            players: players.collect(),
            rows: rows(state),
            turns: turns
                .map(|turn| TurnLine {
                    name: name(turn.seat),
                    what: done(turn),
                    total: turn.total,
                })
                .collect(),
            bag: state.bag_count(),
        }
    }

    /// Returns the names of the reader's opponents.
    pub(crate) fn opponents(&self) -> String {
        let others = self.players.iter().filter(|player| !player.is_reader);
        let names: Vec<&str> = others.map(|player| player.name.as_str()).collect();
        names.join(", ")
    }
}

fn score_of(state: &State, seat: Seat) -> i32 {
    let ended = state.outcome();
    let result = ended.and_then(|ended| ended.results.iter().find(|result| result.seat == seat));
    result.map_or_else(
        || state.seats()[seat.index()].score,
        |result| result.final_score,
    )
}

fn done(turn: &TurnRecord) -> Done {
    match &turn.kind {
        TurnKind::Play { play, status, .. } => Done::Play {
            place: format_coordinate(play.start, play.direction),
            word: play
                .words
                .first()
                .map_or_else(String::new, |word| word.word.clone()),
            score: play.score,
            is_off: *status == PlayStatus::ChallengedOff,
        },
        TurnKind::Exchange(tiles) => Done::Exchange(*tiles),
        TurnKind::Pass => Done::Pass,
        TurnKind::LostTurn => Done::Lost,
    }
}

fn rows(state: &State) -> Vec<Vec<Cell>> {
    let (rules, board) = (state.rules(), state.tiles().board());
    let laid = newest(state);
    let cell = |square: Square| match board.get(square) {
        Some(placed) => Cell::Tile {
            face: rules.tiles.placed_face(placed),
            is_new: laid.contains(&square),
        },
        None => Cell::Empty(rules.layout.premium(square)),
    };
    let row = |row| {
        (0..board.cols())
            .map(|col| cell(Square::new(row, col)))
            .collect()
    };
    (0..board.rows()).map(row).collect()
}

/// Returns the squares that the newest play laid tiles on.
fn newest(state: &State) -> Vec<Square> {
    let plays = state
        .history()
        .iter()
        .rev()
        .find_map(|turn| match &turn.kind {
            TurnKind::Play { play, status, .. } if *status == PlayStatus::OnBoard => Some(play),
            TurnKind::Play { .. } | TurnKind::Exchange(_) | TurnKind::Pass | TurnKind::LostTurn => {
                None
            }
        });
    let Some(play) = plays else {
        return Vec::new();
    };
    let tiles = play.tiles.iter().enumerate();
    let laid = tiles.filter(|(_, tile)| tile.is_some());
    laid.map(|(steps, _)| play.start.ahead(play.direction, steps))
        .collect()
}

/// Returns a name on one line, without characters that steer a terminal or a header.
pub(super) fn one_line(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).collect()
}
