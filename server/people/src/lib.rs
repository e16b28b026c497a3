//! Accounts, results, ratings and statistics: the pure part of everything that outlives a game.
//!
//! Invariant: it knows no clock, no randomness, no file and no socket: time, random bytes and salts are arguments.
//!
//! The server stores the states, checks passwords on threads of their own, and carries out the effects. Every refusal
//! has a stable `code` for programs and words for people.

pub mod handles;
pub mod passwords;

pub mod codes;
pub mod guesses;

pub mod accounts;
pub mod audit;

pub mod conduct;
pub mod invitations;
pub mod letters;
pub mod moderation;
pub mod pushes;
pub mod relations;
pub mod vacations;

pub mod pools;
pub mod ratings;
pub mod results;

pub mod statistics;

pub mod leaderboards;

#[cfg(test)]
mod tests;
