//! Rated games: their seeks and members, their setup, and the ratings that they change.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::api;
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::{begun, player, rated_options, rated_seek, seated, turn_each};

/// The cases about rated games.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "rated/members",
        &["P-LOBBY-19", "P-LOBBY-2", "P-AUTH-17"],
        members,
    ),
    Case::of(
        "rated/refused-players",
        &["P-LOBBY-19", "P-ERR-3"],
        refused_players,
    ),
    Case::of(
        "rated/created",
        &["P-LOBBY-19", "P-EVENT-6", "P-LOBBY-12"],
        created,
    ),
    Case::of(
        "rated/casual",
        &["P-LOBBY-19", "P-EVENT-6", "P-LOBBY-10"],
        casual,
    ),
    Case::of("rated/rating", &["P-GAME-12"], rating),
    Case::of("rated/rating-is-not-repeated", &["P-GAME-12"], not_repeated),
];

/// The rating of a player without rated games.
fn new_rating() -> Value {
    json!({ "value": 1_500, "deviation": 350, "provisional": true })
}

/// Checks the rating of a player without rated games; `provisional` may be missing.
fn check_new(rating: &Value) -> Result<()> {
    let mut whole = rating.clone();
    if rating.get("provisional").is_none() {
        whole["provisional"] = json!(true);
    }
    ensure!(whole == new_rating(), "a new player has 1500: {rating}");
    Ok(())
}

fn members(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    ensure!(
        anna.link.welcome["registered"] == true,
        "{}",
        anna.link.welcome
    );
    let seek = rated_seek(&mut anna.link)?;
    ensure!(seek["options"]["rated"] == true, "{seek}");
    let lists = ben.link.ok("lobby_subscribe", json!({}))?;
    let listed = lists["seeks"].as_array().context("seeks")?;
    let listed = listed.iter().find(|known| known["seek"] == seek["seek"]);
    for seek in [Some(&seek), listed] {
        let member = &seek.context("an open seek is listed")?["members"][0];
        ensure!(member["kind"] == "registered", "{member}");
        ensure!(member["name"] == anna.handle.as_str(), "{member}");
        check_new(&member["rating"])?;
    }
    let mut guest = Link::guest(target, "Guest")?;
    let wanted = options(&guest.hello, &json!({ "seats": 3 }))?;
    let opened = guest.ok("seek", json!({ "cmd_id": "o", "options": wanted }))?;
    let join = json!({ "cmd_id": "casual", "seek": opened["seek"]["seek"] });
    let joined = ben.link.ok("join_seek", join)?;
    let kinds = [0, 1].map(|at| joined["seek"]["members"][at]["kind"].clone());
    ensure!(kinds == ["guest", "registered"], "{joined}");
    Ok(())
}

fn refused_players(target: &Target) -> Check {
    let mut ben = player(target)?;
    let mut anna = player(target)?;
    let seek = rated_seek(&mut anna.link)?;
    let refused = |link: &mut Link, op: &str, body: Value, reason: &str| -> Check {
        let error = link.refuses(op, body, "not_rateable")?;
        let told = error["detail"]["reason"].as_str().unwrap_or(reason);
        ensure!(told == reason, "{reason} is to blame: {error}");
        Ok(())
    };
    let mut guest = Link::guest(target, "Guest")?;
    let join = json!({ "cmd_id": "join", "seek": seek["seek"] });
    refused(&mut guest, "join_seek", join.clone(), "guest")?;
    if let Some(bot) = anna.link.hello["bots"][0].as_str() {
        let wanted = rated_options(&anna.link.hello)?;
        let body = json!({ "cmd_id": "bot", "options": wanted, "bots": [bot], "private": true });
        refused(&mut anna.link, "seek", body, "house_bot")?;
    }
    for (change, reason) in [
        (json!({ "seats": 3 }), "not_two_seats"),
        (json!({ "clock": { "kind": "untimed" } }), "untimed"),
        (
            json!({ "clock": { "kind": "sudden_death", "initial_ms": 59_000 } }),
            "too_fast",
        ),
        (
            json!({ "challenge": { "kind": "single", "consent": true } }),
            "consent",
        ),
    ] {
        let mut wanted = rated_options(&anna.link.hello)?;
        for (field, value) in change.as_object().into_iter().flatten() {
            wanted[field] = value.clone();
        }
        let body = json!({ "cmd_id": "options", "options": wanted });
        refused(&mut anna.link, "seek", body, reason)?;
    }
    let wanted = rated_options(&anna.link.hello)?;
    let body = json!({ "cmd_id": "private", "options": wanted, "private": true });
    refused(&mut anna.link, "seek", body, "private")?;
    // None of this changed the seek.
    let joined = ben.link.ok("join_seek", join)?;
    ensure!(joined["game"].is_string(), "{joined}");
    Ok(())
}

fn created(target: &Target) -> Check {
    let (mut pair, _) = seated(target)?;
    pair.catch_up()?;
    let setup = pair.folds[0].setup.clone();
    ensure!(setup["options"]["rated"] == true, "{setup}");
    for seat in setup["seats"].as_array().context("seats")? {
        ensure!(seat["kind"] == "registered", "{seat}");
        check_new(&seat["rating"])?;
    }
    let mine = pair.links[0].ok("list_games", json!({ "scope": "mine" }))?;
    let games = mine["games"].as_array().context("games")?;
    let entry = games
        .iter()
        .find(|entry| entry["game"] == pair.game.as_str());
    let entry = entry.context("an own game is listed")?;
    ensure!(
        entry["options"].is_null() || entry["options"]["rated"] == true,
        "{entry}"
    );
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = zoe.pushed("snapshot")?;
    ensure!(snapshot["setup"] == setup, "the same for all: {snapshot}");
    Ok(())
}

/// A game of registered players that is not rated shows their ratings all the same, and does not change them.
fn casual(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    // Servers that play no rated games know no ratings.
    let rated = rated_seek(&mut anna.link)?;
    let cancel = json!({ "cmd_id": "c", "seek": rated["seek"] });
    anna.link.ok("cancel_seek", cancel)?;
    let wanted = options(
        &anna.link.hello,
        &json!({ "clock": rated["options"]["clock"] }),
    )?;
    let opened = anna
        .link
        .ok("seek", json!({ "cmd_id": "o", "options": wanted }))?;
    let join = json!({ "cmd_id": "j", "seek": opened["seek"]["seek"] });
    let game = ben.link.ok("join_seek", join)?["game"].clone();
    let game = game.as_str().context("a game")?.to_owned();
    let mut pair = Pair::at(target, vec![anna.link, ben.link], &game);
    pair.attach_all()?;
    pair.begin()?;
    let setup = &pair.folds[0].setup;
    ensure!(setup["options"]["rated"] != true, "{setup}");
    for seat in setup["seats"].as_array().context("seats")? {
        ensure!(seat["kind"] == "registered", "{seat}");
        ensure!(seat["rating"]["value"].is_i64(), "a casual game: {seat}");
    }
    // R-SETUP-10: a game that is not rated is called off without a question.
    pair.ok(0, "abort", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(ended["reason"] == "aborted", "{ended}");
    Ok(())
}

/// Waits for the push about a game's rating.
fn pushed_rating(link: &mut Link, game: &str) -> Result<Value> {
    let is_it = |message: &Value| message[0] == "rating" && message[2]["game"] == game;
    Ok(link.push(is_it).context("the rating")?[2].clone())
}

fn rating(target: &Target) -> Check {
    let (mut pair, tokens) = begun(target)?;
    let mut phone = Link::known(target, &tokens[1])?;
    turn_each(&mut pair)?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let game = pair.game.clone();
    let lost = pushed_rating(&mut pair.links[0], &game)?;
    let won = pushed_rating(&mut pair.links[1], &game)?;
    let elsewhere = pushed_rating(&mut phone, &game)?;
    ensure!(
        won == elsewhere,
        "every connection is told the same: {elsewhere}"
    );
    let value = |told: &Value| told["after"]["value"].as_i64().context("a whole number");
    ensure!(
        value(&lost)? < 1_500 && value(&won)? > 1_500,
        "{lost} {won}"
    );
    let pool = won["pool"].as_str().context("a pool")?;
    ensure!(
        pool.starts_with("classic/") && pool.split('/').count() == 3,
        "rule set, family, speed: {pool}"
    );
    for (told, token) in [(&lost, &tokens[0]), (&won, &tokens[1])] {
        ensure!(told["before"] == 1_500 && told["pool"] == pool, "{told}");
        let known = api::get(target, "/players/me/ratings", token)?;
        let known = &known["ratings"][0];
        ensure!(
            known["pool"] == pool && known["rating"] == told["after"]["value"],
            "the API says {known}, the push {told}"
        );
    }
    Ok(())
}

/// The server tells no connection that comes later, and no connection of another player.
fn not_repeated(target: &Target) -> Check {
    let (mut pair, tokens) = begun(target)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    turn_each(&mut pair)?;
    pair.ok(1, "resign", json!({}))?;
    let game = pair.game.clone();
    for link in &mut pair.links {
        pushed_rating(link, &game)?;
    }
    let mut later = Link::known(target, &tokens[0])?;
    later.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    for link in [&mut zoe, &mut later] {
        link.push(|message| message[2]["kind"] == "ended")?;
        link.fence()?;
        let told = link.heard.iter().find(|message| message[0] == "rating");
        ensure!(told.is_none(), "{told:?}");
    }
    Ok(())
}
