//! Chat: rooms of players and spectators, direct rooms, and what each reader sees.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use super::relations::relate;
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::{Player, player};

/// The cases about chat.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "chat/players",
        &["P-CHAT-1", "P-CHAT-2", "P-CHAT-3", "P-CHAT-4"],
        players,
    ),
    Case::of("chat/apart", &["P-CHAT-2", "P-CHAT-10"], apart),
    Case::of("chat/resumed", &["P-CHAT-4", "P-CHAT-5"], resumed),
    Case::of("chat/texts", &["P-CHAT-3"], texts),
    Case::of("chat/refused", &["P-CHAT-2", "P-CHAT-6"], refused),
    Case::of("chat/direct", &["P-CHAT-7", "P-CHAT-8"], direct),
    Case::of("chat/blocked", &["P-CHAT-9"], blocked),
    Case::of("chat/lobby", &["P-CHAT-2"], lobby),
];

/// Skips the case on a server without rooms of a kind.
pub(super) fn offered(link: &Link, kind: &str) -> Check {
    let kinds = link.hello["chat"].as_array();
    if kinds.is_some_and(|kinds| kinds.iter().any(|known| known == kind)) {
        return Ok(());
    }
    skip("not offered: the server has no such chat rooms")
}

/// Joins a room; returns the answer about it.
pub(super) fn join(link: &mut Link, room: Value) -> Result<Value> {
    let answer = link.ok("chat_join", room)?;
    Ok(answer["chat"].clone())
}

pub(super) fn room_of(chat: &Value) -> Result<String> {
    let room = chat["room"].as_str().context("the id of a room")?;
    Ok(room.to_owned())
}

fn of_game(pair: &Pair, kind: &str) -> Value {
    json!({ "kind": kind, "game": pair.game })
}

/// Writes a line; returns its number.
pub(super) fn say(link: &mut Link, room: &str, cmd: &str, text: &str) -> Result<u64> {
    let body = json!({ "room": room, "cmd_id": cmd, "text": text });
    let answer = link.ok("chat_say", body)?;
    ensure!(answer["chat"]["room"] == room, "the room: {answer}");
    answer["chat"]["line"]
        .as_u64()
        .context("the number of a line")
}

/// Waits for the next line that is pushed.
pub(super) fn told(link: &mut Link, room: &str) -> Result<Value> {
    let pushed = link.push(|message| message[0] == "chat" && message[2]["room"] == room)?;
    Ok(pushed[2]["line"].clone())
}

/// Says that nothing of a room was pushed: the answer to a request comes after everything that was sent before it.
fn hears_nothing(link: &mut Link, text: &str) -> Check {
    link.ok("time", json!({}))?;
    let heard = link
        .heard
        .iter()
        .find(|message| message.to_string().contains(text));
    ensure!(heard.is_none(), "heard {heard:?}");
    Ok(())
}

/// A running game of two guests on a server with chat.
fn table(target: &Target) -> Result<Pair> {
    let pair = Pair::start(target, &json!({}))?;
    offered(&pair.links[0], "players")?;
    Ok(pair)
}

fn players(target: &Target) -> Check {
    let mut pair = table(target)?;
    let seq = pair.folds[0].seq;
    let mut rooms = Vec::new();
    let body = of_game(&pair, "players");
    for link in &mut pair.links {
        let chat = join(link, body.clone())?;
        ensure!(chat["lines"] == json!([]), "nobody has written: {chat}");
        ensure!(chat["can_say"] == true, "a player can write: {chat}");
        rooms.push(room_of(&chat)?);
    }
    ensure!(rooms[0] == rooms[1], "one room: {rooms:?}");
    let room = &rooms[0];
    for (number, seat) in (1..).zip([0, 1, 0]) {
        let text = format!("line {number}");
        let line = say(&mut pair.links[seat], room, &text.replace(' ', "-"), &text)?;
        ensure!(line == number, "lines count from 1: {line}");
        let writer = pair.links[seat].identity().to_owned();
        for link in &mut pair.links {
            let told = told(link, room)?;
            ensure!(
                told["line"] == number && told["text"] == text.as_str(),
                "{told}"
            );
            ensure!(
                told["identity"] == writer.as_str() && told["seat"] == seat,
                "{told}"
            );
            ensure!(told["name"].is_string() && told["at"].is_i64(), "{told}");
        }
    }
    // Chat does not touch the game.
    pair.ok(0, "pass", json!({ "turn_no": 1 }))?;
    pair.happened("passed")?;
    ensure!(pair.folds[1].seq > seq, "the game goes on");
    let leave = json!({ "room": room });
    pair.links[1].ok("chat_leave", leave.clone())?;
    let refused = pair.links[1].refused("chat_leave", leave)?;
    ensure!(refused["code"] == "not_in_room", "{refused}");
    say(&mut pair.links[0], room, "later", "unheard line")?;
    told(&mut pair.links[0], room)?;
    hears_nothing(&mut pair.links[1], "unheard line")
}

/// Players and spectators do not hear each other until the game is over.
fn apart(target: &Target) -> Check {
    let mut pair = table(target)?;
    let mut watcher = player(target)?.link;
    watcher.ok("attach", json!({ "game": pair.game }))?;
    let (inside, outside) = (of_game(&pair, "players"), of_game(&pair, "spectators"));
    for (link, body) in [(&mut watcher, &inside), (&mut pair.links[0], &outside)] {
        let refused = link.refused("chat_join", body.clone())?;
        ensure!(refused["code"] == "no_such_room", "{refused}");
    }
    let own = room_of(&join(&mut pair.links[0], inside.clone())?)?;
    let theirs = room_of(&join(&mut watcher, outside.clone())?)?;
    ensure!(own != theirs, "two rooms: {own}");
    say(&mut pair.links[0], &own, "a", "word of a player")?;
    say(&mut watcher, &theirs, "a", "word of a spectator")?;
    told(&mut pair.links[0], &own)?;
    let line = told(&mut watcher, &theirs)?;
    ensure!(
        line.get("seat").is_none(),
        "a spectator has no seat: {line}"
    );
    hears_nothing(&mut watcher, "word of a player")?;
    hears_nothing(&mut pair.links[0], "word of a spectator")?;
    pair.ok(1, "resign", json!({}))?;
    pair.happened("ended")?;
    watcher.push(|message| message[2]["kind"] == "ended")?;
    let chat = join(&mut pair.links[0], outside)?;
    ensure!(chat["lines"][0]["text"] == "word of a spectator", "{chat}");
    let refused = watcher.refused("chat_join", inside)?;
    ensure!(refused["code"] == "no_such_room", "never: {refused}");
    Ok(())
}

/// A client that comes back gets the lines after its last one, and a repeated command is one line.
fn resumed(target: &Target) -> Check {
    let mut pair = table(target)?;
    let body = of_game(&pair, "players");
    let room = room_of(&join(&mut pair.links[0], body.clone())?)?;
    say(&mut pair.links[0], &room, "a", "one")?;
    let token = pair.links[0].token();
    let mut back = Link::known(target, &token)?;
    back.ok("attach", json!({ "game": pair.game }))?;
    let chat = join(&mut back, body.clone())?;
    let lines = chat["lines"].as_array().context("lines")?;
    ensure!(lines.len() == 1 && lines[0]["text"] == "one", "{chat}");
    ensure!(say(&mut back, &room, "a", "one")? == 1, "the same command");
    let reused = json!({ "room": room, "cmd_id": "a", "text": "other" });
    let refused = back.refused("chat_say", reused)?;
    ensure!(refused["code"] == "cmd_id_reused", "{refused}");
    say(&mut back, &room, "b", "two")?;
    let mut after = body;
    after["after"] = json!(1);
    let chat = join(&mut pair.links[0], after)?;
    let lines = chat["lines"].as_array().context("lines")?;
    let texts: Vec<&Value> = lines.iter().map(|line| &line["text"]).collect();
    ensure!(texts == ["two"], "after the first line: {chat}");
    Ok(())
}

/// Every text stays plain text on one line.
fn texts(target: &Target) -> Check {
    let mut pair = table(target)?;
    let body = of_game(&pair, "players");
    let room = room_of(&join(&mut pair.links[0], body)?)?;
    for (number, (written, kept)) in (1..).zip([
        (
            "<script>alert(1)</script> & *x*",
            "<script>alert(1)</script> & *x*",
        ),
        ("  two\r\n\tlines ", "two lines"),
        ("a\u{1b}[31mb\u{202e}c \u{1f389}", "a[31mbc \u{1f389}"),
    ]) {
        say(&mut pair.links[0], &room, &format!("t{number}"), written)?;
        let line = told(&mut pair.links[0], &room)?;
        ensure!(line["text"] == kept, "{written:?} becomes {line}");
    }
    let long = "x".repeat(301);
    for (number, text) in ["", " \n", "\u{202e}\u{200b}", &long].iter().enumerate() {
        let body = json!({ "room": room, "cmd_id": format!("bad-{number}"), "text": text });
        let refused = pair.links[0].refused("chat_say", body)?;
        ensure!(refused["code"] == "bad_text", "{text:?}: {refused}");
    }
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut pair = table(target)?;
    let mut guest = Link::guest(target, "Stranger")?;
    let (inside, outside) = (of_game(&pair, "players"), of_game(&pair, "spectators"));
    let refused = guest.refused("chat_join", outside.clone())?;
    ensure!(refused["code"] == "no_such_room", "not attached: {refused}");
    guest.ok("attach", json!({ "game": pair.game }))?;
    let chat = join(&mut guest, outside)?;
    ensure!(chat.get("can_say").is_none(), "a guest only reads: {chat}");
    let line = json!({ "room": chat["room"], "cmd_id": "a", "text": "hi" });
    let refused = guest.refused("chat_say", line)?;
    ensure!(refused["code"] == "cannot_say", "{refused}");
    let room = room_of(&join(&mut pair.links[0], inside)?)?;
    let elsewhere = json!({ "room": room, "cmd_id": "a", "text": "hi" });
    let refused = pair.links[1].refused("chat_say", elsewhere)?;
    ensure!(refused["code"] == "not_in_room", "{refused}");
    say(&mut pair.links[0], &room, "a", "the same")?;
    let again = json!({ "room": room, "cmd_id": "b", "text": "the same" });
    let refused = pair.links[0].refused("chat_say", again)?;
    let (code, detail) = (&refused["code"], &refused["detail"]);
    ensure!(
        code == "repeated_line" && detail["text"] == "the same",
        "{refused}"
    );
    ensure!(detail["retry_after_ms"].as_i64() > Some(0), "{refused}");
    for number in 0..1_000 {
        let text = format!("number {number}");
        let body = json!({ "room": room, "cmd_id": format!("n{number}"), "text": text });
        let answer = pair.links[0].ask("chat_say", body)?;
        if answer[0] == "error" {
            let refused = &answer[2];
            ensure!(refused["code"] == "too_many_lines", "{refused}");
            ensure!(
                refused["detail"]["retry_after_ms"].as_i64() > Some(0),
                "{refused}"
            );
            return Ok(());
        }
    }
    skip("the server lets a player write 1,000 lines at once")
}

/// Lets two players follow each other.
pub(super) fn befriend(target: &Target, one: &Player, other: &Player) -> Check {
    relate(target, one, "PUT /following", other)?;
    relate(target, other, "PUT /following", one)
}

fn direct(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    offered(&anna.link, "direct")?;
    let with = |other: &Player| json!({ "kind": "direct", "with": other.handle });
    let refused = anna.link.refused("chat_join", with(&ben))?;
    ensure!(refused["code"] == "no_such_room", "strangers: {refused}");
    befriend(target, &anna, &ben)?;
    let all = json!({ "kind": "direct" });
    let chat = join(&mut ben.link, all.clone())?;
    ensure!(chat["rooms"] == json!([]), "nobody has written: {chat}");
    let body = with(&ben);
    let room = room_of(&join(&mut anna.link, body)?)?;
    say(&mut anna.link, &room, "a", "are you there?")?;
    let line = told(&mut ben.link, &room)?;
    ensure!(line["text"] == "are you there?", "{line}");
    let rooms = join(&mut ben.link, all)?["rooms"].clone();
    ensure!(
        rooms[0]["room"] == room.as_str() && rooms[0]["last"] == 1,
        "{rooms}"
    );
    ensure!(rooms[0]["with"] == anna.handle.as_str(), "{rooms}");
    let body = with(&anna);
    let chat = join(&mut ben.link, body)?;
    ensure!(chat["room"] == room.as_str(), "one room for both: {chat}");
    relate(target, &ben, "DELETE /following", &anna)?;
    let line = json!({ "room": room, "cmd_id": "b", "text": "still there?" });
    let refused = anna.link.refused("chat_say", line)?;
    ensure!(refused["code"] == "no_such_room", "{refused}");
    for link in [&mut anna.link, &mut ben.link] {
        let closed = link.pushed("chat_closed")?;
        ensure!(closed["room"] == room.as_str(), "{closed}");
        ensure!(closed["reason"] == "not_friends", "{closed}");
    }
    Ok(())
}

/// Blocked players do not read each other, and their writers cannot tell.
fn blocked(target: &Target) -> Check {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    offered(&anna.link, "players")?;
    let wanted = options(&anna.link.hello, &json!({}))?;
    let opened = anna
        .link
        .ok("seek", json!({ "cmd_id": "open", "options": wanted }))?;
    let body = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
    let game = ben.link.ok("join_seek", body)?["game"].clone();
    let body = json!({ "kind": "players", "game": game });
    let mut room = String::new();
    for link in [&mut anna.link, &mut ben.link] {
        link.ok("attach", json!({ "game": game }))?;
        room = room_of(&join(link, body.clone())?)?;
    }
    relate(target, &anna, "PUT /blocked", &ben)?;
    for (writer, reader, text) in [(0, 1, "word of anna"), (1, 0, "word of ben")] {
        let links = [&mut anna.link, &mut ben.link];
        let mut links: Vec<&mut Link> = links.into_iter().collect();
        say(links[writer], &room, "a", text)?;
        ensure!(told(links[writer], &room)?["text"] == text, "the writer");
        hears_nothing(links[reader], text)?;
        let chat = join(links[reader], body.clone())?;
        let is_hidden = !chat.to_string().contains(text);
        ensure!(is_hidden, "in the history: {chat}");
    }
    Ok(())
}

fn lobby(target: &Target) -> Check {
    let (mut anna, mut guest) = (player(target)?, Link::guest(target, "Guest")?);
    offered(&guest, "lobby")?;
    let body = json!({ "kind": "lobby" });
    let room = room_of(&join(&mut anna.link, body.clone())?)?;
    let chat = join(&mut guest, body)?;
    ensure!(chat.get("can_say").is_none(), "a guest only reads: {chat}");
    let text = format!("hello from {}", anna.handle);
    say(&mut anna.link, &room, &anna.handle.clone(), &text)?;
    loop {
        let line = told(&mut guest, &room)?;
        if line["text"] == text.as_str() {
            ensure!(line["name"] == anna.handle.as_str(), "{line}");
            return Ok(());
        }
    }
}
