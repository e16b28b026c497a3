//! Rematches: the player's offer, and the change to the new game.

use tilewire_protocol::{
    ClientMessage, Detach, GameCommand, GameCreated, OfferRematch, Phase, RematchChanged,
    ServerMessage,
};

use super::report::Report;
use super::{App, Effect, Origin, Request};

impl App {
    /// Returns the request that offers a rematch, agrees to one, or declines it.
    ///
    /// # Errors
    /// When there is no game that has ended.
    pub(super) fn rematch_request(&mut self, agrees: bool) -> Result<ClientMessage, String> {
        let view = self.view.as_ref().ok_or("there is no game yet")?;
        if view.phase != Phase::Ended {
            return Err("the game is not over; offer a rematch afterwards".to_owned());
        }
        let game = view.game.clone();
        let cmd_id = self.session.next_cmd_id();
        if !agrees {
            return Ok(ClientMessage::DeclineRematch(GameCommand { game, cmd_id }));
        }
        // The nonce of the game before is known.
        self.nonce = self.random.bytes();
        Ok(ClientMessage::OfferRematch(OfferRematch {
            game,
            cmd_id,
            nonce_hash: Some(self.nonce_hash()),
        }))
    }

    /// Whether the player waits for the others to agree to a rematch.
    pub(super) fn waits_for_rematch(&self) -> bool {
        self.rematch.is_some()
    }

    /// Handles a change of the offer: the player no longer waits when it ends.
    pub(super) fn rematch_changed(&mut self, changed: &RematchChanged) {
        let is_over = changed.end.is_some();
        if is_over && self.game.as_ref() == Some(&changed.game) {
            self.rematch = None;
        }
    }

    /// Says whether a game is the rematch that the player agreed to. The game can be announced before the answer to the offer.
    pub(super) fn is_rematch(&self, created: &GameCreated) -> bool {
        let is_over = self
            .view
            .as_ref()
            .is_some_and(|view| view.phase == Phase::Ended);
        let is_offered = self.rematch.as_ref() == Some(&created.game)
            || self.has_request(|message| matches!(message, ClientMessage::OfferRematch(_)));
        is_over && is_offered && self.game.as_ref() != Some(&created.game)
    }

    /// Leaves the game that has ended for its rematch.
    pub(super) fn begin_rematch(&mut self, created: GameCreated, effects: &mut Vec<Effect>) {
        self.rematch = None;
        self.view = None;
        self.head = None;
        if let Some(game) = self.game.take() {
            let message = ClientMessage::Detach(Detach { game });
            let origin = Origin::Auto;
            self.send(Request { message, origin }, effects);
        }
        let game = created.game.clone();
        self.announced = Some(game.clone());
        let push = ServerMessage::GameCreated(created);
        effects.push(Effect::Report(Report::Push(Box::new(push))));
        self.follow(game, effects);
    }
}
