//! The players that an offer admits, in words; and a rating range from text.

use tilewire_protocol::{QuickRange, Seek, SeekCriteria};

use super::{format_ms, printable};

/// A range of ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RatingRange {
    /// The lowest rating.
    pub min: Option<i32>,
    /// The highest rating.
    pub max: Option<i32>,
}

/// Reads `1400-1700`, `1400-` or `-1700`.
///
/// # Errors
/// Returns an error that says what a range looks like.
pub fn parse_rating_range(text: &str) -> Result<RatingRange, String> {
    let wrong = || format!("`{text}` is not a range of ratings such as 1400-1700, 1400- or -1700");
    let (min, max) = text.split_once('-').ok_or_else(wrong)?;
    let bound = |text: &str| match text {
        "" => Ok(None),
        // At most five digits: larger numbers are no ratings.
        digits if digits.len() <= 5 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.parse().map(Some).map_err(|_| wrong())
        }
        _ => Err(wrong()),
    };
    let range = RatingRange {
        min: bound(min)?,
        max: bound(max)?,
    };
    let is_upside_down = range.min.zip(range.max).is_some_and(|(min, max)| min > max);
    match is_upside_down || range == RatingRange::default() {
        true => Err(wrong()),
        false => Ok(range),
    }
}

/// The players that an offer admits, such as `1400 to 1700, established, no guests`; empty if it admits everybody.
#[must_use]
pub fn admitted(seek: &Seek) -> String {
    let criteria = seek.criteria.as_deref().map(criteria_in_words);
    let range = seek.range.as_ref().map(range_in_words);
    let parts: Vec<String> = criteria.into_iter().flatten().chain(range).collect();
    parts.join(", ")
}

fn criteria_in_words(criteria: &SeekCriteria) -> Vec<String> {
    let rating = match (criteria.min_rating, criteria.max_rating) {
        (Some(min), Some(max)) => Some(format!("rating {min}-{max}")),
        (Some(min), None) => Some(format!("rating {min} or more")),
        (None, Some(max)) => Some(format!("rating {max} or less")),
        (None, None) => None,
    };
    let mut words: Vec<String> = rating.into_iter().collect();
    for (holds, text) in [
        (criteria.established, "established rating"),
        (criteria.registered, "no guests"),
        (criteria.followed, "only players the creator follows"),
    ] {
        if holds {
            words.push(text.to_owned());
        }
    }
    if !criteria.exclude.is_empty() {
        let names: Vec<String> = criteria
            .exclude
            .iter()
            .map(|name| printable(name))
            .collect();
        words.push(format!("hidden from {}", names.join(" and ")));
    }
    words
}

fn range_in_words(range: &QuickRange) -> String {
    let QuickRange {
        start, step, most, ..
    } = range;
    let every = format_ms(range.every_ms);
    let last = match range.any {
        true => ", then any rating",
        false => "",
    };
    format!("rating within {start} points, {step} more every {every} up to {most}{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ratings() {
        for (text, min, max) in [
            ("1400-1700", Some(1_400), Some(1_700)),
            ("1400-", Some(1_400), None),
            ("-1700", None, Some(1_700)),
            ("1500-1500", Some(1_500), Some(1_500)),
        ] {
            assert_eq!(parse_rating_range(text), Ok(RatingRange { min, max }));
        }
        for text in ["", "-", "1500", "1700-1400", "a-b", "1-2-3", "100000-"] {
            let error = parse_rating_range(text).unwrap_err();
            assert!(error.contains("1400-1700"), "{text}: {error}");
        }
    }

    #[test]
    fn criteria_and_range_in_words() {
        let criteria = SeekCriteria {
            min_rating: Some(1_400),
            max_rating: Some(1_700),
            established: true,
            registered: true,
            followed: true,
            exclude: vec!["ben".to_owned(), "eve".to_owned()],
        };
        assert_eq!(
            criteria_in_words(&criteria).join(", "),
            "rating 1400-1700, established rating, no guests, only players the creator follows, \
             hidden from ben and eve"
        );
        assert!(criteria_in_words(&SeekCriteria::default()).is_empty());
        let range = QuickRange {
            start: 100,
            step: 50,
            every_ms: 5_000,
            most: 500,
            any: false,
        };
        let text = "rating within 100 points, 50 more every 5s up to 500";
        assert_eq!(range_in_words(&range), text);
        let any = QuickRange { any: true, ..range };
        assert_eq!(range_in_words(&any), format!("{text}, then any rating"));
    }
}
