//! The storage: contracts for everything that outlives the process, and the databases that implement them.
//!
//! [`SqlStorage`] implements the traits of [`Storage`], and [`SqlBook`] those of the operator's commands; both work with SQLite
//! (`sqlite`) and PostgreSQL (`postgres`), and pass `contract_suite` with each. [`open`] chooses the database; the rest of
//! the server knows the traits only.
//!
//! Invariant: a change that a method has answered with `Ok` survives any crash of the process and the machine.

#[cfg(test)]
pub(crate) mod account_contract;
mod accounts;
mod archive;
mod chat;
#[cfg(test)]
pub(crate) mod chat_contract;
mod codec;
#[cfg(test)]
pub(crate) mod conduct_contract;
#[cfg(test)]
pub(crate) mod contract_suite;
mod credentials;
pub(crate) mod erasure;
mod error;
#[cfg(test)]
mod every_contract;
mod everything;
mod give;
#[cfg(test)]
pub(crate) mod hook_contract;
pub(crate) mod hooks;
mod identity;
mod journal;
#[cfg(test)]
pub(crate) mod letter_contract;
mod letters;
mod lobby;
mod memory_accounts;
mod memory_chat;
mod memory_hooks;
mod memory_letters;
mod memory_moderation;
mod memory_nodes;
mod memory_relations;
mod memory_results;
mod moderation;
#[cfg(test)]
pub(crate) mod moderation_contract;
mod nodes;
mod open;
pub mod postgres;
#[cfg(test)]
pub(crate) mod push_contract;
mod pushes;
mod record_batch;
#[cfg(test)]
pub(crate) mod relation_contract;
mod relations;
#[cfg(test)]
pub(crate) mod result_contract;
mod result_filter;
mod results;
mod shards;
mod sql;
pub mod sqlite;
mod terms;
mod upkeep;
mod vacations;
mod write_queue;
mod writer;

pub use accounts::{
    AccountBook, AccountChange, AccountError, AccountStore, StoredAccount, StoredSession,
};
pub use archive::{Archive, ArchiveError, Pace};
pub use chat::{ChatChange, ChatStore, DirectLine, DirectPair, StoredLine};
pub use codec::CodecError;
pub use credentials::{CredentialStore, Credentials, KeyEntry, Keyring, KeyringError, TokenKey};
pub use erasure::{Erasure, ErasureChange, NothingPersonal, PersonalRows, PersonalStore, Progress};
pub use error::{AppendError, StoreError};
pub use everything::{ModerationDesk, Storage};
pub use give::Give;
pub use hooks::{
    AccountNews, AccountNewsKind, HookBook, HookCount, HookFate, HookKey, HookPage, HookStore,
    NewHook, StoredHook,
};
pub use identity::{IdentityRow, IdentityStore};
pub use journal::{Append, GameMeta, Journal, LogTail, Rest, Sleeper, SleeperLine, StoredGame};
pub use letters::{
    Asked, GameLetters, Hidden, Letter, LetterPage, LetterStore, Mailbox, NewLetter, Outdated,
    Settlement, StoredCode, StoredLetter, Turned, TurnedPage,
};
pub use lobby::{CommandKey, LobbyChange, LobbyStore, StoredCommand, StoredSeek};
pub use memory_accounts::MemoryAccounts;
pub use memory_hooks::{MemoryHooks, WrittenHooks};
pub use memory_letters::MemoryLetters;
pub use memory_nodes::{MemoryNodes, NodeRows};
pub use memory_results::MemoryResults;
pub use moderation::{
    ModerationBook, ModerationChange, ModerationError, ModerationStore, ReportPlace, Standing,
    StoredConduct, StoredNotice, StoredReport, StoredRestriction,
};
pub use nodes::{
    ClusterChange, ClusterDone, ClusterError, ClusterView, DatabaseTime, Incarnation, LastRenewal,
    NodeId, NodeRow, NodeState, Part, PartRow, Release, Term,
};
pub use open::{
    OpenError, open, open_account_book, open_archive, open_clock_record, open_hook_book,
    open_keyring, open_moderation_book, open_own_archive, open_push_keyring, open_result_book,
    restore, restore_own,
};
pub(crate) use postgres::READS_FORM;
pub use pushes::{
    Device, Placed, PushKey, PushKeyring, PushSettlement, PushStore, Receiver, StoredPush, Tried,
};
pub use record_batch::{RecordBatch, RecordRow};
pub use relations::{Related, RelationChange, RelationError, RelationStore, Relations};
pub use result_filter::{ResultFilter, ResultPage, SCANNED_RESULTS, SeatOutcome, reason_name};
pub use results::{
    Arrival, Chapter, ChapterError, ConductRow, Correction, CountedSeats, Cursor, CurvePoint,
    Ending, EndingFeed, Endings, NewResult, NewWait, PlayerConduct, RatingChange, RatingRow,
    ResultBook, ResultStore, StoredRating, StoredResult,
};
pub use shards::{Shard, Shards};
pub use sql::{SqlBook, SqlStorage};
pub use terms::Terms;
pub use upkeep::{
    ClockRecord, Liveness, LivenessStore, Pruning, Removed, Stamp, StorageHealth, StorageSizes,
};
pub use vacations::{VacationChange, VacationStore};
pub use writer::GameWriter;
