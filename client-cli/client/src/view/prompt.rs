//! The decision that the game expects from the client's seat.

use tilewire_protocol::Phase;

use super::GameView;

/// A decision that a seat has to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// Take the turn with this number.
    Turn(u32),
    /// Challenge or accept the play of another seat.
    Play(u64),
    /// Withdraw the seat's own challenged play, or stand by it.
    Dispute(u64),
    /// Answer the request to adjourn the game that ends at this time, unix ms.
    Adjourn(i64),
    /// Say that the player is ready to resume the game that is adjourned until this time, unix ms.
    Resume(i64),
}

impl GameView {
    /// The decision the client's seat has to make now.
    #[must_use]
    pub fn prompt(&self) -> Option<Prompt> {
        let seat = self.seat?;
        if !matches!(self.phase, Phase::Running | Phase::Final) || self.is_paused {
            return None;
        }
        if self.seats.get(usize::from(seat))?.retired.is_some() {
            return None;
        }
        if let Some(sleep) = &self.adjourned {
            return self.may_resume().then_some(Prompt::Resume(sleep.until));
        }
        if let Some(request) = self.adjourn_to_answer() {
            return Some(Prompt::Adjourn(request.until));
        }
        if let Some(window) = &self.window {
            if window.challenger.is_some() {
                let is_author = window.author == seat;
                return is_author.then_some(Prompt::Dispute(window.play_id));
            }
            if self.may_answer() {
                return Some(Prompt::Play(window.play_id));
            }
            if window.holder.is_some() {
                return None;
            }
        }
        let is_open = self.on_turn == Some(seat) && self.waiting_until.is_none();
        is_open.then_some(Prompt::Turn(self.turn_no))
    }
}
