//! The contracts of the storage: traits for everything that outlives the process, with their rows, errors and codecs.
//!
//! Invariant: it knows no database and no statement.
//!
//! A change that a method has answered with `Ok` survives any crash of the process and the machine. The tests that
//! every implementation has to pass are here too, under the feature `contracts` ([`Storage`] names all traits).

#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod account_contract;
mod accounts;
mod chat;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod chat_contract;
pub mod codec;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod conduct_contract;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod contract_suite;
mod credentials;
pub mod erasure;
mod error;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod every_contract;
mod give;
mod journal;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod letter_contract;
mod letters;
mod lobby;
#[cfg(any(test, feature = "contracts"))]
mod memory_nodes;
mod moderation;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod moderation_contract;
mod nodes;
mod outbox;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod push_contract;
mod pushes;
mod record_batch;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod relation_contract;
mod relations;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod result_contract;
mod result_filter;
mod results;
mod shards;
mod storage;
mod terms;
#[cfg(any(test, feature = "contracts"))]
#[allow(
    clippy::unwrap_used,
    reason = "a contract fails the test that calls it"
)]
pub mod webhook_contract;
pub mod webhooks;
mod writer;

pub use accounts::{
    AccountChange, AccountError, AccountStore, IdentityRow, StoredAccount, StoredSession,
    VacationChange,
};

pub use chat::{ChatChange, ChatStore, DirectLine, DirectPair, StoredLine};
pub use codec::CodecError;
pub use credentials::{Credentials, TokenKey};
pub use erasure::{Erasure, ErasureChange, PersonalRows, PersonalStore, Progress};
pub use error::{AppendError, StoreError, StoreFuture};
pub use give::Give;
pub use journal::{Append, GameMeta, Journal, LogTail, Rest, Sleeper, SleeperLine, StoredGame};
pub use letters::{
    AwaitedAction, ChangedGame, ChangedGames, GameLetters, Hidden, Letter, LetterPage, Mailbox,
    NewLetter, Outdated, Settlement, StoredCode, StoredLetter,
};
pub use lobby::{CommandKey, LobbyChange, LobbyStore, StoredCommand, StoredSeek};
#[cfg(any(test, feature = "contracts"))]
pub use memory_nodes::{MemoryNodes, NodeRows};
pub use moderation::{
    InForce, ModerationChange, ModerationError, ModerationStore, ReportPosition, StoredConduct,
    StoredNotice, StoredReport, StoredRestriction,
};
pub use nodes::{
    ClusterChange, ClusterDone, ClusterError, ClusterView, DatabaseTime, Incarnation, LastRenewal,
    NodeId, NodeRow, NodeState, Part, PartRow, Release, Term,
};
pub use webhooks::{
    AccountNews, AccountNewsKind, NewWebhook, StoredWebhook, WebhookCount, WebhookFate, WebhookKey,
    WebhookPage,
};

pub use outbox::OutboxStore;
pub use pushes::{Attempt, Device, DeviceOutcome, PushKey, PushSettlement, Receiver, StoredPush};
pub use record_batch::{RecordBatch, RecordRow};
pub use relations::{Related, RelationChange, RelationError, RelationStore, Relations};
pub use result_filter::{ResultFilter, ResultPage, SCANNED_RESULTS, SeatOutcome, reason_name};
pub use results::{
    Arrival, Chapter, ChapterError, ConductRow, CountedSeats, Cursor, CurvePoint, Ending, Endings,
    NewResult, NewWait, RatingChange, RatingRow, ResultStore, StoredResult,
};
pub use shards::{Shard, Shards};

pub use storage::{Liveness, Removed, Stamp, Storage, StorageSizes};
pub use terms::Terms;
pub use writer::GameWriter;
