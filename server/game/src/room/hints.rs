//! The hints of a game: what the seat of one is told, and nobody else.

use tilewire_protocol::ServerMessage;
use tilewire_rules::bot::HintedTurn;
use tilewire_rules::event::HintGrade;
use tilewire_rules::time::TurnNo;
use tilewire_wire::hint::hint;

use super::pushes::push;
use super::{Participant, Room, RoomEffect};
use crate::hinting::{HintFound, HintQuestion};

/// The hint of the turn that is being played.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The turn about which the room has asked.
    asked: Option<TurnNo>,
    found: Option<(TurnNo, HintedTurn)>,
    /// The last hint that the connections of its seat were told.
    told: Option<(TurnNo, HintGrade)>,
}

impl Hints {
    /// Tells the hint again: a connection has come, or the player has asked again.
    pub(super) const fn tell_again(&mut self) {
        self.told = None;
    }

    pub(super) fn found(&mut self, found: HintFound) {
        self.found = found.turn.map(|turn| (found.turn_no, turn));
    }
}

impl<P: Participant> Room<P> {
    /// Tells the seat on turn what its hint says, if it has used one and its connections do not know all of it. The room
    /// asks for the turn first, once.
    pub(super) fn push_hint(&mut self, out: &mut Vec<RoomEffect<P>>) {
        let state = self.game.shared_state();
        let Some(used) = state.hint() else {
            return;
        };
        let told = Some((used.turn_no, used.grade));
        if self.hints.told == told {
            return;
        }
        let found = self.hints.found.as_ref();
        if let Some((_, turn)) = found.filter(|(turn_no, _)| *turn_no == used.turn_no) {
            let peers = self.attached.of(used.seat).cloned().collect();
            let told_turn = hint(&self.parts.facts.game, state.rules(), &used, turn);
            push(out, peers, ServerMessage::Hint(Box::new(told_turn)));
            self.hints.told = told;
        } else if self.hints.asked != Some(used.turn_no) && !self.is_stopping {
            self.hints.asked = Some(used.turn_no);
            out.push(RoomEffect::FindHint(Box::new(HintQuestion {
                turn_no: used.turn_no,
                seat: used.seat,
                state: state.clone(),
            })));
        }
    }
}
