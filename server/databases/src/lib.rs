//! The two databases: SQLite in the data directory, and PostgreSQL; the functions `open…` choose one.
//!
//! Invariant: it knows no reason for which anything is stored: rows and statements only.

mod open;
pub mod postgres;
pub mod sqlite;

pub use open::{open, open_archive, open_for_operator, open_own_archive, restore, restore_own};
pub use sqlite::make_data_dir;
