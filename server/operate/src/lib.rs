//! The operator's commands and tasks: command line, console, backups, keys, upkeep, and what a start prints.
//!
//! Invariant: it knows no connection of a player.

pub mod account_commands;
pub mod backups;
pub mod banner;
pub mod cli;
pub mod clock_check;
pub mod cluster_status;
pub mod conduct;
pub mod console;
pub mod keys;
pub mod manual;
pub mod moderation_commands;
pub mod ratings;
pub mod top;
pub mod upkeep;
pub mod webhooks;
