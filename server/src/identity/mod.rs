//! Identities: who a client is, the tokens that prove it, and display names.
//!
//! A client starts as a guest, an identity that the server makes together with a token that proves it, or with a token of a
//! site that embeds the server and vouches for its users. Tokens are never logged.

mod accounts;
mod bots;
mod guesses;
mod name_cache;
pub mod names;
mod new_guests;
mod signatures;
mod site;
mod tokens;

pub use accounts::{AccountParts, Accounts, Authenticated};
pub use bots::{house_bots, is_house_bot, level_of};
pub use guesses::{GuessBounds, Guesses, GuessesByAddress, GuessesByIdentity};
pub use names::NameError;
pub use new_guests::NewGuests;
pub use signatures::install_signatures;
pub use site::{KeyFault, Reread, Site, SiteError, is_of_site};
pub use tokens::{Issued, Pass, TokenError, Tokens};
