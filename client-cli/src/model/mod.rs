//! What a client knows of one game: a fold over its snapshot and events, pure.
//!
//! Invariant: nothing here trusts the server to be consistent; seats, squares and counts out of range are ignored, and
//! nothing panics.

mod clock;
mod coordinates;
mod fold;
mod narrate;
mod spectating;

use std::collections::BTreeMap;

use tilewire_protocol::{
    Clocks, GameId, GameResult, GameSetup, Phase, RetireReason, Role, Snapshot, SnapshotWindow,
    TurnRecord, VanishedSeat,
};

pub use clock::{SeatTime, format_clock_time};
pub use coordinates::{Direction, Square, column_name, parse_start};
pub use narrate::end_reason;

/// The face of a blank that stands for nothing yet.
pub const BLANK: &str = "?";

/// One game, as one client knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Which.
    pub game: GameId,
    /// As what the client is attached.
    pub role: Role,
    /// The client's seat; `None` for spectators.
    pub seat: Option<u8>,
    /// What was fixed at creation.
    pub setup: GameSetup,
    /// The last event taken in.
    pub seq: u64,
    /// Where the game stands.
    pub phase: Phase,
    /// Number of the current turn; 0 before the first.
    pub turn_no: u32,
    /// Whose turn it is.
    pub on_turn: Option<u8>,
    /// The faces on the board, row by row; lower case for blanks.
    pub board: Vec<Vec<Option<String>>>,
    /// The client's own tiles, in the order it likes them.
    pub rack: Vec<String>,
    /// The seats, in order.
    pub seats: Vec<SeatState>,
    /// Tiles in the bag; owed ones count as dealt.
    pub bag: u32,
    /// The clocks, as last told.
    pub clocks: Clocks,
    /// The open challenge window.
    pub window: Option<SnapshotWindow>,
    /// The last play, on the board or challenged off.
    pub last_play: Option<LastPlay>,
    /// The finished turns, oldest first.
    pub turns: Vec<TurnRecord>,
    /// Seats without a connection whose place can be claimed soon.
    pub vanished: Vec<VanishedSeat>,
    /// The result, when ended.
    pub result: Option<GameResult>,
    /// Whether the game waits for the server's storage.
    pub is_paused: bool,
    /// Rounded number of spectators.
    pub watching: u32,
}

/// What changes about a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeatState {
    /// Points so far.
    pub score: i32,
    /// Tiles on the rack; owed ones count as dealt.
    pub rack_count: u32,
    /// How many of them are still owed.
    pub owed: u32,
    /// Whether the seat has said `ready`.
    pub is_ready: bool,
    /// Why the seat left the game.
    pub retired: Option<RetireReason>,
    /// Turns it owes to failed challenges.
    pub turn_debt: u32,
    /// Whether a connection of it is attached; `None`: not told.
    pub is_connected: Option<bool>,
    /// The tiles of its rack, for a spectator who sees them.
    pub rack: Vec<String>,
}

/// A play that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPlay {
    /// The `seq` of its event.
    pub play_id: u64,
    /// Who made it.
    pub seat: u8,
    /// Where its tiles lie, with the faces on the rack they came from.
    pub laid: Vec<(Square, String)>,
}

impl Table {
    /// A game of which only the creation is known.
    #[must_use]
    pub fn created(setup: GameSetup, role: Role, seat: Option<u8>) -> Self {
        let count = setup.seats.len();
        let board = &setup.rule_set.board;
        let clock = setup.options.clock.as_ref();
        let initial_ms = clock.and_then(|clock| clock.initial_ms).unwrap_or(0);
        Self {
            game: setup.game.clone(),
            role,
            seat,
            seq: 1,
            phase: Phase::Waiting,
            turn_no: 0,
            on_turn: None,
            board: vec![vec![None; usize::from(board.cols)]; usize::from(board.rows)],
            rack: Vec::new(),
            seats: vec![SeatState::default(); count],
            bag: setup.rule_set.tiles.iter().map(|tile| tile.count).sum(),
            clocks: Clocks {
                main_ms: vec![initial_ms; count],
                allowance_ms: vec![0; count],
                running: None,
            },
            window: None,
            last_play: None,
            turns: Vec::new(),
            vanished: Vec::new(),
            result: None,
            is_paused: false,
            watching: 0,
            setup,
        }
    }

    /// A game as a snapshot tells it.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut table = Self::created(snapshot.setup.clone(), snapshot.role, snapshot.seat);
        table.seq = snapshot.seq;
        table.phase = snapshot.phase;
        table.turn_no = snapshot.turn_no;
        table.on_turn = snapshot.on_turn;
        for tile in &snapshot.board {
            if let Some(square) = Square::parse(&tile.square) {
                table.put(square, Some(tile.tile.clone()));
            }
        }
        table.seats = snapshot
            .seats
            .iter()
            .map(|seat| SeatState {
                score: seat.score,
                rack_count: seat.rack_count,
                owed: 0,
                is_ready: seat.ready,
                retired: seat.retired,
                turn_debt: seat.turn_debt,
                is_connected: Some(seat.connected),
                rack: seat.rack.clone().unwrap_or_default(),
            })
            .collect();
        let own = snapshot.seat.map(usize::from);
        if let Some(own) = own.and_then(|seat| table.seats.get_mut(seat)) {
            table.rack = std::mem::take(&mut own.rack);
        }
        table.bag = snapshot.bag;
        table.clocks = snapshot.clocks.clone();
        table.window = snapshot.window.clone();
        table.turns = snapshot.turns.clone();
        table.vanished = snapshot.vanished.clone();
        table.result = snapshot.result.clone();
        table.recall_last_play();
        table
    }

    /// Finds the last play, and what is owed for it, among the turns of a snapshot.
    fn recall_last_play(&mut self) {
        let play = self.turns.iter().rev().find(|turn| turn.play_id.is_some());
        let Some((play, play_id)) = play.and_then(|play| Some((play.clone(), play.play_id?)))
        else {
            return;
        };
        let (Some(start), Some(tiles)) = (&play.start, &play.tiles) else {
            return;
        };
        self.last_play = Some(LastPlay {
            play_id,
            seat: play.seat,
            laid: laid(start, tiles),
        });
        let is_open = self
            .window
            .as_ref()
            .is_some_and(|window| window.play_id == play_id);
        if is_open && self.seat == Some(play.seat) {
            let known = u32::try_from(self.rack.len()).unwrap_or(u32::MAX);
            if let Some(seat) = self.seats.get_mut(usize::from(play.seat)) {
                seat.owed = seat.rack_count.saturating_sub(known);
            }
        } else if is_open {
            let played = u32::try_from(self.laid_count()).unwrap_or(u32::MAX);
            if let Some(seat) = self.seats.get_mut(usize::from(play.seat)) {
                // Before the play the rack was full unless the bag was empty, and then nothing is owed.
                let kept = u32::from(self.setup.rule_set.rack_size).saturating_sub(played);
                seat.owed = seat.rack_count.saturating_sub(kept);
            }
        }
    }

    fn laid_count(&self) -> usize {
        self.last_play.as_ref().map_or(0, |play| play.laid.len())
    }

    /// Puts the rack in the order of `known`, as far as the tiles are the same.
    pub fn keep_order_of(&mut self, known: &[String]) {
        let mut left = std::mem::take(&mut self.rack);
        for face in known {
            if let Some(place) = left.iter().position(|tile| tile == face) {
                self.rack.push(left.remove(place));
            }
        }
        self.rack.append(&mut left);
    }

    /// What lies on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<&str> {
        self.board.get(square.row)?.get(square.col)?.as_deref()
    }

    fn put(&mut self, square: Square, tile: Option<String>) {
        if let Some(place) = self
            .board
            .get_mut(square.row)
            .and_then(|row| row.get_mut(square.col))
        {
            *place = tile;
        }
    }

    /// The character of the layout for a square: `.` when plain.
    #[must_use]
    pub fn premium(&self, square: Square) -> char {
        let row = self.setup.rule_set.board.layout.get(square.row);
        row.and_then(|row| row.chars().nth(square.col))
            .unwrap_or('.')
    }

    /// The square the first play must cover.
    #[must_use]
    pub fn start_square(&self) -> Option<Square> {
        Square::parse(&self.setup.rule_set.board.start)
    }

    /// The name of a seat.
    #[must_use]
    pub fn name(&self, seat: u8) -> String {
        match self.setup.seats.get(usize::from(seat)) {
            Some(person) => printable(&person.name),
            None => format!("seat {seat}"),
        }
    }

    /// The points of a tile by its face, 0 for blanks.
    #[must_use]
    pub fn value(&self, face: &str) -> i32 {
        let tile = self
            .setup
            .rule_set
            .tiles
            .iter()
            .find(|tile| tile.face == face);
        tile.map_or(0, |tile| tile.value)
    }

    /// The tiles that are neither on the board nor on a rack the client sees, by face in the order of the set.
    #[must_use]
    pub fn unseen(&self) -> Vec<(String, u32)> {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        let faces = self
            .board
            .iter()
            .flatten()
            .flatten()
            .map(|face| self.tile_face(face));
        let racks = (0_u8..).zip(&self.seats);
        let racks = racks.filter_map(|(seat, _)| self.rack_of(seat)).flatten();
        for face in faces.chain(racks.map(String::as_str)) {
            *seen.entry(face).or_default() += 1;
        }
        let tiles = &self.setup.rule_set.tiles;
        tiles
            .iter()
            .map(|tile| {
                let seen = seen.get(tile.face.as_str()).copied().unwrap_or(0);
                (tile.face.clone(), tile.count.saturating_sub(seen))
            })
            .collect()
    }

    /// The face of the tile that shows `face` on the board.
    #[must_use]
    pub fn tile_face<'a>(&self, face: &'a str) -> &'a str {
        if is_blank(face) { BLANK } else { face }
    }

    /// Whether the client's seat may still answer the open window.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        let (Some(window), Some(seat)) = (&self.window, self.seat) else {
            return false;
        };
        window.eligible.contains(&seat)
            && !window.accepted.contains(&seat)
            && window.challenger.is_none()
    }

    /// Whether the client's seat is on turn.
    #[must_use]
    pub fn is_own_turn(&self) -> bool {
        self.phase == Phase::Running && self.seat.is_some() && self.on_turn == self.seat
    }

    /// The seats that still play.
    #[must_use]
    pub fn active_seats(&self) -> usize {
        self.seats
            .iter()
            .filter(|seat| seat.retired.is_none())
            .count()
    }
}

/// Whether a face on the board is that of a blank.
#[must_use]
pub fn is_blank(face: &str) -> bool {
    face == BLANK || face.chars().any(char::is_lowercase)
}

/// The squares and rack faces of the tiles of a play.
fn laid(start: &str, tiles: &[String]) -> Vec<(Square, String)> {
    let Some((square, direction)) = parse_start(start) else {
        return Vec::new();
    };
    let placed = tiles.iter().enumerate().filter(|(_, face)| *face != ".");
    placed
        .map(|(steps, face)| (square.ahead(direction, steps), face.clone()))
        .collect()
}

/// Text from the network without what a terminal could take for a command.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
pub(crate) mod tests;
