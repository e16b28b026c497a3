//! The server as a whole: the lobby, notices and blocked addresses.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use tilewire_protocol::{GameId, Notice, Phase};
use tilewire_rules::time::{Millis, Timestamp};

use super::Call;
use super::order_bodies::ReasonOrder;
use super::server_bodies::{
    BlockOrder, BlocksBody, LiftOrder, LobbyBody, NoticeOrder, NoticesBody, ReloadBody,
    SettingLine, SettingsBody, WatchLine, WatchOrder, WatchesBody,
};
use crate::api::input::parsed;
use crate::api::moderation::{number, wrong};
use crate::api::moderation_bodies::Numbered;
use crate::api::refusal::Refusal;
use crate::config::all_keys;
use crate::operated::{
    AddressBlock, AddressBlocks, BLOCKS_MOST, Closed, NOTICES_MOST, Scheduled, WATCHED_LONGEST,
    WATCHED_MOST, network,
};
use crate::people::Operation;

/// The most characters of the topic and of the text of a notice.
const NOTICE_MAX_CHARS: (usize, usize) = (64, 1_000);
/// The shortest time between two sendings of a notice.
const NOTICE_EVERY_LEAST: Millis = Millis(60_000);

/// Says whether games may begin, and how many are not over.
pub(super) async fn lobby(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let known = call.services.directory.known().await;
    let going_on = known
        .iter()
        .filter(|game| game.is_awake && game.summary.phase != Phase::Ended);
    let games = going_on.count();
    let closed = call.services.drain.closed();
    Ok(call.ok(&LobbyBody {
        open: closed.is_none(),
        since: closed.as_ref().map(|closed| closed.since.0),
        reason: closed.map(|closed| closed.reason),
        games,
    }))
}

/// Closes the lobby.
pub(super) async fn close_lobby(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    let reason = asked.reason.trim().to_owned();
    let number = enter(call, ("lobby_closed", "lobby"), None, (asked.reason, None)).await?;
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
    let number = enter(call, ("lobby_opened", "lobby"), None, (asked.reason, None)).await?;
    call.services.drain.set(None);
    Ok(call.ok(&Numbered { number }))
}

/// Stores the entry of the audit of an operation on a part of the server. `about` is a part of its name.
async fn enter(
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
    Ok(call.services.people.enter(&call.actor, operation).await?)
}

fn no_effect(text: &str) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, "no_effect", text)
}

/// Lists the notices that wait.
pub(super) fn notices(call: &Call<'_>) -> Response<Body> {
    let notices = call.services.notices.all().into_iter();
    call.ok(&NoticesBody {
        notices: notices.map(Into::into).collect(),
    })
}

/// Sends a notice, now or later.
pub(super) async fn send_notice(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: NoticeOrder = parsed(&call.body)?;
    let now = call.services.people.now();
    let scheduled = scheduled(&asked, now)?;
    if call.services.notices.all().len() >= NOTICES_MOST {
        let text = format!("{NOTICES_MOST} notices wait; cancel one");
        return Err(no_effect(&text));
    }
    let name = ("notice_scheduled", "notices");
    let number = enter(call, name, None, (asked.reason, None)).await?;
    call.services.notices.add(number, scheduled);
    Ok(call.ok(&Numbered { number }))
}

/// Returns the notice that an order asks for.
fn scheduled(asked: &NoticeOrder, now: Timestamp) -> Result<Scheduled, Refusal> {
    let fits = |text: &str, most: usize| (1..=most).contains(&text.chars().count());
    if !fits(&asked.code, NOTICE_MAX_CHARS.0) {
        return Err(wrong("code", "1 to 64 characters"));
    }
    if !fits(&asked.text, NOTICE_MAX_CHARS.1) {
        return Err(wrong("text", "1 to 1000 characters"));
    }
    let next = asked.first.map_or(now, Timestamp);
    let again = match (asked.every_ms.map(Millis), asked.at.map(Timestamp)) {
        (None, _) => None,
        (Some(every), Some(at)) if every >= NOTICE_EVERY_LEAST && next < at => Some((every, at)),
        (Some(every), Some(_)) if every < NOTICE_EVERY_LEAST => {
            return Err(wrong("every_ms", "at least a minute"));
        }
        (Some(_), _) => return Err(wrong("at", "name the event before which it is repeated")),
    };
    if next < now {
        return Err(wrong("first", "a notice is sent now or later"));
    }
    Ok(Scheduled {
        notice: Notice {
            code: asked.code.clone(),
            text: asked.text.clone(),
            at: asked.at,
            until: asked.until,
        },
        next,
        again,
    })
}

/// Cancels a notice that waits.
pub(super) async fn cancel_notice(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    let waiting = number(call.parameter())?;
    let all = call.services.notices.all();
    if all.iter().all(|(other, _)| *other != waiting) {
        return Err(no_effect("no notice with this number waits"));
    }
    let about = Some(waiting.to_string());
    let name = ("notice_cancelled", "notices");
    let number = enter(call, name, about, (asked.reason, None)).await?;
    // It may have been sent meanwhile.
    call.services.notices.remove(waiting);
    Ok(call.ok(&Numbered { number }))
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

/// Lists the games and players of which the log has more.
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
            services.directory.inspect(&game).await?;
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
    Ok(call.ok(&Numbered { number }))
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
    let name = ("settings_reloaded", "settings");
    let number = enter(call, name, None, (asked.reason, None)).await?;
    let settings = Arc::clone(call.services.settings);
    let done = tokio::task::spawn_blocking(move || settings.reload()).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    #[track_caller]
    fn check(change: impl FnOnce(&mut NoticeOrder), is_accepted: bool) {
        let mut asked = NoticeOrder {
            code: "maintenance".to_owned(),
            text: "Back at noon".to_owned(),
            at: None,
            until: None,
            first: None,
            every_ms: None,
            reason: "a new version".to_owned(),
        };
        change(&mut asked);
        assert_eq!(scheduled(&asked, NOW).is_ok(), is_accepted, "{asked:?}");
    }

    #[test]
    fn a_notice_is_repeated_before_its_event_only() {
        check(|_| (), true);
        check(|asked| asked.first = Some(NOW.0 + 1), true);
        check(|asked| asked.first = Some(NOW.0 - 1), false);
        check(|asked| asked.code = String::new(), false);
        check(|asked| asked.text = "x".repeat(1_001), false);
        check(|asked| asked.every_ms = Some(60_000), false);
        let repeated = |every_ms, at| {
            move |asked: &mut NoticeOrder| {
                asked.every_ms = Some(every_ms);
                asked.at = Some(at);
            }
        };
        check(repeated(60_000, NOW.0 + 1), true);
        check(repeated(59_999, NOW.0 + 1), false);
        check(repeated(60_000, NOW.0), false);
    }
}
