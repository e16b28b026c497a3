//! The conformance kit, and clients of others.

mod conformance;
mod foreign_clients;
