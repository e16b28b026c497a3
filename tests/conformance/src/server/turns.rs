//! The turns of a snapshot: everything that events said about a turn later, and the racks before it.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;
use tilewire_oracle::{laid, texts};

/// The cases about the turns of snapshots.
pub const CASES: &[Case<Target>] = &[
    Case::of("turns/bonus", &["P-SNAP-1", "P-SNAP-2"], bonus),
    Case::of("turns/upheld", &["P-SNAP-2", "P-CHAL-8"], upheld),
    Case::of("turns/withdrawn", &["P-SNAP-2", "P-CHAL-7"], withdrawn),
    Case::of("turns/points", &["P-SNAP-2", "P-CHAL-10"], points),
    Case::of("turns/lost-turn", &["P-SNAP-2", "P-CHAL-9"], lost_turn),
    Case::of("turns/racks", &["P-SNAP-2", "P-SEE-2"], racks),
];

/// The turns in the snapshot of a seat, or of a spectator, after all events so far.
fn turns(pair: &mut Pair, seat: Option<usize>) -> Result<Vec<Value>> {
    pair.catch_up()?;
    let mut link = match seat {
        Some(seat) => Link::known(&pair.target, &pair.links[seat].token())?,
        None => Link::guest(&pair.target, "Zoe")?,
    };
    link.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = link.pushed("snapshot")?;
    if let Some(seat) = seat {
        pair.folds[seat].check(&snapshot)?;
    }
    Ok(snapshot["turns"].as_array().context("turns")?.clone())
}

/// Checks that the fields of the first turn are those of an event, or missing where they are null.
fn check_first(pair: &mut Pair, expected: &Value) -> Check {
    for seat in [Some(0), Some(1), None] {
        let turns = turns(pair, seat)?;
        let first = turns.first().context("a turn")?;
        for (field, value) in expected.as_object().into_iter().flatten() {
            ensure!(
                first.get(field).unwrap_or(&Value::Null) == value,
                "for {seat:?} {field} is {value} by the events: {first}"
            );
        }
    }
    Ok(())
}

fn bonus(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.phony_of(0, 7)?;
    pair.play(play)?;
    let made = pair.happened("play_made")?;
    ensure!(made["bonus"].is_i64(), "a play of the whole rack: {made}");
    pair.pass()?;
    let expected = json!({
        "bonus": made["bonus"], "score": made["score"], "total": made["total"], "words": made["words"],
        "start": made["start"], "tiles": made["tiles"], "play_id": made["seq"], "off": null, "challenger": null,
    });
    check_first(&mut pair, &expected)
}

fn upheld(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let decided = pair.happened("challenge_decided")?;
    let expected = json!({
        "off": true, "challenger": 1, "bad_words": decided["bad_words"], "total": 0, "points": null,
    });
    check_first(&mut pair, &expected)
}

fn withdrawn(target: &Target) -> Check {
    let challenge = json!({ "kind": "single", "consent": true });
    let mut pair = Pair::start(target, &json!({ "challenge": challenge }))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    pair.ok(0, "withdraw", json!({ "play_id": play_id }))?;
    let expected = json!({ "off": true, "challenger": 1, "bad_words": null, "points": null });
    check_first(&mut pair, &expected)
}

fn points(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({ "challenge": { "kind": "five_point" } }))?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let (made, decided) = (
        pair.happened("play_made")?,
        pair.happened("challenge_decided")?,
    );
    let is_paid = decided["points"]
        .as_array()
        .is_some_and(|all| !all.is_empty());
    ensure!(is_paid, "a failed challenge costs points: {decided}");
    let expected = json!({
        "off": null, "challenger": 1, "bad_words": null, "points": decided["points"],
        "total": made["total"],
    });
    check_first(&mut pair, &expected)
}

fn lost_turn(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    let lost = pair.happened("turn_lost")?;
    for seat in [Some(0), Some(1), None] {
        let turns = turns(&mut pair, seat)?;
        let turn = turns.last().context("a turn")?;
        let is_so = turn["kind"] == "lost_turn" && turn["seat"] == 1 && turn["score"] == 0;
        ensure!(is_so && turn["turn_no"] == lost["turn_no"], "{turn}");
    }
    let expected = json!({ "challenger": 1, "points": null, "off": null });
    check_first(&mut pair, &expected)
}

/// A rack before a turn is shown to its own seat while the game goes on, and to everybody when it has ended.
fn racks(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let mut held = vec![pair.folds[0].rack().to_vec()];
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    held.push(pair.folds[1].rack().to_vec());
    let (seat, turn_no) = pair.turn()?;
    let tiles = pair.folds[seat].rack()[..2].to_vec();
    let exchange = json!({ "turn_no": turn_no, "tiles": tiles });
    pair.ok(seat, "exchange", exchange)?;
    held.iter_mut().for_each(|rack| rack.sort());
    for seat in [Some(0), Some(1), None] {
        for turn in turns(&mut pair, seat)? {
            let is_own = seat.is_some_and(|seat| turn["seat"] == seat);
            ensure!(
                turn.get("rack").is_some() == is_own,
                "for {seat:?} while the game goes on: {turn}"
            );
        }
    }
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    for seat in [Some(0), Some(1), None] {
        for (turn, held) in turns(&mut pair, seat)?.iter().zip(&held) {
            let mut rack = texts(&turn["rack"]).with_context(|| turn.to_string())?;
            rack.sort();
            ensure!(rack == *held, "for {seat:?} {held:?} was held: {turn}");
        }
    }
    let turns = turns(&mut pair, None)?;
    let used = laid(&turns[0])?.len();
    ensure!(used >= 2 && turns.len() == 2, "{turns:?}");
    Ok(())
}
