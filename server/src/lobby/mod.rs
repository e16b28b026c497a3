//! The lobby: seeks, how they become games, and who follows all that.
//!
//! [`machine`] decides (pure), [`desk`] is the task that stores, does and tells.

mod desk;
pub mod machine;

pub use desk::{LobbyHandle, start};
