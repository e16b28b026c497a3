//! Vacations of a player: 30 days in any 365, in units of 24 hours.

use serde::{Deserialize, Serialize};
use tilewire_rules::time::{Millis, Timestamp};

/// Days of vacation in any [`PERIOD`].
pub const DAYS: i64 = 30;
/// The period in which days are counted.
pub const PERIOD: Millis = Millis(365 * DAY.0);

const DAY: Millis = Millis(24 * 3_600_000);

/// The vacations of a player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Vacations {
    /// The oldest first; none overlaps another.
    spans: Vec<Span>,
}

/// A vacation, or its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Span {
    from: Timestamp,
    until: Timestamp,
    /// The days that it takes from the budget.
    days: i64,
}

/// Why a vacation was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no number of days that a vacation can have.
    #[error("a vacation has 1 to {DAYS} days")]
    BadDays,
    /// The player has fewer days left.
    #[error("you have {left} days of vacation left")]
    TooFewDays {
        /// The days that are left.
        left: i64,
    },
    /// The player is not on vacation.
    #[error("you are not on vacation")]
    NotOnVacation,
}

impl Refusal {
    /// Returns the stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::BadDays => "bad_days",
            Self::TooFewDays { .. } => "too_few_days",
            Self::NotOnVacation => "not_on_vacation",
        }
    }
}

impl Vacations {
    /// Returns when the vacation ends, while the player is on one.
    #[must_use]
    pub fn until(&self, now: Timestamp) -> Option<Timestamp> {
        self.last().filter(|until| now < *until)
    }

    /// Returns the end of the last vacation.
    #[must_use]
    pub fn last(&self) -> Option<Timestamp> {
        self.spans.last().map(|span| span.until)
    }

    /// Returns the days that are left.
    #[must_use]
    pub fn left(&self, now: Timestamp) -> i64 {
        let counted = self.spans.iter().filter(|span| now - PERIOD < span.from);
        let taken: i64 = counted.map(|span| span.days).sum();
        (DAYS - taken).max(0)
    }

    /// Begins a vacation, or makes the present one longer; returns its end.
    ///
    /// # Errors
    /// When the player has too few days left.
    pub fn take(&mut self, now: Timestamp, days: i64) -> Result<Timestamp, Refusal> {
        if !(1..=DAYS).contains(&days) {
            return Err(Refusal::BadDays);
        }
        let left = self.left(now);
        if days > left {
            return Err(Refusal::TooFewDays { left });
        }
        // A span that ended a period ago no longer counts.
        self.spans.retain(|span| now - PERIOD < span.from);
        let from = self.until(now).unwrap_or(now);
        let until = from + DAY * days;
        self.spans.push(Span { from, until, days });
        Ok(until)
    }

    /// Ends the vacation; whole days that are not used come back.
    ///
    /// # Errors
    /// When the player is not on vacation.
    pub fn end(&mut self, now: Timestamp) -> Result<(), Refusal> {
        self.until(now).ok_or(Refusal::NotOnVacation)?;
        // An extension that has not begun takes no day.
        self.spans.retain(|span| span.from <= now);
        if let Some(span) = self.spans.last_mut() {
            let used = (now - span.from).0;
            span.days = (used + DAY.0 - 1).div_euclid(DAY.0).clamp(1, span.days);
            span.until = now;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp(1_800_000_000_000);

    fn at(hours: i64) -> Timestamp {
        START + Millis(3_600_000) * hours
    }

    #[test]
    fn a_vacation_takes_days_and_ends_by_itself() {
        let mut own = Vacations::default();
        assert_eq!((own.left(at(0)), own.until(at(0))), (30, None));
        assert_eq!(own.take(at(0), 5), Ok(at(120)));
        assert_eq!((own.left(at(0)), own.until(at(119))), (25, Some(at(120))));
        assert_eq!(own.until(at(120)), None);
        assert_eq!(own.end(at(120)), Err(Refusal::NotOnVacation));
        for (days, expected) in [
            (0, Refusal::BadDays),
            (31, Refusal::BadDays),
            (26, Refusal::TooFewDays { left: 25 }),
        ] {
            assert_eq!(own.take(at(130), days), Err(expected));
        }
        assert_eq!(own.take(at(130), 25), Ok(at(130 + 600)));
        assert_eq!(own.left(at(130)), 0);
    }

    #[test]
    fn an_early_end_gives_whole_days_back() {
        for (hours, left) in [
            (0, 29),
            (1, 29),
            (24, 29),
            (25, 28),
            (96, 26),
            (97, 25),
            (119, 25),
        ] {
            let mut own = Vacations::default();
            own.take(at(0), 5).unwrap();
            own.end(at(hours)).unwrap();
            assert_eq!(own.left(at(hours)), left, "{hours}");
            assert_eq!(own.until(at(hours)), None);
        }
    }

    #[test]
    fn an_extension_follows_and_comes_back_whole() {
        let mut own = Vacations::default();
        own.take(at(0), 2).unwrap();
        assert_eq!(own.take(at(10), 3), Ok(at(120)));
        assert_eq!(own.left(at(10)), 25);
        let mut ended = own.clone();
        ended.end(at(30)).unwrap();
        assert_eq!(ended.left(at(30)), 28);
        own.end(at(60)).unwrap();
        assert_eq!(own.left(at(60)), 27);
    }

    #[test]
    fn days_come_back_after_a_year() {
        let mut own = Vacations::default();
        own.take(at(0), 30).unwrap();
        let year = 365 * 24;
        assert_eq!(own.left(at(year - 1)), 0);
        assert_eq!(own.left(at(year)), 30);
        assert_eq!(own.take(at(year), 30), Ok(at(year + 720)));
    }
}
