//! Invitations to a handle: answers, ends, and the players who do not hear of them.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::raw::{CLOSE, Frame};
use super::super::{Case, Check, Target};
use super::lobby::own_options;
use super::relations::relate;
use crate::api;
use crate::link::Link;
use crate::pair::Pair;
use crate::registered::{Player, new_handle, player, rated_options};

/// The cases about invitations.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "invitations/accepted",
        &["P-INVITE-1", "P-INVITE-2", "P-INVITE-4", "P-INVITE-6"],
        accepted,
    ),
    Case::of(
        "invitations/refused",
        &["P-INVITE-3", "P-INVITE-4"],
        refused,
    ),
    Case::of(
        "invitations/declined",
        &["P-INVITE-4", "P-INVITE-6"],
        declined,
    ),
    Case::of(
        "invitations/player-comes-back",
        &["P-INVITE-4", "P-INVITE-5", "P-INVITE-6"],
        comes_back,
    ),
    Case::of("invitations/unheard", &["P-INVITE-7", "H-ACCT-12"], unheard),
    Case::of("invitations/block", &["P-INVITE-7"], block),
];

/// Invites a player to a game in which the owner begins; returns the invitation.
fn invite(sender: &mut Player, handle: &str, cmd_id: &str) -> Result<Value> {
    let options = own_options(&sender.link)?;
    let body = json!({ "cmd_id": cmd_id, "handle": handle, "options": options });
    let answer = sender.link.ok("invite", body)?;
    let invitation = answer["invitation"].clone();
    let fields = answer.as_object().map(serde_json::Map::len);
    ensure!(
        fields == Some(1) && invitation.is_object(),
        "the invitation alone: {answer}"
    );
    Ok(invitation)
}

/// The body of an answer to an invitation.
fn answer(invitation: &Value, cmd_id: &str, accept: bool) -> Value {
    json!({ "cmd_id": cmd_id, "invitation": invitation["invitation"], "accept": accept })
}

/// Waits for the next push about an invitation.
fn told(link: &mut Link, invitation: &Value) -> Result<Value> {
    let id = &invitation["invitation"];
    let told =
        link.push(|message| message[0] == "invitation" && message[2]["invitation"] == *id)?;
    Ok(told[2].clone())
}

/// Waits until a player hears of the open invitation.
fn hears(link: &mut Link, invitation: &Value) -> Check {
    let told = told(link, invitation)?;
    ensure!(told == *invitation, "{invitation} is open: {told}");
    Ok(())
}

/// Waits until a player hears of the end of an invitation.
fn hears_end(link: &mut Link, invitation: &Value, end: &Value) -> Check {
    let told = told(link, invitation)?;
    let mut expected = invitation.clone();
    for (field, value) in end.as_object().into_iter().flatten() {
        expected[field] = value.clone();
    }
    ensure!(told == expected, "{expected} has ended: {told}");
    Ok(())
}

fn accepted(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let handle = ben.handle.to_uppercase();
    let invitation = invite(&mut anna, &handle, "invite")?;
    for (side, player) in [("from", &anna), ("to", &ben)] {
        let person = &invitation[side];
        let is_it = person["identity"] == player.link.identity() && person["name"] == player.handle;
        ensure!(is_it && person["kind"] == "registered", "{side}: {person}");
    }
    let times = ["created_at", "expires_at"].map(|field| invitation[field].as_i64());
    ensure!(times[0].is_some() && times[0] < times[1], "{invitation}");
    ensure!(
        invitation["options"]["ties"].is_string(),
        "every default is filled in: {invitation}"
    );
    hears(&mut anna.link, &invitation)?;
    hears(&mut ben.link, &invitation)?;
    let lists = ben.link.ok("lobby_subscribe", json!({}))?;
    let seeks = lists["seeks"].as_array().context("seeks")?;
    let is_listed = seeks
        .iter()
        .any(|seek| seek["seek"] == invitation["invitation"]);
    ensure!(!is_listed, "no list has an invitation: {seeks:?}");
    let join = json!({ "cmd_id": "join", "seek": invitation["invitation"] });
    ben.link.refuses("join_seek", join, "unknown_seek")?;
    let accept = answer(&invitation, "accept", true);
    let begun = ben.link.ok("answer_invitation", accept.clone())?;
    let game = begun["game"].as_str().context("a game")?.to_owned();
    ensure!(begun == json!({ "game": game }), "the game alone: {begun}");
    let again = ben.link.ok("answer_invitation", accept)?;
    ensure!(again == begun, "the first answer: {again}");
    for (seat, link) in [&mut anna.link, &mut ben.link].into_iter().enumerate() {
        let created = link.pushed("game_created")?;
        let expected = json!({ "game": game, "seek": invitation["invitation"], "seat": seat });
        ensure!(created == expected, "{created}");
        let end = json!({ "end": "accepted", "game": game });
        hears_end(link, &invitation, &end)?;
    }
    let mut pair = Pair::at(target, vec![anna.link, ben.link], &game);
    pair.attach_all()?;
    pair.begin()?;
    ensure!(pair.turn()?.0 == 0, "the player who invites begins");
    let gone = answer(&invitation, "late", true);
    pair.links[1].refuses("answer_invitation", gone, "unknown_invitation")?;
    Ok(())
}

fn refused(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let mut guest = Link::guest(target, "Guest")?;
    let options = own_options(&anna.link)?;
    let body = |cmd_id: &str, handle: &str, options: &Value| json!({ "cmd_id": cmd_id, "handle": handle, "options": options });
    let by_guest = body("guest", &ben.handle, &options);
    guest.refuses("invite", by_guest, "not_registered")?;
    let mut three = options.clone();
    three["seats"] = json!(3);
    for (cmd_id, handle, options, code) in [
        ("unknown", new_handle(), &options, "unknown_player"),
        ("own", anna.handle.clone(), &options, "yourself"),
        ("three", ben.handle.clone(), &three, "bad_options"),
    ] {
        let body = body(cmd_id, &handle, options);
        anna.link.refuses("invite", body, code)?;
    }
    let mut dealt = rated_options(&anna.link.hello)?;
    dealt["clock"] = json!({ "kind": "untimed" });
    let refusal = body("untimed", &ben.handle, &dealt);
    anna.link.refuses("invite", refusal, "not_rateable")?;
    let invitation = invite(&mut anna, &ben.handle, "invite")?;
    let second = body("second", &ben.handle, &options);
    anna.link.refuses("invite", second, "already_invited")?;
    let own = answer(&invitation, "own-accept", true);
    anna.link
        .refuses("answer_invitation", own, "already_joined")?;
    for accept in [true, false] {
        let foreign = answer(&invitation, &format!("foreign-{accept}"), accept);
        guest.refuses("answer_invitation", foreign, "unknown_invitation")?;
    }
    let missing = json!({ "invitation": "missing" });
    ben.link.refuses(
        "answer_invitation",
        answer(&missing, "missing", true),
        "unknown_invitation",
    )?;
    let mut unclear = answer(&invitation, "unclear", false);
    unclear["reason"] = json!("tired");
    ben.link
        .refuses("answer_invitation", unclear, "bad_field")?;
    Ok(())
}

fn declined(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    for (number, reason) in [Some("other_options"), None].into_iter().enumerate() {
        let invitation = invite(&mut anna, &ben.handle, &format!("invite-{number}"))?;
        hears(&mut ben.link, &invitation)?;
        hears(&mut anna.link, &invitation)?;
        let mut body = answer(&invitation, &format!("decline-{number}"), false);
        let mut end = json!({ "end": "declined" });
        if let Some(reason) = reason {
            body["reason"] = json!(reason);
            end["reason"] = json!(reason);
        }
        let answered = ben.link.ok("answer_invitation", body)?;
        ensure!(answered == json!({}), "no field: {answered}");
        for link in [&mut anna.link, &mut ben.link] {
            hears_end(link, &invitation, &end)?;
        }
    }
    let invitation = invite(&mut anna, &ben.handle, "invite")?;
    hears(&mut anna.link, &invitation)?;
    hears(&mut ben.link, &invitation)?;
    anna.link
        .ok("answer_invitation", answer(&invitation, "back", false))?;
    for link in [&mut anna.link, &mut ben.link] {
        hears_end(link, &invitation, &json!({ "end": "withdrawn" }))?;
    }
    let gone = answer(&invitation, "gone", false);
    ben.link
        .refuses("answer_invitation", gone, "unknown_invitation")?;
    Ok(())
}

/// Closes a connection as a client does that leaves.
fn leaves(target: &Target, link: &mut Link) -> Check {
    link.raw.send(&Frame::whole(CLOSE, ""));
    link.ended(target.patience)?;
    Ok(())
}

/// The invited player comes after the invitation, and the player who invites after that.
fn comes_back(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    leaves(target, &mut ben.link)?;
    let invitation = invite(&mut anna, &ben.handle, "invite")?;
    leaves(target, &mut anna.link)?;
    let mut ben = Link::known(target, &ben.token)?;
    hears(&mut ben, &invitation)?;
    let early = answer(&invitation, "early", true);
    ben.refuses("answer_invitation", early, "owner_away")?;
    let mut anna = Link::known(target, &anna.token)?;
    hears(&mut anna, &invitation)?;
    let begun = ben.ok("answer_invitation", answer(&invitation, "accept", true))?;
    let created = anna.pushed("game_created")?;
    ensure!(created["game"] == begun["game"], "{created}");
    Ok(())
}

/// Returns the pushes about invitations that no step of the case has waited for.
fn told_since(link: &mut Link) -> Result<Vec<Value>> {
    link.fence()?;
    let pushes = link.take_pushes().into_iter();
    Ok(pushes.filter(|push| push[0] == "invitation").collect())
}

/// Returns the messages to the sender of an invitation, without the fields that differ between any two invitations.
fn as_sent(sender: &mut Player, receiver: &Player, cmd_id: &str) -> Result<(Value, Vec<Value>)> {
    let invitation = invite(sender, &receiver.handle, cmd_id)?;
    hears(&mut sender.link, &invitation)?;
    let pushes = told_since(&mut sender.link)?;
    let mut alike = invitation.clone();
    for field in ["invitation", "created_at", "expires_at", "to"] {
        alike[field] = Value::Null;
    }
    ensure!(pushes.is_empty(), "nothing else is told: {pushes:?}");
    let second = json!({ "cmd_id": format!("{cmd_id}-second"), "handle": receiver.handle,
        "options": own_options(&sender.link)? });
    let refused = sender.link.refuses("invite", second, "already_invited")?;
    Ok((invitation, vec![alike, refused]))
}

fn unheard(target: &Target) -> Check {
    let (mut anna, mut cleo) = (player(target)?, player(target)?);
    let (willing, mut ben) = (player(target)?, player(target)?);
    let setting = |from: &str| {
        let body = json!({ "from": from });
        api::ok(target, "PUT /account/invitations", Some(&ben.token), &body)
    };
    let me = api::get(target, "/me", &ben.token)?;
    ensure!(me["invitations_from"] == "anybody", "at first: {me}");
    let me = setting("followed")?;
    ensure!(me["invitations_from"] == "followed", "{me}");
    let guest = Link::guest(target, "Guest")?.token();
    let body = json!({ "from": "nobody" });
    let by_guest = ("PUT /account/invitations", Some(guest.as_str()), &body);
    api::refuses(target, by_guest, 403, "not_registered")?;
    relate(target, &ben, "PUT /following", &cleo)?;
    let (_, usual) = as_sent(&mut anna, &willing, "willing")?;
    let (unheard, found) = as_sent(&mut anna, &ben, "unwilling")?;
    ensure!(found == usual, "the same answers: {found:?}, {usual:?}");
    for accept in [true, false] {
        let body = answer(&unheard, &format!("answer-{accept}"), accept);
        ben.link
            .refuses("answer_invitation", body, "unknown_invitation")?;
    }
    // A connection is told of all open invitations together.
    let heard = invite(&mut cleo, &ben.handle, "followed")?;
    let mut again = Link::known(target, &ben.token)?;
    for link in [&mut ben.link, &mut again] {
        hears(link, &heard)?;
        link.fence()?;
        let pushes = link.take_pushes();
        let is_told = pushes
            .iter()
            .any(|push| push[2]["invitation"] == unheard["invitation"]);
        ensure!(!is_told, "it hears nothing of the other: {pushes:?}");
    }
    Ok(())
}

fn block(target: &Target) -> Check {
    let (mut anna, mut ben, willing) = (player(target)?, player(target)?, player(target)?);
    let (_, usual) = as_sent(&mut anna, &willing, "willing")?;
    // Ben blocks Anna while her invitation is open; she invites another one afterwards.
    let open = invite(&mut anna, &ben.handle, "open")?;
    hears(&mut anna.link, &open)?;
    hears(&mut ben.link, &open)?;
    relate(target, &ben, "PUT /blocked", &anna)?;
    hears_end(&mut ben.link, &open, &json!({ "end": "declined" }))?;
    let late = answer(&open, "late", true);
    ben.link
        .refuses("answer_invitation", late, "unknown_invitation")?;
    let pushes = told_since(&mut anna.link)?;
    ensure!(pushes.is_empty(), "the sender hears nothing: {pushes:?}");
    anna.link
        .ok("answer_invitation", answer(&open, "back", false))?;
    hears_end(&mut anna.link, &open, &json!({ "end": "withdrawn" }))?;
    let (blocked, found) = as_sent(&mut anna, &ben, "blocked")?;
    ensure!(found == usual, "the same answers: {found:?}, {usual:?}");
    // The end of the block does not bring it back.
    relate(target, &ben, "DELETE /blocked", &anna)?;
    let body = answer(&blocked, "after", true);
    ben.link
        .refuses("answer_invitation", body, "unknown_invitation")?;
    anna.link
        .ok("answer_invitation", answer(&blocked, "back-2", false))?;
    // The sender blocks: both are told.
    let open = invite(&mut anna, &ben.handle, "again")?;
    hears(&mut ben.link, &open)?;
    relate(target, &anna, "PUT /blocked", &ben)?;
    for link in [&mut anna.link, &mut ben.link] {
        let end = link.push(|message| {
            message[2]["invitation"] == open["invitation"] && message[2].get("end").is_some()
        })?;
        ensure!(end[2]["end"] == "withdrawn", "{end}");
    }
    Ok(())
}
