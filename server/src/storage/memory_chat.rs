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
