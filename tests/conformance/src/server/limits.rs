//! Limits: the server enforces the numbers that `hello` announces.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::raw::{FIN, MASK, frame};
use super::super::{Case, Check, Target, now, skip};
use crate::link::Link;
use crate::pair::{Pair, listen_to, options};
use tilewire_oracle::{Fold, number};

/// The cases about limits.
pub const CASES: &[Case<Target>] = &[
    Case::of("limits/rate", &["P-LIM-3", "P-LIM-2", "P-ERR-4"], rate),
    Case::of("limits/flood", &["P-LIM-3", "P-CLOSE-1"], flood),
    Case::of("limits/nonsense", &["P-MSG-17", "P-CLOSE-1"], nonsense),
    Case::of("limits/texts", &["P-LIM-1"], texts),
    Case::of("limits/requests-in-flight", &["P-LIM-4"], in_flight),
    Case::of("limits/attached-games", &["P-LIM-4"], attached),
    Case::of(
        "limits/connections-of-one",
        &["P-AUTH-6", "P-CLOSE-1", "P-CLOSE-5"],
        connections,
    ),
    Case::of(
        "limits/slow-reader",
        &["P-PUSH-5", "P-CLOSE-4"],
        slow_reader,
    ),
    Case::of("limits/silence", &["P-CONN-5", "P-CLOSE-1"], silence),
];

/// The bytes of many `time` requests.
fn times(target: &Target, ids: Range<u64>) -> Vec<u8> {
    ids.flat_map(|id| {
        let bytes = super::time_request(target, id);
        frame(FIN | target.encoding.opcode(), &bytes, Some(MASK))
    })
    .collect()
}

fn burst(link: &Link) -> Result<u64> {
    let burst = number(&link.hello["limits"], "message_burst")?;
    if burst > 2_000 {
        return skip("the server takes too many messages at once");
    }
    Ok(burst)
}

/// The server refuses each message beyond the burst, under its own id, and accepts messages again later.
fn rate(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let burst = burst(&link)?;
    // Fewer than the hundred refusals after which the server closes a connection.
    let beyond = 60;
    let mut next = 100 + burst + beyond;
    let mut refused = refused_of(target, &mut link, 100..next)?;
    // `auth` was part of the burst; the server allowed a few more messages while they arrived.
    ensure!(
        refused <= beyond + 1,
        "{refused} of {} are refused",
        burst + beyond
    );
    // The bucket of a slow server fills while it reads: a few more rounds empty it.
    let until = now() + target.patience;
    while refused == 0 {
        ensure!(now() < until, "the server takes everything");
        refused = refused_of(target, &mut link, next..next + beyond)?;
        next += beyond;
    }
    link.listen(Duration::from_secs(1))?;
    link.fence()?;
    Ok(())
}

/// Sends a request under each id at once; the number of those that the server refuses because there are too many.
fn refused_of(target: &Target, link: &mut Link, ids: Range<u64>) -> Result<u64> {
    ids.clone().for_each(|id| link.expect(id));
    link.raw.write(&times(target, ids.clone()));
    let mut refused = 0;
    for id in ids {
        let answer = link.answer(id)?;
        if answer[0] == "ok" {
            continue;
        }
        ensure!(answer[0] == "error", "{answer}");
        ensure!(answer[2]["code"] == "rate_limited", "{answer}");
        ensure!(answer[2]["retryable"] == true, "{answer}");
        let after = answer[2]["detail"].get("retry_after_ms");
        ensure!(
            after.is_none_or(|ms| ms.as_u64().is_some_and(|ms| ms > 0)),
            "{answer}"
        );
        refused += 1;
    }
    Ok(refused)
}

fn flood(target: &Target) -> Check {
    let mut other = Link::guest(target, "bystander")?;
    let mut link = Link::guest(target, "Anna")?;
    let count = burst(&link)? + 1_000;
    (100..100 + count).for_each(|id| link.expect(id));
    // The server stops reading in the middle, so it does not matter whether the socket takes the rest.
    link.raw.try_write(&times(target, 100..100 + count));
    let ended = link.ended(target.patience)?;
    ensure!(ended.code == Some(4004) || !ended.said, "{ended}");
    let refused = link
        .heard
        .iter()
        .filter(|message| message[2]["code"] == "rate_limited");
    ensure!(refused.count() > 0, "it was warned");
    ensure!(ended.said || link.heard.len() > 100, "{ended}");
    other.fence().context("another connection is disturbed")?;
    Ok(())
}

fn nonsense(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let rate = number(&link.hello["limits"], "messages_per_second")?;
    let burst = burst(&link)?;
    if rate < 10 {
        return skip("the server takes too few messages");
    }
    let began = now();
    for sent in 0.. {
        ensure!(
            began.elapsed() < Duration::from_secs(30),
            "nonsense goes on for ever"
        );
        link.send_bytes(b"\x7f");
        if sent % burst.min(20) == 0 && link.listen(Duration::from_millis(20)).is_err() {
            break;
        }
    }
    let ended = link.ended(target.patience)?;
    ensure!(matches!(ended.code, Some(1002 | 4004)), "{ended}");
    Ok(())
}

fn texts(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let play = |start: &str, tiles: Vec<String>| json!({ "game": "nosuchgame", "cmd_id": "x", "turn_no": 1, "start": start, "tiles": tiles });
    let faces = |count: usize| vec!["A".to_owned(); count];
    link.refuses("play", play("8H", faces(32)), "unknown_game")?;
    link.refuses("play", play("8H", vec!["x".repeat(16)]), "unknown_game")?;
    for (op, body) in [
        ("play", play("8H", faces(33))),
        ("play", play("8H", vec!["x".repeat(17)])),
        ("play", play("88888", faces(2))),
        ("attach", json!({ "game": "g", "code": "x".repeat(33) })),
        ("rule_set", json!({ "rule_set": "x".repeat(65) })),
        ("rename", json!({ "name": "x".repeat(2_000) })),
    ] {
        let error = link.refused(op, body.clone())?;
        let code = error["code"].as_str().unwrap_or_default();
        ensure!(
            ["too_large", "bad_field", "bad_name"].contains(&code),
            "{op} {body}: {error}"
        );
    }
    let mut other = Link::open(target)?;
    let error = other.refused("auth", json!({ "client": "x".repeat(65) }))?;
    ensure!(
        ["too_large", "bad_field"].contains(&error["code"].as_str().unwrap_or("")),
        "{error}"
    );
    let mut other = Link::open(target)?;
    let error = other.refused("auth", json!({ "client": "c", "token": "x".repeat(1_025) }))?;
    ensure!(
        ["too_large", "bad_field", "bad_token"].contains(&error["code"].as_str().unwrap_or("")),
        "{error}"
    );
    Ok(())
}

/// Three players and the games in which all of them play.
struct Tables {
    links: Vec<Link>,
    games: Vec<String>,
}

fn tables(target: &Target, count: u64) -> Result<Tables> {
    let mut links = Vec::new();
    for name in ["Anna", "Ben", "Carla"] {
        links.push(Link::guest(target, name)?);
    }
    let wanted = options(&links[0].hello, &json!({ "seats": 3 }))?;
    let mut games = Vec::new();
    for number in 0..count {
        let opened = links[0].ok(
            "seek",
            json!({ "cmd_id": format!("o{number}"), "options": wanted }),
        )?;
        let mut game = Value::Null;
        for link in &mut links[1..] {
            let join = json!({ "cmd_id": format!("j{number}"), "seek": opened["seek"]["seek"] });
            game = link.ok("join_seek", join)?["game"].clone();
        }
        let game = game.as_str().context("a game")?.to_owned();
        for link in &mut links {
            link.ok(
                "ready",
                json!({ "game": game, "cmd_id": format!("r{number}") }),
            )?;
        }
        games.push(game);
        pace(&mut links)?;
    }
    Ok(Tables { links, games })
}

/// Waits until the rate limit allows a few more messages.
fn pace(links: &mut [Link]) -> Check {
    let rate = number(&links[0].hello["limits"], "messages_per_second")?;
    let within = if rate < 1_000 { 4_000 / rate.max(1) } else { 1 };
    rest(links, Duration::from_millis(within))
}

fn rest(links: &mut [Link], within: Duration) -> Check {
    let mut links: Vec<&mut Link> = links.iter_mut().collect();
    listen_to(&mut links, within)
}

/// Turns that wait for a challenge keep their requests open; the server refuses a request beyond the limit at once.
fn in_flight(target: &Target) -> Check {
    let limits = Link::open(target)?.hello["limits"].clone();
    let most = number(&limits, "requests_in_flight")?;
    if most > 40 {
        return skip("the server takes too many requests at once");
    }
    let Tables { mut links, games } = tables(target, most)?;
    // After a pause, the rate limit allows all plays within the five seconds that a turn waits.
    rest(&mut links, Duration::from_secs(4))?;
    let mut waiting = Vec::new();
    for (game, number) in games.iter().zip(0..) {
        let drawn = links[0].ask("attach", json!({ "game": game }))?;
        ensure!(drawn[0] == "ok", "{drawn}");
        let snapshot = links[0]
            .push(|message| message[0] == "snapshot" && message[2]["game"] == game.as_str())?;
        let rack = tilewire_oracle::texts(&snapshot[2]["seats"][0]["rack"])?;
        let letters: Vec<&String> = rack.iter().filter(|face| *face != "?").take(2).collect();
        let play = json!({ "game": game, "cmd_id": format!("p{number}"), "turn_no": 1, "start": "8H", "tiles": letters });
        links[0].ok("play", play)?;
        let pass = json!({ "game": game, "cmd_id": format!("w{number}"), "turn_no": 2 });
        waiting.push(links[1].send("pass", pass));
    }
    let answer = links[1].ask("time", json!({}))?;
    ensure!(
        answer[2]["code"] == "busy" && answer[2]["retryable"] == true,
        "{answer}"
    );
    for id in waiting {
        ensure!(links[1].answer(id)?[0] == "ok");
    }
    links[1].fence()?;
    Ok(())
}

fn attached(target: &Target) -> Check {
    let limits = Link::open(target)?.hello["limits"].clone();
    let most = number(&limits, "attached_games")?;
    if most > 64 {
        return skip("the server lets a connection attach to too many games");
    }
    // One game above the limit of attached games per connection. The players may have that many games.
    let mut games = Vec::new();
    while (games.len() as u64) <= most {
        let count = (most + 1 - games.len() as u64).min(33);
        games.extend(tables(target, count)?.games);
    }
    let mut zoe = Link::guest(target, "Zoe")?;
    for game in games.iter().take(usize::try_from(most)?) {
        zoe.ok("attach", json!({ "game": game }))?;
    }
    let last = games.last().context("a game")?;
    zoe.listen(Duration::from_millis(500))?;
    zoe.refuses("attach", json!({ "game": last }), "too_many_attached")?;
    zoe.ok("attach", json!({ "game": games[0] }))
        .context("a game it has already")?;
    zoe.ok("detach", json!({ "game": games[0] }))?;
    zoe.ok("attach", json!({ "game": last }))?;
    Ok(())
}

fn connections(target: &Target) -> Check {
    let mut links = vec![Link::guest(target, "Anna")?];
    let token = links[0].token();
    for _ in 0..200 {
        let mut link = Link::open(target)?;
        let id = link.send("auth", json!({ "token": token, "client": "conformance" }));
        match link.answer(id) {
            Ok(welcome) => ensure!(welcome[0] == "welcome", "{welcome}"),
            Err(_) => {
                link.closes(4007)?;
                links[0].fence()?;
                return Ok(());
            }
        }
        links.push(link);
    }
    skip("the server takes too many connections of one identity")
}

/// The server disconnects a client that requests much and reads nothing. After a reconnect the client gets every event.
fn slow_reader(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    for _ in 0..12 {
        let (seat, _) = pair.turn()?;
        let play = pair.good_play(seat)?;
        let play_id = pair.play(play)?;
        pair.ok(1 - seat, "accept", json!({ "play_id": play_id }))?;
    }
    let whole = pair.links[0]
        .heard
        .iter()
        .map(|message| message.to_string().len())
        .sum::<usize>() as u64;
    let (token, game) = (pair.links[0].token(), pair.game.clone());
    let head = pair.head()?;
    drop(pair);
    let mut deaf = Link::known(target, &token)?;
    let request = target
        .encoding
        .encode(&json!(["attach", 1, { "game": game, "seq": 0 }]));
    let bytes = frame(FIN | target.encoding.opcode(), &request, Some(MASK));
    let limits = deaf.hello["limits"].clone();
    let (rate, burst) = (
        number(&limits, "messages_per_second")?,
        number(&limits, "message_burst")?,
    );
    // More bytes than the buffers of the two sockets and of the server can hold.
    let needed = 32 * 1024 * 1024 / whole;
    if needed > burst + rate * 50 {
        return skip("the server takes too few messages for its buffers to be filled");
    }
    let began = now();
    let mut sent = 0;
    while sent < needed {
        let may = burst / 2 + rate * u64::try_from(began.elapsed().as_millis())? / 1_100;
        if sent >= may {
            std::thread::park_timeout(Duration::from_millis(5));
            continue;
        }
        if !deaf.raw.try_write(&bytes) {
            break;
        }
        sent += 1;
    }
    let ended = deaf.raw.ended(target.patience + Duration::from_secs(30))?;
    ensure!(
        matches!(ended.code, None | Some(4003)),
        "{ended} after {sent} requests"
    );
    let mut again = Link::known(target, &token)?;
    let answer = again.ok("attach", json!({ "game": game, "seq": 0 }))?;
    ensure!(answer["head"] == head, "{answer}");
    let mut fold = Fold::new(Some(0));
    while fold.seq < head {
        let event = again.push(|message| message[0] == "event")?;
        fold.event(&event[2])?;
    }
    Ok(())
}

fn silence(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let beat = number(&link.hello, "heartbeat_ms")?;
    // Answers to pings show that the client is alive, too.
    let began = now();
    while began.elapsed() < Duration::from_millis(4 * beat).min(Duration::from_secs(60)) {
        link.listen(Duration::from_millis(beat / 2))?;
    }
    link.fence()
        .context("pings that are answered keep a connection")?;
    // From here on the client answers nothing.
    let ended = link
        .raw
        .ended(Duration::from_millis(4 * beat) + target.patience)?;
    ensure!(ended.code == Some(4005), "{ended}");
    Ok(())
}
