//! Turns without score in the search of an ending.

use crate::choices::{CountedTurns, InactivityRule};
use crate::state::Runs;

use super::EndPosition;
use super::table::{Compact, mix};

/// The turns that count towards an end without further plays.
///
/// While both sides pass, only the side on turn changes, and the plays of both sides keep their values. The value of a pass is the
/// smaller of two: the value after the other side's best play, and the value if both sides pass until the end. The number of passes
/// that end the game does not matter, unless the next pass ends it. So the search keeps only whether the next pass ends the game. If
/// plays count towards the end too, it keeps all counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Idle {
    /// Only passes count.
    Short {
        /// Whether the next pass ends the game.
        ends: bool,
        /// Whether every pass does.
        always: bool,
    },
    /// Plays without a point count too, or no end comes while every score is 0.
    Long {
        /// The turns without score.
        runs: Runs,
        /// Whether every score is 0.
        is_all_zero: bool,
    },
}

impl Idle {
    pub(super) fn of(position: &EndPosition<'_>) -> Self {
        let EndPosition {
            runs,
            is_all_zero,
            inactivity,
            ..
        } = *position;
        let tiles = &position.rules.tiles;
        let has_worthless = || {
            position
                .racks
                .concat()
                .iter()
                .any(|tile| tiles.value(*tile) <= 0)
        };
        if is_all_zero && inactivity.unless_all_zero
            || inactivity.counts == CountedTurns::WithoutScore && has_worthless()
        {
            return Self::Long { runs, is_all_zero };
        }
        let ends = |runs: Runs| inactivity.ends(runs.after_pass(), 2, false).is_some();
        Self::Short {
            ends: ends(runs),
            always: ends(Runs::default()),
        }
    }

    /// Returns this after a turn; `None` if the turn ends the game.
    pub(super) fn after(self, turn: &Compact, inactivity: InactivityRule) -> Option<Self> {
        match self {
            Self::Short { ends: true, .. } if turn.is_pass() => None,
            Self::Short { always, .. } => Some(Self::Short {
                ends: always || turn.is_pass(),
                always,
            }),
            Self::Long { runs, is_all_zero } => {
                let runs = match turn {
                    turn if turn.is_pass() => runs.after_pass(),
                    Compact { score: 0, .. } => runs.after_play_worth_nothing(),
                    _ => Runs::default(),
                };
                let is_all_zero = is_all_zero && turn.score == 0;
                let ends = inactivity.ends(runs, 2, is_all_zero).is_some();
                (!ends).then_some(Self::Long { runs, is_all_zero })
            }
        }
    }

    /// Whether only passes count.
    pub(super) const fn is_short(self) -> bool {
        matches!(self, Self::Short { .. })
    }

    /// Whether a pass ends the game.
    pub(super) fn ends_with_pass(self, inactivity: InactivityRule) -> bool {
        self.after(&Compact::PASS, inactivity).is_none()
    }

    /// The part of a key for this.
    pub(super) fn key(self) -> u64 {
        match self {
            Self::Short { ends, .. } => u64::from(ends),
            Self::Long { runs, is_all_zero } => {
                let Runs {
                    scoreless,
                    passes,
                    without_score,
                } = runs;
                let runs =
                    u64::from(scoreless) << 40 ^ u64::from(passes) << 20 ^ u64::from(without_score);
                mix(3 << 60 ^ runs) ^ u64::from(is_all_zero)
            }
        }
    }
}
