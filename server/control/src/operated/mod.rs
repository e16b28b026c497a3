//! What admins have ordered about the server as a whole: a closed lobby, blocked addresses, notices for later, and settings
//! that change while it runs.

mod addresses;
mod drain;
mod notices;
mod settings;

pub use addresses::{AddressBlock, AddressBlocks, BLOCKS_MOST, NetworkFault, network};
pub use drain::{Closed, Drain};
pub use notices::{NOTICES_MOST, Schedule, Scheduled};
pub use settings::{ReloadError, Settings};
