//! Attach and resume from every position of a game.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;
use tilewire_oracle::{Fold, number};

/// The cases about resuming.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "resume/from-every-position",
        &["P-RESUME-2", "P-RESUME-3", "P-RESUME-4", "P-RESUME-11"],
        every_position,
    ),
    Case::of(
        "resume/without-position",
        &["P-RESUME-1", "P-RESUME-2", "P-SNAP-1"],
        without_position,
    ),
    Case::of("resume/from-beyond", &["P-RESUME-2"], beyond),
    Case::of(
        "resume/other-epoch",
        &["P-RESUME-2", "P-RESUME-12"],
        other_epoch,
    ),
    Case::of("resume/half-a-position", &["P-RESUME-2"], half_a_position),
    Case::of("resume/unknown-game", &["P-RESUME-1"], unknown_game),
    Case::of("resume/twice-on-one-connection", &["P-RESUME-6"], twice),
    Case::of("resume/detach", &["P-RESUME-7", "P-RESUME-8"], detach),
    Case::of(
        "resume/all-at-once",
        &["P-RESUME-9", "P-CMD-2", "P-AUTH-3"],
        all_at_once,
    ),
    Case::of("resume/game-goes-on", &["P-RESUME-8", "P-CLOSE-4"], goes_on),
    Case::of("resume/ended-game", &["P-RESUME-2", "P-SNAP-1"], ended_game),
    Case::of("resume/after-the-answer", &["P-RESUME-3"], after_the_answer),
];

/// A game of some turns. The folds of the pair have all of its events.
fn played(target: &Target) -> Result<Pair> {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    pair.pass()?;
    pair.pass()?;
    pair.catch_up()?;
    Ok(pair)
}

/// Attaches a new connection of seat 0 with this position; returns the answer and the messages up to the fence.
fn attached(pair: &Pair, position: Value) -> Result<(Value, Vec<Value>)> {
    let mut link = Link::known(&pair.target, &pair.links[0].token())?;
    let mut body = position;
    body["game"] = json!(pair.game);
    let before = link.heard.len();
    let from = body["seq"].as_u64().unwrap_or(0);
    let answer = link.ok("attach", body)?;
    let head = number(&answer, "head")?;
    if answer["outcome"] == "snapshot" {
        link.push(|message| message[0] == "snapshot")?;
    } else if from < head {
        link.push(|message| message[0] == "event" && message[2]["seq"] == head)?;
    }
    // Any further message would arrive before a second answer or shortly after it.
    link.fence()?;
    link.listen(Duration::from_millis(20))?;
    let is_stream = |message: &&Value| message[0] == "event" || message[0] == "snapshot";
    let after = link.heard[before..]
        .iter()
        .filter(is_stream)
        .cloned()
        .collect();
    Ok((answer, after))
}

fn epoch(pair: &Pair) -> Result<u64> {
    let (answer, _) = attached(pair, json!({}))?;
    number(&answer, "epoch")
}

fn every_position(target: &Target) -> Check {
    let pair = played(target)?;
    let (epoch, known) = (epoch(&pair)?, pair.folds[0].events.clone());
    let head = known.len();
    let mut positions: Vec<(Value, usize)> = (0..=head)
        .step_by(3)
        .chain([1, head - 1, head])
        .map(|seq| (json!({ "epoch": epoch, "seq": seq }), seq))
        .collect();
    positions.push((json!({ "seq": 0 }), 0));
    for (position, seq) in positions {
        let (answer, came) = attached(&pair, position.clone())?;
        ensure!(answer["head"] == head as u64, "{position}: {answer}");
        ensure!(
            answer["epoch"] == epoch && answer["role"] == "player" && answer["seat"] == 0,
            "{answer}"
        );
        match answer["outcome"].as_str() {
            Some("events") => {
                let bodies: Vec<&Value> = came.iter().map(|message| &message[2]).collect();
                let wanted: Vec<&Value> = known[seq..].iter().collect();
                ensure!(
                    bodies == wanted,
                    "{position}: exactly the missing events: {came:?}"
                );
            }
            Some("snapshot") => {
                ensure!(
                    came.len() == 1 && came[0][0] == "snapshot",
                    "{position}: {came:?}"
                );
                pair.folds[0].check(&came[0][2])?;
            }
            _ => anyhow::bail!("{position}: {answer}"),
        }
    }
    // A client at the end of the log needs neither events nor a snapshot.
    let (answer, came) = attached(&pair, json!({ "epoch": epoch, "seq": head }))?;
    ensure!(
        answer["outcome"] == "events" && came.is_empty(),
        "{answer} {came:?}"
    );
    Ok(())
}

fn without_position(target: &Target) -> Check {
    let mut pair = played(target)?;
    let (answer, came) = attached(&pair, json!({}))?;
    ensure!(answer["outcome"] == "snapshot", "{answer}");
    ensure!(came.len() == 1 && came[0][0] == "snapshot", "{came:?}");
    let snapshot = &came[0][2];
    ensure!(
        snapshot["epoch"] == answer["epoch"] && snapshot["seq"] == answer["head"],
        "{answer}"
    );
    ensure!(
        snapshot["role"] == "player" && snapshot["seat"] == 0,
        "{snapshot}"
    );
    pair.folds[0].check(snapshot)?;
    // The next event has the next number.
    let mut link = Link::known(target, &pair.links[0].token())?;
    link.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = link.pushed("snapshot")?;
    pair.pass()?;
    let next = link.pushed("event")?;
    ensure!(
        number(&next, "seq")? == number(&snapshot, "seq")? + 1,
        "{next}"
    );
    Ok(())
}

fn beyond(target: &Target) -> Check {
    let pair = played(target)?;
    let epoch = epoch(&pair)?;
    for seq in [pair.folds[0].seq + 1, 1_000_000, (1 << 53) - 1] {
        let (answer, came) = attached(&pair, json!({ "epoch": epoch, "seq": seq }))?;
        ensure!(
            answer["outcome"] == "snapshot" && came.len() == 1,
            "{seq}: {answer}"
        );
    }
    Ok(())
}

fn other_epoch(target: &Target) -> Check {
    let pair = played(target)?;
    let epoch = epoch(&pair)?;
    for other in [epoch + 1, epoch - 1, 1] {
        let (answer, came) = attached(&pair, json!({ "epoch": other, "seq": 3 }))?;
        // A server may send the next events if it knows that this incarnation begins with the events of the older one.
        if answer["outcome"] == "events" {
            ensure!(
                came.first().is_some_and(|event| event[2]["seq"] == 4),
                "{came:?}"
            );
        } else {
            ensure!(
                came.len() == 1 && came[0][0] == "snapshot",
                "{other}: {answer}"
            );
        }
    }
    let (answer, _) = attached(&pair, json!({ "epoch": epoch + 1, "seq": 3 }))?;
    ensure!(
        answer["outcome"] == "snapshot",
        "an incarnation that never was: {answer}"
    );
    Ok(())
}

fn half_a_position(target: &Target) -> Check {
    let pair = played(target)?;
    let mut link = Link::known(target, &pair.links[0].token())?;
    for half in [json!({ "epoch": 1 }), json!({ "seq": 3 })] {
        let mut body = half.clone();
        body["game"] = json!(pair.game);
        let answer = link.ask("attach", body)?;
        // The server refuses half a position, or treats it as no position.
        let is_so = answer[2]["code"] == "bad_field" || answer[2]["outcome"] == "snapshot";
        ensure!(is_so, "{half}: {answer}");
    }
    Ok(())
}

fn unknown_game(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for game in ["nosuchgame", "g", "../etc", "ж"] {
        link.refuses("attach", json!({ "game": game }), "unknown_game")?;
        link.refuses(
            "attach",
            json!({ "game": game, "epoch": 1, "seq": 1 }),
            "unknown_game",
        )?;
    }
    let error = link.refused("attach", json!({ "game": "x".repeat(33) }))?;
    ensure!(
        ["bad_field", "too_large", "unknown_game"].contains(&error["code"].as_str().unwrap_or("")),
        "{error}"
    );
    Ok(())
}

fn twice(target: &Target) -> Check {
    let mut pair = played(target)?;
    let game = pair.game.clone();
    let head = pair.folds[0].seq;
    let mut link = Link::known(target, &pair.links[0].token())?;
    let first = link.ok("attach", json!({ "game": game, "seq": 0 }))?;
    link.push(|message| message[0] == "event" && message[2]["seq"] == head)?;
    link.take_pushes();
    let from = json!({ "game": game, "epoch": first["epoch"], "seq": head - 2 });
    let again = link.ok("attach", from)?;
    let is_last = |message: &Value| message[0] == "event" && message[2]["seq"] == head;
    link.push(|message| message[0] == "snapshot" || is_last(message))?;
    let before = link.heard.len();
    let at = link.heard.iter().rposition(|message| message[2] == again);
    let came = seqs(&link.heard[at.context("it was answered")?..]);
    ensure!(
        again["outcome"] == "snapshot" || came == [head - 1, head],
        "{again} {came:?}"
    );
    // From here on each event arrives once.
    let passed = pair.pass()?;
    let head = pair.head()?;
    link.push(|message| message[0] == "event" && message[2]["seq"] == head)?;
    let came = seqs(&link.heard[before..]);
    let wanted: Vec<u64> = (passed..=head).collect();
    ensure!(came == wanted, "{came:?}, not {wanted:?}");
    Ok(())
}

/// The numbers of the events among these messages.
fn seqs(messages: &[Value]) -> Vec<u64> {
    let events = messages.iter().filter(|message| message[0] == "event");
    events
        .filter_map(|event| event[2]["seq"].as_u64())
        .collect()
}

fn detach(target: &Target) -> Check {
    let mut pair = played(target)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let attached = zoe.ok("attach", json!({ "game": pair.game }))?;
    ensure!(attached["role"] == "spectator", "{attached}");
    let answer = zoe.ok("detach", json!({ "game": pair.game }))?;
    ensure!(answer["game"] == pair.game.as_str(), "{answer}");
    // No message of the game follows the answer; earlier messages may still arrive before it.
    zoe.take_pushes();
    pair.pass()?;
    pair.head()?;
    zoe.fence()?;
    zoe.listen(Duration::from_millis(50))?;
    let came = zoe.take_pushes();
    ensure!(
        came.iter()
            .all(|push| push[2]["game"] != pair.game.as_str()),
        "{came:?}"
    );
    Ok(())
}

/// After a lost connection a client sends `auth`, `attach` and the repeated command in one go.
fn all_at_once(target: &Target) -> Check {
    let mut pair = played(target)?;
    let epoch = epoch(&pair)?;
    let seq = pair.folds[0].seq;
    let (seat, turn_no) = pair.turn()?;
    let token = pair.links[seat].token();
    // The client sends the pass, and loses the connection before it reads the answer.
    let pass = pair.body(json!({ "turn_no": turn_no, "cmd_id": "lost" }));
    pair.links[seat].send("pass", pass.clone());
    pair.links[seat].raw.cut();
    let mut link = Link::open(target)?;
    let auth = link.send("auth", json!({ "token": token, "client": "conformance" }));
    let attach = link.send(
        "attach",
        json!({ "game": pair.game, "epoch": epoch, "seq": seq }),
    );
    let again = link.send("pass", pass);
    ensure!(link.answer(auth)?[0] == "welcome");
    let attached = link.answer(attach)?;
    ensure!(attached[2]["outcome"] == "events", "{attached}");
    let passed = link.answer(again)?;
    ensure!(passed[0] == "ok" && passed[2]["seq"] == seq + 1, "{passed}");
    let mut fold = pair.folds[seat].clone();
    while fold.turn_no <= turn_no {
        let event = link.pushed("event")?;
        fold.event(&event)?;
    }
    Ok(())
}

fn goes_on(target: &Target) -> Check {
    let change = json!({ "clock": { "kind": "sudden_death", "initial_ms": 1_000 } });
    let mut pair = Pair::start(target, &change)?;
    let token = pair.links[0].token();
    for link in &pair.links {
        link.raw.cut();
    }
    pair.links.clear();
    let mut link = Link::known(target, &token)?;
    link.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    let mut fold = Fold::new(Some(0));
    while !fold.is_over() {
        let event = link.pushed("event")?;
        fold.event(&event)?;
    }
    let ended = fold.events.last().context("the end")?;
    ensure!(
        ended["reason"] == "time",
        "the flag falls all the same: {ended}"
    );
    Ok(())
}

fn ended_game(target: &Target) -> Check {
    let mut pair = played(target)?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let (answer, came) = attached(&pair, json!({}))?;
    ensure!(answer["outcome"] == "snapshot", "{answer}");
    pair.folds[0].check(&came[0][2])?;
    let (answer, came) = attached(&pair, json!({ "seq": 0 }))?;
    if answer["outcome"] == "events" {
        ensure!(
            came.len() as u64 == pair.folds[0].seq,
            "{} events",
            came.len()
        );
    }
    Ok(())
}

/// The answer of an `attach` comes before everything that follows from it, however busy the game is.
fn after_the_answer(target: &Target) -> Check {
    let mut pair = played(target)?;
    for _ in 0..3 {
        let (seat, turn_no) = pair.turn()?;
        let mut link = Link::known(target, &pair.links[seat].token())?;
        let before = link.heard.len();
        let pass = pair.body(json!({ "turn_no": turn_no }));
        let attach = link.send("attach", json!({ "game": pair.game }));
        let pass = link.send("pass", pass);
        link.answer(attach)?;
        ensure!(link.answer(pass)?[0] == "ok");
        pair.all_until(|fold| fold.turn_no > turn_no || fold.is_over())?;
        let head = pair.head()?;
        let is_last = |message: &Value| message[0] == "event" && message[2]["seq"] == head;
        if !link.heard.iter().any(is_last) {
            link.push(is_last).context("the last event")?;
        }
        let heard = &link.heard[before..];
        let at = |op: &str| heard.iter().position(|message| message[0] == op);
        let answered = heard
            .iter()
            .position(|message| message[1] == attach)
            .context("it was answered")?;
        let snapshot = at("snapshot").context("a snapshot follows")?;
        ensure!(answered < snapshot, "{heard:?}");
        ensure!(
            at("event").is_none_or(|event| snapshot < event),
            "{heard:?}"
        );
        let mut seq = number(&heard[snapshot][2], "seq")?;
        for event in heard.iter().filter(|message| message[0] == "event") {
            seq += 1;
            ensure!(event[2]["seq"] == seq, "{event}");
        }
        if pair.folds[0].is_over() {
            break;
        }
    }
    Ok(())
}
