//! The storage contract for webhooks on the simulated disk: the one in memory, made as slow and as unreliable as the rest. Each step
//! is reported to the auditor.

use futures::future::BoxFuture;
use tilewire_courier::Delivery;
use tilewire_people::moderation::{Deed, Restraint};
use tilewire_rules::time::Timestamp;
use tilewire_store::{
    AccountChange, AccountNews, AccountNewsKind, Arrival, ChapterError, Cursor, HookCount,
    HookFate, HookKey, HookPage, HookStore, ModerationChange, ModerationStore, NewHook, StoreError,
    StoredHook, TurnedPage,
};

use super::disk::{Disk, State};
use super::disk_people::{at_once, on_purpose};

/// A step of an event, in the order in which they happened.
#[derive(Debug, Clone)]
pub struct HookStep {
    /// When, by the server's clock.
    pub at: Timestamp,
    /// The step.
    pub what: HookNews,
}

/// A step in the life of an event.
#[derive(Debug, Clone)]
pub enum HookNews {
    /// An account has changed.
    Noted(AccountNews),
    /// It came into the outbox.
    Written(Box<NewHook>),
    /// It has failed because too many wait.
    PushedOut(HookKey),
    /// Its outcome is stored.
    Settled(HookKey, HookFate),
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

impl State {
    fn tell_hook(&mut self, what: HookNews) {
        let at = self.clock.now();
        self.hook_steps.push(HookStep { at, what });
    }

    /// Notes a change of an account.
    pub(super) fn follow_for_hooks(&mut self, change: &AccountChange) {
        if let Some(note) = self.durable.hooks.follow(change) {
            self.tell_hook(HookNews::Noted(note));
        }
    }

    /// Returns what webhooks learn of an act before it is stored.
    pub(super) fn news_of(
        &self,
        change: &ModerationChange,
    ) -> Option<(AccountNewsKind, Option<Timestamp>)> {
        match &change.deed {
            Deed::Restrain(Restraint::Suspend) => {
                Some((AccountNewsKind::Suspended, change.action.until))
            }
            Deed::Undo(entry) => {
                let standing = at_once(self.durable.accounts.standing()).ok()?;
                let mut suspensions = standing.restrictions.iter();
                let is_one = suspensions.any(|own| {
                    own.entry == *entry
                        && own.identity == change.action.target
                        && own.restraint == Restraint::Suspend
                });
                is_one.then_some((AccountNewsKind::Restored, None))
            }
            _ => None,
        }
    }

    /// Notes what a moderator has done to an account.
    pub(super) fn note_for_hooks(
        &mut self,
        change: &ModerationChange,
        (kind, until): (AccountNewsKind, Option<Timestamp>),
    ) {
        let about = (change.action.target.as_str(), kind);
        if let Some(note) = self.durable.hooks.note(about, change.at, None, until) {
            self.tell_hook(HookNews::Noted(note));
        }
    }

    fn write_hooks(&mut self, page: &HookPage) -> Result<u64, ChapterError> {
        let written = self.durable.hooks.write(page)?;
        for hook in written.hooks {
            self.tell_hook(HookNews::Written(Box::new(hook)));
        }
        let pushed_out = u64::try_from(written.pushed_out.len()).unwrap_or(u64::MAX);
        for key in written.pushed_out {
            self.tell_hook(HookNews::PushedOut(key));
        }
        Ok(pushed_out)
    }

    fn settle_hook(&mut self, key: HookKey, fate: HookFate) {
        self.durable.hooks.settle(&key, fate);
        self.tell_hook(HookNews::Settled(key, fate));
    }
}

impl Disk {
    /// Takes the steps of events for webhooks since the last call.
    pub fn take_hook_steps(&self) -> Vec<HookStep> {
        std::mem::take(&mut self.lock().hook_steps)
    }

    /// Reports a step of an event that happened outside of the disk.
    pub(super) fn tell_hook(&self, what: HookNews) {
        self.lock().tell_hook(what);
        self.changed.notify_one();
    }
}

impl HookStore for Disk {
    fn begin_hooks(&self, targets: Vec<String>) -> BoxFuture<'_, Result<(), StoreError>> {
        // A server that cannot do this does not start, so the disk never refuses it.
        Box::pin(async move {
            let mut state = self.lock();
            let end = Arrival(state.version);
            state.durable.hooks.begin(&targets, end);
            Ok(())
        })
    }

    fn hook_cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        // It is looked at all the time, mostly for nothing.
        Box::pin(async { Ok(self.look(|durable| durable.hooks.cursor())) })
    }

    fn changed_games(
        &self,
        after: Arrival,
        rows: usize,
    ) -> BoxFuture<'_, Result<TurnedPage, StoreError>> {
        Box::pin(self.read_turned(after, move |durable| {
            durable.turned_page(after, rows, |_| true)
        }))
    }

    fn account_news(&self, limit: usize) -> BoxFuture<'_, Result<Vec<AccountNews>, StoreError>> {
        Box::pin(async move {
            if self.look(|durable| durable.hooks.notes(1).is_empty()) {
                return Ok(Vec::new());
            }
            self.read(|state| state.durable.hooks.notes(limit)).await
        })
    }

    fn write_hooks(&self, page: HookPage) -> BoxFuture<'_, Result<u64, ChapterError>> {
        let fail = || Err(ChapterError::Store(on_purpose()));
        let write = move |state: &mut State| state.write_hooks(&page);
        Box::pin(self.change(fail, fail, write))
    }

    fn hooks_due<'a>(
        &'a self,
        target: &'a str,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredHook>, StoreError>> {
        Box::pin(async move {
            // It is looked at all the time, mostly for nothing.
            if !self.look(|durable| durable.hooks.is_due(target, now)) {
                return Ok(Vec::new());
            }
            self.read(|state| state.durable.hooks.due(target, now, limit))
                .await
        })
    }

    fn settle_hook(&self, key: HookKey, fate: HookFate) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let settled = move |state: &mut State| {
            state.settle_hook(key, fate);
            Ok(())
        };
        Box::pin(self.change(fail, fail, settled))
    }

    fn prune_hooks(&self, before: Timestamp, kept: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        // Nothing waits for this, and a simulation is too short for it.
        Box::pin(async move {
            self.lock().durable.hooks.prune(before, kept);
            Ok(())
        })
    }

    fn hook_counts(&self, now: Timestamp) -> BoxFuture<'_, Result<Vec<HookCount>, StoreError>> {
        Box::pin(async move { Ok(self.look(|durable| durable.hooks.counts(now))) })
    }
}
