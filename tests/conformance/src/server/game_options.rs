//! Options and rule sets: defaults, refusals, descriptions.

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::super::{Case, Check, Target, skip};
use crate::link::Link;
use crate::pair::{Pair, options};
use tilewire_oracle::number;

/// The cases about options.
pub const CASES: &[Case<Target>] = &[
    Case::of("lobby/bad-options", &["P-LOBBY-9", "P-ERR-4"], bad_options),
    Case::of("lobby/defaults", &["P-LOBBY-9", "P-LOBBY-10"], defaults),
    Case::of("lobby/rule-sets", &["P-LOBBY-11"], rule_sets),
    Case::of(
        "lobby/rated",
        &["P-LOBBY-19", "P-GAME-11", "P-AUTH-17"],
        rated,
    ),
];

#[expect(clippy::too_many_lines, reason = "one row for each refusal")]
fn bad_options(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for (change, codes, field) in [
        (
            json!({ "rule_set": "poker" }),
            &["unknown_rule_set"][..],
            "options.rule_set",
        ),
        (
            json!({ "lexicon": "klingon" }),
            &["unknown_lexicon"],
            "options.lexicon",
        ),
        (
            json!({ "seats": 5 }),
            &["bad_options", "bad_field"],
            "options.seats",
        ),
        (
            json!({ "seats": 1 }),
            &["bad_options", "bad_field"],
            "options.seats",
        ),
        (
            json!({ "clock": { "kind": "sudden_death", "initial_ms": -1 } }),
            &["bad_options", "bad_field"],
            "options.clock.initial_ms",
        ),
        (
            json!({ "clock": { "kind": "sudden_death", "delay_ms": 1_000 } }),
            &["bad_options", "bad_field"],
            "options.clock.delay_ms",
        ),
        (
            json!({ "clock": { "kind": "hourglass" } }),
            &["bad_options", "bad_field"],
            "options.clock.kind",
        ),
        (
            json!({ "challenge": { "kind": "double", "window_ms": 1 } }),
            &["bad_options"],
            "options.challenge.window_ms",
        ),
        (
            json!({ "challenge": { "kind": "duel" } }),
            &["bad_options", "bad_field"],
            "options.challenge.kind",
        ),
        (
            json!({ "all_played": true }),
            &["bad_options"],
            "options.all_played",
        ),
        (
            json!({ "language": "klingon" }),
            &["bad_options"],
            "options.language",
        ),
        (
            json!({ "first": "youngest" }),
            &["bad_options", "bad_field"],
            "options.first",
        ),
    ] {
        let wanted = options(&link.hello, &change)?;
        let error = link.refused("seek", json!({ "cmd_id": "c", "options": wanted }))?;
        let code = error["code"].as_str().unwrap_or_default();
        ensure!(codes.contains(&code), "{change}: {error}");
        let told = error["detail"]["field"].as_str().unwrap_or(field);
        ensure!(told == field, "{change}: {field} is to blame, {error}");
    }
    link.fence()?;
    ensure!(link.take_pushes().is_empty(), "no seek came of it");
    Ok(())
}

/// A guest plays no rated games, and some games are rated for nobody.
fn rated(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    ensure!(link.welcome["registered"] != true, "{}", link.welcome);
    let clock = json!({ "kind": "sudden_death", "initial_ms": 1_500_000 });
    let wanted = options(&link.hello, &json!({ "clock": clock, "rated": true }))?;
    let asked = link.ask("seek", json!({ "cmd_id": "known", "options": wanted }))?;
    // A server that does not know the option ignores it.
    if asked[0] == "ok" && asked[2]["seek"]["options"].get("rated").is_none() {
        return skip("not offered: the server plays no rated games");
    }
    for (change, reason) in [
        (json!({ "clock": clock }), "guest"),
        (json!({ "clock": clock, "seats": 3 }), "not_two_seats"),
        (json!({}), "untimed"),
        (
            json!({ "clock": clock, "challenge": { "kind": "single", "consent": true } }),
            "consent",
        ),
    ] {
        let mut wanted = options(&link.hello, &change)?;
        wanted["rated"] = json!(true);
        let bodies = [
            ("seek", json!({ "cmd_id": "a", "options": wanted })),
            (
                "seek",
                json!({ "cmd_id": "b", "options": wanted, "private": true }),
            ),
            ("quick_match", json!({ "cmd_id": "c", "options": wanted })),
        ];
        for (op, body) in bodies {
            let error = link.refuses(op, body, "not_rateable")?;
            let told = error["detail"]["reason"].as_str().unwrap_or(reason);
            ensure!(told == reason, "{change}: {reason} is to blame, {error}");
        }
    }
    let mut casual = Pair::start(target, &json!({}))?;
    let setup = &casual.folds[0].setup;
    ensure!(setup["options"]["rated"] != true, "a casual game: {setup}");
    let answer = json!({ "accept": true });
    casual.refuses(0, "answer_abort", answer, "no_abort_request")?;
    Ok(())
}

fn defaults(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let lexicon = crate::pair::known_lexicon(&link.hello)?;
    let least = json!({ "rule_set": "classic", "seats": 2, "lexicon": lexicon });
    let opened = link.ok("seek", json!({ "cmd_id": "a", "options": least }))?;
    let full = &opened["seek"]["options"];
    for field in [
        "clock",
        "challenge",
        "end",
        "ties",
        "first",
        "vanish_claim_ms",
    ] {
        ensure!(full.get(field).is_some(), "{field} is filled in: {full}");
    }
    let clocks: [(&str, &[&str]); 6] = [
        ("sudden_death", &["initial_ms"]),
        ("increment", &["initial_ms", "increment_ms"]),
        ("delay", &["initial_ms", "delay_ms"]),
        ("overtime", &["initial_ms", "penalty_per_minute", "cap_ms"]),
        ("per_move", &["limit_ms", "bank_ms"]),
        ("untimed", &[]),
    ];
    link.ok(
        "cancel_seek",
        json!({ "cmd_id": "a-", "seek": opened["seek"]["seek"] }),
    )?;
    for (kind, fields) in clocks {
        let wanted = options(&link.hello, &json!({ "clock": { "kind": kind } }))?;
        let opened = link.ok("seek", json!({ "cmd_id": kind, "options": wanted }))?;
        let clock = &opened["seek"]["options"]["clock"];
        for field in fields {
            ensure!(clock[field].is_u64(), "{field} is filled in: {clock}");
        }
        let close = json!({ "cmd_id": format!("{kind}-"), "seek": opened["seek"]["seek"] });
        link.ok("cancel_seek", close)?;
    }
    Ok(())
}

fn rule_sets(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let sets = link.hello["rule_sets"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    for set in sets {
        let rules = link.ok("rule_set", json!({ "rule_set": set["id"] }))?["rules"].clone();
        ensure!(rules["rule_set"]["id"] == set["id"], "{rules}");
        let board = &rules["rule_set"]["board"];
        let layout = board["layout"].as_array().context("a layout")?;
        ensure!(layout.len() as u64 == number(board, "rows")?, "{board}");
        for row in layout {
            let cols = row.as_str().map(|row| row.chars().count() as u64);
            ensure!(cols == Some(number(board, "cols")?), "{row}");
        }
        let tiles = rules["rule_set"]["tiles"].as_array().context("tiles")?;
        ensure!(
            tiles
                .iter()
                .all(|tile| tile["count"].is_u64() && tile["value"].is_i64()),
            "{tiles:?}"
        );
        let seats = (number(&rules, "min_seats")?, number(&rules, "max_seats")?);
        ensure!(
            2 <= seats.0 && seats.0 <= seats.1 && seats.1 <= 4,
            "{seats:?}"
        );
        ensure!(
            ["always", "empty_bag"]
                .contains(&rules["rule_set"]["rack_count"].as_str().unwrap_or("")),
            "{rules}"
        );
        ensure!(
            rules["challenges"]
                .as_array()
                .is_some_and(|kinds| !kinds.is_empty()),
            "{rules}"
        );
        if rules["usual"].is_object() {
            let cmd = format!("usual-{}", set["id"].as_str().unwrap_or_default());
            let opened = link.ok("seek", json!({ "cmd_id": cmd, "options": rules["usual"] }))?;
            let close = json!({ "cmd_id": format!("{cmd}-"), "seek": opened["seek"]["seek"] });
            link.ok("cancel_seek", close)?;
        }
    }
    link.refuses(
        "rule_set",
        json!({ "rule_set": "poker" }),
        "unknown_rule_set",
    )?;
    Ok(())
}
