//! Replays a game with the oracle, from the events its players received.

use tilewire_oracle::{Judge, Slack, document_of};
use tilewire_protocol::{ChallengeKind, Clocks, Event, EventBody, GameSetup, TurnRecord};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::ruleset::RuleSet;

use crate::public_state::{ClockState, PublicState, SeatState, TurnLine};

/// The most network delay that a server with default settings credits for one command, milliseconds.
const LAG_CREDIT_MS: i64 = 500;

/// The state of a partly replayed game.
#[derive(Debug)]
pub(super) struct Replay<'a> {
    judge: Judge<'a>,
    lines: Vec<TurnLine>,
    clocks: Option<ClockState>,
}

/// Replays a game; calls `look` after each event.
///
/// # Errors
/// The first objection of the oracle.
pub(super) fn replay(
    log: &[Event],
    lexicon: &FstLexicon,
    mut look: impl FnMut(&Replay<'_>),
) -> Result<(), String> {
    let Some(EventBody::Created(created)) = log.first().map(|event| &event.body) else {
        return Err("the first event is not the creation".to_owned());
    };
    let setup = &created.setup;
    if setup.lexicon.hash.0 != lexicon.hash() {
        return Err(format!("the lexicon {} is not ours", setup.lexicon.name));
    }
    let mut replay = Replay {
        judge: Judge::new(is_word(setup, lexicon)?, slack(setup)),
        lines: Vec::new(),
        clocks: None,
    };
    for event in log {
        let taken = replay.take(event);
        taken.map_err(|error| format!("event {}: {error:#}", event.seq))?;
        look(&replay);
    }
    Ok(())
}

/// Returns whether a word, in the notation of the wire, is in the lexicon.
fn is_word<'a>(
    setup: &GameSetup,
    lexicon: &'a FstLexicon,
) -> Result<impl Fn(&str) -> bool + use<'a>, String> {
    let known = RuleSet::builtin(&setup.rule_set.id);
    let known = known.ok_or_else(|| format!("the rule set {} is unknown", setup.rule_set.id))?;
    let language = setup.options.language.as_deref().unwrap_or(&known.language);
    let rules = known.in_language(language);
    let rules = rules.ok_or_else(|| format!("the language {language} is unknown"))?;
    Ok(move |word: &str| {
        let letters = rules.tiles.parse_word(word);
        letters.is_some_and(|letters| lexicon.contains(&letters))
    })
}

/// With more than two players, a turn waits until all opponents have had time to challenge the previous play.
fn slack(setup: &GameSetup) -> Slack {
    if setup.seats.len() > 2 && setup.options.challenge_kind() != ChallengeKind::Void {
        Slack::Any
    } else {
        Slack::UpTo(LAG_CREDIT_MS)
    }
}

impl Replay<'_> {
    fn take(&mut self, event: &Event) -> anyhow::Result<()> {
        let document = document_of(event)?;
        self.judge.event(&document)?;
        let fold = &self.judge.fold;
        if matches!(event.body, EventBody::ChallengeDecided(_)) {
            // The verdict may have changed an earlier turn.
            self.lines.clear();
        }
        for turn in &fold.turns[self.lines.len()..] {
            let turn: TurnRecord = serde_json::from_value(turn.clone())?;
            self.lines.push(TurnLine::of(&turn));
        }
        if let Some(clocks) = document.get("clocks") {
            let clocks: Clocks = serde_json::from_value(clocks.clone())?;
            self.clocks = Some(ClockState::of(&clocks));
        }
        Ok(())
    }

    /// Returns the public state that a snapshot must show now.
    pub(super) fn digest(&self) -> PublicState {
        let fold = &self.judge.fold;
        let seats = fold.seats.iter().map(|seat| SeatState {
            score: narrow(seat.score),
            rack_count: narrow(seat.rack_count),
            is_ready: seat.is_ready,
            is_retired: seat.retired.is_some(),
        });
        let board = fold.board.iter();
        PublicState {
            turn_no: narrow(fold.turn_no),
            on_turn: fold.on_turn.map(narrow),
            board: board
                .map(|(square, face)| (square.clone(), face.clone()))
                .collect(),
            bag: narrow(fold.bag),
            seats: seats.collect(),
            turns: self.lines.clone(),
            clocks: self.clocks.clone().filter(|_| fold.turn_no > 0),
            is_over: fold.is_over(),
        }
    }

    /// Returns the objection to a rack that the server showed to its owner.
    pub(super) fn objection_to_rack(&self, seat: u8, shown: &[String]) -> Option<String> {
        let held = self
            .judge
            .fold
            .seats
            .get(usize::from(seat))?
            .rack
            .as_ref()?;
        let sorted = |rack: &[String]| {
            let mut rack = rack.to_vec();
            rack.sort_unstable();
            rack
        };
        let (shown, held) = (sorted(shown), sorted(held));
        (held != shown).then(|| format!("seat {seat} was shown {shown:?}, holds {held:?}"))
    }
}

/// Converts a number of the oracle back to its wire type.
fn narrow<T, U: TryInto<T>>(number: U) -> T
where
    T: Default,
{
    number.try_into().unwrap_or_default()
}
