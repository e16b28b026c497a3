//! The database of a server on one machine: SQLite in the data directory.
//!
//! One thread writes and commits all waiting changes together (`engine`, behind `write_queue`). Two threads read, each with a connection of its
//! own (`sql::readers`). One thread checkpoints the write-ahead log (`checkpoint`). With `synchronous=FULL`, a commit is on the
//! disk when it returns.
//!
//! A commit that fails for any reason but a full disk or a busy database leaves it unknown what is on the disk, and the
//! page cache cannot be trusted any more. The process then ends with [`EXIT_STORAGE`]; the next one reads the disk.

#[cfg(test)]
mod account_tests;
mod archive;
mod checkpoint;
mod connection;
mod data_dir;
mod engine;
#[cfg(test)]
mod erasure_tests;
mod high_water;
mod inspect;
pub mod open;
mod operator;
mod own_file;
#[cfg(test)]
mod prune_tests;
#[cfg(test)]
pub(crate) mod push_tests;
mod scrub;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod vacation_tests;
#[cfg(test)]
mod wal_tests;
#[cfg(test)]
mod webhook_tests;

pub use archive::{SqliteArchive, restore};
pub(crate) use archive::{complete, database_error, open_fresh, sealed};
pub(crate) use engine::end_process;

pub use data_dir::make_data_dir;
pub use open::open;
pub use operator::open_for_operator;

/// Exit code of a process that ends because the storage cannot be trusted any more (`EX_SOFTWARE` of sysexits).
pub const EXIT_STORAGE: i32 = 70;

/// A page of a new database. Whole pages go to the disk, and an append changes little on each page it touches: small
/// pages write less.
const PAGE_BYTES: u32 = 1_024;
