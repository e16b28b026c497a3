//! How much a hint says.

use serde::{Deserialize, Serialize};

/// The grade of a hint (R-HINT-2). A higher one says all that a lower one says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum HintGrade {
    /// 1: the theme of the turn.
    Theme,
    /// 2: the row or column of the play too.
    Line,
    /// 3: the turn itself.
    Turn,
}

/// The error for a number that is no grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no grade of a hint; the grades are 1, 2 and 3")]
pub struct UnknownGrade(u8);

impl TryFrom<u8> for HintGrade {
    type Error = UnknownGrade;

    fn try_from(number: u8) -> Result<Self, UnknownGrade> {
        match number {
            1 => Ok(Self::Theme),
            2 => Ok(Self::Line),
            3 => Ok(Self::Turn),
            _ => Err(UnknownGrade(number)),
        }
    }
}

impl From<HintGrade> for u8 {
    fn from(grade: HintGrade) -> Self {
        match grade {
            HintGrade::Theme => 1,
            HintGrade::Line => 2,
            HintGrade::Turn => 3,
        }
    }
}
