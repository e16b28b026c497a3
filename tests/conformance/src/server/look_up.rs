//! Words of a game that has ended, looked up in its lexicon.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::{Pair, options};

/// The cases about looking words up.
pub const CASES: &[Case<Target>] = &[
    Case::of("look-up/verdicts", &["P-SEE-11", "P-MSG-14"], verdicts),
    Case::of("look-up/sizes", &["P-SEE-11", "P-LIM-1"], sizes),
    Case::of("look-up/private-game", &["P-SEE-11", "P-LOBBY-3"], private),
    Case::of("look-up/while-playing", &["P-SEE-11", "P-SEE-4"], playing),
];

/// Most words of one request (P-LIM-1).
const WORDS_MAX: usize = 16;
/// Most bytes of a word (P-LIM-1).
const WORD_BYTES_MAX: usize = 384;

/// A game that has ended: its first play was good, its second one was not.
fn ended(target: &Target) -> Result<(Pair, String, String)> {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    let good = pair.folds[0].last_word()?;
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    let play = pair.phony(1)?;
    pair.play(play)?;
    let bad = pair.folds[1].last_word()?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    Ok((pair, good, bad))
}

fn body(pair: &Pair, words: &[&str]) -> Value {
    json!({ "game": pair.game, "words": words })
}

/// Every word is answered, in the order of the request, as it was written.
fn verdicts(target: &Target) -> Check {
    let (mut pair, good, bad) = ended(target)?;
    let (upper, lower) = (good.to_uppercase(), good.to_lowercase());
    let (spaced, numbered) = (format!("{upper} {upper}"), format!("{upper}1"));
    let asked = [
        (good.as_str(), true),
        (bad.as_str(), false),
        (upper.as_str(), true),
        (lower.as_str(), true),
        (good.as_str(), true),
        (spaced.as_str(), false),
        (numbered.as_str(), false),
        ("?", false),
        ("\u{202e}", false),
    ];
    let words = asked.map(|(word, _)| word);
    let expected = asked.map(|(word, valid)| json!({ "word": word, "valid": valid }));
    let mut zoe = Link::guest(target, "Zoe")?;
    let body = body(&pair, &words);
    for link in pair.links.iter_mut().chain([&mut zoe]) {
        let answer = link.ok("look_up", body.clone())?;
        ensure!(answer["words"] == json!(expected), "{answer}");
    }
    Ok(())
}

fn sizes(target: &Target) -> Check {
    let (mut pair, good, _) = ended(target)?;
    let link = &mut pair.links[1];
    let game = pair.game.as_str();
    let ask = |words: &[&str]| json!({ "game": game, "words": words });
    let many = vec![good.as_str(); WORDS_MAX + 1];
    let answer = link.ok("look_up", ask(&many[1..]))?;
    let count = answer["words"].as_array().map(Vec::len);
    ensure!(count == Some(WORDS_MAX), "{answer}");
    let long = "A".repeat(WORD_BYTES_MAX + 1);
    let answer = link.ok("look_up", ask(&[&long[1..]]))?;
    ensure!(answer["words"][0]["valid"] == false, "{answer}");
    for words in [&many[..], &[], &[&long], &[""]] {
        let error = link.refused("look_up", ask(words))?;
        let code = error["code"].as_str().unwrap_or_default();
        ensure!(["too_large", "bad_field"].contains(&code), "{error}");
    }
    Ok(())
}

/// A client without a seat in a private game has to give its code.
fn private(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let wanted = options(&anna.hello, &json!({}))?;
    let seek = json!({ "cmd_id": "o", "private": true, "options": wanted });
    let code = anna.ok("seek", seek)?["seek"]["code"].clone();
    let joined = ben.ok("join_seek", json!({ "cmd_id": "j", "code": code }))?;
    let game = joined["game"].as_str().context("a game")?.to_owned();
    let with = |code: &Value| json!({ "game": game, "words": ["AA"], "code": code });
    let without = json!({ "game": game, "words": ["AA"] });
    zoe.refuses("look_up", without.clone(), "code_required")?;
    zoe.refuses("look_up", with(&code), "not_over")?;
    ben.ok("abort", json!({ "game": game, "cmd_id": "off" }))?;
    zoe.refuses("look_up", without.clone(), "code_required")?;
    zoe.refuses("look_up", with(&json!("WRONG")), "wrong_code")?;
    for (link, body) in [(&mut zoe, with(&code)), (&mut ben, without)] {
        let answer = link.ok("look_up", body)?;
        ensure!(answer["words"][0]["word"] == "AA", "{answer}");
    }
    Ok(())
}

/// The server looks up no words of an unfinished game, and for its players no words of another game with the same lexicon.
fn playing(target: &Target) -> Check {
    let (pair, good, _) = ended(target)?;
    let mut next = Pair::start(target, &json!({}))?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let running = json!({ "game": next.game, "words": [good] });
    zoe.refuses("look_up", running.clone(), "not_over")?;
    let finished = body(&pair, &[&good]);
    for link in &mut next.links {
        link.refuses("look_up", running.clone(), "not_over")?;
        link.refuses("look_up", finished.clone(), "not_over")?;
    }
    next.ok(1, "abort", json!({}))?;
    next.happened("ended")?;
    for link in &mut next.links {
        link.ok("look_up", finished.clone())?;
    }
    Ok(())
}
