//! What only spectators have: a game that is shown later than it happens, and the racks, where the game shows them.

use tilewire_protocol::{Phase, Role, SpectatorView};

use super::Table;

impl Table {
    /// What the game shows to spectators, for a client that is one.
    fn view(&self) -> Option<&SpectatorView> {
        let view = self.setup.options.spectators.as_ref();
        view.filter(|_| self.role == Role::Spectator)
    }

    /// How much later than it happens the client sees the game, ms; `None` when it does not, or the game is over.
    #[must_use]
    pub fn delay_ms(&self) -> Option<i64> {
        let view = self.view().filter(|_| self.phase != Phase::Ended)?;
        Some(view.delay_ms)
    }

    /// The server time of what is seen at server time `now`.
    #[must_use]
    pub fn moment(&self, now: i64) -> i64 {
        now.saturating_sub(self.delay_ms().unwrap_or(0))
    }

    /// Whether the client sees the racks of all seats.
    #[must_use]
    pub fn shows_racks(&self) -> bool {
        self.view().is_some_and(|view| view.racks)
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

    /// The same, to be changed.
    pub(super) fn rack_mut(&mut self, seat: u8) -> Option<&mut Vec<String>> {
        if self.seat == Some(seat) {
            return Some(&mut self.rack);
        }
        let is_shown = self.shows_racks();
        let state = self.seats.get_mut(usize::from(seat))?;
        is_shown.then_some(&mut state.rack)
    }
}
