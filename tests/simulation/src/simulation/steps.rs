//! The steps of letters and of events for webhooks, as the auditor gets them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewire_courier::Delivery;
use tilewire_delivery::outbound::{Presence, Registry};
use tilewire_rules::time::Timestamp;
use tilewire_sql::changes::Change;
use tilewire_sql::{LetterChange, WebhookChange};
use tilewire_store::{
    AccountNews, NewLetter, NewWebhook, OutboxStore, Settlement, StoredLetter, WebhookFate,
    WebhookKey, WebhookPage,
};

use super::disk::{Disk, State};
use super::durable::{ALL, Durable, at_once};

/// A step of a letter, in the order in which they happened.
#[derive(Debug, Clone)]
pub struct LetterStep {
    /// When, by the server's clock.
    pub at: Timestamp,
    /// The step.
    pub what: LetterNews,
}

/// A step in the life of a letter.
#[derive(Debug, Clone)]
pub enum LetterNews {
    /// It came into the outbox.
    Written(Box<NewLetter>),
    /// The courier asked whether a player is here.
    Asked {
        /// The player.
        identity: String,
        /// The answer.
        is_present: bool,
    },
    /// Its sending is counted.
    Begun {
        /// The letter.
        key: String,
        /// When the courier wanted to send it.
        asked_at: Timestamp,
    },
    /// Its outcome is stored.
    Settled(Box<StoredLetter>, Settlement),
    /// The mail server has taken a message.
    Taken(Vec<u8>),
}

/// A step of an event, in the order in which they happened.
#[derive(Debug, Clone)]
pub struct WebhookStep {
    /// When, by the server's clock.
    pub at: Timestamp,
    /// The step.
    pub what: WebhookNews,
}

/// A step in the life of an event.
#[derive(Debug, Clone)]
pub enum WebhookNews {
    /// An account has changed.
    Noted(AccountNews),
    /// It came into the outbox.
    Written(Box<NewWebhook>),
    /// It has failed because too many wait.
    PushedOut(WebhookKey),
    /// Its outcome is stored.
    Settled(WebhookKey, WebhookFate),
    /// A webhook was sent an event.
    Posted {
        /// The name of the webhook.
        target: &'static str,
        /// The delivery that was sent.
        delivery: Box<Delivery>,
        /// Whether it has stored the event.
        is_taken: bool,
    },
}

/// The outboxes before a change, as far as the change can write to them.
#[derive(Debug, Default)]
pub(super) struct Outboxes {
    letters: Option<BTreeSet<String>>,
    notes: Option<BTreeSet<u64>>,
    /// Whether each event has failed.
    webhooks: Option<BTreeMap<WebhookKey, bool>>,
}

impl Outboxes {
    pub(super) fn before(change: &Change, durable: &Durable) -> Self {
        let is_of_account = matches!(change, Change::Account(_) | Change::Moderation(_));
        let writes = match change {
            Change::Lobby(change) => !change.letters.is_empty(),
            Change::Letter(change) => !matches!(change, LetterChange::Begin(_)),
            _ => is_of_account,
        };
        let is_page = matches!(change, Change::Webhook(WebhookChange::Page(_)));
        let letters = || {
            let keys = durable.platter.column("SELECT key FROM outbox");
            keys.into_iter().collect()
        };
        let notes = || notes(durable).into_iter().map(|note| note.number).collect();
        Self {
            letters: writes.then(letters),
            notes: is_of_account.then(notes),
            webhooks: is_page.then(|| webhooks(durable)),
        }
    }
}

fn notes(durable: &Durable) -> Vec<AccountNews> {
    at_once(durable.stores.account_news(ALL)).expect("memory can be read")
}

fn webhooks(durable: &Durable) -> BTreeMap<WebhookKey, bool> {
    let rows = durable.platter.column::<String>(
        "SELECT json_array(target, lane, place, failed_at IS NOT NULL) FROM hook_outbox",
    );
    let decoded = rows.iter().map(|row| {
        let row: (String, String, u64, u8) = serde_json::from_str(row).expect("it is JSON");
        let (target, lane, place, has_failed) = row;
        let key = WebhookKey {
            target,
            lane,
            place,
        };
        (key, has_failed == 1)
    });
    decoded.collect()
}

impl State {
    pub(super) fn tell_letter(&mut self, what: LetterNews) {
        let at = self.clock.now();
        self.letter_steps.push(LetterStep { at, what });
    }

    fn tell_webhook(&mut self, what: WebhookNews) {
        let at = self.clock.now();
        self.webhook_steps.push(WebhookStep { at, what });
    }

    /// Reports what a change has done to the outboxes.
    pub(super) fn tell_steps(&mut self, change: &Change, before: &Outboxes, asked_at: Timestamp) {
        match change {
            Change::Letter(LetterChange::Begin(key)) => {
                let key = key.clone();
                self.tell_letter(LetterNews::Begun { key, asked_at });
            }
            Change::Letter(LetterChange::Settle(letter, settlement)) => {
                self.tell_letter(LetterNews::Settled(letter.clone(), *settlement));
            }
            Change::Webhook(WebhookChange::Settle(key, fate)) => {
                self.tell_webhook(WebhookNews::Settled(key.clone(), *fate));
            }
            Change::Webhook(WebhookChange::Page(page)) => self.tell_page(page, before),
            _ => {}
        }
        if let Some(known) = &before.notes {
            let notes = notes(&self.durable).into_iter();
            for note in notes.filter(|note| !known.contains(&note.number)) {
                self.tell_webhook(WebhookNews::Noted(note));
            }
        }
        if let Some(known) = &before.letters {
            let letters = self.durable.stores.letters_due(Timestamp(i64::MAX), ALL);
            let letters = at_once(letters).expect("memory can be read").into_iter();
            for stored in letters.filter(|stored| !known.contains(&stored.letter.key)) {
                self.tell_letter(LetterNews::Written(Box::new(stored.letter)));
            }
        }
    }

    fn tell_page(&mut self, page: &WebhookPage, before: &Outboxes) {
        let Some(known) = &before.webhooks else {
            return;
        };
        for webhook in &page.webhooks {
            if !known.contains_key(&webhook.key) {
                self.tell_webhook(WebhookNews::Written(Box::new(webhook.clone())));
            }
        }
        for (key, has_failed) in webhooks(&self.durable) {
            if has_failed && known.get(&key) != Some(&true) {
                self.tell_webhook(WebhookNews::PushedOut(key));
            }
        }
    }
}

impl Disk {
    /// Takes the steps of letters since the last call.
    pub fn take_letter_steps(&self) -> Vec<LetterStep> {
        std::mem::take(&mut self.lock().letter_steps)
    }

    /// Takes the steps of events for webhooks since the last call.
    pub fn take_webhook_steps(&self) -> Vec<WebhookStep> {
        std::mem::take(&mut self.lock().webhook_steps)
    }

    /// Reports a step of a letter that happened outside of the disk.
    pub(super) fn tell_letter(&self, what: LetterNews) {
        self.lock().tell_letter(what);
        self.changed.notify_one();
    }

    /// Reports a step of an event that happened outside of the disk.
    pub(super) fn tell_webhook(&self, what: WebhookNews) {
        self.lock().tell_webhook(what);
        self.changed.notify_one();
    }
}

/// The presence of players, with a report of every question.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) registry: Arc<Registry>,
    pub(super) disk: Arc<Disk>,
}

impl Presence for Watched {
    fn is_online(&self, identity: &str) -> bool {
        let is_present = self.registry.is_online(identity);
        self.disk.tell_letter(LetterNews::Asked {
            identity: identity.to_owned(),
            is_present,
        });
        is_present
    }

    fn online(&self) -> usize {
        self.registry.online()
    }

    fn take_departed(&self) -> BTreeSet<String> {
        self.registry.take_departed()
    }
}
