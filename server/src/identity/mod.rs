//! Who somebody is: signed tokens and display names.
//!
//! Everybody begins as a guest, an identity the server made up with a token that proves it, or is sent by a site that
//! embeds the server and vouches for its users. Tokens are never logged.

mod guesses;
mod house;
mod known_names;
pub mod names;
mod newcomers;
mod site;
mod tokens;

pub use guesses::{GuessBounds, Guesses};
pub use house::{house_bots, is_house_bot, level_of};
pub use known_names::KnownNames;
pub use names::NameError;
pub use newcomers::Newcomers;
pub use site::{KeyFault, Reread, Site, SiteError, is_of_site};
pub use tokens::{Issued, Pass, TokenError, Tokens};
