//! A position as a seat sees it: the only information that a bot gets.

use super::EndPosition;
use crate::alphabet::Tile;
use crate::board::Board;
use crate::choices::InactivityRule;
use crate::options::ChallengeKind;
use crate::ruleset::RuleSet;
use crate::state::{Phase, PlayStatus, Runs, State, TurnKind};
use crate::tiles::{sort_for_mixing, without};
use crate::time::Seat;
use crate::view::Audience;

/// A position as the player on one seat sees it.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// Board, tiles and numbers; the premium squares are those of this game.
    pub rules: &'a RuleSet,
    /// The kind of challenge; [`ChallengeKind::Void`] means none.
    pub challenge: ChallengeKind,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The own rack.
    pub rack: &'a [Tile],
    /// The own seat.
    pub seat: Seat,
    /// Points of every seat.
    pub scores: Vec<i32>,
    /// The score at which each seat wins; empty unless the game is a race (R-END-13).
    pub targets: Vec<i32>,
    /// Tiles on every rack; 0 for a seat that left.
    pub rack_counts: Vec<usize>,
    /// The tiles of other racks that a lost challenge showed, by seat; empty where nothing is known.
    pub known: Vec<Vec<Tile>>,
    /// Tiles in the bag.
    pub bag: usize,
    /// Number of the turn being played.
    pub turn_no: u32,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// The turns without score so far.
    pub runs: Runs,
}

impl<'a> Seen<'a> {
    /// Returns what `seat` sees of a game.
    ///
    /// `board` is the game's board; everything else comes from the view of the seat, which hides other racks.
    #[must_use]
    pub fn of(state: &'a State, seat: Seat) -> Option<Self> {
        let view = state.seen_by(Audience::Seat(seat));
        if view.phase != Phase::Running && view.phase != Phase::Final {
            return None;
        }
        let rack = view.seats.get(seat.index())?.rack?;
        Some(Self {
            rules: state.rules(),
            challenge: view.creation.options.challenge.kind,
            board: state.tiles().board(),
            rack,
            seat,
            scores: view.seats.iter().map(|seat| seat.score).collect(),
            targets: Seat::all(state.options().seats)
                .filter_map(|seat| state.target(seat))
                .collect(),
            rack_counts: view
                .seats
                .iter()
                .map(|seat| match seat.retired {
                    Some(_) => 0,
                    None => seat.rack_count,
                })
                .collect(),
            known: known(state, seat),
            bag: view.bag,
            turn_no: view.last_turn.0,
            inactivity: view.creation.options.inactivity,
            runs: state.runs,
        })
    }

    /// Returns the tiles that are neither on the board nor on the own rack, in the order of the alphabet.
    #[must_use]
    pub fn unseen(&self) -> Vec<Tile> {
        let mut tiles = self.rules.tiles.all();
        let board = self.board.iter().map(|(_, placed)| placed.tile);
        for tile in board.chain(self.rack.iter().copied()) {
            if let Some(at) = tiles.iter().position(|other| *other == tile) {
                tiles.remove(at);
            }
        }
        sort_for_mixing(&mut tiles);
        tiles
    }

    /// Returns the unseen tiles of which nothing else is known.
    #[must_use]
    pub(crate) fn unknown(&self) -> Vec<Tile> {
        let unseen = self.unseen();
        without(&unseen, &self.known.concat()).unwrap_or(unseen)
    }

    /// Returns the number of tiles that are not on the board.
    #[must_use]
    pub fn left(&self) -> usize {
        let all = self.rules.tiles.all().len();
        all.saturating_sub(self.board.iter().count())
    }

    /// Returns the lead over the best other seat in points; negative if behind.
    #[must_use]
    pub fn lead(&self) -> i32 {
        let own = self.scores.get(self.seat.index()).copied().unwrap_or(0);
        let others = self.scores.iter().enumerate();
        let best = others
            .filter(|(at, _)| *at != self.seat.index())
            .map(|(_, score)| *score)
            .max();
        own - best.unwrap_or(0)
    }

    /// Returns the points that a seat lacks to win a race; `None` if the game is not a race.
    #[must_use]
    pub fn lacks(&self, seat: Seat) -> Option<i32> {
        let (target, score) = (
            self.targets.get(seat.index())?,
            self.scores.get(seat.index())?,
        );
        Some(target.saturating_sub(*score))
    }

    /// Returns the points that the own seat and its only opponent lack to win a race.
    pub(crate) fn race(&self) -> Option<[i32; 2]> {
        let plays = |seat: Seat| {
            self.rack_counts
                .get(seat.index())
                .is_some_and(|count| *count > 0)
        };
        let seats = u8::try_from(self.scores.len()).unwrap_or(u8::MAX);
        let mut others = Seat::all(seats).filter(|seat| *seat != self.seat && plays(*seat));
        let (Some(other), None) = (others.next(), others.next()) else {
            return None;
        };
        Some([self.lacks(self.seat)?, self.lacks(other)?])
    }

    /// Returns the rack of the only opponent, the unseen tiles, if the bag is empty and nobody else plays.
    #[must_use]
    pub fn other_rack(&self) -> Option<Vec<Tile>> {
        let unseen = self.unseen();
        let others = self.rack_counts.iter().enumerate();
        let mut others = others.filter(|(at, count)| *at != self.seat.index() && **count > 0);
        let is_known =
            self.bag == 0 && others.next()?.1 == &unseen.len() && others.next().is_none();
        is_known.then_some(unseen)
    }

    /// Returns the position with the rack of the only opponent, for the search of an ending.
    #[must_use]
    pub fn ending<'b>(&'b self, other: &'b [Tile]) -> EndPosition<'b> {
        EndPosition {
            rules: self.rules,
            inactivity: self.inactivity,
            runs: self.runs,
            is_all_zero: self.scores.iter().all(|score| *score == 0),
            board: self.board,
            racks: [self.rack, other],
        }
    }

    /// Returns the seat of the only opponent that still plays.
    #[must_use]
    pub(super) fn opponent(&self) -> Option<usize> {
        let others = self.rack_counts.iter().enumerate();
        let mut others = others.filter(|(at, count)| *at != self.seat.index() && **count > 0);
        let (opponent, _) = others.next()?;
        others.next().is_none().then_some(opponent)
    }

    /// Whether exactly two seats are active.
    #[must_use]
    pub fn is_duel(&self) -> bool {
        let opponents = self.rack_counts.iter().enumerate();
        let playing = opponents.filter(|(at, count)| *at != self.seat.index() && **count > 0);
        self.scores.len() == 2 || playing.count() == 1
    }

    /// Whether the rules allow an exchange of this number of tiles now.
    #[must_use]
    pub fn can_exchange(&self, count: usize) -> bool {
        count > 0 && self.bag >= count.max(usize::from(self.rules.exchange_min_bag))
    }
}

/// The tiles that other seats still hold for sure: those of plays that were taken off, without what was laid or exchanged later.
fn known(state: &State, own: Seat) -> Vec<Vec<Tile>> {
    let mut known = vec![Vec::new(); usize::from(state.options().seats)];
    for turn in state.history().iter().filter(|turn| turn.seat != own) {
        let held = &mut known[turn.seat.index()];
        match &turn.kind {
            TurnKind::Play { play, status, .. } => {
                let laid = play.tiles.iter().flatten().map(|placed| placed.tile);
                for tile in laid.clone() {
                    if let Some(at) = held.iter().position(|other| *other == tile) {
                        held.remove(at);
                    }
                }
                if *status == PlayStatus::ChallengedOff {
                    held.extend(laid);
                }
            }
            // Nobody saw which tiles went into the bag.
            TurnKind::Exchange(_) => held.clear(),
            TurnKind::Pass | TurnKind::LostTurn => {}
        }
    }
    // Tiles of a player who left are anywhere.
    for seat in Seat::all(state.options().seats).filter(|seat| !state.is_active(*seat)) {
        known[seat.index()].clear();
    }
    known
}
