//! Plays, exchanges, passes and challenges of a score sheet.

use super::table::TurnKind;
use super::{LastPlay, Replay, is_lost};
use crate::alphabet::Tile;
use crate::choices::ChallengeKind;
use crate::notation;
use crate::play::{Placement, Play};
use crate::quoted::quoted;
use crate::record::gcg::Event;
use crate::record::report::Code;
use crate::tiles::without;

impl Replay<'_> {
    pub(super) fn play(
        &mut self,
        line: usize,
        seat: usize,
        rack: &[Tile],
        position: &str,
        tiles: &str,
    ) -> Option<i32> {
        self.last = None;
        let placement = match notation::parse(&format!("{position} {tiles}"), &self.rules.tiles) {
            Ok(placement) => self.through(placement),
            Err(error) => {
                self.report.error(line, Code::Play, error.to_string());
                return None;
            }
        };
        let laid: Vec<Tile> = placement.laid().map(|placed| placed.tile).collect();
        // A partial or missing rack is unknown.
        let known = without(rack, &laid).is_some();
        if !rack.is_empty() && !known {
            self.report.error(
                line,
                Code::Rack,
                "tiles are played that are not on the rack",
            );
        }
        let held: &[Tile] = if known { rack } else { &laid };
        let play = match Play::resolve(self.rules, &self.board, held, &placement) {
            Ok(play) => play,
            Err(error) => {
                self.report.error(line, Code::Play, error.to_string());
                return None;
            }
        };
        for (square, placed) in play.placed() {
            self.board.place(*square, *placed);
        }
        let phonies = self.look_up(line, &play);
        self.seats[seat].kept = without(rack, &laid).unwrap_or_default();
        self.last = Some(LastPlay {
            seat,
            score: play.score(),
            words: play.words().len(),
            placement: play.placement(),
            phonies,
            placed: play.placed().to_vec(),
            rack: rack.to_vec(),
            runs: self.table.runs,
            is_challenged: false,
        });
        self.table.played(seat, laid.len(), play.score());
        Some(play.score())
    }

    /// Some tools write the letters of tiles that lie on the board; they are read as `.`.
    fn through(&self, mut placement: Placement) -> Placement {
        let mut square = placement.start;
        for cell in &mut placement.tiles {
            let lying = self.board.get(square);
            if lying.is_some_and(|lying| cell.is_some_and(|cell| cell.letter == lying.letter)) {
                *cell = None;
            }
            square = square.ahead(placement.direction, 1);
        }
        placement
    }

    /// Remarks on the words that the lexicon does not have, and returns them.
    fn look_up(&mut self, line: usize, play: &Play) -> Vec<String> {
        let Some(lexicon) = self.lexicon else {
            return Vec::new();
        };
        let is_bad = |word: &&crate::play::WordScore| !lexicon.contains(&word.spelling());
        let phonies = play.words().iter().filter(is_bad);
        let phonies: Vec<String> = phonies.map(|word| word.text.clone()).collect();
        if !phonies.is_empty() {
            let reason = format!("not in {}: {}", lexicon.name(), phonies.join(", "));
            self.report.remark(line, Code::Phony, reason);
        }
        phonies
    }

    pub(super) fn off(&mut self, line: usize, seat: usize, event: &Event) -> Option<i32> {
        self.check_is_open(line);
        let Some(last) = self.last.take().filter(|last| last.seat == seat) else {
            self.report.error(
                line,
                Code::Challenge,
                "there is no play of this player just before",
            );
            return None;
        };
        if self.rules.challenges == [ChallengeKind::Void] {
            let reason = format!("plays cannot be challenged in {}", self.rules.id);
            self.report.error(line, Code::Challenge, reason);
        }
        if last.is_challenged {
            self.report.error(
                line,
                Code::Challenge,
                "the challenge of this play failed before",
            );
        }
        let is_withdrawn = event
            .note
            .as_deref()
            .is_some_and(|note| note.contains("withdrawn"));
        if let Some(lexicon) = self
            .lexicon
            .filter(|_| last.phonies.is_empty() && !is_withdrawn)
        {
            let reason = format!("challenged off, but {} has all its words", lexicon.name());
            self.report.remark(line, Code::Challenge, reason);
        }
        self.check_named_rack(line, &event.rack, &last.rack);
        for (square, _) in &last.placed {
            self.board.remove(*square);
        }
        self.table.taken_off(seat, last.placed.len(), last.runs);
        self.seats[seat].kept = last.rack;
        Some(-last.score)
    }

    /// Checks that the rack of a withdrawn play is that of the play. An annotator can leave tiles out.
    fn check_named_rack(&mut self, line: usize, named: &str, rack: &[Tile]) {
        let named = notation::parse_rack(named, &self.rules.tiles).unwrap_or_default();
        if without(&named, rack).is_none() && without(rack, &named).is_none() {
            self.report
                .error(line, Code::Rack, "the rack is not that of the play before");
        }
    }

    /// Refuses the outcome of a challenge after the end of the sheet.
    fn check_is_open(&mut self, line: usize) {
        if let Some(end) = self.last_part() {
            let reason = format!("a challenge after {end}");
            self.report.error(line, Code::Challenge, reason);
        }
    }

    pub(super) fn pass(
        &mut self,
        line: usize,
        seat: usize,
        rack: &[Tile],
        event: &Event,
    ) -> Option<i32> {
        if !rack.is_empty() {
            self.seats[seat].kept = rack.to_vec();
        }
        if !is_lost(event) {
            self.last = None;
            self.table.passed(TurnKind::Pass);
            return Some(0);
        }
        self.table.passed(TurnKind::Lost);
        if !self.rules.challenges.contains(&ChallengeKind::Double) {
            let reason = format!("no challenge costs a turn in {}", self.rules.id);
            self.report.error(line, Code::Challenge, reason);
        }
        // With three or four players the turn can be lost later, and the play before it can still be challenged.
        if self.seats.len() > 2 {
            return Some(0);
        }
        let last = self.last.take();
        if last.is_none_or(|last| last.seat == seat || last.is_challenged) {
            self.report.error(
                line,
                Code::Challenge,
                "there is no play before it that could be challenged",
            );
        }
        Some(0)
    }

    pub(super) fn exchange(
        &mut self,
        line: usize,
        seat: usize,
        rack: &[Tile],
        given: &str,
    ) -> Option<i32> {
        self.last = None;
        self.table.passed(TurnKind::Exchange);
        let count = match given.parse::<usize>() {
            Ok(count) => {
                self.seats[seat].kept.clear();
                count
            }
            Err(_) => {
                let Ok(tiles) = notation::parse_rack(given, &self.rules.tiles) else {
                    self.report.error(
                        line,
                        Code::Exchange,
                        format!("{} are not tiles", quoted(given)),
                    );
                    return Some(0);
                };
                let kept = without(rack, &tiles);
                if !rack.is_empty() && kept.is_none() {
                    self.report.error(
                        line,
                        Code::Rack,
                        "tiles are exchanged that are not on the rack",
                    );
                }
                self.seats[seat].kept = kept.unwrap_or_default();
                tiles.len()
            }
        };
        let bag = self.table.bag();
        let held = self.table.rack(seat);
        if count == 0 || count > held {
            let reason = format!("{count} tiles cannot be exchanged from a rack of {held}");
            self.report.error(line, Code::Exchange, reason);
        }
        let needed = count.max(usize::from(self.rules.exchange_min_bag));
        if bag < needed {
            let reason = format!("the bag holds {bag} tiles; exchanging needs {needed}");
            self.report.error(line, Code::Exchange, reason);
        }
        Some(0)
    }

    /// Checks the points of a failed challenge (R-CHAL-14, R-CHAL-15).
    pub(super) fn challenge(&mut self, line: usize, seat: usize, score: i32) -> Option<i32> {
        self.check_is_open(line);
        let Some(last) = &mut self.last else {
            self.report.error(
                line,
                Code::Challenge,
                "there is no play before it that could be challenged",
            );
            return None;
        };
        if std::mem::replace(&mut last.is_challenged, true) {
            self.report.error(
                line,
                Code::Challenge,
                "the challenge of this play was paid before",
            );
        }
        let is_duel = self.seats.len() == 2;
        if is_duel != (last.seat == seat) || is_duel != (score > 0) {
            let reason = if is_duel {
                "with two players, the author of the play gains the points"
            } else {
                "with more than two players, the challenger loses the points"
            };
            self.report.error(line, Code::Challenge, reason);
        }
        let words = i32::try_from(last.words).unwrap_or(i32::MAX);
        let each = self.rules.challenges.iter().filter_map(|kind| match kind {
            ChallengeKind::FivePoint => Some(5),
            ChallengeKind::TenPoint => Some(10),
            _ => None,
        });
        let is_possible = each
            .flat_map(|each| [each, each * words])
            .any(|points| Some(points) == score.checked_abs());
        if !is_possible {
            let reason = format!("a challenge of this play cannot pay {score:+}");
            self.report.error(line, Code::Challenge, reason);
        }
        None
    }
}
