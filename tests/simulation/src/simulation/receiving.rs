//! The programs behind webhooks in a simulation: they take events, fail, forget to answer, and are away for a while.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_config::{List, WebhookEvent, WebhookPlayers, WebhookTarget, WebhooksConfig};
use tilewire_courier::{Delivery, Endpoint, Undelivered};
use tilewire_rules::time::Millis;

use super::chance::Chance;
use super::disk::Disk;
use super::steps::WebhookNews;

/// The names of the webhooks: one that wants everything, and one that wants the beginnings and ends of public games.
pub const NAMES: [&str; 2] = ["shop", "club"];
/// The secrets of all webhooks.
pub const SECRETS: &str =
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nwhsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
/// The events that the second webhook wants.
const FEW: [WebhookEvent; 5] = [
    WebhookEvent::GameCreated,
    WebhookEvent::GameEnded,
    WebhookEvent::GameCancelled,
    WebhookEvent::GameAdjudicated,
    WebhookEvent::AccountSuspended,
];
/// The longest time until an answer, ms.
const ANSWER_MS: i64 = 1_500;
/// The same for a program that behaves, ms.
const WELL_MS: i64 = 20;
/// The most deliveries that an outage takes.
const OUTAGE: usize = 5;
/// A wait that a program asks for, s: some are longer than it gets.
const ASKED_S: (i64, i64) = (1, 40);

/// Returns the webhooks of a seed: some in every sixth one, and more often with a moderator, so that accounts change.
#[must_use]
pub fn settings(seed: u64, is_moderated: bool) -> WebhooksConfig {
    let mut chance = Chance::new(seed, "webhooks");
    let mut config = WebhooksConfig::default();
    if !chance.one_in(if is_moderated { 2 } else { 6 }) {
        return config;
    }
    config.step_ms = Millis(*chance.pick(&[2_000, 10_000]));
    config.connections = *chance.pick(&[1, 4]);
    config.window = *chance.pick(&[2, 16]);
    config.retry_ms = Millis(*chance.pick(&[500, 5_000]));
    config.retry_max_ms = Millis(*chance.pick(&[5_000, 20_000]));
    config.give_up_ms = Millis(*chance.pick(&[20_000, 86_400_000, 86_400_000]));
    config.queue = *chance.pick(&[8, 10_000, 10_000]);
    let has_private = !chance.one_in(4);
    config.targets = vec![
        target(NAMES[0], List::default(), has_private),
        target(NAMES[1], List(FEW.to_vec()), false),
    ];
    config
}

fn target(name: &str, events: List<WebhookEvent>, private_games: bool) -> WebhookTarget {
    WebhookTarget {
        name: name.to_owned(),
        url: "https://hooks.example/webhook".to_owned(),
        secret_file: "secrets".into(),
        ca_file: "".into(),
        events,
        players: WebhookPlayers::All,
        private_games,
        allow_private: List::default(),
    }
}

/// The program behind one webhook. It outlives every server.
#[derive(Debug)]
pub(super) struct Receiving {
    name: &'static str,
    step_ms: Millis,
    disk: Arc<Disk>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    chance: Chance,
    is_well: bool,
    /// Deliveries until the end of the outage.
    away_for: usize,
}

/// The planned outcome of a delivery.
struct Fate {
    wait_ms: i64,
    /// The step that fails, and the wait that is asked for, s.
    fails: Option<(&'static str, Option<i64>)>,
    is_taken: bool,
}

impl Receiving {
    pub(super) fn new(
        seed: u64,
        name: &'static str,
        step_ms: Millis,
        disk: &Arc<Disk>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            step_ms,
            disk: Arc::clone(disk),
            state: Mutex::new(State {
                chance: Chance::new(seed, name),
                is_well: false,
                away_for: 0,
            }),
        })
    }

    /// From here on it takes every event.
    pub(super) fn behave(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_well = true;
    }

    fn fate(&self) -> Fate {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.fate(self.step_ms)
    }

    async fn take(&self, delivery: Delivery) -> Result<(), Undelivered> {
        let fate = self.fate();
        let wait_ms = u64::try_from(fate.wait_ms).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        // The machine can go down before the event is handed over, and after it.
        if !self.disk.boundary() {
            return std::future::pending().await;
        }
        let is_away = matches!(fate.fails, Some(("connect", _)));
        if !is_away {
            self.disk.tell_webhook(WebhookNews::Posted {
                target: self.name,
                delivery: Box::new(delivery),
                is_taken: fate.is_taken,
            });
        }
        if !self.disk.boundary() {
            return std::future::pending().await;
        }
        match fate.fails {
            None => Ok(()),
            Some((stage, asked)) => Err(Undelivered {
                stage,
                reason: "on purpose".to_owned(),
                retry_after_ms: asked.map(|asked| Millis(asked * 1_000)),
            }),
        }
    }
}

impl State {
    fn fate(&mut self, step_ms: Millis) -> Fate {
        let most_ms = if self.is_well { WELL_MS } else { ANSWER_MS };
        let wait_ms = self.chance.ms(0, most_ms);
        let mut fate = Fate {
            wait_ms,
            fails: None,
            is_taken: true,
        };
        if self.is_well {
            return fate;
        }
        if self.away_for > 0 {
            self.away_for -= 1;
            (fate.fails, fate.is_taken) = (Some(("connect", None)), false);
            return fate;
        }
        match self.chance.below(14) {
            0 => {
                self.away_for = self.chance.index(OUTAGE);
                (fate.fails, fate.is_taken) = (Some(("connect", None)), false);
            }
            // It never answers, so the time for the step is over.
            1 => {
                fate.wait_ms = step_ms.0;
                (fate.fails, fate.is_taken) = (Some(("answer", None)), self.chance.one_in(2));
            }
            2 | 3 => (fate.fails, fate.is_taken) = (Some(("status", None)), self.chance.one_in(4)),
            4 => {
                let asked = self.chance.ms(ASKED_S.0, ASKED_S.1);
                (fate.fails, fate.is_taken) = (Some(("status", Some(asked))), false);
            }
            _ => {}
        }
        fate
    }
}

impl Endpoint for Receiving {
    fn post(&self, delivery: Delivery) -> BoxFuture<'_, Result<(), Undelivered>> {
        self.take(delivery).boxed()
    }
}
