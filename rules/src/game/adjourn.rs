//! Adjourning: all players agree to stop the clocks and to go on another day, or the server stops them for a player who is
//! away (R-ADJ).

use super::step::Step;
use crate::event::{AbortDecline, EndReason, Event, PublicEvent, Retirement};
use crate::options::{MAX_ADJOURN_REQUESTS, VanishPolicy};
use crate::rejection::Rejection;
use crate::state::{Phase, State};
use crate::time::{Seat, Timestamp};

impl Step<'_> {
    /// Asks the other players to adjourn the game. To ask while another one asks is to agree.
    pub(super) fn adjourn(&mut self, seat: Seat) -> Result<(), Rejection> {
        if let Some(request) = self.state.adjourn_request() {
            let until = Some(request.until);
            return match request.has_agreed(seat) {
                true => Err(Rejection::CannotAdjourn { until }),
                false => self.agree_to_adjourn(seat),
            };
        }
        if let Some(window) = self.state.window() {
            let until = window.closes_at;
            return Err(Rejection::CannotAdjourn { until });
        }
        if !self.options().clock.is_live() {
            return Err(Rejection::CannotAdjourn { until: None });
        }
        if self.state.seats()[seat.index()].adjourn_requests >= MAX_ADJOURN_REQUESTS {
            return Err(Rejection::AdjournsUsed);
        }
        if self.state.players_to_ask().all(|player| player == seat) {
            self.fall_asleep(None);
            return Ok(());
        }
        let until = self.at.plus(self.options().timing.abort_ms);
        self.emit_own(Event::Public(PublicEvent::AdjournRequested { seat, until }));
        Ok(())
    }

    /// Answers the request of another seat.
    pub(super) fn answer_adjourn(&mut self, seat: Seat, agree: bool) -> Result<(), Rejection> {
        let open = self.state.adjourn_request();
        let waits = open.is_some_and(|request| !request.has_agreed(seat));
        if !waits {
            return Err(Rejection::NoAdjournRequest);
        }
        if agree {
            return self.agree_to_adjourn(seat);
        }
        self.decline_adjourn(AbortDecline::Refused);
        Ok(())
    }

    fn agree_to_adjourn(&mut self, seat: Seat) -> Result<(), Rejection> {
        let request = self.state.adjourn_request();
        let request = request.ok_or(Rejection::NoAdjournRequest)?;
        let agrees = |player| player == seat || request.has_agreed(player);
        let is_agreed = self.state.players_to_ask().all(agrees);
        if is_agreed {
            self.fall_asleep(None);
        } else {
            self.emit_own(Event::Public(PublicEvent::AdjournAgreed { seat }));
        }
        Ok(())
    }

    /// The time for answers is over.
    pub(super) fn adjourn_timer(&mut self) {
        self.decline_adjourn(AbortDecline::Expired);
    }

    /// Declines an open request because a seat completes a turn. So no challenge window is open while a request is.
    pub(super) fn decline_adjourn_by_turn(&mut self) {
        self.aside(|step| step.decline_adjourn(AbortDecline::Played));
    }

    fn decline_adjourn(&mut self, reason: AbortDecline) {
        if let Some(request) = self.state.adjourn_request() {
            let seat = request.seat;
            self.emit_own(Event::Public(PublicEvent::AdjournDeclined { seat, reason }));
        }
    }

    /// The server adjourns the game for a player who is away (R-ADJ-8).
    pub(super) fn adjourn_for(&mut self, seat: Seat) {
        self.fall_asleep(Some(seat));
    }

    fn fall_asleep(&mut self, vanished: Option<Seat>) {
        self.stop_clock();
        let timing = self.options().timing.adjourn;
        let until = self.at.plus(timing.sleep_ms);
        let adjourned = PublicEvent::Adjourned {
            until,
            claim_until: until.plus(timing.claim_ms),
            vanished,
            clocks: self.clocks.clone(),
        };
        self.emit_own(Event::Public(adjourned));
    }

    /// Returns the error for a command that an adjourned game refuses.
    pub(super) fn refuse_asleep(&self) -> Result<(), Rejection> {
        match self.state.adjournment() {
            Some(adjournment) => Err(Rejection::Adjourned {
                until: adjournment.until,
            }),
            None => Ok(()),
        }
    }

    /// Says that a player is ready to resume the game.
    pub(super) fn resume_game(&mut self, seat: Seat) -> Result<(), Rejection> {
        let adjournment = self.state.adjournment().ok_or(Rejection::NotAdjourned)?;
        if adjournment.ready.contains(&seat) {
            return Err(Rejection::AlreadyReady);
        }
        self.emit_own(Event::Public(PublicEvent::ReadyToResume { seat }));
        self.resume_if_all_ready();
        Ok(())
    }

    /// Resumes an adjourned game if no player is missing: the clock of the seat on turn runs with the time that it had.
    pub(super) fn resume_if_all_ready(&mut self) {
        let Some(turn) = self.state.turn().filter(|_| self.state.all_are_ready()) else {
            return;
        };
        if let Some(now) = self.noticed_at.take() {
            self.set_time(now);
        }
        self.clocks.resume(turn.seat, self.at);
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::Resumed { clocks });
    }

    /// A player of an adjourned game who was ready is not here, and cannot go on. The wish stays.
    pub(super) fn withdraw_readiness(&mut self, seat: Seat) {
        self.emit_public(PublicEvent::NotReadyToResume { seat });
    }

    /// A player of an adjourned game is here again, and is as ready as before (R-ADJ-5).
    pub(super) fn renew_readiness(&mut self, seat: Seat) {
        if self.state.is_awaited_back(seat) {
            self.emit_public(PublicEvent::ReadyToResume { seat });
            self.resume_if_all_ready();
        }
    }

    /// Claims the place of a player who had not said to be ready when the adjournment ended (R-ADJ-7).
    pub(super) fn claim_asleep(&mut self, seat: Seat, target: Seat) -> Result<(), Rejection> {
        let from = self.state.claimable_asleep_from(seat, target);
        if from.is_none_or(|from| from > self.at) {
            let adjournment = self.state.adjournment();
            // Both players can still get ready or leave before the end, so the claim can become possible then.
            let is_asked =
                target != seat && self.state.players_to_ask().any(|player| player == target);
            let end = adjournment.map(|adjournment| adjournment.until);
            let claim_at = end.filter(|end| is_asked && *end > self.at);
            return Err(Rejection::CannotClaim { claim_at });
        }
        self.retire(target, Retirement::Abandoned);
        Ok(())
    }

    /// The time of the adjournment is over: those who did not come back leave the game (R-ADJ-6). Nobody has to be here. If the game
    /// goes on, it goes on `now`: its clocks do not run for time that a server lost.
    pub(super) fn adjournment_timer(&mut self, now: Timestamp) {
        self.noticed_at = Some(now);
        match self.state.deserter() {
            Some(seat) => self.retire(seat, Retirement::Abandoned),
            None => self.end(EndReason::Aborted),
        }
        self.noticed_at = None;
    }
}

impl State {
    /// Returns the players whom a request to adjourn asks, and who have to be ready before an adjourned game resumes: all
    /// that are in the game, except bots of this server.
    pub(crate) fn players_to_ask(&self) -> impl Iterator<Item = Seat> + '_ {
        let players = &self.created().players;
        self.active()
            .filter(|seat| !players[seat.index()].is_house_bot())
    }

    /// Returns whether the game is adjourned and every player is ready to resume it.
    pub(crate) fn all_are_ready(&self) -> bool {
        let is_ready = |ready: &[Seat]| self.players_to_ask().all(|seat| ready.contains(&seat));
        self.adjournment()
            .is_some_and(|adjournment| is_ready(&adjournment.ready))
    }

    /// Returns when `seat`, which has said to be ready to resume an adjourned game, can claim the place of `target`, which has
    /// not.
    pub(crate) fn claimable_asleep_from(&self, seat: Seat, target: Seat) -> Option<Timestamp> {
        let adjournment = self.adjournment()?;
        let is_willing = |seat: Seat| adjournment.willing.contains(&seat);
        let is_missing = self.players_to_ask().any(|player| player == target);
        let can = is_willing(seat) && is_missing && !is_willing(target);
        can.then_some(adjournment.until)
    }

    /// Returns the seat for which the server adjourned the game, if its player is still in the game.
    fn vanished_asleep(&self) -> Option<Seat> {
        let vanished = self.adjournment()?.vanished?;
        self.players_to_ask().find(|player| *player == vanished)
    }

    /// Returns the seats of an adjourned game that are not ready to resume it, the seat of the vanished player first.
    fn unwilling(&self) -> impl Iterator<Item = Seat> + '_ {
        let vanished = self.vanished_asleep();
        let others = self
            .players_to_ask()
            .filter(move |seat| Some(*seat) != vanished);
        let willing = self.adjournment().map(|adjournment| &adjournment.willing);
        vanished
            .into_iter()
            .chain(others)
            .filter(move |seat| willing.is_some_and(|willing| !willing.contains(seat)))
    }

    /// Returns when the time of an adjourned game is over if nothing happens before (R-ADJ-6): at the end of the adjournment
    /// if no player has said to be ready, or the vanished one has not, and else after the time to claim.
    pub(crate) fn adjournment_ends_at(&self) -> Option<Timestamp> {
        let adjournment = self.adjournment()?;
        let first = self.unwilling().next();
        let is_vanished = first.is_some() && first == self.vanished_asleep();
        Some(match adjournment.willing.is_empty() || is_vanished {
            true => adjournment.until,
            false => adjournment.claim_until,
        })
    }

    /// Returns the seat that leaves an adjourned game when its time is over: the vanished one if it did not say to be ready,
    /// else one that did not while others did, else, when all did and never met, the vanished one. `None`: nobody is to blame.
    pub(crate) fn deserter(&self) -> Option<Seat> {
        let vanished = self.vanished_asleep();
        let is_anybody_willing = !self.adjournment()?.willing.is_empty();
        match self.unwilling().next() {
            Some(seat) => (is_anybody_willing || vanished == Some(seat)).then_some(seat),
            None => vanished,
        }
    }

    /// Returns whether the player of `seat` has said to be ready to resume an adjourned game, and was away since.
    #[must_use]
    pub fn is_awaited_back(&self, seat: Seat) -> bool {
        self.adjournment().is_some_and(|adjournment| {
            adjournment.willing.contains(&seat) && !adjournment.ready.contains(&seat)
        })
    }

    /// Returns the first seat for which the server adjourns the game, and when: it has vanished for the time of a claim. An
    /// open challenge window comes first.
    pub(crate) fn adjourns_for(&self) -> Option<(Timestamp, Seat)> {
        if self.adjournment().is_some() || self.window().is_some() || self.turn().is_none() {
            return None;
        }
        self.active()
            .filter(|seat| self.is_adjourned_for(*seat))
            .filter_map(|seat| Some((self.seats()[seat.index()].claim_at?, seat)))
            .min()
    }

    /// Returns whether the server adjourns the game when `seat` has vanished, instead of letting an opponent claim.
    pub(crate) fn is_adjourned_for(&self, seat: Seat) -> bool {
        let state = &self.seats()[seat.index()];
        self.options().vanish == VanishPolicy::Adjourn && !state.was_adjourned_for
    }

    /// Returns whether an event records that the player of `seat` is away: opponents can claim in a running game, and a
    /// player who is away is not ready to resume an adjourned one.
    #[must_use]
    pub fn is_missed(&self, seat: Seat) -> bool {
        let is_played = self.phase() == Phase::Running && self.pause().is_none();
        if !is_played || !self.options().clock.is_live() {
            return false;
        }
        let state = &self.seats()[seat.index()];
        let counts = match self.adjournment() {
            Some(adjournment) => adjournment.ready.contains(&seat),
            None => state.claim_at.is_none() && self.options().vanish != VanishPolicy::PlayOn,
        };
        self.is_active(seat) && counts && state.times_vanished < MAX_VANISHED_EVENTS
    }
}

/// How often the absence of one seat is recorded at most: bounds the log of an unstable connection.
const MAX_VANISHED_EVENTS: usize = 1_000;
