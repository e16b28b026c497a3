//! Replays a GCG score sheet and recomputes every number in it.

use crate::alphabet::{Placed, Tile};
use crate::board::{Board, Square};
use crate::lexicon::Lexicon;
use crate::notation;
use crate::play::Play;
use crate::ruleset::RuleSet;
use crate::tiles::without;

use super::gcg::{Event, Gcg, Kind};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Not an error: a phony that was not challenged.
    Remark,
    /// A contradiction to the rules or to the rest of the record.
    Error,
}

/// A finding about a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line of the file; for a native record the line of the event.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// A description of the finding.
    pub reason: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings in order.
    pub findings: Vec<Finding>,
    /// The number of turns checked.
    pub turns: usize,
    /// The final score of each player.
    pub totals: Vec<i32>,
    /// Whether the record contains the end of the game.
    pub is_complete: bool,
    /// The board after the last turn, as far as it could be replayed.
    pub board: Option<Board>,
}

impl Report {
    /// Returns whether every number is right.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self
            .findings
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    }

    pub(super) fn error(&mut self, line: usize, reason: impl Into<String>) {
        self.findings.push(Finding {
            line,
            severity: Severity::Error,
            reason: reason.into(),
        });
    }

    pub(super) fn remark(&mut self, line: usize, reason: impl Into<String>) {
        self.findings.push(Finding {
            line,
            severity: Severity::Remark,
            reason: reason.into(),
        });
    }
}

/// Replays a GCG file by the rules and looks words up if there is a lexicon. It accepts both forms of the final
/// adjustment: that of R-END-7, and twice the other's tiles for the player who went out.
#[must_use]
pub fn check_gcg(gcg: &Gcg, rules: &RuleSet, lexicon: Option<&dyn Lexicon>) -> Report {
    let mut replay = Replay {
        rules,
        lexicon,
        board: Board::new(rules.layout.rows(), rules.layout.cols()),
        seats: vec![Seat::default(); gcg.players.len()],
        last: None,
        is_counted: false,
        report: Report::default(),
    };
    for event in &gcg.events {
        replay.event(gcg, event);
    }
    replay.finish(gcg)
}

#[derive(Clone, Default)]
struct Seat {
    total: i32,
    /// Tiles known to be still on the rack.
    kept: Vec<Tile>,
}

/// The last play, while it can be challenged off.
struct LastPlay {
    seat: usize,
    score: i32,
    placed: Vec<(Square, Placed)>,
    /// The known tiles of the rack before the play.
    rack: Vec<Tile>,
}

struct Replay<'a> {
    rules: &'a RuleSet,
    lexicon: Option<&'a dyn Lexicon>,
    board: Board,
    seats: Vec<Seat>,
    last: Option<LastPlay>,
    /// Whether unplayed tiles have been counted: the game has ended.
    is_counted: bool,
    report: Report,
}

impl Replay<'_> {
    fn event(&mut self, gcg: &Gcg, event: &Event) {
        let line = event.line;
        // A file has known nicks only; a record built in memory may have others.
        let Some(seat) = gcg.player(&event.nick) else {
            return self
                .report
                .error(line, format!("no player has the nick {:?}", event.nick));
        };
        let Ok(rack) = notation::parse_rack(&event.rack, &self.rules.tiles) else {
            return self
                .report
                .error(line, format!("the rack {:?} has unknown tiles", event.rack));
        };
        let ends_turn = matches!(
            event.kind,
            Kind::Play { .. } | Kind::Pass | Kind::Exchange(_)
        );
        if ends_turn {
            self.report.turns += 1;
            if self.is_counted {
                self.report
                    .error(line, "a turn after the tiles were counted");
            }
            self.check_rack(line, seat, &rack);
        }
        let expected = match &event.kind {
            Kind::Play { position, tiles } => self.play(line, seat, &rack, position, tiles),
            Kind::Off => self.off(line, seat),
            Kind::Pass => {
                self.last = None;
                Some(0)
            }
            Kind::Exchange(given) => self.exchange(line, seat, &rack, given),
            Kind::Challenge => self.challenge(line, event.score),
            Kind::RackBonus(tiles) => self.rack_bonus(line, seat, tiles, event.score),
            Kind::RackPenalty(tiles) => self.rack_penalty(line, &rack, tiles),
            Kind::Time => self.time(line, event.score),
        };
        if let Some(expected) = expected
            && expected != event.score
        {
            self.report.error(
                line,
                format!("the points are {expected:+}, not {:+}", event.score),
            );
        }
        let total = &mut self.seats[seat].total;
        *total += event.score;
        if *total != event.total {
            let right = *total;
            self.report
                .error(line, format!("the total is {right}, not {}", event.total));
            // Continue with the written total, so that one mistake is reported once.
            self.seats[seat].total = event.total;
        }
    }

    /// Checks that a full rack contains the tiles kept before, and no tile more often than the set.
    fn check_rack(&mut self, line: usize, seat: usize, rack: &[Tile]) {
        let full = usize::from(self.rules.rack_size);
        if rack.len() > full {
            self.report.error(
                line,
                format!("the rack holds {} tiles, more than {full}", rack.len()),
            );
        }
        let kept = &self.seats[seat].kept;
        if rack.len() >= full && without(rack, kept).is_none() {
            let kept = notation::format_rack(kept, &self.rules.tiles);
            self.report.error(
                line,
                format!("the rack lacks tiles kept the turn before ({kept})"),
            );
        }
        let lying: Vec<Tile> = self.board.iter().map(|(_, placed)| placed.tile).collect();
        for tile in self.rules.tiles.kinds() {
            let count = |tiles: &[Tile]| tiles.iter().filter(|other| **other == tile).count();
            let used = count(&lying) + count(rack);
            let there = usize::try_from(self.rules.tiles.count(tile)).unwrap_or(usize::MAX);
            if used > there {
                let face = self.rules.tiles.tile_face(tile);
                self.report.error(
                    line,
                    format!("there are {used} of {face}, the set has {there}"),
                );
            }
        }
    }

    fn play(
        &mut self,
        line: usize,
        seat: usize,
        rack: &[Tile],
        position: &str,
        tiles: &str,
    ) -> Option<i32> {
        let placement = match notation::parse(&format!("{position} {tiles}"), &self.rules.tiles) {
            Ok(placement) => placement,
            Err(error) => {
                self.report.error(line, error.to_string());
                return None;
            }
        };
        let laid: Vec<Tile> = placement.laid().map(|placed| placed.tile).collect();
        // A partial or missing rack is unknown.
        let known = without(rack, &laid).is_some();
        if !rack.is_empty() && !known {
            self.report
                .error(line, "tiles are played that are not on the rack");
        }
        let held: &[Tile] = if known { rack } else { &laid };
        let play = match Play::resolve(self.rules, &self.board, held, &placement) {
            Ok(play) => play,
            Err(error) => {
                self.report.error(line, error.to_string());
                self.last = None;
                return None;
            }
        };
        if let Some(lexicon) = self.lexicon {
            let phonies = play
                .words()
                .iter()
                .filter(|word| !lexicon.contains(&word.spelling()));
            let phonies: Vec<&str> = phonies.map(|word| word.text.as_str()).collect();
            if !phonies.is_empty() {
                let reason = format!("not in {}: {}", lexicon.name(), phonies.join(", "));
                self.report.remark(line, reason);
            }
        }
        for (square, placed) in play.placed() {
            self.board.place(*square, *placed);
        }
        self.seats[seat].kept = without(rack, &laid).unwrap_or_default();
        self.last = Some(LastPlay {
            seat,
            score: play.score(),
            placed: play.placed().to_vec(),
            rack: rack.to_vec(),
        });
        Some(play.score())
    }

    fn off(&mut self, line: usize, seat: usize) -> Option<i32> {
        match self.last.take() {
            Some(last) if last.seat == seat => {
                for (square, _) in &last.placed {
                    self.board.remove(*square);
                }
                self.seats[seat].kept = last.rack;
                Some(-last.score)
            }
            _ => {
                self.report
                    .error(line, "there is no play of this player just before");
                None
            }
        }
    }

    fn exchange(&mut self, line: usize, seat: usize, rack: &[Tile], given: &str) -> Option<i32> {
        self.last = None;
        let count = match given.parse::<usize>() {
            Ok(count) => {
                self.seats[seat].kept.clear();
                count
            }
            Err(_) => {
                let Ok(tiles) = notation::parse_rack(given, &self.rules.tiles) else {
                    self.report.error(line, format!("{given:?} are not tiles"));
                    return Some(0);
                };
                let kept = without(rack, &tiles);
                if !rack.is_empty() && kept.is_none() {
                    self.report
                        .error(line, "tiles are exchanged that are not on the rack");
                }
                self.seats[seat].kept = kept.unwrap_or_default();
                tiles.len()
            }
        };
        let bag = self.bag();
        let needed = count.max(usize::from(self.rules.exchange_min_bag));
        if bag < needed {
            let reason = format!("the bag holds {bag} tiles; exchanging needs {needed}");
            self.report.error(line, reason);
        }
        Some(0)
    }

    /// Tiles in the bag while all racks are full.
    fn bag(&self) -> usize {
        let total = usize::try_from(self.rules.tiles.total()).unwrap_or(0);
        let on_racks = self.seats.len() * usize::from(self.rules.rack_size);
        total.saturating_sub(self.board.len() + on_racks)
    }

    fn challenge(&mut self, line: usize, score: i32) -> Option<i32> {
        if self.last.is_none() {
            self.report
                .error(line, "there is no play before it that could be challenged");
        }
        if score % 5 != 0 || score == 0 {
            self.report
                .error(line, "a challenge pays a multiple of five points");
        }
        None
    }

    fn rack_bonus(&mut self, line: usize, seat: usize, tiles: &str, score: i32) -> Option<i32> {
        self.is_counted = true;
        let Ok(left) = notation::parse_rack(tiles, &self.rules.tiles) else {
            self.report.error(line, format!("{tiles:?} are not tiles"));
            return None;
        };
        let unseen = self.unseen();
        if self.seats.len() == 2 && !same_tiles(&unseen, &left) {
            let unseen = notation::format_rack(&unseen, &self.rules.tiles);
            self.report
                .error(line, format!("the tiles left are {unseen}"));
        }
        if !self.seats[seat].kept.is_empty() {
            self.report.error(line, "the player still has tiles");
        }
        let value = self.rules.tiles.sum(&left);
        let is_box_form = score == value;
        Some(if is_box_form { value } else { 2 * value })
    }

    fn rack_penalty(&mut self, line: usize, rack: &[Tile], tiles: &str) -> Option<i32> {
        self.is_counted = true;
        match notation::parse_rack(tiles, &self.rules.tiles) {
            Ok(left) if same_tiles(&left, rack) => Some(-self.rules.tiles.sum(&left)),
            _ => {
                self.report
                    .error(line, "the rack and the tiles in brackets differ");
                None
            }
        }
    }

    fn time(&mut self, line: usize, score: i32) -> Option<i32> {
        if score >= 0 {
            self.report.error(line, "overtime costs points");
        } else if score % 10 != 0 {
            self.report
                .remark(line, "overtime usually costs a multiple of ten points");
        }
        None
    }

    /// Returns the tiles that are not on the board.
    fn unseen(&self) -> Vec<Tile> {
        let lying: Vec<Tile> = self.board.iter().map(|(_, placed)| placed.tile).collect();
        without(&self.rules.tiles.all(), &lying).unwrap_or_default()
    }

    fn finish(mut self, gcg: &Gcg) -> Report {
        self.report.is_complete = self.is_counted && gcg.incomplete.is_none();
        for (number, rack) in &gcg.racks {
            let is_fine = usize::from(*number) <= gcg.players.len() && *number > 0;
            if !is_fine || notation::parse_rack(rack, &self.rules.tiles).is_err() {
                self.report.error(
                    0,
                    format!("#rack{number} {rack} has no such player or unknown tiles"),
                );
            }
        }
        self.report.totals = self.seats.iter().map(|seat| seat.total).collect();
        self.report.board = Some(self.board);
        self.report
    }
}

fn same_tiles(one: &[Tile], other: &[Tile]) -> bool {
    without(one, other).is_some_and(|rest| rest.is_empty())
}
