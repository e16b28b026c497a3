//! Identities: who a client is, the tokens that prove it, and display names.
//!
//! A client starts as a guest, an identity that the server makes together with a token that proves it, or with a token of a
//! site that embeds the server and vouches for its users. A registered player has a handle in place of a name. Tokens are
//! never logged.

mod accounts;
mod handles;
mod name_cache;
pub mod names;
mod per_address;
mod signatures;
mod site;
mod tokens;

pub use accounts::{AccountParts, Accounts, Authenticated, Bearer};
pub use names::NameError;
pub use per_address::PerAddress;
pub use signatures::install_signatures;
pub use site::{KeyFault, Reread, Site, SiteError};
pub use tokens::{Issued, Tokens};
