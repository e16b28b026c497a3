//! The stores, written once for both databases, with the seam through which they use one and the queue of the writing
//! thread.
//!
//! Invariant: it knows no running game and no client, and a store never knows which database it has.
//!
//! [`Connection`] is the seam. A store is a module of functions with a connection: those that read return a
//! [`StoreError`](tilewire_store::StoreError), those that write are called by [`changes`] within the transaction of a
//! group. [`SqlStorage`] implements the contracts: a call is a change for the writing thread, or a query for a reading
//! thread.

pub mod access;
mod accounts;
pub mod archive;
pub mod changes;
mod chat;
mod conduct;
mod connection;
pub mod credentials;
pub mod erasure;
mod error;
pub mod files;
pub mod horizon;
mod journal_reader;
mod keys;
pub(crate) mod letter_pages;
mod letters;
mod moderation;
mod new_games;
pub mod open_error;
pub mod operator;
mod params;
pub mod personal;
mod personal_rows;
pub mod postgres;
pub mod prune;
pub mod push_keys;
mod pushes;
pub mod readers;
mod relations;
mod result_page;
pub(crate) mod results;
pub mod rows;
pub mod schema;
mod sleepers;
pub mod steps;
pub(crate) mod storage;
mod stores;
mod vacations;
mod webhooks;
pub mod write_queue;

pub use connection::{Connection, Database, Purpose, Row, Statement, in_one_change, in_one_view};
pub use error::{Error, OptionalExtension, Result, is_damage, unreadable};
pub use keys::KeyEntry;
pub use letter_pages::LetterChange;
pub use operator::OperatorStorage;
pub(crate) use params::{Binder, Params};
pub use results::ChapterRows;
pub use storage::SqlStorage;
pub use webhooks::WebhookChange;
