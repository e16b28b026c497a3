//! Finished games over HTTP: results, the archive and its filters, statistics, ratings, the export.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::api::{self, ask, get, offered, refuses};
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::{begun, turn_each};

/// The cases about finished games.
pub const CASES: &[Case<Target>] = &[
    Case::of("archive/result", &["H-ARCH-1", "H-ARCH-6"], result),
    Case::of("archive/running-game", &["H-ARCH-1"], running),
    Case::of("archive/pages", &["H-ARCH-2"], pages),
    Case::of("archive/filters", &["H-ARCH-3", "H-ARCH-4"], filters),
    Case::of("archive/names", &["H-ARCH-4"], names),
    Case::of(
        "archive/private-game",
        &["H-ARCH-5", "H-STAT-2"],
        private_game,
    ),
    Case::of("archive/export", &["H-ARCH-7"], export),
    Case::of("archive/statistics", &["H-STAT-1", "H-STAT-2"], statistics),
    Case::of("archive/ratings", &["H-STAT-3", "H-STAT-4"], ratings),
    Case::of("archive/unplayed", &["H-STAT-6"], unplayed),
];

/// A game of two guests that seat 0 has resigned, with the tokens of both.
fn resigned(target: &Target) -> Result<(Pair, [String; 2])> {
    offered(target)?;
    let mut pair = Pair::start(target, &json!({}))?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let tokens = [0, 1].map(|seat| pair.links[seat].token());
    until_stored(target, &pair.game, &tokens[0])?;
    Ok((pair, tokens))
}

/// Waits for the result of a game.
fn until_stored(target: &Target, game: &str, token: &str) -> Result<Value> {
    api::until(target, &format!("/games/{game}/result"), token, |_| true)
}

/// The ids of the games on a page.
fn games(page: &Value) -> Result<Vec<String>> {
    let games = page["games"].as_array().context("games")?.iter();
    let ids = games.map(|game| game["game"].as_str().map(str::to_owned));
    ids.collect::<Option<_>>().context("ids of games")
}

fn unknown_game(target: &Target, game: &str, token: &str) -> Check {
    let path = format!("GET /games/{game}/result");
    refuses(
        target,
        (&path, Some(token), &Value::Null),
        404,
        "unknown_game",
    )?;
    Ok(())
}

fn result(target: &Target) -> Check {
    let (pair, tokens) = resigned(target)?;
    let ended = pair.folds[0].result.clone().context("an end")?;
    let found = until_stored(target, &pair.game, &tokens[0])?;
    ensure!(found["game"] == pair.game.as_str(), "{found}");
    ensure!(
        found["reason"] == "resignation" && found["private"] == false,
        "{found}"
    );
    let decision = &found["decision"];
    ensure!(decision["code"] == "last_player", "{decision}");
    for field in ["winner_rule", "end_rule"] {
        let rule = decision[field].as_str().unwrap_or_default();
        ensure!(
            rule.starts_with("R-"),
            "{field} is the id of a rule: {rule}"
        );
    }
    let words = decision["words"].as_str().unwrap_or_default();
    ensure!(!words.is_empty(), "an explanation: {decision}");
    for (seat, told) in [0, 1].into_iter().zip(
        ended["results"]
            .as_array()
            .context("results of all seats")?,
    ) {
        let stored = &found["seats"][seat];
        let is_same = stored["rank"] == told["rank"]
            && stored["final_score"] == told["final_score"]
            && stored["identity"] == pair.links[seat].identity();
        ensure!(is_same, "the game ended with {told}, stored is {stored}");
    }
    ensure!(found["seats"][0]["retired"] == "resigned", "{found}");
    // One result, for everybody.
    let zoe = Link::guest(target, "Zoe")?.token();
    ensure!(until_stored(target, &pair.game, &zoe)? == found);
    for token in &tokens {
        let page = get(target, "/archive?player=me", token)?;
        ensure!(games(&page)? == [pair.game.as_str()], "{page}");
        ensure!(page["games"][0] == found, "{page}");
        ensure!(page["server_time"].is_i64(), "{page}");
    }
    Ok(())
}

/// A running game has no result, in no list and for nobody.
fn running(target: &Target) -> Check {
    offered(target)?;
    let mut pair = Pair::start(target, &json!({}))?;
    pair.pass()?;
    let zoe = Link::guest(target, "Zoe")?.token();
    let tokens = [pair.links[0].token(), pair.links[1].token(), zoe];
    let identity = pair.links[0].identity().to_owned();
    for token in &tokens {
        unknown_game(target, &pair.game, token)?;
        let page = get(target, &format!("/archive?player={identity}"), token)?;
        ensure!(page["games"] == json!([]), "{page}");
    }
    let figures = get(target, "/players/me/statistics", &tokens[0])?;
    ensure!(figures["people"]["all"]["games"] == 0, "{figures}");
    Ok(())
}

/// Two guests play three games; their pages are read one by one.
fn pages(target: &Target) -> Check {
    let (pair, tokens) = resigned(target)?;
    let mut played = vec![pair.game.clone()];
    let mut links = pair.links;
    for number in 1..3 {
        let wanted = options(&links[0].hello, &json!({}))?;
        let id = format!("more-{number}");
        let opened = links[0].ok("seek", json!({ "cmd_id": id, "options": wanted }))?;
        let join = json!({ "cmd_id": id, "seek": opened["seek"]["seek"] });
        let game = links[1].ok("join_seek", join)?["game"].clone();
        let game = game.as_str().context("a game")?.to_owned();
        links[1].ok("abort", json!({ "game": game, "cmd_id": "off" }))?;
        until_stored(target, &game, &tokens[0])?;
        played.push(game);
    }
    let (mut seen, mut before) = (Vec::new(), String::new());
    for _ in 0..=played.len() {
        let path = format!("/archive?player=me&limit=1{before}");
        let page = get(target, &path, &tokens[0])?;
        let found = games(&page)?;
        ensure!(found.len() <= 1, "at most `limit`: {page}");
        seen.extend(found);
        let Some(next) = page["next"].as_str() else {
            break;
        };
        before = format!("&before={next}");
    }
    played.reverse();
    ensure!(
        seen == played,
        "{seen:?} are not {played:?}, the newest first"
    );
    let whole = get(target, "/archive?player=me", &tokens[0])?;
    ensure!(games(&whole)? == played && whole.get("next").is_none());
    for limit in ["0", "201", "-1", "many"] {
        let path = format!("GET /archive?limit={limit}");
        let request = (path.as_str(), Some(tokens[0].as_str()), &Value::Null);
        refuses(target, request, 400, "bad_field")?;
    }
    Ok(())
}

fn filters(target: &Target) -> Check {
    let (pair, [loser, winner]) = resigned(target)?;
    let other = pair.links[1].identity();
    let lexicon = pair.folds[0].setup["lexicon"]["name"].as_str();
    let lexicon = lexicon.context("a name")?;
    let found = get(target, &format!("/games/{}/result", pair.game), &loser)?;
    let ended_at = found["ended_at"].as_i64().context("a time")?;
    for (query, is_there) in [
        (format!("opponent={other}"), true),
        ("opponent=nobody-2".to_owned(), false),
        ("rule_set=classic".to_owned(), true),
        ("rule_set=none".to_owned(), false),
        (format!("lexicon={lexicon}"), true),
        ("lexicon=none".to_owned(), false),
        ("rated=false".to_owned(), true),
        ("rated=true".to_owned(), false),
        ("reason=resignation".to_owned(), true),
        ("reason=out_play".to_owned(), false),
        ("result=lost".to_owned(), true),
        ("result=won".to_owned(), false),
        (format!("from={ended_at}"), true),
        (format!("from={}", ended_at + 1), false),
        (format!("until={}", ended_at + 1), true),
        (format!("until={ended_at}"), false),
        ("score_min=-1000&score_max=1000".to_owned(), true),
        ("score_min=1000".to_owned(), false),
        ("result=lost&rated=true".to_owned(), false),
    ] {
        let page = get(target, &format!("/archive?player=me&{query}"), &loser)?;
        ensure!(
            games(&page)?.contains(&pair.game) == is_there,
            "{query}: {page}"
        );
    }
    let won = get(target, "/archive?player=me&result=won", &winner)?;
    ensure!(games(&won)? == [pair.game.as_str()], "{won}");
    for query in [
        "colour=red",
        "result=won",
        "opponent=me",
        "score_min=1",
        "reason=boredom",
        "rated=perhaps",
        "player=me&result=best",
        "from=yesterday",
    ] {
        let path = format!("GET /archive?{query}");
        let request = (path.as_str(), Some(loser.as_str()), &Value::Null);
        refuses(target, request, 400, "bad_field")?;
    }
    Ok(())
}

/// A name that nobody has fits no game in a filter, and is refused in a path.
fn names(target: &Target) -> Check {
    let (pair, [token, _]) = resigned(target)?;
    let identity = pair.links[0].identity();
    for (name, count) in [("me", 1), (identity, 1), ("nobody-2", 0)] {
        let page = get(target, &format!("/archive?player={name}"), &token)?;
        ensure!(games(&page)?.len() == count, "{name}: {page}");
    }
    for path in [
        "/players/nobody-2",
        "/players/nobody-2/statistics",
        "/players/nobody-2/ratings",
        "/players/nobody-2/versus/me",
        "/players/me/versus/nobody-2",
    ] {
        let path = format!("GET {path}");
        let request = (path.as_str(), Some(token.as_str()), &Value::Null);
        refuses(target, request, 404, "unknown_player")?;
    }
    Ok(())
}

/// The result of a private game does not exist for others.
fn private_game(target: &Target) -> Check {
    offered(target)?;
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let zoe = Link::guest(target, "Zoe")?.token();
    let wanted = options(&anna.hello, &json!({}))?;
    let seek = json!({ "cmd_id": "o", "private": true, "options": wanted });
    let code = anna.ok("seek", seek)?["seek"]["code"].clone();
    let joined = ben.ok("join_seek", json!({ "cmd_id": "j", "code": code }))?;
    let game = joined["game"].as_str().context("a game")?.to_owned();
    for link in [&mut anna, &mut ben] {
        link.ok("ready", json!({ "game": game, "cmd_id": "ready" }))?;
    }
    ben.ok("resign", json!({ "game": game, "cmd_id": "resign" }))?;
    let found = until_stored(target, &game, &anna.token())?;
    ensure!(found["private"] == true, "{found}");
    until_stored(target, &game, &ben.token())?;
    unknown_game(target, &game, &zoe)?;
    for (token, count) in [(&anna.token(), 1), (&zoe, 0)] {
        let path = format!("/archive?player={}", anna.identity());
        let page = get(target, &path, token)?;
        ensure!(games(&page)?.len() == count, "{page}");
    }
    let figures = get(target, "/players/me/statistics", &anna.token())?;
    ensure!(figures["people"]["all"]["games"] == 1, "{figures}");
    Ok(())
}

/// The names in the directory of a ZIP file.
fn names_in_zip(bytes: &[u8]) -> Result<Vec<String>> {
    const ENTRY: &[u8] = b"PK\x01\x02";
    const END: &[u8] = b"PK\x05\x06";
    let short = |at: usize| -> Result<usize> {
        let bytes = bytes.get(at..at + 2).context("a whole directory")?;
        Ok(usize::from(bytes[0]) | usize::from(bytes[1]) << 8)
    };
    let end = bytes.windows(4).rposition(|mark| mark == END);
    let end = end.context("the end of a ZIP file")?;
    let mut at = short(end + 16)? | short(end + 18)? << 16;
    let mut names = Vec::new();
    while bytes.get(at..at + 4) == Some(ENTRY) {
        let (name, extra, comment) = (short(at + 28)?, short(at + 30)?, short(at + 32)?);
        let text = bytes.get(at + 46..at + 46 + name).context("a name")?;
        names.push(String::from_utf8(text.to_vec())?);
        at += 46 + name + extra + comment;
    }
    ensure!(at == end, "the directory ends where the file says");
    Ok(names)
}

fn export(target: &Target) -> Check {
    let (pair, [token, _]) = resigned(target)?;
    let running = Pair::start(target, &json!({}))?;
    let zoe = running.links[0].token();
    for (token, has_game) in [(&token, true), (&zoe, false)] {
        let answer = ask(target, "GET /export", Some(token), &Value::Null)?;
        let kind = answer.head.header("Content-Type");
        ensure!(kind == Some("application/zip"), "of the type {kind:?}");
        let names = names_in_zip(&answer.body)?;
        for name in ["results.jsonl", "manifest.json"] {
            ensure!(names.iter().any(|known| known == name), "{names:?}");
        }
        for end in ["jsonl", "gcg"] {
            let record = format!("games/{}.{end}", pair.game);
            ensure!(names.contains(&record) == has_game, "{names:?}");
        }
        let count = if has_game { 4 } else { 2 };
        ensure!(names.len() == count, "finished games only: {names:?}");
    }
    Ok(())
}

/// A game that a player resigned is a game, but counts in no average. An aborted one is nothing.
fn statistics(target: &Target) -> Check {
    let (_pair, [loser, winner]) = resigned(target)?;
    let mut aborted = Pair::start(target, &json!({}))?;
    aborted.ok(0, "abort", json!({}))?;
    let guest = aborted.links[0].token();
    until_stored(target, &aborted.game, &guest)?;
    for (token, games, won, lost) in [(&loser, 1, 0, 1), (&winner, 1, 1, 0), (&guest, 0, 0, 0)] {
        let figures = get(target, "/players/me/statistics", token)?;
        let all = &figures["people"]["all"];
        let two = &all["two_seats"];
        let is_so = all["games"] == games && two["won"] == won && two["lost"] == lost;
        ensure!(is_so && all["counted"] == 0, "{figures}");
        ensure!(figures["bots"]["all"]["games"] == 0, "{figures}");
    }
    Ok(())
}

/// A player who leaves before both have completed a turn changes no rating.
fn unplayed(target: &Target) -> Check {
    let (mut pair, tokens) = begun(target)?;
    pair.ok(0, "pass", json!({ "turn_no": 1 }))?;
    pair.ok(1, "resign", json!({}))?;
    pair.happened("ended")?;
    let found = until_stored(target, &pair.game, &tokens[0])?;
    let (pool, unrated) = (&found["pool"], &found["unrated"]);
    ensure!(pool.is_null() && unrated == "unplayed", "{found}");
    let ratings = get(target, "/players/me/ratings", &tokens[0])?;
    ensure!(ratings["ratings"] == json!([]), "not rated: {ratings}");
    Ok(())
}

fn ratings(target: &Target) -> Check {
    let (mut pair, tokens) = begun(target)?;
    turn_each(&mut pair)?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let found = until_stored(target, &pair.game, &tokens[0])?;
    let pool = found["pool"].as_str().context("a pool")?;
    let speeds = [
        "ultra_blitz",
        "blitz",
        "rapid",
        "standard",
        "correspondence",
    ];
    let speed = pool.rsplit('/').next().unwrap_or_default();
    ensure!(speeds.contains(&speed), "{pool}");
    for (seat, token) in [0, 1].into_iter().zip(&tokens) {
        let told = get(target, "/players/me/ratings?points=1", token)?;
        let rating = &told["ratings"][0];
        let is_whole = rating["rating"].is_i64() && rating["deviation"].is_i64();
        ensure!(is_whole && rating["provisional"] == true, "{rating}");
        ensure!(rating["pool"] == pool && rating["games"] == 1, "{rating}");
        let curve = rating["curve"].as_array().context("a curve")?;
        let change = &found["seats"][seat]["rating"];
        ensure!(
            curve.len() == 1 && curve[0]["rating"] == change["after"],
            "the rating after the game: {curve:?} {change}"
        );
        ensure!(change["before"] == 1_500, "{change}");
    }
    let other = pair.links[1].welcome["name"].as_str().context("a name")?;
    let versus = get(target, &format!("/players/me/versus/{other}"), &tokens[0])?;
    ensure!(
        versus["all"] == json!({ "won": 0, "lost": 1, "shared": 0 }),
        "{versus}"
    );
    let encoded = pool.replace('/', "%2F");
    for board in ["rating", "week", "month", "all"] {
        let plain = get(
            target,
            &format!("/leaderboards/{pool}?board={board}"),
            &tokens[0],
        )?;
        ensure!(plain["pool"] == pool && plain["board"] == board, "{plain}");
        let lines = plain["lines"].as_array().context("lines")?;
        let identity = pair.links[0].identity();
        let is_listed = lines.iter().any(|line| line["identity"] == identity);
        ensure!(!is_listed, "after one game on no board: {plain}");
        let path = format!("/leaderboards/{encoded}?board={board}");
        let same = get(target, &path, &tokens[1])?;
        ensure!(same["pool"] == pool, "{same}");
    }
    Ok(())
}
