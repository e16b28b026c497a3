//! Games: phases, plays, and every refusal that a client can cause.

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::link::Link;
use crate::pair::Pair;
use tilewire_oracle::number;

/// The cases about games.
pub const CASES: &[Case<Target>] = &[
    Case::of("games/waiting", &["P-GAME-1"], waiting),
    Case::of("games/beginning", &["P-GAME-1", "P-EVENT-3"], beginning),
    Case::of(
        "games/cancelled",
        &["P-GAME-1", "P-GAME-6", "P-EVENT-8"],
        cancelled,
    ),
    Case::of("games/aborted", &["P-GAME-1", "P-EVENT-8"], aborted),
    Case::of(
        "games/illegal-plays",
        &["P-ERR-3", "P-ERR-4", "P-GAME-2"],
        illegal_plays,
    ),
    Case::of("games/odd-starts", &["P-MSG-13"], odd_starts),
    Case::of(
        "games/illegal-later-plays",
        &["P-ERR-3", "P-ERR-4"],
        later_plays,
    ),
    Case::of(
        "games/whole-word",
        &["P-GAME-5", "P-EVENT-5", "P-MSG-13", "P-MSG-14"],
        whole_word,
    ),
    Case::of(
        "games/invalid-words",
        &["P-SEE-4", "P-CHAL-12", "P-ERR-4"],
        invalid_words,
    ),
    Case::of("games/scoreless", &["P-EVENT-8", "P-GAME-1"], scoreless),
    Case::of("games/resigned", &["P-EVENT-8", "P-GAME-1"], resigned),
    Case::of(
        "games/to-the-last-tile",
        &["P-GAME-1", "P-CHAL-11", "P-EVENT-8", "P-SNAP-1"],
        to_the_last_tile,
    ),
    Case::of("games/your-turn", &["P-GAME-10"], your_turn),
    Case::of("games/vanished", &["P-GAME-7"], vanished),
    Case::of("games/presence", &["P-GAME-7", "P-PUSH-1"], presence),
];

/// A window that does not follow the game is told whose turn it is; one that does has the event.
fn your_turn(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let mut window = Link::known(target, &pair.links[1].token())?;
    let mut zoe = Link::guest(target, "Zoe")?;
    pair.ok(0, "pass", json!({ "turn_no": 1 }))?;
    let called = window.pushed("your_turn")?;
    let wanted = json!({ "game": pair.game, "seat": 1, "turn_no": 2 });
    ensure!(called == wanted, "{called}");
    pair.happened("turn_started")?;
    for link in pair.links.iter_mut().chain([&mut zoe]) {
        link.fence()?;
        let calls = |message: &Value| message[0] == "your_turn" && message[2]["turn_no"] == 2;
        ensure!(!link.heard.iter().any(calls), "{:?}", link.heard);
    }
    Ok(())
}

fn waiting(target: &Target) -> Check {
    let mut pair = Pair::seated(target, &json!({}))?;
    pair.attach_all()?;
    pair.refuses(0, "pass", json!({ "turn_no": 0 }), "not_started")?;
    pair.ok(0, "ready", json!({}))?;
    pair.refuses(0, "ready", json!({}), "already_ready")?;
    pair.refuses(0, "challenge", json!({ "play_id": 1 }), "not_started")?;
    ensure!(pair.folds[0].phase == "waiting");
    Ok(())
}

fn beginning(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({ "first": "draw" }))?;
    let kinds = pair.kinds_since(0)?;
    let wanted = [
        "created",
        "seat_ready",
        "seat_ready",
        "order_drawn",
        "bag_shuffled",
        "tiles_drawn",
        "tiles_drawn",
        "turn_started",
    ];
    ensure!(kinds == wanted, "{kinds:?}");
    let fold = &pair.folds[0];
    let first = fold.events[3]["first"].as_u64();
    ensure!(
        fold.on_turn == first && first.is_some(),
        "the seat with the best tile begins"
    );
    let drawn: Vec<u64> = fold.events[5..7]
        .iter()
        .map(|event| number(event, "count"))
        .collect::<Result<_, _>>()?;
    ensure!(
        drawn == [7, 7] && fold.bag == 86,
        "{drawn:?}, {} left",
        fold.bag
    );
    Ok(())
}

fn cancelled(target: &Target) -> Check {
    let mut pair = Pair::seated(target, &json!({ "clock": { "kind": "sudden_death" } }))?;
    pair.attach_all()?;
    pair.ok(0, "ready", json!({}))?;
    let setup = pair.folds[0].setup.clone();
    let (from, by) = (number(&setup, "created_at")?, setup["ready_by"].as_u64());
    let by = by.context("ready_by is told")?;
    if by - from > 20_000 {
        return skip("the server waits too long for players");
    }
    pair.wait_until(i64::try_from(by)?)?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "cancelled" && ended["winners"] == json!([]),
        "{ended}"
    );
    ensure!(ended["at"] == by, "at the deadline: {ended}");
    pair.refuses(1, "ready", json!({}), "game_over")?;
    Ok(())
}

fn aborted(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    pair.ok(1, "abort", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "aborted" && ended["winners"] == json!([]),
        "{ended}"
    );
    ensure!(ended["aborter"] == 1, "the seat that aborted: {ended}");
    let results = ended["results"].as_array().into_iter().flatten();
    let ranks: Vec<_> = results.map(|seat| &seat["rank"]).collect();
    ensure!(ranks == [0, 0] && ended["secret"].is_string(), "{ended}");
    pair.refuses(0, "pass", json!({ "turn_no": 1 }), "game_over")?;
    let mut pair = Pair::start(target, &json!({}))?;
    pair.pass()?;
    pair.pass()?;
    pair.refuses(0, "abort", json!({}), "cannot_abort")?;
    Ok(())
}

fn play(turn_no: u64, start: &str, tiles: &[&str]) -> Value {
    json!({ "turn_no": turn_no, "start": start, "tiles": tiles })
}

fn illegal_plays(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let letters = pair.letters(0, 5);
    let [a, b] = [0, 1].map(|at| letters[at].as_str());
    let rack = pair.folds[0].rack().to_vec();
    let missing = ('A'..='Z')
        .map(String::from)
        .find(|face| !rack.contains(face));
    let missing = missing.context("a rack is small")?;
    let before = pair.folds[0].seq;
    for (op, body, code, detail) in [
        ("play", play(1, "8A", &[a, b]), "centre_missed", "squares"),
        ("play", play(1, "8H", &[a]), "too_few_tiles", ""),
        ("play", play(1, "8O", &[a, b]), "off_board", "squares"),
        ("play", play(1, "8H", &[a, ".", b]), "gap", "squares"),
        (
            "play",
            play(1, "8H", &[a, &missing]),
            "tile_not_in_rack",
            "tiles",
        ),
        ("play", play(1, "8H", &[a, "Ж"]), "unknown_tile", "tiles"),
        (
            "play",
            play(1, "8H", &[a, "?"]),
            "blank_unassigned",
            "tiles",
        ),
        ("play", play(1, "88", &[a, b]), "bad_coordinate", "field"),
        ("play", play(1, "8H", &["."]), "no_tiles", ""),
        ("play", play(1, "8H", &[]), "no_tiles", ""),
        (
            "play",
            play(2, "8H", &[a, b]),
            "wrong_position",
            "expected_turn_no",
        ),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": [missing] }),
            "tile_not_in_rack",
            "tiles",
        ),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": [] }),
            "no_tiles",
            "",
        ),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": ["Ж"] }),
            "unknown_tile",
            "tiles",
        ),
        ("claim", json!({ "seat": 1 }), "cannot_claim", ""),
        ("ready", json!({}), "already_ready", ""),
    ] {
        let error = pair.refuses(0, op, body.clone(), code)?;
        let told = error["detail"].as_object().cloned().unwrap_or_default();
        let is_so = told.keys().all(|field| field == detail);
        ensure!(is_so, "{op} {body}: {error}");
        ensure!(error["retryable"] == (code == "cannot_claim"), "{error}");
    }
    pair.catch_up()?;
    ensure!(
        pair.folds[1].seq == before,
        "a refused command leaves no trace"
    );
    Ok(())
}

/// There is one text for each start.
fn odd_starts(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let letters = pair.letters(0, 2);
    let tiles: Vec<&str> = letters.iter().map(String::as_str).collect();
    for start in ["8h", "h8", "08H", "H08", "+8H"] {
        pair.refuses(0, "play", play(1, start, &tiles), "bad_coordinate")?;
    }
    Ok(())
}

fn later_plays(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let letters = pair.letters(0, 3);
    let [a, b, c] = [0, 1, 2].map(|at| letters[at].as_str());
    let first = pair.play(play(1, "8G", &[a, b, c]))?;
    let other = pair.letters(1, 2);
    let [d, e] = [0, 1].map(|at| other[at].as_str());
    for (seat, op, body, code) in [
        (1, "play", play(2, "8H", &[d, e]), "occupied"),
        (1, "play", play(2, "1A", &[d, e]), "not_adjacent"),
        (0, "challenge", json!({ "play_id": first }), "own_play"),
        (0, "hold", json!({ "play_id": first }), "own_play"),
        (0, "accept", json!({ "play_id": first }), "own_play"),
        (
            1,
            "challenge",
            json!({ "play_id": first - 1 }),
            "wrong_position",
        ),
        (1, "release", json!({ "play_id": first }), "not_held"),
        (
            0,
            "withdraw",
            json!({ "play_id": first }),
            "no_challenge_pending",
        ),
        (
            0,
            "stand",
            json!({ "play_id": first }),
            "no_challenge_pending",
        ),
    ] {
        pair.refuses(seat, op, body, code)?;
    }
    pair.ok(1, "accept", json!({ "play_id": first }))?;
    pair.refuses(1, "hold", json!({ "play_id": first }), "window_closed")?;
    pair.refuses(1, "accept", json!({ "play_id": first }), "window_closed")?;
    Ok(())
}

/// `play_made` shows the whole word, even if the command named only a part of it.
fn whole_word(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let letters = pair.letters(0, 3);
    let [a, b, c] = [0, 1, 2].map(|at| letters[at].as_str());
    pair.play(play(1, "8G", &[a, b, c]))?;
    let tile = pair.letters(1, 1).remove(0);
    let second = pair.play(play(2, "8J", &[&tile]))?;
    let made = pair.folds[0]
        .events
        .iter()
        .find(|event| event["seq"] == second);
    let made = made.context("it happened")?;
    ensure!(
        made["start"] == "8G",
        "from its own first square on: {made}"
    );
    ensure!(made["tiles"] == json!([".", ".", ".", tile]), "{made}");
    ensure!(made["words"][0][0] == format!("{a}{b}{c}{tile}"), "{made}");
    Ok(())
}

fn invalid_words(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({ "challenge": { "kind": "void" } }))?;
    let before = pair.folds[0].seq;
    let mut phony = pair.phony(0)?;
    phony["turn_no"] = json!(1);
    let error = pair.refuses(0, "play", phony, "invalid_words")?;
    let words = error["detail"]["words"]
        .as_array()
        .context("the words are named")?;
    ensure!(!words.is_empty(), "{error}");
    pair.catch_up()?;
    ensure!(pair.folds[1].seq == before, "another player was told");
    let heard = pair.links[1]
        .heard
        .iter()
        .any(|message| message[0] == "error");
    ensure!(!heard, "an error is for its author alone");
    let good = pair.good_play(0)?;
    let made = pair.play(good)?;
    let kinds = pair.kinds_since(made - 1)?;
    ensure!(
        kinds == ["play_made", "tiles_drawn", "turn_started"],
        "{kinds:?}"
    );
    ensure!(pair.folds[0].window.is_none(), "no window");
    pair.refuses(1, "challenge", json!({ "play_id": made }), "no_challenges")?;
    Ok(())
}

fn scoreless(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    for _ in 0..6 {
        pair.pass()?;
    }
    let ended = pair.happened("ended")?;
    ensure!(ended["reason"] == "scoreless_turns", "{ended}");
    for result in ended["results"].as_array().context("results")? {
        let of = |field: &str| result[field].as_i64().context("points");
        ensure!(
            of("final_score")? == of("score")? + of("rack_points")? + of("time_penalty")?,
            "{result}"
        );
        ensure!(
            result["rack"].as_array().map(Vec::len) == Some(7),
            "{result}"
        );
    }
    pair.refuses(0, "resign", json!({}), "game_over")?;
    Ok(())
}

fn resigned(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let seq = pair.ok(0, "resign", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "resignation" && ended["winners"] == json!([1]),
        "{ended}"
    );
    let kinds = pair.kinds_since(seq - 1)?;
    ensure!(kinds == ["seat_retired", "ended"], "{kinds:?}");
    for seat in 0..2 {
        let error = pair.ask(seat, "pass", json!({ "turn_no": 1 }))?;
        ensure!(
            error[2]["code"] == "game_over" || error[2]["code"] == "not_a_player",
            "{error}"
        );
    }
    Ok(())
}

/// A whole game of good plays: a small bag, a challenge window for the last play, and the final adjustments.
fn to_the_last_tile(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let mut small_bag = false;
    while pair.folds[0].phase == "running" {
        let (seat, turn_no) = pair.turn()?;
        if pair.folds[0].bag < 7 && !small_bag {
            small_bag = true;
            let tile = pair.folds[seat].rack()[0].clone();
            let exchange = json!({ "turn_no": turn_no, "tiles": [tile] });
            pair.refuses(seat, "exchange", exchange, "bag_too_small")?;
        }
        match pair.good_play(seat) {
            Ok(play) => {
                let play_id = pair.play(play)?;
                if pair.folds[0].phase == "running" {
                    pair.ok(1 - seat, "accept", json!({ "play_id": play_id }))?;
                }
            }
            Err(_) => {
                pair.pass()?;
            }
        }
        pair.catch_up()?;
    }
    ensure!(small_bag, "the bag became small");
    if pair.folds[0].phase == "final" {
        let window = pair.folds[0].window.clone().context("a window")?;
        ensure!(window["final"] == true, "{window:?}");
        let author = window["author"].as_u64().context("an author")?;
        let other = usize::from(author == 0);
        let turn_no = pair.folds[0].turn_no;
        pair.refuses(
            other,
            "pass",
            json!({ "turn_no": turn_no + 1 }),
            "final_phase",
        )?;
        ensure!(
            pair.folds[0].clocks.get("running").is_none(),
            "clocks stand"
        );
        pair.ok(other, "accept", json!({ "play_id": window["play_id"] }))?;
    }
    let ended = pair.happened("ended")?;
    let reason = ended["reason"].as_str().unwrap_or_default();
    ensure!(["out_play", "scoreless_turns"].contains(&reason), "{ended}");
    let results = ended["results"].as_array().context("results")?;
    let finals: Vec<i64> = results
        .iter()
        .filter_map(|result| result["final_score"].as_i64())
        .collect();
    let best = finals.iter().max().context("two of them")?;
    for (result, score) in results.iter().zip(&finals) {
        ensure!((result["rank"] == 1) == (score == best), "{result}");
        let won = ended["winners"]
            .as_array()
            .is_some_and(|seats| seats.contains(&result["seat"]));
        ensure!(won == (score == best) || reason != "out_play", "{ended}");
    }
    crate::audit::audit(&pair.folds[0].events);
    Ok(())
}

fn vanished(target: &Target) -> Check {
    let change = json!({ "clock": { "kind": "sudden_death" }, "vanish_claim_ms": 1_000 });
    let mut pair = match Pair::start(target, &change) {
        Ok(pair) => pair,
        Err(error) if error.to_string().contains("bad_options") => return skip(error.to_string()),
        Err(error) => return Err(error),
    };
    let mut ben = pair.links.remove(1);
    let token = ben.token();
    ben.raw.cut();
    pair.folds.truncate(1);
    let gone = pair.happened("seat_vanished")?;
    ensure!(gone["seat"] == 1, "{gone}");
    let error = pair.refuses(0, "claim", json!({ "seat": 1 }), "cannot_claim")?;
    ensure!(error["retryable"] == true, "{error}");
    ben = Link::known(target, &token)?;
    ben.ok("attach", json!({ "game": pair.game }))?;
    pair.happened("seat_returned")?;
    ben.raw.cut();
    pair.until(0, |fold| {
        fold.events
            .iter()
            .filter(|event| event["kind"] == "seat_vanished")
            .count()
            == 2
    })?;
    let gone = pair.happened("seat_vanished")?;
    pair.wait_until(gone["claim_at"].as_i64().context("a countdown")?)?;
    pair.ok(0, "claim", json!({ "seat": 1 }))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "abandonment" && ended["winners"] == json!([0]),
        "{ended}"
    );
    Ok(())
}

fn presence(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    pair.links[1].raw.cut();
    let gone = pair.links[0]
        .push(|message| message[0] == "presence" && message[2]["connected"] == false)?;
    ensure!(
        gone[2]["seat"] == 1 && gone[2]["game"] == pair.game.as_str(),
        "{gone}"
    );
    ensure!(
        gone[2].get("seq").is_none(),
        "a presence is no event: {gone}"
    );
    let mut again = Link::known(target, &pair.links[1].token())?;
    again.ok("attach", json!({ "game": pair.game }))?;
    let back = pair.links[0].push(|message| {
        message[0] == "presence" && message[2]["connected"] == true && message[2]["seat"] == 1
    })?;
    ensure!(back[2]["game"] == pair.game.as_str(), "{back}");
    Ok(())
}
