//! Adjourned games: the request, the sleep, the resumption, the claim after it, and the policy for vanished seats.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::link::Link;
use crate::pair::Pair;

/// The cases about adjourned games.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "adjourns/agreed",
        &["P-ADJ-1", "P-ADJ-2", "P-ADJ-3", "P-EVENT-9"],
        agreed,
    ),
    Case::of("adjourns/refused", &["P-ADJ-1", "P-ADJ-2"], refused),
    Case::of(
        "adjourns/refused-by-a-turn",
        &["P-ADJ-2", "P-EVENT-9"],
        refused_by_a_turn,
    ),
    Case::of("adjourns/not-now", &["P-ADJ-1", "P-ERR-4"], not_now),
    Case::of(
        "adjourns/resumed",
        &["P-ADJ-3", "P-ADJ-4", "P-EVENT-9"],
        resumed,
    ),
    Case::of("adjourns/ready-and-away", &["P-ADJ-4"], ready_and_away),
    Case::of("adjourns/claimed", &["P-ADJ-5", "P-ADJ-4"], claimed),
    Case::of("adjourns/aborted", &["P-ADJ-5"], aborted),
    Case::of("adjourns/resigned", &["P-ADJ-3"], resigned),
    Case::of(
        "adjourns/for-a-vanished-seat",
        &["P-ADJ-5", "P-ADJ-6"],
        for_vanished,
    ),
    Case::of("adjourns/play-on", &["P-ADJ-6"], play_on),
    Case::of(
        "adjourns/in-snapshots",
        &["P-ADJ-1", "P-ADJ-3", "P-SNAP-1", "P-SNAP-2", "P-EVENT-4"],
        in_snapshots,
    ),
];

/// A live game; seat 0 is on turn.
fn live(target: &Target, change: &[(&str, Value)]) -> Result<Pair> {
    let clock = json!({ "kind": "sudden_death", "initial_ms": 1_200_000 });
    let mut options = json!({ "clock": clock });
    for (field, value) in change {
        options[field] = value.clone();
    }
    Pair::start(target, &options)
}

/// A live game that its players have adjourned; also the event.
fn asleep(target: &Target) -> Result<(Pair, Value)> {
    let mut pair = live(target, &[])?;
    pair.ok(1, "adjourn", json!({}))?;
    pair.ok(0, "answer_adjourn", json!({ "agree": true }))?;
    let adjourned = pair.happened("adjourned")?;
    Ok((pair, adjourned))
}

/// Waits until the server's time is `at`, if the kit has as much patience.
fn wait_until(pair: &mut Pair, at: i64) -> Check {
    let left = at - pair.links[0].fence()?;
    let wait = Duration::from_millis(u64::try_from(left).unwrap_or(0));
    if wait > pair.target.patience {
        return skip(format!("an adjournment may take {wait:?}"));
    }
    pair.wait_until(at)
}

fn time_of(event: &Value, field: &str) -> Result<i64> {
    event[field].as_i64().with_context(|| field.to_owned())
}

fn agreed(target: &Target) -> Check {
    let mut pair = live(target, &[])?;
    for seat in 0..2 {
        let answer = json!({ "agree": true });
        pair.refuses(seat, "answer_adjourn", answer, "no_adjourn_request")?;
        pair.refuses(seat, "resume_game", json!({}), "not_adjourned")?;
    }
    let asked = pair.ok(1, "adjourn", json!({}))?;
    let request = pair.happened("adjourn_requested")?;
    ensure!(request["seq"] == asked && request["seat"] == 1, "{request}");
    let error = pair.refuses(1, "adjourn", json!({}), "cannot_adjourn")?;
    ensure!(
        error["detail"]["until"] == request["until"],
        "until the request is over: {error}"
    );
    let seq = pair.ok(0, "answer_adjourn", json!({ "agree": true }))?;
    let adjourned = pair.happened("adjourned")?;
    ensure!(adjourned["seq"] == seq, "{adjourned}");
    ensure!(adjourned.get("vanished").is_none(), "{adjourned}");
    ensure!(adjourned["clocks"].get("running").is_none(), "{adjourned}");
    ensure!(
        adjourned["until"].as_i64() > adjourned["at"].as_i64()
            && adjourned["claim_until"].as_i64() > adjourned["until"].as_i64(),
        "{adjourned}"
    );
    for op in ["pass", "nudge", "adjourn"] {
        let body = match op {
            "pass" => json!({ "turn_no": 1 }),
            _ => json!({}),
        };
        let error = pair.refuses(0, op, body, "adjourned")?;
        ensure!(
            error["detail"]["until"] == adjourned["until"],
            "{op}: {error}"
        );
    }
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut pair = live(target, &[])?;
    for _ in 0..3 {
        pair.ok(0, "adjourn", json!({}))?;
        let answer = json!({ "agree": false });
        pair.refuses(0, "answer_adjourn", answer.clone(), "no_adjourn_request")?;
        let seq = pair.ok(1, "answer_adjourn", answer)?;
        let declined = pair.happened_since(seq - 1, "adjourn_declined")?;
        ensure!(
            declined["seat"] == 0 && declined["reason"] == "refused",
            "{declined}"
        );
    }
    pair.refuses(0, "adjourn", json!({}), "adjourns_used")?;
    // Without an answer the request is over at its time.
    let asked = pair.ok(1, "adjourn", json!({}))?;
    let request = pair.happened_since(asked - 1, "adjourn_requested")?;
    wait_until(&mut pair, time_of(&request, "until")?)?;
    let declined = pair.happened_since(asked, "adjourn_declined")?;
    ensure!(declined["reason"] == "expired", "{declined}");
    ensure!(pair.turn()? == (0, 1), "the turn goes on");
    Ok(())
}

fn refused_by_a_turn(target: &Target) -> Check {
    let mut pair = live(target, &[])?;
    let asked = pair.ok(1, "adjourn", json!({}))?;
    pair.pass()?;
    let kinds = pair.kinds_since(asked)?;
    ensure!(
        kinds == ["adjourn_declined", "passed", "turn_started"],
        "{kinds:?}"
    );
    let declined = pair.happened("adjourn_declined")?;
    ensure!(declined["reason"] == "played", "{declined}");
    Ok(())
}

fn not_now(target: &Target) -> Check {
    let clock = json!({ "kind": "per_move", "limit_ms": 86_400_000 });
    let mut pair = live(target, &[("clock", clock)])?;
    pair.refuses(0, "adjourn", json!({}), "cannot_adjourn")?;
    let mut pair = live(target, &[])?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    if pair.folds[0].window.is_none() {
        return skip("plays cannot be challenged");
    }
    let error = pair.ask(0, "adjourn", json!({}))?;
    if pair.folds[0].window.is_none() {
        return skip("the play could no longer be challenged");
    }
    ensure!(
        error[2]["code"] == "cannot_adjourn" && error[2]["retryable"] == true,
        "{error}"
    );
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    pair.ok(0, "adjourn", json!({}))?;
    Ok(())
}

fn resumed(target: &Target) -> Check {
    let (mut pair, adjourned) = asleep(target)?;
    let seq = pair.ok(0, "resume_game", json!({}))?;
    let ready = pair.happened("ready_to_resume")?;
    ensure!(ready["seq"] == seq && ready["seat"] == 0, "{ready}");
    pair.refuses(0, "resume_game", json!({}), "already_ready")?;
    let seq = pair.ok(1, "resume_game", json!({}))?;
    let kinds = pair.kinds_since(seq - 1)?;
    ensure!(kinds == ["ready_to_resume", "resumed"], "{kinds:?}");
    let resumed = pair.happened("resumed")?;
    for times in ["main_ms", "allowance_ms"] {
        ensure!(
            resumed["clocks"][times] == adjourned["clocks"][times],
            "each clock has the time that it had: {resumed}, {adjourned}"
        );
    }
    let running = &resumed["clocks"]["running"];
    ensure!(
        running["seat"] == 0 && running["since"] == resumed["at"],
        "{resumed}"
    );
    pair.pass()?;
    Ok(())
}

/// The wish to go on outlives the connection: the player comes back, and the game goes on.
fn ready_and_away(target: &Target) -> Check {
    let (mut pair, adjourned) = asleep(target)?;
    pair.ok(1, "resume_game", json!({}))?;
    let mut ben = pair.links.remove(1);
    let token = ben.token();
    ben.raw.cut();
    pair.folds.truncate(1);
    if pair.links[0].fence()? + 1_000 > time_of(&adjourned, "until")? {
        return skip("the adjournment is too short");
    }
    let gone = pair.happened("not_ready_to_resume")?;
    ensure!(gone["seat"] == 1, "{gone}");
    pair.ok(0, "resume_game", json!({}))?;
    ben = Link::known(target, &token)?;
    let seq = pair.folds[0].seq;
    ben.ok("attach", json!({ "game": pair.game }))?;
    let resumed = pair.happened("resumed")?;
    let kinds = pair.kinds_since(seq)?;
    ensure!(
        kinds == ["ready_to_resume", "resumed"],
        "{kinds:?}: {resumed}"
    );
    Ok(())
}

/// A claim before the end of the adjournment is refused until then.
fn early(pair: &mut Pair, until: i64, claim: &Value) -> Check {
    if pair.links[0].fence()? < until {
        let error = pair.ask(0, "claim", claim.clone())?;
        let is_early = error[2]["code"] == "cannot_claim" && error[2]["retryable"] == true;
        ensure!(is_early && error[2]["detail"]["until"] == until, "{error}");
    }
    Ok(())
}

fn claimed(target: &Target) -> Check {
    let (mut pair, adjourned) = asleep(target)?;
    let until = time_of(&adjourned, "until")?;
    let claim = json!({ "seat": 1 });
    // Whoever is ready, the end of the adjournment is the first moment of a claim.
    early(&mut pair, until, &claim)?;
    pair.ok(0, "resume_game", json!({}))?;
    early(&mut pair, until, &claim)?;
    wait_until(&mut pair, until)?;
    pair.refuses(1, "claim", json!({ "seat": 0 }), "cannot_claim")?;
    pair.ok(0, "claim", claim)?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "abandonment" && ended["winners"] == json!([0]),
        "{ended}"
    );
    Ok(())
}

fn aborted(target: &Target) -> Check {
    let (mut pair, adjourned) = asleep(target)?;
    wait_until(&mut pair, time_of(&adjourned, "until")?)?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "aborted" && ended.get("aborter").is_none(),
        "{ended}"
    );
    ensure!(ended["at"] == adjourned["until"], "in time: {ended}");
    Ok(())
}

fn resigned(target: &Target) -> Check {
    let (mut pair, _) = asleep(target)?;
    pair.ok(0, "resign", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(ended["reason"] == "resignation", "{ended}");
    Ok(())
}

/// A game with a policy whose second player has gone.
fn deserted(target: &Target, policy: &str) -> Result<Pair> {
    let change = [("vanish", json!(policy)), ("vanish_claim_ms", json!(300))];
    let mut pair = match live(target, &change) {
        Ok(pair) => pair,
        Err(error) if error.to_string().contains("bad_options") => {
            return skip(error.to_string());
        }
        Err(error) => return Err(error),
    };
    pair.links.remove(1).raw.cut();
    pair.folds.truncate(1);
    Ok(pair)
}

fn for_vanished(target: &Target) -> Check {
    let mut pair = deserted(target, "adjourn")?;
    let gone = pair.happened("seat_vanished")?;
    let adjourned = pair.happened("adjourned")?;
    ensure!(adjourned["vanished"] == 1, "{adjourned}");
    ensure!(adjourned["at"] == gone["claim_at"], "in time: {adjourned}");
    // Nobody is ready, and nobody has to be: the one who has gone loses.
    wait_until(&mut pair, time_of(&adjourned, "until")?)?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "abandonment" && ended["winners"] == json!([0]),
        "{ended}"
    );
    ensure!(ended["at"] == adjourned["until"], "in time: {ended}");
    Ok(())
}

fn play_on(target: &Target) -> Check {
    let mut pair = deserted(target, "play_on")?;
    pair.listen(Duration::from_secs(1))?;
    let vanished = &mut pair.folds[0].events.iter();
    let is_told = vanished.any(|event| event["kind"] == "seat_vanished");
    ensure!(!is_told, "nobody can claim, so nothing is counted down");
    pair.refuses(0, "claim", json!({ "seat": 1 }), "cannot_claim")?;
    Ok(())
}

fn in_snapshots(target: &Target) -> Check {
    let mut pair = live(target, &[])?;
    pair.ok(1, "adjourn", json!({}))?;
    pair.compare_snapshots("adjourn_request", |fold| &fold.adjourn_request)
        .context("while the others are asked")?;
    pair.ok(0, "answer_adjourn", json!({ "agree": true }))?;
    pair.compare_snapshots("adjourned", |fold| &fold.adjourned)
        .context("in the adjournment")?;
    pair.ok(0, "resume_game", json!({}))?;
    pair.compare_snapshots("adjourned", |fold| &fold.adjourned)
        .context("while one is ready")?;
    pair.ok(1, "resume_game", json!({}))?;
    pair.compare_snapshots("adjourned", |fold| &fold.adjourned)
        .context("after the resumption")
}
