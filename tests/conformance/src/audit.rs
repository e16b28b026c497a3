//! Judges whole games by the events that their clients got.

use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use tilewire_oracle::{Judge, Slack};

use crate::words::Words;

/// Checks a finished game by the built-in words: every play, every score, every verdict, the clocks and the result.
///
/// # Panics
/// When the oracle disagrees.
pub fn audit(events: &[Value]) {
    audit_by(events, &|word| Words::builtin().has(word));
}

/// Checks a finished game with other words; `is_word` gets words in the notation of the wire.
///
/// # Panics
/// When the oracle disagrees.
pub fn audit_by(events: &[Value], is_word: &(dyn Fn(&str) -> bool + Send + Sync)) {
    // Network delay is given back, and with more than two seats a play waits for the opponents.
    let mut judge = Judge::new(is_word, Slack::Any);
    for event in events {
        judge.event(event).expect("the oracle agrees");
    }
    assert!(judge.fold.is_over(), "the game ended");
}

/// Checks that the bag is the one that was committed to before the players sat down: the secret in the last event has
/// the hash in the first event, and no earlier event shows it.
///
/// # Panics
/// When it is not.
pub fn check_commitment(events: &[Value]) {
    let bytes = |text: &Value| {
        let text = text.as_str().expect("text");
        BASE64URL_NOPAD.decode(text.as_bytes()).expect("base64url")
    };
    let (last, earlier) = events.split_last().expect("the game has events");
    let secret = bytes(&last["secret"]).try_into().expect("32 bytes");
    let hash = tilewire_rules::stream::commitment(&secret);
    assert_eq!(bytes(&earlier[0]["setup"]["commitment"]), hash);
    let text = last["secret"].as_str().expect("text");
    let shows_secret = |event: &Value| event.to_string().contains(text);
    assert!(!earlier.iter().any(shows_secret), "the secret was shown");
}
