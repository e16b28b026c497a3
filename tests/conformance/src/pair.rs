//! A game of guests: one connection and one fold of events for each player.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;
use tilewire_rules::lexicon::{FstLexicon, Lexicon as _};
use tilewire_rules::notation;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;

use super::link::Link;
use super::{Target, Unlucky, now, skip};
use crate::position::{board_of, rack_of};
use crate::words::Words;
use tilewire_oracle::{Fold, number};

/// A game, as far as its players have looked at it.
#[derive(Debug)]
pub struct Pair {
    /// The connections, by seat.
    pub links: Vec<Link>,
    /// The game as each player knows it.
    pub folds: Vec<Fold>,
    /// The game.
    pub game: String,
    /// The server.
    pub target: Target,
    commands: u32,
    // A spectator that asks for the number of the last event.
    probe: Option<Link>,
}

/// The server's lexicon, whose words the kit knows.
///
/// # Errors
/// Skips the case when the server has none.
pub fn known_lexicon(hello: &Value) -> Result<String> {
    let hash = data_encoding::BASE64URL_NOPAD.encode(FstLexicon::builtin().hash());
    let lexica = hello["lexica"].as_array().context("lexica")?;
    let known = lexica
        .iter()
        .find(|lexicon| lexicon["hash"] == hash.as_str());
    match known.and_then(|lexicon| lexicon["name"].as_str()) {
        Some(name) => Ok(name.to_owned()),
        None => skip("the server has no lexicon whose words the kit knows"),
    }
}

/// The options of a usual game on this server: classic, of two, the owner first.
///
/// # Errors
/// Skips the case when the server has no such game.
pub fn options(hello: &Value, change: &Value) -> Result<Value> {
    let mut options = json!({
        "rule_set": "classic", "seats": 2, "lexicon": known_lexicon(hello)?, "clock": { "kind": "untimed" },
        "challenge": { "kind": "double" }, "first": "owner",
    });
    for (field, value) in change.as_object().into_iter().flatten() {
        options[field] = value.clone();
    }
    Ok(options)
}

/// Listens to several connections for a while, so that all pings are answered.
///
/// # Errors
/// When one of them ends.
pub fn listen_to(links: &mut [&mut Link], within: Duration) -> Result<()> {
    let until = now() + within;
    loop {
        let left = until.saturating_duration_since(now());
        if left.is_zero() {
            return Ok(());
        }
        let slice = left.min(Duration::from_millis(60)) / u32::try_from(links.len().max(1))?;
        for link in links.iter_mut() {
            link.listen(slice.max(Duration::from_millis(1)))?;
        }
    }
}

impl Pair {
    /// Seats two new guests, in a game of these options, and lets it begin; seat 0 is on turn.
    ///
    /// # Errors
    /// When that does not go as the document says.
    pub fn start(target: &Target, change: &Value) -> Result<Self> {
        let mut pair = Self::seated(target, change)?;
        pair.attach_all()?;
        pair.begin()?;
        Ok(pair)
    }

    /// Seats a new guest on every seat; none is ready or attached.
    ///
    /// # Errors
    /// When that does not go as the document says.
    pub fn seated(target: &Target, change: &Value) -> Result<Self> {
        let mut owner = Link::guest(target, "Anna")?;
        let options = options(&owner.hello, change)?;
        let opened = owner.ok("seek", json!({ "cmd_id": "open", "options": options }))?;
        let mut links = vec![owner];
        let mut game = Value::Null;
        for seat in 1..number(&options, "seats")? {
            let mut guest = Link::guest(target, &format!("Guest {seat}"))?;
            let request = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
            game = guest.ok("join_seek", request)?["game"].clone();
            links.push(guest);
        }
        let game = game.as_str().context("a full seek becomes a game")?;
        Ok(Self::at(target, links, game))
    }

    /// Players of a game that exists, by seat.
    #[must_use]
    pub fn at(target: &Target, links: Vec<Link>, game: &str) -> Self {
        let folds = (0..links.len() as u64).map(|seat| Fold::new(Some(seat)));
        Self {
            folds: folds.collect(),
            links,
            game: game.to_owned(),
            target: target.clone(),
            commands: 0,
            probe: None,
        }
    }

    /// Attaches all players from the first event.
    ///
    /// # Errors
    /// When it is refused.
    pub fn attach_all(&mut self) -> Result<()> {
        for link in &mut self.links {
            link.ok("attach", json!({ "game": self.game, "seq": 0 }))?;
        }
        Ok(())
    }

    /// Sends `ready` for all players and waits for the first turn.
    ///
    /// # Errors
    /// When it does not start.
    pub fn begin(&mut self) -> Result<()> {
        for seat in 0..self.links.len() {
            self.ok(seat, "ready", json!({}))?;
        }
        self.all_until(|fold| fold.on_turn.is_some())
    }

    /// The body of a game command, with a `cmd_id` of its own.
    #[must_use]
    pub fn body(&mut self, mut body: Value) -> Value {
        self.commands += 1;
        body["game"] = json!(self.game);
        if body.get("cmd_id").is_none() {
            body["cmd_id"] = json!(format!("kit-{}", self.commands));
        }
        body
    }

    /// Sends a game command and waits for its answer.
    ///
    /// # Errors
    /// When none comes.
    pub fn ask(&mut self, seat: usize, op: &str, body: Value) -> Result<Value> {
        let body = self.body(body);
        self.links[seat].ask(op, body)
    }

    /// Sends a command that must be accepted, and waits until all players have its event; returns the event's number.
    ///
    /// # Errors
    /// When it is refused.
    pub fn ok(&mut self, seat: usize, op: &str, body: Value) -> Result<u64> {
        let body = self.body(body);
        let seq = number(&self.links[seat].ok(op, body)?, "seq")?;
        self.all_until(|fold| fold.seq >= seq)?;
        Ok(seq)
    }

    /// Sends a command that must be refused with this code.
    ///
    /// # Errors
    /// When it is not.
    pub fn refuses(&mut self, seat: usize, op: &str, body: Value, code: &str) -> Result<Value> {
        let body = self.body(body);
        self.links[seat].refuses(op, body, code)
    }

    /// Reads events until a player's knowledge is as wanted.
    ///
    /// # Errors
    /// When they do not come, or are not the next ones.
    pub fn until(&mut self, seat: usize, wanted: impl Fn(&Fold) -> bool) -> Result<()> {
        while !wanted(&self.folds[seat]) {
            let game = &self.game;
            let event = self.links[seat]
                .push(|message| message[0] == "event" && message[2]["game"] == game.as_str())?;
            self.folds[seat].event(&event[2])?;
        }
        Ok(())
    }

    /// The same for all players.
    ///
    /// # Errors
    /// When events do not come, or are not the next ones.
    pub fn all_until(&mut self, wanted: impl Fn(&Fold) -> bool) -> Result<()> {
        (0..self.links.len()).try_for_each(|seat| self.until(seat, &wanted))
    }

    /// Reads until all players have an event of this kind; returns the last one.
    ///
    /// # Errors
    /// When it does not happen.
    pub fn happened(&mut self, kind: &str) -> Result<Value> {
        let last = |fold: &Fold| {
            let found = fold.events.iter().rev();
            found.clone().find(|event| event["kind"] == kind).cloned()
        };
        self.all_until(|fold| last(fold).is_some())
            .with_context(|| format!("waiting for {kind}"))?;
        last(&self.folds[0]).context("it happened")
    }

    /// The kinds of the events after `seq`, once everything has come.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn kinds_since(&mut self, seq: u64) -> Result<Vec<String>> {
        self.catch_up()?;
        let events = self.folds[0].events.iter();
        Ok(events
            .filter(|event| event["seq"].as_u64().is_some_and(|known| known > seq))
            .map(|event| event["kind"].as_str().unwrap_or_default().to_owned())
            .collect())
    }

    /// Takes in every event that has happened before now. No answer promises that earlier events have come, so a
    /// stranger asks how far the game is.
    ///
    /// # Errors
    /// When the events do not come.
    pub fn catch_up(&mut self) -> Result<()> {
        let head = self.head()?;
        self.all_until(|fold| fold.seq >= head)
    }

    /// Compares the snapshot of each player with the events, and a field of a spectator's snapshot with what the events say.
    ///
    /// # Errors
    /// When they differ.
    pub fn compare_snapshots(
        &mut self,
        field: &str,
        known: fn(&Fold) -> &Option<Value>,
    ) -> Result<()> {
        self.catch_up()?;
        for (link, fold) in self.links.iter().zip(&self.folds) {
            let mut link = Link::known(&self.target, &link.token())?;
            link.ok("attach", json!({ "game": self.game }))?;
            fold.check(&link.pushed("snapshot")?)?;
        }
        let mut zoe = Link::guest(&self.target, "Zoe")?;
        zoe.ok("attach", json!({ "game": self.game }))?;
        let seen = zoe.pushed("snapshot")?[field].clone();
        let known = known(&self.folds[0]).clone().unwrap_or_default();
        ensure!(seen == known, "spectators see {seen}, events say {known}");
        Ok(())
    }

    /// The number of the last event of the game.
    ///
    /// # Errors
    /// When the server does not tell.
    pub fn head(&mut self) -> Result<u64> {
        let mut probe = match self.probe.take() {
            Some(probe) => probe,
            None => Link::guest(&self.target, "Probe")?,
        };
        let answer = probe.ok("attach", json!({ "game": self.game }))?;
        probe.ok("detach", json!({ "game": self.game }))?;
        self.probe = Some(probe);
        number(&answer, "head")
    }

    /// Reads until all players have an event of this kind after `seq`; returns the first one.
    ///
    /// # Errors
    /// When it does not happen.
    pub fn happened_since(&mut self, seq: u64, kind: &str) -> Result<Value> {
        let first = |fold: &Fold| {
            let mut later = fold
                .events
                .iter()
                .filter(|event| event["seq"].as_u64() > Some(seq));
            later.find(|event| event["kind"] == kind).cloned()
        };
        self.all_until(|fold| first(fold).is_some())
            .with_context(|| format!("waiting for {kind} after {seq}"))?;
        first(&self.folds[0]).context("it happened")
    }

    /// The seat on turn and the number of its turn.
    ///
    /// # Errors
    /// If no player is.
    pub fn turn(&self) -> Result<(usize, u64)> {
        let seat = self.folds[0].on_turn.context("a seat is on turn")?;
        Ok((usize::try_from(seat)?, self.folds[0].turn_no))
    }

    /// Lets the seat on turn pass.
    ///
    /// # Errors
    /// When it is refused.
    pub fn pass(&mut self) -> Result<u64> {
        let (seat, turn_no) = self.turn()?;
        let seq = self.ok(seat, "pass", json!({ "turn_no": turn_no }))?;
        self.all_until(|fold| fold.is_over() || fold.turn_no > turn_no)?;
        Ok(seq)
    }

    /// Waits until the server's time is `at` or later.
    ///
    /// # Errors
    /// When the connection ends.
    pub fn wait_until(&mut self, at: i64) -> Result<()> {
        loop {
            let now = self.links[0].fence()?;
            if now >= at {
                return Ok(());
            }
            let left = u64::try_from(at - now).unwrap_or(0);
            self.listen(Duration::from_millis(left))?;
        }
    }

    /// Listens to everything for a while, so that all pings are answered.
    ///
    /// # Errors
    /// When a connection ends.
    pub fn listen(&mut self, within: Duration) -> Result<()> {
        let probe = self.probe.iter_mut();
        let mut links: Vec<&mut Link> = self.links.iter_mut().chain(probe).collect();
        listen_to(&mut links, within)
    }

    /// Some letters of a rack, no blanks.
    #[must_use]
    pub fn letters(&self, seat: usize, count: usize) -> Vec<String> {
        let rack = self.folds[seat].rack().iter();
        rack.filter(|face| *face != "?")
            .take(count)
            .cloned()
            .collect()
    }

    fn known(&self, seat: usize) -> Result<(Board, Vec<Tile>)> {
        let fold = &self.folds[seat];
        Ok((board_of(fold)?, rack_of(fold)?))
    }

    /// A good play of a seat: the fields `start` and `tiles`.
    ///
    /// # Errors
    /// When it has none.
    pub fn good_play(&self, seat: usize) -> Result<Value> {
        let (board, rack) = self.known(seat)?;
        let play = Words::builtin().good_play(&board, &rack);
        Ok(fields(&play.ok_or(Unlucky("the rack has no play"))?))
    }

    /// A play of three tiles with a word that is none.
    ///
    /// # Errors
    /// When it has none.
    pub fn phony(&self, seat: usize) -> Result<Value> {
        self.phony_of(seat, 3)
    }

    /// A play of so many tiles with a word that is none.
    ///
    /// # Errors
    /// When it has none.
    pub fn phony_of(&self, seat: usize, tiles: usize) -> Result<Value> {
        let (board, mut rack) = self.known(seat)?;
        rack.sort_by_key(|tile| tile.is_blank());
        for _ in 0..rack.len() {
            if let Some(play) = Words::builtin().phony(&board, &rack, tiles) {
                return Ok(fields(&play));
            }
            rack.rotate_left(1);
        }
        Err(Unlucky("any tiles of this rack are a word").into())
    }

    /// Lets the seat on turn make a play; returns its id.
    ///
    /// # Errors
    /// When it is refused.
    pub fn play(&mut self, mut fields: Value) -> Result<u64> {
        let (seat, turn_no) = self.turn()?;
        fields["turn_no"] = json!(turn_no);
        let seq = self.ok(seat, "play", fields)?;
        self.all_until(|fold| fold.turn_no > turn_no || fold.phase != "running")?;
        ensure!(
            self.folds[0]
                .events
                .iter()
                .any(|event| event["seq"] == seq && event["kind"] == "play_made")
        );
        Ok(seq)
    }
}

fn fields(play: &Play) -> Value {
    let (placement, set) = (play.placement(), &RuleSet::classic().tiles);
    let tiles = placement
        .tiles
        .iter()
        .map(|cell| notation::format_cell(*cell, set));
    json!({
        "start": notation::format_coordinate(placement.start, placement.direction),
        "tiles": tiles.collect::<Vec<_>>(),
    })
}
