//! The lists of games, and games against house bots in them.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::{Pair, options};

/// The cases about lists of games.
pub const CASES: &[Case<Target>] = &[
    Case::of("lobby/left-games", &["P-LOBBY-6"], left_games),
    Case::of("lobby/house-bots", &["P-GAME-8"], house_bots),
    Case::of("lobby/list-games", &["P-LOBBY-1"], list_games),
    Case::of("lobby/finished-games", &["P-LOBBY-17"], finished_games),
];

/// Begins a public game against a house bot, and returns its id.
fn begin_bot_game(link: &mut Link) -> Result<String> {
    let Some(bot) = link.hello["bots"]
        .as_array()
        .and_then(|bots| bots.first().cloned())
    else {
        return super::super::skip("the server has no house bots");
    };
    let wanted = options(&link.hello, &json!({}))?;
    let opened = link.ok(
        "seek",
        json!({ "cmd_id": "o", "options": wanted, "bots": [bot] }),
    )?;
    let game = opened["game"]
        .as_str()
        .context("the bot takes the seat at once")?
        .to_owned();
    link.ok("attach", json!({ "game": game, "seq": 0 }))?;
    let ready = link.push(|message| message[2]["kind"] == "seat_ready")?;
    ensure!(ready[2]["seat"] == 1, "the bot is ready at once: {ready}");
    let created = link
        .heard
        .iter()
        .find(|message| message[2]["kind"] == "created");
    let seats = &created.context("created")?[2]["setup"]["seats"];
    ensure!(seats[1]["bot"] == true, "{seats}");
    link.ok("ready", json!({ "game": game, "cmd_id": "here" }))?;
    Ok(game)
}

fn house_bots(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let game = begin_bot_game(&mut link)?;
    link.push(|message| message[2]["kind"] == "turn_started")?;
    link.ok("resign", json!({ "game": game, "cmd_id": "r" }))?;
    Ok(())
}

/// A game against a house bot leaves the list with its player, and comes back with the player.
fn left_games(target: &Target) -> Check {
    let mut zoe = Link::guest(target, "Zoe")?;
    let mut anna = Link::guest(target, "Anna")?;
    let game = begin_bot_game(&mut anna)?;
    zoe.ok("lobby_subscribe", json!({}))?;
    anna.push(|message| message[2]["kind"] == "turn_started")?;
    let is_told = |change: &'static str| {
        let game = game.clone();
        move |message: &Value| {
            message[0] == "lobby"
                && message[2]["change"] == change
                && message[2]["game"]["game"] == game
        }
    };
    let token = anna.token();
    drop(anna);
    zoe.push(is_told("game_removed"))?;
    let listed = zoe.ok("list_games", json!({ "scope": "live" }))?;
    let games = listed["games"].as_array().context("games")?;
    ensure!(games.iter().all(|other| other["game"] != game), "{games:?}");
    let mut anna = Link::known(target, &token)?;
    zoe.push(is_told("game_changed"))?;
    anna.ok("resign", json!({ "game": game, "cmd_id": "r" }))?;
    Ok(())
}

fn finished_games(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let game = pair.game.clone();
    let finished = json!({ "scope": "finished" });
    let none = pair.links[0].ok("list_games", finished.clone())?;
    ensure!(none["games"] == json!([]), "an unfinished game: {none}");
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let mut zoe = Link::guest(target, "Zoe")?;
    ensure!(zoe.ok("list_games", finished.clone())?["games"] == json!([]));
    for link in &mut pair.links {
        let listed = link.ok("list_games", finished.clone())?;
        let entry = &listed["games"][0];
        ensure!(entry["game"] == game.as_str(), "{listed}");
        ensure!(
            entry["phase"] == "ended" && entry["ended_at"].is_i64(),
            "{entry}"
        );
        let ranks = [&entry["seats"][0]["rank"], &entry["seats"][1]["rank"]];
        ensure!(ranks == [&json!(2), &json!(1)], "{entry}");
        let before = json!({ "scope": "finished", "before": game });
        let older = link.ok("list_games", before)?;
        ensure!(older["games"] == json!([]), "{older}");
    }
    Ok(())
}

fn list_games(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let game = pair.game.clone();
    let mut zoe = Link::guest(target, "Zoe")?;
    let has = |lists: &Value| -> Result<bool> {
        let games = lists["games"].as_array().context("games")?;
        Ok(games.iter().any(|other| other["game"] == game.as_str()))
    };
    ensure!(has(
        &pair.links[0].ok("list_games", json!({ "scope": "mine" }))?
    )?);
    target.shows(|| {
        let live = zoe.ok("list_games", json!({ "scope": "live" }))?;
        // P-LOBBY-6: a long list can be cut short.
        let listed = live["games"].as_array().map_or(0, Vec::len);
        ensure!(
            has(&live)? || listed >= 100,
            "a game is missing from a list of {listed}"
        );
        Ok(())
    })?;
    ensure!(!has(&zoe.ok("list_games", json!({ "scope": "mine" }))?)?);
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    ensure!(!has(
        &pair.links[0].ok("list_games", json!({ "scope": "mine" }))?
    )?);
    Ok(())
}
