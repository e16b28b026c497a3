//! The end of a score sheet: unplayed tiles, overtime, the racks of an unfinished game.

use super::adjustments::Count;
use super::{Replay, same_tiles};
use crate::alphabet::Tile;
use crate::notation;
use crate::quoted::quoted;
use crate::record::report::{Code, Report};
use crate::ruleset::Level;
use crate::tiles::without;

impl Replay<'_> {
    /// Notes that the tiles left are counted for a player; each player's count once.
    fn count_tiles(&mut self, line: usize, seat: usize) {
        if self.counts.is_empty() {
            self.end = self
                .table
                .end(self.seats.iter().all(|seat| seat.total == 0));
        }
        if std::mem::replace(&mut self.seats[seat].is_counted, true) {
            self.report.error(
                line,
                Code::UnplayedTiles,
                "the unplayed tiles were counted before",
            );
        }
    }

    pub(super) fn rack_bonus(
        &mut self,
        line: usize,
        seat: usize,
        tiles: &str,
        score: i32,
    ) -> Option<i32> {
        self.count_tiles(line, seat);
        let Ok(left) = notation::parse_rack(tiles, &self.rules.tiles) else {
            self.report.error(
                line,
                Code::UnplayedTiles,
                format!("{} are not tiles", quoted(tiles)),
            );
            return None;
        };
        let is_duel = self.seats.len() == 2;
        let unseen = self.unseen();
        if is_duel && !same_tiles(&unseen, &left) {
            let unseen = notation::format_rack(&unseen, &self.rules.tiles);
            self.report.error(
                line,
                Code::UnplayedTiles,
                format!("the tiles left are {unseen}"),
            );
        }
        match self.table.rack(seat) {
            0 => {}
            count => self.report.error(
                line,
                Code::UnplayedTiles,
                format!("the player still has {count} tiles"),
            ),
        }
        let value = self.rules.tiles.sum(&left);
        let is_box_form = score == value || !is_duel;
        self.counts.push(Count {
            line,
            seat,
            tiles: left,
            gain: Some(if is_box_form { 1 } else { 2 }),
        });
        Some(if is_box_form { value } else { 2 * value })
    }

    pub(super) fn rack_penalty(
        &mut self,
        line: usize,
        seat: usize,
        rack: &[Tile],
        tiles: &str,
    ) -> Option<i32> {
        self.count_tiles(line, seat);
        match notation::parse_rack(tiles, &self.rules.tiles) {
            Ok(left) if same_tiles(&left, rack) => {
                self.check_count(line, seat, left.len());
                let value = self.rules.tiles.sum(&left);
                self.counts.push(Count {
                    line,
                    seat,
                    tiles: left,
                    gain: None,
                });
                Some(-value)
            }
            _ => {
                self.report.error(
                    line,
                    Code::UnplayedTiles,
                    "the rack and the tiles in brackets differ",
                );
                None
            }
        }
    }

    fn check_count(&mut self, line: usize, seat: usize, tiles: usize) {
        let count = self.table.rack(seat);
        if tiles != count {
            self.report.error(
                line,
                Code::Rack,
                format!("the player has {count} tiles, not {tiles}"),
            );
        }
    }

    pub(super) fn time(&mut self, line: usize, seat: usize, score: i32) -> Option<i32> {
        if std::mem::replace(&mut self.seats[seat].is_charged, true) {
            self.report
                .error(line, Code::Overtime, "overtime was charged before");
        }
        if score >= 0 {
            self.report
                .error(line, Code::Overtime, "overtime costs points");
        } else if score % 10 != 0 {
            self.report.remark(
                line,
                Code::Overtime,
                "overtime usually costs a multiple of ten points",
            );
        }
        None
    }

    pub(super) fn finish(mut self) -> Report {
        self.check_adjustments();
        self.check_race();
        self.report.incomplete = self.incomplete();
        self.check_last_racks();
        self.report.totals = self.seats.iter().map(|seat| seat.total).collect();
        self.report.board = Some(self.board);
        self.report
    }

    /// Checks that a player reached the target if a note says so. A score sheet has no levels, so the lowest target counts.
    fn check_race(&mut self) {
        let says = |line: &str| line.starts_with("ended: target reached");
        let Some(event) = self.gcg.events.last() else {
            return;
        };
        let line = event.line;
        let is_named = event
            .note
            .as_deref()
            .is_some_and(|note| note.lines().any(says));
        let seats = u8::try_from(self.seats.len()).unwrap_or(u8::MAX);
        let target = self.rules.target(seats, Some(Level::Beginner));
        let is_reached = |target: i32| self.seats.iter().any(|seat| seat.total >= target);
        if is_named && !target.is_some_and(is_reached) {
            let reason = "the game ends at a target, but no player has reached one";
            self.report.error(line, Code::Result, reason);
        }
    }

    /// Checks the racks that the pragmas name: they are those after the last line.
    fn check_last_racks(&mut self) {
        let mut named = vec![false; self.seats.len()];
        let mut all: Vec<Tile> = Vec::new();
        for rack in &self.gcg.racks {
            let line = rack.line;
            let seat = usize::from(rack.player).wrapping_sub(1);
            let tiles = notation::parse_rack(&rack.tiles, &self.rules.tiles);
            let (Some(is_named), Ok(tiles)) = (named.get_mut(seat), tiles) else {
                let text = format!("#rack{} {}", rack.player, rack.tiles);
                self.report.error(
                    line,
                    Code::Rack,
                    format!("{text} has no such player or unknown tiles"),
                );
                continue;
            };
            if std::mem::replace(is_named, true) {
                self.report
                    .error(line, Code::Rack, "the rack of this player was named before");
            }
            // A shorter rack is partly unknown.
            let count = self.table.rack(seat);
            if tiles.len() > count {
                self.check_count(line, seat, tiles.len());
            }
            let kept = &self.seats[seat].kept;
            if tiles.len() >= count && without(&tiles, kept).is_none() {
                let kept = notation::format_rack(kept, &self.rules.tiles);
                self.report.error(
                    line,
                    Code::Rack,
                    format!("the rack lacks tiles that were kept ({kept})"),
                );
            }
            all.extend(tiles);
            self.check_supply(line, &all);
        }
    }
}
