//! The lobby: seeks, how they become games, and who follows all that.
//!
//! [`machine`] decides (pure); `desk` is the task that takes requests, `commands` what it does with them, `newcomers` how
//! somebody begins to follow the lobby, `board` what those who do are yet to be told, and `followers` the task that tells
//! them.

mod ask;
mod board;
mod commands;
mod desk;
mod doubt;
mod follower;
mod followers;
mod games;
pub mod machine;
mod newcomers;
mod recall;
mod seeks;
mod services;
mod tell;

pub use desk::{LobbyHandle, start};
pub use services::Services;

#[cfg(test)]
mod tests;
