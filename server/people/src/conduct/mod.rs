//! Conduct: points for players who leave games or hold them up, and the waiting times that follow (H-COND).
//!
//! A finished game gives each seat of a registered player a point, a clean game, or nothing ([`Mark`]); the log alone says
//! which. A player's [`Conduct`] is the fold of these marks in the order of the results. Two clean games in a row take a
//! point away. A player who has [`POINTS_MOST`] points waits before the next public game, longer each time.
//!
//! The server does this by itself, so its entries of the audit name [`SERVER`] as the actor. A moderator can undo a waiting
//! time, or forgive everything.

mod judge;

pub(crate) use judge::Judge;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::{Millis, Timestamp};

use crate::audit::Action;
use crate::moderation::Restraint;

/// The actor of waiting times in the audit. No identity is called so.
pub const SERVER: &str = "server";
/// The points at which a player waits; nobody has more.
pub const POINTS_MOST: u8 = 4;
/// The clean games in a row that take a point away.
pub const CLEAN_GAMES: u8 = 2;
/// The first waiting time.
pub const FIRST_WAIT: Millis = Millis(10 * 60_000);
/// The factor from one waiting time to the next.
const WAIT_FACTOR: i64 = 3;
/// The longest waiting time.
pub const LONGEST_WAIT: Millis = Millis(48 * 3_600_000);
/// The time without a waiting time after which the next one is a first one again.
pub const FORGOTTEN_AFTER: Millis = Millis(30 * 24 * 3_600_000);
/// The time without an action after which a player on turn is idle.
pub const IDLE: Millis = Millis(5 * 60_000);
/// The turn of a game before which a resignation gives a point.
pub const EARLY_BEFORE_TURN: u32 = 3;

/// A reason for which a player gets a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offence {
    /// The player stayed away until the game was claimed, or let the limit of a long turn pass.
    Abandoned,
    /// The player aborted the game after the deal, without the consent of the others.
    Aborted,
    /// The player was not ready in time.
    NeverStarted,
    /// The player did nothing for [`IDLE`], and then resigned or lost on time.
    Idle,
    /// The player resigned before turn [`EARLY_BEFORE_TURN`].
    ResignedEarly,
    /// The player left a rated game before each player had completed a turn, so that it changes no rating.
    LeftUnplayed,
}

impl Offence {
    /// Every offence.
    pub const ALL: [Self; 6] = [
        Self::Abandoned,
        Self::Aborted,
        Self::NeverStarted,
        Self::Idle,
        Self::ResignedEarly,
        Self::LeftUnplayed,
    ];

    /// Returns the offence in words for the player.
    fn words(self, game: &str) -> String {
        match self {
            Self::Abandoned => format!("you abandoned game {game}"),
            Self::Aborted => format!("you aborted game {game} after the tiles were dealt"),
            Self::NeverStarted => format!("you were not ready for game {game}"),
            Self::Idle => format!("you did nothing for 5 minutes before you lost game {game}"),
            Self::ResignedEarly => format!("you resigned game {game} before turn 3"),
            Self::LeftUnplayed => {
                format!("you left rated game {game} before both of you had completed a turn")
            }
        }
    }
}

/// The verdict of a finished game on the conduct of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The player played and gave no cause for a point.
    Clean,
    /// The player gets a point.
    Point(Offence),
}

/// The conduct of a player until now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conduct {
    /// The points: 0 to [`POINTS_MOST`].
    pub points: u8,
    /// The clean games since the last change of the points.
    pub clean: u8,
    /// The waiting times that make the next one longer.
    pub waits: u8,
    /// When the latest waiting time ends; `None` if there was none.
    pub until: Option<Timestamp>,
}

impl Conduct {
    /// Returns the conduct after a game that ended at `at`, and the end of the waiting time that begins with it, if one does.
    #[must_use]
    pub fn after(mut self, mark: Mark, at: Timestamp) -> (Self, Option<Timestamp>) {
        match mark {
            Mark::Clean => (self.after_clean(), None),
            Mark::Point(_) => {
                self.clean = 0;
                self.points = POINTS_MOST.min(self.points.saturating_add(1));
                if self.points < POINTS_MOST {
                    return (self, None);
                }
                let is_long_ago = |until: Timestamp| at - until >= FORGOTTEN_AFTER;
                if self.until.is_some_and(is_long_ago) {
                    self.waits = 0;
                }
                let until = at + wait_after(self.waits);
                self.waits = self.waits.saturating_add(1);
                // Games end in another order than their results are written: a later end stays.
                self.until = self.until.max(Some(until));
                (self, self.until)
            }
        }
    }

    const fn after_clean(mut self) -> Self {
        if self.points == 0 {
            return self;
        }
        self.clean = self.clean.saturating_add(1);
        if self.clean >= CLEAN_GAMES {
            self.clean = 0;
            self.points -= 1;
        }
        self
    }
}

/// Returns the waiting time of a player with this number of earlier ones: 10 minutes, three times as long each time, at most 48
/// hours.
#[must_use]
pub fn wait_after(waits: u8) -> Millis {
    let factor = WAIT_FACTOR.saturating_pow(waits.into());
    Millis(FIRST_WAIT.0.saturating_mul(factor)).min(LONGEST_WAIT)
}

/// Returns the action for the audit with which a waiting time of a player begins.
#[must_use]
pub fn waiting(player: &str, game: &str, offence: Offence, until: Timestamp) -> Action {
    Action {
        actor: SERVER.to_owned(),
        action: Restraint::Wait.action().to_owned(),
        target: player.to_owned(),
        reason: format!(
            "waiting time, because {}, and have {POINTS_MOST} points for games that you left or held up",
            offence.words(game)
        ),
        until: Some(until),
    }
}

#[cfg(test)]
mod tests;
