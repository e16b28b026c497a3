//! The names of backups: they contain the time, and sort by it.

use std::time::{Duration, UNIX_EPOCH};

use tilewire_rules::time::{Millis, Timestamp};

const START: &str = "tilewire-";
const END: &str = ".sqlite";
/// The signs of a time in RFC 3339 with milliseconds that a name leaves out, with their places; other systems do not take all of
/// them.
const SIGNS: [(usize, char); 4] = [(4, '-'), (7, '-'), (13, ':'), (16, ':')];
/// The end of the year 9999; later times have no text.
const LAST: Timestamp = Timestamp(253_402_300_799_999);

/// Returns the name of the backup of a time, such as `tilewire-20260501T123000.000Z.sqlite`.
pub(super) fn of(at: Timestamp) -> String {
    let since = Millis(at.0.clamp(0, LAST.0)).to_duration();
    let time = humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string();
    let time: String = time.chars().filter(|sign| !"-:".contains(*sign)).collect();
    format!("{START}{time}{END}")
}

/// Returns the time in the name of a backup; `None` for other files, and for those of an incomplete one.
pub(super) fn time(name: &str) -> Option<Timestamp> {
    let mut time = name.strip_prefix(START)?.strip_suffix(END)?.to_owned();
    for (place, sign) in SIGNS {
        if !time.is_char_boundary(place) {
            return None;
        }
        time.insert(place, sign);
    }
    let time = humantime::parse_rfc3339(&time).ok()?;
    let since: Duration = time.duration_since(UNIX_EPOCH).ok()?;
    let at = Timestamp(Millis::of(since).0);
    (of(at) == name).then_some(at)
}

/// Says whether a file belongs to a backup that is not complete: the copy, or the journal beside it.
pub(super) fn is_incomplete(name: &str) -> bool {
    let found = name.split_once(".part");
    found.is_some_and(|(backup, rest)| time(backup).is_some() && matches!(rest, "" | "-journal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_time_of_its_backup() {
        for (at, name) in [
            (0, "tilewire-19700101T000000.000Z.sqlite"),
            (1_800_000_000_123, "tilewire-20270115T080000.123Z.sqlite"),
        ] {
            assert_eq!(of(Timestamp(at)), name);
            assert_eq!(time(name), Some(Timestamp(at)));
        }
        assert_eq!(time(&of(Timestamp::MAX)), Some(LAST));
    }

    #[test]
    fn later_backups_have_later_names() {
        let times = [0, 9, 999_999_999_999, 1_000_000_000_000, LAST.0];
        let names = times.map(|at| of(Timestamp(at)));
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn other_files_are_no_backups() {
        for name in [
            "",
            "tilewire.sqlite",
            "tilewire-.sqlite",
            "tilewire-20270115T080000.123Z.sqlite.part",
            "tilewire-20270115T080000.123Z.sqlite-journal",
            "tilewire-2027-01-15T08:00:00.123Z.sqlite",
            "tilewire-20270115T080000.123456Z.sqlite",
            "tilewire-20270115T080000Z.sqlite",
            "tilewire-20271315T080000.123Z.sqlite",
            "tilewire-202é0115T080000.123Z.sqlite",
            "before-upgrade.sqlite",
        ] {
            assert_eq!(time(name), None, "{name}");
        }
    }

    #[test]
    fn only_files_of_incomplete_backups_are_taken_for_such() {
        let backup = of(Timestamp(1));
        for (end, expected) in [
            (".part", true),
            (".part-journal", true),
            ("", false),
            (".part2", false),
        ] {
            assert_eq!(is_incomplete(&format!("{backup}{end}")), expected, "{end}");
        }
        assert!(!is_incomplete("mine.sqlite.part"));
    }
}
