//! The whole server with virtual time and seeded randomness: one thread, no sockets, no files, the same run for the
//! same seed.
//!
//! A seed gives a `scenario`: games with options, the bounds of the server, a `disk` that is slow, fails and crashes, a
//! network (`line`) that delays and breaks, and clients (`person`, `moves`) that play, sleep, send nonsense, disconnect
//! and retry. The server is the real one, from its connections to the contract of its journal. The `auditor` sees
//! everything and panics when a promise is broken.

mod any_move;
pub mod auditor;
mod chatting;
pub mod disk;
mod disk_access;
mod disk_flaws;
mod disk_nodes;
mod disk_times;
pub mod durable;
pub mod flaws;
pub mod invited;
mod late;
pub mod letter_text;
pub mod line;
pub mod manner;
pub mod members;
mod moves;
mod outside;
pub mod person;
mod plays;
mod post;
pub mod receiving;
pub mod relating;
pub mod room;
pub mod scenario;
mod seeking;
pub mod steps;
pub mod trace;
mod world;

pub use tilewire_oracle::chance;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Once;

pub use auditor::{DealingCounts, LetterCounts, NodeCounts, WebhookCounts};
use flaws::Flaw;
use world::World;

/// The command that repeats one seed; its number comes behind `--start`.
pub const REPEAT: &str = "cargo run -p tilewire-simulation --bin simulate -- --seeds 1 --tell";

/// Options of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// A bug put in on purpose.
    pub flaw: Option<Flaw>,
    /// Brings the machine down at this boundary of the disk, counted from 1, and at no other.
    pub crash_at: Option<u64>,
    /// Players write other words of the same length to each other.
    pub other_words: bool,
    /// Keeps a line of everything that happens.
    pub is_told: bool,
    /// Whether several servers share the disk; `None`: in some seeds.
    pub several_nodes: Option<bool>,
}

impl Options {
    /// Says whether several servers share the disk in a seed.
    #[must_use]
    pub fn has_nodes(&self, seed: u64) -> bool {
        let is_free = self.flaw.is_none() && self.crash_at.is_none() && !self.other_words;
        self.several_nodes
            .unwrap_or(is_free && seed % NODES_IN == NODES_AT)
    }
}

/// Of so many seeds, that with this remainder is one with several servers.
const NODES_IN: u64 = 4;
const NODES_AT: u64 = 2;

/// The outcome of a seed.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// A number that follows from everything that happened.
    pub hash: u64,
    /// A number that follows from every frame that a spectator was sent, and its time.
    pub spectators: u64,
    /// The promise that was broken, if one was.
    pub broken: Option<String>,
    /// The losses of servers, in a run with several.
    pub nodes: NodeCounts,
    /// How many games were played.
    pub games: usize,
    /// How many events were stored.
    pub events: usize,
    /// How often the server was started.
    pub starts: usize,
    /// How often the server stood still.
    pub stalls: usize,
    /// How often a game that had slept got credit for outages and stalls.
    pub slept_through: u64,
    /// How often the machine's clock jumped between two starts.
    pub jumps: usize,
    /// How many games changed ratings.
    pub rated: usize,
    /// How many points players got for games that they left.
    pub points: usize,
    /// How many waiting times began.
    pub waits: usize,
    /// How many lines of chat were told.
    pub chat_lines: usize,
    /// How many rematches began.
    pub rematches: u64,
    /// How many games came from seeks with criteria, or from rated quick matches.
    pub with_criteria: u64,
    /// How many invitations became games.
    pub invitations: usize,
    /// How people related to each other, and what moderators did.
    pub dealings: DealingCounts,
    /// The outcomes of letters.
    pub letters: LetterCounts,
    /// The outcomes of events for webhooks.
    pub webhooks: WebhookCounts,
    /// How many requests there were about accounts.
    pub asked: u64,
    /// How often a game fell asleep.
    pub rests: u64,
    /// How many boundaries of the disk were passed.
    pub boundaries: u64,
    /// How many events and answers were checked.
    pub checked: u64,
    /// How often each kind of event happened.
    pub kinds: BTreeMap<&'static str, u64>,
    /// The log of the run, if it was asked for.
    pub lines: Vec<String>,
}

thread_local! {
    /// The message and the place of the last panic of a simulation on this thread; `None` while none runs.
    static BROKEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a seed.
#[must_use]
pub fn run(seed: u64, options: Options) -> Outcome {
    keep_quiet();
    BROKEN.set(Some(String::new()));
    let mut world = World::new(seed, options);
    // A panic of one of the server's tasks does not get here, but is one.
    drop(std::panic::catch_unwind(AssertUnwindSafe(|| world.run())));
    let broken = BROKEN.take().filter(|broken| !broken.is_empty());
    world.outcome(broken)
}

/// Panics of simulations are kept as their outcome instead of being printed; others are printed as ever.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_ours = BROKEN.with_borrow_mut(|broken| {
                // The first one says most.
                if let Some(broken) = broken.as_mut().filter(|broken| broken.is_empty()) {
                    *broken = panic.to_string();
                }
                broken.is_some()
            });
            if !is_ours {
                usual(panic);
            }
        }));
    });
}
