//! The time each seat has left, counted from the clocks of the last event.

use tilewire_protocol::ClockKind;

use super::GameView;

/// The time of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatTime {
    /// The rest of its budget or bank, ms; negative in overtime.
    pub main_ms: i64,
    /// The time that runs before the budget does, ms.
    pub allowance_ms: i64,
    /// Whether the clock is running.
    pub is_running: bool,
}

impl GameView {
    /// The time `seat` has left at server time `now`; `None` if the game has no clock.
    #[must_use]
    pub fn time_left(&self, seat: u8, now: i64) -> Option<SeatTime> {
        if self.setup.options.clock_kind() == ClockKind::Untimed {
            return None;
        }
        let index = usize::from(seat);
        let main_ms = self.clocks.main_ms.get(index).copied()?;
        let allowance_ms = self.clocks.allowance_ms.get(index).copied().unwrap_or(0);
        let running = self.clocks.running.filter(|running| running.seat == seat);
        let used = running.map_or(0, |running| now.saturating_sub(running.since).max(0));
        let free = used.min(allowance_ms.max(0));
        Some(SeatTime {
            main_ms: main_ms.saturating_sub(used - free),
            allowance_ms: allowance_ms - free,
            is_running: running.is_some(),
        })
    }
}
