//! The beginning: players get ready, draw for first play, and are dealt their racks (R-SETUP).

use super::step::Step;
use crate::alphabet::Tile;
use crate::event::{EndReason, Event, PublicEvent};
use crate::options::FirstPlay;
use crate::rejection::Rejection;
use crate::ruleset::Premiums;
use crate::stream::{LAYOUT_LABEL, nonce_hash};
use crate::time::Seat;

impl Step<'_> {
    pub(super) fn ready(&mut self, seat: Seat, nonce: &[u8]) -> Result<(), Rejection> {
        if self.state.seats()[seat.index()].ready.is_some() {
            return Err(Rejection::AlreadyReady);
        }
        let announced = self.state.created().players[seat.index()].nonce_hash;
        // Only an announced nonce counts: otherwise the last player to get ready could choose
        // a nonce after seeing all others.
        let counted = match announced {
            Some(hash) if !nonce.is_empty() => {
                if nonce_hash(nonce) != hash {
                    return Err(Rejection::BadNonce);
                }
                let by = self.state.created_at().plus(self.options().timing.nonce_ms);
                if self.at <= by { nonce } else { &[] }
            }
            Some(_) | None => &[],
        };
        self.emit_own(Event::Public(PublicEvent::SeatReady {
            seat,
            nonce: counted.to_vec(),
        }));
        if self.state.seats().iter().all(|seat| seat.ready.is_some()) {
            self.start();
        }
        Ok(())
    }

    /// The time to get ready is over: the game is cancelled, or begins if it is played by correspondence.
    pub(super) fn ready_timer(&mut self) {
        if !self.clock_kind().is_correspondence() {
            return self.end(EndReason::Cancelled);
        }
        for seat in Seat::all(self.options().seats) {
            if self.state.seats()[seat.index()].ready.is_none() {
                let nonce = Vec::new();
                self.emit_public(PublicEvent::SeatReady { seat, nonce });
            }
        }
        self.start();
    }

    fn start(&mut self) {
        if self.state.rules().premiums == Premiums::Drawn {
            self.draw_board();
        }
        let rotated = self
            .state
            .created()
            .series
            .as_ref()
            .map(|series| series.first);
        let first = match (rotated, self.options().first) {
            (Some(seat), _) | (None, FirstPlay::Seat(seat)) => seat,
            (None, FirstPlay::Draw) => self.draw_for_first_play(),
        };
        self.shuffle_bag("bag".to_owned());
        let rack_size = usize::from(self.state.rules().rack_size);
        for seat in Seat::all(self.options().seats) {
            self.draw(seat, rack_size);
        }
        self.start_turn(first);
    }

    /// Deals the premium squares of this game (R-SET-3).
    fn draw_board(&mut self) {
        let mut stream = self.seed().stream(LAYOUT_LABEL);
        let drawn = self
            .state
            .rules()
            .layout
            .redrawn(|premiums| stream.shuffle(premiums));
        let layout = drawn.drawing();
        self.emit_public(PublicEvent::BoardDrawn { layout });
    }

    /// Draws a tile for each seat from the full bag. The tile closest to A starts, a blank beats any
    /// letter, and tied seats draw again from the full bag (R-SETUP-6, R-SETUP-7).
    fn draw_for_first_play(&mut self) -> Seat {
        let mut tied: Vec<Seat> = Seat::all(self.options().seats).collect();
        let mut rounds = Vec::new();
        while tied.len() > 1 {
            let label = format!("order/{}", rounds.len() + 1);
            let order = self.shuffled(&label, self.state.tiles().to_be_mixed());
            let round: Vec<(Seat, Tile)> = tied.iter().copied().zip(order).collect();
            tied = closest_to_a(&round);
            rounds.push(round);
            if rounds.len() == MAX_ORDER_ROUNDS {
                tied.truncate(1);
            }
        }
        let first = tied[0];
        self.emit_public(PublicEvent::OrderDrawn { rounds, first });
        first
    }
}

/// After this number of tied rounds the lowest tied seat starts. Only a shuffler of a test gets
/// here.
const MAX_ORDER_ROUNDS: usize = 32;

/// Returns the seats that drew the best tile of a round (R-SETUP): the blank is the lowest tile.
pub(crate) fn closest_to_a(round: &[(Seat, Tile)]) -> Vec<Seat> {
    let best = round.iter().map(|(_, tile)| *tile).min();
    round
        .iter()
        .filter(|(_, tile)| Some(*tile) == best)
        .map(|(seat, _)| *seat)
        .collect()
}
