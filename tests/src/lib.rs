//! What the whole-system tests share: real processes, a recording wire, players that find words, an auditor.
//!
//! Nothing here looks into the server: it starts the binaries a user starts and speaks to them through their flags,
//! sockets and pipes. Except [`simulation`], which runs the server inside, under a time of its own.

pub mod audit;
pub mod binaries;
pub mod client;
pub mod conformance;
pub mod director;
pub mod duel;
pub mod flood;
pub mod foreign;
pub mod fuzz;
pub mod imports;
pub mod lexica;
pub mod planted;
pub mod position;
pub mod records;
pub mod secrecy;
pub mod server;
pub mod simulation;
pub mod stranger;
pub mod unreliable;
pub mod wire;
pub mod words;

use std::time::Duration;

/// How long a test waits for something that must happen before it fails. Generous: machines are shared.
pub const PATIENCE: Duration = Duration::from_secs(30);
