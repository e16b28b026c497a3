//! The orders of an admin about the server as a whole, the log, and the token of the admin listener.
//!
//! Invariant: it knows no game and no client.

mod addresses;
pub mod admin_token;
mod drain;
mod notices;
mod settings;
pub mod telemetry;

pub use addresses::{AddressBlock, AddressBlocks, BLOCKS_MOST, NetworkFault, network};
pub use drain::{Closed, Drain};
pub use notices::{NOTICES_MOST, Schedule, Scheduled};
pub use settings::{LoadedFrom, ReloadError, Settings};
