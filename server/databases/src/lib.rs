//! The two databases: SQLite in the data directory, and PostgreSQL; the functions `open…` choose one.
//!
//! Invariant: it knows no reason for which anything is stored: rows and statements only.

mod open;
pub mod postgres;
pub mod sqlite;

pub use open::{
    open, open_account_book, open_archive, open_clock_record, open_hook_book, open_keyring,
    open_moderation_book, open_own_archive, open_push_keyring, open_result_book, restore,
    restore_own,
};
