//! The status of the game in words: the seat on turn, and the challenge window.

use tilewire_protocol::{ClockKind, Phase, RetireReason, SnapshotWindow};

use crate::text::{end_reason, format_clock_time, format_ms, player_name, winners_text};
use tilewire_client::GameView;

/// A line of the status, and whether it asks the player to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StatusLine {
    pub(super) text: String,
    pub(super) is_prompt: bool,
}

fn told(text: impl Into<String>) -> StatusLine {
    StatusLine {
        text: text.into(),
        is_prompt: false,
    }
}

fn call(text: impl Into<String>) -> StatusLine {
    StatusLine {
        text: text.into(),
        is_prompt: true,
    }
}

/// The status at server time `now`; for a delayed game, the time of the moment that is shown.
pub(super) fn status(view: &GameView, now: i64) -> Vec<StatusLine> {
    let mut lines = Vec::new();
    if let Some(delay_ms) = view.delay_ms() {
        lines.push(told(format!("Delayed by {}.", format_ms(delay_ms))));
    }
    match view.phase {
        Phase::Waiting => lines.push(waiting(view, now)),
        Phase::Running if view.adjourned.is_some() => lines.extend(sleep_lines(view, now)),
        Phase::Running => lines.extend(turn(view, now)),
        Phase::Final => lines.push(told("The final play is on the board.")),
        Phase::Ended => {
            if let Some(result) = &view.result {
                lines.push(told(format!("Game over: {}.", end_reason(view, result))));
                lines.push(told(winners_text(view, result)));
            }
        }
        Phase::Unknown => lines.push(told(
            "The game is in a phase that this version does not know.",
        )),
    }
    if let Some(window) = &view.window {
        lines.push(window_line(view, window, now));
    }
    lines.extend(abort_line(view, now));
    lines.extend(nudge_line(view, now));
    lines.extend(adjourn_line(view, now));
    if view.is_paused {
        lines.push(told(
            "The game is paused: clocks are stopped, and nobody can move.",
        ));
    }
    lines
}

fn waiting(view: &GameView, now: i64) -> StatusLine {
    let missing: Vec<String> = (0_u8..)
        .zip(&view.seats)
        .filter(|(_, seat)| !seat.is_ready)
        .map(|(seat, _)| player_name(view, seat))
        .collect();
    let until = view
        .setup
        .ready_by
        .map_or_else(String::new, |by| format!(" ({} left)", left(by, now)));
    told(format!("Waiting for {}{until}.", missing.join(", ")))
}

fn turn(view: &GameView, now: i64) -> Option<StatusLine> {
    let seat = view.on_turn?;
    let number = view.turn_no;
    if let Some(until) = view.waiting_until {
        let whose = match view.is_own_turn() {
            true => "your".to_owned(),
            false => format!("{}'s", player_name(view, seat)),
        };
        let time = left(until, now);
        return Some(told(format!(
            "Turn {number}: {whose} move is waiting for challenges, {time} left."
        )));
    }
    Some(if view.is_own_turn() {
        call(format!("Turn {number}: your turn."))
    } else {
        told(format!(
            "Turn {number}: {} to move.",
            player_name(view, seat)
        ))
    })
}

fn window_line(view: &GameView, window: &SnapshotWindow, now: i64) -> StatusLine {
    if let Some(line) = pending_line(view, window, now) {
        return line;
    }
    if let Some(line) = hold_line(view, window, now) {
        return line;
    }
    let time = window
        .closes_at
        .map_or_else(String::new, |at| format!(" {} left:", left(at, now)));
    let author = player_name(view, window.author);
    if view.may_answer() {
        let can_hold = view
            .seat
            .is_some_and(|seat| !window.holds_used.contains(&seat));
        let hold = if can_hold { ", hold" } else { "" };
        return call(format!("{author}'s play:{time} challenge, accept{hold}"));
    }
    let open: Vec<String> = window
        .eligible
        .iter()
        .filter(|seat| !window.accepted.contains(seat))
        .map(|seat| player_name(view, *seat))
        .collect();
    let whose = if view.seat == Some(window.author) {
        "Your".to_owned()
    } else {
        format!("{author}'s")
    };
    let may = if open.is_empty() {
        "no player".to_owned()
    } else {
        open.join(", ")
    };
    told(format!("{whose} play:{time} {may} may challenge"))
}

fn abort_line(view: &GameView, now: i64) -> Option<StatusLine> {
    let request = view.abort_request?;
    let time = left(request.until, now);
    let name = player_name(view, request.seat);
    Some(if view.abort_to_answer().is_some() {
        call(format!(
            "{name} asks to abort the game, {time} left: abort yes, abort no"
        ))
    } else if view.seat == Some(request.seat) {
        told(format!("You ask to abort the game, {time} left."))
    } else {
        told(format!("{name} asks to abort the game, {time} left."))
    })
}

/// A request to adjourn the game.
fn adjourn_line(view: &GameView, now: i64) -> Option<StatusLine> {
    let request = view.adjourn_request.as_ref()?;
    let time = left(request.until, now);
    let name = player_name(view, request.seat);
    Some(if view.adjourn_to_answer().is_some() {
        call(format!(
            "{name} asks to adjourn the game, {time} left: adjourn yes, adjourn no"
        ))
    } else if view.seat == Some(request.seat) {
        told(format!("You ask to adjourn the game, {time} left."))
    } else {
        told(format!("{name} asks to adjourn the game, {time} left."))
    })
}

/// An adjourned game: how long it sleeps, and the players that it waits for.
fn sleep_lines(view: &GameView, now: i64) -> Vec<StatusLine> {
    let Some(sleep) = &view.adjourned else {
        return Vec::new();
    };
    let names: Vec<String> = view.missing().map(|seat| player_name(view, seat)).collect();
    let (until, what) = match sleep.until > now {
        true => (sleep.until, "adjourned"),
        false => (
            sleep.claim_until,
            "adjourned; a ready player can claim the win",
        ),
    };
    let time = left(until, now);
    let waits = format!(
        "The game is {what}, {time} left to resume; waiting for {}.",
        names.join(", ")
    );
    let mut lines = vec![told(waits)];
    if view.may_resume() {
        lines.push(call("To resume, type resume."));
    }
    lines
}

/// A nudge: a question to the player, or the time until the game can be claimed.
fn nudge_line(view: &GameView, now: i64) -> Option<StatusLine> {
    let nudge = view.nudge?;
    let name = player_name(view, nudge.seat);
    let time = |until: i64| left(until, now);
    if view.seat == Some(nudge.target) {
        let until = nudge
            .claim_at
            .map_or_else(String::new, |at| format!(", {} left", time(at)));
        return Some(call(format!(
            "{name} asks whether you are still there{until}: here"
        )));
    }
    let target = player_name(view, nudge.target);
    Some(match nudge.claim_at {
        Some(at) if at <= now && view.seat.is_some() => {
            call(format!("{target} hasn't answered: claim"))
        }
        Some(at) if at > now => told(format!(
            "{name} asks whether {target} is still there, {} left.",
            time(at)
        )),
        _ => told(format!("{name} asks whether {target} is still there.")),
    })
}

fn pending_line(view: &GameView, window: &SnapshotWindow, now: i64) -> Option<StatusLine> {
    let challenger = player_name(view, window.challenger?);
    let time = window
        .decide_by
        .map_or_else(String::new, |at| format!(" {} left", left(at, now)));
    Some(if view.seat == Some(window.author) {
        call(format!("{challenger} challenges:{time}: withdraw or stand"))
    } else {
        told(format!(
            "{challenger} challenges; {} decides,{time}",
            player_name(view, window.author)
        ))
    })
}

fn hold_line(view: &GameView, window: &SnapshotWindow, now: i64) -> Option<StatusLine> {
    let holder = window.holder?;
    let time = window
        .hold_until
        .map_or_else(String::new, |at| format!(" {} left:", left(at, now)));
    Some(if view.seat == Some(holder) {
        call(format!("You hold:{time} challenge, accept, release"))
    } else if view.may_answer() {
        call(format!(
            "{} holds:{time} challenge, accept",
            player_name(view, holder)
        ))
    } else {
        told(format!(
            "{} holds:{time} deciding",
            player_name(view, holder)
        ))
    })
}

/// The time until `at`.
pub(super) fn left(at: i64, now: i64) -> String {
    let ms = at.saturating_sub(now).max(0);
    if ms < 60_000 {
        format!("{} s", ms.unsigned_abs().div_ceil(1000))
    } else {
        format_clock_time(ms)
    }
}

/// The way in which a player has left the game.
const fn retired(reason: RetireReason) -> &'static str {
    match reason {
        RetireReason::Resigned => "resigned",
        RetireReason::Flagged | RetireReason::Expired => "out of time",
        RetireReason::Abandoned | RetireReason::Unknown => "left",
    }
}

/// The note beside a player: offline, turns to lose, retired.
pub(super) fn seat_note(view: &GameView, seat: u8, now: i64) -> String {
    let Some(state) = view.seats.get(usize::from(seat)) else {
        return String::new();
    };
    if let Some(reason) = state.retired {
        return retired(reason).to_owned();
    }
    if view.phase == Phase::Ended {
        return String::new();
    }
    if let Some(vanished) = view.vanished.iter().find(|vanished| vanished.seat == seat) {
        let may_claim = view.seat.is_some_and(|own| own != seat);
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
        let turns = if state.turn_debt == 1 {
            "turn"
        } else {
            "turns"
        };
        notes.push(format!("skips {} {turns}", state.turn_debt));
    }
    if view.phase == Phase::Waiting && state.is_ready {
        notes.push("ready".to_owned());
    }
    let is_overtime = view
        .time_left(seat, now)
        .is_some_and(|time| time.main_ms < 0);
    if is_overtime && view.setup.options.clock_kind() == ClockKind::Overtime {
        notes.push("overtime".to_owned());
    }
    notes.join(", ")
}
