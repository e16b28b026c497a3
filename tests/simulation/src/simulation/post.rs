//! A mail server in a simulation: it takes letters, puts them off, refuses them, loses its answers, and is away for a while.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_courier::{Carrier, Failure, Outcome, Parcel, Stage};

use super::chance::Chance;
use super::disk::Disk;
use super::steps::LetterNews;

/// The longest conversation, ms.
const TALK_MS: i64 = 2_000;
/// The most conversations that an outage takes.
const OUTAGE: usize = 5;

/// The mail server. It outlives every server.
#[derive(Debug)]
pub(super) struct Post {
    disk: Arc<Disk>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    chance: Chance,
    is_well: bool,
    /// Conversations until the end of the outage.
    away_for: usize,
}

impl Post {
    pub(super) fn new(seed: u64, disk: &Arc<Disk>) -> Arc<Self> {
        Arc::new(Self {
            disk: Arc::clone(disk),
            state: Mutex::new(State {
                chance: Chance::new(seed, "post"),
                is_well: false,
                away_for: 0,
            }),
        })
    }

    /// From here on it takes every letter.
    pub(super) fn behave(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_well = true;
    }

    /// Returns the length of a conversation, how it ends, and whether the mail server takes the letter.
    fn fate(&self) -> (u64, Outcome, bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wait_ms = state.chance.ms(0, TALK_MS);
        let (outcome, is_taken) = state.outcome();
        (u64::try_from(wait_ms).unwrap_or(0), outcome, is_taken)
    }

    async fn talk(&self, parcel: &Parcel) -> Result<(), Failure> {
        let (wait_ms, outcome, is_taken) = self.fate();
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        // The machine can go down before the letter is handed over, and after it.
        if !self.disk.boundary() {
            return std::future::pending().await;
        }
        if is_taken {
            let taken = LetterNews::Taken(parcel.bytes.clone());
            self.disk.tell_letter(taken);
        }
        if !self.disk.boundary() {
            return std::future::pending().await;
        }
        let stage = match outcome {
            Outcome::Sent => return Ok(()),
            Outcome::Unreachable => Stage::Connect,
            Outcome::Later | Outcome::Refused => Stage::Recipient,
            Outcome::Unknown => Stage::Letter,
        };
        Err(Failure {
            stage,
            reason: "on purpose".to_owned(),
            outcome,
        })
    }
}

impl State {
    fn outcome(&mut self) -> (Outcome, bool) {
        if self.is_well {
            return (Outcome::Sent, true);
        }
        if self.away_for > 0 {
            self.away_for -= 1;
            return (Outcome::Unreachable, false);
        }
        match self.chance.below(12) {
            0 => {
                self.away_for = self.chance.index(OUTAGE);
                (Outcome::Unreachable, false)
            }
            1 | 2 => (Outcome::Later, false),
            3 => (Outcome::Refused, false),
            4 | 5 => (Outcome::Unknown, self.chance.one_in(2)),
            _ => (Outcome::Sent, true),
        }
    }
}

impl Carrier for Post {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> BoxFuture<'a, Result<(), Failure>> {
        self.talk(parcel).boxed()
    }
}
