//! Events in words.

use tilewire_protocol::{
    AbortDecline, ChallengeDecided, ClockCredited, EndReason, Event, EventBody, GameResult,
    HoldReason, PlayMade, RetireReason, SeatReady, Vacation, WindowReason,
};

use tilewire_client::GameView;

use super::{format_ms, player_name, printable, series_text, utc};

/// Describes an event in one line; `None` for an event that the screen shows in another way.
///
/// `view` is the view after the event.
#[must_use]
pub fn narrate(view: &GameView, event: &Event) -> Option<String> {
    let text = match &event.body {
        EventBody::SeatReady(body) => narrate_ready(view, body),
        EventBody::BoardDrawn(_) => "The premium squares are shuffled.".to_owned(),
        EventBody::OrderDrawn(body) => {
            let drawn = body.rounds.iter().flatten();
            let drawn: Vec<String> = drawn
                .map(|draw| {
                    format!(
                        "{} draws {}",
                        player_name(view, draw.seat),
                        printable(&draw.tile)
                    )
                })
                .collect();
            let first = format!("{} goes first.", player_name(view, body.first));
            if drawn.is_empty() {
                first
            } else {
                format!("{}; {first}", drawn.join(", "))
            }
        }
        EventBody::PlayMade(play) => narrate_play(view, play),
        EventBody::Exchanged(body) => {
            let tiles = if body.count == 1 { "tile" } else { "tiles" };
            format!(
                "{} exchanges {} {tiles}.",
                player_name(view, body.seat),
                body.count
            )
        }
        EventBody::Passed(body) => format!("{} passes.", player_name(view, body.seat)),
        EventBody::TurnLost(body) => format!("{} loses a turn.", player_name(view, body.seat)),
        EventBody::Accepted(body) => format!("{} accepts.", player_name(view, body.seat)),
        EventBody::HoldStarted(body) => format!("{} holds the play.", player_name(view, body.seat)),
        EventBody::HoldEnded(body) => match body.reason {
            HoldReason::Limit => {
                format!("{}'s hold is over.", player_name(view, body.seat))
            }
            HoldReason::Released => format!("{} releases the hold.", player_name(view, body.seat)),
            _ => return None,
        },
        EventBody::ChallengeOpened(body) => {
            format!(
                "{} challenges; the play can be withdrawn.",
                player_name(view, body.seat)
            )
        }
        EventBody::ChallengeDecided(body) => narrate_verdict(view, body),
        EventBody::WindowClosed(body) if body.reason == WindowReason::Timer => {
            "The challenge time is over.".to_owned()
        }
        EventBody::ClockCredited(body) => narrate_credit(view, body),
        EventBody::SeatRetired(body) => narrate_retired(view, body.seat, body.reason),
        EventBody::Ended(result) => narrate_end(view, result),
        EventBody::Created(body) => series_text(view, body.setup.series.as_deref()?),
        EventBody::BagShuffled(_)
        | EventBody::TilesDrawn(_)
        | EventBody::TurnStarted(_)
        | EventBody::WindowClosed(_)
        | EventBody::Unknown { .. } => return None,
        body => return narrate_beside(view, body),
    };
    Some(text)
}

fn on_vacation(view: &GameView, body: &Vacation) -> String {
    let name = player_name(view, body.seat);
    format!("{name} is on vacation until {}.", utc(body.until))
}

/// An event about connections, or about what passes between players beside the play.
fn narrate_beside(view: &GameView, body: &EventBody) -> Option<String> {
    let says = |seat: u8, what: &str| format!("{} {what}.", player_name(view, seat));
    Some(match body {
        EventBody::SeatVanished(body) => says(body.seat, "disconnected"),
        EventBody::SeatReturned(body) => says(body.seat, "is back"),
        EventBody::AbortRequested(body) => says(body.seat, "asks to abort the game"),
        EventBody::AbortDeclined(body) => {
            let name = player_name(view, body.seat);
            declined(&name, "abort the game", body.reason)
        }
        EventBody::AdjournRequested(body) => says(body.seat, "asks to adjourn the game"),
        EventBody::AdjournAgreed(body) => says(body.seat, "agrees to adjourn the game"),
        EventBody::AdjournDeclined(body) => {
            let name = player_name(view, body.seat);
            declined(&name, "adjourn the game", body.reason)
        }
        EventBody::Adjourned(body) => match body.vanished {
            Some(seat) => says(seat, "has been away for too long: the game is adjourned"),
            None => "The game is adjourned.".to_owned(),
        },
        EventBody::ReadyToResume(body) => says(body.seat, "is ready to resume"),
        EventBody::NotReadyToResume(body) => says(body.seat, "disconnected"),
        EventBody::Resumed(_) => "The game has resumed.".to_owned(),
        EventBody::Nudged(body) => format!(
            "{} asks whether {} is still there.",
            player_name(view, body.seat),
            player_name(view, body.target)
        ),
        EventBody::NudgeAnswered(body) => says(body.seat, "is still there"),
        EventBody::Paused(_) => "An operator has paused the game.".to_owned(),
        EventBody::Vacation(body) => on_vacation(view, body),
        EventBody::TimeGiven(body) if body.seat == body.target => format!(
            "{} got {} from an operator.",
            player_name(view, body.target),
            format_ms(body.time_ms)
        ),
        EventBody::TimeGiven(body) => format!(
            "{} gave {} {}.",
            player_name(view, body.seat),
            player_name(view, body.target),
            format_ms(body.time_ms)
        ),
        EventBody::TimeRefused(body) => says(body.seat, "doesn't accept extra time in this game"),
        EventBody::HintUsed(body) => says(body.seat, "used a hint"),
        _ => return None,
    })
}

/// A nonce that was announced and does not count leaves the server, or the player, a choice of bags (P-SEC-7).
fn narrate_ready(view: &GameView, ready: &SeatReady) -> String {
    let name = player_name(view, ready.seat);
    let mut announced = view.setup.nonce_hashes.iter();
    match ready.nonce.is_none() && announced.any(|hash| hash.seat == ready.seat) {
        true => format!("{name} is ready. {name}'s nonce for the bag came too late or not at all."),
        false => format!("{name} is ready."),
    }
}

fn narrate_play(view: &GameView, play: &PlayMade) -> String {
    let words: Vec<String> = play
        .words
        .iter()
        .map(|word| format!("{} {}", printable(&word.word), word.score))
        .collect();
    let bonus = play
        .bonus
        .map_or_else(String::new, |bonus| format!(" + bonus {bonus}"));
    let (who, start) = (player_name(view, play.seat), printable(&play.start));
    format!(
        "{who} plays {start} for {}: {}{bonus}.",
        play.score,
        words.join(", ")
    )
}

fn narrate_verdict(view: &GameView, verdict: &ChallengeDecided) -> String {
    let who = player_name(view, verdict.seat);
    let mut text = if verdict.withdrawn {
        format!("The play challenged by {who} is withdrawn.")
    } else if verdict.upheld {
        let words: Vec<String> = verdict
            .bad_words
            .iter()
            .map(|word| printable(word))
            .collect();
        let verb = if words.len() == 1 { "is" } else { "are" };
        format!(
            "{who}'s challenge succeeds: {} {verb} not valid.",
            words.join(", ")
        )
    } else {
        format!("{who}'s challenge fails: all words are valid.")
    };
    for change in verdict.points.iter().filter(|change| change.points != 0) {
        text.push_str(&format!(
            " {:+} for {}.",
            change.points,
            player_name(view, change.seat)
        ));
    }
    if verdict.turn_debt > 0 && !verdict.upheld {
        text.push_str(&format!(" {who} loses a turn."));
    }
    text
}

fn narrate_credit(view: &GameView, credit: &ClockCredited) -> String {
    let seconds = credit.resumed_at.saturating_sub(credit.stopped_at).max(0) / 1000;
    match credit.clocks.running.map(|running| running.seat) {
        Some(seat) if view.seat == Some(seat) => {
            format!("The server was down; {seconds} s were returned to your clock.")
        }
        Some(seat) => {
            let name = player_name(view, seat);
            format!("The server was down; {seconds} s were returned to {name}'s clock.")
        }
        None => format!("The server was down for {seconds} s."),
    }
}

/// The end of a request of a player to abort or to adjourn the game.
fn declined(name: &str, what: &str, reason: AbortDecline) -> String {
    match reason {
        AbortDecline::Refused => format!("{name}'s request to {what} was declined."),
        AbortDecline::Expired => format!("{name}'s request to {what} was not answered."),
        AbortDecline::Played | AbortDecline::Unknown => {
            format!("The game continues; {name}'s request to {what} is over.")
        }
    }
}

fn narrate_retired(view: &GameView, seat: u8, reason: RetireReason) -> String {
    let who = player_name(view, seat);
    match reason {
        RetireReason::Resigned => format!("{who} resigns."),
        RetireReason::Flagged => format!("{who} ran out of time."),
        RetireReason::Expired => format!("{who} did not move in time."),
        RetireReason::Abandoned => format!("{who} did not come back."),
        RetireReason::Unknown => format!("{who} has left the game."),
    }
}

fn narrate_end(view: &GameView, result: &GameResult) -> String {
    format!(
        "The game is over: {}. {}",
        end_reason(view, result),
        winners_text(view, result)
    )
}

/// The winners, in words.
#[must_use]
pub fn winners_text(view: &GameView, result: &GameResult) -> String {
    match result.winners.as_slice() {
        [] => "No winner.".to_owned(),
        [seat] if view.seat == Some(*seat) => "You win!".to_owned(),
        [seat] => format!("{} wins.", player_name(view, *seat)),
        seats => {
            let names: Vec<String> = seats.iter().map(|seat| player_name(view, *seat)).collect();
            format!("Tie between {}.", names.join(" and "))
        }
    }
}

/// The reason for the end of a game, in words; it names the player who aborted the game.
#[must_use]
pub fn end_reason(view: &GameView, result: &GameResult) -> String {
    match result.aborter {
        Some(seat) if view.seat == Some(seat) => "you aborted the game".to_owned(),
        Some(seat) => format!("{} aborted the game", player_name(view, seat)),
        None => reason_in_words(result.reason).to_owned(),
    }
}

const fn reason_in_words(reason: EndReason) -> &'static str {
    match reason {
        EndReason::OutPlay => "a player went out",
        EndReason::ScorelessTurns => "too many scoreless turns in a row",
        EndReason::Passes => "too many passes in a row",
        EndReason::TurnCap => "scoreless-turn limit reached",
        EndReason::Target => "target reached",
        EndReason::AllPlayed => "no legal play is left",
        EndReason::Uncatchable => "the lead can no longer be caught",
        EndReason::Resignation => "resignation",
        EndReason::Time => "out of time",
        EndReason::Abandonment => "abandoned",
        EndReason::TripleChallenge => "a challenge decided it",
        EndReason::Aborted => "aborted by a player",
        EndReason::Cancelled => "cancelled, because not everyone was ready in time",
        EndReason::Adjudicated => "an operator decided the game",
        EndReason::Unknown => "the reason is unknown to this version",
    }
}
