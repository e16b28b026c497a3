//! Times and clocks of a native record. Readings of clocks are not judged further: the lag that a server pays back is not in
//! a record.

use super::report::{Code, Report};
use crate::clock::{ClockKind, Clocks};
use crate::event::{Event, PublicEvent, Record};
use crate::state::State;
use crate::time::Seat;

/// Checks that time does not go back, and that turns, verdicts and the end leave the clocks as they can be.
pub(super) fn check_times(report: &mut Report, line: usize, state: &State, record: &Record) {
    // The wall clock can have been set back while the server was away (R-CLOCK-10).
    let is_credit = matches!(
        record.event,
        Event::Public(PublicEvent::ClockCredited { .. })
    );
    if record.at < state.last_at() && !is_credit {
        let reason = "the event happens before the one before it";
        report.error(line, Code::Time, reason);
    }
    let Event::Public(event) = &record.event else {
        return;
    };
    let (on_turn, clocks) = match event {
        PublicEvent::TurnStarted { seat, clocks, .. } => (Some(*seat), Some(clocks)),
        PublicEvent::ChallengeDecided(decided) => {
            (state.turn().map(|turn| turn.seat), decided.clocks.as_ref())
        }
        PublicEvent::PlayMade(made) => {
            let window = made.window.as_ref();
            (None, window.and_then(|window| window.final_clocks.as_ref()))
        }
        PublicEvent::Ended(ended) => (None, Some(&ended.clocks)),
        _ => return,
    };
    let Some(clocks) = clocks else {
        return;
    };
    let running = clocks.running.map(|running| running.seat);
    if let Some(other) = running.filter(|seat| Some(*seat) != on_turn) {
        let reason = format!("the clock of {other} runs, but that player is not on turn");
        report.error(line, Code::Time, reason);
    }
    if let Some(seat) = with_more_time(state, clocks) {
        let reason = format!("the clock of {seat} has gained time");
        report.error(line, Code::Time, reason);
    }
}

/// Returns a seat whose clock gained more than one increment (R-CLOCK).
fn with_more_time(state: &State, clocks: &Clocks) -> Option<Seat> {
    let added = match state.options().clock {
        ClockKind::Increment { increment_ms, .. } => increment_ms,
        _ => 0,
    };
    let before = state.clocks().main_ms.iter();
    let readings = Seat::all(state.options().seats).zip(clocks.main_ms.iter().zip(before));
    let mut gained = readings.filter(|(_, (now, before))| **now > before.saturating_add(added));
    gained.next().map(|(seat, _)| seat)
}
