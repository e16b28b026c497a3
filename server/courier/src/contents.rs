//! Makes the content of a letter from the present state of its game or invitation.

use std::sync::Arc;

use tilewire_people::letters::Language;
use tilewire_rules::event::{Ended, Event};
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;

use super::awaited_action::asking;
use super::compose::{About, Sheet, words};
use tilewire_base::slow_work::SlowWork;
use tilewire_store::{Journal, Letter, NewLetter, OutboxStore, StoreError, StoredGame};
use tilewire_wire::catalogue::Catalogue;

/// Letters that a digest lists.
const DIGEST_LINES: usize = 40;

/// The content of a letter.
pub(super) type Content = (About, Option<Sheet>);

/// The sources of the contents of letters.
pub(super) struct Contents {
    /// The outbox, and the open invitations.
    pub(super) store: Arc<dyn OutboxStore>,
    /// The logs of games.
    pub(super) journal: Arc<dyn Journal>,
    /// The rule sets.
    pub(super) catalogue: Catalogue,
    /// Where games are folded.
    pub(super) slow_work: SlowWork,
}

impl Contents {
    /// Returns the content of a letter; `None` if the letter is no longer true.
    pub(super) async fn of(
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

    /// Makes the content of a letter as slow work.
    pub(super) async fn slow<T: Send + 'static>(
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

/// Returns the content of a letter about a game; `None` if the letter is no longer true.
pub(super) fn game_content(state: &State, content: &Letter) -> Option<Content> {
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

/// Returns the identity of the player who causes a letter, if one does.
pub(super) fn sender(letter: &Letter) -> Option<&str> {
    match letter {
        Letter::Invitation { from, .. }
        | Letter::Reminder {
            from: Some(from), ..
        } => Some(from),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
