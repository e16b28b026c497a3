//! Hints in casual games: what they cost, what they say, and to whom.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::link::Link;
use crate::pair::{Pair, options};
use tilewire_oracle::texts;

/// The cases about hints.
pub const CASES: &[Case<Target>] = &[
    Case::of("hints/told", &["P-HINT-1", "P-HINT-3", "P-EVENT-2"], told),
    Case::of(
        "hints/grades",
        &["P-HINT-2", "P-HINT-3", "P-HINT-4"],
        grades,
    ),
    Case::of("hints/refused", &["P-HINT-1", "P-HINT-2"], refused),
    Case::of(
        "hints/options",
        &["P-HINT-1", "P-HINT-6", "P-LOBBY-10"],
        offered,
    ),
    Case::of("hints/secret", &["P-HINT-3", "P-SEE-2"], secret),
    Case::of(
        "hints/in-snapshots",
        &["P-HINT-5", "P-SNAP-2"],
        in_snapshots,
    ),
    Case::of("hints/again", &["P-HINT-3", "P-HINT-6"], again),
];

/// A casual game in which each seat has two hints; seat 0 is on turn.
fn hinted(target: &Target) -> Result<Pair> {
    let pair = Pair::start(target, &json!({ "hints": 2 }))?;
    match pair.folds[0].setup["options"]["hints"].as_u64() {
        Some(2) => Ok(pair),
        _ => skip("not offered: the server has no hints"),
    }
}

fn ask(pair: &Pair, grade: u64) -> Value {
    json!({ "turn_no": pair.folds[0].turn_no, "grade": grade })
}

/// Asks for a hint of a seat; returns the number of its event, and what it says.
fn hint(pair: &mut Pair, seat: usize, grade: u64) -> Result<(u64, Value)> {
    let seq = pair.ok(seat, "hint", ask(pair, grade))?;
    let hint = pair.links[seat].pushed("hint")?;
    let is_so = hint["game"] == pair.game.as_str() && hint["turn_no"] == pair.folds[0].turn_no;
    ensure!(is_so, "{hint}");
    Ok((seq, hint))
}

fn told(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    let (seq, hint) = hint(&mut pair, 0, 3)?;
    let used = pair.happened("hint_used")?;
    let is_so = used["seq"] == seq && used["seat"] == 0 && used["grade"] == 3;
    ensure!(is_so, "{used}");
    ensure!(hint["grade"] == 3, "{hint}");
    let (_, turn_no) = pair.turn()?;
    match hint["theme"].as_str() {
        Some("exchange") => {
            let body = json!({ "turn_no": turn_no, "tiles": hint["tiles"] });
            pair.ok(0, "exchange", body)?;
        }
        Some("pass") => {
            pair.pass()?;
        }
        _ => {
            let line = hint["line"].as_str().context("a line")?;
            let start = hint["start"].as_str().context("a start")?;
            ensure!(start.starts_with(line), "{hint}");
            pair.play(json!({ "start": start, "tiles": hint["tiles"] }))?;
            let made = pair.happened("play_made")?;
            let is_it = made["words"] == hint["words"] && made["score"] == hint["score"];
            ensure!(is_it, "{hint} became {made}");
        }
    }
    Ok(())
}

fn grades(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    let (first, theme) = hint(&mut pair, 0, 1)?;
    for hidden in ["line", "start", "tiles", "words", "score"] {
        ensure!(
            theme.get(hidden).is_none(),
            "{hidden} with grade 1: {theme}"
        );
    }
    let (again, same) = hint(&mut pair, 0, 1)?;
    ensure!(again == first && same == theme, "it costs nothing: {same}");
    let (second, line) = hint(&mut pair, 0, 2)?;
    ensure!(second > first, "a higher grade is another hint");
    ensure!(line["theme"] == theme["theme"], "{line} after {theme}");
    for hidden in ["start", "tiles", "words", "score"] {
        ensure!(line.get(hidden).is_none(), "{hidden} with grade 2: {line}");
    }
    let (lower, _) = hint(&mut pair, 0, 1)?;
    ensure!(lower == second, "a lower grade costs nothing");
    let kinds = pair.kinds_since(second)?;
    ensure!(kinds.is_empty(), "no event: {kinds:?}");
    let body = ask(&pair, 3);
    pair.refuses(0, "hint", body, "hints_used")?;
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    for grade in [0, 4] {
        let body = ask(&pair, grade);
        pair.refuses(0, "hint", body, "bad_field")?;
    }
    let body = ask(&pair, 1);
    pair.refuses(1, "hint", body, "not_your_turn")?;
    let body = json!({ "turn_no": 7, "grade": 1 });
    pair.refuses(0, "hint", body, "wrong_position")?;
    let play = pair.good_play(0)?;
    let play = pair.play(play)?;
    let body = ask(&pair, 1);
    pair.refuses(1, "hint", body, "cannot_hint")?;
    pair.ok(1, "accept", json!({ "play_id": play }))?;
    hint(&mut pair, 1, 1)?;
    let mut without = Pair::start(target, &json!({}))?;
    let body = ask(&without, 1);
    without.refuses(0, "hint", body, "no_hints")?;
    Ok(())
}

fn offered(target: &Target) -> Check {
    hinted(target)?;
    let mut link = Link::guest(target, "Hanna")?;
    let seek = |options: &Value| json!({ "cmd_id": "o", "options": options, "private": true });
    let wanted = options(&link.hello, &json!({ "hints": 9 }))?;
    let error = link.refuses("seek", seek(&wanted), "bad_options")?;
    ensure!(error["detail"]["field"] == "options.hints", "{error}");
    let none = options(&link.hello, &json!({ "hints": 0 }))?;
    let opened = link.ok("seek", seek(&none))?;
    let shown = opened["seek"]["options"].get("hints");
    ensure!(shown.is_none(), "none is left out: {opened}");
    Ok(())
}

fn secret(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game }))?;
    hint(&mut pair, 0, 3)?;
    zoe.push(|message| message[2]["kind"] == "hint_used")?;
    zoe.fence()?;
    pair.links[1].fence()?;
    let others = [&mut zoe, &mut pair.links[1]];
    for pushes in others.map(Link::take_pushes) {
        let mut pushes = pushes.iter();
        let leak = pushes.find(|push| push[0] == "hint" || push[2].get("theme").is_some());
        ensure!(leak.is_none(), "told others: {leak:?}");
    }
    Ok(())
}

fn in_snapshots(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    hint(&mut pair, 0, 1)?;
    hint(&mut pair, 0, 2)?;
    pair.pass()?;
    hint(&mut pair, 1, 3)?;
    pair.catch_up()?;
    for seat in 0..2 {
        let mut link = Link::known(&pair.target, &pair.links[seat].token())?;
        link.ok("attach", json!({ "game": pair.game }))?;
        let snapshot = link.pushed("snapshot")?;
        let known = snapshot["hints"].as_array().map(Vec::len);
        ensure!(known == Some(3), "{snapshot}");
        pair.folds[seat].check(&snapshot)?;
    }
    Ok(())
}

fn again(target: &Target) -> Check {
    let mut pair = hinted(target)?;
    let (_, first) = hint(&mut pair, 0, 3)?;
    let mut link = Link::known(&pair.target, &pair.links[0].token())?;
    link.ok("attach", json!({ "game": pair.game }))?;
    let second = link.pushed("hint")?;
    ensure!(first == second, "{second} after {first}");
    let letters = texts(&first["tiles"]).unwrap_or_default();
    ensure!(letters.len() < 16, "on the board: {first}");
    Ok(())
}
