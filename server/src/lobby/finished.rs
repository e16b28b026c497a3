//! The games whose rematch is wanted, read from their logs; and the messages about rematches.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::{ErrorCode, GameId, RematchChanged, SeekId, ServerMessage};
use tilewire_rules::event::{Ended, Event, PublicEvent, Record, Series};
use tilewire_rules::time::Seat;

use super::open_seek::OpenSeek;
use super::rematch::{Finished, Offer};
use super::task::LobbyTask;
use crate::game::FindError;
use crate::ids;
use crate::outbound::PeerId;
use crate::storage::StoredGame;
use crate::wire::Refusal;

/// The connections that know of each open offer: a player who comes back is told again.
#[derive(Debug, Default)]
pub(super) struct ToldOffers(BTreeMap<SeekId, BTreeSet<PeerId>>);

impl LobbyTask {
    /// Reads a game that has ended, for its rematch.
    ///
    /// # Errors
    /// When it cannot be read, has not ended, or the identity did not play in it.
    pub(super) async fn finished(
        &self,
        game: &GameId,
        identity: &str,
    ) -> Result<Finished, Refusal> {
        let directory = &self.services.directory;
        let unfound = |error: FindError| Refusal::new(error.code(), error.to_string());
        let stored = directory.stored(game).await.map_err(unfound)?;
        if !stored.meta.players.iter().any(|player| player == identity) {
            let code = ErrorCode::NotAPlayer;
            return Err(Refusal::new(code, code.meaning()));
        }
        let next = ids::rematch_id(game);
        let has_next = directory.has(&next).await.map_err(unfound)?;
        finished(&stored, next, has_next).ok_or_else(|| {
            let text = "the game has not ended; offer a rematch afterwards";
            Refusal::new(ErrorCode::NotOver, text)
        })
    }

    /// Tells the players of an open offer.
    pub(super) fn tell_offer(&mut self, open: &OpenSeek, offer: &Offer) {
        let message = rematch(open.offered(offer));
        let told = self
            .told_offers
            .0
            .entry(open.seek.seek.clone())
            .or_default();
        told.clear();
        for peer in offer
            .seats
            .iter()
            .flat_map(|own| self.services.registry.of(own))
        {
            peer.send(0, &message);
            told.insert(peer.id());
        }
    }

    /// Tells the players of the end of an offer.
    pub(super) fn tell_offer_ended(&mut self, open: &OpenSeek, offer: &Offer) {
        self.told_offers.0.remove(&open.seek.seek);
        let message = rematch(open.offer_ended(offer));
        for peer in offer
            .seats
            .iter()
            .flat_map(|own| self.services.registry.of(own))
        {
            peer.send(0, &message);
        }
    }

    /// Tells everybody who is attached to the old game of the new one.
    pub(super) fn tell_next(&mut self, open: &OpenSeek, offer: &Offer, next: &GameId) {
        self.told_offers.0.remove(&open.seek.seek);
        let changed = RematchChanged {
            next: Some(next.clone()),
            ..RematchChanged::about(offer.of.clone())
        };
        self.services.directory.tell_rematch(changed);
    }

    /// Tells players of open offers on connections that are new since.
    pub(super) fn tell_offers_again(&mut self) {
        let offers = self.lobby.seeks().filter(|open| open.starting.is_none());
        for open in offers {
            let Some(offer) = &open.rematch else { continue };
            let told = self
                .told_offers
                .0
                .entry(open.seek.seek.clone())
                .or_default();
            for peer in offer
                .seats
                .iter()
                .flat_map(|own| self.services.registry.of(own))
            {
                if told.insert(peer.id()) {
                    peer.send(0, &rematch(open.offered(offer)));
                }
            }
        }
        let lobby = &self.lobby;
        self.told_offers
            .0
            .retain(|seek, _| lobby.get(seek).is_some());
    }
}

fn rematch(changed: RematchChanged) -> ServerMessage {
    ServerMessage::Rematch(Box::new(changed))
}

/// Returns the facts of a stored game; `None` if it has not ended.
fn finished(stored: &StoredGame, next: GameId, has_next: bool) -> Option<Finished> {
    let (ended_at, ended) = stored.records.iter().rev().find_map(end)?;
    let first = stored.records.iter().find_map(first_seat);
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return None;
    };
    Some(Finished {
        game: stored.meta.game.clone(),
        options: created.options.clone(),
        players: created.players.clone(),
        code: stored.meta.private_code.clone(),
        ended_at,
        series: Series::after(created, first, ended),
        next,
        has_next,
    })
}

fn end(record: &Record) -> Option<(tilewire_rules::time::Timestamp, &Ended)> {
    match &record.event {
        Event::Public(PublicEvent::Ended(ended)) => Some((record.at, ended)),
        _ => None,
    }
}

fn first_seat(record: &Record) -> Option<Seat> {
    match &record.event {
        Event::Public(PublicEvent::TurnStarted { seat, .. }) => Some(*seat),
        _ => None,
    }
}
