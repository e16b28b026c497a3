//! Metrics of letters.

use std::time::Duration;

use super::table::{
    LETTERS_DROPPED, LETTERS_SENT, LETTERS_WAITING, MAIL_FAILURES, MAIL_REACHED, MAIL_TIME,
};

/// The mail server has taken a letter.
pub fn letter_sent(kind: &'static str) {
    LETTERS_SENT.count(&[kind]).increment(1);
}

/// A letter is not sent.
pub fn letter_dropped(kind: &'static str, reason: &'static str) {
    LETTERS_DROPPED.count(&[kind, reason]).increment(1);
}

/// Sets the number of letters in the outbox.
pub fn letters_waiting(count: u64) {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    LETTERS_WAITING.level(&[]).set(count as f64);
}

/// Says whether the mail server answered last.
pub fn mail_reached(is_reached: bool) {
    MAIL_REACHED.level(&[]).set(f64::from(u8::from(is_reached)));
}

/// A conversation with the mail server failed at this step.
pub fn mail_failed(stage: &'static str) {
    MAIL_FAILURES.count(&[stage]).increment(1);
}

/// A conversation with the mail server has ended.
pub fn mail_conversation(took: Duration) {
    MAIL_TIME.spread(&[]).record(took.as_secs_f64());
}
