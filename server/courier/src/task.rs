//! The task of the courier: carries out what the machine decides.

use std::collections::HashMap;
use std::sync::Arc;

use tilewire_rules::time::Millis;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::compose::Parcel;
use super::look::Desk;
use super::machine::{Bounds, Courier, Effect, Entry, Input, Look, Outcome};
use super::smtp::Carrier;
use super::work::{self, Shell, known};
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_store::{Settlement, StoreError, StoredLetter};

/// The name of the items that wait for the storage, in the log.
const WAITING: &str = "letters";

/// The courier with everything that it uses.
#[derive(Debug, Clone)]
pub(crate) struct Office {
    /// Looks at letters before they are sent.
    pub(crate) desk: Arc<Desk>,
    /// The mail server.
    pub(crate) post: Arc<dyn Carrier>,
    /// The bounds.
    pub(crate) bounds: Bounds,
}

/// The result of a piece of work.
enum Report {
    Due(Result<Vec<StoredLetter>, StoreError>),
    Looked(String, Result<(Look, Option<Parcel>), StoreError>),
    Begun(String, Result<bool, StoreError>),
    Ended(String, Outcome),
    Settled(String, Result<(), StoreError>),
    Counted,
}

/// A letter in work.
struct Held {
    stored: StoredLetter,
    parcel: Option<Parcel>,
}

/// The task.
struct Task {
    office: Office,
    courier: Courier,
    held: HashMap<String, Held>,
    work: JoinSet<Report>,
}

/// Sends letters until `stop`.
pub(crate) async fn run(office: Office, stop: CancellationToken) {
    let courier = Courier::new(office.bounds);
    let task = Task {
        office,
        courier,
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
        self.courier.wakes_at() - self.office.desk.clock.now()
    }

    fn tick(&mut self) {
        self.handle(Input::Tick);
    }

    fn stop(&mut self) {
        self.handle(Input::Stop);
    }

    fn tend(&mut self) {
        let desk = Arc::clone(&self.office.desk);
        self.work.spawn(async move {
            if let Ok(waiting) = desk.store.letters_waiting().await {
                metrics::letters_waiting(waiting);
            }
            Report::Counted
        });
    }

    fn report(&mut self, report: Report) {
        let input = match report {
            Report::Due(found) => {
                Input::Due(known(WAITING, found).map(|letters| self.hold(letters)))
            }
            Report::Looked(key, looked) => match known(WAITING, looked) {
                Some((look, parcel)) => {
                    if let Some(held) = self.held.get_mut(&key) {
                        held.parcel = parcel;
                    }
                    Input::Looked(key, Some(look))
                }
                None => Input::Looked(key, None),
            },
            Report::Begun(key, begun) => {
                let is_there = known(WAITING, begun).unwrap_or(false);
                Input::Begun(key, is_there)
            }
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
    /// Keeps letters that are not in work yet; returns what the machine needs of all.
    fn hold(&mut self, letters: Vec<StoredLetter>) -> Vec<Entry> {
        let entry = |stored: StoredLetter| {
            let letter = &stored.letter;
            let entry = Entry {
                key: letter.key.clone(),
                kind: letter.content.kind(),
                at: letter.at,
                until: letter.until,
                tries: stored.tries,
                unknown: stored.unknown,
            };
            let held = Held {
                stored,
                parcel: None,
            };
            self.held.entry(entry.key.clone()).or_insert(held);
            entry
        };
        letters.into_iter().map(entry).collect()
    }

    fn handle(&mut self, input: Input) {
        let now = self.office.desk.clock.now();
        for effect in self.courier.handle(now, input) {
            self.carry_out(effect);
        }
        // The machine has let go of some.
        let courier = &self.courier;
        self.held.retain(|key, _| courier.holds(key));
    }

    fn carry_out(&mut self, effect: Effect) {
        let desk = Arc::clone(&self.office.desk);
        match effect {
            Effect::Read(most) => {
                let now = desk.clock.now();
                self.work
                    .spawn(async move { Report::Due(desk.store.letters_due(now, most).await) });
            }
            Effect::Look(key) => {
                let Some(stored) = self.held.get(&key).map(|held| held.stored.clone()) else {
                    return;
                };
                self.work.spawn(async move {
                    let looked = desk.look(&stored).await;
                    Report::Looked(key, looked)
                });
            }
            Effect::Begin(key) => {
                self.work.spawn(async move {
                    let begun = desk.store.begin_letter(&key).await;
                    Report::Begun(key, begun)
                });
            }
            Effect::Send(key) => self.send(key),
            Effect::Settle(key, settlement) => self.settle(key, settlement),
            Effect::Drop(kind, reason) => metrics::letter_dropped(kind.name(), reason.name()),
        }
    }

    fn send(&mut self, key: String) {
        let held = self.held.get_mut(&key);
        let Some(parcel) = held.and_then(|held| held.parcel.take()) else {
            // It was looked at, so there is one. Without it the letter is due again.
            self.work
                .spawn(async { Report::Ended(key, Outcome::Later) });
            return;
        };
        let (post, kind) = (Arc::clone(&self.office.post), self.kind(&key));
        let desk = Arc::clone(&self.office.desk);
        self.work.spawn(async move {
            reached(Point::BeforeMail);
            let started = desk.clock.now();
            let outcome = match post.carry(&parcel).await {
                Ok(()) => {
                    reached(Point::AfterMail);
                    metrics::letter_sent(kind);
                    Outcome::Sent
                }
                Err(failure) => {
                    let stage = failure.stage.name();
                    metrics::mail_failed(stage);
                    // The words of the mail server can contain the address.
                    tracing::warn!(stage, outcome = ?failure.outcome, kind, "a letter was not sent");
                    failure.outcome
                }
            };
            let took = Millis(desk.clock.now().since(started).max(0));
            metrics::mail_conversation(took.to_duration());
            Report::Ended(key, outcome)
        });
    }

    fn settle(&mut self, key: String, settlement: Settlement) {
        let Some(stored) = self.held.get(&key).map(|held| held.stored.clone()) else {
            return;
        };
        let desk = Arc::clone(&self.office.desk);
        self.work.spawn(async move {
            let settled = desk.store.settle_letter(stored, settlement).await;
            Report::Settled(key, settled)
        });
    }

    fn kind(&self, key: &str) -> &'static str {
        let held = self.held.get(key);
        held.map_or("", |held| held.stored.letter.content.kind().name())
    }
}
