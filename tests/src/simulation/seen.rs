//! What a client knows of a game, folded from what it was told; and the plays it comes up with.

use std::sync::Arc;

use tilewire_protocol::{Event, EventBody, Phase, Snapshot};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;

use super::chance::Chance;

/// A play that can be challenged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its id.
    pub play_id: u64,
    /// Who made it.
    pub author: u8,
    /// Who may still say something.
    pub undecided: Vec<u8>,
    /// Who holds it.
    pub held_by: Option<u8>,
    /// Whether its author is being asked.
    pub is_disputed: bool,
}

/// A client's knowledge of one game.
#[derive(Debug, Clone)]
pub struct Seen {
    rules: Arc<RuleSet>,
    /// The own seat; `None` for a spectator.
    pub seat: Option<u8>,
    /// Number of seats.
    pub seats: u8,
    /// The incarnation of the log.
    pub epoch: u64,
    /// The last event.
    pub seq: u64,
    /// Whether the first turn has begun.
    pub is_started: bool,
    /// Whether the own seat is ready.
    pub is_ready: bool,
    /// Whether it is over.
    pub is_over: bool,
    /// The turn and who is on it.
    pub turn: Option<(u32, u8)>,
    /// The own rack.
    pub rack: Vec<Tile>,
    /// Tiles in the bag.
    pub bag: u32,
    /// The board.
    pub board: Board,
    /// The play that can be challenged.
    pub window: Option<Window>,
    /// Players who are away, and from when on the game can be taken from them.
    pub away: Vec<(u8, i64)>,
    /// Ids of plays, the oldest first.
    pub plays: Vec<u64>,
    last: Vec<(Square, Placed)>,
}

impl Seen {
    /// Returns the knowledge of somebody who begins with the first event.
    #[must_use]
    pub fn new(rules: Arc<RuleSet>, seat: Option<u8>, epoch: u64) -> Self {
        let (rows, cols) = (rules.layout.rows(), rules.layout.cols());
        Self {
            board: Board::new(rows, cols),
            rules,
            seat,
            seats: 0,
            epoch,
            seq: 0,
            is_started: false,
            is_ready: false,
            is_over: false,
            turn: None,
            rack: Vec::new(),
            bag: 0,
            window: None,
            away: Vec::new(),
            plays: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Returns what a snapshot tells.
    #[must_use]
    pub fn of(rules: Arc<RuleSet>, snapshot: &Snapshot) -> Self {
        let mut seen = Self::new(rules, snapshot.seat, snapshot.epoch);
        seen.seats = u8::try_from(snapshot.seats.len()).unwrap_or(u8::MAX);
        seen.seq = snapshot.seq;
        seen.is_started = !matches!(snapshot.phase, Phase::Waiting);
        seen.is_over = matches!(snapshot.phase, Phase::Ended);
        seen.turn = snapshot.on_turn.map(|seat| (snapshot.turn_no, seat));
        seen.bag = snapshot.bag;
        for tile in &snapshot.board {
            let parsed = notation::parse_coordinate(&tile.square);
            let placed = seen.rules.tiles.parse_placed(&tile.tile);
            if let (Ok((square, _)), Some(placed)) = (parsed, placed) {
                seen.board.place(square, placed);
            }
        }
        if let Some(seat) = seen.seat {
            let own = &snapshot.seats[usize::from(seat)];
            seen.is_ready = own.ready;
            seen.rack = seen.tiles(own.rack.as_deref().unwrap_or_default());
        }
        seen.window = snapshot.window.as_ref().map(|window| Window {
            play_id: window.play_id,
            author: window.author,
            undecided: window
                .eligible
                .iter()
                .filter(|seat| !window.accepted.contains(seat))
                .copied()
                .collect(),
            held_by: window.held_by,
            is_disputed: window.challenger.is_some(),
        });
        seen.plays = snapshot
            .turns
            .iter()
            .filter_map(|turn| turn.play_id)
            .collect();
        let last = snapshot
            .turns
            .iter()
            .rev()
            .find(|turn| turn.play_id.is_some());
        if let Some(last) = last
            && let (Some(start), Some(faces)) = (&last.start, &last.tiles)
        {
            seen.last = seen.laid(start, faces);
        }
        let away = snapshot.vanished.iter();
        seen.away = away.map(|away| (away.seat, away.claim_at)).collect();
        seen
    }

    fn tiles(&self, faces: &[String]) -> Vec<Tile> {
        let tiles = &self.rules.tiles;
        faces
            .iter()
            .filter_map(|face| tiles.parse_tile(face))
            .collect()
    }

    /// The squares and tiles of a play as it is told.
    fn laid(&self, start: &str, faces: &[String]) -> Vec<(Square, Placed)> {
        let Ok((start, direction)) = notation::parse_coordinate(start) else {
            return Vec::new();
        };
        let cells = faces.iter().enumerate();
        cells
            .filter_map(|(at, face)| {
                let placed = notation::parse_cell(face, &self.rules.tiles).ok()??;
                Some((start.ahead(direction, at), placed))
            })
            .collect()
    }

    /// Takes in the next event.
    pub fn event(&mut self, event: &Event) {
        self.seq = event.seq;
        match &event.body {
            EventBody::Created(created) => {
                self.seats = u8::try_from(created.setup.seats.len()).unwrap_or(u8::MAX);
            }
            EventBody::SeatReady(ready) => self.is_ready |= Some(ready.seat) == self.seat,
            EventBody::TilesDrawn(drawn) => {
                self.bag = drawn.bag;
                let tiles = self.tiles(drawn.tiles.as_deref().unwrap_or_default());
                self.rack.extend(tiles);
            }
            EventBody::TurnStarted(turn) => {
                self.is_started = true;
                self.turn = Some((turn.turn_no, turn.seat));
            }
            EventBody::PlayMade(play) => self.play(event.seq, play),
            EventBody::Exchanged(exchanged) => {
                self.turn = None;
                let tiles = self.tiles(exchanged.tiles.as_deref().unwrap_or_default());
                self.take(&tiles);
            }
            EventBody::Passed(_) | EventBody::TurnLost(_) => self.turn = None,
            EventBody::Accepted(accepted) => {
                if let Some(window) = &mut self.window {
                    window.undecided.retain(|seat| *seat != accepted.seat);
                }
            }
            EventBody::HoldStarted(hold) => self.hold(Some(hold.seat)),
            EventBody::HoldEnded(_) => self.hold(None),
            EventBody::ChallengeOpened(_) => {
                if let Some(window) = &mut self.window {
                    window.is_disputed = true;
                }
            }
            EventBody::ChallengeDecided(decided) if decided.upheld || decided.withdrawn => {
                self.take_back();
            }
            EventBody::WindowClosed(_) => self.window = None,
            EventBody::SeatVanished(away) => self.away.push((away.seat, away.claim_at)),
            EventBody::SeatReturned(back) => self.away.retain(|(seat, _)| *seat != back.seat),
            EventBody::SeatRetired(gone) => {
                self.away.retain(|(seat, _)| *seat != gone.seat);
                if self.turn.is_some_and(|(_, seat)| seat == gone.seat) {
                    self.turn = None;
                }
            }
            EventBody::Ended(_) => self.is_over = true,
            EventBody::ChallengeDecided(_)
            | EventBody::BoardDrawn(_)
            | EventBody::OrderDrawn(_)
            | EventBody::BagShuffled(_)
            | EventBody::ClockCredited(_)
            | EventBody::Unknown { .. } => {}
        }
    }

    fn play(&mut self, seq: u64, play: &tilewire_protocol::PlayMade) {
        self.turn = None;
        self.plays.push(seq);
        self.last = self.laid(&play.start, &play.tiles);
        for (square, placed) in self.last.clone() {
            self.board.place(square, placed);
        }
        if Some(play.seat) == self.seat {
            let tiles: Vec<Tile> = self.last.iter().map(|(_, placed)| placed.tile).collect();
            self.take(&tiles);
        }
        self.window = play.window.as_ref().map(|window| Window {
            play_id: seq,
            author: play.seat,
            undecided: window.judges(play.seat, self.seats),
            held_by: None,
            is_disputed: false,
        });
    }

    fn hold(&mut self, by: Option<u8>) {
        if let Some(window) = &mut self.window {
            window.held_by = by;
        }
    }

    fn take_back(&mut self) {
        let is_own = self.window.as_ref().map(|window| window.author) == self.seat;
        for (square, placed) in std::mem::take(&mut self.last) {
            self.board.remove(square);
            if is_own {
                self.rack.push(placed.tile);
            }
        }
    }

    fn take(&mut self, tiles: &[Tile]) {
        for tile in tiles {
            if let Some(at) = self.rack.iter().position(|own| own == tile) {
                self.rack.remove(at);
            }
        }
    }

    /// Returns some legal play, whatever it spells: where it starts and its faces.
    pub fn some_play(&self, chance: &mut Chance) -> Option<(String, Vec<String>)> {
        let taken: Vec<Square> = self.board.iter().map(|(square, _)| square).collect();
        for _ in 0..14 {
            let through = match taken.is_empty() {
                true => self.rules.layout.start(),
                false => *chance.pick(&taken),
            };
            let direction = *chance.pick(&[Direction::Across, Direction::Down]);
            let placement = self.placement(chance, through, direction);
            let resolved = placement.and_then(|placement| {
                Play::resolve(&self.rules, &self.board, &self.rack, &placement).ok()
            });
            if let Some(play) = resolved {
                let start = notation::format_coordinate(play.start(), play.direction());
                let cells = play.tiles().iter();
                let faces = cells.map(|cell| notation::format_cell(*cell, &self.rules.tiles));
                return Some((start, faces.collect()));
            }
        }
        None
    }

    /// Lays some tiles of the rack along a line through a square.
    fn placement(
        &self,
        chance: &mut Chance,
        through: Square,
        direction: Direction,
    ) -> Option<Placement> {
        let mut rack = self.rack.clone();
        let most = rack.len().min(4);
        let count = 1 + chance.index(most);
        let mut start = through;
        for _ in 0..chance.index(count + 1) {
            start = start.before(direction)?;
        }
        let (mut tiles, mut square, mut laid) = (Vec::new(), start, 0);
        while laid < count {
            if square.row >= self.rules.layout.rows() || square.col >= self.rules.layout.cols() {
                return None;
            }
            if self.board.get(square).is_some() {
                tiles.push(None);
            } else {
                if rack.is_empty() {
                    return None;
                }
                let tile = rack.swap_remove(chance.index(rack.len()));
                let letters: Vec<_> = self.rules.tiles.letters().collect();
                tiles.push(Some(match tile.letter() {
                    Some(letter) => Placed::new(letter),
                    None => Placed::blank(*chance.pick(&letters)),
                }));
                laid += 1;
            }
            square = square.ahead(direction, 1);
        }
        Some(Placement {
            start,
            direction,
            tiles,
        })
    }

    /// Returns the faces of tiles.
    #[must_use]
    pub fn faces(&self, tiles: &[Tile]) -> Vec<String> {
        let set = &self.rules.tiles;
        tiles
            .iter()
            .map(|tile| set.tile_face(*tile).to_owned())
            .collect()
    }
}
