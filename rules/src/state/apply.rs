//! The fold: how one record changes the state.

use super::{
    Dispute, Hold, Nudge, Phase, PlayStatus, REMEMBERED_COMMANDS, Remembered, ReplayError,
    ReplayProblem, Runs, SeatState, State, Turn, TurnKind, TurnRecord, Undo, Window,
};
use crate::alphabet::{Placed, Tile};
use crate::board::{Direction, Layout, Square};
use crate::clock::Clocks;
use crate::event::{ChallengeDecided, Ended, Event, PlayMade, PublicEvent, Record};
use crate::ruleset::{Premiums, RuleSet};
use crate::tiles::LedgerError;
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use std::sync::Arc;

pub(super) type Applied = Result<(), ReplayProblem>;

impl State {
    /// Adds one record to the state.
    ///
    /// # Errors
    /// If the record does not follow from the earlier records. The state is then invalid and
    /// must be discarded; a game only applies records that it decided itself.
    pub fn apply(&mut self, record: &Record) -> Result<(), ReplayError> {
        self.try_apply(record).map_err(|problem| ReplayError {
            seq: record.seq,
            problem,
        })
    }

    fn try_apply(&mut self, record: &Record) -> Applied {
        if record.seq != self.seq.next() {
            return Err(ReplayProblem::WrongSeq(self.seq.next()));
        }
        if self.phase == Phase::Ended {
            return Err(ReplayProblem::AfterEnd);
        }
        match &record.event {
            Event::Created(_) => return Err(ReplayProblem::NoCreation),
            Event::BagShuffled { order, .. } => self.tiles.mix(order)?,
            Event::TilesDrawn { seat, tiles, bag } => {
                self.seat(*seat)?;
                self.tiles.draw(*seat, tiles)?;
                if self.tiles.bag().len() != usize::from(*bag) {
                    return Err(ReplayProblem::BagCount);
                }
            }
            Event::Exchanged {
                turn_no,
                seat,
                tiles,
            } => {
                let rack = self.rack(*seat)?;
                self.tiles.discard(*seat, tiles)?;
                self.exchanges += 1;
                self.exchanged.push((*turn_no, *seat, tiles.clone()));
                self.end_turn(*turn_no, *seat, TurnKind::Exchange(tiles.len()), rack)?;
            }
            Event::Public(event) => self.apply_public(record, event)?,
        }
        self.seq = record.seq;
        self.last_at = record.at;
        if let Some(command) = &record.command {
            if self.turn.is_some_and(|turn| turn.seat == command.seat) {
                self.quiet_since = record.at;
            }
            let recent = &mut self.seat(command.seat)?.recent;
            if recent.len() == REMEMBERED_COMMANDS {
                recent.pop_front();
            }
            recent.push_back(Remembered {
                command: Arc::new(command.clone()),
                seq: record.seq,
            });
        }
        // Invariant: no event adds or removes a tile.
        if may_move_tiles(&record.event) {
            self.tiles.check_conserved(&self.rules.tiles)?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_lines, reason = "one arm per event, each short")]
    fn apply_public(&mut self, record: &Record, event: &PublicEvent) -> Applied {
        match event {
            PublicEvent::SeatReady { seat, nonce } => {
                self.seat(*seat)?.ready = Some(nonce.clone());
            }
            PublicEvent::BoardDrawn { layout } => self.draw_board(layout)?,
            PublicEvent::OrderDrawn { first, .. } => {
                self.seat(*first)?;
                self.first = Some(*first);
            }
            PublicEvent::TurnStarted {
                turn_no,
                seat,
                clocks,
            } => self.start_turn(record.at, *turn_no, *seat, clocks)?,
            PublicEvent::PlayMade(play) => self.play_made(record, play)?,
            PublicEvent::Passed { turn_no, seat } => {
                let rack = self.rack(*seat)?;
                self.end_turn(*turn_no, *seat, TurnKind::Pass, rack)?;
            }
            PublicEvent::TurnLost { turn_no, seat } => {
                let state = self.seat(*seat)?;
                state.turn_debt = state.turn_debt.saturating_sub(1);
                let rack = self.rack(*seat)?;
                self.end_turn(*turn_no, *seat, TurnKind::LostTurn, rack)?;
            }
            PublicEvent::Accepted { play_id, seat } => {
                self.window_of(*play_id)?.accepted.push(*seat);
            }
            PublicEvent::HoldStarted {
                play_id,
                seat,
                until,
                clocks,
            } => {
                let window = self.window_of(*play_id)?;
                window.hold = Some(Hold {
                    seat: *seat,
                    until: *until,
                });
                window.holds_used.push(*seat);
                self.set_clocks(clocks)?;
            }
            PublicEvent::HoldEnded {
                play_id, clocks, ..
            } => {
                self.window_of(*play_id)?.hold = None;
                self.set_clocks(clocks)?;
            }
            PublicEvent::ChallengeOpened {
                play_id,
                seat,
                decide_by,
                clocks,
            } => {
                self.window_of(*play_id)?.dispute = Some(Dispute {
                    challenger: *seat,
                    decide_by: *decide_by,
                });
                self.set_clocks(clocks)?;
            }
            PublicEvent::ChallengeDecided(decided) => self.challenge_decided(decided)?,
            PublicEvent::WindowClosed { play_id, .. } => {
                self.window_of(*play_id)?;
                self.window = None;
            }
            PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                clocks,
            } => {
                self.pause = None;
                self.set_clocks(clocks)?;
                self.move_deadlines(resumed_at.since(*stopped_at));
            }
            PublicEvent::SeatVanished { seat, claim_at } => {
                let state = self.seat(*seat)?;
                state.claim_at = Some(*claim_at);
                state.times_vanished += 1;
            }
            PublicEvent::SeatReturned { seat } => self.seat(*seat)?.claim_at = None,
            PublicEvent::AbortRequested { seat, until } => self.abort_requested(*seat, *until)?,
            PublicEvent::AbortDeclined { seat, .. } => self.abort_declined(*seat)?,
            PublicEvent::Nudged {
                seat,
                target,
                claim_at,
            } => self.nudged(Nudge {
                seat: *seat,
                target: *target,
                claim_at: *claim_at,
            })?,
            PublicEvent::NudgeAnswered { seat } => self.nudge_answered(*seat)?,
            PublicEvent::AdjournRequested { .. }
            | PublicEvent::AdjournAgreed { .. }
            | PublicEvent::AdjournDeclined { .. }
            | PublicEvent::Adjourned { .. }
            | PublicEvent::ReadyToResume { .. }
            | PublicEvent::NotReadyToResume { .. }
            | PublicEvent::Resumed { .. } => self.apply_adjournment(record.at, event)?,
            PublicEvent::Vacation {
                seat,
                until,
                clocks,
            } => self.vacation_changed(record.at, *seat, *until, clocks)?,
            PublicEvent::Paused { until, clocks } => self.paused(record.at, *until, clocks)?,
            PublicEvent::TimeGiven {
                seat,
                target,
                clocks,
                ..
            } => self.time_given(*seat, *target, clocks)?,
            PublicEvent::TimeRefused { seat } => self.seat(*seat)?.refuses_time = true,
            PublicEvent::HintUsed { seat, grade } => self.hint_used(record.seq, *seat, *grade)?,
            PublicEvent::SeatRetired { seat, reason } => {
                self.leave_adjournment(*seat);
                self.end_nudge_by_retirement(record, *seat)?;
                let before = self.seats.iter().filter(|s| s.retired.is_some()).count();
                let place = u8::try_from(before).map_err(|_| ReplayProblem::SeatCount)?;
                self.seat(*seat)?.retired = Some((*reason, place));
                if let Some(window) = &mut self.window {
                    window.eligible.retain(|eligible| eligible != seat);
                }
            }
            PublicEvent::Ended(ended) => self.ended(ended)?,
        }
        Ok(())
    }

    pub(super) fn seat(&mut self, seat: Seat) -> Result<&mut SeatState, ReplayProblem> {
        self.seats
            .get_mut(seat.index())
            .ok_or(ReplayProblem::NoSuchSeat(seat))
    }

    fn rack(&mut self, seat: Seat) -> Result<Box<[Tile]>, ReplayProblem> {
        self.seat(seat)?;
        Ok(self.tiles.rack(seat).into())
    }

    fn window_of(&mut self, play_id: Seq) -> Result<&mut Window, ReplayProblem> {
        self.window
            .as_mut()
            .filter(|window| window.play_id == play_id)
            .ok_or(ReplayProblem::NoWindow)
    }

    /// Puts the premium squares of this game on the board: those of the rule set in another order.
    fn draw_board(&mut self, rows: &[String]) -> Applied {
        let usual = &self.rules.layout;
        let drawn = Layout::parse(usual.rows(), usual.cols(), usual.start(), &rows.join("\n"))?;
        if self.rules.premiums == Premiums::Fixed || !drawn.has_premiums_of(usual) {
            return Err(ReplayProblem::OtherPremiums);
        }
        let mut rules = RuleSet::clone(&self.rules);
        rules.layout = drawn;
        self.rules = Arc::new(rules);
        Ok(())
    }

    pub(super) fn set_clocks(&mut self, clocks: &Clocks) -> Applied {
        let seats = self.seats.len();
        if clocks.main_ms.len() != seats || clocks.allowance_ms.len() != seats {
            return Err(ReplayProblem::SeatCount);
        }
        if let Some(running) = clocks.running {
            self.seat(running.seat)?;
        }
        self.clocks = clocks.clone();
        Ok(())
    }

    fn start_turn(
        &mut self,
        at: Timestamp,
        turn_no: TurnNo,
        seat: Seat,
        clocks: &Clocks,
    ) -> Applied {
        self.seat(seat)?;
        self.first.get_or_insert(seat);
        self.phase = Phase::Running;
        self.turn = Some(Turn { no: turn_no, seat });
        self.last_turn = turn_no;
        self.turn_began = at;
        self.quiet_since = at;
        self.nudge = None;
        self.set_clocks(clocks)
    }

    /// Records a completed turn in the score sheet, with the rack before it, and updates the runs without score (R-END).
    fn end_turn(
        &mut self,
        turn_no: TurnNo,
        seat: Seat,
        kind: TurnKind,
        rack: Box<[Tile]>,
    ) -> Applied {
        self.end_nudge_of(seat);
        let state = self.seat(seat)?;
        state.has_played = true;
        let total = state.score;
        self.runs = match &kind {
            TurnKind::Play { play, .. } if play.score == 0 => self.runs.after_play_worth_nothing(),
            TurnKind::Play { .. } => Runs::default(),
            TurnKind::Pass => self.runs.after_pass(),
            TurnKind::Exchange(_) | TurnKind::LostTurn => self.runs.after_scoreless(),
        };
        self.last_turn = turn_no;
        self.turn = None;
        self.history.push(Arc::new(TurnRecord {
            turn_no,
            seat,
            kind,
            total,
            rack,
        }));
        Ok(())
    }

    fn play_made(&mut self, record: &Record, play: &PlayMade) -> Applied {
        let placed = placed_squares(play.start, play.direction, &play.tiles)
            .ok_or(LedgerError::Square(play.start))?;
        if let Some((square, _)) = placed.iter().find(|(square, placed)| {
            !self.rules.layout.contains(*square) || !self.rules.tiles.has_letter(placed.letter)
        }) {
            return Err(LedgerError::Square(*square).into());
        }
        let seat = self.seat(play.seat)?;
        // A record from a file can contain any numbers.
        seat.score = seat.score.saturating_add(play.score);
        let undo = Undo {
            placed: placed.clone(),
            score: play.score,
            runs: self.runs,
        };
        let rack = self.rack(play.seat)?;
        self.tiles.place(play.seat, &placed)?;
        let kind = TurnKind::Play {
            play_id: record.seq,
            play: play.clone(),
            status: PlayStatus::OnBoard,
            verdict: None,
        };
        self.end_turn(play.turn_no, play.seat, kind, rack)?;
        let Some(opened) = &play.window else {
            return Ok(());
        };
        if let Some(clocks) = &opened.final_clocks {
            self.set_clocks(clocks)?;
            self.phase = Phase::Final;
        }
        self.window = Some(Window {
            play_id: record.seq,
            author: play.seat,
            opened_at: record.at,
            closes_at: opened.closes_at,
            eligible: opened.eligible.clone(),
            accepted: Vec::new(),
            holds_used: Vec::new(),
            hold: None,
            dispute: None,
            owed: play.owed,
            undo,
        });
        Ok(())
    }

    fn challenge_decided(&mut self, decided: &ChallengeDecided) -> Applied {
        let window = self.window_of(decided.play_id)?;
        window.dispute = None;
        self.last_decided = Some(decided.play_id);
        if decided.totals.len() != self.seats.len() {
            return Err(ReplayProblem::SeatCount);
        }
        if let Some(clocks) = &decided.clocks {
            self.set_clocks(clocks)?;
        }
        if decided.verdict == crate::event::Verdict::StandsTurnLost {
            self.seat(decided.seat)?.turn_debt += 1;
        }
        if decided.verdict.is_off() {
            self.take_play_off()?;
        }
        for (seat, points) in &decided.points {
            let seat = self.seat(*seat)?;
            seat.score = seat.score.saturating_add(*points);
        }
        if let Some(turn) = self.turn_of(decided.play_id)
            && let TurnKind::Play { verdict, .. } = &mut turn.kind
        {
            *verdict = Some(Box::new(decided.clone()));
        }
        Ok(())
    }

    fn ended(&mut self, ended: &Ended) -> Applied {
        if ended.results.len() != self.seats.len() {
            return Err(ReplayProblem::SeatCount);
        }
        self.set_clocks(&ended.clocks)?;
        self.phase = Phase::Ended;
        self.turn = None;
        self.abort_request = None;
        self.nudge = None;
        self.end_adjournment();
        self.pause = None;
        self.outcome = Some(ended.clone());
        Ok(())
    }

    fn move_deadlines(&mut self, by_ms: i64) {
        self.ready_by = self.ready_by.plus(by_ms);
        self.turn_began = self.turn_began.plus(by_ms);
        self.quiet_since = self.quiet_since.plus(by_ms);
        for seat in &mut self.seats {
            seat.claim_at = seat.claim_at.map(|at| at.plus(by_ms));
        }
        if let Some(request) = &mut self.abort_request {
            request.until = request.until.plus(by_ms);
        }
        self.move_adjourn_request(by_ms);
        if let Some(nudge) = &mut self.nudge {
            nudge.claim_at = nudge.claim_at.map(|at| at.plus(by_ms));
        }
        if let Some(window) = &mut self.window {
            window.opened_at = window.opened_at.plus(by_ms);
            window.closes_at = window.closes_at.map(|at| at.plus(by_ms));
            if let Some(hold) = &mut window.hold {
                hold.until = hold.until.plus(by_ms);
            }
            if let Some(dispute) = &mut window.dispute {
                dispute.decide_by = dispute.decide_by.plus(by_ms);
            }
        }
    }
}

/// Returns whether an event can move tiles; true for every kind that is not named here.
const fn may_move_tiles(event: &Event) -> bool {
    !matches!(
        event,
        Event::Public(
            PublicEvent::SeatReady { .. }
                | PublicEvent::OrderDrawn { .. }
                | PublicEvent::TurnStarted { .. }
                | PublicEvent::Passed { .. }
                | PublicEvent::TurnLost { .. }
                | PublicEvent::Accepted { .. }
                | PublicEvent::HoldStarted { .. }
                | PublicEvent::HoldEnded { .. }
                | PublicEvent::ChallengeOpened { .. }
                | PublicEvent::WindowClosed { .. }
                | PublicEvent::ClockCredited { .. }
                | PublicEvent::SeatVanished { .. }
                | PublicEvent::SeatReturned { .. }
                | PublicEvent::AbortRequested { .. }
                | PublicEvent::AbortDeclined { .. }
                | PublicEvent::Nudged { .. }
                | PublicEvent::NudgeAnswered { .. }
                | PublicEvent::AdjournRequested { .. }
                | PublicEvent::AdjournAgreed { .. }
                | PublicEvent::AdjournDeclined { .. }
                | PublicEvent::Adjourned { .. }
                | PublicEvent::ReadyToResume { .. }
                | PublicEvent::NotReadyToResume { .. }
                | PublicEvent::Resumed { .. }
                | PublicEvent::Paused { .. }
                | PublicEvent::Vacation { .. }
                | PublicEvent::TimeGiven { .. }
                | PublicEvent::TimeRefused { .. }
                | PublicEvent::HintUsed { .. }
                | PublicEvent::Ended(_)
        )
    )
}

/// Returns the squares that a play put tiles on, or `None` if it runs off every board.
fn placed_squares(
    start: Square,
    direction: Direction,
    tiles: &[Option<Placed>],
) -> Option<Vec<(Square, Placed)>> {
    let mut placed = Vec::with_capacity(tiles.len());
    for (step, tile) in tiles.iter().enumerate() {
        let step = u8::try_from(step).ok()?;
        let square = match direction {
            Direction::Across => Square::new(start.row, start.col.checked_add(step)?),
            Direction::Down => Square::new(start.row.checked_add(step)?, start.col),
        };
        if let Some(tile) = tile {
            placed.push((square, *tile));
        }
    }
    Some(placed)
}
