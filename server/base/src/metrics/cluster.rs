//! The metrics of a server among several.

use tilewire_rules::time::Millis;

use super::table::{
    BACKUP_NEWEST, CLUSTER_CUT_OFFS, CLUSTER_ELSEWHERE, CLUSTER_LATE, CLUSTER_LEFT, CLUSTER_LOBBY,
    CLUSTER_PLACED, CLUSTER_SHARDS, CLUSTER_STILL, CLUSTER_TAKEN, LETTERS_WAITING, MAIL_REACHED,
    PUSHES_WAITING, RELAY_BATCHES, RELAY_CHANNELS, RELAY_CONNECTIONS, RELAY_HTTP, RELAY_REACHED,
    RELAY_READ, RELAY_REFUSED, RELAY_SENT, WEBHOOK_AGE, WEBHOOKS_KEPT, WEBHOOKS_WAITING,
};

/// Sets the number of shards that the server owns, and whether it owns the lobby.
pub fn parts(shards: usize, has_lobby: bool) {
    #[expect(clippy::cast_precision_loss, reason = "there are few shards")]
    CLUSTER_SHARDS.level(&[]).set(shards as f64);
    CLUSTER_LOBBY.level(&[]).set(f64::from(u8::from(has_lobby)));
}

/// The lobby has left the server: what only its server counts is not known here any more.
pub fn lobby_left() {
    for gauge in [
        LETTERS_WAITING,
        MAIL_REACHED,
        WEBHOOKS_WAITING,
        WEBHOOKS_KEPT,
        WEBHOOK_AGE,
        PUSHES_WAITING,
        BACKUP_NEWEST,
        CLUSTER_ELSEWHERE,
    ] {
        gauge.forget();
    }
}

/// Says whether NATS carries messages between the server and the others.
pub fn bus_reached(is_reached: bool) {
    RELAY_REACHED
        .level(&[])
        .set(f64::from(u8::from(is_reached)));
}

/// Counts the parts that the server has got.
pub fn parts_taken(parts: usize) {
    CLUSTER_TAKEN.count(&[]).increment(parts as u64);
}

/// A part has gone to another server.
pub fn part_left() {
    CLUSTER_LEFT.count(&[]).increment(1);
}

/// A part that the server has loaded had stood still for so long.
pub fn part_stood_still(still_ms: Millis) {
    CLUSTER_STILL
        .spread(&[])
        .record(still_ms.to_duration().as_secs_f64());
}

/// The lease was renewed late.
pub fn renewed_late() {
    CLUSTER_LATE.count(&[]).increment(1);
}

/// The database did not answer the server, which has dropped its games.
pub fn cut_off() {
    CLUSTER_CUT_OFFS.count(&[]).increment(1);
}

/// The server has stored a new game for another one.
pub fn game_placed() {
    CLUSTER_PLACED.count(&[]).increment(1);
}

/// Sets the number of unfinished games in the memory of other servers.
pub fn games_elsewhere(games: usize) {
    #[expect(clippy::cast_precision_loss, reason = "there are few games")]
    CLUSTER_ELSEWHERE.level(&[]).set(games as f64);
}

/// Sets the number of the server's own clients that it relays for, and of other servers' clients that it answers.
pub fn relayed(connections: usize, channels: usize) {
    #[expect(clippy::cast_precision_loss, reason = "there are few connections")]
    let level = |count: usize| count as f64;
    RELAY_CONNECTIONS.level(&[]).set(level(connections));
    RELAY_CHANNELS.level(&[]).set(level(channels));
}

/// Counts a batch to another server, and its bytes.
pub fn batch_sent(bytes: usize) {
    RELAY_BATCHES.count(&[]).increment(1);
    RELAY_SENT.count(&[]).increment(bytes as u64);
}

/// Counts the bytes of a batch from another server.
pub fn batch_read(bytes: usize) {
    RELAY_READ.count(&[]).increment(bytes as u64);
}

/// A batch was refused.
pub fn batch_refused() {
    RELAY_REFUSED.count(&[]).increment(1);
}

/// A request over HTTP was passed on, and another server has answered it or not.
pub fn http_passed_on(is_answered: bool) {
    let outcome = if is_answered { "answered" } else { "failed" };
    RELAY_HTTP.count(&[outcome]).increment(1);
}
