//! Views of spectators: the delay of the game, and the racks if the game shows them.

use tilewire_protocol::{Phase, Role, SpectatorView};

use super::GameView;

impl GameView {
    /// The game's rules for spectators, if the client is one.
    fn spectator_view(&self) -> Option<&SpectatorView> {
        let view = self.setup.options.spectators.as_ref();
        view.filter(|_| self.role == Role::Spectator)
    }

    /// The delay with which the client sees the game, ms; `None` without a delay and after the end of the game.
    #[must_use]
    pub fn delay_ms(&self) -> Option<i64> {
        let view = self.spectator_view();
        let view = view.filter(|_| self.phase != Phase::Ended)?;
        Some(view.delay_ms)
    }

    /// The moment, in server time, that the client sees at server time `now`.
    #[must_use]
    pub fn moment(&self, now: i64) -> i64 {
        now.saturating_sub(self.delay_ms().unwrap_or(0))
    }

    /// Whether the client sees the racks of all seats.
    #[must_use]
    pub fn shows_racks(&self) -> bool {
        self.spectator_view().is_some_and(|view| view.racks)
    }

    /// The rack of a seat, if the client sees it.
    #[must_use]
    pub fn rack_of(&self, seat: u8) -> Option<&[String]> {
        if self.seat == Some(seat) {
            return Some(&self.rack);
        }
        let state = self.seats.get(usize::from(seat))?;
        self.shows_racks().then_some(state.rack.as_slice())
    }

    /// The rack of a seat for a change, if the client sees it.
    pub(super) fn rack_mut(&mut self, seat: u8) -> Option<&mut Vec<String>> {
        if self.seat == Some(seat) {
            return Some(&mut self.rack);
        }
        let is_shown = self.shows_racks();
        let state = self.seats.get_mut(usize::from(seat))?;
        is_shown.then_some(&mut state.rack)
    }
}
