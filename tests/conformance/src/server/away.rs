//! Changes of a seek while one of its members is disconnected.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::raw::{CLOSE, Frame};
use super::super::{Case, Check, Target};
use super::lobby::own_options;
use crate::link::Link;
use crate::pair::options;

/// The cases about seeks and their members' absence.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "away/seek-still-open",
        &["P-LOBBY-13", "P-LOBBY-14"],
        still_open,
    ),
    Case::of(
        "away/game-has-begun",
        &["P-LOBBY-12", "P-LOBBY-13", "P-LOBBY-14"],
        has_begun,
    ),
    Case::of("away/owner-has-left", &["P-LOBBY-4"], owner_has_left),
    Case::of(
        "away/quick-matches-meet",
        &["P-LOBBY-20"],
        quick_matches_meet,
    ),
];

/// A server that is not busy notices within this time that a connection has broken.
const NOTICED_WITHIN: Duration = Duration::from_millis(500);

/// A private seek of a client that disconnects immediately; returns the request, its first answer and the token.
fn left_alone(target: &Target) -> Result<(Value, Value, String)> {
    let mut anna = Link::guest(target, "Anna")?;
    // A seek for a correspondence game stays open while its owner is disconnected.
    let clock = json!({ "kind": "per_move", "limit_ms": 3_600_000 });
    let options = options(&anna.hello, &json!({ "clock": clock }))?;
    let request = json!({ "cmd_id": "open", "private": true, "options": options });
    let first = anna.ok("seek", request.clone())?;
    Ok((request, first, anna.token()))
}

fn still_open(target: &Target) -> Check {
    let (request, first, token) = left_alone(target)?;
    let (id, code) = (&first["seek"]["seek"], &first["seek"]["code"]);
    let mut anna = Link::known(target, &token)?;
    ensure!(anna.ok("seek", request)? == first, "the first answer");
    let lists = anna.ok("lobby_subscribe", json!({}))?;
    let seeks = lists["seeks"].as_array().context("seeks")?;
    match seeks.iter().find(|seek| seek["seek"] == *id) {
        Some(own) => ensure!(own["code"] == *code, "{own}"),
        // P-LOBBY-6: a long list can be cut short.
        None => ensure!(seeks.len() >= 100, "{id} is missing from {seeks:?}"),
    }
    let join = |cmd: &str| json!({ "cmd_id": cmd, "code": code });
    anna.refuses("join_seek", join("still-open"), "already_joined")?;
    anna.ok("cancel_seek", json!({ "cmd_id": "close", "seek": id }))?;
    anna.refuses("join_seek", join("and-now"), "wrong_code")?;
    Ok(())
}

fn has_begun(target: &Target) -> Check {
    let (request, first, token) = left_alone(target)?;
    let mut ben = Link::guest(target, "Ben")?;
    let join = json!({ "cmd_id": "join", "code": first["seek"]["code"] });
    let game = ben.ok("join_seek", join)?["game"].clone();
    ensure!(game.is_string(), "the last seat is taken: {game}");

    let mut anna = Link::known(target, &token)?;
    let games = anna.welcome["games"].as_array().context("games")?.clone();
    let summary = games.iter().find(|other| other["game"] == game);
    let summary = summary.context("the game is in `welcome`")?;
    for field in [
        "rule_set", "lexicon", "seats", "phase", "turn_no", "watching", "private",
    ] {
        ensure!(summary.get(field).is_some(), "{field} of {summary}");
    }
    ensure!(summary["private"] == true, "{summary}");
    let names: Vec<&Value> = summary["seats"]
        .as_array()
        .context("seats")?
        .iter()
        .map(|seat| &seat["name"])
        .collect();
    ensure!(names == ["Anna", "Ben"], "{names:?}");
    ensure!(anna.ok("seek", request)? == first, "the first answer");
    let lists = anna.ok("lobby_subscribe", json!({}))?;
    let seeks = lists["seeks"].as_array().context("seeks")?;
    let id = &first["seek"]["seek"];
    ensure!(
        seeks.iter().all(|seek| seek["seek"] != *id),
        "it is no seek any more"
    );
    Ok(())
}

fn offered(link: &mut Link, cmd_id: &str, change: &Value) -> Result<Value> {
    let options = options(&link.hello, change)?;
    let body = json!({ "cmd_id": cmd_id, "options": options });
    Ok(link.ok("seek", body)?["seek"].clone())
}

/// The server matches nobody with a player who has left. A seek for a correspondence game stays open.
fn owner_has_left(target: &Target) -> Check {
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("lobby_subscribe", json!({}))?;
    let mut anna = Link::guest(target, "Anna")?;
    let live = json!({ "kind": "increment", "initial_ms": 61_000 });
    let live = offered(&mut anna, "live", &json!({ "clock": live }))?;
    let slow = json!({ "kind": "per_move", "limit_ms": 3_600_000 });
    let slow = offered(&mut anna, "slow", &json!({ "clock": slow }))?;
    anna.raw.send(&Frame::whole(CLOSE, ""));
    anna.ended(target.patience)?;
    zoe.push(|message| message[2]["seek_id"] == live["seek"])?;
    let join = |seek: &Value| json!({ "cmd_id": seek["seek"], "seek": seek["seek"] });
    zoe.refuses("join_seek", join(&live), "unknown_seek")?;
    let joined = zoe.ok("join_seek", join(&slow))?;
    ensure!(joined["game"].is_string(), "{joined}");
    let mut ben = Link::guest(target, "Ben")?;
    let lost = offered(&mut ben, "lost", &json!({}))?;
    drop(ben);
    std::thread::sleep(NOTICED_WITHIN);
    let error = zoe.refused("join_seek", join(&lost))?;
    let codes = ["owner_away", "unknown_seek"];
    ensure!(codes.iter().any(|code| error["code"] == *code), "{error}");
    Ok(())
}

/// Two clients look for the same game, the second while the first has no connection.
fn quick_matches_meet(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let options = own_options(&anna)?;
    let quick = json!({ "cmd_id": "quick", "options": options });
    let token = anna.token();
    let older = anna.ok("quick_match", quick.clone())?["seek"].clone();
    // As a page that is reloaded: the seek stays for a while.
    anna.raw.send(&Frame::close(1001, ""));
    anna.ended(target.patience)?;
    let mut ben = Link::guest(target, "Ben")?;
    let answer = ben.ok("quick_match", quick)?;
    let newer = answer["seek"].clone();
    ensure!(newer["seek"] != older["seek"], "Anna is away: {answer}");
    let mut anna = Link::known(target, &token)?;
    let annas = anna.pushed("game_created")?;
    let bens = ben.pushed("game_created")?;
    ensure!(annas["seek"] == older["seek"], "{annas}");
    ensure!(bens["seek"] == newer["seek"], "{bens}");
    ensure!(annas["game"] == bens["game"], "{annas} and {bens}");
    ensure!(
        annas["seat"] == 0 && bens["seat"] == 1,
        "{annas} and {bens}"
    );
    Ok(())
}
