//! The fold of an adjournment: the request for it, the sleep, and the players who are ready to resume (R-ADJ).

use super::apply::Applied;
use super::{ReplayProblem, State};
use crate::clock::Clocks;
use crate::event::PublicEvent;
use crate::time::{Seat, Timestamp};

/// An open request to adjourn the game (R-ADJ-1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdjournRequest {
    /// The seat that asked.
    pub seat: Seat,
    /// When the request is declined if a player has not answered; moves with an outage.
    pub until: Timestamp,
    /// The other seats that have agreed.
    pub agreed: Vec<Seat>,
}

impl AdjournRequest {
    /// Returns whether a seat has asked or agreed.
    #[must_use]
    pub fn has_agreed(&self, seat: Seat) -> bool {
        self.seat == seat || self.agreed.contains(&seat)
    }
}

/// The sleep of an adjourned game (R-ADJ-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjournment {
    /// When the game is over if no player has said to be ready; from then on, a player who has can claim. It follows the wall
    /// clock: no outage moves it.
    pub until: Timestamp,
    /// When the players who have not said to be ready leave the game, if others have.
    pub claim_until: Timestamp,
    /// The seat for which the server adjourned the game.
    pub vanished: Option<Seat>,
    /// The seats whose players are ready to resume: they have said so, and are here.
    pub ready: Vec<Seat>,
    /// The seats whose players have said that they are ready, here or not. Nothing but leaving the game takes that back.
    pub willing: Vec<Seat>,
}

/// The part of a game's state about adjourning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Adjourning {
    request: Option<AdjournRequest>,
    sleep: Option<Adjournment>,
    has_ended_asleep: bool,
}

impl State {
    /// Returns the request to adjourn the game that waits for answers.
    #[must_use]
    pub const fn adjourn_request(&self) -> Option<&AdjournRequest> {
        self.adjourning.request.as_ref()
    }

    /// Returns the sleep of the game, while it is adjourned.
    #[must_use]
    pub const fn adjournment(&self) -> Option<&Adjournment> {
        self.adjourning.sleep.as_ref()
    }

    /// Returns whether the game ended while it was adjourned.
    #[must_use]
    pub const fn has_ended_adjourned(&self) -> bool {
        self.adjourning.has_ended_asleep
    }

    /// Applies an event about an adjournment.
    pub(super) fn apply_adjournment(&mut self, at: Timestamp, event: &PublicEvent) -> Applied {
        match event {
            PublicEvent::AdjournRequested { seat, until } => self.adjourn_requested(*seat, *until),
            PublicEvent::AdjournAgreed { seat } => self.adjourn_agreed(*seat),
            PublicEvent::AdjournDeclined { seat, .. } => self.adjourn_declined(*seat),
            PublicEvent::Adjourned {
                until,
                claim_until,
                vanished,
                clocks,
            } => self.adjourned((*until, *claim_until), *vanished, clocks),
            PublicEvent::ReadyToResume { seat } => self.ready_to_resume(*seat),
            PublicEvent::NotReadyToResume { seat } => self.not_ready_to_resume(*seat),
            PublicEvent::Resumed { clocks } => self.game_resumed(at, clocks),
            _ => Ok(()),
        }
    }

    fn adjourn_requested(&mut self, seat: Seat, until: Timestamp) -> Applied {
        let requests = &mut self.seat(seat)?.adjourn_requests;
        *requests = requests.saturating_add(1);
        self.adjourning.request = Some(AdjournRequest {
            seat,
            until,
            agreed: Vec::new(),
        });
        Ok(())
    }

    fn adjourn_agreed(&mut self, seat: Seat) -> Applied {
        self.seat(seat)?;
        let open = self.adjourning.request.as_mut();
        let open = open.filter(|request| !request.has_agreed(seat));
        open.ok_or(ReplayProblem::NoAdjournRequest)?
            .agreed
            .push(seat);
        Ok(())
    }

    fn adjourn_declined(&mut self, seat: Seat) -> Applied {
        let open = self.adjourning.request.take();
        if open.is_none_or(|request| request.seat != seat) {
            return Err(ReplayProblem::NoAdjournRequest);
        }
        Ok(())
    }

    /// Puts the game to sleep. What players have asked of each other is over, and no seat counts as away.
    fn adjourned(
        &mut self,
        (until, claim_until): (Timestamp, Timestamp),
        vanished: Option<Seat>,
        clocks: &Clocks,
    ) -> Applied {
        if self.adjourning.sleep.is_some() || self.turn.is_none() {
            return Err(ReplayProblem::CannotAdjourn);
        }
        if let Some(seat) = vanished {
            self.seat(seat)?.was_adjourned_for = true;
        }
        self.set_clocks(clocks)?;
        self.abort_request = None;
        self.adjourning.request = None;
        self.nudge = None;
        for seat in &mut self.seats {
            seat.claim_at = None;
        }
        self.adjourning.sleep = Some(Adjournment {
            until,
            claim_until,
            vanished,
            ready: Vec::new(),
            willing: Vec::new(),
        });
        Ok(())
    }

    fn ready_to_resume(&mut self, seat: Seat) -> Applied {
        self.seat(seat)?;
        let sleep = self.adjourning.sleep.as_mut();
        let sleep = sleep.filter(|sleep| !sleep.ready.contains(&seat));
        let sleep = sleep.ok_or(ReplayProblem::NotAdjourned)?;
        sleep.ready.push(seat);
        if !sleep.willing.contains(&seat) {
            sleep.willing.push(seat);
        }
        Ok(())
    }

    fn not_ready_to_resume(&mut self, seat: Seat) -> Applied {
        self.seat(seat)?.times_vanished += 1;
        let sleep = self.adjourning.sleep.as_mut();
        let sleep = sleep.filter(|sleep| sleep.ready.contains(&seat));
        let ready = &mut sleep.ok_or(ReplayProblem::NotAdjourned)?.ready;
        ready.retain(|other| *other != seat);
        Ok(())
    }

    fn game_resumed(&mut self, at: Timestamp, clocks: &Clocks) -> Applied {
        self.adjourning
            .sleep
            .take()
            .ok_or(ReplayProblem::NotAdjourned)?;
        self.quiet_since = at;
        self.set_clocks(clocks)
    }

    /// Forgets the part of a seat that leaves the game; an open request to adjourn is over.
    pub(super) fn leave_adjournment(&mut self, seat: Seat) {
        self.adjourning.request = None;
        if let Some(sleep) = &mut self.adjourning.sleep {
            sleep.ready.retain(|other| *other != seat);
            sleep.willing.retain(|other| *other != seat);
        }
    }

    /// Ends the sleep with the game.
    pub(super) fn end_adjournment(&mut self) {
        self.adjourning.request = None;
        self.adjourning.has_ended_asleep = self.adjourning.sleep.take().is_some();
    }

    /// Moves the end of an open request by an outage.
    pub(super) fn move_adjourn_request(&mut self, by_ms: i64) {
        if let Some(request) = &mut self.adjourning.request {
            request.until = request.until.plus(by_ms);
        }
    }
}
