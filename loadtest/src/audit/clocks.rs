//! The clocks of a game: what each turn took off them must be the time that went by.

use tilewire_protocol::{
    ChallengeKind, ClockCredited, ClockKind, Clocks as Decoded, Event, EventBody, GameSetup,
    RetireReason, RunningClock,
};

use super::replay::ensure;

/// Most network delay a server gives back for one command, milliseconds, by its usual settings.
const LAG_CREDIT_MS: i64 = 500;

/// What the clocks stood at, and since when one runs.
#[derive(Debug)]
pub(super) struct Clocks {
    increment_ms: i64,
    // Whether a turn can come, and stop its clock, before it takes effect: with more than two players it waits until all
    // opponents had time to challenge the play before it.
    may_wait: bool,
    // Whether a flag falls when a budget is used up.
    is_sudden: bool,
    decoded: Option<Decoded>,
    last_at: i64,
    // When the running clock was stopped by the end of its turn.
    stopped_at: Option<i64>,
}

impl Clocks {
    /// The clocks before anything ran.
    pub(super) fn new(setup: &GameSetup) -> Self {
        let clock = setup.options.clock.as_ref();
        let increment = clock
            .filter(|clock| clock.kind == ClockKind::Increment)
            .and_then(|clock| clock.increment_ms);
        Self {
            increment_ms: increment.unwrap_or(0),
            may_wait: setup.seats.len() > 2
                && setup.options.challenge_kind() != ChallengeKind::Void,
            is_sudden: clock.is_some_and(|clock| {
                matches!(clock.kind, ClockKind::SuddenDeath | ClockKind::Increment)
            }),
            decoded: None,
            last_at: 0,
            stopped_at: None,
        }
    }

    /// Takes the next event in.
    ///
    /// # Errors
    /// When time does not add up.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), String> {
        ensure(event.at >= self.last_at, || {
            format!("time went back by {} ms", self.last_at - event.at)
        })?;
        self.last_at = event.at;
        match &event.body {
            EventBody::PlayMade(_) | EventBody::Exchanged(_) | EventBody::Passed(_) => {
                self.stopped_at = Some(event.at);
                Ok(())
            }
            EventBody::TurnStarted(turn) => {
                let checked = self.check(&turn.clocks);
                self.decoded = Some(turn.clocks.clone());
                checked
            }
            EventBody::SeatRetired(retired) if retired.reason == RetireReason::Flagged => {
                self.check_flag(retired.seat, event.at)
            }
            EventBody::Ended(result) => {
                let flagged = self.stopped_at.is_none();
                if flagged {
                    return Ok(());
                }
                self.check(&result.clocks)
            }
            // What a seat owes is taken off it at once; nothing is used of a turn that nobody was given.
            EventBody::TurnLost(_) => {
                self.stopped_at.get_or_insert(event.at);
                Ok(())
            }
            EventBody::ClockCredited(credited) => {
                let checked = self.check_credit(credited);
                self.decoded = Some(credited.clocks.clone());
                checked
            }
            // Holds and disputes move clocks too; the harness asks for neither.
            _ => Ok(()),
        }
    }

    /// An outage takes nothing off anybody's clock: the one that ran is charged until the server was last known to be
    /// up, and runs on from when it was back. After a play that may be the last, no clock runs.
    fn check_credit(&mut self, credited: &ClockCredited) -> Result<(), String> {
        let now = &credited.clocks;
        if self.stopped_at.is_some() {
            ensure(now.running.is_none(), || {
                "a clock that stood runs after an outage".to_owned()
            })?;
            return self.check(now);
        }
        let Some(before) = &self.decoded else {
            return Ok(());
        };
        let seat_of = |running: RunningClock| running.seat;
        ensure(
            now.running.map(seat_of) == before.running.map(seat_of)
                && now
                    .running
                    .is_none_or(|running| running.since == credited.resumed_at),
            || "another clock runs after an outage".to_owned(),
        )?;
        let seats = before.main_ms.iter().zip(&now.main_ms);
        for ((seat, (earlier, later)), allowance) in (0..).zip(seats).zip(&before.allowance_ms) {
            let running = before.running.filter(|running| running.seat == seat);
            let elapsed = running.map_or(0, |running| credited.stopped_at - running.since);
            let due = (elapsed - allowance).max(0);
            ensure(earlier - later == due, || {
                format!(
                    "an outage took {} ms off seat {seat}, {due} were due",
                    earlier - later
                )
            })?;
        }
        Ok(())
    }

    /// A flag falls at the very moment its budget is used up, however late the server looks.
    fn check_flag(&self, seat: u8, at: i64) -> Result<(), String> {
        let Some(decoded) = self.decoded.as_ref().filter(|_| self.is_sudden) else {
            return Ok(());
        };
        let running = decoded.running.filter(|running| running.seat == seat);
        let since = running.ok_or_else(|| format!("the clock of seat {seat} did not run"))?;
        let left = decoded.main_ms.get(usize::from(seat)).ok_or("a seat")?;
        ensure(at == since.since.saturating_add(*left), || {
            format!(
                "a flag fell at {at}, its budget lasted {left} ms from {}",
                since.since
            )
        })
    }

    /// Compares with what the clocks stood at when the turn that has just ended began.
    fn check(&mut self, now: &Decoded) -> Result<(), String> {
        let (Some(before), Some(stopped_at)) = (&self.decoded, self.stopped_at.take()) else {
            return Ok(());
        };
        let Some(running) = before.running else {
            return Ok(());
        };
        let seats = before.main_ms.iter().zip(&now.main_ms);
        for ((seat, (earlier, later)), allowance) in (0..).zip(seats).zip(&before.allowance_ms) {
            let used = earlier - later;
            if seat != running.seat {
                ensure(used == 0, || {
                    format!("the standing clock of seat {seat} lost {used} ms")
                })?;
                continue;
            }
            let elapsed = stopped_at - running.since;
            let most = (elapsed - allowance).max(0) - self.increment_ms;
            let waited = if self.may_wait {
                elapsed
            } else {
                LAG_CREDIT_MS
            };
            let least = (elapsed - allowance - waited).max(0) - self.increment_ms;
            ensure((least..=most).contains(&used), || {
                format!("a turn of {elapsed} ms took {used} ms off the clock of seat {seat}")
            })?;
        }
        Ok(())
    }
}
