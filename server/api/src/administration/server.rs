//! The server as a whole: the lobby, blocked addresses, settings, and detailed logs of games and players.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use tilewire_protocol::{GameId, Phase};
use tilewire_rules::time::{Millis, Timestamp};

use super::order_bodies::ReasonOrder;
use super::server_bodies::{
    BlockOrder, BlocksBody, LiftOrder, LobbyBody, Reached, ReloadBody, SettingLine, SettingsBody,
    WatchLine, WatchOrder, WatchesBody,
};
use super::{Call, fan_out};
use crate::input::parsed;
use crate::moderation::wrong;
use crate::moderation_bodies::Numbered;
use crate::refusal::Refusal;
use tilewire_accounts::people::Operation;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::all_keys;
use tilewire_control::{AddressBlock, AddressBlocks, BLOCKS_MOST, Closed, Drain, network};
use tilewire_game::Location;
use tilewire_game::{WATCHED_LONGEST, WATCHED_MOST};
use tilewire_relay::asks::NoAnswer;

/// Says whether games may begin, as the server with the lobby knows it, and how many are not over on all servers.
pub(super) async fn lobby(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let services = &call.services;
    let known = services.directory.known().await;
    let going_on = known
        .iter()
        .filter(|game| game.is_awake && game.summary.phase != Phase::Ended);
    let closed = services.drain.closed();
    let own = LobbyBody {
        has_lobby: services.directory.lobby_place() == Location::Mine,
        open: closed.is_none(),
        since: closed.as_ref().map(|closed| closed.since.0),
        reason: closed.map(|closed| closed.reason),
        games: going_on.count(),
        missing_servers: Vec::new(),
    };
    let others = fan_out::ask::<LobbyBody>(call, None).await;
    let bodies = || std::iter::once(&own).chain(&others.answers);
    let games = bodies().map(|body| body.games).sum();
    let of_lobby = match call.passing.is_some() && services.relay.is_some() {
        true => bodies().find(|body| body.has_lobby),
        false => Some(&own),
    };
    let of_lobby = of_lobby.ok_or(NoAnswer::Unreachable)?.clone();
    Ok(call.ok(&LobbyBody {
        games,
        missing_servers: others.missing,
        ..of_lobby
    }))
}

/// Closes the lobby.
pub(super) async fn close_lobby(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    let reason = asked.reason.trim().to_owned();
    let number = enter(
        call,
        (Drain::CLOSED, Drain::TARGET),
        None,
        (asked.reason, None),
    )
    .await?;
    let since = call.services.people.now();
    call.services.drain.set(Some(Closed { since, reason }));
    Ok(call.ok(&Numbered { number }))
}

/// Opens the lobby again.
pub(super) async fn open_lobby(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    if call.services.drain.closed().is_none() {
        return Err(no_effect("the lobby is open"));
    }
    let number = enter(
        call,
        (Drain::OPENED, Drain::TARGET),
        None,
        (asked.reason, None),
    )
    .await?;
    call.services.drain.set(None);
    Ok(call.ok(&Numbered { number }))
}

/// Stores the entry of the audit of an operation on a part of the server. `about` is a part of its name.
pub(super) async fn enter(
    call: &Call<'_>,
    (name, target): (&'static str, &str),
    about: Option<String>,
    (reason, until): (String, Option<Timestamp>),
) -> Result<u64, Refusal> {
    let operation = Operation {
        name,
        target: target.to_owned(),
        reason,
        about,
        until,
    };
    call.enter(operation).await
}

pub(super) fn no_effect(text: &str) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, "no_effect", text)
}

/// Lists the blocked address ranges.
pub(super) fn blocks(call: &Call<'_>) -> Response<Body> {
    let blocks = call.services.blocked.all(call.services.people.now());
    call.ok(&BlocksBody {
        blocks: blocks.into_iter().map(Into::into).collect(),
    })
}

/// Blocks an address range.
pub(super) async fn block(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: BlockOrder = parsed(&call.body)?;
    let range = network(&asked.network).map_err(|fault| wrong("network", &fault.to_string()))?;
    let blocked = call.services.blocked;
    let _one_at_a_time = blocked.begin().await;
    let now = call.services.people.now();
    if blocked.all(now).len() >= BLOCKS_MOST {
        let text = format!("{BLOCKS_MOST} ranges are blocked; lift one");
        return Err(no_effect(&text));
    }
    let until = asked.until.map(Timestamp);
    let reason = asked.reason.trim().to_owned();
    let name = (AddressBlocks::BLOCKED, AddressBlocks::TARGET);
    let about = Some(range.to_string());
    let number = enter(call, name, about, (asked.reason, until)).await?;
    blocked.add(AddressBlock {
        number,
        network: range,
        at: now,
        actor: call.actor.name().to_owned(),
        reason,
        until,
    });
    Ok(call.ok(&Numbered { number }))
}

/// Lifts the block of an address range.
pub(super) async fn lift(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: LiftOrder = parsed(&call.body)?;
    let range = network(&asked.network).map_err(|fault| wrong("network", &fault.to_string()))?;
    let blocked = call.services.blocked;
    let _one_at_a_time = blocked.begin().await;
    let all = blocked.all(call.services.people.now());
    if all.iter().all(|block| block.network != range) {
        return Err(no_effect("no block of exactly this range is in force"));
    }
    let name = (AddressBlocks::LIFTED, AddressBlocks::TARGET);
    let about = Some(range.to_string());
    let number = enter(call, name, about, (asked.reason, None)).await?;
    blocked.lift(range);
    Ok(call.ok(&Numbered { number }))
}

/// Lists the games and players with detailed logs.
pub(super) fn watches(call: &Call<'_>) -> Response<Body> {
    let all = call.services.directory.watched();
    let all = all.all(call.services.people.now()).into_iter();
    call.ok(&WatchesBody {
        watches: all
            .map(|(id, until)| WatchLine { id, until: until.0 })
            .collect(),
    })
}

/// Writes more about a game or a player to the log for a time.
pub(super) async fn watch(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: WatchOrder = parsed(&call.body)?;
    let services = &call.services;
    let id = match (asked.game, asked.player) {
        (Some(game), None) => {
            let game = GameId(game);
            // A game that does not exist is no target of an entry.
            services.directory.stored(&game).await?;
            game.0
        }
        (None, Some(player)) => services.people.concerned(&player).await?.identity,
        _ => return Err(wrong("game", "name a game or a player")),
    };
    if !(1..=WATCHED_LONGEST.0).contains(&asked.for_ms) {
        return Err(wrong("for_ms", "at most a day"));
    }
    let now = services.people.now();
    let until = now + Millis(asked.for_ms);
    let watched = services.directory.watched();
    let all = watched.all(now);
    if all.len() >= WATCHED_MOST && all.iter().all(|(other, _)| *other != id) {
        let text = format!("{WATCHED_MOST} games and players are watched");
        return Err(no_effect(&text));
    }
    let number = enter(
        call,
        ("watched", id.as_str()),
        None,
        (asked.reason, Some(until)),
    )
    .await?;
    watched.add(&id, until, now);
    let others = fan_out::tell(call, number).await;
    Ok(call.ok(&Reached::of(number, others)))
}

/// Lists the settings, and which of them a reload applies.
pub(super) fn settings(call: &Call<'_>) -> Response<Body> {
    let keys = all_keys().into_iter();
    call.ok(&SettingsBody {
        settings: keys
            .map(|(key, reloadable)| SettingLine { key, reloadable })
            .collect(),
    })
}

/// Reads the settings again.
pub(super) async fn reload(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    let settings = Arc::clone(call.services.settings);
    let looked = SlowWork::OnThread.run(move || settings.look()).await;
    let is_refused = !matches!(looked, Ok(Ok(())));
    let name = match is_refused {
        true => "settings_refused",
        false => "settings_reloaded",
    };
    let number = enter(call, (name, "settings"), None, (asked.reason, None)).await?;
    let settings = Arc::clone(call.services.settings);
    let done = SlowWork::OnThread.run(move || settings.reload()).await;
    let refused = |text: String| Refusal::new(StatusCode::CONFLICT, "bad_settings", text);
    let changes = match done {
        Ok(done) => done.map_err(|error| refused(format!("nothing has changed: {error}")))?,
        Err(error) => return Err(refused(error.to_string())),
    };
    Ok(call.ok(&ReloadBody {
        number,
        applied: changes.applied,
        waiting: changes.waiting,
    }))
}
