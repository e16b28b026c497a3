//! A recorded game, ready for analysis.

use std::sync::Arc;

use thiserror::Error;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::record::{Code, MadeTurn, Severity, made_turns};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};

use crate::record::RecordFile;
use crate::record::source::{Loaded, Problem, Source, lexicon};

/// Most turns of a game that is analysed.
const MAX_TURNS: usize = 400;

/// The reason why a game cannot be analysed.
#[derive(Debug, Error)]
pub(super) enum GameError {
    #[error("{0} (record)")]
    Source(#[from] Problem),
    #[error("{0}:{1}: {2} (bad_turn)")]
    Turn(String, usize, String),
    #[error("{0}: {1} turns are more than {MAX_TURNS} (too_many_turns)")]
    TooMany(String, usize),
    #[error("{0}: there are no turns (no_turns)")]
    NoTurns(String),
    #[error("{0}: there is no seat {1} (no_seat)")]
    NoSeat(String, usize),
    #[error("{0}: the words of {1} are not built in; name a lexicon: --lexicon FILE (lexicon)")]
    Lexicon(String, String),
}

/// A recorded game.
pub(super) struct Game {
    pub(super) file: String,
    pub(super) rules: Arc<RuleSet>,
    pub(super) lexicon: Arc<FstLexicon>,
    pub(super) players: Vec<String>,
    /// The score of each player at the end of the sheet.
    pub(super) totals: Vec<i32>,
    /// The points that each seat needs in a race; else empty.
    pub(super) targets: Vec<i32>,
    pub(super) turns: Vec<MadeTurn>,
    /// The time of each turn, ms; empty if the record has none.
    pub(super) times: Vec<i64>,
}

impl Game {
    /// Reads a game from a file or from the server.
    ///
    /// # Errors
    /// Names the part that cannot be used.
    pub(super) fn load(
        record: &RecordFile,
        wanted: Option<&str>,
        server: &str,
    ) -> Result<Self, GameError> {
        let loaded = Loaded::new(record, server)?;
        let file = loaded.name.clone();
        let (rules, targets, times) = match &loaded.source {
            Source::Gcg(_) => (Arc::clone(&loaded.rules), Vec::new(), Vec::new()),
            Source::Native(_, records) => {
                let (rules, targets) = as_played(&loaded.rules, records)?;
                (rules, targets, times(records))
            }
        };
        let lexicon = match lexicon(wanted, loaded.lexicon_name())? {
            Some(lexicon) => lexicon,
            None if rules.language == "english" => FstLexicon::builtin(),
            None => return Err(GameError::Lexicon(file, rules.language.clone())),
        };
        let sheet = loaded.sheet()?;
        if sheet.events.len() > 2 * MAX_TURNS {
            return Err(GameError::TooMany(file, sheet.events.len()));
        }
        let (turns, report) = made_turns(&sheet, &rules, Some(&*lexicon as &dyn Lexicon));
        match turns.len() {
            0 => return Err(GameError::NoTurns(file)),
            count if count > MAX_TURNS => return Err(GameError::TooMany(file, count)),
            _ => {}
        }
        let mut findings = report.findings.into_iter();
        let wrong = findings.find(|finding| {
            finding.severity == Severity::Error && matches!(finding.code, Code::Play | Code::Turn)
        });
        if let Some(wrong) = wrong {
            return Err(GameError::Turn(file, wrong.line, wrong.reason));
        }
        Ok(Self {
            file,
            rules,
            lexicon,
            players: sheet
                .players
                .into_iter()
                .map(|player| player.name)
                .collect(),
            totals: report.totals,
            targets,
            turns,
            times,
        })
    }

    /// Checks that the game has a seat.
    pub(super) fn check_seat(&self, seat: Option<usize>) -> Result<(), GameError> {
        match seat.filter(|seat| *seat >= self.players.len()) {
            Some(seat) => Err(GameError::NoSeat(self.file.clone(), seat)),
            None => Ok(()),
        }
    }

    /// The tiles that the player kept at the turn before, if they are known; nothing before the first turn.
    pub(super) fn kept(&self, index: usize) -> Option<Vec<tilewire_rules::alphabet::Tile>> {
        use tilewire_rules::bot::BotTurn;
        let seat = self.turns[index].seat;
        let Some(last) = self.turns[..index]
            .iter()
            .rev()
            .find(|turn| turn.seat == seat)
        else {
            return Some(Vec::new());
        };
        if last.is_off {
            return Some(last.rack.clone());
        }
        let used = match last.turn.as_ref()? {
            BotTurn::Play(placement) => placement.laid().map(|placed| placed.tile).collect(),
            BotTurn::Exchange(tiles) => tiles.clone(),
            BotTurn::Pass => Vec::new(),
        };
        tilewire_rules::tiles::without(&last.rack, &used)
    }
}

/// The rules with the board of this game, and the targets of a race.
fn as_played(
    rules: &Arc<RuleSet>,
    records: &[Record],
) -> Result<(Arc<RuleSet>, Vec<i32>), Problem> {
    let Some((first, rest)) = records.split_first() else {
        return Ok((Arc::clone(rules), Vec::new()));
    };
    let mut state = State::begin(Arc::clone(rules), first)?;
    for record in rest {
        state.apply(record)?;
    }
    let seats = Seat::all(state.options().seats);
    let targets = seats.filter_map(|seat| state.target(seat)).collect();
    Ok((Arc::clone(state.rules()), targets))
}

/// The time from the start of each turn to its end.
fn times(records: &[Record]) -> Vec<i64> {
    let mut started: Option<Timestamp> = None;
    let mut times = Vec::new();
    for record in records {
        match &record.event {
            Event::Public(PublicEvent::TurnStarted { .. }) => started = Some(record.at),
            Event::Exchanged { .. }
            | Event::Public(
                PublicEvent::PlayMade(_)
                | PublicEvent::Passed { .. }
                | PublicEvent::TurnLost { .. },
            ) => times.push(started.map_or(0, |started| record.at.since(started)).max(0)),
            _ => {}
        }
    }
    times
}
