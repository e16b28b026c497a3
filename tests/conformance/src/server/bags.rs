//! The bag: the commitment before the game, and its proof after the game.

use anyhow::{Context as _, Result, ensure};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use tilewire_rules::stream::{self, Seed};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::{Pair, options};
use tilewire_oracle::texts;

/// The cases about the bag.
pub const CASES: &[Case<Target>] = &[
    Case::of("bags/commitment", &["P-BAG-1", "P-BAG-2"], commitment),
    Case::of(
        "bags/recomputed",
        &["P-BAG-2", "P-BAG-3", "P-SEC-7"],
        recomputed,
    ),
    Case::of(
        "bags/exchanges-revealed",
        &["P-BAG-3", "P-SEE-2", "P-SNAP-1"],
        exchanges_revealed,
    ),
    Case::of("bags/bad-nonce", &["P-BAG-2", "P-BAG-3"], bad_nonce),
];

/// The end of a game shows the tiles that an opponent exchanged, so that everybody can recompute the bag.
fn exchanges_revealed(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let tiles = pair.folds[0].rack()[..3].to_vec();
    pair.ok(0, "exchange", json!({ "turn_no": 1, "tiles": tiles }))?;
    pair.all_until(|fold| fold.turn_no == 2)?;
    pair.ok(1, "resign", json!({}))?;
    pair.all_until(|fold| fold.is_over())?;
    for fold in &pair.folds {
        let ended = fold.events.last().context("an end")?;
        let exchanges = ended["exchanges"].as_array().context("exchanges")?;
        ensure!(exchanges.len() == 1, "{ended}");
        let exchange = &exchanges[0];
        ensure!(exchange["turn_no"] == 1 && exchange["seat"] == 0, "{ended}");
        ensure!(texts(&exchange["tiles"])? == tiles, "{ended}");
    }
    let mut watcher = Link::guest(target, "Watcher")?;
    watcher.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = watcher.pushed("snapshot")?;
    let shown = &snapshot["result"]["exchanges"];
    let ended = pair.folds[1].events.last().context("an end")?;
    ensure!(*shown == ended["exchanges"], "{snapshot}");
    Ok(())
}

fn bytes(value: &Value) -> Result<Vec<u8>> {
    let text = value.as_str().context("bytes")?;
    Ok(BASE64URL_NOPAD.decode(text.as_bytes())?)
}

fn commitment(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let committed = pair.folds[0].setup["commitment"].clone();
    pair.ok(0, "resign", json!({}))?;
    let ended = pair.happened("ended")?;
    let secret: [u8; 32] = bytes(&ended["secret"])?
        .try_into()
        .ok()
        .context("32 bytes")?;
    ensure!(
        stream::commitment(&secret).to_vec() == bytes(&committed)?,
        "another secret"
    );
    let mut other = Pair::start(target, &json!({}))?;
    ensure!(
        other.folds[0].setup["commitment"] != committed,
        "a secret for each game"
    );
    other.ok(0, "resign", json!({}))?;
    Ok(())
}

/// The faces of the set in the order in which they are mixed: the alphabet's, blanks last.
fn set_of(setup: &Value) -> Result<Vec<String>> {
    let mut tiles = Vec::new();
    let (mut letters, mut blanks) = (Vec::new(), Vec::new());
    for tile in setup["rule_set"]["tiles"].as_array().context("tiles")? {
        let face = tile["face"].as_str().context("a face")?.to_owned();
        let count = usize::try_from(tile["count"].as_u64().context("a count")?)?;
        let list = if face == "?" {
            &mut blanks
        } else {
            &mut letters
        };
        list.extend(vec![face; count]);
    }
    tiles.append(&mut letters);
    tiles.append(&mut blanks);
    Ok(tiles)
}

/// The bag that follows from a secret, as P-BAG-2 computes it.
struct Bag {
    seed: Seed,
    /// The whole set, in the order in which it is mixed.
    all: Vec<String>,
    left: Vec<String>,
    exchanges: u32,
    given: Vec<String>,
}

/// The nonces that count, by seat: those of the `seat_ready` events, each the one that was announced.
fn nonces(setup: &Value, events: &[Vec<Value>]) -> Result<Vec<Vec<u8>>> {
    let mut nonces = vec![Vec::new(); events.len()];
    for event in events[0]
        .iter()
        .filter(|event| event["kind"] == "seat_ready")
    {
        if let (Some(seat), Some(nonce)) = (event["seat"].as_u64(), event.get("nonce")) {
            nonces[usize::try_from(seat)?] = bytes(nonce)?;
        }
    }
    for announced in setup["nonce_hashes"].as_array().context("hashes")? {
        let seat = usize::try_from(announced["seat"].as_u64().context("a seat")?)?;
        let hash = stream::nonce_hash(&nonces[seat]).to_vec();
        let is_so = nonces[seat].is_empty() || hash == bytes(&announced["hash"])?;
        ensure!(is_so, "{announced}");
    }
    Ok(nonces)
}

/// Recomputes the first seat and every draw of a game from the messages to each seat.
fn recompute(events: &[Vec<Value>]) -> Check {
    let setup = &events[0][0]["setup"];
    let ended = events[0].last().context("the end")?;
    let secret: [u8; 32] = bytes(&ended["secret"])?
        .try_into()
        .ok()
        .context("32 bytes")?;
    let nonces = nonces(setup, events)?;
    let mut bag = Bag {
        seed: Seed::new(&secret, setup["game"].as_str().context("an id")?, &nonces),
        all: set_of(setup)?,
        left: Vec::new(),
        exchanges: 0,
        given: Vec::new(),
    };
    for (at, event) in events[0].iter().enumerate() {
        // The tiles are shown to the seat itself.
        let seat = event["seat"].as_u64().map_or(Ok(0), usize::try_from)?;
        bag.event(event, &events[seat][at])
            .with_context(|| event.to_string())?;
    }
    Ok(())
}

impl Bag {
    fn event(&mut self, event: &Value, shown: &Value) -> Check {
        match event["kind"].as_str().unwrap_or_default() {
            "order_drawn" => self.order(event)?,
            "bag_shuffled" => self.shuffled(event)?,
            "tiles_drawn" => {
                let shown = texts(&shown["tiles"])?;
                let drawn: Vec<String> = self.left.drain(..shown.len()).collect();
                ensure!(drawn == shown, "{drawn:?} were next, {shown:?} were drawn");
                ensure!(
                    event["bag"] == self.left.len() as u64,
                    "{} are left",
                    self.left.len()
                );
            }
            "exchanged" => self.given = texts(&shown["tiles"])?,
            _ => {}
        }
        Ok(())
    }

    fn order(&self, event: &Value) -> Check {
        let rounds = event["rounds"].as_array().context("rounds")?;
        for (round, number) in rounds.iter().zip(1..) {
            let mut tiles = self.all.clone();
            self.seed
                .stream(&stream::order_label(number))
                .shuffle(&mut tiles);
            for (draw, tile) in round.as_array().context("draws")?.iter().zip(&tiles) {
                ensure!(draw["tile"] == tile.as_str(), "round {number}: {draw}");
            }
        }
        Ok(())
    }

    fn shuffled(&mut self, event: &Value) -> Check {
        let label = if self.left.is_empty() && self.exchanges == 0 {
            self.left.clone_from(&self.all);
            stream::BAG_LABEL.to_owned()
        } else {
            self.exchanges += 1;
            self.left.append(&mut self.given);
            let all = &self.all;
            self.left
                .sort_by_key(|face| all.iter().position(|known| known == face));
            stream::exchange_label(self.exchanges)
        };
        ensure!(event["label"] == label.as_str(), "{label} is next");
        ensure!(
            event["count"] == self.left.len() as u64,
            "{} are mixed",
            self.left.len()
        );
        self.seed.stream(&label).shuffle(&mut self.left);
        Ok(())
    }
}

fn recomputed(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let ben = Link::guest(target, "Ben")?;
    let wanted = options(&anna.hello, &json!({ "first": "draw" }))?;
    let nonces = [b"anna's own nonce".to_vec(), vec![0xff; 32]];
    let hash = |nonce: &[u8]| BASE64URL_NOPAD.encode(&stream::nonce_hash(nonce));
    let opened = anna.ok(
        "seek",
        json!({ "cmd_id": "o", "options": wanted, "nonce_hash": hash(&nonces[0]) }),
    )?;
    let mut links = vec![anna, ben];
    let join =
        json!({ "cmd_id": "j", "seek": opened["seek"]["seek"], "nonce_hash": hash(&nonces[1]) });
    let game = links[1].ok("join_seek", join)?["game"].clone();
    let mut pair = Pair::at(target, links, game.as_str().context("a game")?);
    pair.attach_all()?;
    for (nonce, seat) in nonces.iter().zip(0..) {
        pair.ok(
            seat,
            "ready",
            json!({ "nonce": BASE64URL_NOPAD.encode(nonce) }),
        )?;
    }
    pair.all_until(|fold| fold.on_turn.is_some())?;
    let ready = pair.happened("seat_ready")?;
    ensure!(
        ready["nonce"].is_string(),
        "a nonce that counts is told: {ready}"
    );
    for _ in 0..2 {
        let (seat, turn_no) = pair.turn()?;
        let tiles = pair.folds[seat].rack()[..3].to_vec();
        pair.ok(
            seat,
            "exchange",
            json!({ "turn_no": turn_no, "tiles": tiles }),
        )?;
        pair.all_until(|fold| fold.turn_no > turn_no)?;
    }
    let (seat, _) = pair.turn()?;
    let play = pair.good_play(seat)?;
    let play_id = pair.play(play)?;
    pair.ok(1 - seat, "accept", json!({ "play_id": play_id }))?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    pair.catch_up()?;
    let events: Vec<Vec<Value>> = pair.folds.iter().map(|fold| fold.events.clone()).collect();
    recompute(&events)
}

fn bad_nonce(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let ben = Link::guest(target, "Ben")?;
    let wanted = options(&anna.hello, &json!({}))?;
    let hash = BASE64URL_NOPAD.encode(&stream::nonce_hash(b"right"));
    let opened = anna.ok(
        "seek",
        json!({ "cmd_id": "o", "options": wanted, "nonce_hash": hash }),
    )?;
    let mut links = vec![anna, ben];
    let join = json!({ "cmd_id": "j", "seek": opened["seek"]["seek"] });
    let game = links[1].ok("join_seek", join)?["game"].clone();
    let mut pair = Pair::at(target, links, game.as_str().context("a game")?);
    pair.attach_all()?;
    let announced = &pair.links[0].heard;
    ensure!(!announced.is_empty());
    pair.refuses(
        0,
        "ready",
        json!({ "nonce": BASE64URL_NOPAD.encode(b"wrong") }),
        "bad_nonce",
    )?;
    pair.ok(
        0,
        "ready",
        json!({ "nonce": BASE64URL_NOPAD.encode(b"right") }),
    )?;
    // A nonce without an announced hash does not count.
    let unannounced = pair.ask(1, "ready", json!({ "nonce": "eHl6" }))?;
    if unannounced[0] == "ok" {
        pair.all_until(|fold| fold.on_turn.is_some())?;
        let told = pair.folds[0]
            .events
            .iter()
            .find(|event| event["kind"] == "seat_ready" && event["seat"] == 1);
        ensure!(told.context("ready")?.get("nonce").is_none(), "{told:?}");
    } else {
        ensure!(unannounced[2]["code"] == "bad_nonce", "{unannounced}");
    }
    Ok(())
}
