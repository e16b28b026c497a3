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

/// The subject of a finding. Its name is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The proof of the bag, or a draw.
    Bag,
    /// A challenge or its outcome.
    Challenge,
    /// An event that could not happen.
    Event,
    /// An exchange that is not allowed.
    Exchange,
    /// Points lost for time.
    Overtime,
    /// An invalid word.
    Phony,
    /// A play that cannot be laid.
    Play,
    /// Tiles of a rack.
    Rack,
    /// The result of the game.
    Result,
    /// Points or a total.
    Score,
    /// Times and clocks.
    Time,
    /// A player who is not on turn, or a turn after the end.
    Turn,
    /// Unplayed tiles at the end.
    UnplayedTiles,
    /// Words or letters that are not those on the board.
    Words,
}

impl Code {
    /// Every code, in the order of the names.
    pub const ALL: [Self; 14] = [
        Self::Bag,
        Self::Challenge,
        Self::Event,
        Self::Exchange,
        Self::Overtime,
        Self::Phony,
        Self::Play,
        Self::Rack,
        Self::Result,
        Self::Score,
        Self::Time,
        Self::Turn,
        Self::UnplayedTiles,
        Self::Words,
    ];

    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bag => "bag",
            Self::Challenge => "challenge",
            Self::Event => "event",
            Self::Exchange => "exchange",
            Self::Overtime => "overtime",
            Self::Phony => "phony",
            Self::Play => "play",
            Self::Rack => "rack",
            Self::Result => "result",
            Self::Score => "score",
            Self::Time => "time",
            Self::Turn => "turn",
            Self::UnplayedTiles => "unplayed_tiles",
            Self::Words => "words",
        }
    }
}

/// A finding about a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line of the file; for a native record the line of the event.
    pub line: usize,
    /// The subject.
    pub code: Code,
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
    /// Why the record is not that of a whole game, if it is not.
    pub incomplete: Option<&'static str>,
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

    /// Returns whether the record is that of a whole game.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }

    pub(super) fn error(&mut self, line: usize, code: Code, reason: impl Into<String>) {
        self.push(line, code, Severity::Error, reason);
    }

    pub(super) fn remark(&mut self, line: usize, code: Code, reason: impl Into<String>) {
        self.push(line, code, Severity::Remark, reason);
    }

    fn push(&mut self, line: usize, code: Code, severity: Severity, reason: impl Into<String>) {
        self.findings.push(Finding {
            line,
            code,
            severity,
            reason: reason.into(),
        });
    }
}
