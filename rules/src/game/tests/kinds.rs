//! The names of events in tests.

use crate::event::{Event, PublicEvent};

pub(super) fn kind(event: &Event) -> &'static str {
    match event {
        Event::Created(_) => "created",
        Event::BagShuffled { .. } => "shuffled",
        Event::TilesDrawn { .. } => "drawn",
        Event::Exchanged { .. } => "exchanged",
        Event::Public(event) => match event {
            PublicEvent::SeatReady { .. } => "ready",
            PublicEvent::OrderDrawn { .. } => "order",
            PublicEvent::TurnStarted { .. } => "turn",
            PublicEvent::PlayMade(_) => "play",
            PublicEvent::Passed { .. } => "passed",
            PublicEvent::TurnLost { .. } => "lost",
            PublicEvent::Accepted { .. } => "accepted",
            PublicEvent::HoldStarted { .. } => "hold",
            PublicEvent::HoldEnded { .. } => "hold ended",
            PublicEvent::ChallengeOpened { .. } => "challenge opened",
            PublicEvent::ChallengeDecided(_) => "decided",
            PublicEvent::WindowClosed { .. } => "closed",
            PublicEvent::ClockCredited { .. } => "credited",
            PublicEvent::SeatVanished { .. } => "vanished",
            PublicEvent::SeatReturned { .. } => "returned",
            PublicEvent::SeatRetired { .. } => "retired",
            PublicEvent::AbortRequested { .. } => "abort requested",
            PublicEvent::AbortDeclined { .. } => "abort declined",
            PublicEvent::Nudged { .. } => "nudged",
            PublicEvent::NudgeAnswered { .. } => "nudge answered",
            PublicEvent::AdjournRequested { .. } => "adjourn requested",
            PublicEvent::AdjournAgreed { .. } => "adjourn agreed",
            PublicEvent::AdjournDeclined { .. } => "adjourn declined",
            PublicEvent::Adjourned { .. } => "adjourned",
            PublicEvent::ReadyToResume { .. } => "ready to resume",
            PublicEvent::NotReadyToResume { .. } => "not ready",
            PublicEvent::Resumed { .. } => "resumed",
            PublicEvent::Paused { .. } => "paused",
            PublicEvent::Vacation { .. } => "vacation",
            PublicEvent::TimeGiven { .. } => "time given",
            PublicEvent::TimeRefused { .. } => "time refused",
            PublicEvent::HintUsed { .. } => "hint used",
            PublicEvent::BoardDrawn { .. } => "board",
            PublicEvent::Ended(_) => "ended",
        },
    }
}
