//! Turns that wait for the challenge window of the last play.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;
use tilewire_oracle::number;

/// The cases about waiting turns.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "waiting/told-to-everybody",
        &["P-GAME-3", "P-PUSH-8", "P-CLOCK-2"],
        told,
    ),
    Case::of(
        "waiting/told-after-an-attach",
        &["P-PUSH-8", "P-SNAP-1"],
        told_after_an_attach,
    ),
    Case::of(
        "waiting/told-again-after-an-event",
        &["P-PUSH-8", "P-GAME-3"],
        told_again,
    ),
    Case::of("waiting/own-hold", &["P-GAME-9", "P-PUSH-8"], own_hold),
    Case::of(
        "waiting/own-resignation",
        &["P-GAME-9", "P-CMD-7"],
        own_resignation,
    ),
    Case::of(
        "waiting/play-comes-off",
        &["P-GAME-9", "P-GAME-3"],
        play_comes_off,
    ),
];

/// A game of three in which seat 1 has passed a moment after the play of seat 0, so that the turn waits.
struct Waiting {
    pair: Pair,
    play_id: u64,
    /// The request of the turn.
    request: u64,
    /// The message to seat 1.
    told: Value,
}

impl Waiting {
    fn start(target: &Target, play: fn(&Pair) -> Result<Value>) -> Result<Self> {
        let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
        let mut pair = Pair::start(target, &json!({ "seats": 3, "clock": clock }))?;
        let play = play(&pair)?;
        let play_id = pair.play(play)?;
        let body = pair.body(json!({ "turn_no": 2, "cmd_id": "waits" }));
        let request = pair.links[1].send("pass", body);
        let told = pair.links[1].pushed("turn_waiting")?;
        ensure!(told["game"] == pair.game.as_str(), "{told}");
        ensure!(told["turn_no"] == 2 && told["seat"] == 1, "{told}");
        ensure!(
            told["clocks"].get("running").is_none(),
            "the clock stands: {told}"
        );
        pair.links[1].expect(request);
        Ok(Self {
            pair,
            play_id,
            request,
            told,
        })
    }

    fn good(target: &Target) -> Result<Self> {
        Self::start(target, |pair| pair.good_play(0))
    }

    /// The main time of seat 1 in clocks.
    fn main_ms(told: &Value) -> Result<i64> {
        told["clocks"]["main_ms"][1].as_i64().context("a main time")
    }

    /// Lets seat 2 accept the play, so that the turn takes effect; returns its answer.
    fn released(&mut self) -> Result<Value> {
        let before = self.pair.folds[0].seq;
        self.pair
            .ok(2, "accept", json!({ "play_id": self.play_id }))?;
        let answer = self.pair.links[1].answer(self.request)?;
        self.pair.happened_since(before, "turn_started")?;
        Ok(answer)
    }
}

/// Every client is told, and the clock shows the time that is charged in the end.
fn told(target: &Target) -> Check {
    let mut waiting = Waiting::good(target)?;
    for seat in [0, 2] {
        let other = waiting.pair.links[seat].pushed("turn_waiting")?;
        ensure!(other == waiting.told, "{other}, and {}", waiting.told);
    }
    let played = waiting.pair.folds[0].events.iter().rev();
    let played = played.clone().find(|event| event["kind"] == "play_made");
    let at = number(played.context("a play")?, "at")?;
    let until = number(&waiting.told, "until")?;
    ensure!(at < until && until <= at + 60_000, "{until} after {at}");
    let answer = waiting.released()?;
    ensure!(answer[0] == "ok", "{answer}");
    let next = waiting.pair.happened("turn_started")?;
    ensure!(next["seat"] == 2, "{next}");
    let (shown, charged) = (Waiting::main_ms(&waiting.told)?, Waiting::main_ms(&next)?);
    ensure!(
        shown == charged,
        "{shown} ms were shown, {charged} are left"
    );
    Ok(())
}

/// A client that attaches meanwhile learns of the turn from its snapshot, or after its events.
fn told_after_an_attach(target: &Target) -> Check {
    let mut waiting = Waiting::good(target)?;
    let game = waiting.pair.game.clone();
    let mut watcher = Link::guest(target, "Watcher")?;
    watcher.ok("attach", json!({ "game": game }))?;
    let snapshot = watcher.pushed("snapshot")?;
    ensure!(
        snapshot["waiting_until"] == waiting.told["until"],
        "{snapshot}"
    );
    ensure!(snapshot["clocks"] == waiting.told["clocks"], "{snapshot}");
    let known = json!({ "game": game, "epoch": snapshot["epoch"], "seq": snapshot["seq"] });
    for link in [&mut watcher, &mut waiting.pair.links[2]] {
        link.take_pushes();
        let ok = link.ok("attach", known.clone())?;
        ensure!(ok["outcome"] == "events", "{ok}");
        let told = link.pushed("turn_waiting")?;
        ensure!(told == waiting.told, "{told}, and {}", waiting.told);
    }
    let answer = waiting.released()?;
    ensure!(answer[0] == "ok", "{answer}");
    watcher.take_pushes();
    watcher.ok("attach", json!({ "game": game }))?;
    let snapshot = watcher.pushed("snapshot")?;
    ensure!(snapshot.get("waiting_until").is_none(), "{snapshot}");
    Ok(())
}

/// A hold of another seat makes the turn wait for longer, at no cost for its sender.
fn told_again(target: &Target) -> Check {
    let mut waiting = Waiting::good(target)?;
    let shown = Waiting::main_ms(&waiting.told)?;
    let hold = json!({ "play_id": waiting.play_id });
    let seq = waiting.pair.ok(2, "hold", hold.clone())?;
    let held = waiting.pair.links[1].pushed("turn_waiting")?;
    ensure!(held["clocks"]["running"]["seat"] == 2, "{held}");
    ensure!(
        Waiting::main_ms(&held)? == shown,
        "{held}, and {}",
        waiting.told
    );
    waiting.pair.ok(2, "release", hold)?;
    let ended = waiting.pair.happened_since(seq, "hold_ended")?;
    ensure!(ended["reason"] == "released", "{ended}");
    let again = waiting.pair.links[1].pushed("turn_waiting")?;
    ensure!(again["clocks"].get("running").is_none(), "{again}");
    ensure!(Waiting::main_ms(&again)? == shown, "{again}");
    let answer = waiting.released()?;
    ensure!(answer[0] == "ok", "{answer}");
    let next = waiting.pair.happened("turn_started")?;
    ensure!(Waiting::main_ms(&next)? == shown, "{next}");
    Ok(())
}

/// The sender's own hold is time of its own.
fn own_hold(target: &Target) -> Check {
    let mut waiting = Waiting::good(target)?;
    waiting
        .pair
        .refuses(1, "pass", json!({ "turn_no": 2 }), "command_in_flight")?;
    let hold = json!({ "play_id": waiting.play_id });
    waiting.pair.ok(1, "hold", hold.clone())?;
    let held = waiting.pair.links[1].pushed("turn_waiting")?;
    ensure!(held["clocks"]["running"]["seat"] == 1, "{held}");
    waiting.pair.links[1].fence()?;
    let seq = waiting.pair.ok(1, "release", hold)?;
    let ended = waiting.pair.happened_since(seq - 1, "hold_ended")?;
    ensure!(
        Waiting::main_ms(&ended)? <= Waiting::main_ms(&held)?,
        "{held}, then {ended}"
    );
    waiting
        .pair
        .ok(1, "accept", json!({ "play_id": waiting.play_id }))?;
    let answer = waiting.released()?;
    ensure!(answer[0] == "ok", "{answer}");
    Ok(())
}

fn own_resignation(target: &Target) -> Check {
    let mut waiting = Waiting::good(target)?;
    let seq = waiting.pair.ok(1, "resign", json!({}))?;
    let answer = waiting.pair.links[1].answer(waiting.request)?;
    ensure!(answer[2]["code"] == "not_a_player", "{answer}");
    let retired = waiting.pair.happened_since(seq - 1, "seat_retired")?;
    ensure!(retired["reason"] == "resigned", "{retired}");
    let next = waiting.pair.happened_since(seq, "turn_started")?;
    ensure!(next["seat"] == 2, "{next}");
    Ok(())
}

/// The sender challenges the play itself: the turn was meant for a position that is gone.
fn play_comes_off(target: &Target) -> Check {
    let mut waiting = Waiting::start(target, |pair| pair.phony(0))?;
    let seq = waiting
        .pair
        .ok(1, "challenge", json!({ "play_id": waiting.play_id }))?;
    let answer = waiting.pair.links[1].answer(waiting.request)?;
    ensure!(answer[2]["code"] == "wrong_position", "{answer}");
    let next = waiting.pair.happened_since(seq, "turn_started")?;
    ensure!(
        next["seat"] == 1 && number(&next, "turn_no")? == 3,
        "{next}"
    );
    Ok(())
}
