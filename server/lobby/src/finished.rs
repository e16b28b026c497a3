//! Reads the old game of a rematch from its log.

use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::event::{Ended, Event, PublicEvent, Record, Series};
use tilewire_rules::time::Seat;

use super::rematch::Finished;
use super::task::LobbyTask;
use tilewire_base::ids;
use tilewire_game::FindError;
use tilewire_store::StoredGame;
use tilewire_wire::Refusal;

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
