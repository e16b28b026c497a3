//! The listeners of the server: connections of players, the page for browsers, and the admin listener.
//!
//! Invariant: it knows no database, and decides nothing about a game, an account or a seek.

pub mod admin;
pub mod connection;
mod page;
