//! The lobby: open seeks, how they become games, and the feed of changes that its subscribers get.
//!
//! Invariant: it knows no connection, no chat and no rule of play; it asks the directory for games.
//!
//! [`machine`] decides without I/O, in the terms of [`decision`]; `pairing` finds seeks that have missed each other. `task`
//! takes requests and `commands` carries them out; `subscribe` adds a subscriber, `feed` holds the changes that subscribers
//! have not got yet, `hidden` leaves out what a block hides, and `publisher` is the task that sends them. `criteria`
//! decides which players a seek admits. `rematch` and `invitation` are offers to certain players, and `offers` tells those players.

mod action;
mod announce;
mod commands;
pub mod criteria;
pub mod decision;
mod feed;
mod finished;
mod game_changes;
mod game_start;
mod game_starts;
mod hidden;
pub mod invitation;
pub mod machine;
mod offers;
mod open_seek;
mod pairing;
mod publisher;
mod rated;
mod reconcile;
pub mod rematch;
mod restricted;
mod seeks;
mod services;
mod stored_answers;
mod subscribe;
mod subscriber;
mod task;
mod tidy;

pub use services::Services;
pub use task::LobbyHandle;

#[cfg(test)]
mod tests;
