//! The judge of one game: computes the expected events by the rules, and compares.
//!
//! Values that no client can know (other racks, the order of the bag) are checked as far as the events show them. A log of
//! records shows all of it.

mod abort;
mod adjourn;
mod gift;
mod hint;
mod nudge;
mod result;
mod tiles;
mod turns;
mod vacation;
mod verdict;

use std::fmt;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::clocks::{Clocks, Slack};
use crate::document::{list, number, text};
use crate::fold::Fold;
use crate::grid::{Board, Laid};
use tiles::Bag;
use turns::Turns;

/// Number of earlier events that the error message names.
const CONTEXT: usize = 5;

/// The judge of one game.
pub struct Judge<'a> {
    /// The state after the events so far.
    pub fold: Fold,
    is_word: Box<dyn Fn(&str) -> bool + Send + Sync + 'a>,
    slack: Slack,
    table: Option<Table>,
}

/// The judge's state of a game after its creation.
#[derive(Debug)]
struct Table {
    board: Board,
    bag: Bag,
    turns: Turns,
    clocks: Clocks,
    last: Option<LastPlay>,
}

/// The play that was made last.
#[derive(Debug)]
struct LastPlay {
    seq: u64,
    seat: u64,
    laid: Vec<Laid>,
    score: i64,
    words: usize,
    bad: usize,
    /// Whether the play ends the game if it stands.
    is_final: bool,
    /// Whether the play was challenged and stood.
    is_decided: bool,
}

impl fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Judge");
        debug.field("fold", &self.fold).field("table", &self.table);
        debug.finish_non_exhaustive()
    }
}

impl<'a> Judge<'a> {
    /// Returns the judge of a game that has not begun. `is_word` looks up a word in the notation of the wire.
    #[must_use]
    pub fn new(is_word: impl Fn(&str) -> bool + Send + Sync + 'a, slack: Slack) -> Self {
        Self {
            fold: Fold::new(None),
            is_word: Box::new(is_word),
            slack,
            table: None,
        }
    }

    /// Accepts the log of a server whose clock was set back: a credited outage may be earlier than the event before it,
    /// and a turn that ends before the clock is past that event may be charged less.
    #[must_use]
    pub const fn allow_clock_steps(mut self) -> Self {
        self.fold.allows_clock_steps = true;
        self
    }

    /// Judges the next event.
    ///
    /// # Errors
    /// The fault.
    pub fn event(&mut self, event: &Value) -> Result<()> {
        let judged = self.judge(event);
        judged.with_context(|| {
            let known = self.fold.events.iter().filter(|known| *known != event);
            let mut kinds: Vec<&str> = known
                .rev()
                .take(CONTEXT)
                .filter_map(|event| event["kind"].as_str())
                .collect();
            kinds.reverse();
            format!("{event}, after {}", kinds.join(", "))
        })
    }

    /// Returns the seat whose clock runs, and when its flag falls.
    #[must_use]
    pub fn flag_at(&self) -> Option<(usize, i64)> {
        self.table.as_ref()?.clocks.flag_at()
    }

    fn judge(&mut self, event: &Value) -> Result<()> {
        let kind = text(event, "kind")?;
        ensure!(!self.fold.is_over(), "the game was over");
        if kind == "created" {
            ensure!(self.table.is_none(), "a game is created once");
            self.table = Some(Table::new(
                &event["setup"],
                self.slack,
                self.fold.allows_clock_steps,
            )?);
            return self.fold.event(event);
        }
        let Some(table) = &mut self.table else {
            bail!("the first event is not the creation");
        };
        let (on_turn, last_at) = (self.fold.on_turn, self.fold.last_at);
        table.clocks.event(event, on_turn, last_at)?;
        let (fold, is_word) = (&self.fold, &self.is_word);
        adjourn::judged(fold, kind, event)?;
        match kind {
            "seat_ready" | "order_drawn" => {
                ensure!(fold.phase == "waiting", "the game has begun");
            }
            "board_drawn" => {
                ensure!(fold.phase == "waiting", "the game has begun");
                table.board_drawn(fold, &event["layout"])?;
            }
            "tiles_drawn" => table.bag.drawn(fold, event)?,
            "bag_shuffled" => table.bag.shuffled(event)?,
            "turn_started" => table.turns.start(fold, event)?,
            "play_made" => table.play(fold, event, is_word)?,
            "exchanged" => {
                table.turns.finish(fold, event)?;
                table.bag.exchanged(fold, event)?;
            }
            "passed" => table.turns.finish(fold, event)?,
            "turn_lost" => table.turns.lose(fold, event)?,
            "challenge_decided" => table.verdict(fold, event)?,
            "seat_retired" => {
                ensure!(fold.seat_of(event)?.retired.is_none(), "the seat has left");
            }
            "nudged" => nudge::nudged(fold, event)?,
            "nudge_answered" => nudge::answered(fold, event)?,
            "vacation" => vacation::changed(fold, event)?,
            "time_given" => gift::given(fold, event)?,
            "time_refused" => gift::refused(fold, event)?,
            "hint_used" => hint::used(fold, event)?,
            "abort_requested" => abort::requested(fold, event)?,
            "abort_declined" => abort::declined(fold, event)?,
            "ended" => {
                abort::ended(fold, event)?;
                table.ended(fold, event)?;
            }
            _ => {}
        }
        self.fold.event(event)?;
        table.after(&self.fold, kind)
    }
}

impl Table {
    fn new(setup: &Value, slack: Slack, allows_steps: bool) -> Result<Self> {
        Ok(Self {
            board: Board::of(&setup["rule_set"])?,
            bag: Bag::new(&setup["rule_set"])?,
            turns: Turns::default(),
            clocks: Clocks::new(setup, slack, allows_steps)?,
            last: None,
        })
    }

    /// Checks the visible state after an event.
    fn after(&mut self, fold: &Fold, kind: &str) -> Result<()> {
        match kind {
            "play_made" => {
                if let Some(last) = &mut self.last {
                    let seat = &fold.seats[usize::try_from(last.seat)?];
                    let is_out = fold.bag == 0 && seat.rack_count == 0;
                    let target = target(fold, last.seat);
                    last.is_final = is_out || target.is_some_and(|target| seat.score >= target);
                }
            }
            "tiles_drawn" | "exchanged" | "bag_shuffled" | "challenge_decided" => {}
            _ => return Ok(()),
        }
        self.bag.check(fold, &self.board)
    }

    /// Checks that a drawn board has the premium squares of the rule set in other places, and the same start square.
    fn board_drawn(&mut self, fold: &Fold, layout: &Value) -> Result<()> {
        let usual = &fold.setup["rule_set"]["board"]["layout"];
        let symbols = |layout: &Value| -> Result<Vec<char>> {
            let rows = crate::document::texts(layout)?;
            let mut symbols: Vec<char> = rows.concat().chars().collect();
            symbols.sort_unstable();
            Ok(symbols)
        };
        ensure!(symbols(layout)? == symbols(usual)?, "other premium squares");
        let usual_start = self.board.start_premium();
        self.board.set_layout(layout)?;
        ensure!(
            self.board.start_premium() == usual_start,
            "the start square has another premium"
        );
        Ok(())
    }
}

/// Returns the score at which a seat wins, in games with targets.
fn target(fold: &Fold, seat: u64) -> Option<i64> {
    fold.setup["targets"]
        .get(usize::try_from(seat).ok()?)?
        .as_i64()
}

/// Returns whether a seat exists and has not left.
fn is_playing(fold: &Fold, seat: u64) -> bool {
    let seat = usize::try_from(seat).ok().and_then(|at| fold.seats.get(at));
    seat.is_some_and(|seat| seat.retired.is_none())
}

/// Returns the number of seats that have not left.
fn active(fold: &Fold) -> u64 {
    let seats = fold.seats.iter().filter(|seat| seat.retired.is_none());
    seats.count() as u64
}

/// Returns the seats of a list.
fn seats(event: &Value, field: &str) -> Result<Vec<u64>> {
    let seats = list(event, field)?.iter().map(Value::as_u64);
    seats.collect::<Option<_>>().context("seats")
}

/// Returns the seat and the number of the turn of an event.
fn turn_of(event: &Value) -> Result<(u64, u64)> {
    Ok((number(event, "turn_no")?, number(event, "seat")?))
}
