//! The lobby: seeks, how they become games, and who follows all that.
//!
//! [`machine`] decides (pure); the desk is the task that stores, does and tells.

mod desk;
mod doubt;
mod games;
pub mod machine;
mod recall;
mod tell;

pub use desk::{LobbyHandle, start};

#[cfg(test)]
mod tests;
