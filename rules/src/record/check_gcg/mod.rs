//! Replays a GCG score sheet and recomputes every number in it.
//!
//! A score sheet does not name the options of its game, so the check uses the usual ones of the rule set, and those that
//! the pragmas of Tilewire name.

mod adjustments;
mod ending;
mod table;
mod turns;

use crate::alphabet::{Placed, Tile};
use crate::analysis::BotTurn;
use crate::board::{Board, Square};
use crate::lexicon::Lexicon;
use crate::notation;
use crate::play::Placement;
use crate::quoted::quoted;
use crate::record::gcg::{Event, Gcg, Kind, LOST_TURN};
use crate::record::made::MadeTurn;
use crate::record::report::{Code, Report};
use crate::ruleset::RuleSet;
use crate::state::Runs;
use crate::tiles::without;

use adjustments::Count;
use table::{End, Table, TurnKind};

/// Replays a GCG file by the rules and looks words up if there is a lexicon. It accepts both forms of the final
/// adjustment: that of R-END-7, and twice the other's tiles for the player who went out.
#[must_use]
pub fn check_gcg(gcg: &Gcg, rules: &RuleSet, lexicon: Option<&dyn Lexicon>) -> Report {
    replay(gcg, rules, lexicon).0
}

/// Replays a GCG file as [`check_gcg`] does; returns its turns with the positions before them too. The report names turns that the
/// rules do not allow.
#[must_use]
pub fn made_turns(
    gcg: &Gcg,
    rules: &RuleSet,
    lexicon: Option<&dyn Lexicon>,
) -> (Vec<MadeTurn>, Report) {
    let (report, made) = replay(gcg, rules, lexicon);
    (made, report)
}

fn replay(gcg: &Gcg, rules: &RuleSet, lexicon: Option<&dyn Lexicon>) -> (Report, Vec<MadeTurn>) {
    let mut replay = Replay {
        rules,
        lexicon,
        gcg,
        board: Board::new(rules.layout.rows(), rules.layout.cols()),
        table: Table::new(gcg, rules),
        seats: vec![Seat::default(); gcg.players.len()],
        last: None,
        counts: Vec::new(),
        end: None,
        made: Vec::new(),
        report: Report::default(),
    };
    for event in &gcg.events {
        replay.event(event);
    }
    let made = std::mem::take(&mut replay.made);
    (replay.finish(), made)
}

#[derive(Clone, Default)]
struct Seat {
    total: i32,
    /// Tiles known to be still on the rack.
    kept: Vec<Tile>,
    /// Whether the sheet has counted the unplayed tiles, for this seat or against it.
    is_counted: bool,
    /// Whether the sheet has charged overtime.
    is_charged: bool,
}

/// The last play, while it can be challenged.
struct LastPlay {
    seat: usize,
    score: i32,
    words: usize,
    placement: Placement,
    phonies: Vec<String>,
    placed: Vec<(Square, Placed)>,
    /// The known tiles of the rack before the play.
    rack: Vec<Tile>,
    /// The runs of turns without score before the play.
    runs: Runs,
    /// Whether the sheet has named the outcome of a challenge that failed.
    is_challenged: bool,
}

struct Replay<'a> {
    rules: &'a RuleSet,
    lexicon: Option<&'a dyn Lexicon>,
    gcg: &'a Gcg,
    board: Board,
    table: Table,
    seats: Vec<Seat>,
    last: Option<LastPlay>,
    /// The unplayed tiles that the sheet counts, in order.
    counts: Vec<Count>,
    /// How the game had ended before the first of them was counted.
    end: Option<End>,
    /// The turns so far.
    made: Vec<MadeTurn>,
    report: Report,
}

impl Replay<'_> {
    fn event(&mut self, event: &Event) {
        let line = event.line;
        // A file has known nicks only; a record built in memory may have others.
        let Some(seat) = self.gcg.player(&event.nick) else {
            return self.report.error(
                line,
                Code::Turn,
                format!("no player has the nick {}", quoted(&event.nick)),
            );
        };
        let turn = turn_kind(event);
        if let Some(kind) = turn {
            self.report.turns += 1;
            self.turn(line, seat, kind);
        }
        let Ok(rack) = notation::parse_rack(&event.rack, &self.rules.tiles) else {
            return self.report.error(
                line,
                Code::Rack,
                format!("the rack {} has unknown tiles", quoted(&event.rack)),
            );
        };
        if turn.is_some() {
            self.check_rack(line, seat, &rack);
        }
        let before = turn.map(|kind| self.before(line, seat, &rack, kind));
        let expected = match &event.kind {
            Kind::Play { position, tiles } => self.play(line, seat, &rack, position, tiles),
            Kind::Off => self.off(line, seat, event),
            Kind::Pass => self.pass(line, seat, &rack, event),
            Kind::Exchange(given) => self.exchange(line, seat, &rack, given),
            Kind::Challenge => self.challenge(line, seat, event.score),
            Kind::RackBonus(tiles) => self.rack_bonus(line, seat, tiles, event.score),
            Kind::RackPenalty(tiles) => self.rack_penalty(line, seat, &rack, tiles),
            Kind::Time => self.time(line, seat, event.score),
        };
        match before {
            Some(before) => self.keep_turn(before, &event.kind),
            None if matches!(event.kind, Kind::Off) => {
                if let Some(made) = self.made.last_mut().filter(|made| made.seat == seat) {
                    made.is_off = true;
                }
            }
            None => {}
        }
        if let Some(expected) = expected
            && expected != event.score
        {
            self.report.error(
                line,
                Code::Score,
                format!("the points are {expected:+}, not {:+}", event.score),
            );
        }
        let total = &mut self.seats[seat].total;
        *total = total.saturating_add(event.score);
        if *total != event.total {
            let right = *total;
            self.report.error(
                line,
                Code::Score,
                format!("the total is {right}, not {}", event.total),
            );
            // Continue with the written total, so that one mistake is reported once.
            self.seats[seat].total = event.total;
        }
    }

    /// The position before a turn.
    fn before(&self, line: usize, seat: usize, rack: &[Tile], kind: TurnKind) -> MadeTurn {
        let rack_counts = self.table.rack_counts();
        let is_after_the_end = self.table.bag() == 0 && self.table.has_empty_rack();
        MadeTurn {
            line,
            seat,
            board: self.board.clone(),
            rack: rack.to_vec(),
            scores: self.seats.iter().map(|seat| seat.total).collect(),
            rack_counts,
            bag: self.table.bag(),
            runs: self.table.runs,
            inactivity: self.table.rule(),
            turn: None,
            score: 0,
            phonies: Vec::new(),
            is_off: false,
            is_forced: kind == TurnKind::Lost || is_after_the_end,
        }
    }

    /// Completes a turn with what the player did, and keeps it.
    fn keep_turn(&mut self, mut made: MadeTurn, kind: &Kind) {
        made.turn = match (kind, &self.last) {
            (Kind::Play { .. }, Some(last)) => {
                made.score = last.score;
                made.phonies.clone_from(&last.phonies);
                Some(BotTurn::Play(last.placement.clone()))
            }
            (Kind::Exchange(given), _) => notation::parse_rack(given, &self.rules.tiles)
                .ok()
                .filter(|tiles| without(&made.rack, tiles).is_some())
                .map(BotTurn::Exchange),
            (Kind::Pass, _) => Some(BotTurn::Pass),
            _ => None,
        };
        self.made.push(made);
    }

    /// Returns the part of the end of a sheet that is reached, if one is.
    fn last_part(&self) -> Option<&'static str> {
        if self.seats.iter().any(|seat| seat.is_counted) {
            return Some("the tiles were counted");
        }
        let is_charged = self.seats.iter().any(|seat| seat.is_charged);
        is_charged.then_some("overtime was charged")
    }

    /// Checks that this player may take a turn here.
    fn turn(&mut self, line: usize, seat: usize, kind: TurnKind) {
        let is_zero = self.seats.iter().all(|seat| seat.total == 0);
        if let Some(end) = self.last_part() {
            let reason = format!("a turn after {end}");
            self.report.error(line, Code::Turn, reason);
        } else if let Some(reason) = self.table.over(kind, is_zero) {
            self.report.error(
                line,
                Code::Turn,
                format!("a turn after the end of the game: {reason}"),
            );
        }
        if let Err(reason) = self.table.comes_on_turn(seat) {
            let nick = &self.gcg.players[seat].nick;
            self.report
                .error(line, Code::Turn, format!("{nick} {reason}"));
        }
    }

    /// Checks that a rack has room for its tiles and no tile more often than the set. It can contradict the tiles kept
    /// before, because an annotator often guesses.
    fn check_rack(&mut self, line: usize, seat: usize, rack: &[Tile]) {
        let full = usize::from(self.rules.rack_size);
        if rack.len() > full {
            self.report.error(
                line,
                Code::Rack,
                format!("the rack holds {} tiles, more than {full}", rack.len()),
            );
        }
        let kept = &self.seats[seat].kept;
        if rack.len() >= full && without(rack, kept).is_none() {
            let kept = notation::format_rack(kept, &self.rules.tiles);
            self.report.remark(
                line,
                Code::Rack,
                format!("the rack lacks tiles kept the turn before ({kept})"),
            );
        }
        self.check_supply(line, rack);
    }

    /// Checks that the set has these tiles besides those on the board.
    fn check_supply(&mut self, line: usize, tiles: &[Tile]) {
        let lying: Vec<Tile> = self.board.iter().map(|(_, placed)| placed.tile).collect();
        for tile in self.rules.tiles.kinds() {
            let count = |tiles: &[Tile]| tiles.iter().filter(|other| **other == tile).count();
            let used = count(&lying) + count(tiles);
            let there = usize::try_from(self.rules.tiles.count(tile)).unwrap_or(usize::MAX);
            if used > there {
                let face = self.rules.tiles.tile_face(tile);
                self.report.error(
                    line,
                    Code::Rack,
                    format!("there are {used} of {face}, the set has {there}"),
                );
            }
        }
    }

    /// Returns the tiles that are not on the board.
    fn unseen(&self) -> Vec<Tile> {
        let lying: Vec<Tile> = self.board.iter().map(|(_, placed)| placed.tile).collect();
        without(&self.rules.tiles.all(), &lying).unwrap_or_default()
    }
}

/// The kind of the turn that an event completes, if it completes one.
fn turn_kind(event: &Event) -> Option<TurnKind> {
    match event.kind {
        Kind::Play { .. } => Some(TurnKind::Play),
        Kind::Exchange(_) => Some(TurnKind::Exchange),
        Kind::Pass if is_lost(event) => Some(TurnKind::Lost),
        Kind::Pass => Some(TurnKind::Pass),
        Kind::Off | Kind::Challenge | Kind::RackBonus(_) | Kind::RackPenalty(_) | Kind::Time => {
            None
        }
    }
}

/// Whether a pass is a turn lost by a challenge.
fn is_lost(event: &Event) -> bool {
    let note = event.note.as_deref().unwrap_or_default();
    note.lines().any(|line| line == LOST_TURN)
}

fn same_tiles(one: &[Tile], other: &[Tile]) -> bool {
    without(one, other).is_some_and(|rest| rest.is_empty())
}
