//! The Tilewire reference client: play and watch in a terminal, or from scripts.
//!
//! The core does no I/O: [`app`] turns inputs into effects, on top of the package `tilewire-client`; [`command`] parses
//! typed lines; [`text`] puts games into words; [`screen`] draws. [`shell`] owns the socket, the terminal, the clock and
//! the randomness. [`analysis`], [`bots`], [`lexicon`] and
//! [`record`] work without a server; [`account`], [`history`] and
//! [`people`] use the API over HTTP; [`reporting`] makes a report of what the user types.

pub mod account;
pub mod analysis;
pub mod app;
pub mod args;
pub mod bots;
pub mod command;
pub mod history;
mod http;
pub mod lexicon;
mod manual;
mod output;
pub mod people;
pub mod random;
pub mod record;
pub mod reporting;
pub mod screen;
pub mod shell;
pub mod text;
pub mod tls;
