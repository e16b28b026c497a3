//! The clocks of a game: the times at which each clock ran, and the value that every clock must show.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::document::{integer, integers, number, text};

/// How much less than the time that passed a turn may be charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slack {
    /// Nothing: every millisecond is charged.
    None,
    /// So many milliseconds of network delay are given back.
    UpTo(i64),
    /// Anything: a command may wait for other players.
    Any,
}

/// The clocks of one game.
#[derive(Debug)]
pub(crate) struct Clocks {
    is_timed: bool,
    full_allowance: i64,
    increment: i64,
    /// How far a clock may be overdrawn, if the rules allow that.
    overtime: Option<i64>,
    slack: Slack,
    main: Vec<i64>,
    allowance: Vec<i64>,
    running: Option<(usize, i64)>,
    /// When a seat ended its turn and so stopped its clock.
    stopped: Option<i64>,
    /// Whether the time of the server may step back.
    allows_steps: bool,
    /// Whether the turn ended while the server's time was not yet past the event before it. The event has that event's
    /// time; the clock is charged until the earlier time at which the command came.
    is_behind: bool,
    /// Seats that are due an increment at the next reading.
    increments: Vec<usize>,
    /// The flag of a player whose hold ended because the player left.
    holder_flag: Option<(usize, i64)>,
    /// The seat whose clock ran when an operator paused the game.
    paused: Option<usize>,
    /// When the last vacation of each seat ends.
    vacations: Vec<i64>,
}

/// The clocks that an event shows.
struct Shown {
    main: Vec<i64>,
    allowance: Vec<i64>,
    running: Option<(usize, i64)>,
}

impl Shown {
    fn read(clocks: &Value, seats: usize) -> Result<Self> {
        let running = match clocks.get("running") {
            None => None,
            Some(running) => Some((
                usize::try_from(number(running, "seat")?)?,
                integer(running, "since")?,
            )),
        };
        ensure!(
            running.is_none_or(|(seat, _)| seat < seats),
            "the clock of a seat runs"
        );
        Ok(Self {
            main: integers(clocks, "main_ms")?,
            allowance: integers(clocks, "allowance_ms")?,
            running,
        })
    }
}

impl Clocks {
    /// Returns the clocks of a game before the first turn. `allows_steps` is whether the time of the server may step
    /// back.
    pub(crate) fn new(setup: &Value, slack: Slack, allows_steps: bool) -> Result<Self> {
        let clock = &setup["options"]["clock"];
        let seats = setup["seats"].as_array().context("seats")?.len();
        let kind = clock["kind"].as_str().unwrap_or("untimed");
        let ms = |field: &str| clock[field].as_i64().unwrap_or(0);
        let main = ms(if kind == "per_move" {
            "bank_ms"
        } else {
            "initial_ms"
        });
        let full_allowance = ms(if kind == "per_move" {
            "limit_ms"
        } else {
            "delay_ms"
        });
        Ok(Self {
            is_timed: kind != "untimed",
            full_allowance,
            increment: ms("increment_ms"),
            overtime: (kind == "overtime").then(|| ms("cap_ms")),
            slack,
            main: vec![main; seats],
            allowance: vec![full_allowance; seats],
            running: None,
            stopped: None,
            allows_steps,
            is_behind: false,
            increments: Vec::new(),
            holder_flag: None,
            paused: None,
            vacations: vec![i64::MIN; seats],
        })
    }

    /// Returns the seat whose clock runs and when its flag falls.
    pub(crate) fn flag_at(&self) -> Option<(usize, i64)> {
        let (seat, since) = self.running.filter(|_| self.is_timed)?;
        let left = self.main[seat] + self.allowance[seat];
        // A clock may use up its overtime; one millisecond more is too much.
        let left = self.overtime.map_or(left, |cap| left + cap + 1);
        Some((seat, since + left.max(0)))
    }

    /// Checks the clocks of the next event. `on_turn` is the seat on turn before it, `last_at` the time of the event
    /// before it.
    pub(crate) fn event(
        &mut self,
        event: &Value,
        on_turn: Option<u64>,
        last_at: i64,
    ) -> Result<()> {
        let at = integer(event, "at")?;
        let seat = event["seat"].as_u64();
        let fresh = seat.and_then(|seat| usize::try_from(seat).ok());
        ensure!(
            fresh.is_none_or(|seat| seat < self.main.len()),
            "a seat of this game"
        );
        match text(event, "kind")? {
            "turn_started" => self.read(at, event, fresh),
            "play_made" | "exchanged" | "passed" => {
                self.increments.extend(fresh);
                self.stopped = Some(at);
                self.is_behind = self.allows_steps && at == last_at;
                self.read_if_shown(at, event)
            }
            "turn_lost" => {
                self.stopped.get_or_insert(at);
                Ok(())
            }
            "hold_started" => self.read(at, event, fresh.filter(|_| on_turn != seat)),
            "hold_ended" => {
                let flag = self.flag_at();
                self.holder_flag = flag.filter(|_| event["reason"] == "retired");
                self.read(at, event, None)
            }
            "clock_credited" => self.credited(event),
            "paused" => {
                let ran = self.running.filter(|_| self.stopped.is_none());
                self.paused = ran.map(|(seat, _)| seat);
                self.read(at, event, None)?;
                ensure!(self.running.is_none(), "a clock runs in the pause");
                Ok(())
            }
            "vacation" => self.vacation(at, event, on_turn == seat),
            "time_given" => {
                let target = usize::try_from(number(event, "target")?)?;
                let main = self.main.get_mut(target).context("a seat of this game")?;
                *main += integer(event, "time_ms")?;
                self.read(at, event, None)
            }
            "seat_retired" => self.retired(event, fresh, last_at),
            _ => self.read_if_shown(at, event),
        }
    }

    /// The time left in a turn changes by as much as the end of the vacation does.
    fn vacation(&mut self, at: i64, event: &Value, is_on_turn: bool) -> Result<()> {
        let seat = usize::try_from(number(event, "seat")?)?;
        let until = integer(event, "until")?;
        let last = self
            .vacations
            .get_mut(seat)
            .context("a seat of this game")?;
        let before = std::mem::replace(last, until).max(at);
        let runs = self.running.filter(|_| self.stopped.is_none());
        if is_on_turn {
            if let Some((_, since)) = runs.filter(|(running, _)| *running == seat) {
                self.charge(seat, at - since)?;
                self.running = Some((seat, at));
            }
            self.allowance[seat] += until.max(at) - before;
        }
        self.read(at, event, None)
    }

    fn read_if_shown(&mut self, at: i64, event: &Value) -> Result<()> {
        match event.get("clocks") {
            Some(_) => self.read(at, event, None),
            None => Ok(()),
        }
    }

    /// Charges the clock that ran until `at` and compares all clocks with those of the event. `fresh` is the seat that
    /// gets a new allowance.
    fn read(&mut self, at: i64, event: &Value, fresh: Option<usize>) -> Result<()> {
        let slack = if std::mem::take(&mut self.is_behind) {
            Slack::Any
        } else {
            self.slack
        };
        self.read_with(at, event, fresh, slack)
    }

    fn read_with(
        &mut self,
        at: i64,
        event: &Value,
        fresh: Option<usize>,
        slack: Slack,
    ) -> Result<()> {
        let shown = Shown::read(&event["clocks"], self.main.len())?;
        let until = self.stopped.take().unwrap_or(at).min(at);
        let before = self.running;
        // A clock that runs on is read later. After an outage it runs anew, perhaps from the same time of a clock that
        // was set back.
        let is_credit = event["kind"] == "clock_credited";
        let runs_on = before.is_some() && before == shown.running && !is_credit;
        if let Some((seat, since)) = before.filter(|_| !runs_on) {
            self.charge(seat, until - since)?;
        }
        for seat in std::mem::take(&mut self.increments) {
            self.main[seat] += self.increment;
        }
        if let Some(seat) = fresh {
            // A hold is no turn: a vacation does not make it longer.
            let is_turn = event["kind"] == "turn_started";
            let vacation = self.vacations[seat].saturating_sub(at).max(0);
            self.allowance[seat] = self.full_allowance + if is_turn { vacation } else { 0 };
        }
        if let Some((seat, _)) = before {
            self.give_back(seat, &shown, slack)?;
        }
        ensure!(
            (&self.main, &self.allowance) == (&shown.main, &shown.allowance),
            "the clocks at {at} show {:?} and {:?}, due are {:?} and {:?}; {before:?} ran",
            shown.main,
            shown.allowance,
            self.main,
            self.allowance
        );
        self.running = shown.running;
        Ok(())
    }

    fn charge(&mut self, seat: usize, used: i64) -> Result<()> {
        let allowance = &mut self.allowance[seat];
        ensure!(
            *allowance >= 0,
            "the allowance of seat {seat} is {allowance}"
        );
        let free = used.clamp(0, *allowance);
        *allowance -= free;
        self.main[seat] -= used.max(0) - free;
        Ok(())
    }

    /// Accepts that a seat was charged less than the time that passed, as far as the slack goes.
    fn give_back(&mut self, seat: usize, shown: &Shown, slack: Slack) -> Result<()> {
        let due = self.main[seat] + self.allowance[seat];
        let main = shown.main.get(seat).context("a clock for each seat")?;
        let allowance = shown.allowance.get(seat).context("an allowance")?;
        let more = main + allowance - due;
        let most = match slack {
            Slack::None => return Ok(()),
            Slack::UpTo(most) => most,
            Slack::Any => i64::MAX,
        };
        ensure!(
            (0..=most).contains(&more),
            "seat {seat} has {more} ms more than the time that passed leaves it"
        );
        (self.main[seat], self.allowance[seat]) = (*main, *allowance);
        Ok(())
    }

    /// No player is charged for an outage: the running clock is charged until the server stopped, and continues when
    /// the server was back.
    fn credited(&mut self, event: &Value) -> Result<()> {
        let shown = Shown::read(&event["clocks"], self.main.len())?;
        let resumed = integer(event, "resumed_at")?;
        let ran = self.running.filter(|_| self.stopped.is_none());
        let due = ran.map(|(seat, _)| seat).or(self.paused.take());
        ensure!(
            shown.running == due.map(|seat| (seat, resumed)),
            "{ran:?} ran before an outage, {:?} after it",
            shown.running
        );
        // No command took effect since then: no network delay is given back.
        let slack = match self.slack {
            Slack::None | Slack::UpTo(_) => Slack::None,
            Slack::Any => Slack::Any,
        };
        self.read_with(integer(event, "stopped_at")?, event, None, slack)
    }

    /// A flag falls at the moment at which the clock is used up, however late the server looks at it.
    fn retired(&mut self, event: &Value, seat: Option<usize>, last_at: i64) -> Result<()> {
        let holder_flag = self.holder_flag.take();
        if !["flagged", "expired"].contains(&text(event, "reason")?) {
            return Ok(());
        }
        let flag = holder_flag.or_else(|| self.flag_at());
        let (falls, due) = flag.context("a flag fell, but no clock ran")?;
        let at = integer(event, "at")?;
        ensure!(
            Some(falls) == seat && at == due.max(last_at),
            "a flag fell at {at}, due was that of seat {falls} at {due}"
        );
        Ok(())
    }
}
