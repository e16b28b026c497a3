//! Who somebody is: signed tokens and display names.
//!
//! Everybody begins as a guest: an identity the server made up, and a token that proves it. Tokens are never logged.

mod house;
pub mod names;
mod tokens;

pub use house::{house_bots, is_house_bot, level_of};
pub use names::NameError;
pub use tokens::{TokenError, Tokens};
