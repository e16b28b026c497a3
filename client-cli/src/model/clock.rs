//! What the clocks show at a moment, counted from what the server told.

use tilewire_protocol::ClockKind;

use super::Table;

/// What one seat has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatTime {
    /// Of its budget (or bank), ms; negative is overtime.
    pub main_ms: i64,
    /// Before the budget shrinks, ms.
    pub allowance_ms: i64,
    /// Whether it is running.
    pub is_running: bool,
}

impl Table {
    /// What `seat` has left at server time `now`; `None` when the game has no clock.
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

    /// The clock of a seat as text: `12:34`, with what is free before it as `+0:05`; empty without clocks.
    #[must_use]
    pub fn clock_text(&self, seat: u8, now: i64) -> String {
        let Some(time) = self.time_left(seat, now) else {
            return String::new();
        };
        let main = format_clock_time(time.main_ms);
        let is_per_move = self.setup.options.clock_kind() == ClockKind::PerMove;
        if is_per_move && time.allowance_ms > 0 {
            let move_time = format_clock_time(time.allowance_ms);
            if time.main_ms > 0 {
                format!("{move_time} ({main})")
            } else {
                move_time
            }
        } else if time.allowance_ms > 0 {
            format!("{main} +{}", format_clock_time(time.allowance_ms))
        } else {
            main
        }
    }
}

/// A time as a clock shows it: `0:09.4` in the last seconds, `12:34`, `2:00:00`, `3d 04:00`; overtime as `-1:05`.
#[must_use]
pub fn format_clock_time(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let abs = ms.unsigned_abs();
    if ms >= 0 && abs < 10_000 {
        return format!("0:{:02}.{}", abs / 1000, abs % 1000 / 100);
    }
    // What is left is shown rounded up, so that a clock shows 0:00 only when it has run out.
    let seconds = if ms < 0 {
        abs / 1000
    } else {
        abs.div_ceil(1000)
    };
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{sign}{minutes}:{seconds:02}"),
        (0, _) => format!("{sign}{hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{sign}{days}d {hours:02}:{minutes:02}"),
    }
}
