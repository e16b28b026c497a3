//! Looks at a letter before it is sent: whether it is still true and wanted, and what is in it.

use std::fmt;
use std::sync::Arc;

use lettre::message::Mailbox;
use tilewire_people::accounts::Account;
use tilewire_people::letters::{Language, LetterKind};
use tilewire_rules::event::{Ended, Event};
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};

use super::asked::asking;
use super::compose::{About, Envelope, Links, Parcel, Sheet, domain_of, message_id, parcel, words};
use super::machine::{Look, day_of};
use crate::catalogue::Catalogue;
use crate::clock::ServerClock;
use crate::links::LinkKey;
use crate::outbound::Presence;
use crate::people::Blocks;
use crate::slow_work::SlowWork;
use crate::storage::{
    AccountStore, Journal, Letter, LetterStore, Mailbox as StoredMailbox, NewLetter, StoreError,
    StoredGame, StoredLetter,
};

/// Letters that a digest lists.
const DIGEST_LINES: usize = 40;

/// What the courier looks at.
#[derive(Clone)]
pub(crate) struct Desk {
    /// The outbox.
    pub(crate) store: Arc<dyn LetterStore>,
    /// The accounts.
    pub(crate) accounts: Arc<dyn AccountStore>,
    /// The logs of games.
    pub(crate) journal: Arc<dyn Journal>,
    /// Who has blocked whom.
    pub(crate) blocks: Arc<Blocks>,
    /// Who is connected.
    pub(crate) presence: Arc<dyn Presence>,
    /// The rule sets.
    pub(crate) catalogue: Catalogue,
    /// Server time.
    pub(crate) clock: ServerClock,
    /// Where letters are made.
    pub(crate) slow_work: SlowWork,
    /// The sender.
    pub(crate) from: Mailbox,
    /// The address of the server's page, without a slash at its end.
    pub(crate) page: Option<String>,
    /// Signs links.
    pub(crate) key: LinkKey,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

/// What a letter says.
type Content = (About, Option<Sheet>);

impl Desk {
    /// Looks at a letter. Returns the message too if the letter can be sent.
    pub(crate) async fn look(
        &self,
        stored: &StoredLetter,
    ) -> Result<(Look, Option<Parcel>), StoreError> {
        let letter = &stored.letter;
        let kind = letter.content.kind();
        let account = self.accounts.account(&letter.identity).await?;
        let account = account.map(|stored| stored.account);
        let mailbox = self.store.mailbox(&letter.identity).await?;
        let now = self.clock.now();
        let mut look = self.facts(letter, account.as_ref(), mailbox.as_ref(), now);
        let is_settled = !look.has_address
            || (!kind.is_about_account()
                && (look.is_disabled || look.is_present || !look.is_wanted));
        if is_settled {
            return Ok((look, None));
        }
        let language = match &letter.content {
            Letter::Code { language, .. } | Letter::Security { language, .. } => *language,
            _ => account.map_or_else(Language::default, |account| account.letters.language),
        };
        let Some(content) = self.content(letter, language).await? else {
            look.is_current = false;
            return Ok((look, None));
        };
        let to = letter
            .address
            .clone()
            .or(mailbox.map(|mailbox| mailbox.address));
        let to = to.map_or_else(String::new, |address| address.0);
        let parcel = self.parcel(letter, &to, content, language, now).await?;
        look.has_address = parcel.is_some();
        Ok((look, parcel))
    }

    fn facts(
        &self,
        letter: &NewLetter,
        account: Option<&Account>,
        mailbox: Option<&StoredMailbox>,
        now: Timestamp,
    ) -> Look {
        let identity = letter.identity.as_str();
        let is_from_blocked = match &letter.content {
            Letter::Invitation { from, .. }
            | Letter::Reminder {
                from: Some(from), ..
            } => self.blocks.are_blocked(identity, from),
            _ => false,
        };
        let kind = letter.content.kind();
        let is_wanted = account.is_some_and(|account| {
            account.letters.wants(kind) && !account.is_suspended(now) && !is_from_blocked
        });
        let sent_today = mailbox.filter(|mailbox| mailbox.day == day_of(now));
        Look {
            has_address: letter.address.is_some() || mailbox.is_some(),
            is_disabled: mailbox.is_some_and(|mailbox| mailbox.disabled_at.is_some()),
            is_wanted,
            is_current: true,
            is_present: self.presence.is_online(identity),
            sent_today: sent_today.map_or(0, |mailbox| mailbox.sent),
        }
    }

    /// Returns what a letter says; `None` if it is true no more.
    async fn content(
        &self,
        letter: &NewLetter,
        language: Language,
    ) -> Result<Option<Content>, StoreError> {
        match &letter.content {
            Letter::Turn { .. }
            | Letter::Update { .. }
            | Letter::Reminder { .. }
            | Letter::Result { .. } => self.of_game(letter).await,
            Letter::Digest { day } => self.digest(&letter.identity, *day, language).await,
            Letter::Invitation { .. } => self.invitation(letter).await,
            Letter::Security { notice, handle, .. } => {
                let about = About::Security {
                    notice: notice.clone(),
                    handle: handle.clone(),
                };
                Ok(Some((about, None)))
            }
            Letter::Code {
                digits, purpose, ..
            } => {
                let about = About::Code {
                    digits: digits.0.clone(),
                    purpose: *purpose,
                };
                Ok(Some((about, None)))
            }
        }
    }

    async fn of_game(&self, letter: &NewLetter) -> Result<Option<Content>, StoreError> {
        let Some(game) = &letter.game else {
            return Ok(None);
        };
        let stored = match self.journal.load(game).await {
            Ok(Some(stored)) => stored,
            // A game that cannot be read has no letters; the chronicle reports it.
            Ok(None) | Err(StoreError::Corrupt(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (catalogue, content) = (self.catalogue.clone(), letter.content.clone());
        self.slow(move || {
            let state = state_of(&stored, &catalogue)?;
            game_content(&state, &content)
        })
        .await
    }

    async fn invitation(&self, letter: &NewLetter) -> Result<Option<Content>, StoreError> {
        let Letter::Invitation {
            seek,
            name,
            rule_set,
            lexicon,
            limit_ms,
            ..
        } = &letter.content
        else {
            return Ok(None);
        };
        if !self.store.is_seek_open(seek).await? {
            return Ok(None);
        }
        let rules = self.catalogue.rule_sets();
        let rules = rules.iter().find(|rules| rules.id == *rule_set);
        let about = About::Invitation {
            from: name.clone(),
            rule_set: rules.map_or_else(|| rule_set.clone(), |rules| rules.name.clone()),
            lexicon: lexicon.clone(),
            limit_ms: *limit_ms,
            until: letter.until,
        };
        Ok(Some((about, None)))
    }

    /// Returns the digest of a day: the subjects of the letters that are still true.
    async fn digest(
        &self,
        identity: &str,
        day: i64,
        language: Language,
    ) -> Result<Option<Content>, StoreError> {
        let waiting = self.store.letters_of_digest(identity, day, DIGEST_LINES);
        let mut lines = Vec::new();
        for stored in waiting.await? {
            let letter = &stored.letter;
            let content = match &letter.content {
                Letter::Digest { .. } => None,
                Letter::Invitation { .. } => self.invitation(letter).await?,
                _ => self.of_game(letter).await?,
            };
            if let Some((about, sheet)) = content {
                lines.push(words(&about, sheet.as_ref(), language).subject);
            }
        }
        let is_empty = lines.is_empty();
        Ok((!is_empty).then_some((About::Digest(lines), None)))
    }

    /// Makes the message; `None` if the address cannot be used.
    async fn parcel(
        &self,
        letter: &NewLetter,
        to: &str,
        (about, sheet): Content,
        language: Language,
        at: Timestamp,
    ) -> Result<Option<Parcel>, StoreError> {
        let links = self.links(letter);
        let id = message_id(&letter.key, domain_of(&self.from));
        let (from, to) = (self.from.clone(), to.to_owned());
        self.slow(move || {
            let body = words(&about, sheet.as_ref(), language);
            let envelope = Envelope {
                from: &from,
                to: &to,
                id: &id,
                at,
            };
            let made = parcel(envelope, &body, sheet.as_ref(), &links);
            let made = made.inspect_err(|_| {
                tracing::warn!("a letter cannot be made: the address cannot be used");
            });
            made.ok()
        })
        .await
    }

    fn links(&self, letter: &NewLetter) -> Links {
        let Some(page) = &self.page else {
            return Links::default();
        };
        let kind = letter.content.kind();
        let game = letter.game.as_ref();
        let is_of_game = !kind.is_about_account();
        Links {
            game: game.map(|game| format!("{page}/games/{game}")),
            page: (kind != LetterKind::Code && game.is_none()).then(|| format!("{page}/")),
            settings: is_of_game.then(|| format!("{page}/account")),
            unsubscribe: is_of_game.then(|| self.key.unsubscribe(page, &letter.identity, kind)),
        }
    }

    async fn slow<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let done = self.slow_work.run(work).await;
        done.map_err(|error| StoreError::Unavailable(format!("a letter was not made: {error}")))
    }
}

/// Returns the present state of a game; `None` if it cannot be read.
fn state_of(stored: &StoredGame, catalogue: &Catalogue) -> Option<State> {
    let Event::Created(created) = &stored.records.first()?.event else {
        return None;
    };
    let options = &created.options;
    let rules = catalogue.rules(&options.rule_set, &options.language)?;
    State::replay(Arc::clone(rules), &stored.records).ok()
}

/// Returns what a letter about a game says; `None` if it is true no more.
fn game_content(state: &State, content: &Letter) -> Option<Content> {
    let now = asking(state);
    let find = |seat: &Seat, asked| {
        let mut now = now.iter();
        now.find(|one| one.seat == *seat && one.asked == asked)
    };
    let (about, seat) = match content {
        Letter::Turn { seat, asked } => {
            let about = About::Turn {
                asked: *asked,
                deadline: find(seat, *asked)?.deadline,
                is_reminder: false,
            };
            (about, seat)
        }
        Letter::Reminder {
            seat,
            asked,
            deadline,
            ..
        } => {
            let found = find(seat, *asked)?.deadline;
            if found != *deadline {
                return None; // a deadline that has moved has reminders of its own
            }
            let about = About::Turn {
                asked: *asked,
                deadline: found,
                is_reminder: true,
            };
            (about, seat)
        }
        Letter::Update { seat } => {
            let is_asked = now.iter().any(|one| one.seat == *seat);
            if is_asked || state.outcome().is_some() {
                return None; // another letter says more
            }
            (About::Update, seat)
        }
        Letter::Result { seat } => (result(state.outcome()?, *seat), seat),
        Letter::Invitation { .. }
        | Letter::Digest { .. }
        | Letter::Security { .. }
        | Letter::Code { .. } => return None,
    };
    Some((about, Some(Sheet::of(state, *seat))))
}

fn result(ended: &Ended, seat: Seat) -> About {
    About::Result {
        reason: ended.reason,
        has_won: ended.winners.contains(&seat),
        is_shared: ended.winners.len() > 1,
    }
}

#[cfg(test)]
mod tests;
