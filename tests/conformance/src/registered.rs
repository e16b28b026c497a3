//! Registered players, and rated games between two of them.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tilewire_oracle::Fold;

use super::link::Link;
use super::pair::{Pair, options};
use super::{Target, api, skip};

/// The password of every player of the kit.
pub const PASSWORD: &str = "seven crooked lanterns";

/// Letters that look like no other letter or digit.
const LETTERS: &[u8] = b"abcdefghkprstuxyz";

/// Letters of a handle that are drawn: two handles of the kit are never equal.
const DRAWN: usize = 14;

/// A registered player of the kit.
#[derive(Debug)]
pub struct Player {
    /// Its connection, opened after the registration.
    pub link: Link,
    /// Its token.
    pub token: String,
    /// Its handle.
    pub handle: String,
    /// The answer to its registration.
    pub session: Value,
}

/// A handle that nobody has.
#[must_use]
pub fn new_handle() -> String {
    // The standard library gives each state a random key; nothing else random is needed here.
    let mut drawn = RandomState::new().build_hasher().finish();
    let mut handle = "kit".to_owned();
    for _ in 0..DRAWN {
        let letter = LETTERS[usize::try_from(drawn % LETTERS.len() as u64).unwrap_or(0)];
        handle.push(char::from(letter));
        drawn /= LETTERS.len() as u64;
    }
    handle
}

/// Registers the guest of a token; returns the answer.
///
/// # Errors
/// Skips the case when the server has no accounts, or takes no more registrations from this address for now.
pub fn register(target: &Target, token: &str, handle: &str) -> Result<Value> {
    register_with(target, token, &api::credentials(handle, PASSWORD))
}

/// Registers the guest of a token with this body; returns the answer.
///
/// # Errors
/// As for [`register`].
pub fn register_with(target: &Target, token: &str, body: &Value) -> Result<Value> {
    api::offered(target)?;
    let answer = api::ask(target, "POST /register", Some(token), body)?;
    if answer.head.status == 429 {
        return skip("the server takes no more registrations from this address for now");
    }
    let session = answer.json()?;
    ensure!(
        answer.head.status == 201,
        "the registration is answered {}: {session}",
        answer.head.status
    );
    Ok(session)
}

/// Registers the guest of a seat, who goes on in the game with the token of the session; returns that token.
///
/// # Errors
/// As for [`register`], and when the guest's connection stays.
pub fn register_seat(target: &Target, pair: &mut Pair, seat: usize) -> Result<String> {
    let session = register(target, &pair.links[seat].token(), &new_handle())?;
    let token = session["token"].as_str().context("a token")?.to_owned();
    pair.links[seat].closes(4002)?;
    let mut link = Link::known(target, &token)?;
    link.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    let of_seat = Fold::new(Some(u64::try_from(seat)?));
    let seq = std::mem::replace(&mut pair.folds[seat], of_seat).seq;
    pair.links[seat] = link;
    pair.until(seat, |fold| fold.seq >= seq)?;
    Ok(token)
}

/// Registers a new guest, which connects again.
///
/// # Errors
/// Skips the case when the server has no accounts.
pub fn player(target: &Target) -> Result<Player> {
    let guest = Link::guest(target, "Newcomer")?;
    let handle = new_handle();
    let session = register(target, &guest.token(), &handle)?;
    let token = session["token"].as_str().context("a token")?.to_owned();
    Ok(Player {
        link: Link::known(target, &token)?,
        token,
        handle,
        session,
    })
}

/// The options of a rated game on this server.
///
/// # Errors
/// Skips the case when the server has no such game.
pub fn rated_options(hello: &Value) -> Result<Value> {
    let clock = json!({ "kind": "sudden_death", "initial_ms": 1_500_000 });
    options(hello, &json!({ "clock": clock, "rated": true }))
}

/// Opens a rated seek; returns it.
///
/// # Errors
/// Skips the case when the server plays no rated games: it leaves the option out of the seek (P-LOBBY-19).
pub fn rated_seek(link: &mut Link) -> Result<Value> {
    let wanted = rated_options(&link.hello)?;
    let opened = link.ok("seek", json!({ "cmd_id": "rated", "options": wanted }))?;
    match opened["seek"]["options"].get("rated") {
        None => skip("not offered: the server plays no rated games"),
        Some(_) => Ok(opened["seek"].clone()),
    }
}

/// Two registered players and their rated game, in which nobody is ready.
///
/// # Errors
/// Skips the case when the server has no accounts, or plays no rated games.
pub fn seated(target: &Target) -> Result<(Pair, Vec<String>)> {
    let (mut anna, mut ben) = (player(target)?, player(target)?);
    let seek = rated_seek(&mut anna.link)?;
    let join = json!({ "cmd_id": "join", "seek": seek["seek"] });
    let joined = ben.link.ok("join_seek", join)?;
    let game = joined["game"].as_str().context("a game")?.to_owned();
    let tokens = vec![anna.token, ben.token];
    let mut pair = Pair::at(target, vec![anna.link, ben.link], &game);
    pair.attach_all()?;
    Ok((pair, tokens))
}

/// The same after the first turn has started; seat 0 is on turn.
///
/// # Errors
/// Skips the case when the server has no accounts, or plays no rated games.
pub fn begun(target: &Target) -> Result<(Pair, Vec<String>)> {
    let (mut pair, tokens) = seated(target)?;
    pair.begin()?;
    Ok((pair, tokens))
}

/// Lets each player complete a turn, so that the game counts (P-LOBBY-19).
///
/// # Errors
/// Fails when the server refuses a pass.
pub fn turn_each(pair: &mut Pair) -> Result<()> {
    for seat in [0, 1] {
        pair.ok(seat, "pass", json!({ "turn_no": seat + 1 }))?;
    }
    Ok(())
}
