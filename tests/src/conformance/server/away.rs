//! Changes of a seek while one of its members is disconnected.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::conformance::link::Link;
use crate::conformance::pair::options;

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
];

/// A private seek of a client that disconnects immediately; returns the request, its first answer and the token.
fn left_alone(target: &Target) -> Result<(Value, Value, String)> {
    let mut anna = Link::guest(target, "Anna")?;
    let options = options(&anna.hello, &json!({}))?;
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
