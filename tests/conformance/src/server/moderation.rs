//! Reports of players, over HTTP. What moderators do needs a role, which only an operator can give.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::api::{self, refuses};
use crate::link::Link;
use crate::pair::Pair;
use crate::registered::{Player, new_handle, player, register};

/// The cases about moderation.
pub const CASES: &[Case<Target>] = &[
    Case::of("moderation/report", &["H-MOD-1"], report),
    Case::of("moderation/reported-line", &["H-MOD-1"], reported_line),
    Case::of("moderation/refusals", &["H-MOD-1"], refusals),
    Case::of("moderation/too-many", &["H-MOD-2"], too_many),
    Case::of("moderation/forbidden", &["H-MOD-3"], forbidden),
];

/// Reports of a player in a day (H-MOD-2).
const REPORTS_MOST: usize = 10;

fn send(target: &Target, player: &Player, body: &Value) -> Result<Value> {
    api::ok(target, "POST /reports", Some(&player.token), body)
}

#[track_caller]
fn refused(target: &Target, token: &str, body: &Value, status: u16, code: &str) -> Result<Value> {
    refuses(target, ("POST /reports", Some(token), body), status, code)
}

fn report(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let mut last = 0;
    for reason in ["abuse", "cheating", "stalling", "name", "other"] {
        let body = json!({ "player": ben.handle, "reason": reason, "words": "look at this" });
        let filed = send(target, &anna, &body)?;
        let number = filed["number"].as_u64().unwrap_or_default();
        ensure!(number > last, "numbers grow: {filed} after {last}");
        last = number;
    }
    // An identity names the player too.
    let body = json!({ "player": ben.link.identity(), "reason": "other" });
    send(target, &anna, &body)?;
    Ok(())
}

/// The line must be one of the reported player, in a room that the reporter can read.
fn reported_line(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let has_chat = pair.links[0].hello["chat"].is_array();
    if !has_chat {
        return skip("not offered: the server has no chat rooms");
    }
    let mut room = String::new();
    for (link, text) in pair.links.iter_mut().zip(["hello", "go away"]) {
        let join = json!({ "kind": "players", "game": pair.game });
        let joined = link.ok("chat_join", join)?;
        room = joined["chat"]["room"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let say = json!({ "room": room, "cmd_id": "one", "text": text });
        link.ok("chat_say", say)?;
    }
    let of = |identity: &str, line: u64| json!({ "player": identity, "reason": "abuse", "room": room, "line": line });
    let (reporter, eve) = (pair.links[0].identity(), pair.links[1].identity());
    let token = pair.links[0].token();
    let handle = new_handle();
    let session = register(target, &token, &handle)?;
    let token = session["token"].as_str().context("a token")?.to_owned();
    for (identity, line) in [(eve, 1), (eve, 3)] {
        refused(target, &token, &of(identity, line), 404, "unknown_line")?;
    }
    refused(target, &token, &of(reporter, 1), 409, "yourself")?;
    api::ok(target, "POST /reports", Some(&token), &of(eve, 2))?;
    // Nobody else can read the room, or learn what is in it.
    let stranger = player(target)?;
    refused(target, &stranger.token, &of(eve, 2), 404, "unknown_line")?;
    Ok(())
}

fn refusals(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let body = |player: &str| json!({ "player": player, "reason": "abuse" });
    refused(target, &anna.token, &body(&anna.handle), 409, "yourself")?;
    refused(
        target,
        &anna.token,
        &body(&new_handle()),
        404,
        "unknown_player",
    )?;
    let guest = Link::guest(target, "Newcomer")?.token();
    refused(target, &guest, &body(&ben.handle), 403, "not_registered")?;
    let mut long = body(&ben.handle);
    long["words"] = "x".repeat(501).into();
    refused(target, &anna.token, &long, 400, "bad_words")?;
    for (field, value) in [
        ("reason", json!("boring")),
        ("room", json!("lobby")),
        ("line", json!(1)),
    ] {
        let mut wrong = body(&ben.handle);
        wrong[field] = value;
        refused(target, &anna.token, &wrong, 400, "bad_field")?;
    }
    Ok(())
}

fn too_many(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let body = json!({ "player": ben.handle, "reason": "other" });
    for _ in 0..REPORTS_MOST {
        send(target, &anna, &body)?;
    }
    let error = refused(target, &anna.token, &body, 429, "too_many_reports")?;
    let until = error["detail"]["until"].as_i64();
    ensure!(until.is_some_and(|until| until > 0), "{error}");
    // Others can still report.
    send(
        target,
        &ben,
        &json!({ "player": anna.handle, "reason": "other" }),
    )?;
    Ok(())
}

/// Without a role a player reads no report and does nothing about others.
fn forbidden(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let token = Some(anna.token.as_str());
    let mute = json!({ "action": "mute", "player": ben.handle, "reason": "spam" });
    let undo = json!({ "reason": "a mistake" });
    let history = format!("GET /moderation/players/{}", ben.handle);
    for (request, body) in [
        ("GET /moderation/reports", &Value::Null),
        ("GET /moderation/reports/1", &Value::Null),
        ("GET /moderation/audit", &Value::Null),
        (history.as_str(), &Value::Null),
        ("POST /moderation/actions", &mute),
        ("POST /moderation/actions/1/undo", &undo),
    ] {
        refuses(target, (request, token, body), 403, "forbidden")?;
    }
    Ok(())
}
