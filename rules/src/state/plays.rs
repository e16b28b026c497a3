//! Plays that were made before.

use std::sync::Arc;

use super::apply::Applied;
use super::{PlayStatus, ReplayProblem, State, TurnKind, TurnRecord};
use crate::event::ScoredWord;
use crate::time::Seq;

impl State {
    /// Returns the words of the play whose window is open.
    #[must_use]
    pub fn window_words(&self) -> &[ScoredWord] {
        let Some(window) = &self.window else {
            return &[];
        };
        self.history
            .iter()
            .rev()
            .find_map(|turn| match &turn.kind {
                TurnKind::Play { play_id, play, .. } if *play_id == window.play_id => {
                    Some(play.words.as_slice())
                }
                TurnKind::Play { .. }
                | TurnKind::Exchange(_)
                | TurnKind::Pass
                | TurnKind::LostTurn => None,
            })
            .unwrap_or(&[])
    }

    /// Returns the turn of a play for a change.
    pub(super) fn turn_of(&mut self, play_id: Seq) -> Option<&mut TurnRecord> {
        let its = |turn: &TurnRecord| matches!(&turn.kind, TurnKind::Play { play_id: id, .. } if *id == play_id);
        let turn = self.history.iter_mut().rev().find(|turn| its(turn));
        turn.map(Arc::make_mut)
    }

    /// Undoes the play whose window is open: tiles, score, and the run without score as it was
    /// before, plus this turn (R-CHAL, R-END).
    pub(super) fn take_play_off(&mut self) -> Applied {
        let window = self.window.as_mut().ok_or(ReplayProblem::NoWindow)?;
        let (author, play_id) = (window.author, window.play_id);
        let undo = window.undo.clone();
        window.owed = 0;
        self.tiles.take_back(author, &undo.placed)?;
        let author = self.seat(author)?;
        author.score = author.score.saturating_sub(undo.score);
        // Only lost turns can have followed while the window was open; they count in addition.
        let lost_since = self.runs.scoreless;
        self.runs = undo.runs.after_scoreless();
        for _ in 0..lost_since {
            self.runs = self.runs.after_scoreless();
        }
        if let Some(turn) = self.turn_of(play_id) {
            turn.total -= undo.score;
            if let TurnKind::Play { status, .. } = &mut turn.kind {
                *status = PlayStatus::ChallengedOff;
            }
        }
        Ok(())
    }
}
