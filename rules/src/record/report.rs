//! The report of a checked record.

use crate::board::Board;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something that a correct record can contain, but that can be a mistake: an invalid word that was not challenged, a
    /// rack that an annotator guessed wrong.
    Remark,
    /// A contradiction to the rules or to the rest of the record.
    Error,
}

/// A finding about a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line of the file; for a native record the line of the event.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// A description of the finding.
    pub reason: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings in order.
    pub findings: Vec<Finding>,
    /// The number of turns checked.
    pub turns: usize,
    /// The final score of each player.
    pub totals: Vec<i32>,
    /// Whether the record contains the end of the game.
    pub is_complete: bool,
    /// The board after the last turn, as far as it could be replayed.
    pub board: Option<Board>,
}

impl Report {
    /// Returns whether the record contains no error; remarks are allowed.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        !self.findings.iter().any(is_error)
    }

    pub(super) fn error(&mut self, line: usize, reason: impl Into<String>) {
        self.push(line, Severity::Error, reason);
    }

    pub(super) fn remark(&mut self, line: usize, reason: impl Into<String>) {
        self.push(line, Severity::Remark, reason);
    }

    fn push(&mut self, line: usize, severity: Severity, reason: impl Into<String>) {
        self.findings.push(Finding {
            line,
            severity,
            reason: reason.into(),
        });
    }
}
