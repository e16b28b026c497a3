//! Looks at a push before it is sent: whether it is still true and wanted, and what it says.

use std::fmt;
use std::sync::Arc;

use tilewire_people::letters::Language;

use super::content::PushText;
use super::machine::PushFacts;
use crate::contents::{Contents, sender};
use crate::machine::day_of;
use tilewire_accounts::people::Blocks;
use tilewire_base::clock::ServerClock;
use tilewire_delivery::outbound::Presence;
use tilewire_store::{AccountStore, OutboxStore, StoreError, StoredPush};

/// The services that the courier uses to look at a push.
pub(super) struct PushContext {
    /// The pushes.
    pub(super) store: Arc<dyn OutboxStore>,
    /// The accounts.
    pub(super) accounts: Arc<dyn AccountStore>,
    /// The blocks between players.
    pub(super) blocks: Arc<Blocks>,
    /// Tells whether a player is connected.
    pub(super) presence: Arc<dyn Presence>,
    /// Makes the contents of letters.
    pub(super) contents: Contents,
    /// Server time.
    pub(super) clock: ServerClock,
}

impl fmt::Debug for PushContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushContext").finish_non_exhaustive()
    }
}

impl PushContext {
    /// Looks at a push. Also returns its content if it can be sent.
    pub(super) async fn look(
        &self,
        push: &StoredPush,
    ) -> Result<(PushFacts, Option<PushText>), StoreError> {
        let letter = &push.letter;
        let identity = letter.identity.as_str();
        let account = self.accounts.account(identity).await?;
        let account = account.map(|stored| stored.account);
        let now = self.clock.now();
        let from = sender(&letter.content);
        let is_from_blocked = from.is_some_and(|from| self.blocks.are_blocked(identity, from));
        let is_wanted = account.as_ref().is_some_and(|account| {
            let wants = account.pushes.wants(letter.content.kind());
            wants && !account.is_suspended(now) && !is_from_blocked
        });
        let is_today = push.device.day == day_of(now);
        let is_present = self.presence.is_online(identity);
        let mut look = PushFacts {
            is_wanted,
            is_current: true,
            is_present,
            sent_today: if is_today { push.device.sent } else { 0 },
        };
        if !look.is_wanted || look.is_present {
            return Ok((look, None));
        }
        let language = account.map_or_else(Language::default, |account| account.letters.language);
        let content = self.contents.of(letter, language).await?;
        let text = content.map(|content| PushText::of(letter, &content, language));
        look.is_current = text.is_some();
        Ok((look, text))
    }
}
