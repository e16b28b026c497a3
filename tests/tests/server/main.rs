//! Tests of a running server through its sockets, in one binary, so that the server is linked once.

mod bad_input;
mod clocks;
mod gates;
mod identity;
mod lexica;
mod lobby;
mod many_games;
mod operator;
mod printed_commands;
mod records;
mod retries;
mod sleeping;
mod tls;
