//! Moderation: reports of players, and what moderators do about them.
//!
//! A report names a player, a reason, and the line of a chat room or the game that it is about. It keeps the lines around the
//! reported one, because lines are removed after a time. Every act of a moderator is an entry of the audit
//! ([`crate::audit`]), and so is its undoing. Nothing is secret from its target: the player is told the kind, the reason
//! and the end of everything that concerns the player.

mod act;
mod report;

pub use act::{
    Deed, Kind, Order, Restraint, Target, hidden_lines, is_operation, operation, restrained, undo,
};
pub use report::{ContextLine, Draft, Reason, Report};

use tilewire_rules::time::{Millis, Timestamp};

use crate::accounts;

/// The most characters of a reporter's own words.
pub const WORDS_MAX_CHARS: usize = 500;
/// Lines that a report keeps before the reported line, and after it.
pub const CONTEXT_LINES: u64 = 10;
/// Reports that a player can send in [`REPORTS_PERIOD`].
pub const REPORTS_MOST: usize = 10;
/// The period in which the reports of a player are counted.
pub const REPORTS_PERIOD: Millis = Millis(24 * 3_600_000);
/// Lines that one act can hide.
pub const HIDDEN_MOST: usize = 50;

/// Why a report or an act of a moderator is refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The account of the target, or the role of the actor, does not allow it.
    #[error(transparent)]
    Account(#[from] accounts::Refusal),
    /// The reporter and the reported player are the same.
    #[error("this is you")]
    Yourself,
    /// The own words are too long.
    #[error("write at most {WORDS_MAX_CHARS} characters")]
    BadWords,
    /// The player has sent as many reports as possible.
    #[error("you can send {REPORTS_MOST} reports in 24 hours")]
    TooManyReports {
        /// When the player can send the next one.
        until: Timestamp,
    },
    /// The room has no such line of the player, or the reporter cannot read the room.
    #[error("the player wrote no such line in a room that you can read")]
    UnknownLine,
    /// There is no such report.
    #[error("there is no such report")]
    UnknownReport,
    /// There is no such act.
    #[error("there is no such act of a moderator")]
    UnknownAct,
    /// The end is not in the future.
    #[error("the end is in the past")]
    BadUntil,
    /// No line is named, or too many.
    #[error("name 1 to {HIDDEN_MOST} lines of one room")]
    BadLines,
    /// The act has no effect that could be undone.
    #[error("this cannot be undone")]
    CannotUndo,
    /// The act changes nothing: its effect is over, or another act has replaced it.
    #[error("this changes nothing")]
    NoChange,
}

impl Refusal {
    /// Returns the stable code of the refusal.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Account(refusal) => refusal.code(),
            Self::Yourself => "yourself",
            Self::BadWords => "bad_words",
            Self::TooManyReports { .. } => "too_many_reports",
            Self::UnknownLine => "unknown_line",
            Self::UnknownReport => "unknown_report",
            Self::UnknownAct => "unknown_act",
            Self::BadUntil => "bad_until",
            Self::BadLines => "bad_lines",
            Self::CannotUndo => "cannot_undo",
            Self::NoChange => "no_effect",
        }
    }
}

#[cfg(test)]
mod tests;
