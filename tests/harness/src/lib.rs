//! The parts that whole-system tests share: processes, connections, mail servers, judges.
//!
//! The tests start the programs that a user starts, and use their flags, sockets and pipes. Nothing here runs the server in the
//! process of a test.

pub mod addresses;
pub mod authority;
pub mod binaries;
pub mod client;
pub mod duel;
pub mod example_clients;
mod faketime;
pub mod fault_proxy;
pub mod flood;
pub mod history;
pub mod http;
pub mod judges;
pub mod lexica;
pub mod mail;
pub mod matches;
pub mod network;
pub mod ports;
pub mod push;
pub mod records;
pub mod server;
pub mod signals;
pub mod unreliable;
pub mod webhooks;
pub mod wire;

use std::time::Duration;

/// How long a test waits for something that must happen before it fails. Generous: machines are shared.
pub const PATIENCE: Duration = Duration::from_secs(30);
