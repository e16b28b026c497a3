//! Series of rematches.

use serde::{Deserialize, Serialize};

use super::{Created, Ended};
use crate::time::Seat;

/// The half points of a game that one seat wins.
pub const WIN: u32 = 2;

/// The place of a game in a series of rematches (R-SETUP-11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The id of the first game of the series.
    pub first_game: String,
    /// The number of this game. The first game of a series has the number 1 and does not know its series.
    pub number: u32,
    /// The points of each seat from the games before, in half points: 2 for a win, 1 for a shared win.
    pub score: Vec<u32>,
    /// The seat that has the first turn.
    pub first: Seat,
}

impl Series {
    /// Returns the place of the rematch of a game that has ended. `first` is the seat that had the first turn, if there was
    /// one. A game without a result does not count: its rematch takes its place.
    #[must_use]
    pub fn after(created: &Created, first: Option<Seat>, ended: &Ended) -> Option<Self> {
        let counts = ended.reason.has_result();
        let Some(first) = first.filter(|_| counts) else {
            return created.series.as_deref().cloned();
        };
        let seats = created.options.seats;
        let mut score = match &created.series {
            Some(series) => series.score.clone(),
            None => vec![0; usize::from(seats)],
        };
        let share = if ended.winners.len() == 1 {
            WIN
        } else {
            WIN / 2
        };
        for winner in &ended.winners {
            if let Some(won) = score.get_mut(winner.index()) {
                *won = won.saturating_add(share);
            }
        }
        let before = created.series.as_ref();
        Some(Self {
            first_game: before
                .map_or(&created.game, |series| &series.first_game)
                .clone(),
            number: before.map_or(1, |series| series.number).saturating_add(1),
            score,
            first: Seat((first.0 + 1) % seats),
        })
    }
}
