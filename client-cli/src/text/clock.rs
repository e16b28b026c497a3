//! Clocks as text.

use tilewire_client::GameView;
use tilewire_protocol::ClockKind;

/// The clock of a seat at server time `now`: `12:34`, with the time that runs first as `+0:05`; empty without a clock.
#[must_use]
pub fn clock_text(view: &GameView, seat: u8, now: i64) -> String {
    let Some(time) = view.time_left(seat, now) else {
        return String::new();
    };
    let main = format_clock_time(time.main_ms);
    let is_per_move = view.setup.options.clock_kind() == ClockKind::PerMove;
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

/// A time as a clock shows it: `0:09.4` in the last seconds, `12:34`, `2:00:00`, `3d 04:00`; overtime as `-1:05`.
#[must_use]
pub fn format_clock_time(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let abs = ms.unsigned_abs();
    if ms >= 0 && abs < 10_000 {
        return format!("0:{:02}.{}", abs / 1000, abs % 1000 / 100);
    }
    // The time left is rounded up, so that a clock shows 0:00 only when it has run out.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times() {
        for (ms, text) in [
            (0, "0:00.0"),
            (9_940, "0:09.9"),
            (59_001, "1:00"),
            (1_500_000, "25:00"),
            (-65_000, "-1:05"),
            (7_200_000, "2:00:00"),
            (259_200_000, "3d 00:00"),
        ] {
            assert_eq!(format_clock_time(ms), text);
        }
    }
}
