//! Identities, tokens, accounts, relations between players, and the enforcement of moderators' decisions.
//!
//! Invariant: it knows no game, no lobby and no transport.

pub mod enforcement;
pub mod identity;
pub mod links;
pub mod moderation_messages;
pub mod people;
pub mod restrictions;
pub mod seal;
