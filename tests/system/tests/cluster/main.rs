//! Several servers on one database, and one on PostgreSQL: whole games through everything that fails around them.

mod clocks;
mod database;
mod games;
mod http;
mod network;
mod outages;
mod scene;
mod skew;
mod takeover;
mod views;

use std::time::Instant;

use serde_json::Value;
use tilewire_harness::matches::{Match, Seen};

/// Longest time in which another server plays the games of one that has ended, ms: the lease, and some for a
/// busy machine.
const TAKEOVER_MS: u128 = 12_000;

const NOTHING_SEEN: Seen = Seen {
    upheld: true,
    failed: false,
    hold: false,
    exchange: false,
    pass: false,
    blank: false,
};

/// Returns how often time was given back, as far as a client knows.
fn credits(game: &Match) -> usize {
    let events = game.people[0].fold.events.iter();
    let is_credit = |event: &&Value| event["kind"] == "clock_credited";
    events.filter(is_credit).count()
}

/// Waits until a client knows that time was given back so often.
fn until_credited(game: &mut Match, count: usize) {
    while credits(game) < count {
        game.people[0].pump();
    }
}

#[expect(clippy::disallowed_methods, reason = "a takeover has a bound")]
fn clock() -> Instant {
    Instant::now()
}
