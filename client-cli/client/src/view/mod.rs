//! One client's view of one game: a fold over its snapshot and events.

mod adjourn;
mod clock;
mod events;
mod prompt;
mod snapshot;
mod spectator;

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_protocol::{
    AbortRequest, AdjournRequest, Adjournment, Clocks, GameId, GameResult, GameSetup, Nudge, Phase,
    RetireReason, Role, SnapshotWindow, TurnKind, TurnRecord, TurnWaiting, UsedHint, VanishedSeat,
};
use tilewire_rules::board::Square;
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

use crate::rules::{SetupError, rules_of};

pub use clock::SeatTime;
pub use prompt::Prompt;

/// The face of a blank that stands for no letter yet.
pub const BLANK: &str = "?";

/// One game as one client sees it.
///
/// Tiles are faces, as on the wire: a client can show a game even if it cannot read its rules.
#[derive(Debug, Clone, PartialEq)]
pub struct GameView {
    /// The id of the game.
    pub game: GameId,
    /// The role in which the client is attached.
    pub role: Role,
    /// The client's seat; `None` for a spectator.
    pub seat: Option<u8>,
    /// Everything fixed at creation; the layout of a drawn board follows with an event.
    pub setup: GameSetup,
    /// The last event that was applied.
    pub seq: u64,
    /// The phase of the game.
    pub phase: Phase,
    /// The number of the current turn; 0 before the first.
    pub turn_no: u32,
    /// The seat on turn.
    pub on_turn: Option<u8>,
    /// The face on each occupied square; a blank has the lower-case face of its letter.
    pub board: BTreeMap<Square, String>,
    /// The client's own tiles, in the order the player chose.
    pub rack: Vec<String>,
    /// The seats, in order.
    pub seats: Vec<SeatState>,
    /// Tiles in the bag; owed tiles count as dealt.
    pub bag: u32,
    /// The clocks at the last event that changed them.
    pub clocks: Clocks,
    /// The open challenge window.
    pub window: Option<SnapshotWindow>,
    /// When the turn takes effect that the seat on turn has sent, while it waits for the challenge window.
    pub waiting_until: Option<i64>,
    /// The last play, whether it is still on the board or was challenged off.
    pub last_play: Option<LastPlay>,
    /// The finished turns, oldest first.
    pub turns: Vec<TurnRecord>,
    /// Seats without a connection that can be claimed soon.
    pub vanished: Vec<VanishedSeat>,
    /// The request to abort the game that waits for an answer.
    pub abort_request: Option<AbortRequest>,
    /// The nudge that waits for an answer.
    pub nudge: Option<Nudge>,
    /// The request to adjourn the game that waits for answers.
    pub adjourn_request: Option<AdjournRequest>,
    /// The sleep of the game, while it is adjourned.
    pub adjourned: Option<Adjournment>,
    /// The seats that take no time from others, in order.
    pub time_refused: Vec<u8>,
    /// The hints that were used, oldest first.
    pub hints: Vec<UsedHint>,
    /// The result of an ended game.
    pub result: Option<GameResult>,
    /// Whether the game waits for the server's storage, or an operator has paused it.
    pub is_paused: bool,
    /// The rounded number of spectators.
    pub watching: u32,
    rules: Result<Arc<RuleSet>, SetupError>,
}

/// The changing state of one seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeatState {
    /// Points so far.
    pub score: i32,
    /// Tiles on the rack; owed tiles count as dealt.
    pub rack_count: u32,
    /// Tiles still owed, of those that `rack_count` counts.
    pub owed: u32,
    /// Whether the seat has sent `ready`.
    pub is_ready: bool,
    /// Why the seat left the game.
    pub retired: Option<RetireReason>,
    /// Turns the seat loses because of failed challenges.
    pub turn_debt: u32,
    /// Whether a connection of the seat is attached; `None` if the server has not said so.
    pub is_connected: Option<bool>,
    /// The rack of the seat, for a spectator who may see it.
    pub rack: Vec<String>,
}

/// The last play of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPlay {
    /// The `seq` of its event.
    pub play_id: u64,
    /// The seat that made it.
    pub seat: u8,
    /// The squares of its tiles with their faces; empty once it was challenged off.
    pub laid: Vec<(Square, String)>,
}

impl GameView {
    /// The view of a game right after its creation.
    #[must_use]
    pub fn created(setup: GameSetup, role: Role, seat: Option<u8>) -> Self {
        let count = setup.seats.len();
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
            board: BTreeMap::new(),
            rack: Vec::new(),
            seats: vec![SeatState::default(); count],
            bag: setup.rule_set.tiles.iter().map(|tile| tile.count).sum(),
            clocks: Clocks {
                main_ms: vec![initial_ms; count],
                allowance_ms: vec![0; count],
                running: None,
            },
            window: None,
            waiting_until: None,
            last_play: None,
            turns: Vec::new(),
            vanished: Vec::new(),
            abort_request: None,
            nudge: None,
            adjourn_request: None,
            adjourned: None,
            time_refused: Vec::new(),
            hints: Vec::new(),
            result: None,
            is_paused: false,
            watching: 0,
            rules: rules_of(&setup.rule_set),
            setup,
        }
    }

    /// The rules of the game.
    ///
    /// # Errors
    /// Returns an error if the setup describes no rules that this library understands.
    pub fn rules(&self) -> Result<&Arc<RuleSet>, SetupError> {
        self.rules.as_ref().map_err(SetupError::clone)
    }

    /// The number of hints that a seat has left.
    #[must_use]
    pub fn hints_left(&self, seat: u8) -> u8 {
        let used = self.hints.iter().filter(|hint| hint.seat == seat).count();
        let most = self.setup.options.hints.unwrap_or(0);
        most.saturating_sub(u8::try_from(used).unwrap_or(u8::MAX))
    }

    /// Applies the news that a turn waits for the challenge window.
    pub fn turn_waits(&mut self, news: &TurnWaiting) {
        self.waiting_until = Some(news.until);
        self.clocks = news.clocks.clone();
    }

    /// Sorts the rack into the order of `known`, as far as both contain the same tiles.
    pub fn keep_order_of(&mut self, known: &[String]) {
        let mut left = std::mem::take(&mut self.rack);
        for face in known {
            if let Some(place) = left.iter().position(|tile| tile == face) {
                self.rack.push(left.remove(place));
            }
        }
        self.rack.append(&mut left);
    }

    /// The face on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<&str> {
        self.board.get(&square).map(String::as_str)
    }

    fn put(&mut self, square: Square, face: String) {
        let board = &self.setup.rule_set.board;
        if square.row < board.rows && square.col < board.cols {
            self.board.insert(square, face);
        }
    }

    /// The layout symbol of a square; `.` for a plain one.
    #[must_use]
    pub fn premium(&self, square: Square) -> char {
        let layout = &self.setup.rule_set.board.layout;
        let row = layout.get(usize::from(square.row));
        row.and_then(|row| row.chars().nth(usize::from(square.col)))
            .unwrap_or('.')
    }

    /// The square that the first play must cover.
    #[must_use]
    pub fn start_square(&self) -> Option<Square> {
        self.setup.rule_set.board.start.parse().ok()
    }

    /// The points of a tile by its face; 0 for blanks.
    #[must_use]
    pub fn value(&self, face: &str) -> i32 {
        let tiles = &self.setup.rule_set.tiles;
        let tile = tiles.iter().find(|tile| tile.face == face);
        tile.map_or(0, |tile| tile.value)
    }

    /// The number of tiles of each face that are neither on the board nor on a rack the client sees, in the order of the
    /// tile set.
    #[must_use]
    pub fn unseen(&self) -> Vec<(String, u32)> {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        let faces = self.board.values().map(|face| tile_face(face));
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

    /// Whether the client's seat may still challenge or accept the play of the open window.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        let (Some(window), Some(seat)) = (&self.window, self.seat) else {
            return false;
        };
        window.eligible.contains(&seat)
            && !window.accepted.contains(&seat)
            && window.challenger.is_none()
    }

    /// The request of another seat to abort the game that the client's seat can answer.
    #[must_use]
    pub fn abort_to_answer(&self) -> Option<AbortRequest> {
        let own = self.seat?;
        self.abort_request.filter(|request| request.seat != own)
    }

    /// The seat that the client's seat can claim at server time `now`, unix ms. The player of that seat is away, or has not
    /// answered a nudge.
    #[must_use]
    pub fn claimable(&self, now: i64) -> Option<u8> {
        let own = self.seat?;
        if self.adjourned.is_some() {
            return self.claimable_asleep(now);
        }
        let away = self.vanished.iter().map(|away| (away.seat, away.claim_at));
        let silent = self.nudge.iter();
        let silent = silent.filter_map(|nudge| Some((nudge.target, nudge.claim_at?)));
        let mut due = away.chain(silent);
        due.find(|(seat, at)| *seat != own && *at <= now)
            .map(|(seat, _)| seat)
    }

    /// The seat that gets time from the client's seat: an opponent on turn, else the next one in the game.
    #[must_use]
    pub fn receiver(&self) -> Option<u8> {
        let own = self.seat?;
        let opponents = (0..=u8::MAX)
            .zip(&self.seats)
            .filter(|(seat, state)| *seat != own && state.retired.is_none())
            .map(|(seat, _)| seat);
        let on_turn = opponents.clone().find(|seat| Some(*seat) == self.on_turn);
        let next = || opponents.clone().find(|seat| *seat > own);
        on_turn.or_else(next).or_else(|| opponents.clone().next())
    }

    /// Whether the client's seat is on turn.
    #[must_use]
    pub fn is_own_turn(&self) -> bool {
        self.phase == Phase::Running && self.seat.is_some() && self.on_turn == self.seat
    }

    /// The words of a play; empty for an unknown play.
    pub fn words_of(&self, play_id: u64) -> impl Iterator<Item = &str> {
        let plays = self.turns.iter().rev();
        let play = plays
            .filter(move |turn| turn.play_id == Some(play_id))
            .take(1);
        play.flat_map(|turn| turn.words.iter().flatten())
            .map(|word| word.word.as_str())
    }

    /// The number of turns without points since the last play that scored and stayed on the board.
    #[must_use]
    pub fn scoreless_turns(&self) -> usize {
        let scores =
            |turn: &&TurnRecord| turn.kind == TurnKind::Play && !turn.off && turn.score > 0;
        self.turns
            .iter()
            .rev()
            .take_while(|turn| !scores(turn))
            .count()
    }
}

/// Whether a face is that of a blank, on the rack or on the board.
#[must_use]
pub fn is_blank(face: &str) -> bool {
    face == BLANK || face.chars().any(char::is_lowercase)
}

/// The face that a tile of the board has on a rack.
#[must_use]
pub fn tile_face(face: &str) -> &str {
    if is_blank(face) { BLANK } else { face }
}

/// The squares and faces of the tiles that a play lays.
fn laid(start: &str, tiles: &[String]) -> Vec<(Square, String)> {
    let Ok((square, direction)) = notation::parse_coordinate(start) else {
        return Vec::new();
    };
    let placed = tiles.iter().enumerate().filter(|(_, face)| *face != ".");
    placed
        .map(|(steps, face)| (square.ahead(direction, steps), face.clone()))
        .collect()
}

#[cfg(test)]
mod tests;
