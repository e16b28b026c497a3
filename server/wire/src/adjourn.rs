//! Converts what an adjournment adds to events and snapshots.

use tilewire_protocol as wire;
use tilewire_protocol::EventBody;
use tilewire_rules::event::PublicEvent;
use tilewire_rules::options::VanishPolicy;
use tilewire_rules::state::{AdjournRequest, Adjournment};

use super::pieces::{abort_decline, clocks, seats};

/// Returns an event about an adjournment.
///
/// # Panics
/// If the event is about something else.
pub(super) fn event(event: &PublicEvent) -> EventBody {
    match event {
        PublicEvent::AdjournRequested { seat, until } => {
            EventBody::AdjournRequested(wire::AdjournRequested {
                seat: seat.0,
                until: until.0,
            })
        }
        PublicEvent::AdjournAgreed { seat } => {
            EventBody::AdjournAgreed(wire::AdjournAgreed { seat: seat.0 })
        }
        PublicEvent::AdjournDeclined { seat, reason } => {
            EventBody::AdjournDeclined(wire::AdjournDeclined {
                seat: seat.0,
                reason: abort_decline(*reason),
            })
        }
        PublicEvent::Adjourned {
            until,
            claim_until,
            vanished,
            clocks: stopped,
        } => EventBody::Adjourned(wire::Adjourned {
            until: until.0,
            claim_until: claim_until.0,
            vanished: vanished.map(|seat| seat.0),
            clocks: clocks(stopped),
        }),
        PublicEvent::ReadyToResume { seat } => {
            EventBody::ReadyToResume(wire::ResumeReadiness { seat: seat.0 })
        }
        PublicEvent::NotReadyToResume { seat } => {
            EventBody::NotReadyToResume(wire::ResumeReadiness { seat: seat.0 })
        }
        PublicEvent::Resumed { clocks: running } => EventBody::Resumed(wire::Resumed {
            clocks: clocks(running),
        }),
        other => unreachable!("{other:?} is not about an adjournment"),
    }
}

/// Returns an open request.
pub(super) fn request(request: &AdjournRequest) -> wire::AdjournRequest {
    wire::AdjournRequest {
        seat: request.seat.0,
        until: request.until.0,
        agreed: seats(&request.agreed),
    }
}

/// Returns the sleep of an adjourned game.
pub(super) fn sleep(adjournment: &Adjournment) -> wire::Adjournment {
    wire::Adjournment {
        until: adjournment.until.0,
        claim_until: adjournment.claim_until.0,
        ready: seats(&adjournment.ready),
    }
}

/// Returns the policy for vanished seats that a client asks for; `None` for an unknown one.
pub(super) const fn policy(asked: Option<wire::VanishPolicy>) -> Option<VanishPolicy> {
    match asked {
        None | Some(wire::VanishPolicy::Claim) => Some(VanishPolicy::Claim),
        Some(wire::VanishPolicy::Adjourn) => Some(VanishPolicy::Adjourn),
        Some(wire::VanishPolicy::PlayOn) => Some(VanishPolicy::PlayOn),
        Some(wire::VanishPolicy::Unknown) => None,
    }
}

/// Returns a policy for vanished seats; the usual one is left out.
pub(super) const fn policy_to_wire(policy: VanishPolicy) -> Option<wire::VanishPolicy> {
    match policy {
        VanishPolicy::Claim => None,
        VanishPolicy::Adjourn => Some(wire::VanishPolicy::Adjourn),
        VanishPolicy::PlayOn => Some(wire::VanishPolicy::PlayOn),
    }
}
