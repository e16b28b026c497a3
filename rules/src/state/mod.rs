//! The state of a game: a fold over its records, and nothing else.
//!
//! Invariant: [`State::replay`] of any prefix of a log equals the state the game had when the last
//! record of that prefix was written. Nothing here decides; [`crate::game`] does.

mod adjournment;
mod apply;
mod parts;
mod pausing;
mod plays;
mod requests;
mod results;
mod rulings;
mod vacation;

use adjournment::Adjourning;
pub use adjournment::{AdjournRequest, Adjournment};
pub(crate) use parts::Undo;
pub use parts::{
    AbortRequest, Dispute, Hint, Hold, Nudge, PlayStatus, Remembered, Runs, SeatState, Turn,
    TurnKind, TurnRecord, Window,
};
pub use pausing::Pause;
pub(crate) use rulings::Refill;

use crate::alphabet::Tile;
use crate::board::LayoutError;
use crate::clock::Clocks;
use crate::event::{Created, Ended, Event, Record};
use crate::options::GameOptions;
use crate::ruleset::RuleSet;
use crate::tiles::{LedgerError, Tiles};
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many accepted commands per seat are remembered, so that a retry gets its first answer.
pub const REMEMBERED_COMMANDS: usize = 16;

/// The phase of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for all players to be ready.
    Waiting,
    /// Turns are being played.
    Running,
    /// An out-play waits for its final challenge; clocks stand.
    Final,
    /// The game has ended.
    Ended,
}

/// The state of a game after a number of records. Parts that no record changes any more are shared between
/// copies, because every input is decided on a copy.
#[derive(Debug, Clone)]
pub struct State {
    pub(crate) rules: Arc<RuleSet>,
    pub(crate) created: Arc<Created>,
    pub(crate) created_at: Timestamp,
    pub(crate) seq: Seq,
    pub(crate) last_at: Timestamp,
    pub(crate) phase: Phase,
    pub(crate) seats: Vec<SeatState>,
    pub(crate) tiles: Tiles,
    pub(crate) first: Option<Seat>,
    pub(crate) turn: Option<Turn>,
    pub(crate) last_turn: TurnNo,
    pub(crate) clocks: Clocks,
    pub(crate) window: Option<Window>,
    pub(crate) abort_request: Option<AbortRequest>,
    pub(crate) nudge: Option<Nudge>,
    /// The last turn in which the seat on turn was nudged.
    pub(crate) nudged_turn: Option<TurnNo>,
    /// The hints that were used, oldest first.
    pub(crate) hints: Vec<Hint>,
    adjourning: Adjourning,
    pause: Option<Pause>,
    pub(crate) last_decided: Option<Seq>,
    pub(crate) runs: Runs,
    pub(crate) exchanges: u32,
    /// The tiles of each exchange; only the seat itself may see them.
    pub(crate) exchanged: Vec<(TurnNo, Seat, Vec<Tile>)>,
    pub(crate) history: Vec<Arc<TurnRecord>>,
    pub(crate) outcome: Option<Ended>,
    /// When the players have to be ready; moves with an outage.
    pub(crate) ready_by: Timestamp,
    pub(crate) turn_began: Timestamp,
    /// When the seat on turn did something last, the beginning of its turn included; moves with an outage.
    pub(crate) quiet_since: Timestamp,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        // Exhaustive on purpose: a new field must be compared, or named here with a reason.
        let Self {
            rules,
            created,
            created_at,
            seq,
            last_at,
            phase,
            seats,
            tiles,
            first,
            turn,
            last_turn,
            clocks,
            window,
            abort_request,
            nudge,
            nudged_turn,
            hints,
            adjourning,
            pause,
            last_decided,
            runs,
            exchanges,
            exchanged,
            history,
            outcome,
            ready_by,
            turn_began,
            quiet_since,
        } = self;
        rules.id == other.rules.id
            && *created == other.created
            && *created_at == other.created_at
            && *seq == other.seq
            && *last_at == other.last_at
            && *phase == other.phase
            && *seats == other.seats
            && *tiles == other.tiles
            && *first == other.first
            && *turn == other.turn
            && *last_turn == other.last_turn
            && *clocks == other.clocks
            && *window == other.window
            && *abort_request == other.abort_request
            && *nudge == other.nudge
            && *nudged_turn == other.nudged_turn
            && *hints == other.hints
            && *adjourning == other.adjourning
            && *pause == other.pause
            && *last_decided == other.last_decided
            && *runs == other.runs
            && *exchanges == other.exchanges
            && *exchanged == other.exchanged
            && *history == other.history
            && *outcome == other.outcome
            && *ready_by == other.ready_by
            && *turn_began == other.turn_began
            && *quiet_since == other.quiet_since
    }
}

/// Why a log is not the log of a game by these rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not follow from the events before it: {problem}")]
pub struct ReplayError {
    /// The event.
    pub seq: Seq,
    /// The problem with the event.
    pub problem: ReplayProblem,
}

/// A problem with an event of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayProblem {
    /// The log is empty or does not begin with the creation.
    #[error("a log begins with the creation of the game")]
    NoCreation,
    /// The creation names another rule set, or options that the rule set does not allow.
    #[error("the options cannot be played: {0}")]
    Options(#[from] crate::options::OptionsError),
    /// A number is missing or out of order.
    #[error("expected number {0}")]
    WrongSeq(Seq),
    /// The event names a seat that the game does not have.
    #[error("there is no {0}")]
    NoSuchSeat(Seat),
    /// The event takes tiles from a place that does not have them.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The event needs an open window of this play.
    #[error("no challenge window of this play is open")]
    NoWindow,
    /// The event needs an open request of this seat to abort the game.
    #[error("{0} has not asked to abort the game")]
    NoAbortRequest(Seat),
    /// The event needs an open nudge of this seat.
    #[error("{0} has not been nudged")]
    NoNudge(Seat),
    /// The event needs an open request to adjourn the game that the seat has not agreed to.
    #[error("no such request to adjourn the game is open")]
    NoAdjournRequest,
    /// The event needs a turn of a game that is not adjourned.
    #[error("the game cannot be adjourned here")]
    CannotAdjourn,
    /// The event changes no vacation, or the game has none.
    #[error("the vacation cannot change here")]
    NoVacation,
    /// The event needs a game that is neither adjourned nor paused.
    #[error("the game cannot be paused here")]
    CannotPause,
    /// The event needs an adjourned game, and a seat that can change whether it is ready.
    #[error("the game is not adjourned, or the seat has said so before")]
    NotAdjourned,
    /// The event needs a seat on turn.
    #[error("no seat is on turn")]
    NoTurn,
    /// The event has values for a different number of seats.
    #[error("the event has values for a different number of seats")]
    SeatCount,
    /// The event states a different number of tiles in the bag.
    #[error("the event states a different number of tiles in the bag")]
    BagCount,
    /// The event deals other premium squares than those of the rule set, or the rule set deals none.
    #[error("the premium squares are not those of the rule set")]
    OtherPremiums,
    /// The layout in the event is invalid.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The event follows the end of the game.
    #[error("the game had ended")]
    AfterEnd,
}

impl State {
    /// Returns the state after the creation of a game.
    ///
    /// # Errors
    /// If the record is not a creation, or `rules` does not allow its options.
    pub fn begin(rules: Arc<RuleSet>, record: &Record) -> Result<Self, ReplayError> {
        let seq = record.seq;
        let fail = |problem| ReplayError { seq, problem };
        let Event::Created(created) = &record.event else {
            return Err(fail(ReplayProblem::NoCreation));
        };
        if seq != Seq(1) {
            return Err(fail(ReplayProblem::WrongSeq(Seq(1))));
        }
        let options = &created.options;
        options
            .validate(&rules)
            .map_err(|error| fail(ReplayProblem::Options(error)))?;
        if created.players.len() != usize::from(options.seats) {
            return Err(fail(ReplayProblem::SeatCount));
        }
        if let Some(series) = &created.series {
            let has_score = series.score.len() == created.players.len();
            if !has_score || series.first.0 >= options.seats {
                return Err(fail(ReplayProblem::SeatCount));
            }
        }
        let seat = SeatState {
            score: 0,
            ready: None,
            retired: None,
            turn_debt: 0,
            claim_at: None,
            times_vanished: 0,
            has_played: false,
            has_requested_abort: false,
            has_ignored_nudge: false,
            nudges: 0,
            adjourn_requests: 0,
            was_adjourned_for: false,
            gifts: 0,
            refuses_time: false,
            vacation_until: None,
            recent: VecDeque::new(),
        };
        Ok(Self {
            seats: vec![seat; created.players.len()],
            tiles: Tiles::new(&rules.tiles, &rules.layout, options.seats),
            clocks: Clocks::new(options.clock, options.seats),
            ready_by: record.at.plus(options.ready_ms()),
            rules,
            created: Arc::new(created.clone()),
            created_at: record.at,
            seq,
            last_at: record.at,
            phase: Phase::Waiting,
            first: None,
            turn: None,
            last_turn: TurnNo(0),
            window: None,
            abort_request: None,
            nudge: None,
            nudged_turn: None,
            hints: Vec::new(),
            adjourning: Adjourning::default(),
            pause: None,
            last_decided: None,
            runs: Runs::default(),
            exchanges: 0,
            exchanged: Vec::new(),
            history: Vec::new(),
            outcome: None,
            turn_began: record.at,
            quiet_since: record.at,
        })
    }

    /// Returns the state after all of `records`, which begin with the creation.
    ///
    /// # Errors
    /// Names the first record that does not follow from those before it.
    pub fn replay<'a>(
        rules: Arc<RuleSet>,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<Self, ReplayError> {
        let mut records = records.into_iter();
        let Some(first) = records.next() else {
            return Err(ReplayError {
                seq: Seq(1),
                problem: ReplayProblem::NoCreation,
            });
        };
        let mut state = Self::begin(rules, first)?;
        for record in records {
            state.apply(record)?;
        }
        Ok(state)
    }

    /// Returns the rule set being played.
    #[must_use]
    pub const fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the creation of the game. It contains the server's secret.
    #[must_use]
    pub fn created(&self) -> &Created {
        &self.created
    }

    /// Returns when the game was created.
    #[must_use]
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// Returns the game's options.
    #[must_use]
    pub fn options(&self) -> &GameOptions {
        &self.created.options
    }

    /// Returns the number of the last event.
    #[must_use]
    pub const fn seq(&self) -> Seq {
        self.seq
    }

    /// Returns when the last event took effect.
    #[must_use]
    pub const fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// Returns the phase.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the seats in order.
    #[must_use]
    pub fn seats(&self) -> &[SeatState] {
        &self.seats
    }

    /// Returns the tiles that every seat exchanged, oldest first. They are hidden from the other seats until the end.
    #[must_use]
    pub fn exchanged(&self) -> &[(TurnNo, Seat, Vec<Tile>)] {
        &self.exchanged
    }

    /// Returns the digest of an accepted command and the number of its event, while the state remembers it.
    #[must_use]
    pub fn accepted(&self, seat: Seat, cmd_id: &str) -> Option<(u64, Seq)> {
        let mut recent = self.seats.get(seat.index())?.recent.iter().rev();
        let known = recent.find(|known| known.command.cmd_id == cmd_id)?;
        Some((known.command.digest, known.seq))
    }

    /// Returns the tiles, including the hidden ones.
    #[must_use]
    pub const fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Returns the seat of the first turn, once drawn.
    #[must_use]
    pub const fn first(&self) -> Option<Seat> {
        self.first
    }

    /// Returns the current turn.
    #[must_use]
    pub const fn turn(&self) -> Option<Turn> {
        self.turn
    }

    /// Returns the number of the latest turn; 0 before the first.
    #[must_use]
    pub const fn last_turn(&self) -> TurnNo {
        self.last_turn
    }

    /// Returns when the seat on turn did something last, the beginning of its turn included; an outage moves it.
    #[must_use]
    pub const fn quiet_since(&self) -> Timestamp {
        self.quiet_since
    }

    /// Returns the clocks.
    #[must_use]
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Returns the open challenge window.
    #[must_use]
    pub const fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }

    /// Returns the request to abort the game that waits for an answer.
    #[must_use]
    pub const fn abort_request(&self) -> Option<AbortRequest> {
        self.abort_request
    }

    /// Returns the nudge that waits for an answer.
    #[must_use]
    pub const fn nudge(&self) -> Option<Nudge> {
        self.nudge
    }

    /// Returns the scoresheet, oldest turn first.
    #[must_use]
    pub fn history(&self) -> &[Arc<TurnRecord>] {
        &self.history
    }

    /// Returns the play whose challenge was decided last.
    #[must_use]
    pub const fn last_decided(&self) -> Option<Seq> {
        self.last_decided
    }

    /// Returns the result, once the game is over.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Ended> {
        self.outcome.as_ref()
    }

    /// Returns the seats still in the game, in order.
    pub fn active(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.options().seats).filter(|seat| self.is_active(*seat))
    }

    /// Returns whether `seat` is still in the game.
    #[must_use]
    pub fn is_active(&self, seat: Seat) -> bool {
        self.seats[seat.index()].retired.is_none()
    }

    /// Returns the number of tiles that a rack holds or is owed, which everyone may know.
    #[must_use]
    pub fn rack_count(&self, seat: Seat) -> usize {
        self.tiles.rack(seat).len() + self.owed_to(seat)
    }

    /// Returns the number of tiles in the bag as everyone sees it: without owed tiles (R-CHAL-10).
    #[must_use]
    pub fn bag_count(&self) -> usize {
        let owed = self.window.as_ref().map_or(0, |w| usize::from(w.owed));
        self.tiles.bag().len() - owed.min(self.tiles.bag().len())
    }

    fn owed_to(&self, seat: Seat) -> usize {
        match &self.window {
            Some(window) if window.author == seat => usize::from(window.owed),
            Some(_) | None => 0,
        }
    }
}
