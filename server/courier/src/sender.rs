//! Letters in the outbox: reads, looks at, sends and settles them.

use std::sync::Arc;

use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use super::compose::Parcel;
use super::context::LetterContext;
use super::machine::{Bounds, Outcome};
use super::outbox::{Entry, Looked, Reason, Service};
use super::smtp::{Carrier, Failure};
use tilewire_accounts::people::MailReach;
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_store::{Settlement, StoreError, StoredLetter};

/// Sends letters.
#[derive(Debug)]
pub(crate) struct LetterSender {
    /// Looks at letters before they are sent.
    pub(crate) context: LetterContext,
    /// The mail server.
    pub(crate) post: Arc<dyn Carrier>,
    /// Whether the mail server can be reached.
    pub(crate) reach: MailReach,
}

impl LetterSender {
    /// Notes how a conversation with the mail server ended, and logs a change.
    fn note(&self, failure: Option<&Failure>) {
        let unreached = failure.filter(|failure| failure.outcome == Outcome::Unreachable);
        let is_there = unreached.is_none();
        metrics::mail_reached(is_there);
        let before = self.reach.note(Some(is_there));
        match unreached {
            Some(failure) if before != Some(false) => {
                let stage = failure.stage.name();
                tracing::warn!(stage, "letters wait for the mail server");
            }
            None if before == Some(false) => {
                tracing::info!("the mail server is there: letters go out");
            }
            _ => {}
        }
    }
}

impl Service for LetterSender {
    type Channel = Bounds;
    type Stored = StoredLetter;
    type Content = Parcel;

    const WAITING: &'static str = "letters";

    fn clock(&self) -> &ServerClock {
        &self.context.clock
    }

    fn entry(&self, stored: &StoredLetter) -> Entry<Bounds> {
        let letter = &stored.letter;
        Entry {
            key: letter.key.clone(),
            destination: (),
            kind: letter.content.kind(),
            at: letter.at,
            until: letter.until,
            tries: stored.tries,
            unknown: stored.unknown,
        }
    }

    async fn due(
        &self,
        _queue: usize,
        now: Timestamp,
        most: usize,
        _without: Vec<()>,
    ) -> Result<Vec<StoredLetter>, StoreError> {
        self.context.store.letters_due(now, most).await
    }

    async fn look(&self, stored: StoredLetter) -> Looked<Self> {
        self.context.look(&stored).await
    }

    async fn begin(&self, key: &String) -> Result<bool, StoreError> {
        self.context.store.begin_letter(key).await
    }

    async fn send(&self, _queue: usize, stored: StoredLetter, parcel: Option<Parcel>) -> Outcome {
        let Some(parcel) = parcel else {
            // It was looked at, so there is one. Without it the letter is due again.
            return Outcome::Later;
        };
        let kind = stored.letter.content.kind().name();
        reached(Point::BeforeMail);
        let started = self.context.clock.now();
        let ended = self.post.carry(&parcel).await;
        self.note(ended.as_ref().err());
        let outcome = match ended {
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
        let took = Millis(self.context.clock.now().since(started).max(0));
        metrics::mail_conversation(took.to_duration());
        outcome
    }

    async fn settle(&self, stored: StoredLetter, fate: Settlement) -> Result<(), StoreError> {
        self.context.store.settle_letter(stored, fate).await
    }

    fn dropped(&self, kind: LetterKind, reason: Reason) {
        metrics::letter_dropped(kind.name(), reason.name());
    }

    async fn tend(&self) {
        if let Ok(waiting) = self.context.store.letters_waiting().await {
            metrics::letters_waiting(waiting);
        }
        // So the operator and players learn of an outage before a letter fails, and of its end.
        if self.reach.last() != Some(true) {
            self.note(self.post.look().await.as_ref().err());
        }
    }
}
