//! The contract for moderation: reports, restrictions, messages to the players concerned, and the audit in pages.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::audit::{Action, Entry};
use tilewire_people::conduct::Conduct;
use tilewire_people::moderation::{Deed, Kind, Report, Restraint};
use tilewire_rules::time::Timestamp;

use super::{AccountChange, StoreError, StoreFuture, StoredLine};

/// A report as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReport {
    /// Its number: 1, 2, 3 …
    pub number: u64,
    /// The number of the entry of the audit that closed it; `None` while it is open.
    pub closed: Option<u64>,
    /// The report.
    pub report: Report,
}

/// The place in the list of reports after which a page begins: open reports come first, then closed ones, each the newest
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportPosition {
    /// Whether the last report of the page before was a closed one.
    pub is_closed: bool,
    /// Its number.
    pub number: u64,
}

impl ReportPosition {
    /// The beginning of the list.
    pub const START: Self = Self {
        is_closed: false,
        number: i64::MAX.cast_unsigned(),
    };

    /// Returns the beginning of the closed reports.
    pub const fn of_closed(self) -> Self {
        match self.is_closed {
            true => self,
            false => Self {
                is_closed: true,
                ..Self::START
            },
        }
    }
}

/// A restriction of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRestriction {
    /// The identity.
    pub identity: String,
    /// The kind of the restriction.
    pub restraint: Restraint,
    /// The number of the entry of the audit that began it.
    pub entry: u64,
    /// The reason.
    pub reason: String,
    /// When it ends; `None`: when somebody undoes it.
    pub until: Option<Timestamp>,
}

/// A message to a player about an act of a moderator, before the player was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredNotice {
    /// The number of the entry of the audit.
    pub entry: u64,
    /// The identity.
    pub identity: String,
    /// The kind of the act.
    pub kind: Kind,
    /// The reason.
    pub reason: String,
    /// When the effect ends, if it does by itself.
    pub until: Option<Timestamp>,
}

/// The conduct of a player as it is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredConduct {
    /// The number of changes so far; 0 for a player without any.
    pub version: u64,
    /// The conduct.
    pub conduct: Conduct,
}

/// The restrictions in force, and the messages that their players have not got yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InForce {
    /// The restrictions. Some can be over.
    pub restrictions: Vec<StoredRestriction>,
    /// The messages that wait for their players, the oldest first.
    pub notices: Vec<StoredNotice>,
}

/// An act of a moderator, all or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModerationChange {
    /// When it was made.
    pub at: Timestamp,
    /// The action for the audit.
    pub action: Action,
    /// The effect.
    pub deed: Deed,
    /// The account of the target after it, if the account changes. It has no entry of the audit of its own.
    pub account: Option<AccountChange>,
    /// The report that it closes.
    pub closes: Option<u64>,
}

/// Why a report or an act was not stored. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModerationError {
    /// The reporter has sent as many reports as possible, until this time.
    #[error("too many reports")]
    TooManyReports(Timestamp),
    /// The account has changed since it was read. Read it again and compute the change anew.
    #[error("the account has changed meanwhile")]
    Stale,
    /// Another account has a handle that clashes, or has it reserved.
    #[error("another account has the handle")]
    HandleTaken,
    /// Nothing would change: no such line of the target is shown, the act to undo has no effect any more, there is nothing to
    /// forgive, or the report is closed already.
    #[error("nothing would change")]
    NoChange,
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reports, restrictions and the audit, for a running server.
pub trait ModerationStore: Send + Sync + Debug {
    /// Stores a report and returns its number.
    ///
    /// # Errors
    /// When the reporter has sent too many ([`tilewire_people::moderation::REPORTS_MOST`]), or the storage fails.
    fn file(&self, report: Report) -> BoxFuture<'_, Result<u64, ModerationError>>;

    /// Returns a page of reports behind a place, at most `most`: open ones first, then closed ones, each the newest first.
    fn reports(&self, behind: ReportPosition, most: usize) -> StoreFuture<'_, Vec<StoredReport>>;

    /// Returns a report.
    fn report(&self, number: u64) -> StoreFuture<'_, Option<StoredReport>>;

    /// Returns a line of a room, `each` lines before it and `each` behind it, the oldest first; hidden ones too.
    fn lines_around<'a>(
        &'a self,
        room: &'a str,
        line: u64,
        each: u64,
    ) -> StoreFuture<'a, Vec<StoredLine>>;

    /// Returns the restrictions in force, and the messages that wait.
    fn in_force(&self) -> StoreFuture<'_, InForce>;

    /// Returns the conduct of players, one for each identity.
    fn conduct(&self, identities: Vec<String>) -> StoreFuture<'_, Vec<StoredConduct>>;

    /// Stores that players were told of these entries.
    fn mark_told(&self, entries: Vec<u64>) -> StoreFuture<'_, ()>;

    /// Returns entries of the audit before a number, at most `most`, the newest first; with a target, only its own.
    fn entries<'a>(
        &'a self,
        target: Option<&'a str>,
        before: Option<u64>,
        most: usize,
    ) -> StoreFuture<'a, Vec<Entry>>;

    /// Returns an entry of the audit.
    fn entry(&self, number: u64) -> StoreFuture<'_, Option<Entry>>;

    /// Stores an act with its entry of the audit, its effect and the message to the target, in one transaction. Returns the
    /// number of the entry. Restrictions that are over go away.
    ///
    /// # Errors
    /// When nothing would change, the account has changed meanwhile, a handle is taken, or the storage fails.
    fn moderate(&self, change: ModerationChange) -> BoxFuture<'_, Result<u64, ModerationError>>;
}
