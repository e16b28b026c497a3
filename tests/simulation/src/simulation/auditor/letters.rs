//! Letters: none about a turn of the past, none to a player who is here or who blocks the sender, none with a rack or a private
//! code, at most two sendings under one name, no more in a day than the bound, and one for every turn that waits.

use std::collections::BTreeMap;

use tilewire_courier::message_id;
use tilewire_people::letters::{LetterChoices, LetterKind};
use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::time::Timestamp;
use tilewire_store::{
    AwaitedAction, Letter, NewLetter, OutboxStore as _, Settlement, StoredLetter,
};

use super::messages::kind_of;
use super::{Auditor, Log};
use crate::simulation::disk::Durable;
use crate::simulation::durable::at_once;
use crate::simulation::letter_text::{name_of, shows_tiles, text_of};
use crate::simulation::steps::{LetterNews, LetterStep};

/// The longest time between the courier's look at a letter and the moment when it wants to send it, ms: a slow disk, and the time
/// for which a look holds.
const LOOK_MS: i64 = 15_000;
/// How long before a sending a stall of the server can have begun that delayed it, ms.
const STALL_MS: i64 = 80_000;
/// How long a letter may be late when nothing fails, ms.
const LATE_MS: i64 = 60_000;
/// The check for racks in a letter covers so many events after the event of the letter.
const RACKS: usize = 4;
/// Sendings under one name.
const SENDINGS: u32 = 2;
/// Events after which a turn that was asked for is asked for anew, or not at all.
const INTERRUPTIONS: [&str; 5] = [
    "paused",
    "adjourned",
    "resumed",
    "challenge_opened",
    "challenge_decided",
];

/// The bounds of letters.
#[derive(Debug, Clone, Copy)]
pub struct LetterBounds {
    /// The domain of the sender.
    pub domain: &'static str,
    /// Letters about games to one player in a day.
    pub per_day: u32,
    /// Letters in work at the same time.
    pub window: usize,
    /// The wait before a letter about a game, ms.
    pub wait_ms: i64,
    /// Whether a moderator suspends players now and then.
    pub is_moderated: bool,
}

/// The outcomes of letters.
#[derive(Debug, Clone, Copy, Default)]
pub struct LetterCounts {
    /// Letters that came into the outbox.
    pub written: u64,
    /// Messages that the mail server has taken.
    pub taken: u64,
    /// Messages that it has taken once more.
    pub repeated: u64,
    /// Letters that were refused because a player was here.
    pub present: u64,
    /// Letters beyond the bound of a day.
    pub beyond: u64,
    /// Letters from other players.
    pub from_others: u64,
    /// Sendings of letters of nudges.
    pub nudges: u64,
    /// Turns that were over while their letters were not sent.
    pub past: u64,
}

/// A letter.
#[derive(Debug)]
struct Row {
    letter: NewLetter,
    begun: u32,
    taken: u32,
}

/// The auditor's model of letters.
#[derive(Debug, Default)]
pub(super) struct Letters {
    bounds: Option<LetterBounds>,
    /// The players with an address, and what they want.
    wants: BTreeMap<String, LetterChoices>,
    rows: BTreeMap<String, Row>,
    /// The letter of each `Message-ID`.
    names: BTreeMap<String, String>,
    /// When the courier asked whether a player is here, and the answer; since the last start.
    asks: BTreeMap<String, Vec<(i64, bool)>>,
    /// The turn of each game, and when the turns before it were over.
    turns: BTreeMap<GameId, u64>,
    over: BTreeMap<(GameId, u64), i64>,
    /// Letters about games that were counted for a player in a day.
    sent: BTreeMap<(String, i64), u32>,
    pub(super) counts: LetterCounts,
}

impl Letters {
    /// A game has changed: `turn` is the number of its last turn, and `is_on_turn` says whether it still waits for that.
    pub(super) fn turned(&mut self, game: &GameId, turn: u64, is_on_turn: bool, now: i64) {
        let known = self.turns.insert(game.clone(), turn).unwrap_or(0);
        for no in known..turn {
            self.over.entry((game.clone(), no)).or_insert(now);
        }
        let last = (game.clone(), turn);
        if is_on_turn {
            self.over.remove(&last);
        } else {
            self.over.entry(last).or_insert(now);
        }
    }

    /// A server starts: no look from before holds.
    pub(super) fn restarted(&mut self) {
        self.asks.clear();
    }

    /// Returns when the turn that a letter is about was over.
    fn over_at(&self, letter: &NewLetter) -> Option<i64> {
        let no = turn_of(&letter.content)?;
        self.over.get(&(letter.game.clone()?, no)).copied()
    }

    /// Returns the questions whether a player is here from a time on.
    fn asks(&self, identity: &str, from: i64, to: i64) -> impl Iterator<Item = (i64, bool)> + '_ {
        let asks = self.asks.get(identity).into_iter().flatten().copied();
        asks.filter(move |(at, _)| (from..=to).contains(at))
    }

    fn wants(&self, letter: &NewLetter) -> bool {
        let choices = self.wants.get(&letter.identity);
        choices.is_some_and(|choices| choices.wants(letter.content.kind()))
    }

    fn written(&mut self, letter: &NewLetter, domain: &str) {
        self.counts.written += 1;
        if sender_of(letter).is_some() {
            self.counts.from_others += 1;
        }
        let name = message_id(&letter.key, domain);
        let known = self.names.insert(name, letter.key.clone());
        assert!(
            known.is_none_or(|known| known == letter.key),
            "two letters have one name: {letter:?}"
        );
        let row = Row {
            letter: letter.clone(),
            begun: 0,
            taken: 0,
        };
        let row = self.rows.entry(letter.key.clone()).or_insert(row);
        assert_eq!(row.letter.content, letter.content, "another letter");
    }
}

/// Returns the turn that a letter asks for.
fn turn_of(content: &Letter) -> Option<u64> {
    match content {
        Letter::Turn {
            asked: AwaitedAction::Turn(no),
            ..
        }
        | Letter::Reminder {
            asked: AwaitedAction::Turn(no),
            ..
        } => Some(u64::from(no.0)),
        _ => None,
    }
}

/// Returns the player who has caused a letter.
fn sender_of(letter: &NewLetter) -> Option<&str> {
    match &letter.content {
        Letter::Invitation { from, .. }
        | Letter::Reminder {
            from: Some(from), ..
        } => Some(from),
        _ => None,
    }
}

/// Says whether a letter is one of those that a day has a bound for.
fn is_bounded(letter: &NewLetter) -> bool {
    let kind = letter.content.kind();
    !kind.is_about_account() && kind != LetterKind::Digest
}

impl Auditor {
    /// There are letters.
    pub fn writes(&mut self, bounds: LetterBounds) {
        self.letters.bounds = Some(bounds);
    }

    /// A player has an address and wants these letters.
    pub fn has_address(&mut self, identity: &str, choices: LetterChoices) {
        self.letters.wants.insert(identity.to_owned(), choices);
    }

    /// Returns what became of letters.
    #[must_use]
    pub const fn letter_counts(&self) -> LetterCounts {
        self.letters.counts
    }

    /// Something happened to a letter.
    ///
    /// # Panics
    /// When it should not have.
    pub fn letter(&mut self, step: &LetterStep, durable: &Durable) {
        let Some(bounds) = self.letters.bounds else {
            return;
        };
        self.checked += 1;
        let at = step.at.0;
        match &step.what {
            LetterNews::Written(letter) => self.letters.written(letter, bounds.domain),
            LetterNews::Asked {
                identity,
                is_present,
            } => {
                let asks = self.letters.asks.entry(identity.clone()).or_default();
                asks.push((at, *is_present));
            }
            LetterNews::Begun { key, asked_at } => {
                let row = self.letters.rows.get_mut(key);
                row.expect("a letter is written first").begun += 1;
                let letter = self.letters.rows[key].letter.clone();
                let is_nudge = matches!(letter.content, Letter::Reminder { from: Some(_), .. });
                self.letters.counts.nudges += u64::from(is_nudge);
                self.check_begun(&letter, asked_at.0);
            }
            LetterNews::Settled(stored, settlement) => {
                self.settled(stored, *settlement, at, bounds, durable);
            }
            LetterNews::Taken(bytes) => self.taken(bytes, durable),
        }
    }

    /// Returns since when the look at a letter can have been, which is sent or dropped at `to`.
    fn looked_from(&self, to: i64) -> i64 {
        let stalls = self.stalls.iter();
        let stalls = stalls.filter(|(_, until)| (to - STALL_MS..=to).contains(until));
        let stalled: i64 = stalls.map(|(from, until)| until - from).sum();
        to - LOOK_MS - stalled
    }

    /// The courier is about to send a letter.
    fn check_begun(&self, letter: &NewLetter, asked_at: i64) {
        if !is_bounded(letter) {
            return;
        }
        let letters = &self.letters;
        let from = self.looked_from(asked_at);
        let asks = || letters.asks(&letter.identity, from, asked_at);
        let looks = || asks().filter(|(_, is_present)| !is_present);
        assert!(
            looks().next().is_some(),
            "a letter to a player who is here: {letter:?}, {:?}",
            asks().collect::<Vec<_>>()
        );
        assert!(letters.wants(letter), "it is not wanted: {letter:?}");
        if let Some(over) = letters.over_at(letter) {
            assert!(
                looks().any(|(at, _)| at <= over),
                "a letter about a turn that was over at {over}: {letter:?}"
            );
        }
        let sender = sender_of(letter);
        let blocked = sender.and_then(|from| self.relations.blocked_since(&letter.identity, from));
        if let Some(since) = blocked {
            assert!(
                looks().any(|(at, _)| !since.is_before_time(at)),
                "a block stands since {since:?} between reader and sender: {letter:?}"
            );
        }
    }

    /// The mail server has taken a message.
    fn taken(&mut self, bytes: &[u8], durable: &Durable) {
        let name = name_of(bytes).expect("a message has a name");
        let key = self.letters.names.get(&name).cloned();
        let key = key.unwrap_or_else(|| panic!("{name} is no letter"));
        let row = self.letters.rows.get_mut(&key).expect("it is written");
        row.taken += 1;
        assert!(
            row.taken <= row.begun,
            "a letter is sent whose sending is not counted: {row:?}"
        );
        assert!(row.taken <= SENDINGS, "a letter is sent again: {row:?}");
        self.letters.counts.taken += 1;
        self.letters.counts.repeated += u64::from(row.taken > 1);
        let letter = row.letter.clone();
        let Some(game) = &letter.game else {
            return;
        };
        let text = text_of(bytes).expect("a message has a text");
        let code = durable.games[game].meta.private_code.as_ref();
        let shows_code = code.is_some_and(|code| text.contains(code.as_str()));
        assert!(!shows_code, "a letter shows the code of {game}: {text}");
        self.check_racks(self.log(game), &text);
    }

    /// Checks that a text shows no rack.
    fn check_racks(&self, log: &Log, text: &str) {
        if log.book.ended.is_some() {
            return; // the end shows all tiles
        }
        let words = log.records.iter().filter_map(main_word);
        let words: Vec<String> = words.collect();
        let facts = log.book.facts.iter().rev().take(RACKS);
        for rack in facts.flat_map(|facts| &facts.racks) {
            let shown = shows_tiles(text, rack, &words);
            assert!(!shown, "a letter shows the rack {rack:?}: {text}");
        }
    }

    /// The outcome of a letter is stored.
    fn settled(
        &mut self,
        stored: &StoredLetter,
        settlement: Settlement,
        at: i64,
        bounds: LetterBounds,
        durable: &Durable,
    ) {
        let letter = &stored.letter;
        match settlement {
            Settlement::Sent { day } if is_bounded(letter) => {
                let key = (letter.identity.clone(), day);
                let sent = self.letters.sent.entry(key).or_default();
                *sent += 1;
                // Those in work were looked at before the others were counted, perhaps on the day before.
                let most = usize::try_from(bounds.per_day).unwrap_or(usize::MAX);
                assert!(
                    usize::try_from(*sent).is_ok_and(|sent| sent <= most + 2 * bounds.window),
                    "{sent} letters in a day: {letter:?}"
                );
            }
            Settlement::Dropped => self.dropped(stored, at, bounds, durable),
            Settlement::Digest { .. } => self.letters.counts.beyond += 1,
            Settlement::Sent { .. } | Settlement::Refused { .. } | Settlement::Later { .. } => {}
        }
    }

    /// A letter is given up.
    fn dropped(&mut self, stored: &StoredLetter, at: i64, bounds: LetterBounds, durable: &Durable) {
        let letter = &stored.letter;
        let (Letter::Turn { .. }, Some(game)) = (&letter.content, &letter.game) else {
            return;
        };
        let from = self.looked_from(at) - LOOK_MS;
        let was_present = self
            .letters
            .asks(&letter.identity, from, at)
            .any(|ask| ask.1);
        let is_past = self.letters.over_at(letter).is_some();
        self.letters.counts.present += u64::from(was_present);
        self.letters.counts.past += u64::from(is_past);
        let mailbox = at_once(durable.stores.mailbox(&letter.identity)).expect("in memory");
        let is_disabled = mailbox.is_none_or(|mailbox| mailbox.disabled_at.is_some());
        let is_sent_enough = self.letters.rows[&letter.key].begun >= SENDINGS;
        let is_asked = turn_of(&letter.content).is_some();
        let has_reason = was_present
            || is_past
            || is_disabled
            || is_sent_enough
            || !is_asked
            || bounds.is_moderated
            || at >= letter.until.0
            || !self.letters.wants(letter)
            || is_interrupted(self.log(game));
        assert!(has_reason, "a letter is lost: {stored:?}");
    }

    /// Checks, while nothing fails any more, that no letter waits and that every turn that waits has its letter.
    ///
    /// # Panics
    /// When one has not.
    pub fn check_letters(&self, durable: &Durable) {
        let Some(bounds) = self.letters.bounds else {
            return;
        };
        let late = durable.stores.letters_due(Timestamp(self.now - LATE_MS), 1);
        let late = at_once(late).expect("in memory");
        assert!(late.is_empty(), "a letter still waits: {late:?}");
        for (game, log) in &self.logs {
            let is_settled = log.book.last_at + bounds.wait_ms + LATE_MS < self.now;
            if is_settled && log.book.ended.is_none() && !is_interrupted(log) {
                self.check_asked(game, log, durable);
            }
        }
    }

    /// Checks that the player on turn was written to.
    fn check_asked(&self, game: &GameId, log: &Log, durable: &Durable) {
        let fold = &log.book.judge.fold;
        let created = &log.book.created;
        let on_turn: Option<u64> = fold.on_turn;
        let (Some(seat), true) = (on_turn, created.options.clock.is_correspondence()) else {
            return;
        };
        let identity = &created.players[usize::try_from(seat).expect("few seats")].identity;
        let mailbox = at_once(durable.stores.mailbox(identity)).expect("in memory");
        if mailbox.is_none_or(|mailbox| mailbox.disabled_at.is_some()) {
            return;
        }
        let is_written = self.letters.rows.values().any(|row| {
            let letter = &row.letter;
            let is_turn = matches!(letter.content, Letter::Turn { .. });
            is_turn
                && letter.game.as_ref() == Some(game)
                && letter.identity == *identity
                && turn_of(&letter.content) == Some(fold.turn_no)
        });
        assert!(
            is_written,
            "nobody told {identity} of turn {} in {game}",
            fold.turn_no
        );
    }
}

/// Returns the main word of a play.
fn main_word(record: &Record) -> Option<String> {
    let Event::Public(PublicEvent::PlayMade(play)) = &record.event else {
        return None;
    };
    play.words.first().map(|word| word.word.clone())
}

fn is_interrupted(log: &Log) -> bool {
    let mut kinds = log.records.iter().map(kind_of);
    kinds.any(|kind| INTERRUPTIONS.contains(&kind))
}
