//! Calling a rated game off: after the deal both players have to want it.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::api;
use crate::pair::Pair;
use crate::registered::{begun, seated};

/// The cases about requests to abort.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "aborts/before-the-deal",
        &["P-GAME-11", "P-EVENT-8"],
        before_the_deal,
    ),
    Case::of(
        "aborts/refused",
        &["P-GAME-11", "P-GAME-2", "P-EVENT-9"],
        refused,
    ),
    Case::of("aborts/accepted", &["P-GAME-11", "P-EVENT-8"], accepted),
    Case::of("aborts/both-ask", &["P-GAME-11", "P-EVENT-9"], both_ask),
    Case::of(
        "aborts/asker-plays",
        &["P-GAME-11", "P-EVENT-9"],
        asker_plays,
    ),
    Case::of(
        "aborts/everybody-has-played",
        &["P-GAME-11", "P-EVENT-9"],
        everybody_has_played,
    ),
    Case::of("aborts/no-answer", &["P-GAME-11", "P-GAME-6"], no_answer),
    Case::of(
        "aborts/in-snapshots",
        &["P-GAME-11", "P-SNAP-1", "P-SNAP-2", "P-EVENT-4"],
        in_snapshots,
    ),
    Case::of(
        "aborts/sent-again",
        &["P-GAME-11", "P-CMD-2", "P-CMD-3"],
        sent_again,
    ),
];

/// A seat asks; returns the event, which everybody gets.
fn ask(pair: &mut Pair, seat: usize) -> Result<Value> {
    let seq = pair.ok(seat, "abort", json!({}))?;
    let asked = pair.happened_since(seq - 1, "abort_requested")?;
    ensure!(
        asked["seq"] == seq,
        "the answer names its own event: {asked}"
    );
    let is_later = asked["until"].as_i64() > asked["at"].as_i64();
    ensure!(asked["seat"] == seat && is_later, "{asked}");
    Ok(asked)
}

fn answer(accept: bool) -> Value {
    json!({ "accept": accept })
}

fn check_declined(declined: &Value, seat: usize, reason: &str) -> Check {
    ensure!(
        declined["seat"] == seat && declined["reason"] == reason,
        "{reason} expected: {declined}"
    );
    Ok(())
}

/// No tiles are dealt yet: a player can call the game off alone.
fn before_the_deal(target: &Target) -> Check {
    let (mut pair, _) = seated(target)?;
    pair.ok(1, "abort", json!({}))?;
    let ended = pair.happened("ended")?;
    let is_so = ended["reason"] == "aborted" && ended["aborter"] == 1;
    ensure!(is_so && ended["winners"] == json!([]), "{ended}");
    Ok(())
}

fn refused(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    for seat in 0..2 {
        pair.refuses(seat, "answer_abort", answer(false), "no_abort_request")?;
    }
    ask(&mut pair, 0)?;
    pair.refuses(0, "answer_abort", answer(true), "no_abort_request")?;
    pair.refuses(0, "abort", json!({}), "already_requested")?;
    let seq = pair.ok(1, "answer_abort", answer(false))?;
    let declined = pair.happened("abort_declined")?;
    ensure!(declined["seq"] == seq, "{declined}");
    check_declined(&declined, 0, "refused")?;
    pair.refuses(1, "answer_abort", answer(true), "no_abort_request")?;
    pair.refuses(0, "abort", json!({}), "already_requested")?;
    ensure!(pair.turn()? == (0, 1), "the turn goes on");
    // Each seat can ask once.
    ask(&mut pair, 1)?;
    pair.ok(0, "answer_abort", answer(false))?;
    pair.refuses(1, "abort", json!({}), "already_requested")?;
    pair.pass()?;
    Ok(())
}

fn accepted(target: &Target) -> Check {
    let (mut pair, tokens) = begun(target)?;
    ask(&mut pair, 1)?;
    let seq = pair.ok(0, "answer_abort", answer(true))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["seq"] == seq && ended["reason"] == "aborted",
        "{ended}"
    );
    ensure!(ended["aborter"] == 1, "the seat that asked: {ended}");
    ensure!(ended["winners"] == json!([]), "{ended}");
    let results = ended["results"].as_array().context("results")?;
    let has_rank = results.iter().any(|result| result["rank"] != 0);
    ensure!(!has_rank, "a game without a result: {ended}");
    let ratings = api::get(target, "/players/me/ratings", &tokens[0])?;
    ensure!(ratings["ratings"] == json!([]), "not rated: {ratings}");
    Ok(())
}

/// To ask while the other player asks is to agree.
fn both_ask(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    ask(&mut pair, 1)?;
    pair.ok(0, "abort", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "aborted" && ended["aborter"] == 1,
        "the seat that asked first: {ended}"
    );
    Ok(())
}

fn asker_plays(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    let asked = ask(&mut pair, 0)?;
    let asked = asked["seq"].as_u64().context("a number")?;
    pair.pass()?;
    let kinds = pair.kinds_since(asked)?;
    ensure!(
        kinds == ["abort_declined", "passed", "turn_started"],
        "{kinds:?}"
    );
    let declined = pair.happened("abort_declined")?;
    check_declined(&declined, 0, "played")
}

/// The other seat can play while it is asked. With the first turn of the last seat it is too late for both.
fn everybody_has_played(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    pair.pass()?;
    let asked = ask(&mut pair, 0)?;
    let asked = asked["seq"].as_u64().context("a number")?;
    pair.pass()?;
    let kinds = pair.kinds_since(asked)?;
    // P-EVENT-9: it stands before the turn or behind it.
    ensure!(
        kinds == ["passed", "abort_declined", "turn_started"]
            || kinds == ["abort_declined", "passed", "turn_started"],
        "{kinds:?}"
    );
    let declined = pair.happened("abort_declined")?;
    check_declined(&declined, 0, "played")?;
    for seat in 0..2 {
        let error = pair.ask(seat, "abort", json!({}))?;
        let code = error[2]["code"].as_str().unwrap_or_default();
        let is_so = ["cannot_abort", "already_requested"].contains(&code);
        ensure!(is_so && (seat == 0 || code == "cannot_abort"), "{error}");
    }
    Ok(())
}

fn no_answer(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    let asked = ask(&mut pair, 0)?;
    let (at, until) = (asked["at"].as_i64(), asked["until"].as_i64());
    let (at, until) = (at.context("a time")?, until.context("a time")?);
    let wait = Duration::from_millis(u64::try_from(until - at)?);
    if wait > target.patience {
        return skip(format!("an answer may take {wait:?}"));
    }
    pair.listen(wait)?;
    let declined = pair.happened("abort_declined")?;
    check_declined(&declined, 0, "expired")?;
    ensure!(declined["at"] == until, "at its time: {declined}");
    pair.refuses(1, "answer_abort", answer(true), "no_abort_request")?;
    Ok(())
}

fn in_snapshots(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    ask(&mut pair, 1)?;
    pair.compare_snapshots("abort_request", |fold| &fold.abort_request)
        .context("while the seat is asked")?;
    pair.ok(0, "answer_abort", answer(false))?;
    pair.compare_snapshots("abort_request", |fold| &fold.abort_request)
        .context("after the refusal")?;
    ask(&mut pair, 0)?;
    pair.ok(1, "answer_abort", answer(true))?;
    pair.happened("ended")?;
    pair.compare_snapshots("abort_request", |fold| &fold.abort_request)
        .context("after the end")
}

fn sent_again(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    let ask = json!({ "cmd_id": "ask" });
    let first = pair.ok(0, "abort", ask.clone())?;
    ensure!(pair.ok(0, "abort", ask)? == first, "the first answer");
    let no = |accept: bool| json!({ "cmd_id": "no", "accept": accept });
    let declined = pair.ok(1, "answer_abort", no(false))?;
    ensure!(pair.ok(1, "answer_abort", no(false))? == declined);
    pair.refuses(1, "answer_abort", no(true), "cmd_id_reused")?;
    let kinds = pair.kinds_since(first)?;
    ensure!(kinds == ["abort_declined"], "once: {kinds:?}");
    Ok(())
}
