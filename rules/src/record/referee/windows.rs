//! Checks of challenge windows: acceptance, holds, challenges and their outcome (R-CHAL, R-HOLD).

use super::{Ruling, refuse};
use crate::event::{ChallengeDecided, Verdict, WindowClose};
use crate::lexicon::Lexicon;
use crate::options::Consent;
use crate::state::{State, Window};
use crate::time::{Seat, Seq, Timestamp};

/// Returns the open window of a play.
fn open(state: &State, play_id: Seq) -> Result<&Window, String> {
    let window = state.window().filter(|window| window.play_id == play_id);
    window.ok_or_else(|| "the play cannot be challenged".to_owned())
}

/// Returns the open window of a play if `seat` may act on it as an opponent while nobody has challenged it.
fn unchallenged(state: &State, play_id: Seq, seat: Seat) -> Result<&Window, String> {
    let window = as_opponent(state, play_id, seat)?;
    if window.dispute.is_some() {
        refuse!("the play has been challenged already");
    }
    Ok(window)
}

fn as_opponent(state: &State, play_id: Seq, seat: Seat) -> Result<&Window, String> {
    let window = open(state, play_id)?;
    if !window.eligible.contains(&seat) {
        refuse!("{seat} is not an opponent of the author");
    }
    if window.accepted.contains(&seat) {
        refuse!("{seat} has accepted the play");
    }
    if state.last_decided() == Some(play_id) {
        refuse!("the challenge of the play has been decided already");
    }
    Ok(window)
}

pub(super) fn accepted(state: &State, play_id: Seq, seat: Seat) -> Ruling {
    unchallenged(state, play_id, seat).map(|_| ())
}

pub(super) fn hold_started(state: &State, play_id: Seq, seat: Seat, until: Timestamp) -> Ruling {
    let window = unchallenged(state, play_id, seat)?;
    if window.hold.is_some() || window.holds_used.contains(&seat) {
        refuse!("{seat} cannot hold the play again");
    }
    if until != window.opened_at.plus(state.options().timing.hold_ms) {
        refuse!("the hold ends at another time");
    }
    Ok(())
}

pub(super) fn hold_ended(state: &State, play_id: Seq, seat: Seat) -> Ruling {
    if open(state, play_id)?
        .hold
        .is_none_or(|hold| hold.seat != seat)
    {
        refuse!("{seat} does not hold the play");
    }
    Ok(())
}

pub(super) fn challenge_opened(state: &State, play_id: Seq, seat: Seat) -> Ruling {
    unchallenged(state, play_id, seat)?;
    if state.options().challenge.consent == Consent::NotAsked {
        refuse!("the author is not asked in this game");
    }
    Ok(())
}

pub(super) fn challenge_decided(
    state: &State,
    decided: &ChallengeDecided,
    lexicon: Option<&dyn Lexicon>,
) -> Ruling {
    let window = as_opponent(state, decided.play_id, decided.seat)?;
    let is_asked = state.options().challenge.consent == Consent::Asked;
    let challenger = window.dispute.map(|dispute| dispute.challenger);
    if challenger != is_asked.then_some(decided.seat) {
        refuse!("{} did not challenge the play", decided.seat);
    }
    let is_withdrawn = decided.verdict == Verdict::Withdrawn;
    let expected = if is_withdrawn && is_asked && decided.bad_words.is_empty() {
        Verdict::Withdrawn
    } else {
        state.verdict(!decided.bad_words.is_empty())
    };
    if decided.verdict != expected {
        refuse!("a challenge in this game cannot have this outcome");
    }
    let words = state.window_words();
    let is_bad = |word: &str| decided.bad_words.iter().any(|bad| bad == word);
    if decided
        .bad_words
        .iter()
        .any(|bad| words.iter().all(|word| word.word != *bad))
    {
        refuse!("the play did not form all of these words");
    }
    if let Some(lexicon) = lexicon.filter(|_| !is_withdrawn)
        && let Some(word) = words
            .iter()
            .find(|word| lexicon.contains(&word.letters) == is_bad(&word.word))
    {
        refuse!("the lexicon says otherwise about {}", word.word);
    }
    let points = state.challenge_points(decided.seat, window.author, decided.verdict);
    if decided.points != points {
        refuse!("the challenge pays other points");
    }
    if decided.totals != state.totals_after(window.author, decided.verdict, &points) {
        refuse!("the totals after the challenge are wrong");
    }
    Ok(())
}

pub(super) fn closed(state: &State, at: Timestamp, play_id: Seq, reason: WindowClose) -> Ruling {
    let window = open(state, play_id)?;
    // The end of the game, a flag or the last opponent's leaving closes the window without a verdict.
    let needs_verdict = !matches!(
        reason,
        WindowClose::GameOver | WindowClose::Flag | WindowClose::LastOpponentRetired
    );
    if window.hold.is_some() || (needs_verdict && window.dispute.is_some()) {
        refuse!("a challenge or a hold of the play is open");
    }
    let is_decided = state.last_decided() == Some(play_id);
    let holds = match reason {
        WindowClose::Verdict => is_decided,
        WindowClose::Accepted => window
            .eligible
            .iter()
            .all(|seat| window.accepted.contains(seat)),
        WindowClose::Timer => window.closes_at.is_some_and(|closes_at| at >= closes_at),
        WindowClose::NextTurn => state.turn().is_some(),
        WindowClose::AuthorRetired
        | WindowClose::LastOpponentRetired
        | WindowClose::Flag
        | WindowClose::GameOver => true,
    };
    if !holds || is_decided != (reason == WindowClose::Verdict) {
        refuse!("the challenge window cannot close for this reason here");
    }
    Ok(())
}
