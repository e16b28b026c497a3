//! Changes of logs. A late one is stored after its client has lost the connection and was told that the outcome is unknown.

use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::write_queue::Outcome;
use tilewire_store::{AppendError, NodeId};

use super::disk::{Disk, Fate, State, Vague};
use super::disk_access::{on_purpose, unknown};
use super::disk_nodes::{ANSWER, Proof};
use super::flaws::Flaw;

/// The longest time until a late change is stored, ms.
const LATE_MS: i64 = 3_000;
/// The same for a change of a node among several: longer than a takeover takes.
const LATE_OF_NODE_MS: i64 = 12_000;

/// A change that is stored at some time, unless the database gives it up.
#[derive(Debug)]
pub(super) struct Late {
    change: Change,
    request: u64,
    at: Timestamp,
    proof: Option<Proof>,
    /// Whether its node was told that the outcome is unknown: what the node reads from then on is final.
    is_given_up: bool,
}

impl Disk {
    /// As [`Disk::change`], for a change of a log: it may be stored after the answer that its outcome is unknown.
    pub(super) async fn change_log(&self, change: Change) -> Outcome<Done> {
        let proof = self.proof_of(&change);
        let Some(link) = &self.link else {
            return self.carry_out(change, None).await;
        };
        // The disk stores all that a node has handed over, also when nobody waits for it.
        let (disk, flying) = (self.clone(), link.hands_over());
        let done = tokio::spawn(async move {
            let outcome = disk.carry_out(change, proof).await;
            drop(flying);
            outcome
        });
        done.await.unwrap_or_else(|_| unknown())
    }

    async fn carry_out(&self, change: Change, proof: Option<Proof>) -> Outcome<Done> {
        let request = self.lock().next_request();
        let Some(fate) = self.wait().await else {
            return std::future::pending().await;
        };
        if change.ends_game() {
            self.ended.notify_one();
        }
        let fate = match self.loses_track() {
            true => Fate::Vague(Vague::Late),
            false => fate,
        };
        let is_late = matches!(fate, Fate::Vague(Vague::Late));
        let answer = {
            let mut state = self.lock();
            state.request = request;
            match fate {
                _ if state.is_fenced || !state.proves(proof) => Some(Err(AppendError::Fenced)),
                Fate::Refuse => Some(Err(AppendError::Unavailable(on_purpose()))),
                Fate::Do => Some(Ok(state.apply(change, proof))),
                Fate::Vague(Vague::NotStored) => None,
                Fate::Vague(Vague::Stored) => {
                    state.apply(change, proof); // the caller does not learn of a conflict either
                    None
                }
                Fate::Vague(Vague::Late) => {
                    state.delay(change, proof);
                    None
                }
            }
        };
        if is_late && proof.is_some() {
            // The connection is given up.
            tokio::time::sleep(ANSWER).await;
            self.lock().gives_up(request);
        }
        self.answer(answer).await.unwrap_or_else(unknown)
    }
}

impl State {
    fn apply(&mut self, change: Change, proof: Option<Proof>) -> Done {
        self.by = proof;
        self.see(proof);
        let created = match &change {
            Change::Create {
                meta, asleep: None, ..
            } => Some(meta.game.clone()),
            _ => None,
        };
        let now = self.clock.now();
        let done = self.commit(change, now);
        // The owner of a new game knows its log: a later read takes over nothing.
        if let Some(game) = created.filter(|_| done == Done::Stored) {
            self.is_new_reader(&game, proof);
        }
        done
    }

    /// Stores a change later.
    fn delay(&mut self, change: Change, proof: Option<Proof>) {
        let most = if proof.is_some() {
            LATE_OF_NODE_MS
        } else {
            LATE_MS
        };
        let at = self.clock.now() + Millis(self.lateness.ms(0, most));
        let request = self.request;
        self.late.push(Late {
            change,
            request,
            at,
            proof,
            is_given_up: false,
        });
    }

    /// Stores the late changes that are due.
    pub(super) fn commit_late(&mut self) {
        let now = self.clock.now();
        for late in self
            .late
            .extract_if(.., |late| late.at <= now)
            .collect::<Vec<_>>()
        {
            self.store(late);
        }
    }

    fn store(&mut self, late: Late) {
        // A statement proves the lease when it is stored, not when it begins.
        if self.flaw != Some(Flaw::TermReadBefore) && !self.proves(late.proof) {
            return;
        }
        self.request = late.request;
        self.is_late = late.is_given_up;
        self.apply(late.change, late.proof); // no task waits for the outcome
        self.is_late = false;
    }

    /// A node is told that the outcome of a request is unknown.
    fn gives_up(&mut self, request: u64) {
        let now = self.next_request();
        let given_up = self.late.iter_mut();
        for late in given_up.filter(|late| late.request == request) {
            (late.request, late.is_given_up) = (now, true);
        }
    }

    /// Some late changes of a game are stored just after an owner among several has read its log, if at all.
    pub(super) fn hurry(&mut self, game: &GameId) {
        let now = self.clock.now();
        for late in &mut self.late {
            let is_meant = late.proof.is_some() && late.change.game() == Some(game);
            if is_meant && self.lateness.one_in(2) {
                late.at = now;
            }
        }
    }

    /// The barrier before a read of a game: each late change of it that this server has sent is stored now or never.
    pub(super) fn settle(&mut self, game: &GameId, node: Option<NodeId>) {
        if self.flaw == Some(Flaw::LoadIsNoBarrier) {
            return;
        }
        let of_game = |late: &mut Late| {
            late.change.game() == Some(game) && late.proof.map(|proof| proof.node) == node
        };
        let late: Vec<Late> = self.late.extract_if(.., of_game).collect();
        self.store_or_drop(late);
    }

    /// A server starts: the database has finished or dropped the requests of the previous server.
    pub(super) fn settle_all(&mut self) {
        let late = std::mem::take(&mut self.late);
        self.store_or_drop(late);
    }

    /// Nothing that a node has sent is stored after this.
    pub(super) fn settle_node(&mut self, node: NodeId) {
        if self.flaw == Some(Flaw::LoadIsNoBarrier) {
            return;
        }
        let of_node = |late: &mut Late| late.proof.is_some_and(|proof| proof.node == node);
        let late: Vec<Late> = self.late.extract_if(.., of_node).collect();
        self.store_or_drop(late);
    }

    fn store_or_drop(&mut self, late: Vec<Late>) {
        for late in late {
            if self.lateness.one_in(2) {
                self.store(late);
            }
        }
    }
}
