//! Chat: rooms of players, of spectators, of two friends and of the lobby (P-CHAT).
//!
//! Invariant: it knows no seek, no socket and no rule of a game, and no game knows of chat.
//!
//! [`Chat`] is a machine without I/O, and so is the scheduler, which runs the requests of each room in order: it stores new
//! lines, many with one commit, and only then answers and delivers them. One call per room is in flight, so a slow storage, or
//! a room with many readers, delays no other room. A room is in memory while a connection is in it. `reading` decides who may
//! read a line, `access` who may join a room.

mod access;
mod calls;
mod delivery;
mod effect;
mod line;
mod machine;
mod queue;
mod reading;
mod request;
mod room;
mod say;
mod scheduler;
mod task;
#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
mod text;

pub use access::{Access, kinds};
pub use machine::{Chat, ChatBounds, Member};
pub use reading::{Named, Reading};
pub use request::Action;
pub use room::RoomName;
pub use task::{ChatHandle, Services};
