//! The contracts: each call is a change for the writing thread or a query for a reading thread.

mod accounts;
mod outbox;
mod results;
