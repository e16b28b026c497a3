//! Places at which a test can end the process as a power cut would.
//!
//! Without the feature `crash-points`, `reached` does nothing. With it, `CRASH_AT=after_commit:3` in the environment
//! ends the process immediately when it reaches that place for the third time.

/// A place between the arrival of a command and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Before a game hands its events to the journal.
    BeforeAppend,
    /// Changes are in a transaction that is not committed.
    BeforeCommit,
    /// The changes are on disk, and no task knows it yet.
    AfterCommit,
    /// The length of the log is recorded; the game learns of it next.
    BeforeOutcome,
    /// Before the answer to the player.
    BeforeReply,
    /// Before the pushes to players and spectators.
    BeforePush,
    /// Before the log is transferred into the database.
    BeforeCheckpoint,
    /// After the transfer.
    AfterCheckpoint,
    /// A seek is stored as starting, and its game does not exist yet.
    BeforeGame,
    /// The game exists, and its seek is still stored.
    AfterGame,
    /// The results of finished games are made, and not yet stored.
    BeforeChapter,
    /// Letters about games are made, and not yet stored.
    BeforeLetters,
    /// The sending of a letter is counted, and the mail server does not have it.
    BeforeMail,
    /// The mail server has taken a letter, and the storage does not know it.
    AfterMail,
    /// Events for webhooks are made, and not yet stored.
    BeforeWebhooks,
    /// An event is about to be delivered.
    BeforeWebhook,
    /// A webhook has taken an event, and the storage does not know it.
    AfterWebhook,
    /// The sending of a push to a browser is counted, and the push service does not have it.
    BeforeWebPush,
    /// The push service has taken a push, and the storage does not know it.
    AfterWebPush,
}

impl Point {
    /// All places.
    pub const ALL: [Self; 19] = [
        Self::BeforeAppend,
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::BeforeOutcome,
        Self::BeforeReply,
        Self::BeforePush,
        Self::BeforeCheckpoint,
        Self::AfterCheckpoint,
        Self::BeforeGame,
        Self::AfterGame,
        Self::BeforeChapter,
        Self::BeforeLetters,
        Self::BeforeMail,
        Self::AfterMail,
        Self::BeforeWebhooks,
        Self::BeforeWebhook,
        Self::AfterWebhook,
        Self::BeforeWebPush,
        Self::AfterWebPush,
    ];

    /// Returns its name in `CRASH_AT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BeforeAppend => "before_append",
            Self::BeforeCommit => "before_commit",
            Self::AfterCommit => "after_commit",
            Self::BeforeOutcome => "before_outcome",
            Self::BeforeReply => "before_reply",
            Self::BeforePush => "before_push",
            Self::BeforeCheckpoint => "before_checkpoint",
            Self::AfterCheckpoint => "after_checkpoint",
            Self::BeforeGame => "before_game",
            Self::AfterGame => "after_game",
            Self::BeforeChapter => "before_chapter",
            Self::BeforeLetters => "before_letters",
            Self::BeforeMail => "before_mail",
            Self::AfterMail => "after_mail",
            Self::BeforeWebhooks => "before_webhooks",
            Self::BeforeWebhook => "before_webhook",
            Self::AfterWebhook => "after_webhook",
            Self::BeforeWebPush => "before_web_push",
            Self::AfterWebPush => "after_web_push",
        }
    }
}

/// Notes that the process has reached a place.
#[cfg(not(feature = "crash-points"))]
pub const fn reached(_point: Point) {}

/// Notes that the process has reached a place, and ends it if the test asked for it.
#[cfg(feature = "crash-points")]
#[expect(
    clippy::print_stderr,
    reason = "the test finds it in the log with every filter"
)]
pub fn reached(point: Point) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    static WANTED: OnceLock<Option<(String, AtomicU64)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("CRASH_AT").ok()?;
        let (name, left) = text.split_once(':')?;
        Some((name.to_owned(), AtomicU64::new(left.parse().ok()?)))
    });
    if let Some((name, left)) = wanted
        && name == point.name()
        && left.fetch_sub(1, Ordering::SeqCst) == 1
    {
        eprintln!("crash point {name}");
        std::process::abort();
    }
}
