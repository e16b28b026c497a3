//! Loads a server with games, measures it, and audits what it sends.
//!
//! The load is open loop: clients act on a schedule that does not wait for the server, and a latency counts from the
//! moment a command was due, so that a stalled server cannot hide the stall. Each client keeps a transcript of what it
//! receives. After the measured phase an auditor compares all transcripts and replays every game. It shares only the
//! rules of placing and scoring with the server.

mod audit;
mod cli;
mod clients;
mod cluster;
mod fleet;
mod http;
mod player;
mod presence;
mod profile;
mod prometheus;
mod public_state;
mod series;
mod server;
mod server_config;
mod witness;

pub mod disk_probe;
pub mod host;
pub mod link;
pub mod options;
pub mod process;
pub mod recorder;
pub mod report;
pub mod results;
pub mod rng;
pub mod scenario;
pub mod shared;
pub mod stats;
pub mod testbed;
pub mod transcript;

pub use cli::run;
