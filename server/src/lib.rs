//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod clock;
pub mod config;
pub mod game;
pub mod ids;
pub mod lexica;
pub mod metrics;
pub mod peers;
pub mod recovery;
pub mod storage;
pub mod wire;
