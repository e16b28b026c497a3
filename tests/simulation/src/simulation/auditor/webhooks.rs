//! Webhooks: every event comes at least once, those of a game and of an account in order, none before spectators see it, none with
//! a rack, a private code or a secret, and none is given up too soon.

use std::collections::BTreeMap;

use serde_json::Value;
use tilewire_config::{WebhookTarget, WebhooksConfig};
use tilewire_courier::Delivery;
use tilewire_protocol::GameId;
use tilewire_rules::event::{EndReason, Event, PublicEvent, Record};
use tilewire_store::{AccountNews, AccountNewsKind, NewWebhook, WebhookFate, WebhookKey};

use super::webhook_row::{Row, waits};
use super::{Auditor, Log};
use crate::simulation::disk::Durable;
use crate::simulation::letter_text::shows_tiles;
use crate::simulation::steps::{WebhookNews, WebhookStep};

/// How long an event may be late when nothing fails, ms.
const LATE_MS: i64 = 60_000;
/// The fields of `data` for each kind of event.
const FIELDS: [(&str, &[&str]); 4] = [
    ("game.created", &["game", "private", "options", "players"]),
    ("game.started", &["game", "seat"]),
    (
        "game.turn",
        &[
            "game", "seq", "seat", "act", "turn_no", "start", "words", "points", "scores", "bag",
            "count", "play", "off",
        ],
    ),
    ("account", &["identity", "handle", "until"]),
];
/// The same for the end of a game.
const END_FIELDS: &[&str] = &["game", "reason", "players"];
/// The fields of a player.
const PLAYER_FIELDS: &[&str] = &["seat", "identity", "name", "bot", "result"];
/// The fields of a word.
const WORD_FIELDS: &[&str] = &["word", "points"];

/// The outcomes of events for webhooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct WebhookCounts {
    /// Events that webhooks have taken.
    pub taken: u64,
    /// Events that they have taken once more.
    pub repeated: u64,
    /// Events that they were sent and have not taken.
    pub refused: u64,
    /// Events that have failed after the time for them.
    pub failed: u64,
    /// Events that have failed because too many waited.
    pub pushed_out: u64,
    /// Events that came later than they happened, because spectators did not see them yet.
    pub held_back: u64,
    /// Events of private games.
    pub private: u64,
    /// Events of accounts.
    pub of_accounts: u64,
}

/// The auditor's model of webhooks.
#[derive(Debug, Default)]
pub(super) struct Webhooks {
    config: WebhooksConfig,
    /// The secrets, without their common start.
    secrets: Vec<String>,
    rows: BTreeMap<WebhookKey, Row>,
    /// The event of each webhook and id.
    ids: BTreeMap<(String, String), WebhookKey>,
    /// The news of each player's account.
    notes: BTreeMap<String, Vec<AccountNews>>,
    /// Up to which place all events of a lane are done, by webhook.
    done: BTreeMap<(String, String), u64>,
    counts: WebhookCounts,
}

impl Webhooks {
    fn is_done(&self, key: &WebhookKey) -> bool {
        self.rows.get(key).is_some_and(Row::is_done)
    }

    fn waiting(&self, target: &str) -> usize {
        let rows = self.rows.iter();
        let waiting = rows.filter(|(key, row)| key.target == target && !row.is_over);
        waiting.count()
    }

    fn target(&self, name: &str) -> &WebhookTarget {
        let target = self.config.target(name);
        target.unwrap_or_else(|| panic!("there is no webhook {name}"))
    }

    fn written(&mut self, webhook: &NewWebhook) {
        let id = (webhook.key.target.clone(), webhook.key.id());
        let known = self.ids.insert(id, webhook.key.clone());
        let is_same = known.is_none_or(|known| known == webhook.key);
        assert!(is_same, "two events have one id: {webhook:?}");
        let row = Row {
            webhook: webhook.clone(),
            is_taken: false,
            has_failed: false,
            is_over: false,
            due_at: 0,
        };
        let known = self.rows.insert(webhook.key.clone(), row);
        assert!(known.is_none(), "an event is written again: {known:?}");
    }

    fn pushed_out(&mut self, key: &WebhookKey) {
        let waiting = u64::try_from(self.waiting(&key.target)).expect("few events");
        assert!(
            waiting > self.config.queue,
            "{key:?} has failed while {waiting} wait"
        );
        let row = self.rows.get_mut(key).expect("it is written");
        (row.has_failed, row.is_over) = (true, true);
        self.counts.pushed_out += 1;
    }

    fn settled(&mut self, key: &WebhookKey, fate: WebhookFate) {
        let retry_max_ms = self.config.retry_max_ms;
        let row = self.rows.get_mut(key).expect("it is written");
        match fate {
            WebhookFate::Delivered => {
                assert!(row.is_taken, "nobody has taken it: {row:?}");
                row.is_over = true;
            }
            WebhookFate::Failed(at) => {
                let is_late = at + retry_max_ms >= row.webhook.until;
                assert!(is_late, "it is given up too soon: {row:?}");
                (row.has_failed, row.is_over) = (true, true);
                self.counts.failed += 1;
            }
            WebhookFate::Later(at) => row.due_at = at.0,
        }
    }

    /// Returns the places of what happened to a player before a note, as far as a webhook wants it.
    fn places_of_account(&self, target: &WebhookTarget, identity: &str) -> Vec<u64> {
        let notes = self.notes.get(identity).into_iter().flatten();
        let wanted = notes.filter(|note| wants(target, name_of(note.kind)));
        wanted.map(|note| note.number).collect()
    }

    fn check_secrets(&self, delivery: &Delivery) {
        for secret in &self.secrets {
            let shown = format!("{delivery:?}").contains(secret);
            assert!(!shown, "an event shows a secret: {delivery:?}");
        }
        let signatures: Vec<&str> = delivery.signature.split(' ').collect();
        let is_signed = signatures.iter().all(|one| one.starts_with("v1,"));
        assert!(
            is_signed && signatures.len() == self.secrets.len(),
            "each secret signs: {delivery:?}"
        );
    }

    fn check_account(&self, key: &WebhookKey, data: &Value, kind: &str) {
        let identity = key.lane.strip_prefix("account/").expect("an account");
        let mut notes = self.notes.get(identity).into_iter().flatten();
        let note = notes.find(|note| note.number == key.place);
        let note = note.unwrap_or_else(|| panic!("nothing happened: {key:?}"));
        assert_eq!(kind, name_of(note.kind), "{note:?}");
        check_fields(data, fields_of("account"));
        assert_eq!(data["identity"], *identity, "{note:?}");
        assert_eq!(data["handle"].as_str(), note.name.as_deref(), "{note:?}");
        assert_eq!(data["until"].is_string(), note.until.is_some(), "{note:?}");
    }
}

fn wants(target: &WebhookTarget, kind: &str) -> bool {
    let mut events = target.events.0.iter();
    target.events.0.is_empty() || events.any(|event| event.name() == kind)
}

/// Returns the kind of event that a note is, from the document.
const fn name_of(kind: AccountNewsKind) -> &'static str {
    match kind {
        AccountNewsKind::Registered => "account.registered",
        AccountNewsKind::Renamed => "account.renamed",
        AccountNewsKind::Suspended => "account.suspended",
        AccountNewsKind::Restored => "account.restored",
        AccountNewsKind::Erased => "account.erased",
    }
}

/// Returns the kind of event that a record is, if it is one, from the document.
const fn kind_of(record: &Record) -> Option<&'static str> {
    match &record.event {
        Event::Created(_) => Some("game.created"),
        Event::Exchanged { .. } => Some("game.turn"),
        Event::Public(public) => match public {
            PublicEvent::TurnStarted { turn_no, .. } if turn_no.0 == 1 => Some("game.started"),
            PublicEvent::PlayMade(_)
            | PublicEvent::Passed { .. }
            | PublicEvent::TurnLost { .. }
            | PublicEvent::ChallengeDecided(_) => Some("game.turn"),
            PublicEvent::Ended(ended) => match ended.reason {
                EndReason::Adjudicated => Some("game.adjudicated"),
                EndReason::Aborted | EndReason::Cancelled => Some("game.cancelled"),
                _ => Some("game.ended"),
            },
            _ => None,
        },
        Event::BagShuffled { .. } | Event::TilesDrawn { .. } => None,
    }
}

fn fields_of(kind: &str) -> &'static [&'static str] {
    let mut all = FIELDS.iter();
    let known = all.find(|(known, _)| *known == kind);
    known.map_or(END_FIELDS, |(_, fields)| fields)
}

/// Checks that an object has no other fields than these.
fn check_fields(object: &Value, fields: &[&str]) {
    let object = object.as_object().expect("an object");
    for field in object.keys() {
        assert!(fields.contains(&field.as_str()), "{field} in {object:?}");
    }
}

fn check_all_fields(list: &Value, fields: &[&str]) {
    for one in list.as_array().into_iter().flatten() {
        check_fields(one, fields);
    }
}

impl Log {
    /// Returns from when on spectators see a record.
    fn shown_at(&self, record: &Record) -> i64 {
        let view = self.book.created.options.spectators;
        // The creation says nothing that the seek did not.
        let delay_ms = view.filter(|_| record.seq.0 > 1);
        let shown_at = record.at.0 + delay_ms.map_or(0, |view| view.delay_ms);
        let last = self.records.last().expect("a log has a record");
        match self.book.ended {
            Some(_) => shown_at.min(last.at.0),
            None => shown_at,
        }
    }

    fn record(&self, seq: u64) -> Option<&Record> {
        let at = usize::try_from(seq).ok()?.checked_sub(1)?;
        self.records.get(at)
    }
}

impl Auditor {
    /// There are webhooks with these secrets in lines.
    pub fn posts(&mut self, config: &WebhooksConfig, secrets: &str) {
        self.webhooks.config = config.clone();
        let secrets = secrets.lines();
        let secrets = secrets.map(|secret| secret.trim_start_matches("whsec_").to_owned());
        self.webhooks.secrets = secrets.collect();
    }

    /// Returns what became of events for webhooks.
    #[must_use]
    pub const fn webhook_counts(&self) -> WebhookCounts {
        self.webhooks.counts
    }

    /// Something happened to an event for a webhook.
    ///
    /// # Panics
    /// When it should not have.
    pub fn webhook(&mut self, step: &WebhookStep, durable: &Durable) {
        self.checked += 1;
        match &step.what {
            WebhookNews::Noted(note) => {
                let notes = &mut self.webhooks.notes;
                notes
                    .entry(note.identity.clone())
                    .or_default()
                    .push(note.clone());
            }
            WebhookNews::Written(webhook) => self.webhooks.written(webhook),
            WebhookNews::PushedOut(key) => self.webhooks.pushed_out(key),
            WebhookNews::Settled(key, fate) => self.webhooks.settled(key, *fate),
            WebhookNews::Posted {
                target,
                delivery,
                is_taken,
            } => {
                let id = (String::from(*target), delivery.id.clone());
                let key = self.webhooks.ids.get(&id).cloned();
                let key = key.unwrap_or_else(|| panic!("nobody wrote {delivery:?}"));
                self.check_posted(&key, delivery, step.at.0, durable);
                self.check_order(&key, durable);
                self.count_posted(&key, *is_taken);
            }
        }
    }

    fn count_posted(&mut self, key: &WebhookKey, is_taken: bool) {
        let webhooks = &mut self.webhooks;
        let row = webhooks.rows.get_mut(key).expect("it is written");
        let counts = &mut webhooks.counts;
        match (is_taken, row.is_taken) {
            (true, true) => counts.repeated += 1,
            (true, false) => counts.taken += 1,
            (false, _) => counts.refused += 1,
        }
        row.is_taken |= is_taken;
        counts.of_accounts += u64::from(key.lane.starts_with("account/"));
    }

    /// A webhook was sent an event.
    fn check_posted(&mut self, key: &WebhookKey, delivery: &Delivery, at: i64, durable: &Durable) {
        let webhooks = &self.webhooks;
        let content = &delivery.content;
        assert_eq!(*content, webhooks.rows[key].webhook.content, "another body");
        assert!(delivery.seconds * 1_000 <= at, "{delivery:?} at {at}");
        webhooks.check_secrets(delivery);
        let body: Value = serde_json::from_str(content).expect("a body is JSON");
        check_fields(&body, &["type", "timestamp", "data"]);
        let (kind, data) = (body["type"].as_str().expect("a kind"), &body["data"]);
        let target = webhooks.target(&key.target);
        assert!(wants(target, kind), "{} does not want {kind}", key.target);
        let Some(game) = key.lane.strip_prefix("game/") else {
            webhooks.check_account(key, data, kind);
            return;
        };
        let game = GameId::from(game);
        let code = durable.games[&game].meta.private_code.as_ref();
        assert!(
            code.is_none() || target.private_games,
            "{} learns of a private game: {content}",
            key.target
        );
        let shows_code = code.is_some_and(|code| content.contains(code.as_str()));
        assert!(!shows_code, "an event shows the code of {game}: {content}");
        let log = self.log(&game);
        let record = log.record(key.place);
        let record = record.unwrap_or_else(|| panic!("{key:?} is not stored"));
        assert_eq!(Some(kind), kind_of(record), "{record:?}");
        let (happened_at, shown_at) = (record.at.0, log.shown_at(record));
        assert!(
            at >= shown_at,
            "spectators see it at {shown_at}, not {at}: {content}"
        );
        assert_eq!(data["game"], *game.as_str(), "{content}");
        log.check_event(key.place, kind, data);
        log.check_shows_no_rack(key.place, content);
        let counts = &mut self.webhooks.counts;
        counts.held_back += u64::from(shown_at > happened_at);
        counts.private += u64::from(code.is_some());
    }

    /// Checks that everything before an event in its lane is done.
    fn check_order(&mut self, key: &WebhookKey, durable: &Durable) {
        let lane = (key.target.clone(), key.lane.clone());
        let done = self.webhooks.done.get(&lane).copied().unwrap_or(0);
        let target = self.webhooks.target(&key.target);
        let places = match key.lane.strip_prefix("game/") {
            Some(game) => self.places_of_game(target, &GameId::from(game), durable),
            None => {
                let identity = key.lane.trim_start_matches("account/");
                self.webhooks.places_of_account(target, identity)
            }
        };
        let before = places.into_iter();
        for place in before.filter(|place| (done..key.place).contains(place)) {
            let earlier = WebhookKey {
                place,
                ..key.clone()
            };
            assert!(
                self.webhooks.is_done(&earlier),
                "{key:?} comes before {earlier:?}"
            );
        }
        self.webhooks.done.insert(lane, done.max(key.place));
    }

    /// Returns the numbers of the records of a game that a webhook gets events about.
    fn places_of_game(&self, target: &WebhookTarget, game: &GameId, durable: &Durable) -> Vec<u64> {
        let is_private = durable.games[game].meta.private_code.is_some();
        if is_private && !target.private_games {
            return Vec::new();
        }
        let records = self.log(game).records.iter();
        let wanted = records.filter(|one| kind_of(one).is_some_and(|kind| wants(target, kind)));
        wanted.map(|record| record.seq.0).collect()
    }

    /// Checks, while nothing fails any more, that no event is missing.
    ///
    /// # Panics
    /// When one is.
    pub fn check_webhooks(&self, durable: &Durable) {
        let missing = self.missing(self.now - LATE_MS, durable);
        assert_eq!(missing, None, "an event does not come");
    }

    /// Says whether webhooks have got everything.
    #[must_use]
    pub fn is_posted(&self, durable: &Durable) -> bool {
        self.missing(i64::MAX, durable).is_none()
    }

    /// Returns how long an event waits because nobody may see it yet, or because its next try is later, ms: the clock was ahead when it
    /// happened or was tried, and has gone back.
    #[must_use]
    pub fn hidden_for(&self, now: i64) -> i64 {
        let waiting = self.webhooks.rows.values().filter(|row| !row.is_over);
        waiting.fold(0, |most, row| {
            most.max(row.webhook.shown_at.0.max(row.due_at) - now)
        })
    }

    /// Returns an event that could be seen before a time and did not come.
    fn missing(&self, before: i64, durable: &Durable) -> Option<WebhookKey> {
        let webhooks = &self.webhooks;
        for target in &webhooks.config.targets {
            for (game, log) in &self.logs {
                let is_due = |seq: &u64| {
                    let record = log.record(*seq);
                    record.is_some_and(|record| log.shown_at(record) < before)
                };
                let places = self.places_of_game(target, game, durable).into_iter();
                let mut keys = places
                    .filter(is_due)
                    .map(|seq| WebhookKey::of_game(&target.name, game, seq));
                let missing = keys.find(|key| !webhooks.is_done(key));
                if missing
                    .as_ref()
                    .is_some_and(|key| !waits(&webhooks.rows, key, before))
                {
                    return missing;
                }
            }
            for (identity, notes) in &webhooks.notes {
                let due = notes
                    .iter()
                    .filter(|note| note.at.0 < before && wants(target, name_of(note.kind)));
                let mut keys =
                    due.map(|note| WebhookKey::of_account(&target.name, identity, note.number));
                let missing = keys.find(|key| !webhooks.is_done(key));
                if missing.is_some() {
                    return missing;
                }
            }
        }
        None
    }
}

impl Log {
    /// Checks what an event says of a record.
    fn check_event(&self, seq: u64, kind: &str, data: &Value) {
        check_fields(data, fields_of(kind));
        check_all_fields(&data["players"], PLAYER_FIELDS);
        check_all_fields(&data["words"], WORD_FIELDS);
        if kind != "game.turn" {
            return;
        }
        let at = usize::try_from(seq - 1).expect("few records");
        let facts = &self.book.facts[at];
        let scores = data["scores"].as_array().expect("scores").iter();
        let scores: Option<Vec<i64>> = scores.map(Value::as_i64).collect();
        assert_eq!(scores.as_ref(), Some(&facts.scores), "{data}");
        assert_eq!(data["bag"].as_i64(), Some(facts.bag), "{data}");
        assert_eq!(data["seq"].as_u64(), Some(seq), "{data}");
        if let Event::Public(PublicEvent::PlayMade(play)) = &self.records[at].event {
            let words = data["words"].as_array().expect("words").iter();
            let words: Vec<&str> = words.filter_map(|word| word["word"].as_str()).collect();
            let made: Vec<&str> = play.words.iter().map(|word| word.word.as_str()).collect();
            assert_eq!(words, made, "{data}");
            assert_eq!(data["points"].as_i64(), Some(play.score.into()), "{data}");
        }
    }

    /// Checks that an event shows no rack from before it or after it.
    fn check_shows_no_rack(&self, seq: u64, content: &str) {
        let at = usize::try_from(seq - 1).expect("few records");
        let made = self.records[..=at]
            .iter()
            .filter_map(|record| match &record.event {
                Event::Public(PublicEvent::PlayMade(play)) => Some(&play.words),
                _ => None,
            });
        let words = made.flatten().map(|word| word.word.clone());
        let words: Vec<String> = words.collect();
        let facts = &self.book.facts[at.saturating_sub(1)..=at];
        for rack in facts.iter().flat_map(|facts| &facts.racks) {
            let shown = shows_tiles(content, rack, &words);
            assert!(!shown, "an event shows the rack {rack:?}: {content}");
        }
    }
}
