//! The unplayed tiles at the end of a score sheet, judged together (R-END-7): who gains and who loses, in one of the two forms.

use super::table::End;
use super::{Replay, same_tiles};
use crate::alphabet::Tile;
use crate::record::report::Code;
use crate::ruleset::RackCount;
use crate::tiles::without;

/// Unplayed tiles that the sheet counts.
pub(super) struct Count {
    pub(super) line: usize,
    /// The player whose score changes.
    pub(super) seat: usize,
    pub(super) tiles: Vec<Tile>,
    /// How often the player gains the tiles; nothing if the player loses them.
    pub(super) gain: Option<u8>,
}

impl Replay<'_> {
    /// Checks that the counts of all players belong together.
    pub(super) fn check_adjustments(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        let Some(first) = counts.first() else {
            return;
        };
        let line = first.line;
        let has_leavers = (0..self.seats.len()).any(|seat| self.has_left(seat));
        if self.end.is_none() && !has_leavers && !self.has_other_end() {
            let reason = "the unplayed tiles are counted, but the game has not ended";
            self.report.error(line, Code::UnplayedTiles, reason);
        }
        let is_spared = self.rules.rack_count == RackCount::EmptyBag && self.table.bag() > 0;
        if is_spared && self.end == Some(End::Inactivity) {
            let reason = "unplayed tiles do not count while the bag has tiles";
            self.report.error(line, Code::UnplayedTiles, reason);
        }
        if let Some(count) = counts.iter().find(|count| self.has_left(count.seat)) {
            let reason = "the unplayed tiles of a player who has left are counted";
            self.report.error(count.line, Code::UnplayedTiles, reason);
        }
        let lost: Vec<&Count> = counts.iter().filter(|count| count.gain.is_none()).collect();
        let mut gains = counts.iter().filter(|count| count.gain.is_some());
        match gains.next() {
            Some(gain) => {
                if let Some(other) = gains.find(|other| other.seat != gain.seat) {
                    let reason = "two players gain the unplayed tiles";
                    self.report.error(other.line, Code::UnplayedTiles, reason);
                }
                if self.seats.len() > 2 && !has_leavers && !same_tiles(&self.unseen(), &gain.tiles)
                {
                    let reason = "the player who went out gains other tiles than are left";
                    self.report.error(gain.line, Code::UnplayedTiles, reason);
                }
                self.check_gain(gain, &lost);
            }
            None => self.check_losses(line, &lost),
        }
    }

    /// Checks that the tiles that a player gains are lost by the others, or that they are gained twice and lost by nobody.
    fn check_gain(&mut self, gain: &Count, lost: &[&Count]) {
        if gain.gain == Some(2) {
            if let Some(other) = lost.first() {
                let reason = "the tiles are lost that the other player gained twice";
                self.report.error(other.line, Code::UnplayedTiles, reason);
            }
            return;
        }
        let taken: Vec<Tile> = lost.iter().flat_map(|lost| lost.tiles.clone()).collect();
        match without(&gain.tiles, &taken) {
            Some(rest) if self.rules.tiles.sum(&rest) == 0 => {}
            Some(_) => {
                let reason = "the tiles that this player gains are not lost by the others";
                self.report.error(gain.line, Code::UnplayedTiles, reason);
            }
            None => {
                let reason = "the others lose tiles that this player does not gain";
                self.report.error(gain.line, Code::UnplayedTiles, reason);
            }
        }
    }

    /// Checks that every player loses the own tiles when nobody went out.
    fn check_losses(&mut self, line: usize, lost: &[&Count]) {
        if let Some(End::Out(seat)) = self.end {
            let nick = &self.gcg.players[seat].nick;
            let reason =
                format!("{nick} has played all tiles but does not gain those of the others");
            return self.report.error(line, Code::UnplayedTiles, reason);
        }
        let mut all: Vec<Tile> = Vec::new();
        for seat in 0..self.seats.len() {
            match lost.iter().find(|count| count.seat == seat) {
                Some(count) => all.extend(&count.tiles),
                None if self.has_left(seat) || self.can_be_worthless(seat) => {}
                // An unread line has its error already.
                None if self.seats[seat].is_counted => {}
                None => {
                    let nick = &self.gcg.players[seat].nick;
                    let reason = format!("the unplayed tiles of {nick} are not counted");
                    self.report.error(line, Code::UnplayedTiles, reason);
                }
            }
        }
        self.check_supply(line, &all);
    }

    /// Whether a rack can consist of blanks only, which need no line.
    fn can_be_worthless(&self, seat: usize) -> bool {
        let tiles = &self.rules.tiles;
        let unseen = self.unseen();
        let blanks = unseen.iter().filter(|tile| tile.letter().is_none()).count();
        let kept = &self.seats[seat].kept;
        self.table.rack(seat) <= blanks && kept.iter().all(|tile| tiles.sum(&[*tile]) == 0)
    }

    /// Whether a player has left the game: a turn was left out, or a note of Tilewire says so.
    fn has_left(&self, seat: usize) -> bool {
        let name = &self.gcg.players[seat].name;
        let says = |line: &str| {
            let how = line.strip_prefix(name.as_str()).map(str::trim_start);
            matches!(
                how,
                Some("resigned" | "ran out of time" | "let the time for a turn pass" | "left")
            )
        };
        self.table.is_gone(seat) || self.notes().any(says)
    }

    /// Whether a note of Tilewire names an end that a score sheet does not show.
    fn has_other_end(&self) -> bool {
        self.notes().any(|line| line.starts_with("ended: "))
    }

    fn notes(&self) -> impl Iterator<Item = &str> {
        let notes = self
            .gcg
            .events
            .iter()
            .filter_map(|event| event.note.as_deref());
        notes.flat_map(str::lines)
    }

    /// Returns why the sheet is not that of a whole game, if it is not.
    pub(super) fn incomplete(&self) -> Option<&'static str> {
        if self.gcg.incomplete.is_some() {
            return Some("the file says so");
        }
        let is_counted = self.seats.iter().any(|seat| seat.is_counted);
        if is_counted || self.has_other_end() {
            return None;
        }
        let counts = match self.rules.rack_count {
            RackCount::Always => true,
            RackCount::EmptyBag => self.table.bag() == 0,
        };
        let is_zero = self.seats.iter().all(|seat| seat.total == 0);
        match self.table.end(is_zero) {
            None => Some("the game has not ended"),
            Some(End::Out(_)) if self.rules.tiles.sum(&self.unseen()) == 0 => None,
            Some(End::Inactivity) if !counts => None,
            Some(End::Out(_) | End::Inactivity) => {
                Some("the game has ended, but the unplayed tiles are not counted")
            }
        }
    }
}
