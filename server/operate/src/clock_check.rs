//! The check of the machine's clock at a start, before the server takes its time from it.
//!
//! A clock that is far from the last liveness stamp would expire tokens, flag correspondence games and make retention delete
//! games. Only the operator can tell whether it is right.

use tilewire_rules::time::{Millis, Timestamp};

use tilewire_base::clock::time_text;
use tilewire_config::{Config, MachineClock};
use tilewire_store::{Liveness, Stamp};

/// Milliseconds in a day.
const DAY: Millis = Millis(86_400_000);
/// The largest difference between the machine's clock and the last stamp that the server accepts by itself.
const APART_MAX: Millis = Millis(7 * DAY.0);
/// A clock further ahead of the last stamp has jumped, or the outage was long. Retention counts days, so a smaller jump ends
/// it at most one day early.
const JUMP: Millis = DAY;
/// Time after a jump in which nothing is deleted for its age: the operator can correct the clock.
const RETENTION_WAITS: Millis = DAY;

/// A clock that the server does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the machine's clock says {}, but a server last ran on this data at {}\n  \
     if the clock is wrong, set it and start again\n  \
     if it is right, start once with --accept-clock, or run: tilewire-server clock accept",
    time_text(*machine),
    time_text(*stamp)
)]
pub struct ImplausibleClock {
    machine: Timestamp,
    stamp: Timestamp,
}

/// A clock that the server accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptedClock {
    /// The server's time does not begin before this.
    pub earliest: Timestamp,
    /// When the clock last jumped, if it did.
    pub jumped_at: Option<Timestamp>,
}

/// Compares the machine's clock with what the server before this one stored.
///
/// # Errors
/// When they are too far apart and the operator has not accepted that.
pub fn check(
    machine: Timestamp,
    stored: Liveness,
    policy: MachineClock,
) -> Result<AcceptedClock, ImplausibleClock> {
    let Liveness { stamp, jumped_at } = stored;
    let Some(Stamp { at: stamp, .. }) = stamp else {
        return Ok(AcceptedClock {
            earliest: Timestamp::MIN,
            jumped_at,
        });
    };
    let is_near = |time| (time - APART_MAX..=time + APART_MAX).contains(&machine);
    let is_accepted = policy == MachineClock::Accept || jumped_at.is_some_and(is_near);
    if !is_near(stamp) && !is_accepted {
        return Err(ImplausibleClock { machine, stamp });
    }
    let was_ahead = machine < stamp - APART_MAX;
    Ok(AcceptedClock {
        earliest: if was_ahead { Timestamp::MIN } else { stamp },
        jumped_at: if was_ahead || machine > stamp + JUMP {
            Some(machine)
        } else {
            jumped_at
        },
    })
}

/// Says whether data may be deleted for its age at `now`.
pub fn may_delete(now: Timestamp, jumped_at: Option<Timestamp>) -> bool {
    jumped_at.is_none_or(|at| now - at >= RETENTION_WAITS)
}

/// Shows both times.
///
/// # Errors
/// When there is no data directory that a server has used.
pub fn show(config: &Config, machine: Timestamp) -> anyhow::Result<String> {
    let stored = tilewire_databases::open_for_operator(config)?.liveness()?;
    let text = |time: Option<Timestamp>| time.map_or_else(|| "never".to_owned(), time_text);
    Ok(format!(
        "the machine's clock      {}\na server last ran at     {}\nthe clock last jumped to {}\n",
        time_text(machine),
        text(stored.stamp.map(|stamp| stamp.at)),
        text(stored.jumped_at),
    ))
}

/// Accepts the machine's clock for the next start.
///
/// # Errors
/// When there is no data directory that a server has used.
pub fn accept(config: &Config, machine: Timestamp) -> anyhow::Result<String> {
    tilewire_databases::open_for_operator(config)?.jumped(machine)?;
    Ok(format!(
        "the next start accepts the machine's clock: {}\n",
        time_text(machine)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Timestamp = Timestamp(1_800_000_000_000);

    fn stored(jumped_at: Option<Timestamp>) -> Liveness {
        Liveness {
            stamp: Some(Stamp {
                at: STAMP,
                lost_ms: Millis::ZERO,
            }),
            jumped_at,
        }
    }

    fn days(days: i64) -> Timestamp {
        STAMP + DAY * days
    }

    #[test]
    fn a_clock_near_the_last_stamp_is_accepted() {
        for machine in [days(-7), days(-1), STAMP, days(1)] {
            let expected = AcceptedClock {
                earliest: STAMP,
                jumped_at: None,
            };
            let checked = check(machine, stored(None), MachineClock::Check);
            assert_eq!(checked, Ok(expected), "{machine}");
        }
        let jumped = check(days(7), stored(None), MachineClock::Check).unwrap();
        assert_eq!(jumped.jumped_at, Some(days(7)));
    }

    #[test]
    fn a_clock_far_from_the_last_stamp_needs_the_operator() {
        for machine in [days(-8), days(8)] {
            let error = check(machine, stored(None), MachineClock::Check).unwrap_err();
            let said = error.to_string();
            for part in [
                "2027-01-15T08:00:00Z",
                &time_text(machine),
                "--accept-clock",
            ] {
                assert!(said.contains(part), "{said}");
            }
            for (jumped_at, policy) in [
                (None, MachineClock::Accept),
                (Some(machine - Millis(60_000)), MachineClock::Check),
            ] {
                let accepted = check(machine, stored(jumped_at), policy).unwrap();
                assert_eq!(accepted.jumped_at, Some(machine));
                let is_behind = machine < STAMP;
                assert_eq!(accepted.earliest == Timestamp::MIN, is_behind);
            }
        }
    }

    #[test]
    fn the_first_start_has_nothing_to_compare() {
        let fresh = check(days(900), Liveness::default(), MachineClock::Check).unwrap();
        assert_eq!(fresh.jumped_at, None);
    }

    #[test]
    fn nothing_is_deleted_on_the_day_after_a_jump() {
        assert!(may_delete(STAMP, None));
        assert!(!may_delete(STAMP, Some(STAMP)));
        assert!(!may_delete(days(1) - Millis(1), Some(STAMP)));
        assert!(may_delete(days(1), Some(STAMP)));
    }
}
