//! Flags for the players that an offer admits.

use clap::Args;
use tilewire_protocol::SeekCriteria;

use crate::text::{RatingRange, parse_rating_range};

/// The players that an offer admits.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Who can join")]
pub struct CriteriaArgs {
    /// Only players with a rating in this range: 1400-1700, 1400- or -1700 [default: any rating]
    #[arg(long, value_name = "RANGE", value_parser = parse_rating_range, allow_hyphen_values = true)]
    pub rating: Option<RatingRange>,
    /// No provisional ratings
    #[arg(long)]
    pub established: bool,
    /// Only registered players
    #[arg(long)]
    pub registered: bool,
    /// Only players you follow
    #[arg(long)]
    pub followed: bool,
    /// Hide the offer from this player, who won't be told; up to five times
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,
    /// For a rated quick match: accept any rating after 45 seconds, not only ratings within 500 points
    #[arg(long)]
    pub any_rating: bool,
}

impl CriteriaArgs {
    /// The criteria `base` with those that the flags name.
    pub(super) fn change(&self, base: &SeekCriteria) -> SeekCriteria {
        let exclude = match self.exclude.is_empty() {
            true => &base.exclude,
            false => &self.exclude,
        };
        let rating = self.rating.unwrap_or(RatingRange {
            min: base.min_rating,
            max: base.max_rating,
        });
        SeekCriteria {
            min_rating: rating.min,
            max_rating: rating.max,
            established: self.established || base.established,
            registered: self.registered || base.registered,
            followed: self.followed || base.followed,
            exclude: exclude.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_replace_and_add_criteria() {
        let base = SeekCriteria {
            min_rating: Some(1_000),
            max_rating: Some(1_200),
            registered: true,
            exclude: vec!["ben".to_owned()],
            ..SeekCriteria::default()
        };
        let none = CriteriaArgs::default();
        assert_eq!(none.change(&base), base);
        let flags = CriteriaArgs {
            rating: Some(RatingRange {
                min: Some(1_400),
                max: None,
            }),
            followed: true,
            exclude: vec!["eve".to_owned()],
            ..CriteriaArgs::default()
        };
        let expected = SeekCriteria {
            min_rating: Some(1_400),
            max_rating: None,
            established: false,
            registered: true,
            followed: true,
            exclude: vec!["eve".to_owned()],
        };
        assert_eq!(flags.change(&base), expected);
    }
}
