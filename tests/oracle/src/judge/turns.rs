//! Checks the order of turns, and the plays that turns are used for.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::{LastPlay, Table, is_playing, turn_of};
use crate::document::{Square, cells, integer, list, number, on_rack, start};
use crate::fold::Fold;
use crate::grid::{Judged, Laid};

/// The order of turns.
#[derive(Debug, Default)]
pub(super) struct Turns {
    last_no: u64,
    /// The seat of the last turn, finished or not.
    last_seat: Option<u64>,
    is_running: bool,
    /// Whether the current turn starts again, because the play before it was taken off the board.
    starts_again: bool,
}

impl Turns {
    /// A turn begins: it is that of the next seat, and all racks are full unless the bag is empty.
    pub(super) fn start(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        let (turn_no, seat) = self.next(fold, event)?;
        let size = integer(&fold.setup["rule_set"], "rack_size")?;
        let playing = fold.seats.iter().filter(|seat| seat.retired.is_none());
        let is_full = playing.clone().all(|seat| seat.rack_count >= size);
        ensure!(
            fold.bag == 0 || is_full,
            "a rack is not full, and the bag has {} tiles",
            fold.bag
        );
        (self.last_no, self.last_seat) = (turn_no, Some(seat));
        (self.is_running, self.starts_again) = (true, false);
        Ok(())
    }

    /// The seat on turn uses its turn.
    pub(super) fn finish(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        ensure!(fold.window.is_none(), "the window of the last play is open");
        self.check_running(event)?;
        self.is_running = false;
        Ok(())
    }

    /// The seat on turn loses its turn, or a seat that owes a turn is passed over.
    pub(super) fn lose(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        let is_on_turn = self.is_running && event["seat"].as_u64() == self.last_seat;
        if is_on_turn {
            self.check_running(event)?;
        } else {
            let (turn_no, seat) = self.next(fold, event)?;
            (self.last_no, self.last_seat) = (turn_no, Some(seat));
        }
        self.is_running = false;
        Ok(())
    }

    /// A play came off the board.
    pub(super) const fn play_came_off(&mut self) {
        self.starts_again = self.is_running;
    }

    fn check_running(&self, event: &Value) -> Result<()> {
        let running = self.last_seat.map(|seat| (self.last_no, seat));
        ensure!(
            self.is_running && running == Some(turn_of(event)?),
            "the current turn is {running:?} (number, seat)"
        );
        Ok(())
    }

    /// Turns are numbered and go around the table, past the seats that have left.
    fn next(&self, fold: &Fold, event: &Value) -> Result<(u64, u64)> {
        let (turn_no, seat) = turn_of(event)?;
        let due = self.last_no + 1;
        ensure!(turn_no == due, "turn {turn_no} where {due} was due");
        ensure!(fold.seat_of(event)?.retired.is_none(), "the seat has left");
        let Some(last) = self.last_seat else {
            return Ok((turn_no, seat));
        };
        let seats = fold.seats.len() as u64;
        let first = u64::from(!self.starts_again);
        let mut around = (first..=seats).map(|step| (last + step) % seats);
        let due = around.find(|seat| is_playing(fold, *seat));
        ensure!(
            due == Some(seat),
            "seat {seat} is on turn after seat {last}"
        );
        Ok((turn_no, seat))
    }
}

impl Table {
    /// Judges a play: its legality, its words, its score.
    pub(super) fn play(
        &mut self,
        fold: &Fold,
        event: &Value,
        is_word: &dyn Fn(&str) -> bool,
    ) -> Result<()> {
        self.turns.finish(fold, event)?;
        let (through, laid): (Vec<Laid>, Vec<Laid>) =
            cells(event)?.into_iter().partition(|(_, face)| face == ".");
        let through: Vec<Square> = through.into_iter().map(|(square, _)| square).collect();
        let seat = fold.seat_of(event)?;
        // A rack that no event shows is taken to hold the tiles of the play.
        let played = || laid.iter().map(|(_, face)| on_rack(face).to_owned());
        let rack = seat.rack.clone().unwrap_or_else(|| played().collect());
        let judged = self.board.judge(&rack, &laid, &through);
        let judged = judged.map_err(|broken| anyhow::anyhow!("an illegal play: {broken:?}"))?;
        let words = words_of(event, &judged)?;
        let (score, bonus) = (integer(event, "score")?, &event["bonus"]);
        ensure!(
            score == judged.score && bonus.as_i64().unwrap_or(0) == judged.bonus,
            "{score} points, bonus {bonus}, where {} and {} are due",
            judged.score,
            judged.bonus
        );
        let due = seat.score + score;
        ensure!(integer(event, "total")? == due, "the total is {due}");
        let bad: Vec<&String> = words.iter().filter(|word| !is_word(word)).collect();
        let is_void = fold.setup["options"]["challenge"]["kind"] == "void";
        ensure!(!is_void || bad.is_empty(), "{bad:?} are not words");
        self.board.lay(&laid);
        self.last = Some(LastPlay {
            seq: number(event, "seq")?,
            seat: number(event, "seat")?,
            words: words.len(),
            bad: bad.len(),
            is_final: false,
            is_decided: false,
            laid,
            score,
        });
        Ok(())
    }
}

/// Returns the words of a play, which must be those of the oracle: the main word first, then the others in the order
/// of the tiles.
fn words_of(event: &Value, judged: &Judged) -> Result<Vec<String>> {
    let (_, is_across) = start(event)?;
    let mut due: Vec<_> = judged.words.iter().collect();
    due.sort_by_key(|word| {
        let (row, col) = word.start;
        let is_cross = word.is_across != is_across;
        (is_cross, if is_across { col } else { row })
    });
    let due: Vec<(&str, i64)> = due.iter().map(|word| (&*word.text, word.score)).collect();
    let mut told = Vec::new();
    for word in list(event, "words")? {
        let text = word[0].as_str().context("a word")?;
        told.push((text, word[1].as_i64().context("points")?));
    }
    ensure!(told == due, "the words {told:?}, where {due:?} are due");
    Ok(told.into_iter().map(|(text, _)| text.to_owned()).collect())
}
