//! The orders of an admin about the server as a whole, the log, and the token of the admin listener.
//!
//! Invariant: it knows no game and no client.

pub mod admin_token;
pub mod operated;
pub mod telemetry;
