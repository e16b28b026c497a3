//! Challenge windows: acceptance, holds, challenges, verdicts (R-CHAL, R-HOLD).

use super::step::Step;
use crate::event::{
    ChallengeDecided, EndReason, Event, HoldEnd, PublicEvent, Verdict, WindowClose,
};
use crate::options::{ChallengeKind, Consent};
use crate::rejection::Rejection;
use crate::state::{Phase, TurnKind, Window};
use crate::time::{Seat, Seq};

impl Step<'_> {
    /// Returns the open window of `play_id` if `seat` may act on it as an opponent.
    fn window_for(&self, seat: Seat, play_id: Seq) -> Result<&Window, Rejection> {
        if !self.state.has_challenges() {
            return Err(Rejection::NoChallenges);
        }
        let window = match self.state.window() {
            Some(window) if window.play_id == play_id => window,
            _ => return Err(self.not_open(play_id)),
        };
        if window.author == seat {
            return Err(Rejection::OwnPlay);
        }
        if window.accepted.contains(&seat) {
            return Err(Rejection::AlreadyAccepted);
        }
        Ok(window)
    }

    /// Returns why a play without an open window cannot be challenged, held or accepted.
    fn not_open(&self, play_id: Seq) -> Rejection {
        if self.state.last_decided == Some(play_id) {
            return Rejection::AlreadyChallenged;
        }
        let was_made =
            self.state.history().iter().any(
                |turn| matches!(&turn.kind, TurnKind::Play { play_id: id, .. } if *id == play_id),
            );
        if was_made {
            Rejection::WindowClosed
        } else {
            Rejection::WrongPosition {
                expected: self.state.last_turn(),
            }
        }
    }

    pub(super) fn accept(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let window = self.window_for(seat, play_id)?;
        if let Some(dispute) = window.dispute {
            return Err(Rejection::ChallengePending {
                until: dispute.decide_by,
            });
        }
        let holds = window.hold.is_some_and(|hold| hold.seat == seat);
        self.emit_own(Event::Public(PublicEvent::Accepted { play_id, seat }));
        if holds {
            self.end_hold(HoldEnd::Accepted);
        }
        if self.all_accepted() {
            self.stand_play(WindowClose::Accepted);
        }
        Ok(())
    }

    fn all_accepted(&self) -> bool {
        self.state.window().is_some_and(|window| {
            window
                .eligible
                .iter()
                .all(|seat| window.accepted.contains(seat))
        })
    }

    pub(super) fn hold(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let window = self.window_for(seat, play_id)?;
        if let Some(dispute) = window.dispute {
            return Err(Rejection::ChallengePending {
                until: dispute.decide_by,
            });
        }
        if let Some(hold) = window.hold {
            return Err(Rejection::Held { until: hold.until });
        }
        if window.holds_used.contains(&seat) {
            return Err(Rejection::HoldUsed);
        }
        let until = window.opened_at.plus(self.options().timing.hold_ms);
        if until <= self.at {
            return Err(Rejection::CannotHold);
        }
        // The holder's clock runs; the clock of the seat on turn stands.
        let (kind, at) = (self.clock_kind(), self.at);
        let on_turn = self.state.turn().map(|turn| turn.seat);
        if on_turn != Some(seat) {
            self.stop_clock();
            self.clocks.refresh_allowance(kind, seat);
            self.clocks.resume(seat, at);
        } else if self.waits(seat) {
            // Its clock stood since its turn came; the hold is time of its own.
            self.stop_clock();
            self.clocks.resume(seat, at);
        }
        let clocks = self.clocks.clone();
        self.emit_own(Event::Public(PublicEvent::HoldStarted {
            play_id,
            seat,
            until,
            clocks,
        }));
        Ok(())
    }

    pub(super) fn release(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let window = self.window_for(seat, play_id)?;
        if window.hold.is_none_or(|hold| hold.seat != seat) {
            return Err(Rejection::NotHeld);
        }
        let ended = self
            .hold_ended(HoldEnd::Released)
            .ok_or(Rejection::NotHeld)?;
        self.emit_own(Event::Public(ended));
        Ok(())
    }

    /// The hold reached its limit: the clock that stood continues, and the window stays open.
    pub(super) fn hold_limit(&mut self) {
        self.end_hold(HoldEnd::Limit);
    }

    /// Ends the hold, if any: the clock of the seat on turn continues.
    pub(super) fn end_hold(&mut self, reason: HoldEnd) {
        if let Some(ended) = self.hold_ended(reason) {
            self.emit_public(ended);
        }
    }

    /// Ends the hold, restarts the clock of the seat on turn and returns the event.
    fn hold_ended(&mut self, reason: HoldEnd) -> Option<PublicEvent> {
        let window = self.state.window()?;
        let (play_id, hold) = (window.play_id, window.hold?);
        let on_turn = self.state.turn().map(|turn| turn.seat);
        if on_turn != Some(hold.seat) || self.waits(hold.seat) {
            let at = self.at;
            self.stop_clock();
            if let Some(seat) = on_turn {
                self.clocks.resume(seat, at);
            }
        }
        Some(PublicEvent::HoldEnded {
            play_id,
            seat: hold.seat,
            reason,
            clocks: self.clocks.clone(),
        })
    }

    pub(super) fn challenge(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let window = self.window_for(seat, play_id)?;
        if window.dispute.is_some() {
            return Err(Rejection::AlreadyChallenged);
        }
        if self.options().challenge.consent == Consent::NotAsked {
            self.decide(seat);
            return Ok(());
        }
        let options = self.options();
        let decide_by = self.at.plus(options.answer_ms(options.timing.consent_ms));
        // A challenge ends any hold; the clocks stand while the author is asked.
        self.stop_clock();
        let clocks = self.clocks.clone();
        self.emit_own(Event::Public(PublicEvent::ChallengeOpened {
            play_id,
            seat,
            decide_by,
            clocks,
        }));
        Ok(())
    }

    /// Returns the challenger, if `seat` is the author and has to answer a challenge.
    fn dispute_of(&self, author: Seat, play_id: Seq) -> Result<Seat, Rejection> {
        let window = self.state.window();
        window
            .filter(|window| window.author == author && window.play_id == play_id)
            .and_then(|window| window.dispute)
            .map(|dispute| dispute.challenger)
            .ok_or(Rejection::NoChallengePending)
    }

    pub(super) fn withdraw(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let challenger = self.dispute_of(seat, play_id)?;
        self.resume_after_dispute();
        self.verdict(challenger, Verdict::Withdrawn, Vec::new());
        Ok(())
    }

    pub(super) fn stand(&mut self, seat: Seat, play_id: Seq) -> Result<(), Rejection> {
        let challenger = self.dispute_of(seat, play_id)?;
        self.resume_after_dispute();
        self.decide(challenger);
        Ok(())
    }

    /// The author did not answer, or left: the lexicon decides.
    pub(super) fn decide_dispute(&mut self) {
        let dispute = self.state.window().and_then(|window| window.dispute);
        if let Some(dispute) = dispute {
            self.resume_after_dispute();
            self.decide(dispute.challenger);
        }
    }

    fn resume_after_dispute(&mut self) {
        if let Some(turn) = self.state.turn() {
            self.clocks.resume(turn.seat, self.at);
        }
    }

    /// Decides the challenge of the play whose window is open: the lexicon judges all its words together.
    fn decide(&mut self, challenger: Seat) {
        let bad_words: Vec<String> = self
            .state
            .window_words()
            .iter()
            .filter(|word| !self.ctx.lexicon.contains(&word.letters))
            .map(|word| word.word.clone())
            .collect();
        let verdict = self.state.verdict(!bad_words.is_empty());
        self.verdict(challenger, verdict, bad_words);
    }

    fn verdict(&mut self, challenger: Seat, verdict: Verdict, bad_words: Vec<String>) {
        let window = self.state.window().expect("a verdict has a play");
        let (play_id, author) = (window.play_id, window.author);
        let hold_was_on = window.hold.is_some();
        let goes_on = window.dispute.is_some() && self.clocks.running.is_some();
        let clocks = goes_on.then(|| self.clocks.clone());
        let points = self.state.challenge_points(challenger, author, verdict);
        let totals = self.state.totals_after(author, verdict, &points);
        self.emit_own(Event::Public(PublicEvent::ChallengeDecided(
            ChallengeDecided {
                play_id,
                seat: challenger,
                verdict,
                bad_words,
                points,
                totals,
                clocks,
            },
        )));
        if hold_was_on {
            self.end_hold(HoldEnd::Challenged);
        }
        let was_final = self.state.phase() == Phase::Final;
        self.close_window(WindowClose::Verdict);
        if self.options().challenge.kind == ChallengeKind::Triple {
            return self.end(EndReason::TripleChallenge);
        }
        if !verdict.is_off() && self.end_if_target_reached(author) {
            return;
        }
        match verdict {
            Verdict::Off | Verdict::Withdrawn => self.play_on_after_off(author),
            Verdict::Stands if was_final => self.end_by_last_play(author),
            // The clock of the seat on turn continues without an event.
            Verdict::Stands => {}
            Verdict::StandsTurnLost => self.collect_turn(challenger),
        }
    }

    /// After a play came off: counts a turn without score and continues with the next seat.
    fn play_on_after_off(&mut self, author: Seat) {
        if let Some(reason) = self.state.inactivity() {
            return self.end(reason);
        }
        match self.state.turn() {
            Some(turn) => self.start_turn(turn.seat),
            None => self.next_turn(author),
        }
    }

    /// Takes a turn from the challenger: at once if it is on turn, otherwise when its turn comes.
    fn collect_turn(&mut self, challenger: Seat) {
        if self
            .state
            .turn()
            .is_some_and(|turn| turn.seat == challenger)
        {
            self.stop_clock();
            self.lose_turn(challenger);
            self.after_turn(challenger);
        }
    }

    /// The timer of the window ran out: the play stands.
    pub(super) fn window_timer(&mut self) {
        self.stand_play(WindowClose::Timer);
    }

    /// Closes the window and lets the play stand; after an out-play that ends the game.
    pub(super) fn stand_play(&mut self, reason: WindowClose) {
        let Some(author) = self.state.window().map(|window| window.author) else {
            return;
        };
        let was_final = self.state.phase() == Phase::Final;
        self.close_window(reason);
        if was_final {
            self.end_by_last_play(author);
        }
    }

    /// Closes the open window, if any: the author draws the owed tiles at once, before anything
    /// else happens (R-CHAL-9).
    pub(super) fn close_window(&mut self, reason: WindowClose) {
        self.end_hold(HoldEnd::Closed);
        let Some(window) = self.state.window() else {
            return;
        };
        let (play_id, author, owed) = (window.play_id, window.author, window.owed);
        self.emit_public(PublicEvent::WindowClosed { play_id, reason });
        self.draw(author, usize::from(owed));
    }
}
