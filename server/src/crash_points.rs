//! Places at which a test can let the process die as in a power cut.
//!
//! Without the feature `crash-points` there are none: `reached` does nothing. With it, `CRASH_AT=after_commit:3` in the
//! environment ends the process, without another word to anybody, when it comes to that place for the third time.

/// A place in the way of a command from its arrival to the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A game hands its events to the journal.
    BeforeAppend,
    /// Changes are made in a transaction that is not committed.
    BeforeCommit,
    /// The changes are on the disk, and nobody knows.
    AfterCommit,
    /// It is noted how far the log goes; the game is told next.
    BeforeOutcome,
    /// The player is answered next.
    BeforeReply,
    /// Players and spectators are told next.
    BeforePush,
    /// The log is transferred into the database next.
    BeforeCheckpoint,
    /// It has been transferred.
    AfterCheckpoint,
    /// A seek is stored as one that becomes a game, which is not made yet.
    BeforeGame,
    /// The game is made, and its seek is still there.
    AfterGame,
}

impl Point {
    /// All of them.
    pub const ALL: [Self; 10] = [
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
        }
    }
}

/// The process has come to a place.
#[cfg(not(feature = "crash-points"))]
pub(crate) const fn reached(_point: Point) {}

/// The process has come to a place, and perhaps to its end.
#[cfg(feature = "crash-points")]
#[expect(
    clippy::print_stderr,
    reason = "the test looks for it in the log, whatever the filter says"
)]
pub(crate) fn reached(point: Point) {
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
