//! The contracts: each call is a change for the writing thread or a query for a reading thread.

mod accounts;
mod chat;
mod journal;
mod lobby;
mod moderation;
mod outbox;
mod personal;
mod relations;
mod results;
