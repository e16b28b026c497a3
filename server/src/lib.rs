//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod address;
pub mod admin;
pub mod app;
mod background;
mod banner;
pub mod catalogue;
pub mod cli;
pub mod clock;
pub mod clock_check;
pub mod config;
pub mod connection;
pub mod crash_points;
pub mod game;
mod http;
pub mod identity;
pub mod ids;
pub mod keys;
pub mod lexica;
pub mod lobby;
pub mod metrics;
mod open_files;
pub mod operator_file;
pub mod outbound;
pub mod overload;
mod page;
pub mod people;
mod refresh;
mod run;
pub mod session;
pub mod shares;
mod stalls;
pub mod storage;
pub mod telemetry;
pub mod upkeep;
pub mod wire;

pub use run::run;
