//! Challenge windows: which seats may act, for how long, and with which result.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::pair::Pair;
use tilewire_oracle::number;

/// The cases about challenges.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "challenges/upheld",
        &["P-CHAL-7", "P-CHAL-8", "P-CHAL-1"],
        upheld,
    ),
    Case::of(
        "challenges/failed-single",
        &["P-CHAL-9", "P-CHAL-10"],
        failed_single,
    ),
    Case::of(
        "challenges/failed-double",
        &["P-CHAL-9", "P-CHAL-10"],
        failed_double,
    ),
    Case::of("challenges/failed-points", &["P-CHAL-10"], failed_points),
    Case::of(
        "challenges/failed-triple",
        &["P-CHAL-10", "P-EVENT-8"],
        failed_triple,
    ),
    Case::of(
        "challenges/closed-by-acceptance",
        &["P-CHAL-2", "P-CHAL-3", "P-EVENT-5"],
        by_acceptance,
    ),
    Case::of(
        "challenges/closed-by-turn",
        &["P-CHAL-2", "P-GAME-2", "P-EVENT-9"],
        by_turn,
    ),
    Case::of(
        "challenges/closed-by-timer",
        &["P-CHAL-2", "P-GAME-6"],
        by_timer,
    ),
    Case::of(
        "challenges/not-closed-by-refusal",
        &["P-CHAL-2"],
        not_by_refusal,
    ),
    Case::of("challenges/hold", &["P-CHAL-4", "P-CHAL-5"], hold),
    Case::of(
        "challenges/hold-ends-by-challenge",
        &["P-CHAL-5"],
        hold_challenge,
    ),
    Case::of(
        "challenges/hold-ends-at-its-limit",
        &["P-CHAL-4", "P-CHAL-5", "P-GAME-6"],
        hold_limit,
    ),
    Case::of(
        "challenges/consent-withdrawn",
        &["P-CHAL-6", "P-CHAL-7"],
        withdrawn,
    ),
    Case::of("challenges/consent-stood", &["P-CHAL-6", "P-CHAL-7"], stood),
    Case::of(
        "challenges/consent-silence",
        &["P-CHAL-6", "P-GAME-6"],
        silence,
    ),
];

fn with(challenge: &Value) -> Value {
    json!({ "challenge": challenge })
}

/// A game in which seat 0 has just made a play that is none.
fn phony(target: &Target, challenge: &Value) -> Result<(Pair, u64)> {
    let mut pair = Pair::start(target, &with(challenge))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    Ok((pair, play_id))
}

/// A game in which seat 0 has just made a good play.
fn good(target: &Target, challenge: &Value) -> Result<(Pair, u64)> {
    let mut pair = Pair::start(target, &with(challenge))?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    Ok((pair, play_id))
}

fn upheld(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double" }))?;
    let made = pair.happened("play_made")?;
    ensure!(
        [json!([1]), Value::Null].contains(&made["window"]["eligible"]),
        "{made}"
    );
    ensure!(
        made["owed"] == 3,
        "tiles are drawn when the window closes: {made}"
    );
    let before = pair.folds[0].turn_no;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    ensure!(
        decided["upheld"] == true && decided["withdrawn"] == false,
        "{decided}"
    );
    ensure!(
        decided["bad_words"]
            .as_array()
            .is_some_and(|words| !words.is_empty()),
        "{decided}"
    );
    ensure!(
        decided["totals"] == json!([0, 0]),
        "the score is undone: {decided}"
    );
    ensure!(decided["turn_debt"] == 0, "{decided}");
    pair.all_until(|fold| fold.turn_no > before)?;
    ensure!(
        pair.folds[0].on_turn == Some(1),
        "the turn of the next seat begins again"
    );
    let kinds = pair.kinds_since(play_id)?;
    ensure!(
        kinds
            == [
                "turn_started",
                "challenge_decided",
                "window_closed",
                "turn_started"
            ],
        "{kinds:?}"
    );
    ensure!(
        pair.folds[0].board.is_empty() && pair.folds[0].rack().len() == 7,
        "the tiles are back"
    );
    let error = pair.ask(1, "challenge", json!({ "play_id": play_id }))?;
    let code = error[2]["code"].as_str().unwrap_or_default();
    ensure!(
        ["already_challenged", "window_closed"].contains(&code),
        "{error}"
    );
    // A command meant for the turn as it was first begun.
    pair.refuses(1, "pass", json!({ "turn_no": before }), "wrong_position")?;
    Ok(())
}

fn failed_single(target: &Target) -> Check {
    let (mut pair, play_id) = good(target, &json!({ "kind": "single" }))?;
    let before = pair.folds[0].turn_no;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    ensure!(
        decided["upheld"] == false && decided["bad_words"] == json!([]),
        "{decided}"
    );
    let kinds = pair.kinds_since(play_id)?;
    ensure!(
        kinds
            == [
                "turn_started",
                "challenge_decided",
                "window_closed",
                "tiles_drawn"
            ],
        "the turn just goes on: {kinds:?}"
    );
    ensure!(pair.folds[0].turn_no == before && pair.folds[0].on_turn == Some(1));
    Ok(())
}

fn failed_double(target: &Target) -> Check {
    let (mut pair, play_id) = good(target, &json!({ "kind": "double" }))?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    ensure!(
        decided["upheld"] == false && decided["turn_debt"] == 1,
        "{decided}"
    );
    let lost = pair.happened("turn_lost")?;
    ensure!(lost["seat"] == 1, "{lost}");
    pair.all_until(|fold| fold.on_turn == Some(0))?;
    let kinds = pair.kinds_since(play_id)?;
    let wanted = [
        "turn_started",
        "challenge_decided",
        "window_closed",
        "tiles_drawn",
        "turn_lost",
        "turn_started",
    ];
    ensure!(kinds == wanted, "{kinds:?}");
    Ok(())
}

fn failed_points(target: &Target) -> Check {
    for (kind, cost) in [("five_point", -5), ("ten_point", -10)] {
        let (mut pair, play_id) = good(target, &json!({ "kind": kind }))?;
        pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
        let decided = pair.happened("challenge_decided")?;
        let is_so = decided["upheld"] == false && decided["turn_debt"] == 0;
        ensure!(is_so, "{decided}");
        let points = decided["points"].as_array().context("points")?;
        let sum: i64 = points
            .iter()
            .filter_map(|points| points["points"].as_i64())
            .sum();
        ensure!(sum.abs() == -cost, "{kind}: {decided}");
    }
    Ok(())
}

fn failed_triple(target: &Target) -> Check {
    let (mut pair, play_id) = match good(target, &json!({ "kind": "triple" })) {
        Ok(made) => made,
        Err(error) if error.to_string().contains("bad_options") => return skip(error.to_string()),
        Err(error) => return Err(error),
    };
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "triple_challenge" && ended["winners"] == json!([0]),
        "{ended}"
    );
    Ok(())
}

fn by_acceptance(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double" }))?;
    let window = pair.happened("play_made")?["window"].clone();
    ensure!(
        window["closes_at"].is_u64() && window["final"] != true,
        "{window}"
    );
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    let closed = pair.happened("window_closed")?;
    ensure!(
        closed["reason"] == "accepted" && closed["play_id"] == play_id,
        "{closed}"
    );
    let drawn = pair.happened_since(play_id, "tiles_drawn")?;
    ensure!(
        drawn["seat"] == 0 && drawn["count"] == 3,
        "only then are tiles drawn: {drawn}"
    );
    let kinds = pair.kinds_since(play_id)?;
    ensure!(
        kinds == ["turn_started", "accepted", "window_closed", "tiles_drawn"],
        "{kinds:?}"
    );
    let error = pair.ask(1, "accept", json!({ "play_id": play_id }))?;
    let code = error[2]["code"].as_str().unwrap_or_default();
    ensure!(
        ["already_accepted", "window_closed"].contains(&code),
        "{error}"
    );
    // Among three, one who has accepted cannot take it back.
    let mut three = Pair::start(target, &json!({ "seats": 3 }))?;
    let play = three.phony(0)?;
    let play_id = three.play(play)?;
    three.ok(2, "accept", json!({ "play_id": play_id }))?;
    three.refuses(
        2,
        "accept",
        json!({ "play_id": play_id }),
        "already_accepted",
    )?;
    three.refuses(
        2,
        "challenge",
        json!({ "play_id": play_id }),
        "already_accepted",
    )?;
    Ok(())
}

fn by_turn(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double", "window_ms": 0 }))?;
    let made = pair.happened("play_made")?;
    ensure!(
        made["window"].get("closes_at").is_none(),
        "no timer: {made}"
    );
    let seq = pair.pass()?;
    let kinds = pair.kinds_since(play_id)?;
    ensure!(
        kinds
            == [
                "turn_started",
                "window_closed",
                "tiles_drawn",
                "passed",
                "turn_started"
            ],
        "{kinds:?}"
    );
    let closed = pair.happened("window_closed")?;
    ensure!(closed["reason"] == "next_turn", "{closed}");
    let passed = pair.happened("passed")?;
    ensure!(
        passed["seq"] == seq,
        "the answer names the command's own event"
    );
    Ok(())
}

fn by_timer(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double", "window_ms": 5_000 }))?;
    let made = pair.happened("play_made")?;
    let closes_at = made["window"]["closes_at"].as_i64().context("a timer")?;
    let at = made["at"].as_i64().context("a time")?;
    ensure!(closes_at == at + 5_000, "{made}");
    pair.wait_until(closes_at + 1)?;
    let closed = pair.happened("window_closed")?;
    ensure!(
        closed["reason"] == "timer" && closed["at"] == closes_at,
        "{closed}"
    );
    ensure!(pair.happened_since(play_id, "tiles_drawn")?["seat"] == 0);
    Ok(())
}

fn not_by_refusal(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double" }))?;
    let turn_no = pair.folds[0].turn_no;
    let bad = json!({ "turn_no": turn_no, "start": "1A", "tiles": pair.letters(1, 2) });
    pair.refuses(1, "play", bad, "not_adjacent")?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    Ok(())
}

fn hold(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({ "seats": 3 }))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    let turn_no = pair.folds[0].turn_no;
    pair.ok(2, "hold", json!({ "play_id": play_id }))?;
    let held = pair.happened("hold_started")?;
    ensure!(held["seat"] == 2 && held["until"].is_u64(), "{held}");
    let made = pair.happened("play_made")?;
    let longest = held["until"].as_i64().unwrap_or(0) - made["at"].as_i64().unwrap_or(0);
    ensure!(
        (1..=60_000).contains(&longest),
        "at most a minute after the play: {held}"
    );
    ensure!(
        held["clocks"]["running"]["seat"] == 2,
        "the holder's clock runs: {held}"
    );
    let error = pair.refuses(1, "pass", json!({ "turn_no": turn_no }), "held")?;
    ensure!(error["retryable"] == true, "{error}");
    let until = error["detail"].get("until");
    ensure!(until.is_none_or(|until| *until == held["until"]), "{error}");
    let second = pair.ask(1, "hold", json!({ "play_id": play_id }))?;
    ensure!(second[0] == "error", "one holds at a time: {second}");
    pair.refuses(1, "release", json!({ "play_id": play_id }), "not_held")?;
    pair.ok(2, "release", json!({ "play_id": play_id }))?;
    let ended = pair.happened("hold_ended")?;
    ensure!(
        ended["reason"] == "released" && ended["clocks"]["running"]["seat"] == 1,
        "{ended}"
    );
    pair.refuses(2, "hold", json!({ "play_id": play_id }), "hold_used")?;
    pair.ok(1, "hold", json!({ "play_id": play_id }))?;
    let seq = pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    let ended = pair.happened_since(seq, "hold_ended")?;
    ensure!(ended["reason"] == "accepted", "{ended}");
    Ok(())
}

fn hold_challenge(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double" }))?;
    pair.ok(1, "hold", json!({ "play_id": play_id }))?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let ended = pair.happened("hold_ended")?;
    ensure!(ended["reason"] == "challenged", "{ended}");
    let kinds = pair.kinds_since(play_id)?;
    let wanted = [
        "turn_started",
        "hold_started",
        "challenge_decided",
        "hold_ended",
        "window_closed",
        "turn_started",
    ];
    ensure!(kinds == wanted, "{kinds:?}");
    Ok(())
}

fn hold_limit(target: &Target) -> Check {
    let (mut pair, play_id) = phony(target, &json!({ "kind": "double", "window_ms": 5_000 }))?;
    pair.ok(1, "hold", json!({ "play_id": play_id }))?;
    let held = pair.happened("hold_started")?;
    let (until, at) = (number(&held, "until")?, number(&held, "at")?);
    if until - at > 10_000 {
        return skip("the server lets players hold for too long");
    }
    pair.wait_until(i64::try_from(until)? + 1)?;
    let ended = pair.happened("hold_ended")?;
    ensure!(
        ended["reason"] == "limit" && ended["at"] == until,
        "{ended}"
    );
    Ok(())
}

fn consent() -> Value {
    json!({ "kind": "single", "consent": true })
}

/// A play that is none, under challenge, and its author asked.
fn asked(target: &Target) -> Result<(Pair, u64)> {
    let (mut pair, play_id) = phony(target, &consent())?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let opened = pair.happened("challenge_opened")?;
    ensure!(
        opened["seat"] == 1 && opened["play_id"] == play_id,
        "{opened}"
    );
    ensure!(
        opened["clocks"].get("running").is_none(),
        "the clocks stand: {opened}"
    );
    ensure!(
        number(&opened, "decide_by")? > number(&opened, "at")?,
        "{opened}"
    );
    let turn_no = pair.folds[0].turn_no;
    let error = pair.refuses(
        1,
        "pass",
        json!({ "turn_no": turn_no }),
        "challenge_pending",
    )?;
    ensure!(error["retryable"] == true, "{error}");
    let until = &error["detail"]["until"];
    ensure!(*until == opened["decide_by"], "{error}");
    Ok((pair, play_id))
}

fn withdrawn(target: &Target) -> Check {
    let (mut pair, play_id) = asked(target)?;
    let error = pair.ask(1, "withdraw", json!({ "play_id": play_id }))?;
    ensure!(error[0] == "error", "only the author can: {error}");
    pair.ok(0, "withdraw", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    let is_so = decided["upheld"] == true && decided["withdrawn"] == true;
    ensure!(is_so && decided["bad_words"] == json!([]), "{decided}");
    ensure!(pair.folds[0].board.is_empty(), "the play comes off");
    Ok(())
}

fn stood(target: &Target) -> Check {
    let (mut pair, play_id) = asked(target)?;
    pair.ok(0, "stand", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    ensure!(
        decided["upheld"] == true && decided["withdrawn"] == false,
        "{decided}"
    );
    ensure!(
        decided["bad_words"]
            .as_array()
            .is_some_and(|words| !words.is_empty()),
        "{decided}"
    );
    Ok(())
}

fn silence(target: &Target) -> Check {
    let (mut pair, _) = asked(target)?;
    let opened = pair.happened("challenge_opened")?;
    let (by, at) = (number(&opened, "decide_by")?, number(&opened, "at")?);
    if by - at > 10_000 {
        return skip("the server gives authors too much time");
    }
    pair.wait_until(i64::try_from(by)? + 1)?;
    let decided = pair.happened("challenge_decided")?;
    ensure!(
        decided["withdrawn"] == false && decided["at"] == by,
        "silence is to stand: {decided}"
    );
    Ok(())
}
