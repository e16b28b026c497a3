//! Webhooks in memory: the outbox and the notes of accounts, for simulations. The slow and obvious form of the contract.

use std::collections::BTreeMap;

use tilewire_people::accounts::Effect;
use tilewire_rules::time::Timestamp;

use super::hooks::game_lane;
use super::{
    AccountChange, AccountNews, AccountNewsKind, Arrival, ChapterError, Cursor, HookCount,
    HookFate, HookKey, HookPage, NewHook, StoredHook,
};

/// An event with its place.
#[derive(Debug, Clone)]
struct Row {
    hook: NewHook,
    due_at: Timestamp,
    tries: u32,
    failed_at: Option<Timestamp>,
}

impl Row {
    const fn waits(&self) -> bool {
        self.failed_at.is_none()
    }
}

/// The changes of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WrittenHooks {
    /// The events that are new.
    pub hooks: Vec<NewHook>,
    /// The events that have failed because too many wait.
    pub pushed_out: Vec<HookKey>,
}

/// The webhooks of a storage in memory.
#[derive(Debug, Default)]
pub struct MemoryHooks {
    outbox: BTreeMap<HookKey, Row>,
    notes: Vec<AccountNews>,
    /// The number of the last note.
    noted: u64,
    cursor: Cursor,
    is_on: bool,
}

impl MemoryHooks {
    /// Begins with these webhooks. After a time without any, this is the place in the journal.
    pub fn begin(&mut self, targets: &[String], end: Arrival) {
        self.outbox.retain(|key, _| targets.contains(&key.target));
        if targets.is_empty() {
            self.notes.clear();
            self.is_on = false;
        } else if !self.is_on {
            self.is_on = true;
            self.cursor = Cursor {
                arrival: end,
                edition: self.cursor.edition + 1,
            };
        }
    }

    /// Notes what happened to an account, if there are webhooks. Returns the note.
    pub fn note(
        &mut self,
        (identity, kind): (&str, AccountNewsKind),
        at: Timestamp,
        name: Option<&str>,
        until: Option<Timestamp>,
    ) -> Option<AccountNews> {
        if !self.is_on {
            return None;
        }
        self.noted += 1;
        let note = AccountNews {
            number: self.noted,
            at,
            kind,
            identity: identity.to_owned(),
            name: name.map(str::to_owned),
            until,
        };
        self.notes.push(note.clone());
        Some(note)
    }

    /// Follows a change of an account. Returns the note, if there is something to note.
    pub fn follow(&mut self, change: &AccountChange) -> Option<AccountNews> {
        let mut effects = change.effects.iter();
        effects.find(|effect| matches!(effect, Effect::ClaimHandle(_)))?;
        let account = &change.account;
        let registration = account.registration.as_ref()?;
        // Every change of a handle leaves a former one.
        let kind = match registration.former_handles.is_empty() {
            true => AccountNewsKind::Registered,
            false => AccountNewsKind::Renamed,
        };
        let handle = registration.handle.as_str();
        self.note((&account.identity, kind), change.at, Some(handle), None)
    }

    /// Returns how far the journal is written into events.
    #[must_use]
    pub const fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Returns the first `limit` notes of accounts.
    #[must_use]
    pub fn notes(&self, limit: usize) -> Vec<AccountNews> {
        self.notes.iter().take(limit).cloned().collect()
    }

    /// Stores events with the new place.
    ///
    /// # Errors
    /// When the place has changed since.
    pub fn write(&mut self, page: &HookPage) -> Result<WrittenHooks, ChapterError> {
        if page.after != self.cursor || !self.is_on {
            return Err(ChapterError::Stale);
        }
        self.cursor = Cursor {
            arrival: page.until,
            edition: page.after.edition + 1,
        };
        self.notes.retain(|note| note.number > page.notes);
        for (game, at) in &page.ended {
            // The end shows everything at once.
            let lane = game_lane(game);
            let held = self.outbox.iter_mut();
            let held = held.filter(|(key, row)| key.lane == lane && row.hook.shown_at > *at);
            for (_, row) in held {
                row.hook.shown_at = *at;
                row.due_at = if row.tries == 0 { *at } else { row.due_at };
            }
        }
        let mut written = WrittenHooks::default();
        let mut targets: Vec<&str> = Vec::new();
        for hook in &page.hooks {
            if self.put(hook) {
                written.hooks.push(hook.clone());
            }
            if !targets.contains(&hook.key.target.as_str()) {
                targets.push(&hook.key.target);
            }
        }
        for target in targets {
            written.pushed_out.extend(self.push_out(target, page));
        }
        Ok(written)
    }

    fn put(&mut self, hook: &NewHook) -> bool {
        let is_new = !self.outbox.contains_key(&hook.key);
        if is_new {
            let row = Row {
                hook: hook.clone(),
                due_at: hook.shown_at,
                tries: 0,
                failed_at: None,
            };
            self.outbox.insert(hook.key.clone(), row);
        }
        is_new
    }

    /// Lets the oldest events beyond the bound fail.
    fn push_out(&mut self, target: &str, page: &HookPage) -> Vec<HookKey> {
        let rows = self.outbox.iter();
        let waiting = rows.filter(|(key, row)| key.target == target && row.waits());
        let mut waiting: Vec<(Timestamp, HookKey)> = waiting
            .map(|(key, row)| (row.hook.at, key.clone()))
            .collect();
        let queue = usize::try_from(page.queue).unwrap_or(usize::MAX);
        let beyond = waiting.len().saturating_sub(queue);
        waiting.sort();
        waiting.truncate(beyond);
        let oldest: Vec<HookKey> = waiting.into_iter().map(|(_, key)| key).collect();
        for key in &oldest {
            if let Some(row) = self.outbox.get_mut(key) {
                row.failed_at = Some(page.now);
            }
        }
        oldest
    }

    /// Returns the first `limit` events of a webhook that are due.
    #[must_use]
    pub fn due(&self, target: &str, now: Timestamp, limit: usize) -> Vec<StoredHook> {
        let rows = self.outbox.iter();
        let waiting = rows.filter(|(key, row)| key.target == target && row.waits());
        let mut first: Vec<&Row> = Vec::new();
        for (_, row) in waiting {
            // The rows are in the order of their lanes and places.
            let last = first.last().map(|last| &last.hook.key.lane);
            if last != Some(&row.hook.key.lane) {
                first.push(row);
            }
        }
        first.retain(|row| row.due_at <= now);
        first.sort_by_key(|row| row.due_at);
        let stored = first.into_iter().take(limit).map(|row| StoredHook {
            key: row.hook.key.clone(),
            kind: row.hook.kind.to_owned(),
            until: row.hook.until,
            tries: row.tries,
            content: row.hook.content.clone(),
        });
        stored.collect()
    }

    /// Says whether an event of a webhook is due.
    #[must_use]
    pub fn is_due(&self, target: &str, now: Timestamp) -> bool {
        let mut rows = self.outbox.iter();
        // It can wait for the one before it in its lane: then a reader finds nothing.
        rows.any(|(key, row)| key.target == target && row.waits() && row.due_at <= now)
    }

    /// Stores the fate of an event.
    pub fn settle(&mut self, key: &HookKey, fate: HookFate) {
        if fate == HookFate::Delivered {
            self.outbox.remove(key);
            return;
        }
        let Some(row) = self.outbox.get_mut(key) else {
            return;
        };
        row.tries += 1;
        match fate {
            HookFate::Later(due_at) => row.due_at = due_at,
            HookFate::Failed(at) => row.failed_at = Some(at),
            HookFate::Delivered => {}
        }
    }

    /// Removes events from before `before`, and of each webhook all failed ones but the newest `kept`.
    pub fn prune(&mut self, before: Timestamp, kept: u64) {
        self.outbox.retain(|_, row| row.hook.at >= before);
        let mut failed: Vec<HookKey> = self
            .outbox
            .iter()
            .filter(|(_, row)| !row.waits())
            .map(|(key, _)| key.clone())
            .collect();
        failed.sort_by_key(|key| {
            let row = &self.outbox[key];
            let newest_first = (
                std::cmp::Reverse(row.failed_at),
                std::cmp::Reverse(row.hook.at),
            );
            (key.target.clone(), newest_first)
        });
        let mut counted: BTreeMap<String, u64> = BTreeMap::new();
        for key in failed {
            let count = counted.entry(key.target.clone()).or_default();
            *count += 1;
            if *count > kept {
                self.outbox.remove(&key);
            }
        }
    }

    /// Counts the events of each webhook that has some.
    #[must_use]
    pub fn counts(&self, now: Timestamp) -> Vec<HookCount> {
        let mut counts: Vec<HookCount> = Vec::new();
        for (key, row) in &self.outbox {
            if counts.last().is_none_or(|last| last.target != key.target) {
                counts.push(HookCount {
                    target: key.target.clone(),
                    ..HookCount::default()
                });
            }
            let Some(count) = counts.last_mut() else {
                continue;
            };
            if !row.waits() {
                count.failed += 1;
                continue;
            }
            count.waiting += 1;
            let shown_at = Some(row.hook.shown_at).filter(|shown_at| *shown_at <= now);
            count.oldest = match (count.oldest, shown_at) {
                (Some(oldest), Some(shown_at)) => Some(oldest.min(shown_at)),
                (oldest, shown_at) => oldest.or(shown_at),
            };
        }
        counts
    }
}
