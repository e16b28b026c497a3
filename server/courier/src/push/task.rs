//! The task of the courier of pushes: carries out what the machine decides.

use std::collections::HashMap;
use std::sync::Arc;

use tilewire_rules::time::Millis;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::content::Said;
use super::desk::Desk;
use super::machine::Courier;
use super::office::Office;
use super::terms::{Bounds, Effect, Entry, Input, Look, Outcome};
use crate::work;
use crate::work::{Shell, known};
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_store::{PushSettlement, StoreError, StoredPush};

/// The name of the items that wait for the storage, in the log.
const WAITING: &str = "pushes";

/// The courier with everything that it uses.
#[derive(Debug)]
pub(super) struct Post {
    /// Looks at pushes before they are sent.
    pub(super) desk: Arc<Desk>,
    /// Hands pushes over.
    pub(super) office: Arc<Office>,
    /// The bounds.
    pub(super) bounds: Bounds,
}

/// The result of a piece of work.
enum Report {
    Due(Result<Vec<StoredPush>, StoreError>),
    Looked(String, Result<(Look, Option<Said>), StoreError>),
    Begun(String, Result<bool, StoreError>),
    Ended(String, Outcome),
    Settled(String, Result<(), StoreError>),
    Counted,
}

/// A push in work.
struct Held {
    stored: StoredPush,
    said: Option<Said>,
}

/// The task.
struct Task {
    post: Post,
    courier: Courier,
    held: HashMap<String, Held>,
    work: JoinSet<Report>,
}

/// Sends pushes until `stop`.
pub(super) async fn run(post: Post, stop: CancellationToken) {
    let task = Task {
        courier: Courier::new(post.bounds),
        post,
        held: HashMap::new(),
        work: JoinSet::new(),
    };
    work::run(task, stop).await;
}

impl Shell for Task {
    type Report = Report;

    fn work(&mut self) -> &mut JoinSet<Report> {
        &mut self.work
    }

    fn wakes_in(&self) -> Millis {
        self.courier.wakes_at() - self.post.desk.clock.now()
    }

    fn tick(&mut self) {
        self.handle(Input::Tick);
    }

    fn stop(&mut self) {
        self.handle(Input::Stop);
    }

    fn tend(&mut self) {
        let desk = Arc::clone(&self.post.desk);
        self.work.spawn(async move {
            if let Ok(waiting) = desk.store.pushes_waiting().await {
                metrics::pushes_waiting(waiting);
            }
            Report::Counted
        });
    }

    fn report(&mut self, report: Report) {
        let input = match report {
            Report::Due(found) => Input::Due(known(WAITING, found).map(|pushes| self.hold(pushes))),
            Report::Looked(key, looked) => {
                let looked = known(WAITING, looked).map(|(look, said)| {
                    if let Some(held) = self.held.get_mut(&key) {
                        held.said = said;
                    }
                    look
                });
                Input::Looked(key, looked)
            }
            Report::Begun(key, begun) => Input::Begun(key, known(WAITING, begun).unwrap_or(false)),
            Report::Ended(key, outcome) => Input::Ended(key, outcome),
            Report::Settled(key, settled) => {
                known(WAITING, settled);
                Input::Settled(key)
            }
            Report::Counted => return,
        };
        self.handle(input);
    }
}

impl Task {
    /// Keeps pushes that are not in work yet; returns what the machine needs of all.
    fn hold(&mut self, pushes: Vec<StoredPush>) -> Vec<Entry> {
        let entry = |stored: StoredPush| {
            let letter = &stored.letter;
            let entry = Entry {
                key: stored.key.clone(),
                service: stored.service.clone(),
                kind: letter.content.kind(),
                at: letter.at,
                until: letter.until,
                tries: stored.tries,
                unknown: stored.unknown,
            };
            let held = Held { stored, said: None };
            self.held.entry(entry.key.clone()).or_insert(held);
            entry
        };
        pushes.into_iter().map(entry).collect()
    }

    fn handle(&mut self, input: Input) {
        let now = self.post.desk.clock.now();
        for effect in self.courier.handle(now, input) {
            self.carry_out(effect);
        }
        // The machine has let go of some.
        let courier = &self.courier;
        self.held.retain(|key, _| courier.holds(key));
    }

    fn carry_out(&mut self, effect: Effect) {
        let desk = Arc::clone(&self.post.desk);
        match effect {
            Effect::Read { most, without } => {
                self.work.spawn(async move {
                    let now = desk.clock.now();
                    Report::Due(desk.store.pushes_due(now, without, most).await)
                });
            }
            Effect::Look(key) => {
                let Some(stored) = self.stored(&key) else {
                    return;
                };
                self.work.spawn(async move {
                    let looked = desk.look(&stored).await;
                    Report::Looked(key, looked)
                });
            }
            Effect::Begin(key) => {
                self.work.spawn(async move {
                    let begun = desk.store.begin_push(&key).await;
                    Report::Begun(key, begun)
                });
            }
            Effect::Send(key) => self.send(key),
            Effect::Settle(key, settlement) => self.settle(key, settlement),
            Effect::Drop(kind, reason) => metrics::push_dropped(kind.name(), reason.name()),
        }
    }

    fn stored(&self, key: &str) -> Option<StoredPush> {
        self.held.get(key).map(|held| held.stored.clone())
    }

    fn send(&mut self, key: String) {
        let held = self.held.get_mut(&key);
        let found = held.and_then(|held| Some((held.stored.clone(), held.said.take()?)));
        let Some((stored, said)) = found else {
            // It was looked at, so there is one. Without it the push is due again.
            self.work
                .spawn(async { Report::Ended(key, Outcome::Later(None)) });
            return;
        };
        let (desk, office) = (Arc::clone(&self.post.desk), Arc::clone(&self.post.office));
        self.work.spawn(async move {
            reached(Point::BeforeWebPush);
            let started = desk.clock.now();
            let outcome = office.send(&stored, said, started).await;
            if outcome == Outcome::Sent {
                reached(Point::AfterWebPush);
                metrics::push_sent(stored.letter.content.kind().name());
            }
            let took = Millis(desk.clock.now().since(started).max(0));
            metrics::push_request(took.to_duration());
            Report::Ended(key, outcome)
        });
    }

    fn settle(&mut self, key: String, settlement: PushSettlement) {
        let Some(stored) = self.stored(&key) else {
            return;
        };
        let desk = Arc::clone(&self.post.desk);
        self.work.spawn(async move {
            let settled = desk.store.settle_push(stored, settlement).await;
            Report::Settled(key, settled)
        });
    }
}
