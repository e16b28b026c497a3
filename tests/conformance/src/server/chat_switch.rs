//! Chat that a player has switched off: no rooms, and nobody who can tell.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use super::chat::{befriend, join, offered, room_of, say, told};
use super::relations::relate;
use crate::api;
use crate::link::Link;
use crate::registered::{Player, player};

/// The cases about the switch.
pub const CASES: &[Case<Target>] = &[
    Case::of("chat/switched-off", &["P-CHAT-13", "H-ACCT-13"], off),
    Case::of("chat/writing-to-nobody", &["P-CHAT-13"], unheard),
];

/// Switches the chat of a player on or off; returns the account.
fn switch(target: &Target, player: &Player, enabled: bool) -> Result<Value> {
    let body = json!({ "enabled": enabled });
    api::ok(target, "PUT /account/chat", Some(&player.token), &body)
}

fn with(other: &Player) -> Value {
    json!({ "kind": "direct", "with": other.handle })
}

/// A player without chat is in no room, on no connection, until chat is on again.
fn off(target: &Target) -> Check {
    let (mut anna, ben) = (player(target)?, player(target)?);
    offered(&anna.link, "direct")?;
    befriend(target, &anna, &ben)?;
    let me = api::get(target, "/me", &anna.token)?;
    ensure!(me["chat"] == true, "at first: {me}");
    let mut second = Link::known(target, &anna.token)?;
    ensure!(second.welcome.get("chat_off").is_none(), "chat is on");
    let mut room = String::new();
    for link in [&mut anna.link, &mut second] {
        room = room_of(&join(link, with(&ben))?)?;
    }
    let me = switch(target, &anna, false)?;
    ensure!(me["chat"] == false, "{me}");
    for link in [&mut anna.link, &mut second] {
        let closed = link.pushed("chat_closed")?;
        ensure!(closed["room"] == room.as_str(), "{closed}");
        ensure!(closed["reason"] == "chat_off", "{closed}");
        for body in [with(&ben), json!({ "kind": "direct" })] {
            link.refuses("chat_join", body, "chat_off")?;
        }
        let line = json!({ "room": room, "cmd_id": "a", "text": "hi" });
        link.refuses("chat_say", line, "chat_off")?;
    }
    target.shows(|| {
        let later = Link::known(target, &anna.token)?;
        ensure!(
            later.welcome["chat_off"] == true,
            "a new connection is told: {}",
            later.welcome
        );
        Ok(())
    })?;
    let mut later = Link::known(target, &anna.token)?;
    later.refuses("chat_join", with(&ben), "chat_off")?;
    let guest = Link::guest(target, "Guest")?.token();
    let body = json!({ "enabled": false });
    let by_guest = ("PUT /account/chat", Some(guest.as_str()), &body);
    api::refuses(target, by_guest, 403, "not_registered")?;
    let me = switch(target, &anna, true)?;
    ensure!(me["chat"] == true, "{me}");
    let again = room_of(&join(&mut later, with(&ben))?)?;
    ensure!(again == room, "the same room: {again}");
    Ok(())
}

/// A player cannot tell why another one is out of reach: the refusal of a room, and the end of an open one, are the same.
fn unheard(target: &Target) -> Check {
    let (mut anna, ben, cleo) = (player(target)?, player(target)?, player(target)?);
    offered(&anna.link, "direct")?;
    let mut ends = Vec::new();
    for other in [&ben, &cleo] {
        befriend(target, &anna, other)?;
        let room = room_of(&join(&mut anna.link, with(other))?)?;
        say(&mut anna.link, &room, "a", "are you there?")?;
        told(&mut anna.link, &room)?;
        if other.handle == ben.handle {
            switch(target, other, false)?;
        } else {
            relate(target, other, "DELETE /following", &anna)?;
        }
        let line = json!({ "room": room, "cmd_id": "b", "text": "hello?" });
        let refused = anna.link.refuses("chat_say", line, "no_such_room")?;
        let mut closed = anna.link.pushed("chat_closed")?;
        ensure!(closed["room"] == room.as_str(), "{closed}");
        closed["room"] = Value::Null;
        let joined = anna
            .link
            .refuses("chat_join", with(other), "no_such_room")?;
        let rooms = join(&mut anna.link, json!({ "kind": "direct" }))?["rooms"].clone();
        ensure!(rooms == json!([]), "no room is open: {rooms}");
        ends.push([refused, closed, joined]);
    }
    ensure!(ends[0] == ends[1], "the same for both: {ends:?}");
    Ok(())
}
