//! Rematches: offers, their ends, and the series.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::raw::{CLOSE, Frame};
use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;

/// The cases about rematches.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "rematches/begins",
        &["P-REMATCH-1", "P-REMATCH-4", "P-REMATCH-5", "P-REMATCH-6"],
        begins,
    ),
    Case::of(
        "rematches/refused",
        &["P-REMATCH-1", "P-REMATCH-2", "P-REMATCH-3"],
        refused,
    ),
    Case::of(
        "rematches/declined",
        &["P-REMATCH-3", "P-REMATCH-4"],
        declined,
    ),
    Case::of(
        "rematches/player-comes-back",
        &["P-REMATCH-3", "P-REMATCH-4"],
        comes_back,
    ),
    Case::of("rematches/series", &["P-REMATCH-6"], series),
];

/// A game of guests that has ended: all but the first seat have resigned.
fn over(target: &Target, change: &Value) -> Result<Pair> {
    let mut pair = Pair::start(target, change)?;
    for seat in 1..pair.links.len() {
        pair.ok(seat, "resign", json!({}))?;
    }
    pair.happened("ended")?;
    Ok(pair)
}

/// Offers a rematch or agrees to one; returns the id of the new game.
fn offer(pair: &mut Pair, seat: usize) -> Result<String> {
    let body = pair.body(json!({}));
    let answer = pair.links[seat].ok("offer_rematch", body)?;
    let next = answer["game"].as_str().context("the new game")?;
    Ok(next.to_owned())
}

/// Waits for the next push about the rematch of the game.
fn told(link: &mut Link, game: &str) -> Result<Value> {
    let told = link.push(|message| message[0] == "rematch" && message[2]["game"] == game)?;
    Ok(told[2].clone())
}

/// Waits until all players know which seats agree.
fn all_know(pair: &mut Pair, agreed: &Value) -> Check {
    for link in &mut pair.links {
        let told = told(link, &pair.game)?;
        ensure!(told["agreed"] == *agreed, "{agreed} agree: {told}");
        ensure!(told["expires_at"].is_i64(), "until when: {told}");
        let is_open = told.get("end").is_none() && told.get("next").is_none();
        ensure!(is_open, "the offer is open: {told}");
    }
    Ok(())
}

/// Waits until all players know why the offer ended.
fn all_hear_end(pair: &mut Pair, end: &str, by: usize) -> Check {
    for link in &mut pair.links {
        let told = told(link, &pair.game)?;
        ensure!(told["end"] == end && told["by"] == by, "{end}: {told}");
        ensure!(told.get("agreed").is_none(), "no offer: {told}");
    }
    Ok(())
}

/// Waits until a player hears that the rematch has begun.
fn check_created(link: &mut Link, next: &str, seat: usize) -> Check {
    let created =
        link.push(|message| message[0] == "game_created" && message[2]["game"] == next)?;
    ensure!(created[2]["seat"] == seat, "seat {seat}: {created}");
    Ok(())
}

/// Lets all players agree, and takes them to the new game, which has not begun.
fn agreed(mut pair: Pair) -> Result<Pair> {
    let mut next = String::new();
    for seat in 0..pair.links.len() {
        let named = offer(&mut pair, seat)?;
        ensure!(seat == 0 || named == next, "one rematch: {named}, {next}");
        next = named;
    }
    for (seat, link) in pair.links.iter_mut().enumerate() {
        check_created(link, &next, seat)?;
    }
    let target = pair.target.clone();
    let mut pair = Pair::at(&target, pair.links, &next);
    pair.attach_all()?;
    pair.happened("created")?;
    Ok(pair)
}

fn begins(target: &Target) -> Check {
    let mut pair = over(target, &json!({}))?;
    let old = pair.game.clone();
    let players = pair.folds[0].setup["seats"].clone();
    let mut watcher = Link::guest(target, "Watcher")?;
    watcher.ok("attach", json!({ "game": old }))?;
    let request = pair.body(json!({}));
    let first = pair.links[1].ok("offer_rematch", request.clone())?;
    all_know(&mut pair, &json!([1]))?;
    let next = offer(&mut pair, 0)?;
    ensure!(first["game"] == next.as_str(), "the same game: {first}");
    ensure!(
        pair.links[1].ok("offer_rematch", request)? == first,
        "the first answer"
    );
    for (seat, link) in pair.links.iter_mut().enumerate() {
        check_created(link, &next, seat)?;
        ensure!(told(link, &old)?["next"] == next.as_str(), "players too");
    }
    ensure!(
        told(&mut watcher, &old)?["next"] == next.as_str(),
        "a spectator hears of it"
    );
    let mut pair = Pair::at(target, pair.links, &next);
    pair.attach_all()?;
    pair.begin()?;
    let setup = &pair.folds[0].setup;
    let names = |seats: &Value| {
        let seats = seats.as_array().into_iter().flatten();
        seats
            .map(|seat| seat["identity"].clone())
            .collect::<Vec<_>>()
    };
    ensure!(names(&setup["seats"]) == names(&players), "the same seats");
    let expected = json!({ "first_game": old, "number": 2, "score": [2, 0], "first": 1 });
    ensure!(setup["series"] == expected, "{}", setup["series"]);
    ensure!(pair.turn()? == (1, 1), "the start has passed on");
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    pair.refuses(0, "offer_rematch", json!({}), "not_over")?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    pair.refuses(1, "decline_rematch", json!({}), "no_rematch")?;
    let mut stranger = Link::guest(target, "Stranger")?;
    let body = json!({ "game": pair.game, "cmd_id": "stranger" });
    stranger.refuses("offer_rematch", body, "not_a_player")?;
    offer(&mut pair, 0)?;
    let body = json!({ "game": pair.game, "cmd_id": "stranger-2" });
    stranger.refuses("decline_rematch", body, "no_rematch")?;
    pair.refuses(0, "offer_rematch", json!({}), "already_joined")?;
    let unknown = json!({ "game": "nothing-like-this", "cmd_id": "unknown" });
    pair.links[0].refuses("offer_rematch", unknown, "unknown_game")?;
    offer(&mut pair, 1)?;
    for seat in 0..2 {
        pair.refuses(seat, "offer_rematch", json!({}), "rematch_begun")?;
        pair.refuses(seat, "decline_rematch", json!({}), "no_rematch")?;
    }
    Ok(())
}

fn declined(target: &Target) -> Check {
    let mut pair = over(target, &json!({}))?;
    for (end, by) in [("declined", 1), ("withdrawn", 0)] {
        offer(&mut pair, 0)?;
        all_know(&mut pair, &json!([0]))?;
        let body = pair.body(json!({}));
        let answer = pair.links[by].ok("decline_rematch", body)?;
        ensure!(answer == json!({}), "no field: {answer}");
        all_hear_end(&mut pair, end, by)?;
    }
    // The player who declined can still offer one.
    offer(&mut pair, 1)?;
    all_know(&mut pair, &json!([1]))
}

fn comes_back(target: &Target) -> Check {
    let mut pair = over(target, &json!({}))?;
    offer(&mut pair, 0)?;
    all_know(&mut pair, &json!([0]))?;
    let mut again = Link::known(target, &pair.links[1].token())?;
    let told = told(&mut again, &pair.game)?;
    ensure!(told["agreed"] == json!([0]), "told again: {told}");
    let lists = again.ok("lobby_subscribe", json!({}))?;
    let seeks = lists["seeks"].as_array().context("seeks")?;
    let owner = pair.links[0].identity();
    let is_listed = seeks.iter().any(|seek| seek["owner"] == owner);
    ensure!(!is_listed, "no list has the offer: {seeks:?}");
    let mut owner = pair.links.remove(0);
    owner.raw.send(&Frame::whole(CLOSE, ""));
    owner.ended(target.patience)?;
    all_hear_end(&mut pair, "withdrawn", 0)
}

fn series(target: &Target) -> Check {
    let pair = over(target, &json!({ "seats": 3 }))?;
    let first = pair.game.clone();
    let mut pair = agreed(pair)?;
    let second = json!({ "first_game": first, "number": 2, "score": [2, 0, 0], "first": 1 });
    ensure!(pair.folds[2].setup["series"] == second);
    pair.begin()?;
    ensure!(pair.turn()?.0 == 1, "seat 1 begins");
    pair.ok(0, "abort", json!({}))?;
    pair.happened("ended")?;
    let mut pair = agreed(pair)?;
    ensure!(
        pair.folds[0].setup["series"] == second,
        "an aborted game does not count: {}",
        pair.folds[0].setup["series"]
    );
    pair.begin()?;
    ensure!(pair.turn()?.0 == 1, "seat 1 begins again");
    Ok(())
}
