//! Chat: rooms of players, of spectators, of two friends and of the lobby (P-CHAT).
//!
//! Invariant: it knows no seek, no socket and no rule of a game, and no game knows of chat.
//!
//! [`Chat`] is a machine without I/O. Its task stores new lines, many with one commit, and only then answers and
//! delivers them. A room is in memory while a connection is in it. `access` decides who may join a room, from the
//! player and the game.

mod access;
mod delivery;
mod line;
mod machine;
mod room;
mod say;
mod task;
#[cfg(test)]
mod tests;
mod text;

pub use access::{Access, can_read, kinds};
pub use machine::{Chat, ChatBounds, Member};
pub use room::RoomName;
pub use task::Action;
pub use task::{ChatHandle, Services};
