//! Identity: authentication of a connection.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;

/// The cases about identity.
pub const CASES: &[Case<Target>] = &[
    Case::of("auth/guest", &["P-AUTH-1"], guest),
    Case::of("auth/token", &["P-AUTH-1", "P-AUTH-4", "P-AUTH-5"], token),
    Case::of("auth/first", &["P-AUTH-2", "P-SEC-3"], first),
    Case::of("auth/unreadable", &["P-AUTH-2"], unreadable),
    Case::of("auth/none", &["P-AUTH-2"], none),
    Case::of("auth/bad-token", &["P-AUTH-6"], bad_token),
    Case::of("auth/refused", &["P-AUTH-3", "P-AUTH-6"], refused),
    Case::of("auth/twice", &["P-AUTH-7"], twice),
    Case::of("auth/two-devices", &["P-AUTH-8"], two_devices),
    Case::of("auth/names", &["P-AUTH-9", "P-AUTH-10"], names),
    Case::of("auth/bad-names", &["P-AUTH-9"], bad_names),
    Case::of(
        "auth/names-of-the-server",
        &["P-AUTH-9"],
        names_of_the_server,
    ),
    Case::of("auth/names-in-games", &["P-AUTH-10"], names_in_games),
    Case::of("auth/renew", &["P-AUTH-5", "P-AUTH-13"], renew),
];

fn guest(target: &Target) -> Check {
    let anna = Link::guest(target, "Anna")?;
    let welcome = &anna.welcome;
    ensure!(welcome["name"] == "Anna", "{welcome}");
    ensure!(welcome["games"] == json!([]), "{welcome}");
    ensure!(welcome["server_time"].is_u64(), "{welcome}");
    let token = anna.token();
    ensure!((1..=1_024).contains(&token.len()), "{welcome}");
    let identity = anna.identity();
    ensure!((1..=32).contains(&identity.len()), "{welcome}");
    let other = Link::guest(target, "Anna")?;
    ensure!(other.identity() != identity, "names are not identities");
    let mut nameless = Link::open(target)?;
    let welcome = nameless.ask("auth", json!({ "client": "conformance" }))?;
    let name = welcome[2]["name"].as_str().unwrap_or_default();
    ensure!(!name.is_empty(), "the server makes a name up: {welcome}");
    Ok(())
}

fn token(target: &Target) -> Check {
    let pair = Pair::seated(target, &json!({}))?;
    let (token, identity) = (pair.links[0].token(), pair.links[0].identity().to_owned());
    let game = pair.game.clone();
    drop(pair);
    let again = Link::known(target, &token)?;
    ensure!(again.identity() == identity, "{}", again.welcome);
    ensure!(
        again.welcome["name"] == "Anna",
        "the name stays: {}",
        again.welcome
    );
    let games = again.welcome["games"].as_array().context("games")?;
    ensure!(
        games.len() == 1 && games[0]["game"] == game.as_str(),
        "{games:?}"
    );
    // The first token stays valid, and the newest token is valid, too.
    Link::known(target, &again.token())?;
    Link::known(target, &token)?;
    Ok(())
}

fn renew(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let renewed = anna.ok("renew", json!({}))?;
    let token = renewed["token"].as_str().context("a token")?;
    if let Some(end) = renewed.get("expires_at") {
        let now = anna.ok("time", json!({}))?;
        ensure!(end.as_i64() > now["server_time"].as_i64(), "{renewed}");
    }
    let again = Link::known(target, token)?;
    ensure!(again.identity() == anna.identity(), "{}", again.welcome);
    Link::known(target, &anna.token())?;
    Ok(())
}

/// Any first request other than `auth` gets an error, and the connection ends.
fn first(target: &Target) -> Check {
    for (op, body) in [
        ("time", json!({})),
        ("list_games", json!({ "scope": "live" })),
        ("attach", json!({ "game": "g" })),
        ("resign", json!({ "game": "g", "cmd_id": "x" })),
    ] {
        let mut link = Link::open(target)?;
        let error = link.refused(op, body)?;
        ensure!(error["code"] == "not_authenticated", "{op}: {error}");
        link.closes(4000).with_context(|| op.to_owned())?;
    }
    Ok(())
}

fn unreadable(target: &Target) -> Check {
    for bytes in [&b"\x7f"[..], b"", b"{}"] {
        let mut link = Link::open(target)?;
        link.send_bytes(bytes);
        let error = link.pushed("error")?;
        ensure!(error["code"].is_string(), "{error}");
        link.closes(4000)?;
    }
    let mut link = Link::open(target)?;
    let error = link.refused("auth", json!({ "name": "Anna" }))?;
    ensure!(error["code"] == "bad_field", "client is missing: {error}");
    link.closes(4000)
}

fn none(target: &Target) -> Check {
    let mut link = Link::open(target)?;
    let within = link.hello["auth_within_ms"].as_u64().context("a time")?;
    let ended = link.ended(Duration::from_millis(within) + target.patience)?;
    ensure!(ended.code == Some(4001), "{ended}");
    Ok(())
}

fn bad_token(target: &Target) -> Check {
    let good = Link::guest(target, "Anna")?.token();
    let mut forged = good.clone();
    let last = if forged.pop() == Some('A') { 'B' } else { 'A' };
    forged.push(last);
    // Some bits of the last letter of base64 can be unused; all bits of a letter in the middle are used.
    let middle = forged.len() - 10;
    let other = if &forged[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    forged.replace_range(middle..=middle, other);
    for token in ["forged", "", "a.b.c", &forged] {
        let mut link = Link::open(target)?;
        let error = link.refused("auth", json!({ "token": token, "client": "conformance" }))?;
        ensure!(error["code"] == "bad_token", "{token}: {error}");
        ensure!(error["retryable"] == false, "{error}");
        link.closes(4002)?;
    }
    Link::known(target, &good)?;
    Ok(())
}

/// The server drops requests after a refused `auth`.
fn refused(target: &Target) -> Check {
    let mut link = Link::open(target)?;
    let auth = link.send(
        "auth",
        json!({ "name": "\u{202e}", "client": "conformance" }),
    );
    link.send("time", json!({}));
    let error = link.answer(auth)?;
    ensure!(error[2]["code"] == "bad_name", "{error}");
    let before = link.heard.len();
    link.closes(4000)?;
    ensure!(link.heard.len() == before, "{:?}", &link.heard[before..]);
    Ok(())
}

fn twice(target: &Target) -> Check {
    let other = Link::guest(target, "Ben")?.token();
    let mut link = Link::guest(target, "Anna")?;
    link.refuses(
        "auth",
        json!({ "client": "conformance" }),
        "already_authenticated",
    )?;
    let body = json!({ "token": other, "name": "Ben", "client": "conformance" });
    link.refuses("auth", body, "already_authenticated")?;
    let again = Link::known(target, &link.token())?;
    ensure!(again.welcome["name"] == "Anna", "{}", again.welcome);
    Ok(())
}

/// Both devices of a player get the notice of a new game; each receives only the games it attached to.
fn two_devices(target: &Target) -> Check {
    let mut phone = Link::guest(target, "Anna")?;
    let mut desk = Link::known(target, &phone.token())?;
    let mut ben = Link::guest(target, "Ben")?;
    let options = crate::pair::options(&phone.hello, &json!({}))?;
    let opened = phone.ok("seek", json!({ "cmd_id": "open", "options": options }))?;
    desk.pushed("seek_changed")?;
    let joined = ben.ok(
        "join_seek",
        json!({ "cmd_id": "j", "seek": opened["seek"]["seek"] }),
    )?;
    let game = joined["game"].clone();
    for link in [&mut phone, &mut desk] {
        let created = link.pushed("game_created")?;
        ensure!(created["game"] == game && created["seat"] == 0, "{created}");
    }
    phone.ok("attach", json!({ "game": game, "seq": 0 }))?;
    // The other device acts without being attached, and only the first device receives the event.
    desk.ok("ready", json!({ "game": game, "cmd_id": "here" }))?;
    phone.push(|message| message[2]["kind"] == "seat_ready")?;
    desk.fence()?;
    ensure!(
        !desk.heard.iter().any(|message| message[0] == "event"),
        "not attached"
    );
    let error = phone.refused("ready", json!({ "game": game, "cmd_id": "too" }))?;
    ensure!(error["code"] == "already_ready", "{error}");
    Ok(())
}

fn names(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for (name, shown) in [
        ("Ben", "Ben"),
        ("  Anna   Lena  ", "Anna Lena"),
        // Wide letters and a composed accent.
        ("\u{ff21}\u{ff4e}\u{ff4e}\u{ff41}", "Anna"),
        ("Zoe\u{308}", "Zo\u{eb}"),
        ("7", "7"),
        (&"x".repeat(24), &"x".repeat(24)),
    ] {
        let renamed = link.ok("rename", json!({ "name": name }))?;
        ensure!(renamed["name"] == shown, "{name:?} is shown as {renamed}");
    }
    Ok(())
}

fn bad_names(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for name in [
        "",
        " ",
        "...",
        "\u{202e}anna",
        "an\u{200b}na",
        "a\u{7}b",
        &"x".repeat(25),
        &"\u{e4}".repeat(25),
    ] {
        let error = link.refused("rename", json!({ "name": name }))?;
        let code = error["code"].as_str().unwrap_or_default();
        ensure!(
            ["bad_name", "too_large", "bad_field"].contains(&code),
            "{name:?}: {error}"
        );
    }
    let again = Link::known(target, &link.token())?;
    ensure!(again.welcome["name"] == "Anna", "{}", again.welcome);
    Ok(())
}

fn names_of_the_server(target: &Target) -> Check {
    for name in [
        "admin",
        "Moderator",
        "operator",
        "SYSTEM",
        "house bot",
        "Club bot",
        // The first letter is Cyrillic.
        "\u{430}dmin",
    ] {
        let mut link = Link::guest(target, "Anna")?;
        let error = link.refused("rename", json!({ "name": name }))?;
        ensure!(error["code"] == "bad_name", "{name:?}: {error}");
        let mut link = Link::open(target)?;
        let auth = json!({ "name": name, "client": "conformance" });
        let error = link.refused("auth", auth)?;
        ensure!(error["code"] == "bad_name", "{name:?}: {error}");
    }
    Ok(())
}

fn names_in_games(target: &Target) -> Check {
    let mut pair = Pair::seated(target, &json!({}))?;
    pair.links[0].ok("rename", json!({ "name": "Somebody" }))?;
    pair.attach_all()?;
    pair.begin()?;
    let seats = &pair.folds[1].setup["seats"];
    ensure!(seats[0]["name"] == "Anna", "{seats}");
    Ok(())
}
