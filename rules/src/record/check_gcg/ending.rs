//! The end of a score sheet: unplayed tiles, overtime, the racks of an unfinished game.

use super::{Replay, same_tiles};
use crate::alphabet::Tile;
use crate::notation;
use crate::quoted::quoted;
use crate::record::report::Report;
use crate::tiles::without;

impl Replay<'_> {
    /// Notes that the tiles left are counted for a player; each player's count once.
    fn count_tiles(&mut self, line: usize, seat: usize) {
        if std::mem::replace(&mut self.seats[seat].is_counted, true) {
            self.report
                .error(line, "the unplayed tiles were counted before");
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
            self.report
                .error(line, format!("{} are not tiles", quoted(tiles)));
            return None;
        };
        let is_duel = self.seats.len() == 2;
        let unseen = self.unseen();
        if is_duel && !same_tiles(&unseen, &left) {
            let unseen = notation::format_rack(&unseen, &self.rules.tiles);
            self.report
                .error(line, format!("the tiles left are {unseen}"));
        }
        match self.table.rack(seat) {
            0 => {}
            count => self
                .report
                .error(line, format!("the player still has {count} tiles")),
        }
        let value = self.rules.tiles.sum(&left);
        let is_box_form = score == value || !is_duel;
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
                Some(-self.rules.tiles.sum(&left))
            }
            _ => {
                self.report
                    .error(line, "the rack and the tiles in brackets differ");
                None
            }
        }
    }

    fn check_count(&mut self, line: usize, seat: usize, tiles: usize) {
        let count = self.table.rack(seat);
        if tiles != count {
            self.report
                .error(line, format!("the player has {count} tiles, not {tiles}"));
        }
    }

    pub(super) fn time(&mut self, line: usize, seat: usize, score: i32) -> Option<i32> {
        if std::mem::replace(&mut self.seats[seat].is_charged, true) {
            self.report.error(line, "overtime was charged before");
        }
        if score >= 0 {
            self.report.error(line, "overtime costs points");
        } else if score % 10 != 0 {
            self.report
                .remark(line, "overtime usually costs a multiple of ten points");
        }
        None
    }

    pub(super) fn finish(mut self) -> Report {
        let is_counted = self.seats.iter().any(|seat| seat.is_counted);
        self.report.is_complete = is_counted && self.gcg.incomplete.is_none();
        self.check_last_racks();
        self.report.totals = self.seats.iter().map(|seat| seat.total).collect();
        self.report.board = Some(self.board);
        self.report
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
                self.report
                    .error(line, format!("{text} has no such player or unknown tiles"));
                continue;
            };
            if std::mem::replace(is_named, true) {
                self.report
                    .error(line, "the rack of this player was named before");
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
                    format!("the rack lacks tiles that were kept ({kept})"),
                );
            }
            all.extend(tiles);
            self.check_supply(line, &all);
        }
    }
}
