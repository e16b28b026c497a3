//! Adjourning: the open request, the sleep of the game, and the player's part in both.

use tilewire_protocol::{AdjournRequest, Adjournment, EventBody, PlayerKind};

use super::GameView;

impl GameView {
    /// Applies the effect of an event on the request to adjourn and on the sleep of the game.
    pub(super) fn adjourning(&mut self, event: &EventBody) {
        match event {
            EventBody::AdjournRequested(body) => {
                self.adjourn_request = Some(AdjournRequest {
                    seat: body.seat,
                    until: body.until,
                    agreed: Vec::new(),
                });
            }
            EventBody::AdjournAgreed(body) => {
                if let Some(request) = &mut self.adjourn_request {
                    request.agreed.push(body.seat);
                }
            }
            EventBody::AdjournDeclined(_) => self.adjourn_request = None,
            EventBody::Adjourned(body) => {
                self.adjourn_request = None;
                self.abort_request = None;
                self.nudge = None;
                self.vanished.clear();
                self.clocks = body.clocks.clone();
                self.adjourned = Some(Adjournment {
                    until: body.until,
                    claim_until: body.claim_until,
                    ready: Vec::new(),
                });
            }
            EventBody::ReadyToResume(body) => {
                if let Some(sleep) = &mut self.adjourned {
                    sleep.ready.push(body.seat);
                }
            }
            EventBody::NotReadyToResume(body) => self.is_not_ready(body.seat),
            EventBody::Resumed(body) => {
                self.adjourned = None;
                self.clocks = body.clocks.clone();
            }
            EventBody::SeatRetired(body) => {
                self.adjourn_request = None;
                self.is_not_ready(body.seat);
            }
            EventBody::Ended(_) => (self.adjourn_request, self.adjourned) = (None, None),
            _ => {}
        }
    }

    fn is_not_ready(&mut self, seat: u8) {
        if let Some(sleep) = &mut self.adjourned {
            sleep.ready.retain(|other| *other != seat);
        }
    }

    /// The request of another seat to adjourn the game that the client's seat can answer.
    #[must_use]
    pub fn adjourn_to_answer(&self) -> Option<&AdjournRequest> {
        let own = self.seat?;
        let request = self.adjourn_request.as_ref()?;
        let has_agreed = request.seat == own || request.agreed.contains(&own);
        (!has_agreed).then_some(request)
    }

    /// Whether the game is adjourned and waits for the client's seat to be ready.
    #[must_use]
    pub fn may_resume(&self) -> bool {
        let is_missing = |own: u8| self.missing().any(|seat| seat == own);
        self.seat.is_some_and(is_missing)
    }

    /// The seats that are not ready to resume the adjourned game; none if it is not adjourned. A bot of the server is
    /// always ready.
    pub fn missing(&self) -> impl Iterator<Item = u8> + '_ {
        let ready = self.adjourned.as_ref().map(|sleep| &sleep.ready);
        let seats = (0..).zip(self.seats.iter().zip(&self.setup.seats));
        seats
            .filter(|(_, (state, person))| {
                state.retired.is_none() && person.kind != Some(PlayerKind::HouseBot)
            })
            .map(|(seat, _)| seat)
            .filter(move |seat| ready.is_some_and(|ready| !ready.contains(seat)))
    }

    /// The seat of an adjourned game that the client's seat can claim at server time `now`, unix ms.
    pub(super) fn claimable_asleep(&self, now: i64) -> Option<u8> {
        let (sleep, own) = (self.adjourned.as_ref()?, self.seat?);
        let can = sleep.until <= now && sleep.ready.contains(&own);
        self.missing().find(|_| can)
    }
}
