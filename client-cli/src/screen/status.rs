//! Whose turn it is and what can be done about the last play, in words.

use tilewire_protocol::{ClockKind, Phase, SnapshotWindow};

use crate::args::format_ms;
use crate::model::{Table, end_reason, format_clock_time};

/// A line of the status, and whether it asks this player to do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StatusLine {
    pub(super) text: String,
    pub(super) is_call: bool,
}

fn told(text: impl Into<String>) -> StatusLine {
    StatusLine {
        text: text.into(),
        is_call: false,
    }
}

fn call(text: impl Into<String>) -> StatusLine {
    StatusLine {
        text: text.into(),
        is_call: true,
    }
}

/// The status at server time `now`: of a delayed game, the time of what is seen.
pub(super) fn status(table: &Table, now: i64) -> Vec<StatusLine> {
    let mut lines = Vec::new();
    if let Some(delay_ms) = table.delay_ms() {
        lines.push(told(format!("Delayed by {}.", format_ms(delay_ms))));
    }
    match table.phase {
        Phase::Waiting => lines.push(waiting(table, now)),
        Phase::Running => lines.extend(turn(table)),
        Phase::Final => lines.push(told("The last play lies on the board.")),
        Phase::Ended => {
            if let Some(result) = &table.result {
                lines.push(told(format!("Game over: {}.", end_reason(result.reason))));
                lines.push(told(table.winners_text(result)));
            }
        }
        Phase::Unknown => lines.push(told("The game is in a phase this program does not know.")),
    }
    if let Some(window) = &table.window {
        lines.push(window_line(table, window, now));
    }
    if table.is_paused {
        lines.push(told(
            "The server cannot store moves just now; the game waits.",
        ));
    }
    lines
}

fn waiting(table: &Table, now: i64) -> StatusLine {
    let missing: Vec<String> = (0_u8..)
        .zip(&table.seats)
        .filter(|(_, seat)| !seat.is_ready)
        .map(|(seat, _)| table.name(seat))
        .collect();
    let until = table
        .setup
        .ready_by
        .map_or_else(String::new, |by| format!(" ({} left)", left(by, now)));
    told(format!("Waiting for {}{until}.", missing.join(", ")))
}

fn turn(table: &Table) -> Option<StatusLine> {
    let seat = table.on_turn?;
    let number = table.turn_no;
    Some(if table.is_own_turn() {
        call(format!("Turn {number}: your turn."))
    } else {
        told(format!("Turn {number}: {} to play.", table.name(seat)))
    })
}

fn window_line(table: &Table, window: &SnapshotWindow, now: i64) -> StatusLine {
    if let Some(line) = pending_line(table, window, now) {
        return line;
    }
    if let Some(line) = hold_line(table, window, now) {
        return line;
    }
    let time = window
        .closes_at
        .map_or_else(String::new, |at| format!(" {} left:", left(at, now)));
    let author = table.name(window.author);
    if table.may_answer() {
        let can_hold = table
            .seat
            .is_some_and(|seat| !window.holds_used.contains(&seat));
        let hold = if can_hold { ", hold" } else { "" };
        return call(format!("{author}'s play:{time} challenge, accept{hold}"));
    }
    let open: Vec<String> = window
        .eligible
        .iter()
        .filter(|seat| !window.accepted.contains(seat))
        .map(|seat| table.name(*seat))
        .collect();
    let whose = if table.seat == Some(window.author) {
        "Your".to_owned()
    } else {
        format!("{author}'s")
    };
    let may = if open.is_empty() {
        "nobody".to_owned()
    } else {
        open.join(", ")
    };
    told(format!("{whose} play:{time} {may} may challenge"))
}

fn pending_line(table: &Table, window: &SnapshotWindow, now: i64) -> Option<StatusLine> {
    let challenger = table.name(window.challenger?);
    let time = window
        .decide_by
        .map_or_else(String::new, |at| format!(" {} left", left(at, now)));
    Some(if table.seat == Some(window.author) {
        call(format!("{challenger} challenges:{time}: withdraw or stand"))
    } else {
        told(format!(
            "{challenger} challenges; {} decides,{time}",
            table.name(window.author)
        ))
    })
}

fn hold_line(table: &Table, window: &SnapshotWindow, now: i64) -> Option<StatusLine> {
    let holder = window.held_by?;
    let time = window
        .hold_until
        .map_or_else(String::new, |at| format!(" {} left:", left(at, now)));
    Some(if table.seat == Some(holder) {
        call(format!("You hold:{time} challenge, accept, release"))
    } else if table.may_answer() {
        call(format!(
            "{} holds:{time} challenge, accept",
            table.name(holder)
        ))
    } else {
        told(format!(
            "{} holds:{time} challenge or not",
            table.name(holder)
        ))
    })
}

/// How long it is until `at`, as a clock shows it.
pub(super) fn left(at: i64, now: i64) -> String {
    let ms = at.saturating_sub(now).max(0);
    if ms < 60_000 {
        format!("{} s", ms.unsigned_abs().div_ceil(1000))
    } else {
        format_clock_time(ms)
    }
}

/// What stands beside a seat's name: absent, owing turns, retired.
pub(super) fn seat_note(table: &Table, seat: u8, now: i64) -> String {
    let Some(state) = table.seats.get(usize::from(seat)) else {
        return String::new();
    };
    if let Some(reason) = state.retired {
        return reason.as_str().to_owned();
    }
    if table.phase == Phase::Ended {
        return String::new();
    }
    if let Some(vanished) = table.vanished.iter().find(|vanished| vanished.seat == seat) {
        let may_claim = table.seat.is_some_and(|own| own != seat);
        return match (vanished.claim_at <= now, may_claim) {
            (true, true) => "gone: claim!".to_owned(),
            (true, false) => "gone".to_owned(),
            (false, _) => format!("claim in {}", left(vanished.claim_at, now)),
        };
    }
    let mut notes = Vec::new();
    if state.is_connected == Some(false) {
        notes.push("offline".to_owned());
    }
    if state.turn_debt > 0 {
        notes.push(format!("loses {} turn", state.turn_debt));
    }
    if table.phase == Phase::Waiting && state.is_ready {
        notes.push("ready".to_owned());
    }
    let is_overtime = table
        .time_left(seat, now)
        .is_some_and(|time| time.main_ms < 0);
    if is_overtime && table.setup.options.clock_kind() == ClockKind::Overtime {
        notes.push("overtime".to_owned());
    }
    notes.join(", ")
}
