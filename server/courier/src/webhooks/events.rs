//! The events that follow from new records of a game and from notes of accounts, as a spectator sees them. Pure: the time is in
//! the records.

use std::sync::Arc;

use tilewire_protocol::GameId;
use tilewire_rules::event::{Created, EndReason, Ended, Event, PlayMade, PublicEvent, Record};
use tilewire_rules::notation::format_coordinate;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{ReplayError, State};
use tilewire_rules::time::{Millis, Seat, Timestamp};
use tilewire_rules::view::{Audience, ViewEvent};

use super::bodies::{
    AccountChanged, GameCreated, GameOver, GameStarted, GameTurn, TurnAct, WebhookPlayer,
    WebhookResult, WebhookWord, envelope,
};
use tilewire_base::clock::time_text;
use tilewire_base::ids::is_of_site;
use tilewire_config::{WebhookEvent, WebhookPlayers, WebhookTarget};
use tilewire_store::{
    AccountNews, AccountNewsKind, ChangedGame, NewWebhook, StoredGame, WebhookKey, reason_name,
};
use tilewire_wire::options;

/// The data of an event.
#[derive(Debug, Clone)]
pub(super) enum Data {
    /// It was created.
    Created(GameCreated),
    /// The first turn began.
    Started(GameStarted),
    /// A turn, or a verdict.
    Turn(GameTurn),
    /// It is over.
    Over(GameOver),
}

/// An event of a game.
#[derive(Debug, Clone)]
pub(super) struct GameEvent {
    pub(super) kind: WebhookEvent,
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) shown_at: Timestamp,
    pub(super) data: Data,
}

/// The events of a game.
#[derive(Debug, Clone)]
pub(super) struct GameNews {
    pub(super) game: GameId,
    pub(super) is_private: bool,
    /// Whether a user of the embedding site plays.
    pub(super) has_site_player: bool,
    /// When the game ended, if it did.
    pub(super) ended_at: Option<Timestamp>,
    pub(super) events: Vec<GameEvent>,
}

/// Returns the events of the kinds that are `wanted` about the records of a game that `turned` names. Only turns need the state
/// of the game, so without them it is not folded.
///
/// # Errors
/// When the log does not replay.
pub(super) fn events_of(
    game: &StoredGame,
    rules: &Arc<RuleSet>,
    turned: &ChangedGame,
    wanted: impl Fn(WebhookEvent) -> bool,
) -> Result<Option<GameNews>, ReplayError> {
    let Some(Event::Created(created)) = game.records.first().map(|first| &first.event) else {
        return Ok(None);
    };
    let mut news = GameNews {
        game: game.meta.game.clone(),
        is_private: game.meta.private_code.is_some(),
        has_site_player: created
            .players
            .iter()
            .any(|player| is_of_site(&player.identity)),
        ended_at: None,
        events: Vec::new(),
    };
    let is_new = |record: &Record| record.seq.0 > turned.after && record.seq.0 <= turned.last;
    let kind_of = |record: &Record| kind(record).filter(|kind| is_new(record) && wanted(*kind));
    let needs_state = |record: &Record| kind_of(record) == Some(WebhookEvent::GameTurn);
    let is_folded = game.records.iter().any(needs_state);
    let delay = created.options.spectators;
    let delay = delay.map_or(Millis::ZERO, |view| Millis(view.delay_ms));
    let mut state: Option<State> = None;
    for record in &game.records {
        if record.seq.0 > turned.last {
            break;
        }
        match &mut state {
            _ if !is_folded => {}
            Some(state) => state.apply(record)?,
            none => *none = Some(State::begin(Arc::clone(rules), record)?),
        }
        let found = kind_of(record);
        let found =
            found.and_then(|kind| Some((kind, data(game, created, record, state.as_ref())?)));
        if let Some((kind, data)) = found {
            // Spectators see the creation at once: it says no more than the seek did.
            let held = if record.seq.0 == 1 {
                Millis::ZERO
            } else {
                delay
            };
            news.events.push(GameEvent {
                kind,
                seq: record.seq.0,
                at: record.at,
                shown_at: record.at + held,
                data,
            });
        }
        if matches!(&record.event, Event::Public(PublicEvent::Ended(_))) {
            news.ended_at = Some(record.at);
        }
    }
    if let Some(ended_at) = news.ended_at {
        // The end shows everything at once.
        for event in &mut news.events {
            event.shown_at = event.shown_at.min(ended_at);
        }
    }
    let is_nothing = news.events.is_empty() && news.ended_at.is_none();
    Ok((!is_nothing).then_some(news))
}

/// Returns the kind of event that a record is, if it is one.
const fn kind(record: &Record) -> Option<WebhookEvent> {
    Some(match &record.event {
        Event::Created(_) => WebhookEvent::GameCreated,
        Event::Public(PublicEvent::TurnStarted { turn_no, .. }) if turn_no.0 == 1 => {
            WebhookEvent::GameStarted
        }
        Event::Exchanged { .. }
        | Event::Public(
            PublicEvent::PlayMade(_)
            | PublicEvent::Passed { .. }
            | PublicEvent::TurnLost { .. }
            | PublicEvent::ChallengeDecided(_),
        ) => WebhookEvent::GameTurn,
        Event::Public(PublicEvent::Ended(ended)) => of_reason(ended.reason),
        Event::Public(_) | Event::BagShuffled { .. } | Event::TilesDrawn { .. } => return None,
    })
}

/// Returns a spectator's view of a record; `state` is the game after it, which turns need.
fn data(
    stored: &StoredGame,
    created: &Created,
    record: &Record,
    state: Option<&State>,
) -> Option<Data> {
    let game = stored.meta.game.to_string();
    let turn = |seat: Seat, act: TurnAct| {
        let seen = state?.seen_by(Audience::Spectator);
        Some(Data::Turn(GameTurn {
            game: game.clone(),
            seq: record.seq.0,
            seat: seat.0,
            act,
            scores: seen.seats.iter().map(|seat| seat.score).collect(),
            bag: u32::try_from(seen.bag.saturating_sub(drawn_next(record))).unwrap_or(u32::MAX),
        }))
    };
    let public = match record.event.seen_by(Audience::Spectator) {
        ViewEvent::Created(_) => {
            return Some(Data::Created(GameCreated {
                game,
                private: stored.meta.private_code.is_some(),
                options: Box::new(options::to_wire(&created.options)),
                players: players(created, None),
            }));
        }
        ViewEvent::Exchanged {
            turn_no,
            seat,
            count,
            ..
        } => {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            let turn_no = turn_no.0;
            return turn(seat, TurnAct::Exchange { turn_no, count });
        }
        ViewEvent::BagShuffled { .. } | ViewEvent::TilesDrawn { .. } => return None,
        ViewEvent::Public(public) => public,
    };
    match public {
        PublicEvent::TurnStarted { seat, .. } => {
            let seat = seat.0;
            Some(Data::Started(GameStarted { game, seat }))
        }
        PublicEvent::PlayMade(play) => turn(play.seat, of_play(play)),
        PublicEvent::Passed { turn_no, seat } => turn(*seat, TurnAct::Pass { turn_no: turn_no.0 }),
        PublicEvent::TurnLost { turn_no, seat } => {
            turn(*seat, TurnAct::LostTurn { turn_no: turn_no.0 })
        }
        PublicEvent::ChallengeDecided(decided) => turn(
            decided.seat,
            TurnAct::Challenge {
                play: decided.play_id.0,
                off: decided.verdict.is_off(),
            },
        ),
        PublicEvent::Ended(ended) => Some(Data::Over(GameOver {
            game,
            reason: reason_name(ended.reason).to_owned(),
            players: players(created, Some(ended)),
        })),
        _ => None,
    }
}

/// Returns the tiles that the author of a play draws with the next event. With a window the bag is without them already.
fn drawn_next(record: &Record) -> usize {
    match &record.event {
        Event::Public(PublicEvent::PlayMade(play)) if play.window.is_none() => play.owed.into(),
        _ => 0,
    }
}

fn of_play(play: &PlayMade) -> TurnAct {
    let words = play.words.iter().map(|word| WebhookWord {
        word: word.word.clone(),
        points: word.score,
    });
    TurnAct::Play {
        turn_no: play.turn_no.0,
        start: format_coordinate(play.start, play.direction),
        words: words.collect(),
        points: play.score,
    }
}

/// Returns the kind of event of an end.
const fn of_reason(reason: EndReason) -> WebhookEvent {
    match reason {
        EndReason::Aborted | EndReason::Cancelled => WebhookEvent::GameCancelled,
        EndReason::Adjudicated => WebhookEvent::GameAdjudicated,
        EndReason::OutPlay
        | EndReason::ScorelessTurns
        | EndReason::Passes
        | EndReason::TurnCap
        | EndReason::Target
        | EndReason::AllPlayed
        | EndReason::Uncatchable
        | EndReason::Resignation
        | EndReason::Time
        | EndReason::Abandonment
        | EndReason::TripleChallenge => WebhookEvent::GameEnded,
    }
}

/// Returns the players, with their results if the game is over.
fn players(created: &Created, ended: Option<&Ended>) -> Vec<WebhookPlayer> {
    let result = |seat: Seat| {
        let ended = ended?;
        let own = ended.results.iter().find(|result| result.seat == seat)?;
        Some(WebhookResult {
            score: own.final_score,
            rank: Some(own.rank).filter(|rank| *rank > 0 && !ended.winners.is_empty()),
            won: ended.winners.contains(&seat),
        })
    };
    let seats = Seat::all(created.options.seats).zip(&created.players);
    seats
        .map(|(seat, player)| WebhookPlayer {
            seat: seat.0,
            identity: Some(player.identity.clone()),
            name: Some(player.name.clone()),
            bot: player.is_house_bot(),
            result: result(seat),
        })
        .collect()
}

impl GameNews {
    /// Returns the events that a webhook gets.
    pub(super) fn for_target(&self, target: &WebhookTarget, give_up_ms: Millis) -> Vec<NewWebhook> {
        let is_hidden = self.is_private && !target.private_games;
        let is_foreign = target.players == WebhookPlayers::Site && !self.has_site_player;
        if is_hidden || is_foreign {
            return Vec::new();
        }
        let wanted = self.events.iter().filter(|event| target.wants(event.kind));
        let webhook = |event: &GameEvent| NewWebhook {
            key: WebhookKey::of_game(&target.name, &self.game, event.seq),
            kind: event.kind.name(),
            at: event.at,
            shown_at: event.shown_at,
            until: event.shown_at + give_up_ms,
            content: event.content(target.players),
        };
        wanted.map(webhook).collect()
    }
}

impl GameEvent {
    fn content(&self, of: WebhookPlayers) -> String {
        let (kind, at) = (self.kind.name(), self.at);
        match &self.data {
            Data::Created(created) => {
                let mut created = created.clone();
                hide_others(&mut created.players, of);
                envelope(kind, at, created)
            }
            Data::Started(started) => envelope(kind, at, started),
            Data::Turn(turn) => envelope(kind, at, turn),
            Data::Over(over) => {
                let mut over = over.clone();
                hide_others(&mut over.players, of);
                envelope(kind, at, over)
            }
        }
    }
}

/// Removes the names of the players that a webhook must not learn.
fn hide_others(players: &mut [WebhookPlayer], of: WebhookPlayers) {
    if of == WebhookPlayers::All {
        return;
    }
    for player in players {
        let is_own = player.identity.as_deref().is_some_and(is_of_site);
        if !is_own {
            player.identity = None;
            player.name = None;
        }
    }
}

/// Returns the event about an account that a webhook gets, if it gets one.
pub(super) fn of_account(
    news: &AccountNews,
    target: &WebhookTarget,
    give_up_ms: Millis,
) -> Option<NewWebhook> {
    let kind = match news.kind {
        AccountNewsKind::Registered => WebhookEvent::AccountRegistered,
        AccountNewsKind::Renamed => WebhookEvent::AccountRenamed,
        AccountNewsKind::Suspended => WebhookEvent::AccountSuspended,
        AccountNewsKind::Restored => WebhookEvent::AccountRestored,
        AccountNewsKind::Erased => WebhookEvent::AccountErased,
    };
    let is_foreign = target.players == WebhookPlayers::Site && !is_of_site(&news.identity);
    if is_foreign || !target.wants(kind) {
        return None;
    }
    let changed = AccountChanged {
        identity: news.identity.clone(),
        handle: news.name.clone(),
        until: news.until.map(time_text),
    };
    Some(NewWebhook {
        key: WebhookKey::of_account(&target.name, &news.identity, news.number),
        kind: kind.name(),
        at: news.at,
        shown_at: news.at,
        until: news.at + give_up_ms,
        content: envelope(kind.name(), news.at, changed),
    })
}

#[cfg(test)]
mod tests;
