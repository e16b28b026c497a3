//! `tilewire account vacation`.

use std::io::{Write, stdout};

use anyhow::Result;
use serde_json::json;
use tilewire_protocol::http::Vacation;

use super::api::Api;
use super::{NewToken, show};
use crate::text::utc;

/// A change of the vacation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VacationChange {
    /// Begin it, or make it longer, by so many days.
    Take(u8),
    /// End it.
    End,
}

/// Parses a number of days, or `end`.
///
/// # Errors
/// Returns an error for other texts.
pub(super) fn parse_vacation(text: &str) -> Result<VacationChange, String> {
    if text == "end" {
        return Ok(VacationChange::End);
    }
    let days = text.parse().ok().filter(|days| (1..=30).contains(days));
    days.map(VacationChange::Take)
        .ok_or_else(|| "write 1 to 30 days, or end".to_owned())
}

/// Changes the vacation, and shows it.
pub(super) fn run(api: &Api, change: Option<VacationChange>, as_json: bool) -> Result<NewToken> {
    let own: Vacation = match change {
        None => api.get("/account/vacation")?,
        Some(VacationChange::Take(days)) => {
            api.post("/account/vacation", &json!({ "days": days }))?
        }
        Some(VacationChange::End) => api.delete("/account/vacation")?,
    };
    if as_json {
        show::write_json("vacation", &own)?;
    } else {
        write!(stdout(), "{}", text(&own))?;
    }
    Ok(NewToken::Keep)
}

fn text(own: &Vacation) -> String {
    let left = match own.days_left {
        1 => "1 day left".to_owned(),
        days => format!("{days} days left"),
    };
    match own.until {
        Some(until) => format!(
            "On vacation until {}; {left}. `tilewire account vacation end` ends it.\n",
            utc(until)
        ),
        None => format!("Not on vacation; {left} of 30 in a year.\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_the_end_are_read() {
        for (typed, expected) in [
            ("1", Some(VacationChange::Take(1))),
            ("30", Some(VacationChange::Take(30))),
            ("end", Some(VacationChange::End)),
            ("0", None),
            ("31", None),
            ("-1", None),
            ("five", None),
        ] {
            assert_eq!(parse_vacation(typed).ok(), expected, "{typed}");
        }
    }

    #[test]
    fn the_player_reads_what_is_left() {
        for (until, days_left, expected) in [
            (None, 30, "Not on vacation; 30 days left of 30 in a year.\n"),
            (
                Some(1_800_000_000_000),
                1,
                "On vacation until 2027-01-15 08:00 UTC; 1 day left. `tilewire account vacation end` ends it.\n",
            ),
        ] {
            let vacation = Vacation {
                until,
                days_left,
                server_time: 0,
            };
            assert_eq!(text(&vacation), expected);
        }
    }
}
