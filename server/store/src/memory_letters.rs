//! Letters in memory: the outbox, the mailboxes and the codes, for simulations. The slow and obvious form of the contract.

use std::collections::BTreeMap;

use tilewire_people::accounts::{Account, Effect, Notice};
use tilewire_people::codes::MailCode;
use tilewire_people::letters::{Address, LetterKind};
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};

use super::{
    AccountChange, Arrival, ChapterError, Cursor, Hidden, Letter, LetterPage, Mailbox, NewLetter,
    Outdated, Settlement, StoredCode, StoredLetter,
};

/// The time in which the courier tries to send a letter about an account.
const ACCOUNT_LETTER: Millis = Millis(24 * 3_600_000);

/// A letter with its place.
#[derive(Debug, Clone)]
struct Row {
    stored: StoredLetter,
    due_at: Timestamp,
    /// The day of the digest that it waits for.
    digest: Option<i64>,
}

/// A mailbox, with its refusals in a row.
#[derive(Debug, Clone)]
struct Known {
    mailbox: Mailbox,
    refusals: u32,
}

/// The letters of a storage in memory.
#[derive(Debug, Default)]
pub struct MemoryLetters {
    outbox: BTreeMap<String, Row>,
    mailboxes: BTreeMap<String, Known>,
    codes: BTreeMap<String, StoredCode>,
    cursor: Cursor,
    key: Option<[u8; 32]>,
}

impl MemoryLetters {
    /// Returns the key of links: `fresh`, unless there is one. The first call begins at this place in the journal.
    pub fn begin(&mut self, fresh: [u8; 32], end: Arrival) -> [u8; 32] {
        if self.cursor.edition == 0 {
            self.cursor = Cursor {
                arrival: end,
                edition: 1,
            };
        }
        *self.key.get_or_insert(fresh)
    }

    /// Returns how far the journal is written into letters.
    #[must_use]
    pub const fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Returns the first `limit` letters that are due.
    #[must_use]
    pub fn due(&self, now: Timestamp, limit: usize) -> Vec<StoredLetter> {
        let rows = self.outbox.values();
        let mut due: Vec<&Row> = rows
            .filter(|row| row.digest.is_none() && row.due_at <= now)
            .collect();
        // The sort is stable, and the rows are in the order of their keys.
        due.sort_by_key(|row| row.due_at);
        let due = due.into_iter().take(limit);
        due.map(|row| row.stored.clone()).collect()
    }

    /// Returns the first `limit` letters that wait for a digest.
    #[must_use]
    pub fn of_digest(&self, identity: &str, day: i64, limit: usize) -> Vec<StoredLetter> {
        let rows = self.outbox.values();
        let mut of_day: Vec<&Row> = rows
            .filter(|row| row.digest == Some(day) && row.stored.letter.identity == identity)
            .collect();
        of_day.sort_by_key(|row| row.stored.letter.at);
        let of_day = of_day.into_iter().take(limit);
        of_day.map(|row| row.stored.clone()).collect()
    }

    /// Returns the number of letters.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        u64::try_from(self.outbox.len()).unwrap_or(u64::MAX)
    }

    /// Returns the mailbox of a player.
    #[must_use]
    pub fn mailbox(&self, identity: &str) -> Option<Mailbox> {
        let known = self.mailboxes.get(identity);
        known.map(|known| known.mailbox.clone())
    }

    /// Returns the mailbox with an address.
    #[must_use]
    pub fn mailbox_of(&self, address_key: &str) -> Option<Mailbox> {
        let mut all = self.mailboxes.values();
        let found = all.find(|known| key_of(&known.mailbox.address) == address_key);
        found.map(|known| known.mailbox.clone())
    }

    /// Stores a letter, if there is an address for it. Returns whether it did.
    pub fn put(&mut self, letter: &NewLetter) -> bool {
        let known = self.mailboxes.get(&letter.identity);
        let is_used = known.is_some_and(|known| known.mailbox.disabled_at.is_none());
        let is_new = !self.outbox.contains_key(&letter.key);
        let has_address = letter.address.is_some() || is_used;
        if !is_new || !has_address {
            return false;
        }
        let row = Row {
            stored: StoredLetter {
                letter: letter.clone(),
                tries: 0,
                unknown: 0,
            },
            due_at: letter.due_at,
            digest: None,
        };
        self.outbox.insert(letter.key.clone(), row);
        true
    }

    /// Stores that a letter is being sent; returns whether it is there.
    pub fn begin_letter(&mut self, key: &str) -> bool {
        let row = self.outbox.get_mut(key);
        row.map(|row| row.stored.unknown += 1).is_some()
    }

    /// Stores the fate of a letter. Returns the digest, if it is the first letter that waits for one.
    pub fn settle(&mut self, stored: &StoredLetter, settlement: Settlement) -> Option<NewLetter> {
        let letter = &stored.letter;
        match settlement {
            Settlement::Sent { day } => {
                self.remove(letter);
                if let Some(known) = self.mailboxes.get_mut(&letter.identity) {
                    let mailbox = &mut known.mailbox;
                    let before = if mailbox.day == day { mailbox.sent } else { 0 };
                    (mailbox.sent, mailbox.day, known.refusals) = (before + 1, day, 0);
                }
            }
            Settlement::Refused { at, most } => {
                self.remove(letter);
                self.refuse(letter, at, most);
            }
            Settlement::Dropped => self.remove(letter),
            Settlement::Later { due_at, is_known } => {
                if let Some(row) = self.outbox.get_mut(&letter.key) {
                    row.due_at = due_at;
                    row.stored.tries += 1;
                    let known = u32::from(is_known);
                    row.stored.unknown = row.stored.unknown.saturating_sub(known);
                }
            }
            Settlement::Digest { day, due_at, until } => {
                if let Some(row) = self.outbox.get_mut(&letter.key) {
                    row.digest = Some(day);
                }
                let digest = digest(&letter.identity, day, due_at, until);
                return self.put(&digest).then_some(digest);
            }
        }
        None
    }

    fn refuse(&mut self, letter: &NewLetter, at: Timestamp, most: u32) {
        let Some(known) = self.mailboxes.get_mut(&letter.identity) else {
            return;
        };
        let mailbox = &mut known.mailbox;
        let own = letter.address.as_ref();
        if own.is_none_or(|own| *own == mailbox.address) {
            known.refusals += 1;
            if known.refusals >= most {
                mailbox.disabled_at.get_or_insert(at);
            }
        }
    }

    /// Removes a letter; with a digest, the letters that it contains.
    fn remove(&mut self, letter: &NewLetter) {
        self.outbox.remove(&letter.key);
        if let Letter::Digest { day } = letter.content {
            self.outbox.retain(|_, row| {
                row.digest != Some(day) || row.stored.letter.identity != letter.identity
            });
        }
    }

    /// Stores letters of games with the new place. Returns the keys of the letters that are new.
    ///
    /// # Errors
    /// When the place has changed since.
    pub fn write(&mut self, page: &LetterPage) -> Result<Vec<String>, ChapterError> {
        if page.after != self.cursor {
            return Err(ChapterError::Stale);
        }
        self.cursor = Cursor {
            arrival: page.until,
            edition: page.after.edition + 1,
        };
        let mut written = Vec::new();
        for one in &page.games {
            self.remove_of_game(&one.game, one.outdated);
            let new = one.letters.iter().filter(|letter| self.put(letter));
            written.extend(new.map(|letter| letter.key.clone()));
        }
        Ok(written)
    }

    fn remove_of_game(&mut self, game: &GameId, outdated: Outdated) {
        let kinds: &[LetterKind] = match outdated {
            Outdated::Nothing => &[],
            Outdated::Reminders => &[LetterKind::Reminder],
            Outdated::Asking => &[LetterKind::Turn, LetterKind::Reminder],
        };
        self.outbox.retain(|_, row| {
            let letter = &row.stored.letter;
            letter.game.as_ref() != Some(game) || !kinds.contains(&letter.content.kind())
        });
    }

    /// Follows a change of an account: its mailbox, and the letters about it. Returns the letters.
    pub fn follow(&mut self, change: &AccountChange) -> Vec<NewLetter> {
        self.keep_mailbox(&change.account);
        let notices = change.effects.iter().filter_map(|effect| match effect {
            Effect::Notify(notice) => Some(notice),
            _ => None,
        });
        let letters: Vec<NewLetter> = notices.flat_map(|notice| about(change, notice)).collect();
        letters
            .into_iter()
            .filter(|letter| self.put(letter))
            .collect()
    }

    fn keep_mailbox(&mut self, account: &Account) {
        let identity = &account.identity;
        let registration = account.registration.as_ref();
        let mail = registration.and_then(|registration| registration.mail.clone());
        let address = mail.map(Hidden);
        let known = self.mailboxes.get(identity);
        if known.map(|known| &known.mailbox.address) == address.as_ref() {
            return;
        }
        let Some(address) = address else {
            self.mailboxes.remove(identity);
            self.outbox.retain(|_, row| {
                let letter = &row.stored.letter;
                letter.identity != *identity || letter.address.is_some()
            });
            return;
        };
        let mailbox = Mailbox {
            identity: identity.clone(),
            address,
            sent: 0,
            day: 0,
            disabled_at: None,
        };
        let fresh = Known {
            mailbox,
            refusals: 0,
        };
        self.mailboxes.insert(identity.clone(), fresh);
    }

    /// Stores a code with its letter, and removes codes that have expired.
    pub fn put_code(&mut self, code: StoredCode, letter: Option<&NewLetter>, now: Timestamp) {
        self.codes.retain(|_, code| code.expires_at >= now);
        self.codes.insert(code.ticket.clone(), code);
        if let Some(letter) = letter {
            self.put(letter);
        }
    }

    /// Returns the code of a ticket.
    #[must_use]
    pub fn code(&self, ticket: &str) -> Option<StoredCode> {
        self.codes.get(ticket).cloned()
    }

    /// Replaces a code after an attempt; returns whether it was in the state `before`.
    pub fn replace_code(&mut self, ticket: &str, before: &MailCode, after: MailCode) -> bool {
        let known = self.codes.get_mut(ticket);
        let known = known.filter(|known| known.code == *before);
        known.map(|known| known.code = after).is_some()
    }
}

fn key_of(address: &Hidden) -> String {
    let address = address.0.parse::<Address>();
    address.map_or_else(|_| String::new(), |address| address.key())
}

/// Returns the letters about a change of an account: to its address, and to the one before.
fn about(change: &AccountChange, notice: &Notice) -> Vec<NewLetter> {
    let account = &change.account;
    let Some(registration) = &account.registration else {
        return Vec::new();
    };
    let before = match notice {
        Notice::MailChanged { old, .. } => old.as_ref(),
        _ => None,
    };
    let addresses = registration.mail.iter().chain(before);
    let letter = |(number, address): (usize, &String)| NewLetter {
        key: format!(
            "security/{}/{}/{number}",
            account.identity,
            change.expected + 1
        ),
        identity: account.identity.clone(),
        address: Some(Hidden(address.clone())),
        game: None,
        at: change.at,
        due_at: change.at,
        until: change.at + ACCOUNT_LETTER,
        content: Letter::Security {
            notice: notice.clone(),
            handle: registration.handle.to_string(),
            language: account.letters.language,
        },
    };
    addresses.enumerate().map(letter).collect()
}

/// Returns the digest of a player and a day.
fn digest(identity: &str, day: i64, due_at: Timestamp, until: Timestamp) -> NewLetter {
    NewLetter {
        key: format!("digest/{identity}/{day}"),
        identity: identity.to_owned(),
        address: None,
        game: None,
        at: due_at,
        due_at,
        until,
        content: Letter::Digest { day },
    }
}
