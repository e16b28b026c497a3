//! The parts that whole-system tests share: processes, connections, players that find words, judges.
//!
//! The tests start the programs that a user starts, and use their flags, sockets and pipes. Only [`simulation`] runs
//! the server in the test process, with virtual time.

pub mod addresses;
pub mod audit;
pub mod authority;
pub mod binaries;
pub mod client;
pub mod cluster;
pub mod conformance;
pub mod duel;
pub mod example_clients;
mod faketime;
pub mod flood;
pub mod fuzz;
pub mod history;
pub mod hooks;
pub mod http;
pub mod imports;
pub mod judges;
pub mod lexica;
pub mod links;
pub mod mail;
pub mod matches;
pub mod network;
pub mod page_vectors;
pub mod planted;
pub mod position;
pub mod push;
pub mod records;
pub mod secrecy;
pub mod server;
pub mod signals;
pub mod simulation;
pub mod unreliable;
pub mod wire;
pub mod words;

use std::time::Duration;

/// How long a test waits for something that must happen before it fails. Generous: machines are shared.
pub const PATIENCE: Duration = Duration::from_secs(30);
