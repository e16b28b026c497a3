//! Seeks for certain players, excluded players, and the rating range of a quick match.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use super::lobby::own_options;
use super::relations::relate;
use crate::link::Link;
use crate::registered::{Player, new_handle, player, rated_options};

/// The cases about criteria.
pub const CASES: &[Case<Target>] = &[
    Case::of("criteria/admitted", &["P-CRIT-1", "P-CRIT-2"], admitted),
    Case::of("criteria/by-code", &["P-CRIT-2"], by_code),
    Case::of("criteria/at-the-start", &["P-CRIT-2"], at_the_start),
    Case::of(
        "criteria/quick-match",
        &["P-CRIT-2", "P-LOBBY-20"],
        quick_match,
    ),
    Case::of("criteria/excluded", &["P-CRIT-3"], excluded),
    Case::of("criteria/unseen", &["P-CRIT-3"], unseen),
    Case::of("criteria/refused", &["P-CRIT-4"], refused),
    Case::of("criteria/range", &["P-CRIT-5", "P-CRIT-6"], range),
];

/// Opens a seek with criteria; returns it as its owner sees it.
fn open(link: &mut Link, cmd_id: &str, options: &Value, criteria: &Value) -> Result<Value> {
    let body = json!({ "cmd_id": cmd_id, "options": options, "criteria": criteria });
    Ok(link.ok("seek", body)?["seek"].clone())
}

fn join(seek: &Value, cmd_id: &str) -> Value {
    json!({ "cmd_id": cmd_id, "seek": seek["seek"] })
}

/// Asks to join, and is refused for a reason.
fn unfit(link: &mut Link, body: Value, reason: &str) -> Check {
    let error = link.refuses("join_seek", body, "not_eligible")?;
    ensure!(error["detail"]["reason"] == reason, "{reason}: {error}");
    Ok(())
}

/// A new player has 1500 points, provisional; nobody follows it.
fn admitted(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let mut guest = Link::guest(target, "Guest")?;
    let options = own_options(&anna.link)?;
    for (number, (criteria, reason, guests)) in [
        (json!({ "registered": true }), None, "guest"),
        (
            json!({ "min_rating": 1_500, "max_rating": 1_500 }),
            None,
            "guest",
        ),
        (json!({ "min_rating": 1_501 }), Some("rating"), "guest"),
        (json!({ "max_rating": 1_499 }), Some("rating"), "guest"),
        (json!({ "established": true }), Some("provisional"), "guest"),
        (
            json!({ "followed": true }),
            Some("not_followed"),
            "not_followed",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let cmd = |what: &str| format!("{what}-{number}");
        let seek = open(&mut anna.link, &cmd("open"), &options, &criteria)?;
        ensure!(seek["criteria"] == criteria, "{criteria} is shown: {seek}");
        unfit(&mut guest, join(&seek, &cmd("guest")), guests)?;
        if let Some(reason) = reason {
            unfit(&mut ben.link, join(&seek, &cmd("ben")), reason)?;
            anna.link.ok("cancel_seek", join(&seek, &cmd("close")))?;
        } else {
            let joined = ben.link.ok("join_seek", join(&seek, &cmd("ben")))?;
            ensure!(joined["game"].is_string(), "{joined}");
        }
    }
    relate(target, &anna, "PUT /following", &ben)?;
    let followed = json!({ "followed": true });
    let seek = open(&mut anna.link, "friends", &options, &followed)?;
    let joined = ben.link.ok("join_seek", join(&seek, "friends"))?;
    ensure!(joined["game"].is_string(), "{joined}");
    Ok(())
}

fn by_code(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let mut guest = Link::guest(target, "Guest")?;
    let options = own_options(&anna.link)?;
    let body = json!({
        "cmd_id": "open", "options": options, "private": true, "criteria": { "registered": true },
    });
    let code = anna.link.ok("seek", body)?["seek"]["code"].clone();
    let join = json!({ "cmd_id": "join", "code": code });
    unfit(&mut guest, join.clone(), "guest")?;
    let joined = ben.link.ok("join_seek", join)?;
    ensure!(joined["game"].is_string(), "{joined}");
    Ok(())
}

/// A member whom the owner does not follow any more loses its place when the owner starts the seek.
fn at_the_start(target: &Target) -> Check {
    let (mut anna, mut ben, mut cleo) = (player(target)?, player(target)?, player(target)?);
    for other in [&ben, &cleo] {
        relate(target, &anna, "PUT /following", other)?;
    }
    let mut options = own_options(&anna.link)?;
    options["seats"] = json!(4);
    let followed = json!({ "followed": true });
    let seek = open(&mut anna.link, "open", &options, &followed)?;
    for player in [&mut ben, &mut cleo] {
        player.link.ok("join_seek", join(&seek, "join"))?;
    }
    relate(target, &anna, "DELETE /following", &ben)?;
    let begun = anna.link.ok("start_seek", join(&seek, "start"))?;
    let members = begun["seek"]["members"].as_array().context("members")?;
    let members: Vec<&Value> = members.iter().map(|person| &person["identity"]).collect();
    ensure!(
        members == [anna.link.identity(), cleo.link.identity()],
        "{begun}"
    );
    let gone = ben
        .link
        .push(|message| message[0] == "lobby" && message[2]["seek_id"] == seek["seek"])?;
    ensure!(gone[2]["change"] == "seek_removed", "{gone}");
    let created = cleo.link.pushed("game_created")?;
    ensure!(created["seat"] == 1, "{created}");
    Ok(())
}

/// A quick match passes over a seek that does not admit it, until the seek does.
fn quick_match(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let options = own_options(&anna.link)?;
    let followed = json!({ "followed": true });
    let older = open(&mut anna.link, "open", &options, &followed)?;
    let quick = json!({ "cmd_id": "quick", "options": options });
    let newer = ben.link.ok("quick_match", quick)?;
    ensure!(
        newer["seek"]["seek"] != older["seek"] && newer.get("game").is_none(),
        "{newer}"
    );
    relate(target, &anna, "PUT /following", &ben)?;
    let (annas, bens) = (
        anna.link.pushed("game_created")?,
        ben.link.pushed("game_created")?,
    );
    ensure!(annas["game"] == bens["game"], "{annas} and {bens}");
    ensure!(annas["seek"] == older["seek"], "{annas}");
    ensure!(bens["seek"] == newer["seek"]["seek"], "{bens}");
    Ok(())
}

/// To an excluded player every answer is that of a seek that is gone.
fn excluded(target: &Target) -> Check {
    let (mut anna, mut ben, mut cleo) = (player(target)?, player(target)?, player(target)?);
    let options = own_options(&anna.link)?;
    let exclude = json!({ "exclude": [ben.handle.to_uppercase()] });
    let seek = open(&mut anna.link, "open", &options, &exclude)?;
    ensure!(
        seek["criteria"] == json!({ "exclude": [ben.handle] }),
        "the owner sees the handle: {seek}"
    );
    for op in ["join_seek", "leave_seek", "cancel_seek", "start_seek"] {
        let refused = ben.link.refused(op, join(&seek, &format!("a-{op}")))?;
        let none = json!({ "seek": "none" });
        let absent = ben.link.refused(op, join(&none, &format!("b-{op}")))?;
        ensure!(refused == absent, "{op}: {refused} and {absent} differ");
        ensure!(refused["code"] == "unknown_seek", "{op}: {refused}");
    }
    let private = json!({
        "cmd_id": "private", "private": true, "options": options, "criteria": exclude,
    });
    let code = anna.link.ok("seek", private)?["seek"]["code"].clone();
    let by_code = |code: &Value, cmd: &str| json!({ "cmd_id": cmd, "code": code });
    let refused = ben.link.refused("join_seek", by_code(&code, "c"))?;
    let absent = ben
        .link
        .refused("join_seek", by_code(&json!("WRONG"), "d"))?;
    ensure!(refused == absent, "{refused} and {absent} differ");
    let quick = json!({ "cmd_id": "quick", "options": options });
    let own = ben.link.ok("quick_match", quick)?;
    ensure!(own["seek"]["seek"] != seek["seek"], "{own}");
    let joined = cleo.link.ok("join_seek", join(&seek, "join"))?;
    ensure!(
        joined["game"].is_string() && joined["seek"].get("criteria").is_none(),
        "cleo does not see who is excluded: {joined}"
    );
    Ok(())
}

/// Lists and pushes do not have the seek for an excluded player, and nobody but the owner sees the exclusion.
fn unseen(target: &Target) -> Check {
    let (mut anna, mut ben, mut cleo) = (player(target)?, player(target)?, player(target)?);
    for player in [&mut ben, &mut cleo] {
        player.link.ok("lobby_subscribe", json!({}))?;
    }
    let options = own_options(&anna.link)?;
    let criteria = json!({ "registered": true, "exclude": [ben.handle] });
    let seek = open(&mut anna.link, "open", &options, &criteria)?;
    let id = seek["seek"].clone();
    let shows = |message: &Value| message[0] == "lobby" && message[2]["seek"]["seek"] == id;
    let pushed = cleo.link.push(shows)?;
    let others = json!({ "registered": true });
    ensure!(pushed[2]["seek"]["criteria"] == others, "{pushed}");
    let listed = |player: &mut Player| -> Result<Option<Value>> {
        let lists = player.link.ok("lobby_subscribe", json!({}))?;
        let seeks = lists["seeks"].as_array().context("seeks")?;
        Ok(seeks.iter().find(|open| open["seek"] == id).cloned())
    };
    let to_cleo = listed(&mut cleo)?.context("a public seek")?;
    ensure!(to_cleo["criteria"] == others, "{to_cleo}");
    let to_anna = listed(&mut anna)?.context("her own seek")?;
    ensure!(to_anna["criteria"] == criteria, "{to_anna}");
    let to_ben = listed(&mut ben)?;
    ensure!(
        to_ben.is_none(),
        "the list of an excluded player: {to_ben:?}"
    );
    anna.link.ok("cancel_seek", join(&seek, "close"))?;
    let is_gone = |message: &Value| message[0] == "lobby" && message[2]["seek_id"] == id;
    cleo.link.push(is_gone)?;
    ben.link.fence()?;
    let mut heard = ben.link.heard.iter();
    let told = heard.find(|message| shows(message) || is_gone(message));
    ensure!(told.is_none(), "an excluded player hears {told:?}");
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut anna = player(target)?;
    let mut guest = Link::guest(target, "Guest")?;
    let options = own_options(&anna.link)?;
    let body = |cmd_id: &str, criteria: Value| json!({ "cmd_id": cmd_id, "options": options, "criteria": criteria });
    let handle = anna.handle.clone();
    for (cmd_id, criteria) in [
        ("guest-1", json!({ "followed": true })),
        ("guest-2", json!({ "exclude": [handle] })),
        ("guest-3", json!({ "exclude": [new_handle()] })),
    ] {
        guest.refuses("seek", body(cmd_id, criteria), "not_registered")?;
    }
    let other = player(target)?.handle;
    let unknown = json!({ "exclude": [other, new_handle()] });
    let unknown = body("unknown", unknown);
    let error = anna.link.refuses("seek", unknown, "unknown_player")?;
    let field = &error["detail"]["field"];
    ensure!(field == "criteria.exclude[1]", "{error}");
    for (cmd_id, criteria, code) in [
        ("own", json!({ "exclude": [handle] }), "yourself"),
        (
            "six",
            json!({ "exclude": vec![handle.as_str(); 6] }),
            "too_large",
        ),
        (
            "bounds",
            json!({ "min_rating": 1_501, "max_rating": 1_500 }),
            "bad_options",
        ),
    ] {
        anna.link.refuses("seek", body(cmd_id, criteria), code)?;
    }
    let mut untimed = body("untimed", json!({ "established": true }));
    untimed["options"]["clock"] = json!({ "kind": "untimed" });
    anna.link.refuses("seek", untimed, "bad_options")?;
    Ok(())
}

/// A rated quick match has a range, in which two new players are.
fn range(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let mut options = rated_options(&anna.link.hello)?;
    // Of their own, so that no other case meets them.
    options["clock"] = own_options(&anna.link)?["clock"].clone();
    let quick = |cmd_id: &str, options: &Value, any: bool| json!({ "cmd_id": cmd_id, "options": options, "any_rating": any });
    let mut casual = options.clone();
    casual["rated"] = json!(false);
    let without = anna
        .link
        .ok("quick_match", quick("casual", &casual, true))?;
    ensure!(without["seek"].get("range").is_none(), "{without}");
    anna.link
        .ok("cancel_seek", join(&without["seek"], "close-1"))?;
    for (number, any) in [(1, false), (2, true)] {
        let cmd = |what: &str| format!("{what}-{number}");
        let open = anna
            .link
            .ok("quick_match", quick(&cmd("a"), &options, any))?;
        let range = &open["seek"]["range"];
        let figure = |field: &str| range[field].as_i64();
        ensure!(
            figure("start").is_some_and(|start| start >= 0)
                && figure("step") > Some(0)
                && figure("every_ms") > Some(0)
                && figure("most") >= figure("start"),
            "a range: {open}"
        );
        ensure!(range["any"].as_bool().unwrap_or_default() == any, "{open}");
        let met = ben
            .link
            .ok("quick_match", quick(&cmd("b"), &options, false))?;
        ensure!(
            met["game"].is_string() && met["seek"]["seek"] == open["seek"]["seek"],
            "both have 1500 points: {met}"
        );
    }
    Ok(())
}
