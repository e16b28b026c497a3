//! The lobby: the life of a seek, and its visibility.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::options;
use tilewire_oracle::number;

/// The cases about the lobby.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "lobby/seek-to-game",
        &["P-LOBBY-1", "P-LOBBY-2", "P-LOBBY-5", "P-LOBBY-10"],
        seek_to_game,
    ),
    Case::of("lobby/start-early", &["P-LOBBY-1"], start_early),
    Case::of(
        "lobby/quick-match",
        &["P-LOBBY-1", "P-LOBBY-2"],
        quick_match,
    ),
    Case::of("lobby/looking-once", &["P-LOBBY-18"], looking_once),
    Case::of(
        "lobby/leave-and-cancel",
        &["P-LOBBY-5", "P-LOBBY-8"],
        leave_and_cancel,
    ),
    Case::of("lobby/private", &["P-LOBBY-3", "P-RESUME-1"], private),
    Case::of("lobby/subscribe", &["P-LOBBY-5", "P-LOBBY-6"], subscribe),
    Case::of("lobby/refusals", &["P-ERR-3", "P-LOBBY-3"], refusals),
    Case::of("lobby/open-seeks", &["P-LIM-1", "P-ERR-3"], open_seeks),
    Case::of("lobby/wrong-codes", &["P-LOBBY-15"], wrong_codes),
];

fn open(link: &mut Link, cmd_id: &str, change: &Value) -> Result<Value> {
    let options = options(&link.hello, change)?;
    Ok(link.ok("seek", json!({ "cmd_id": cmd_id, "options": options }))?["seek"].clone())
}

/// Wrong codes come to an end, long before one can be found.
fn wrong_codes(target: &Target) -> Check {
    const FEW: usize = 100;
    let mut anna = Link::guest(target, "Anna")?;
    let mut eve = Link::guest(target, "Eve")?;
    for number in 0..FEW {
        let body = json!({ "cmd_id": format!("g-{number}"), "code": "WRONG" });
        let error = eve.refused("join_seek", body)?;
        if error["code"] == "rate_limited" {
            ensure!(error["detail"]["retry_after_ms"].is_u64(), "{error}");
            let mut phone = Link::known(target, &eve.token())?;
            target.shows(|| {
                let body = json!({ "game": "g", "code": "WRONG" });
                phone.refuses("attach", body, "rate_limited").map(drop)
            })?;
            let body = json!({ "cmd_id": "g", "code": "WRONG" });
            anna.refuses("join_seek", body, "wrong_code")?;
            return Ok(());
        }
        ensure!(error["code"] == "wrong_code", "{error}");
    }
    anyhow::bail!("{FEW} wrong codes were answered")
}

fn seek_to_game(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let mut carla = Link::guest(target, "Carla")?;
    let seek = open(&mut anna, "open", &json!({ "seats": 3 }))?;
    ensure!(
        seek["owner"] == anna.identity() && seek["private"] == false,
        "{seek}"
    );
    ensure!(
        seek.get("code").is_none(),
        "a public seek has no code: {seek}"
    );
    ensure!(
        seek["options"]["challenge"]["window_ms"].is_u64(),
        "defaults are filled in: {seek}"
    );
    ensure!(seek["created_at"].is_u64(), "{seek}");
    let join = |cmd: &str| json!({ "cmd_id": cmd, "seek": seek["seek"] });
    let joined = ben.ok("join_seek", join("join"))?;
    ensure!(joined.get("game").is_none(), "a seat is free: {joined}");
    let members = joined["seek"]["members"].as_array().context("members")?;
    let names: Vec<&Value> = members.iter().map(|member| &member["name"]).collect();
    ensure!(names == ["Anna", "Ben"], "{names:?}");
    for link in [&mut anna, &mut ben] {
        let told = link.push(|message| {
            message[0] == "seek_changed"
                && message[2]["seek"]["members"].as_array().map(Vec::len) == Some(2)
        })?;
        ensure!(told[2]["seek"]["seek"] == seek["seek"], "{told}");
    }
    let joined = carla.ok("join_seek", join("join"))?;
    let game = joined["game"]
        .as_str()
        .context("the last seat is taken")?
        .to_owned();
    for (link, seat) in [(&mut anna, 0), (&mut ben, 1), (&mut carla, 2)] {
        let created = link.pushed("game_created")?;
        let is_so = created["game"] == game.as_str() && created["seek"] == seek["seek"];
        ensure!(is_so && created["seat"] == seat, "{created}");
    }
    Ok(())
}

fn start_early(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let seek = open(&mut anna, "open", &json!({ "seats": 4 }))?;
    let command = |cmd: &str| json!({ "cmd_id": cmd, "seek": seek["seek"] });
    anna.refuses("start_seek", command("alone"), "too_few_players")?;
    ben.ok("join_seek", command("join"))?;
    ben.refuses("start_seek", command("not-mine"), "not_the_owner")?;
    let started = anna.ok("start_seek", command("start"))?;
    ensure!(started["game"].is_string(), "{started}");
    ben.pushed("game_created")?;
    let attached = ben.ok("attach", json!({ "game": started["game"] }))?;
    ensure!(attached["seat"] == 1, "{attached}");
    let snapshot = ben.pushed("snapshot")?;
    let seats = snapshot["setup"]["seats"].as_array().map(Vec::len);
    ensure!(seats == Some(2), "as many seats as members: {snapshot}");
    ensure!(
        snapshot["setup"]["options"]["seats"] == 2,
        "{}",
        snapshot["setup"]["options"]
    );
    Ok(())
}

/// Options that no other open seek has: they contain a number unique to this case.
pub(super) fn own_options(link: &Link) -> Result<Value> {
    let identity: u64 = link
        .identity()
        .bytes()
        .map(u64::from)
        .fold(0, |hash, byte| (hash * 131 + byte) % 1_000_000);
    options(
        &link.hello,
        &json!({ "clock": { "kind": "sudden_death", "initial_ms": 1_000_000 + identity } }),
    )
}

fn quick_match(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let wanted = own_options(&anna)?;
    let opened = anna.ok("quick_match", json!({ "cmd_id": "q", "options": wanted }))?;
    ensure!(opened.get("game").is_none(), "{opened}");
    // Other options, another seek.
    let mut other = wanted.clone();
    other["challenge"] = json!({ "kind": "single" });
    let apart = ben.ok(
        "quick_match",
        json!({ "cmd_id": "other", "options": other }),
    )?;
    ensure!(apart["seek"]["seek"] != opened["seek"]["seek"], "{apart}");
    // Equal after the defaults are filled in.
    let mut full = wanted;
    full["vanish_claim_ms"] = opened["seek"]["options"]["vanish_claim_ms"].clone();
    let same = opened["seek"]["options"].clone();
    let matched = ben.ok("quick_match", json!({ "cmd_id": "same", "options": same }))?;
    ensure!(matched["game"].is_string(), "{matched}");
    ensure!(
        matched["seek"]["seek"] == opened["seek"]["seek"],
        "{matched}"
    );
    let created = anna.pushed("game_created")?;
    ensure!(
        created["game"] == matched["game"] && created["seat"] == 0,
        "{created}"
    );
    Ok(())
}

/// A second window of a player is told that the player is looking for a game already.
fn looking_once(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut window = Link::known(target, &anna.token())?;
    let wanted = own_options(&anna)?;
    let ask = |cmd_id: &str| json!({ "cmd_id": cmd_id, "options": wanted });
    let opened = anna.ok("quick_match", ask("first"))?;
    window.refuses("quick_match", ask("second"), "already_seeking")?;
    window.refuses("seek", ask("third"), "already_seeking")?;
    let mut private = ask("private");
    private["private"] = json!(true);
    window.ok("seek", private)?;
    let mut other = ask("other");
    other["options"]["challenge"] = json!({ "kind": "single" });
    window.ok("quick_match", other)?;
    anna.ok(
        "cancel_seek",
        json!({ "cmd_id": "cancel", "seek": opened["seek"]["seek"] }),
    )?;
    window.ok("quick_match", ask("again"))?;
    Ok(())
}

fn leave_and_cancel(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let seek = open(&mut anna, "open", &json!({ "seats": 3 }))?;
    let command = |cmd: &str| json!({ "cmd_id": cmd, "seek": seek["seek"] });
    ben.ok("join_seek", command("join"))?;
    let left = ben.ok("leave_seek", command("leave"))?;
    ensure!(left == json!({}), "an ok without fields: {left}");
    anna.push(|message| {
        message[0] == "seek_changed"
            && message[2]["seek"]["members"].as_array().map(Vec::len) == Some(1)
    })?;
    ben.ok("join_seek", command("again"))?;
    ben.take_pushes();
    let cancelled = anna.ok("cancel_seek", command("cancel"))?;
    ensure!(cancelled == json!({}), "an ok without fields: {cancelled}");
    let is_removal = |push: &Value| {
        push[0] == "lobby"
            && push[2]["change"] == "seek_removed"
            && push[2]["seek_id"] == seek["seek"]
    };
    ben.push(is_removal)?;
    ben.fence()?;
    ensure!(!ben.take_pushes().iter().any(is_removal), "told once");
    ben.refuses("leave_seek", command("late"), "unknown_seek")?;
    // The owner's leaving is a cancelling.
    let seek = open(&mut anna, "second", &json!({}))?;
    anna.ok(
        "leave_seek",
        json!({ "cmd_id": "go", "seek": seek["seek"] }),
    )?;
    ben.refuses(
        "join_seek",
        json!({ "cmd_id": "j", "seek": seek["seek"] }),
        "unknown_seek",
    )?;
    Ok(())
}

/// The code shows the seek to an outsider, and joins nothing.
fn find_private(outsider: &mut Link, seek: &Value, code: &str) -> Check {
    let found = outsider.ok("find_seek", json!({ "code": code }))?["seek"].clone();
    ensure!(
        found["seek"] == seek["seek"] && found["options"] == seek["options"],
        "{found}"
    );
    let members = found["members"].as_array().map(Vec::len);
    ensure!(found.get("code").is_none() && members == Some(1), "{found}");
    Ok(())
}

fn private(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let wanted = options(&anna.hello, &json!({}))?;
    let opened = anna.ok(
        "seek",
        json!({ "cmd_id": "o", "private": true, "options": wanted }),
    )?;
    let seek = &opened["seek"];
    let code = seek["code"]
        .as_str()
        .context("members see the code")?
        .to_owned();
    let listed = zoe.ok("lobby_subscribe", json!({}))?;
    let seeks = listed["seeks"].as_array().context("seeks")?;
    ensure!(
        seeks.iter().all(|other| other["seek"] != seek["seek"]),
        "it is private"
    );
    ensure!(
        seeks.iter().all(|other| other.get("code").is_none()),
        "{seeks:?}"
    );
    zoe.refuses(
        "join_seek",
        json!({ "cmd_id": "j", "seek": seek["seek"] }),
        "unknown_seek",
    )?;
    zoe.refuses(
        "join_seek",
        json!({ "cmd_id": "k", "code": "NOSUCHCODE" }),
        "wrong_code",
    )?;
    let spelled = format!(" {}-{} ", code[..2].to_lowercase(), &code[2..]);
    zoe.refuses("find_seek", json!({ "code": "NOSUCHCODE" }), "wrong_code")?;
    find_private(&mut ben, seek, &spelled)?;
    let own = anna.ok("find_seek", json!({ "code": code }))?;
    ensure!(own["seek"]["code"] == *code, "{own}");
    let joined = ben.ok("join_seek", json!({ "cmd_id": "j", "code": spelled }))?;
    let game = joined["game"].clone();
    zoe.refuses("attach", json!({ "game": game }), "code_required")?;
    zoe.refuses(
        "attach",
        json!({ "game": game, "code": "WRONG" }),
        "wrong_code",
    )?;
    let watched = zoe.ok(
        "attach",
        json!({ "game": game, "code": code.to_lowercase() }),
    )?;
    ensure!(
        watched["role"] == "spectator" && watched.get("seat").is_none(),
        "{watched}"
    );
    zoe.refuses("find_seek", json!({ "code": code }), "wrong_code")?;
    zoe.fence()?;
    let said = zoe.heard.iter().any(|message| {
        message.to_string().contains(&code)
            || message[2]["change"] == "game_started" && message[2]["game"]["game"] == game
    });
    ensure!(!said, "another client is told the code or the game");
    let live = zoe.ok("list_games", json!({ "scope": "live" }))?;
    let games = live["games"].as_array().context("games")?;
    ensure!(games.iter().all(|other| other["game"] != game), "{games:?}");
    Ok(())
}

fn subscribe(target: &Target) -> Check {
    let mut zoe = Link::guest(target, "Zoe")?;
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let known = open(&mut anna, "known", &json!({ "seats": 3 }))?;
    let lists = zoe.ok("lobby_subscribe", json!({}))?;
    let has = |list: &Value, id: &Value| {
        list.as_array()
            .is_some_and(|seeks| seeks.iter().any(|seek| seek["seek"] == *id))
    };
    ensure!(
        has(&lists["seeks"], &known["seek"]),
        "open seeks are listed"
    );
    ensure!(
        lists["games"].is_array() && lists["online"].is_u64(),
        "{lists}"
    );
    let seek = open(&mut anna, "open", &json!({}))?;
    let wait = |zoe: &mut Link, change: &str, id: Option<&Value>| -> Result<Value> {
        let push = zoe.push(|message| {
            message[0] == "lobby"
                && message[2]["change"] == change
                && id.is_none_or(|id| {
                    message[2]["seek"]["seek"] == *id
                        || message[2]["seek_id"] == *id
                        || message[2]["game"]["game"] == *id
                })
        })?;
        Ok(push[2].clone())
    };
    wait(&mut zoe, "seek_added", Some(&seek["seek"]))?;
    ben.ok("join_seek", json!({ "cmd_id": "k", "seek": known["seek"] }))?;
    wait(&mut zoe, "seek_changed", Some(&known["seek"]))?;
    let joined = ben.ok("join_seek", json!({ "cmd_id": "j", "seek": seek["seek"] }))?;
    wait(&mut zoe, "seek_removed", Some(&seek["seek"]))?;
    for link in [&mut anna, &mut ben] {
        link.ok("ready", json!({ "game": joined["game"], "cmd_id": "r" }))?;
    }
    wait(&mut zoe, "game_started", Some(&joined["game"]))?;
    ben.ok("resign", json!({ "game": joined["game"], "cmd_id": "g" }))?;
    wait(&mut zoe, "game_ended", Some(&joined["game"]))?;
    // A second subscription gets the lists again.
    let lists = zoe.ok("lobby_subscribe", json!({}))?;
    ensure!(has(&lists["seeks"], &known["seek"]));
    zoe.ok("lobby_unsubscribe", json!({}))?;
    zoe.fence()?;
    zoe.take_pushes();
    open(&mut anna, "more", &json!({}))?;
    zoe.fence()?;
    let later = zoe.take_pushes();
    ensure!(later.iter().all(|push| push[0] != "lobby"), "{later:?}");
    Ok(())
}

fn refusals(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let seek = open(&mut anna, "open", &json!({ "seats": 3 }))?;
    let command = |cmd: &str| json!({ "cmd_id": cmd, "seek": seek["seek"] });
    anna.refuses("join_seek", command("own"), "already_joined")?;
    ben.refuses("leave_seek", command("a"), "not_a_member")?;
    ben.refuses("cancel_seek", command("b"), "not_the_owner")?;
    ben.refuses("start_seek", command("c"), "not_the_owner")?;
    ben.refuses(
        "join_seek",
        json!({ "cmd_id": "d", "seek": "nosuchseek" }),
        "unknown_seek",
    )?;
    ben.refuses("join_seek", json!({ "cmd_id": "e" }), "bad_field")?;
    let both = json!({ "cmd_id": "f", "seek": seek["seek"], "code": "X" });
    ben.refuses("join_seek", both, "bad_field")?;
    // None of this changed the lobby.
    anna.fence()?;
    let pushes = anna.take_pushes();
    let changed = pushes.iter().filter(|push| push[0] == "seek_changed");
    ensure!(changed.count() <= 1, "{pushes:?}");
    ensure!(ben.take_pushes().is_empty());
    Ok(())
}

fn open_seeks(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let most = number(&link.hello["limits"], "open_seeks")?;
    if most > 50 {
        return super::super::skip("too many seeks to open");
    }
    // P-LOBBY-18: each has options of its own.
    let change = |count: u64| json!({ "vanish_claim_ms": 60_000 + count });
    for count in 0..most {
        open(&mut link, &format!("s{count}"), &change(count))?;
    }
    let one_more = options(&link.hello, &change(most))?;
    let one_more = json!({ "cmd_id": "more", "options": one_more });
    link.refuses("seek", one_more.clone(), "too_many_seeks")?;
    let first = options(&link.hello, &change(0))?;
    let first = link.ok("seek", json!({ "cmd_id": "s0", "options": first }))?;
    link.ok(
        "cancel_seek",
        json!({ "cmd_id": "c", "seek": first["seek"]["seek"] }),
    )?;
    // A refused command is judged again.
    link.ok("seek", one_more)?;
    Ok(())
}
