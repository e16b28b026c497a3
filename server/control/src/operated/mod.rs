//! The orders of admins for the server as a whole: a closed lobby, blocked addresses, scheduled notices, and settings that change
//! at run time.

mod addresses;
mod drain;
mod notices;
mod settings;

pub use addresses::{AddressBlock, AddressBlocks, BLOCKS_MOST, NetworkFault, network};
pub use drain::{Closed, Drain};
pub use notices::{NOTICES_MOST, Schedule, Scheduled};
pub use settings::{LoadedFrom, ReloadError, Settings};
