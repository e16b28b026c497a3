//! Describes actions of moderators, and automatic ones of the server, to the affected player.

use tilewire_protocol::{ModerationKind, ModerationNotice};

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// Describes a moderation action in one sentence.
#[must_use]
pub fn moderated(told: &ModerationNotice) -> String {
    let done = match told.kind {
        ModerationKind::Mute => "A moderator has muted you in chat",
        ModerationKind::NoRated => "You can't play rated games",
        ModerationKind::NoPublic => "You can't play public games",
        ModerationKind::Suspend => "A moderator has suspended your account",
        ModerationKind::HideLines => "A moderator has hidden some of your messages",
        ModerationKind::Rename => "A moderator has changed your username",
        ModerationKind::Undo => "A moderator has lifted an action on your account",
        ModerationKind::Wait => "You can't create or join public games",
        ModerationKind::Forgive => "A moderator has cleared your abandonment points",
        ModerationKind::Unknown => "A moderator has taken action on your account",
    };
    let until = told
        .until
        .map_or_else(String::new, |at| format!(" until {}", utc(at)));
    format!("{done}{until}: {}", told.reason)
}

/// A time in UTC, to the minute. The arithmetic is that of the proleptic Gregorian calendar, from 1 March of year 0 on: the
/// leap day is the last day of a year then.
pub(crate) fn utc(at: i64) -> String {
    let (days, ms) = (at.div_euclid(DAY_MS), at.rem_euclid(DAY_MS));
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (ms / 3_600_000, ms / 60_000 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::{ModerationKind, ModerationNotice, moderated, utc};

    #[test]
    fn times_are_those_of_the_calendar() {
        for (at, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_800_000_000_000, "2027-01-15 08:00 UTC"),
            (4_107_542_399_999, "2100-02-28 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(utc(at), expected);
        }
    }

    #[test]
    fn the_player_reads_what_why_and_until_when() {
        let mut told = ModerationNotice {
            kind: ModerationKind::Mute,
            reason: "insults".to_owned(),
            until: Some(1_800_000_000_000),
        };
        let expected = "A moderator has muted you in chat until 2027-01-15 08:00 UTC: insults";
        assert_eq!(moderated(&told), expected);
        told.kind = ModerationKind::Wait;
        let expected = "You can't create or join public games until 2027-01-15 08:00 UTC: insults";
        assert_eq!(moderated(&told), expected);
        told.kind = ModerationKind::Unknown;
        told.until = None;
        assert_eq!(
            moderated(&told),
            "A moderator has taken action on your account: insults"
        );
    }
}
