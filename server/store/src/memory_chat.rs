//! The lines of chat rooms in memory, beside the accounts of [`MemoryAccounts`].

use std::cmp::Reverse;
use std::collections::BTreeMap;

use futures::future::BoxFuture;

use super::memory_accounts::{MemoryAccounts, State, now};
use super::{ChatChange, ChatStore, DirectLine, StoreError, StoredLine};

/// Lines by room and number, and the players of direct rooms.
#[derive(Debug, Default)]
pub(super) struct MemoryChat {
    lines: BTreeMap<(String, u64), StoredLine>,
    pairs: BTreeMap<String, [String; 2]>,
    /// The numbers of the entries of the audit that hid lines.
    hidden: BTreeMap<(String, u64), u64>,
}

impl MemoryChat {
    fn say(&mut self, change: ChatChange) -> Result<(), StoreError> {
        let is_other = |line: &StoredLine| {
            let known = self.lines.get(&(line.room.clone(), line.line));
            known.is_some_and(|known| {
                (&known.identity, &known.cmd_id) != (&line.identity, &line.cmd_id)
            })
        };
        if change.lines.iter().any(is_other) {
            let why = "a room has another line with this number";
            return Err(StoreError::Unavailable(why.to_owned()));
        }
        for line in change.lines {
            let key = (line.room.clone(), line.line);
            self.lines.entry(key).or_insert(line);
        }
        for direct in change.pairs {
            self.pairs.insert(direct.room, direct.pair);
        }
        Ok(())
    }

    /// Returns the lines of a room after a number, the oldest first.
    fn after(&self, room: &str, after: u64) -> impl DoubleEndedIterator<Item = &StoredLine> {
        let from = (room.to_owned(), after.saturating_add(1));
        let until = (room.to_owned(), u64::MAX);
        self.lines.range(from..=until).map(|(_, line)| line)
    }

    /// Returns a line and those around it.
    pub(super) fn around(&self, room: &str, line: u64, each: u64) -> Vec<StoredLine> {
        let from = (room.to_owned(), line.saturating_sub(each));
        let until = (room.to_owned(), line.saturating_add(each));
        let lines = self.lines.range(from..=until);
        lines.map(|(_, line)| line.clone()).collect()
    }

    /// Says whether a line is there, written by an identity, and not hidden.
    pub(super) fn shows(&self, room: &str, line: u64, identity: &str) -> bool {
        let line = self.lines.get(&(room.to_owned(), line));
        line.is_some_and(|line| line.identity == identity && !line.is_hidden)
    }

    /// Says whether an entry of the audit hides lines.
    pub(super) fn has_hidden(&self, entry: u64) -> bool {
        self.hidden.values().any(|hidden| *hidden == entry)
    }

    /// Hides the lines of an identity among these.
    pub(super) fn hide(&mut self, room: &str, lines: &[u64], identity: &str, entry: u64) {
        for number in lines {
            if !self.shows(room, *number, identity) {
                continue;
            }
            let key = (room.to_owned(), *number);
            if let Some(line) = self.lines.get_mut(&key) {
                line.is_hidden = true;
                self.hidden.insert(key, entry);
            }
        }
    }

    /// Shows the lines again that an entry of the audit hid.
    pub(super) fn show(&mut self, entry: u64) {
        let lines = &mut self.lines;
        self.hidden.retain(|key, hidden| {
            if *hidden != entry {
                return true;
            }
            if let Some(line) = lines.get_mut(key) {
                line.is_hidden = false;
            }
            false
        });
    }
}

impl State {
    fn direct_rooms(&self, identity: &str, most: usize) -> Vec<DirectLine> {
        let pairs = self.chat.pairs.iter();
        let rooms = pairs.filter_map(|(room, pair)| {
            let [one, other] = pair;
            let other = match (one == identity, other == identity) {
                (true, _) => other,
                (_, true) => one,
                _ => return None,
            };
            let last = self.chat.after(room, 0).next_back()?;
            let account = &self.accounts.get(other)?.account;
            Some(DirectLine {
                room: room.clone(),
                other: other.clone(),
                handle: account.registration.as_ref()?.handle.to_string(),
                last: last.line,
                at: last.at,
            })
        });
        let mut rooms: Vec<DirectLine> = rooms.collect();
        rooms.sort_by_key(|room| Reverse(room.at));
        rooms.truncate(most);
        rooms
    }
}

impl ChatStore for MemoryAccounts {
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        let state = self.state();
        let newest = state.chat.after(room, after).rev().take(most).cloned();
        let mut lines: Vec<StoredLine> = newest.collect();
        drop(state);
        lines.reverse();
        now(Ok(lines))
    }

    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<DirectLine>, StoreError>> {
        now(Ok(self.state().direct_rooms(identity, most)))
    }

    fn say(&self, change: ChatChange) -> BoxFuture<'_, Result<(), StoreError>> {
        now(self.state().chat.say(change))
    }
}
