//! The fold of what players ask: to abort the game, whether somebody is still there, a hint.

use super::apply::Applied;
use super::{AbortRequest, Hint, Nudge, ReplayProblem, State};
use crate::event::{HintGrade, Record};
use crate::time::{Seat, Seq, Timestamp};

impl State {
    /// Returns the hints that were used, oldest first.
    #[must_use]
    pub fn hints(&self) -> &[Hint] {
        &self.hints
    }

    /// Returns the hint of the turn that is being played, if its seat has used one; of several, the one that says most.
    #[must_use]
    pub fn hint(&self) -> Option<Hint> {
        let turn = self.turn?;
        let last = self.hints.last().copied();
        last.filter(|hint| hint.turn_no == turn.no)
    }

    pub(super) fn hint_used(&mut self, seq: Seq, seat: Seat, grade: HintGrade) -> Applied {
        let turn = self.turn.filter(|turn| turn.seat == seat);
        let turn_no = turn.ok_or(ReplayProblem::NoTurn)?.no;
        self.hints.push(Hint {
            seq,
            turn_no,
            seat,
            grade,
        });
        Ok(())
    }

    pub(super) fn abort_requested(&mut self, seat: Seat, until: Timestamp) -> Applied {
        self.seat(seat)?.has_requested_abort = true;
        self.abort_request = Some(AbortRequest { seat, until });
        Ok(())
    }

    pub(super) fn abort_declined(&mut self, seat: Seat) -> Applied {
        let open = self.abort_request.take();
        if open.is_none_or(|request| request.seat != seat) {
            return Err(ReplayProblem::NoAbortRequest(seat));
        }
        Ok(())
    }

    pub(super) fn nudged(&mut self, nudge: Nudge) -> Applied {
        self.seat(nudge.target)?;
        let nudges = &mut self.seat(nudge.seat)?.nudges;
        *nudges = nudges.saturating_add(1);
        self.nudge = Some(nudge);
        self.nudged_turn = self.turn.map(|turn| turn.no);
        Ok(())
    }

    pub(super) fn nudge_answered(&mut self, seat: Seat) -> Applied {
        let open = self.nudge.take();
        if open.is_none_or(|nudge| nudge.target != seat) {
            return Err(ReplayProblem::NoNudge(seat));
        }
        Ok(())
    }

    /// Ends the nudge of a seat that leaves the game. A claim retires it for the nudge unless the seat could be claimed as
    /// one that is away.
    pub(super) fn end_nudge_by_retirement(&mut self, record: &Record, seat: Seat) -> Applied {
        let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= record.at);
        let nudge = self.nudge.filter(|nudge| nudge.target == seat);
        let has_ignored = nudge.is_some_and(|nudge| is_due(nudge.claim_at));
        let is_claim = record.command.as_ref().is_some_and(|own| own.seat != seat);
        let state = self.seat(seat)?;
        state.has_ignored_nudge = has_ignored && is_claim && !is_due(state.claim_at);
        self.end_nudge_of(seat);
        Ok(())
    }

    /// Ends the nudge of a seat: its turn is over, or it has left the game.
    pub(super) fn end_nudge_of(&mut self, seat: Seat) {
        self.nudge = self.nudge.filter(|nudge| nudge.target != seat);
    }
}
