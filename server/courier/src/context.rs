//! Looks at a letter before it is sent: whether it is still true and wanted, and what is in it.

use std::fmt;
use std::sync::Arc;

use lettre::message::Mailbox;
use tilewire_people::accounts::Account;
use tilewire_people::letters::{Language, LetterKind};
use tilewire_rules::time::Timestamp;

use super::compose::{Envelope, Links, Parcel, domain_of, message_id, parcel, words};
use super::contents::{Content, Contents, sender};
use super::machine::{LetterFacts, day_of};
use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::Blocks;
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_delivery::outbound::Presence;
use tilewire_store::{
    AccountStore, Journal, Letter, Mailbox as StoredMailbox, NewLetter, OutboxStore, StoreError,
    StoredLetter,
};
use tilewire_wire::catalogue::Catalogue;

/// The services that the courier uses to look at a letter.
pub(crate) struct LetterContext {
    /// The outbox.
    pub(crate) store: Arc<dyn OutboxStore>,
    /// The accounts.
    pub(crate) accounts: Arc<dyn AccountStore>,
    /// The logs of games.
    pub(crate) journal: Arc<dyn Journal>,
    /// The blocks between players.
    pub(crate) blocks: Arc<Blocks>,
    /// Tells whether a player is connected.
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

impl fmt::Debug for LetterContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LetterContext").finish_non_exhaustive()
    }
}

impl LetterContext {
    /// Looks at a letter. Returns the message too if the letter can be sent.
    pub(crate) async fn look(
        &self,
        stored: &StoredLetter,
    ) -> Result<(LetterFacts, Option<Parcel>), StoreError> {
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
        let Some(content) = self.contents().of(letter, language).await? else {
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
    ) -> LetterFacts {
        let identity = letter.identity.as_str();
        let from = sender(&letter.content);
        let is_from_blocked = from.is_some_and(|from| self.blocks.are_blocked(identity, from));
        let kind = letter.content.kind();
        let is_wanted = account.is_some_and(|account| {
            account.letters.wants(kind) && !account.is_suspended(now) && !is_from_blocked
        });
        let sent_today = mailbox.filter(|mailbox| mailbox.day == day_of(now));
        LetterFacts {
            has_address: letter.address.is_some() || mailbox.is_some(),
            is_disabled: mailbox.is_some_and(|mailbox| mailbox.disabled_at.is_some()),
            is_wanted,
            is_current: true,
            is_present: self.presence.is_online(identity),
            sent_today: sent_today.map_or(0, |mailbox| mailbox.sent),
        }
    }

    /// Returns where the contents of letters come from.
    fn contents(&self) -> Contents {
        Contents {
            store: Arc::clone(&self.store),
            journal: Arc::clone(&self.journal),
            catalogue: self.catalogue.clone(),
            slow_work: self.slow_work,
        }
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
        let contents = self.contents();
        let made = contents.slow(move || {
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
        });
        made.await
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
}
