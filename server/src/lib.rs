//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod game;
pub mod lexica;
pub mod peers;
pub mod wire;
