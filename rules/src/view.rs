//! The view of each audience on a game.
//!
//! A view is built up from the state and the events, variant by variant; nothing is
//! ever removed from a complete message. Every audience sees every event's number, so a gap is
//! always a real gap (R-VIEW-5).

use crate::alphabet::{Placed, Tile};
use crate::board::Square;
use crate::clock::Clocks;
use crate::event::{Created, Ended, Event, PublicEvent, Retirement};
use crate::options::GameOptions;
use crate::state::{
    AbortRequest, AdjournRequest, Adjournment, Hint, Nudge, Phase, State, Turn, TurnKind,
    TurnRecord, Window,
};
use crate::time::{Seat, Seq, Timestamp, TurnNo};

/// The recipient of a view of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Audience {
    /// The player on a seat, who sees their own rack.
    Seat(Seat),
    /// A spectator, who sees no rack.
    Spectator,
    /// A spectator of a delayed game with open racks, who sees every rack and every exchange, but neither the
    /// order of the bag nor the secret (R-VIEW-6).
    Commentary,
}

impl Audience {
    /// Whether it sees the tiles of `seat`.
    fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Spectator => false,
            Self::Commentary => true,
        }
    }
}

impl GameOptions {
    /// Returns the audience that spectators of a game with these options belong to.
    #[must_use]
    pub fn watchers(&self) -> Audience {
        match self.spectators {
            Some(view) if view.racks => Audience::Commentary,
            Some(_) | None => Audience::Spectator,
        }
    }
}

/// An event as an audience sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewEvent<'a> {
    /// The game was created.
    Created(PublicCreation<'a>),
    /// The bag was mixed.
    BagShuffled {
        /// Which stream was used.
        label: &'a str,
        /// Tiles in the bag.
        count: usize,
    },
    /// A seat drew tiles.
    TilesDrawn {
        /// The seat that drew.
        seat: Seat,
        /// How many.
        count: usize,
        /// The tiles; only for the player who drew them, and for commentary.
        tiles: Option<&'a [Tile]>,
        /// Tiles left in the bag.
        bag: u16,
    },
    /// A seat laid tiles aside to exchange them.
    Exchanged {
        /// The turn this ended.
        turn_no: TurnNo,
        /// The seat that exchanged.
        seat: Seat,
        /// How many.
        count: usize,
        /// The tiles; only for the player who laid them aside, and for commentary.
        tiles: Option<&'a [Tile]>,
    },
    /// An event that every audience sees completely.
    Public(&'a PublicEvent),
}

/// The creation of a game without the server's secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicCreation<'a> {
    /// The game's id.
    pub game: &'a str,
    /// The options of the game.
    pub options: &'a GameOptions,
    /// The players in seat order.
    pub players: &'a [crate::event::Player],
    /// SHA-256 of the lexicon's data.
    pub lexicon_hash: &'a [u8; 32],
    /// SHA-256 of the server's secret.
    pub commitment: &'a [u8; 32],
    /// The place in a series of rematches.
    pub series: Option<&'a crate::event::Series>,
}

impl<'a> From<&'a Created> for PublicCreation<'a> {
    fn from(created: &'a Created) -> Self {
        // Exhaustive on purpose: a new field stays hidden until it is added here.
        let Created {
            game,
            options,
            players,
            lexicon_hash,
            commitment,
            secret: _,
            series,
        } = created;
        Self {
            game,
            options,
            players,
            lexicon_hash,
            commitment,
            series: series.as_deref(),
        }
    }
}

impl Event {
    /// Returns what `audience` sees of this event.
    #[must_use]
    pub fn seen_by(&self, audience: Audience) -> ViewEvent<'_> {
        match self {
            Self::Created(created) => ViewEvent::Created(created.into()),
            Self::BagShuffled { label, order } => ViewEvent::BagShuffled {
                label,
                count: order.len(),
            },
            Self::TilesDrawn { seat, tiles, bag } => ViewEvent::TilesDrawn {
                seat: *seat,
                count: tiles.len(),
                tiles: audience.sees(*seat).then_some(tiles),
                bag: *bag,
            },
            Self::Exchanged {
                turn_no,
                seat,
                tiles,
            } => ViewEvent::Exchanged {
                turn_no: *turn_no,
                seat: *seat,
                count: tiles.len(),
                tiles: audience.sees(*seat).then_some(tiles),
            },
            Self::Public(event) => ViewEvent::Public(event),
        }
    }
}

/// A whole game as an audience sees it at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// The number of the last event it contains.
    pub seq: Seq,
    /// How the game was created.
    pub creation: PublicCreation<'a>,
    /// When it was created.
    pub created_at: Timestamp,
    /// The phase.
    pub phase: Phase,
    /// The number of the latest turn.
    pub last_turn: TurnNo,
    /// The current turn.
    pub turn: Option<Turn>,
    /// The seat of the first turn.
    pub first: Option<Seat>,
    /// The tiles on the board, row by row.
    pub board: Vec<(Square, Placed)>,
    /// The seats in order.
    pub seats: Vec<SeatView<'a>>,
    /// Tiles in the bag, owed tiles taken off.
    pub bag: usize,
    /// The clocks.
    pub clocks: &'a Clocks,
    /// The open challenge window.
    pub window: Option<&'a Window>,
    /// The request to abort the game that waits for an answer.
    pub abort_request: Option<AbortRequest>,
    /// The nudge that waits for an answer.
    pub nudge: Option<Nudge>,
    /// The hints that were used, oldest first; no audience sees what they said.
    pub hints: &'a [Hint],
    /// The request to adjourn the game that waits for answers.
    pub adjourn_request: Option<&'a AdjournRequest>,
    /// The sleep of the game, while it is adjourned.
    pub adjournment: Option<&'a Adjournment>,
    /// The scoresheet, oldest turn first.
    pub history: Vec<TurnView<'a>>,
    /// The exchanges that the audience may see, oldest first: a player's own, all for commentary, otherwise none.
    pub exchanged: Vec<(TurnNo, &'a [Tile])>,
    /// The result, once the game is over.
    pub outcome: Option<&'a Ended>,
}

/// A line of the scoresheet as an audience sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnView<'a> {
    /// The turn.
    pub turn_no: TurnNo,
    /// The seat.
    pub seat: Seat,
    /// The kind of turn.
    pub kind: &'a TurnKind,
    /// The seat's score after the turn.
    pub total: i32,
    /// The rack before the turn, without owed tiles; for its player, for commentary, and for everyone once the game has
    /// ended.
    pub rack: Option<&'a [Tile]>,
}

/// A seat as an audience sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatView<'a> {
    /// Points so far.
    pub score: i32,
    /// Tiles on the rack, owed tiles included.
    pub rack_count: usize,
    /// The tiles; only for the player who owns them, and for commentary.
    pub rack: Option<&'a [Tile]>,
    /// Whether the player is ready.
    pub is_ready: bool,
    /// Why the seat left the game.
    pub retired: Option<Retirement>,
    /// Turns the seat still has to lose.
    pub turn_debt: u8,
    /// From when on opponents can claim, while the player is away.
    pub claim_at: Option<Timestamp>,
    /// Whether the seat takes no time from others.
    pub refuses_time: bool,
    /// When the vacation of the player ends, if the player was on vacation at the last event.
    pub vacation_until: Option<Timestamp>,
}

impl State {
    /// Returns the game as `audience` sees it.
    #[must_use]
    pub fn seen_by(&self, audience: Audience) -> Snapshot<'_> {
        Snapshot {
            seq: self.seq,
            creation: self.created().into(),
            created_at: self.created_at,
            phase: self.phase,
            last_turn: self.last_turn,
            turn: self.turn,
            first: self.first,
            board: self.tiles.board().iter().collect(),
            seats: Seat::all(self.options().seats)
                .map(|seat| self.seat_seen_by(seat, audience))
                .collect(),
            bag: self.bag_count(),
            clocks: &self.clocks,
            window: self.window.as_ref(),
            abort_request: self.abort_request,
            nudge: self.nudge,
            hints: self.hints(),
            adjourn_request: self.adjourn_request(),
            adjournment: self.adjournment(),
            history: self
                .history
                .iter()
                .map(|turn| self.turn_seen_by(turn, audience))
                .collect(),
            exchanged: self
                .exchanged
                .iter()
                .filter(|(_, seat, _)| audience.sees(*seat))
                .map(|(turn_no, _, tiles)| (*turn_no, tiles.as_slice()))
                .collect(),
            outcome: self.outcome.as_ref(),
        }
    }

    fn turn_seen_by<'a>(&self, turn: &'a TurnRecord, audience: Audience) -> TurnView<'a> {
        // Exhaustive on purpose: a new field stays hidden until it is added here.
        let TurnRecord {
            turn_no,
            seat,
            kind,
            total,
            rack,
        } = turn;
        let is_shown = audience.sees(*seat) || self.phase == Phase::Ended;
        TurnView {
            turn_no: *turn_no,
            seat: *seat,
            kind,
            total: *total,
            rack: is_shown.then_some(rack),
        }
    }

    fn seat_seen_by(&self, seat: Seat, audience: Audience) -> SeatView<'_> {
        let state = &self.seats[seat.index()];
        SeatView {
            score: state.score,
            rack_count: self.rack_count(seat),
            rack: audience.sees(seat).then(|| self.tiles.rack(seat)),
            is_ready: state.ready.is_some(),
            retired: state.retired.map(|(reason, _)| reason),
            turn_debt: state.turn_debt,
            claim_at: state.claim_at,
            refuses_time: state.refuses_time,
            vacation_until: self.vacation_at(seat, self.last_at),
        }
    }
}
