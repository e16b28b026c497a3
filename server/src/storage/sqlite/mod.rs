//! The database of a server on one machine: SQLite in the data directory.
//!
//! One thread writes and commits all waiting changes together (`engine`, behind the crate's `write_queue`). Two threads read, each with a connection of its
//! own (`reader`). One thread checkpoints the write-ahead log (`checkpoint`). With `synchronous=FULL`, a commit is on the
//! disk when it returns.
//!
//! A commit that fails for any reason but a full disk or a busy database leaves it unknown what is on the disk, and the
//! page cache cannot be trusted any more. The process then ends with [`EXIT_STORAGE`]; the next one reads the disk.

mod account_book;
mod accounts;
mod archive;
mod changes;
mod chat;
mod checkpoint;
mod conduct;
mod connection;
mod credentials;
mod data_dir;
mod engine;
mod erasure;
mod error;
mod high_water;
mod hook_impls;
#[cfg(test)]
mod hook_tests;
mod hooks;
mod inspect;
mod letter_pages;
mod letters;
mod moderation;
mod moderation_book;
mod moderation_impls;
mod own_file;
mod personal;
mod personal_rows;
mod prune;
#[cfg(test)]
mod prune_tests;
mod push_impls;
#[cfg(test)]
mod push_tests;
mod pushes;
mod reader;
mod relations;
mod result_book;
mod result_impls;
mod result_page;
mod results;
mod rows;
mod schema;
mod scrub;
mod sleepers;
mod storage;
#[cfg(test)]
mod tests;
mod trait_impls;
#[cfg(test)]
mod upgrade_tests;
mod vacations;
#[cfg(test)]
mod wal_tests;

pub use archive::{SqliteArchive, restore};
pub use credentials::SqliteKeyring;
pub use error::OpenError;
pub use storage::SqliteStorage;

/// Exit code of a process that ends because the storage cannot be trusted any more (`EX_SOFTWARE` of sysexits).
pub const EXIT_STORAGE: i32 = 70;

/// A page of a new database. Whole pages go to the disk, and an append changes little on each page it touches: small
/// pages write less.
const PAGE_BYTES: u32 = 1_024;
