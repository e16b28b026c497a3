//! Reports of players.

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Timestamp;

use super::{Refusal, WORDS_MAX_CHARS};

/// The reason of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Insults, threats, spam.
    Abuse,
    /// Help by a program or by another person.
    Cheating,
    /// Letting the time run out instead of resigning.
    Stalling,
    /// The name.
    Name,
    /// Something else; the words say what.
    Other,
}

impl Reason {
    /// Every reason, in the order of lists.
    pub const ALL: [Self; 5] = [
        Self::Abuse,
        Self::Cheating,
        Self::Stalling,
        Self::Name,
        Self::Other,
    ];

    /// Returns the name of the reason, as it is stored and typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abuse => "abuse",
            Self::Cheating => "cheating",
            Self::Stalling => "stalling",
            Self::Name => "name",
            Self::Other => "other",
        }
    }
}

/// A line around a reported one, as it was when the report came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextLine {
    /// Its number in the room.
    pub line: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The identity that wrote it.
    pub identity: String,
    /// Its display name at that time.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A report before it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The identity of the reporter.
    pub reporter: String,
    /// The handle of the reporter.
    pub reporter_name: String,
    /// The identity of the reported player.
    pub target: String,
    /// The display name of the reported player.
    pub target_name: String,
    /// The reason.
    pub reason: Reason,
    /// The reporter's own words; may be empty.
    pub words: String,
    /// The game that the report is about.
    pub game: Option<String>,
    /// The chat room and the number of the line that the report is about.
    pub line: Option<(String, u64)>,
    /// The reported line and the lines around it that the reporter may read, the oldest first.
    pub context: Vec<ContextLine>,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// When it came.
    pub at: Timestamp,
    /// The identity of the reporter.
    pub reporter: String,
    /// The handle of the reporter at that time.
    pub reporter_name: String,
    /// The identity of the reported player.
    pub target: String,
    /// The display name of the reported player at that time.
    pub target_name: String,
    /// The reason.
    pub reason: Reason,
    /// The reporter's own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The game that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The chat room that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The number of the line in the room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The line and those around it that the reporter could read, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextLine>,
}

impl Draft {
    /// Returns the report. The caller has checked that the reporter is registered; the store counts the reports of the reporter.
    ///
    /// # Errors
    /// When the words are too long, the reporter is the target, or the target did not write the line.
    pub fn check(self, now: Timestamp) -> Result<Report, Refusal> {
        if self.reporter == self.target {
            return Err(Refusal::Yourself);
        }
        let words = self.words.trim().to_owned();
        if words.chars().count() > WORDS_MAX_CHARS {
            return Err(Refusal::BadWords);
        }
        if let Some((_, number)) = &self.line {
            let mut context = self.context.iter();
            if !context.any(|line| line.line == *number && line.identity == self.target) {
                return Err(Refusal::UnknownLine);
            }
        }
        let (room, line) = self.line.unzip();
        Ok(Report {
            at: now,
            reporter: self.reporter,
            reporter_name: self.reporter_name,
            target: self.target,
            target_name: self.target_name,
            reason: self.reason,
            words,
            game: self.game,
            room,
            line,
            context: self.context,
        })
    }
}
