//! The stores, written once for both databases, and the seam through which they use one.
//!
//! [`Connection`] is the seam. A store is a module of functions with a connection: those that read return a
//! [`StoreError`](crate::storage::StoreError), those that write are called by [`changes`] within the transaction of a group.
//! [`SqlStorage`] implements the contracts: a call is a change for the writing thread, or a query for a reading thread.

mod account_book;
mod accounts;
mod book;
pub(in crate::storage) mod changes;
mod chat;
mod conduct;
mod connection;
pub(in crate::storage) mod credentials;
pub(in crate::storage) mod erasure;
mod error;
mod hook_impls;
mod hooks;
mod journal_place;
mod keys;
pub(in crate::storage) mod letter_pages;
mod letters;
mod moderation;
mod moderation_book;
mod moderation_impls;
mod new_games;
mod params;
pub(in crate::storage) mod personal;
mod personal_rows;
pub(in crate::storage) mod prune;
pub(in crate::storage) mod push_impls;
mod pushes;
pub(in crate::storage) mod readers;
mod relations;
mod result_book;
mod result_impls;
mod result_page;
pub(in crate::storage) mod results;
pub(in crate::storage) mod rows;
mod sleepers;
pub(in crate::storage) mod steps;
pub(in crate::storage) mod storage;
mod trait_impls;
mod vacations;

pub use book::SqlBook;
pub(in crate::storage) use connection::{
    Connection, Database, Purpose, Row, Statement, in_one_change, in_one_view,
};
pub(in crate::storage) use error::{Error, OptionalExtension, Result, is_damage, unreadable};
pub(in crate::storage) use params::{Binder, Params};
pub use storage::SqlStorage;
