//! Follows and blocks over HTTP, and their effect in the lobby: blocks keep players apart.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use super::lobby::own_options;
use crate::api::{self, refuses};
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::{Player, new_handle, player};

/// The cases about relations between players.
pub const CASES: &[Case<Target>] = &[
    Case::of("relations/friends", &["H-REL-1", "H-REL-2"], friends),
    Case::of("relations/refusals", &["H-REL-1"], refusals),
    Case::of("relations/guests", &["H-REL-1", "H-REL-2"], guests),
    Case::of("relations/presence", &["H-REL-3"], presence),
    Case::of("relations/block", &["H-REL-4"], block),
    Case::of("relations/blocked-unseen", &["H-REL-5"], blocked_unseen),
    Case::of("relations/seeks", &["P-LOBBY-21"], seeks),
    Case::of("relations/hidden-seeks", &["P-LOBBY-21"], hidden_seeks),
    Case::of("relations/quick-match", &["P-LOBBY-21"], quick_match),
];

/// Sends a request such as `PUT following` about another player, which must succeed.
pub(super) fn relate(target: &Target, player: &Player, act: &str, other: &Player) -> Result<()> {
    let answer = api::ask(
        target,
        &format!("{act}/{}", other.handle),
        Some(&player.token),
        &Value::Null,
    )?;
    let status = answer.head.status;
    ensure!(
        status == 204 && answer.body.is_empty(),
        "{act}: answered {status}"
    );
    Ok(())
}

fn lists(target: &Target, player: &Player) -> Result<Value> {
    api::get(target, "/relations", &player.token)
}

/// The entry of a player in a list, if there is one.
fn entry(lists: &Value, list: &str, other: &Player) -> Result<Option<Value>> {
    let entries = lists[list].as_array().with_context(|| list.to_owned())?;
    let found = entries.iter().find(|one| one["handle"] == other.handle);
    Ok(found.cloned())
}

/// Returns a player's view of another one in the lists and in its profile.
fn seen(target: &Target, player: &Player, other: &Player) -> Result<[bool; 3]> {
    let lists = lists(target, player)?;
    let followed = entry(&lists, "followed", other)?;
    let is_friend = followed.as_ref().is_some_and(|one| one["friend"] == true);
    let is_blocked = entry(&lists, "blocked", other)?.is_some();
    let listed = [followed.is_some(), is_friend, is_blocked];
    let profile = api::get(target, &format!("/players/{}", other.handle), &player.token)?;
    let shown = ["followed", "friend", "blocked"].map(|field| profile[field] == true);
    ensure!(listed == shown, "{profile} is not what {lists} says");
    Ok(listed)
}

const NOTHING: [bool; 3] = [false, false, false];
const FOLLOWED: [bool; 3] = [true, false, false];
const FRIENDS: [bool; 3] = [true, true, false];
const BLOCKED: [bool; 3] = [false, false, true];

#[track_caller]
fn is(found: [bool; 3], expected: [bool; 3]) -> Check {
    let place = std::panic::Location::caller().line();
    ensure!(
        found == expected,
        "followed, friend, blocked: {found:?} instead of {expected:?} (line {place})"
    );
    Ok(())
}

fn friends(target: &Target) -> Check {
    let (anna, ben, cleo) = (player(target)?, player(target)?, player(target)?);
    is(seen(target, &anna, &ben)?, NOTHING)?;
    relate(target, &anna, "PUT /following", &cleo)?;
    // The handle in any case, and again.
    for handle in [ben.handle.to_uppercase(), ben.handle.clone()] {
        let request = format!("PUT /following/{handle}");
        api::ok(target, &request, Some(&anna.token), &Value::Null)?;
    }
    is(seen(target, &anna, &ben)?, FOLLOWED)?;
    is(seen(target, &ben, &anna)?, NOTHING)?;
    relate(target, &ben, "PUT /following", &anna)?;
    is(seen(target, &anna, &ben)?, FRIENDS)?;
    is(seen(target, &ben, &anna)?, FRIENDS)?;
    let told = lists(target, &anna)?;
    let followed = told["followed"].as_array().context("followed")?;
    let handles: Vec<&Value> = followed.iter().map(|one| &one["handle"]).collect();
    ensure!(
        handles == [cleo.handle.as_str(), &ben.handle],
        "in the order of following: {told}"
    );
    let since = |at: usize| followed[at]["since"].as_i64().unwrap_or_default();
    let now = told["server_time"].as_i64().unwrap_or_default();
    ensure!(
        since(0) > 0 && since(0) <= since(1) && since(1) <= now,
        "{told}"
    );
    ensure!(followed[1]["identity"] == ben.link.identity(), "{told}");
    for _ in 0..2 {
        relate(target, &ben, "DELETE /following", &anna)?;
        is(seen(target, &anna, &ben)?, FOLLOWED)?;
        is(seen(target, &ben, &anna)?, NOTHING)?;
    }
    Ok(())
}

fn refusals(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let before = lists(target, &anna)?;
    for list in ["following", "blocked"] {
        for (method, handle, status, code) in [
            ("PUT", anna.handle.clone(), 409, "yourself"),
            ("DELETE", anna.handle.clone(), 409, "yourself"),
            ("PUT", new_handle(), 404, "unknown_player"),
            ("DELETE", new_handle(), 404, "unknown_player"),
        ] {
            let request = format!("{method} /{list}/{handle}");
            let request = (request.as_str(), Some(anna.token.as_str()), &Value::Null);
            refuses(target, request, status, code)?;
        }
    }
    let after = lists(target, &anna)?;
    ensure!(before["followed"] == after["followed"], "{after}");
    relate(target, &anna, "PUT /blocked", &ben)?;
    let request = format!("PUT /following/{}", ben.handle);
    let request = (request.as_str(), Some(anna.token.as_str()), &Value::Null);
    refuses(target, request, 409, "blocked_by_you")?;
    is(seen(target, &anna, &ben)?, BLOCKED)
}

fn guests(target: &Target) -> Check {
    let anna = player(target)?;
    let guest = Link::guest(target, "Newcomer")?;
    let token = guest.token();
    for request in ["PUT /following", "PUT /blocked", "DELETE /blocked"] {
        let request = format!("{request}/{}", anna.handle);
        let request = (request.as_str(), Some(token.as_str()), &Value::Null);
        refuses(target, request, 403, "not_registered")?;
    }
    let told = api::get(target, "/relations", &token)?;
    ensure!(
        told["followed"] == json!([]) && told["blocked"] == json!([]),
        "{told}"
    );
    Ok(())
}

/// Only a friend learns that a player is online, and what it plays.
fn presence(target: &Target) -> Check {
    let (anna, mut ben, cleo) = (player(target)?, player(target)?, player(target)?);
    for (one, other) in [(&anna, &ben), (&ben, &anna), (&cleo, &ben)] {
        relate(target, one, "PUT /following", other)?;
    }
    let told = |player: &Player, other: &Player| -> Result<Value> {
        let told = entry(&lists(target, player)?, "followed", other)?;
        told.context("it is followed")
    };
    target.shows(|| {
        let bens = told(&anna, &ben)?;
        ensure!(
            bens["online"] == true && bens.get("game").is_none(),
            "{bens}"
        );
        Ok(())
    })?;
    let mut guest = Link::guest(target, "Guest")?;
    let wanted = options(&guest.hello, &json!({}))?;
    let opened = guest.ok("seek", json!({ "cmd_id": "open", "options": wanted }))?;
    let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
    let game = ben.link.ok("join_seek", join)?["game"].clone();
    let game = game.as_str().context("a game")?;
    let (token, handle, session) = (ben.token, ben.handle, ben.session);
    let mut pair = Pair::at(target, vec![guest, ben.link], game);
    pair.attach_all()?;
    pair.begin()?;
    let link = Link::known(target, &token)?;
    let ben = Player {
        link,
        token,
        handle,
        session,
    };
    target.shows(|| {
        let bens = told(&anna, &ben)?;
        ensure!(bens["online"] == true && bens["game"] == game, "{bens}");
        Ok(())
    })?;
    let unseen = told(&cleo, &ben)?;
    ensure!(
        unseen.get("online").is_none() && unseen.get("game").is_none(),
        "they are no friends: {unseen}"
    );
    pair.ok(0, "resign", json!({}))?;
    api::until(target, "/relations", &anna.token, |told| {
        told["followed"][0].get("game").is_none()
    })?;
    Ok(())
}

/// A block ends what both have set up, and its end brings nothing back.
fn block(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    for (one, other) in [(&anna, &ben), (&ben, &anna)] {
        relate(target, one, "PUT /following", other)?;
    }
    for _ in 0..2 {
        relate(target, &anna, "PUT /blocked", &ben)?;
        is(seen(target, &anna, &ben)?, BLOCKED)?;
    }
    for _ in 0..2 {
        relate(target, &anna, "DELETE /blocked", &ben)?;
        is(seen(target, &anna, &ben)?, NOTHING)?;
    }
    relate(target, &anna, "PUT /following", &ben)?;
    is(seen(target, &anna, &ben)?, FOLLOWED)?;
    relate(target, &ben, "PUT /following", &anna)?;
    is(seen(target, &anna, &ben)?, FRIENDS)
}

/// A blocked player sees what it would see if it were followed no longer.
fn blocked_unseen(target: &Target) -> Check {
    let (anna, ben, cleo) = (player(target)?, player(target)?, player(target)?);
    for other in [&anna, &cleo] {
        relate(target, &ben, "PUT /following", other)?;
        relate(target, other, "PUT /following", &ben)?;
    }
    relate(target, &anna, "PUT /blocked", &ben)?;
    relate(target, &cleo, "DELETE /following", &ben)?;
    let told = lists(target, &ben)?;
    let without = |other: &Player| -> Result<Value> {
        let mut told = entry(&told, "followed", other)?.context("it is followed")?;
        for field in ["identity", "handle", "since"] {
            told[field] = Value::Null;
        }
        Ok(told)
    };
    ensure!(without(&anna)? == without(&cleo)?, "they differ: {told}");
    ensure!(told["blocked"] == json!([]), "{told}");
    for act in [
        "PUT /following",
        "DELETE /following",
        "PUT /following",
        "PUT /blocked",
        "DELETE /blocked",
    ] {
        for other in [&anna, &cleo] {
            relate(target, &ben, act, other)?;
        }
        is(seen(target, &ben, &anna)?, seen(target, &ben, &cleo)?)?;
    }
    Ok(())
}

/// To a blocked player, and to one that blocks, the other one's seek is gone.
fn seeks(target: &Target) -> Check {
    for is_owner in [true, false] {
        let (mut anna, mut ben) = (player(target)?, player(target)?);
        let (blocker, blocked) = if is_owner {
            (&anna, &ben)
        } else {
            (&ben, &anna)
        };
        relate(target, blocker, "PUT /blocked", blocked)?;
        let options = own_options(&anna.link)?;
        let public = json!({ "cmd_id": "open", "options": options });
        let public = anna.link.ok("seek", public)?["seek"]["seek"].clone();
        for op in ["join_seek", "leave_seek", "cancel_seek", "start_seek"] {
            let of =
                |seek: &Value, cmd: &str| json!({ "cmd_id": format!("{cmd}-{op}"), "seek": seek });
            let refused = ben.link.refused(op, of(&public, "a"))?;
            let absent = ben.link.refused(op, of(&json!("none"), "b"))?;
            ensure!(refused == absent, "{op}: {refused} and {absent} differ");
            ensure!(refused["code"] == "unknown_seek", "{op}: {refused}");
        }
        let private = json!({ "cmd_id": "private", "private": true, "options": options });
        let code = anna.link.ok("seek", private)?["seek"]["code"].clone();
        let join = |code: &Value, cmd: &str| json!({ "cmd_id": cmd, "code": code });
        let refused = ben.link.refused("join_seek", join(&code, "c"))?;
        let absent = ben.link.refused("join_seek", join(&json!("WRONG"), "d"))?;
        ensure!(refused == absent, "{refused} and {absent} differ");
        ensure!(refused["code"] == "wrong_code", "{refused}");
        let (blocker, blocked) = if is_owner {
            (&anna, &ben)
        } else {
            (&ben, &anna)
        };
        relate(target, blocker, "DELETE /blocked", blocked)?;
        let join = json!({ "cmd_id": "join", "seek": public });
        let joined = ben.link.ok("join_seek", join)?;
        ensure!(joined["game"].is_string(), "{joined}");
    }
    Ok(())
}

/// Lists and pushes of the lobby do not have the seek of a player that a block keeps apart, and have it again afterwards.
fn hidden_seeks(target: &Target) -> Check {
    let (mut anna, mut ben, mut cleo) = (player(target)?, player(target)?, player(target)?);
    let is_about = |seek: &Value, message: &Value| {
        let change = &message[2];
        message[0] == "lobby" && (change["seek_id"] == *seek || change["seek"]["seek"] == *seek)
    };
    relate(target, &ben, "PUT /blocked", &anna)?;
    for player in [&mut ben, &mut cleo] {
        player.link.ok("lobby_subscribe", json!({}))?;
    }
    let options = own_options(&anna.link)?;
    let open = json!({ "cmd_id": "open", "options": options });
    let seek = anna.link.ok("seek", open)?["seek"]["seek"].clone();
    cleo.link.push(|message| is_about(&seek, message))?;
    let listed = |link: &mut Link| -> Result<bool> {
        let lists = link.ok("lobby_subscribe", json!({}))?;
        let seeks = lists["seeks"].as_array().context("seeks")?;
        Ok(seeks.iter().any(|open| open["seek"] == seek))
    };
    ensure!(!listed(&mut ben.link)?, "{seek} is in the list of Ben");
    let heard = ben.link.heard.iter();
    let early: Vec<&Value> = heard.filter(|message| is_about(&seek, message)).collect();
    ensure!(early.is_empty(), "Ben hears of a hidden seek: {early:?}");
    relate(target, &ben, "DELETE /blocked", &anna)?;
    let again = ben.link.push(|message| is_about(&seek, message))?;
    ensure!(again[2]["seek"]["seek"] == seek, "{again}");
    relate(target, &anna, "PUT /blocked", &ben)?;
    let gone = ben.link.push(|message| is_about(&seek, message))?;
    ensure!(
        gone[2]["change"] == "seek_removed" && gone[2]["seek_id"] == seek,
        "{gone}"
    );
    ensure!(!listed(&mut ben.link)?, "{seek} is in the list of Ben");
    let close = json!({ "cmd_id": "close", "seek": seek });
    anna.link.ok("cancel_seek", close)?;
    Ok(())
}

/// Quick matches of two players pass each other over, until the block ends.
fn quick_match(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    relate(target, &anna, "PUT /blocked", &ben)?;
    let options = own_options(&anna.link)?;
    let quick = json!({ "cmd_id": "quick", "options": options });
    let older = anna.link.ok("quick_match", quick.clone())?["seek"].clone();
    let newer = ben.link.ok("quick_match", quick)?;
    ensure!(
        newer["seek"]["seek"] != older["seek"] && newer.get("game").is_none(),
        "{newer}"
    );
    relate(target, &anna, "DELETE /blocked", &ben)?;
    let (annas, bens) = (
        anna.link.pushed("game_created")?,
        ben.link.pushed("game_created")?,
    );
    ensure!(annas["game"] == bens["game"], "{annas} and {bens}");
    ensure!(annas["seek"] == older["seek"], "{annas}");
    ensure!(bens["seek"] == newer["seek"]["seek"], "{bens}");
    Ok(())
}
