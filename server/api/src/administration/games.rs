//! Games, as admins see them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use tilewire_protocol::{GameId, GameSummary, Phase};
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_rules::view::Audience;

use super::bodies::{GameInFull, GameLine, GamesBody, GamesQuery, TilesOrder, place, place_text};
use super::{Call, fan_out};
use crate::input::{decoded, parsed};
use crate::moderation::{page, wrong};
use crate::query;
use crate::refusal::Refusal;
use tilewire_accounts::people::{Failure, Operation};
use tilewire_game::operator::events;
use tilewire_game::{FindError, KnownGame};

/// Lists games, the newest first.
pub(super) async fn list(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: GamesQuery = query::parsed(call.query)?;
    let most = page(asked.limit)?;
    let behind = asked.behind.as_deref().map(|text| {
        let place = place(text);
        place.ok_or_else(|| wrong("behind", "`next` of the page before"))
    });
    let behind = behind.transpose()?;
    let (people, directory) = (call.services.people, call.services.directory);
    let found = match &asked.player {
        Some(player) => {
            let player = people.concerned(player).await?;
            let found = directory.known_of(&player.identity).await;
            found.map_err(Failure::from)?
        }
        None => directory.known().await,
    };
    let now = people.now();
    let is_behind = |game: &KnownGame| {
        behind.as_ref().is_none_or(|(at, id)| {
            (game.created_at, game.summary.game.0.as_str()) < (*at, id.as_str())
        })
    };
    let fitting = found
        .into_iter()
        .filter(|game| is_behind(game) && fits(&asked, game, now));
    // One more shows that there is another page.
    let own: Vec<GameLine> = fitting.take(most + 1).map(GameLine::from).collect();
    let others = fan_out::ask::<GamesBody>(call, None).await;
    let has_more = others.answers.iter().any(|body| body.next.is_some());
    let theirs = others.answers.into_iter().flat_map(|body| body.games);
    let mut games = together(own.into_iter().chain(theirs));
    let has_more = has_more || games.len() > most;
    games.truncate(most);
    let last = games.last().filter(|_| has_more);
    let next = last.map(place_text);
    Ok(call.ok(&GamesBody {
        games,
        next,
        server_time: now.0,
        missing_servers: others.missing,
    }))
}

/// Returns games of several servers, the newest first. A game that one of them has in memory can sleep for another, which has read
/// the storage earlier. Only the server of a game knows that it is paused.
fn together(lines: impl Iterator<Item = GameLine>) -> Vec<GameLine> {
    let mut found: BTreeMap<(i64, GameId), GameLine> = BTreeMap::new();
    for mut line in lines {
        let place = (line.created_at, line.game.game.clone());
        match found.entry(place) {
            Entry::Occupied(mut known) if line.awake => {
                line.paused |= known.get().paused;
                known.insert(line);
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => _ = free.insert(line),
        }
    }
    found.into_values().rev().collect()
}

/// Says whether a game fits all filters but that of the player.
fn fits(asked: &GamesQuery, game: &KnownGame, now: Timestamp) -> bool {
    let summary = &game.summary;
    let is = |asked: Option<bool>, found: bool| asked.is_none_or(|asked| asked == found);
    let is_long = |least: Option<i64>, since: Option<i64>| {
        let since = since.map(Timestamp);
        least.is_none_or(|least| since.is_some_and(|since| now - since >= Millis(least)))
    };
    let phase = asked.state.map(Phase::from);
    let rated = summary.options.as_ref().is_some_and(|it| it.rated);
    phase.is_none_or(|phase| phase == summary.phase)
        && (asked.rule_set.as_ref()).is_none_or(|rule_set| *rule_set == summary.rule_set)
        && is(asked.rated, rated)
        && is(asked.private, summary.private)
        && is_long(asked.age_min_ms, Some(game.created_at.0))
        && is_long(asked.waiting_min_ms, waits_since(summary))
}

/// Returns since when the running clock of a game has been running.
fn waits_since(summary: &GameSummary) -> Option<i64> {
    let running = summary.clocks.as_ref()?.running.as_ref()?;
    Some(running.since)
}

/// Shows a game without hidden tiles.
pub(super) async fn in_full(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    show(call, &game(call)?, Audience::Spectator).await
}

/// Shows a game with the racks and exchanges of all seats.
pub(super) async fn show_tiles(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: TilesOrder = parsed(&call.body)?;
    let game = game(call)?;
    // A game that does not exist is no target of an entry.
    call.services.directory.inspect(&game).await?;
    let operation = Operation {
        name: "tiles_shown",
        target: game.0.clone(),
        reason: asked.reason,
        about: None,
        until: None,
    };
    call.enter(operation).await?;
    show(call, &game, Audience::Commentary).await
}

async fn show(
    call: &Call<'_>,
    game: &GameId,
    audience: Audience,
) -> Result<Response<Body>, Refusal> {
    let directory = call.services.directory;
    let seen = directory.inspect(game).await?;
    let stored = directory.stored(game).await?;
    let position = &seen.position;
    let log = events(&position.facts, &position.state, &stored.records, audience);
    let log = log.map_err(|_| Refusal::from(FindError::Broken))?;
    Ok(call.ok(&GameInFull {
        seq: position.seq(),
        tiles: audience == Audience::Commentary,
        snapshot: position.seen_by(audience),
        log,
        connected: position.connected.clone(),
        watching: seen.watching,
        queued: seen.queued,
        unanswered: seen.unanswered,
        storage: seen.storage.name().to_owned(),
        paused: seen.is_paused,
        next_deadline: seen.next_deadline.map(|at| at.0),
        server_time: position.at.0,
    }))
}

pub(super) fn game(call: &Call<'_>) -> Result<GameId, Refusal> {
    Ok(GameId(decoded(call.parameter())?))
}

impl From<FindError> for Refusal {
    fn from(error: FindError) -> Self {
        let code = error.code();
        let refused = |status| Self::new(status, code.as_str(), error.to_string());
        match error {
            FindError::Unknown => refused(StatusCode::NOT_FOUND),
            FindError::Broken => refused(StatusCode::INTERNAL_SERVER_ERROR),
            FindError::Unavailable | FindError::Elsewhere | FindError::Stopping => {
                refused(StatusCode::SERVICE_UNAVAILABLE).busy()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::administration::bodies::StateAsked;
    use tilewire_game::summaries::{clocks, running_summary};

    const NOW: Timestamp = Timestamp(10_000);

    fn running() -> KnownGame {
        KnownGame {
            created_at: Timestamp(1_000),
            is_awake: true,
            is_paused: false,
            summary: GameSummary {
                clocks: Some(clocks(7_000)),
                started_at: Some(2_000),
                ..running_summary()
            },
        }
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut GamesQuery), expected: bool) {
        let mut asked = GamesQuery::default();
        change(&mut asked);
        assert_eq!(fits(&asked, &running(), NOW), expected, "{asked:?}");
    }

    #[test]
    fn a_game_of_several_servers_is_listed_once() {
        let line = |created_at, awake, paused| GameLine {
            created_at,
            awake,
            paused,
            game: running_summary(),
        };
        let lines = [
            line(1, false, false),
            line(2, true, true),
            line(1, true, false),
            line(2, true, false),
            line(2, false, false),
        ];
        let found = together(lines.into_iter());
        let shown: Vec<(i64, bool, bool)> = found
            .iter()
            .map(|line| (line.created_at, line.awake, line.paused))
            .collect();
        assert_eq!(shown, [(2, true, true), (1, true, false)]);
    }

    #[test]
    fn a_game_has_to_fit_every_filter() {
        check(|_| (), true);
        check(|asked| asked.state = Some(StateAsked::Running), true);
        check(|asked| asked.state = Some(StateAsked::Ended), false);
        check(|asked| asked.rule_set = Some("classic".to_owned()), true);
        check(|asked| asked.rule_set = Some("wordfeud".to_owned()), false);
        check(|asked| asked.rated = Some(false), true);
        check(|asked| asked.rated = Some(true), false);
        check(|asked| asked.private = Some(true), false);
        check(|asked| asked.age_min_ms = Some(9_000), true);
        check(|asked| asked.age_min_ms = Some(9_001), false);
        check(|asked| asked.waiting_min_ms = Some(3_000), true);
        check(|asked| asked.waiting_min_ms = Some(3_001), false);
        let mut stopped = running();
        stopped.summary.clocks = None;
        let waiting = GamesQuery {
            waiting_min_ms: Some(0),
            ..GamesQuery::default()
        };
        assert!(!fits(&waiting, &stopped, NOW), "no clock runs");
    }
}
