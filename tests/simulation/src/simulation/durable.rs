//! The contents of the simulated disk, its behaviour, and its reports of changes.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;
use tilewire_store::{
    Arrival, CommandKey, Ending, IdentityRow, MemoryAccounts, MemoryHooks, MemoryLetters,
    MemoryResults, NewResult, Rest, StoredCommand, StoredGame,
};

use super::disk_letters::Arrived;
use super::disk_nodes::Proof;
use super::disk_vacations::StoredVacations;

/// How a disk behaves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Temper {
    /// Longest time a request waits, ms.
    pub wait_ms: i64,
    /// One request in so many is not taken; 0 for none.
    pub refuses: u64,
    /// One request in so many has an outcome that is not told; 0 for none.
    pub is_vague: u64,
    /// One request in so many takes a long time; 0 for none.
    pub stalls: u64,
    /// One boundary in so many brings the machine down; 0 for none.
    pub crashes: u64,
}

/// The durable state.
#[derive(Debug, Default)]
pub struct Durable {
    /// Every game.
    pub games: BTreeMap<GameId, StoredGame>,
    /// Those that sleep.
    pub asleep: BTreeMap<GameId, Rest>,
    /// How often a game fell asleep.
    pub rests: u64,
    /// Open seeks by id.
    pub seeks: BTreeMap<String, Vec<u8>>,
    /// Commands of the lobby with their answers.
    pub commands: BTreeMap<CommandKey, StoredCommand>,
    /// All identities.
    pub identities: BTreeMap<String, IdentityRow>,
    /// The accounts of registered players.
    pub accounts: MemoryAccounts,
    /// The families of tokens whose sessions have ended.
    pub revoked: BTreeSet<String>,
    /// The ends of games, in the order of arrival.
    pub endings: Vec<Ending>,
    /// The records of all games, in the order of arrival.
    pub turned: Vec<Arrived>,
    /// The vacations of players.
    pub vacations: BTreeMap<String, StoredVacations>,
    /// The events for webhooks, and the notes of accounts.
    pub hooks: MemoryHooks,
    /// The outbox and the mailboxes.
    pub letters: MemoryLetters,
    /// Results, ratings and the place of the chronicle.
    pub results: MemoryResults,
}

/// A durable change.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The game.
    pub game: GameId,
    /// How many records its log has now.
    pub head: u64,
    /// How many of them are new.
    pub count: u64,
    /// When it was asked for, the first time if the disk did not take it at once.
    pub asked_at: Timestamp,
    /// When the disk was done with the game's append before it; the server could not ask sooner.
    pub free_at: Timestamp,
    /// The number of this change of the disk.
    pub version: u64,
    /// The number of the request for this change.
    pub request: u64,
    /// The number of the last request that the disk answered with the game's log, to its owner; 0 if there was none.
    pub loaded: u64,
    /// The node that stored it, of several, and what it proved.
    pub by: Option<Proof>,
}

/// A change by the chronicle.
#[derive(Debug, Clone)]
pub struct Chronicled {
    /// How many changes of logs the disk had seen.
    pub version: u64,
    /// The step.
    pub step: Step,
}

/// A step of the chronicle.
#[derive(Debug, Clone)]
pub enum Step {
    /// A chapter became durable.
    Written {
        /// The results in it.
        results: Vec<NewResult>,
        /// The place up to which the journal is written into results.
        until: Arrival,
    },
    /// The server knows the ratings after the last chapter: it was told that the chapter is stored, or has read them.
    Known,
}
