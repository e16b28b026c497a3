//! The lobby: seeks, how they become games, and who follows all that.
//!
//! [`machine`] decides (pure); the desk is the task that takes requests, `commands` what it does with them.

mod ask;
mod board;
mod commands;
mod desk;
mod doubt;
mod follower;
mod followers;
mod games;
pub mod machine;
mod recall;
mod seeks;
mod tell;

pub use desk::{LobbyHandle, start};

#[cfg(test)]
mod tests;
