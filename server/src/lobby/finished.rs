//! Reads the old game of a rematch from its log, and tells the players of offers.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::{ErrorCode, GameId, RematchChanged, SeekId, ServerMessage};
use tilewire_rules::event::{Ended, Event, PublicEvent, Record, Series};
use tilewire_rules::time::Seat;

use super::open_seek::OpenSeek;
use super::rematch::{Finished, Offer};
use super::services::Services;
use super::task::LobbyTask;
use crate::game::FindError;
use crate::ids;
use crate::outbound::{Peer, PeerId};
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
        let peers = listeners(&self.services, open, offer);
        for peer in &peers {
            peer.send(0, &message);
        }
        let told = peers.iter().map(Peer::id).collect();
        self.told_offers.0.insert(open.seek.seek.clone(), told);
    }

    /// Tells the players of the end of an offer.
    pub(super) fn tell_offer_ended(&mut self, open: &OpenSeek, offer: &Offer) {
        self.told_offers.0.remove(&open.seek.seek);
        let message = rematch(open.offer_ended(offer));
        for peer in listeners(&self.services, open, offer) {
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
            for peer in listeners(&self.services, open, offer) {
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

/// Returns the connections of the players who hear of an offer. One whom a block separates from a player who agrees does not:
/// for the other one it looks as if nobody answered.
fn listeners(services: &Services, open: &OpenSeek, offer: &Offer) -> Vec<Peer> {
    let blocks = &services.blocks;
    let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
    let hears = |own: &&String| !open.is_closed_to(own, &are_blocked);
    let players = offer.seats.iter().filter(hears);
    players.flat_map(|own| services.registry.of(own)).collect()
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
