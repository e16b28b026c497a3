//! The stores of a server on the simulated disk: each change and each read of them meets the disk's temper here.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tilewire_people::conduct::Conduct;
use tilewire_protocol::GameId;
use tilewire_sql::access::{Occasion, SimulatedDisk};
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::write_queue::Outcome;
use tilewire_sql::{Connection, LetterChange, SqlStorage, WebhookChange};
use tilewire_store::{
    AccountChange, AppendError, Chapter, ConductRow, Cursor, ResultStore, Shard, StoreError,
};

use super::disk::{Disk, Fate, State, Vague};
use super::durable::{Step, at_once, stores_on};

/// One look at the journal in so many is late, on a disk that is not perfect.
const LATE_LOOKS: u64 = 4;
/// The longest delay of such a look, ms.
const LATE_MS: i64 = 60_000;

pub(super) fn on_purpose() -> String {
    "on purpose".to_owned()
}

pub(super) fn unknown() -> Outcome<Done> {
    Err(AppendError::OutcomeUnknown(on_purpose()))
}

impl Disk {
    /// Returns the stores of a server.
    #[must_use]
    pub fn stores(self: &Arc<Self>) -> Arc<SqlStorage> {
        self.stores_by(Arc::clone(self) as _)
    }

    /// Returns the stores for a reader of logs beside the games.
    pub(super) fn stores_beside(self: &Arc<Self>) -> Arc<SqlStorage> {
        self.stores_by(Arc::new(Beside(Arc::clone(self))))
    }

    fn stores_by(&self, disk: Arc<dyn SimulatedDisk>) -> Arc<SqlStorage> {
        let terms = self.link.as_ref().map(|link| Arc::clone(&link.terms));
        Arc::new(stores_on(disk, Arc::clone(&self.ended), terms))
    }

    /// Stores an account that existed before.
    pub(super) fn found(&self, change: AccountChange) {
        let mut state = self.lock();
        let now = state.clock.now();
        let done = state.commit(Change::Account(Box::new(change)), now);
        assert_eq!(done, Done::Stored, "nothing is stored yet");
    }

    /// Stores points that a player has from before.
    pub(super) fn had_points(&self, identity: &str, points: u8) {
        let row = ConductRow {
            identity: identity.to_owned(),
            expected: 0,
            conduct: Conduct {
                points,
                ..Conduct::default()
            },
        };
        self.look(|durable| {
            let after: Cursor = at_once(durable.stores.cursor()).expect("memory can be read");
            let chapter = Chapter {
                after,
                until: after.arrival,
                results: Vec::new(),
                ratings: Vec::new(),
                conduct: vec![row],
                waits: Vec::new(),
            };
            at_once(durable.stores.write(chapter)).expect("nothing else writes");
        });
    }

    /// Carries a change out that is none of a log: waits, stores, answers; never returns when the machine goes down.
    async fn change(&self, change: Change) -> Outcome<Done> {
        let asked_at = self.lock().clock.now();
        let proof = self.proof_of(&change);
        let Some(fate) = self.wait().await else {
            return std::future::pending().await;
        };
        let fate = if self.has_lease() { fate } else { Fate::Refuse };
        let make = || {
            let mut state = self.lock();
            match change.game() {
                Some(_) if state.is_fenced || !state.proves(proof) => Err(AppendError::Fenced),
                _ => Ok(state.commit(change, asked_at)),
            }
        };
        let answer = match fate {
            Fate::Refuse => Some(Err(AppendError::Unavailable(on_purpose()))),
            Fate::Vague(Vague::Stored) => {
                make().ok(); // the caller does not learn of a refusal either
                None
            }
            Fate::Vague(Vague::NotStored | Vague::Late) => None,
            Fate::Do => Some(make()),
        };
        self.answer(answer).await.unwrap_or_else(unknown)
    }

    async fn append(&self, game: GameId, change: Change) -> Outcome<Done> {
        self.lock().asked(&game);
        let outcome = self.change_log(change).await;
        if outcome == Ok(Done::Stored) {
            self.lock().answered(&game);
        }
        outcome
    }

    async fn rest(&self, game: GameId, change: Change) -> Outcome<Done> {
        self.lock().asked_to_rest(&game);
        let outcome = self.change(change).await;
        // Meanwhile the game could not append.
        self.lock().rested(&game);
        outcome
    }

    async fn write_chapter(&self, change: Change) -> Outcome<Done> {
        let outcome = self.change(change).await;
        if outcome == Ok(Done::Stored) {
            self.lock().chronicle(Step::Known);
        }
        outcome
    }

    /// A server gets the log of a game.
    fn loads(&self, state: &mut State, game: &GameId) {
        let node = self.node();
        // Before a node plays the games of a part, it may look at their logs.
        let proof = self.proof(Shard::of(game).into());
        let is_owner = node.is_none() || proof.is_some() && state.proves(proof);
        let is_takeover = is_owner && state.is_new_reader(game, proof);
        if is_takeover {
            state.times.remove(game);
        }
        state.was_read(game, is_owner);
        state.settle(game, node);
        if is_owner {
            state.loaded(game, is_takeover);
            state.hurry(game);
        }
    }

    /// Waits until a read can be made; `None` when the machine goes down.
    async fn reach_for(&self, occasion: &Occasion) -> Option<Result<(), StoreError>> {
        let refused = || Some(Err(StoreError::Unavailable(on_purpose())));
        match occasion {
            // A server that cannot read this does not start, so the disk never refuses it.
            Occasion::Start | Occasion::Ratings | Occasion::Glance => return Some(Ok(())),
            Occasion::Load(games) => {
                let mut state = self.lock();
                if games.iter().any(|game| state.refuses_to_read(game)) {
                    return refused();
                }
            }
            // A look at the journal can be late. The time of the simulation is virtual, so nothing waits.
            Occasion::Follow => {
                let late_ms = self.lock().late_look();
                if late_ms > 0 {
                    tokio::time::sleep(Duration::from_millis(late_ms)).await;
                }
            }
            Occasion::Request | Occasion::Poll => {}
        }
        match self.wait().await? {
            Fate::Do => Some(Ok(())),
            Fate::Refuse | Fate::Vague(_) => refused(),
        }
    }
}

impl State {
    /// Returns the delay of a look at the journal: a turn can be over before its letter is written.
    fn late_look(&mut self) -> u64 {
        let is_late = self.temper().wait_ms > 0 && self.lateness.one_in(LATE_LOOKS);
        match is_late {
            true => u64::try_from(self.lateness.ms(0, LATE_MS)).unwrap_or(0),
            false => 0,
        }
    }
}

impl SimulatedDisk for Disk {
    fn write(&self, change: Change) -> BoxFuture<'_, Outcome<Done>> {
        match &change {
            Change::Create { .. } => self.change_log(change).boxed(),
            Change::Append { game, .. } => self.append(game.clone(), change).boxed(),
            Change::Rest(rest, _) => self.rest(rest.game.clone(), change).boxed(),
            Change::Chapter(_) => self.write_chapter(change).boxed(),
            // A server that cannot do these does not start, so the disk never refuses them.
            Change::Letter(LetterChange::Begun(_))
            | Change::Webhook(WebhookChange::Begin(_) | WebhookChange::Prune(..)) => {
                let mut state = self.lock();
                let now = state.clock.now();
                ready(Ok(state.commit(change, now))).boxed()
            }
            _ => self.change(change).boxed(),
        }
    }

    fn reach<'a>(&'a self, occasion: &'a Occasion) -> BoxFuture<'a, Result<(), StoreError>> {
        async move {
            match self.reach_for(occasion).await {
                Some(reached) => reached,
                None => std::future::pending().await,
            }
        }
        .boxed()
    }

    fn view(&self, occasion: &Occasion, read: &mut dyn FnMut(&Connection)) {
        let mut state = self.lock();
        match occasion {
            Occasion::Load(games) => {
                for game in games {
                    self.loads(&mut state, game);
                }
            }
            Occasion::Ratings => state.chronicle(Step::Known),
            _ => {}
        }
        state.view(occasion, self.link.is_some(), read);
    }
}

/// The disk for a reader of logs beside the games: what it reads says nothing about when a game could act.
#[derive(Debug)]
struct Beside(Arc<Disk>);

impl SimulatedDisk for Beside {
    fn write(&self, change: Change) -> BoxFuture<'_, Outcome<Done>> {
        self.0.write(change)
    }

    fn reach<'a>(&'a self, occasion: &'a Occasion) -> BoxFuture<'a, Result<(), StoreError>> {
        self.0.reach(match occasion {
            Occasion::Load(_) => &Occasion::Request,
            other => other,
        })
    }

    fn view(&self, occasion: &Occasion, read: &mut dyn FnMut(&Connection)) {
        match occasion {
            Occasion::Load(_) => self.0.view(&Occasion::Request, read),
            other => self.0.view(other, read),
        }
    }
}
