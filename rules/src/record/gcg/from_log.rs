//! Writes the log of a finished game as a [`Gcg`].
//!
//! Two players get the form that common tools expect: the player who went out gets twice the other's tiles, which
//! makes the same spread as R-END-7. A turn lost by a challenge is a pass with a note. Clocks, holds, acceptances and
//! resignations have no form; a note states the reason for an end that the score sheet does not show.

use std::sync::Arc;

use super::{Event as Line, Gcg, INACTIVITY, Kind, LOST_TURN, Player, Pragma, RULE_SET};
use crate::alphabet::Tile;
use crate::event::{
    ChallengeDecided, Created, EndReason, Ended, Event, PlayMade, PublicEvent, Record, Verdict,
};
use crate::notation;
use crate::ruleset::RuleSet;
use crate::state::{ReplayError, ReplayProblem, State};
use crate::time::Seat;

/// Returns the score sheet of a game; an unfinished game gets `#incomplete`.
///
/// # Errors
/// If the log is not the log of a game by these rules.
pub fn from_log(rules: &Arc<RuleSet>, records: &[Record]) -> Result<Gcg, ReplayError> {
    let mut sheet = Sheet::default();
    let mut state: Option<State> = None;
    for record in records {
        match &mut state {
            None => {
                let begun = State::begin(Arc::clone(rules), record)?;
                sheet.begin(rules, begun.created());
                state = Some(begun);
            }
            Some(state) => {
                seated(state, record)?;
                sheet.before(state, &record.event);
                state.apply(record)?;
                sheet.after(state, &record.event);
            }
        }
    }
    if state.is_none_or(|state| state.outcome().is_none()) {
        sheet.gcg.incomplete = Some(String::new());
    }
    Ok(sheet.gcg)
}

#[derive(Default)]
struct Sheet {
    gcg: Gcg,
    totals: Vec<i32>,
    /// The last play: author, rack before it, points.
    last_play: Option<(Seat, String, i32)>,
}

impl Sheet {
    fn begin(&mut self, rules: &RuleSet, created: &Created) {
        for (number, player) in (1..).zip(&created.players) {
            let nick = nick(&player.name, number, &self.gcg.players);
            let name = player.name.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = if name.is_empty() { nick.clone() } else { name };
            self.gcg.players.push(Player { nick, name });
        }
        self.totals = vec![0; created.players.len()];
        let mut pragma = |name: &str, value: String| {
            self.gcg.pragmata.push(Pragma {
                name: name.to_owned(),
                value,
            });
        };
        pragma("id", format!("tilewire {}", created.game));
        pragma("lexicon", created.options.lexicon.clone());
        pragma(RULE_SET, created.options.rule_set.clone());
        let inactivity = created.options.inactivity;
        if inactivity != rules.usual.inactivity
            && let Ok(rule) = serde_json::to_string(&inactivity)
        {
            pragma(INACTIVITY, rule);
        }
        if rules.language != "english" {
            pragma("tile-set", rules.language.clone());
        }
    }

    fn push(&mut self, seat: Seat, rack: String, kind: Kind, score: i32) {
        let total = &mut self.totals[seat.index()];
        *total = total.saturating_add(score);
        let line = Line {
            line: 0,
            nick: self.gcg.players[seat.index()].nick.clone(),
            rack,
            kind,
            score,
            total: *total,
            note: None,
        };
        self.gcg.events.push(line);
    }

    fn note(&mut self, text: &str) {
        if let Some(event) = self.gcg.events.last_mut() {
            let note = event.note.get_or_insert_default();
            if !note.is_empty() {
                note.push('\n');
            }
            note.push_str(text);
        }
    }

    /// Writes the parts that need the racks before the event.
    fn before(&mut self, state: &State, event: &Event) {
        let rack = |seat: Seat| rack_text(state, seat);
        match event {
            Event::Exchanged { seat, tiles, .. } => {
                let given = notation::format_rack(tiles, &state.rules().tiles);
                self.push(*seat, rack(*seat), Kind::Exchange(given), 0);
            }
            Event::Public(PublicEvent::PlayMade(play)) => self.play(state, play),
            Event::Public(PublicEvent::Passed { seat, .. }) => {
                self.push(*seat, rack(*seat), Kind::Pass, 0);
            }
            Event::Public(PublicEvent::TurnLost { seat, .. }) => {
                self.push(*seat, rack(*seat), Kind::Pass, 0);
                self.note(LOST_TURN);
            }
            Event::Public(PublicEvent::ChallengeDecided(decided)) => self.verdict(state, decided),
            _ => {}
        }
    }

    /// Writes the parts that need the result.
    fn after(&mut self, state: &State, event: &Event) {
        match event {
            Event::Public(PublicEvent::SeatRetired { seat, reason }) => {
                let name = self.gcg.players[seat.index()].name.clone();
                let how = match reason {
                    crate::event::Retirement::Resigned => "resigned",
                    crate::event::Retirement::Flagged => "ran out of time",
                    crate::event::Retirement::Expired => "let the time for a turn pass",
                    crate::event::Retirement::Abandoned => "left",
                };
                self.note(&format!("{name} {how}"));
            }
            Event::Public(PublicEvent::Ended(ended)) => self.ended(state, ended),
            _ => {}
        }
    }

    fn play(&mut self, state: &State, play: &PlayMade) {
        let tiles = &state.rules().tiles;
        let placement = crate::play::Placement {
            start: play.start,
            direction: play.direction,
            tiles: play.tiles.clone(),
        };
        let text = notation::format(&placement, tiles);
        let (position, laid) = text.split_once(' ').unwrap_or((&text, ""));
        let rack = rack_text(state, play.seat);
        self.last_play = Some((play.seat, rack.clone(), play.score));
        let kind = Kind::Play {
            position: position.to_owned(),
            tiles: laid.to_owned(),
        };
        self.push(play.seat, rack, kind, play.score);
    }

    fn verdict(&mut self, state: &State, decided: &ChallengeDecided) {
        match decided.verdict {
            Verdict::Off | Verdict::Withdrawn => {
                if let Some((seat, rack, score)) = self.last_play.take() {
                    self.push(seat, rack, Kind::Off, score.saturating_neg());
                }
                if decided.verdict == Verdict::Withdrawn {
                    self.note("withdrawn");
                }
            }
            Verdict::Stands | Verdict::StandsTurnLost => {}
        }
        for (seat, points) in &decided.points {
            self.push(*seat, rack_text(state, *seat), Kind::Challenge, *points);
        }
    }

    fn ended(&mut self, state: &State, ended: &Ended) {
        let tiles = &state.rules().tiles;
        let text = |rack: &[Tile]| notation::format_rack(rack, tiles);
        let out = ended.results.iter().find(|result| result.rack_points > 0);
        match out {
            Some(out) => {
                let others = ended.results.iter().filter(|other| other.rack_points < 0);
                let left: Vec<Tile> = others.flat_map(|other| other.rack.clone()).collect();
                let is_duel = ended.results.len() == 2;
                let gained = if is_duel {
                    out.rack_points.saturating_mul(2)
                } else {
                    out.rack_points
                };
                self.push(
                    out.seat,
                    String::new(),
                    Kind::RackBonus(text(&left)),
                    gained,
                );
                if !is_duel {
                    self.penalties(ended, &text);
                }
            }
            None => self.penalties(ended, &text),
        }
        for result in ended
            .results
            .iter()
            .filter(|result| result.time_penalty > 0)
        {
            let rack = text(&result.rack);
            self.push(
                result.seat,
                rack,
                Kind::Time,
                result.time_penalty.saturating_neg(),
            );
        }
        let is_shown = matches!(
            ended.reason,
            EndReason::OutPlay | EndReason::ScorelessTurns | EndReason::Passes | EndReason::TurnCap
        );
        if !is_shown {
            let winners = ended
                .winners
                .iter()
                .map(|seat| self.gcg.players[seat.index()].name.clone());
            let winners = winners.collect::<Vec<_>>().join(", ");
            let reason = reason(ended.reason);
            self.note(&match winners.as_str() {
                "" => format!("ended: {reason}"),
                _ => format!("ended: {reason}; won by {winners}"),
            });
        }
    }

    fn penalties(&mut self, ended: &Ended, text: &impl Fn(&[Tile]) -> String) {
        for result in ended.results.iter().filter(|result| result.rack_points < 0) {
            let rack = text(&result.rack);
            let kind = Kind::RackPenalty(rack.clone());
            self.push(result.seat, rack, kind, result.rack_points);
        }
    }
}

/// Refuses an event about a seat that the game does not have: a record from a file can contain any numbers, and the
/// sheet is written before and after the state has checked it.
fn seated(state: &State, record: &Record) -> Result<(), ReplayError> {
    let named: Vec<Seat> = match &record.event {
        Event::Exchanged { seat, .. } => vec![*seat],
        Event::Public(event) => match event {
            PublicEvent::PlayMade(play) => vec![play.seat],
            PublicEvent::Passed { seat, .. }
            | PublicEvent::TurnLost { seat, .. }
            | PublicEvent::SeatRetired { seat, .. } => vec![*seat],
            PublicEvent::ChallengeDecided(decided) => {
                decided.points.iter().map(|(seat, _)| *seat).collect()
            }
            PublicEvent::Ended(ended) => {
                let results = ended.results.iter().map(|result| result.seat);
                results.chain(ended.winners.iter().copied()).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let missing = named
        .into_iter()
        .find(|seat| seat.index() >= state.seats().len());
    missing.map_or(Ok(()), |seat| {
        Err(ReplayError {
            seq: record.seq,
            problem: ReplayProblem::NoSuchSeat(seat),
        })
    })
}

/// The rack, in the order of the alphabet, blanks last.
fn rack_text(state: &State, seat: Seat) -> String {
    let mut rack = state.tiles().rack(seat).to_vec();
    crate::tiles::sort_for_mixing(&mut rack);
    notation::format_rack(&rack, &state.rules().tiles)
}

/// Makes a valid and unique nick from a name.
fn nick(name: &str, number: usize, others: &[Player]) -> String {
    let good = |c: char| !c.is_whitespace() && !c.is_control() && c != ':';
    let mut nick: String = name.chars().filter(|c| good(*c)).collect();
    if nick.is_empty() {
        nick = format!("player{number}");
    }
    while others.iter().any(|other| other.nick == nick) {
        nick.push('_');
    }
    nick
}

const fn reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::OutPlay => "all tiles played",
        EndReason::ScorelessTurns => "turns without score",
        EndReason::Passes => "passes",
        EndReason::TurnCap => "too many turns without score",
        EndReason::Target => "target reached",
        EndReason::AllPlayed => "no play left",
        EndReason::Uncatchable => "nobody can catch up",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Abandonment => "abandoned",
        EndReason::TripleChallenge => "a challenge",
        EndReason::Aborted => "called off",
        EndReason::Cancelled => "cancelled",
        EndReason::Adjudicated => "decided by an operator",
    }
}
