//! The rules of a game for its first player, its end and its ties, in words.

use tilewire_protocol::{EndCounts, EndOption, FirstPlay, GameOptions, Ties};

/// The player of the first turn; empty if the options do not say.
#[must_use]
pub const fn first_in_words(options: &GameOptions) -> &'static str {
    match options.first {
        Some(FirstPlay::Draw) => "the player who draws the tile closest to A",
        Some(FirstPlay::Owner) => "the player who offers the game",
        Some(FirstPlay::Unknown) | None => "",
    }
}

/// The ways in which a game ends; empty if the options do not say.
#[must_use]
pub fn end_in_words(options: &GameOptions) -> String {
    let Some(end) = &options.end else {
        return String::new();
    };
    let mut text = format!("all tiles played, or {}", without_progress(end));
    if options.all_played == Some(true) {
        text.push_str(", or no legal play is left");
    }
    if options.uncatchable == Some(true) {
        text.push_str(", or the last player cannot catch up");
    }
    text
}

fn without_progress(end: &EndOption) -> String {
    let what = match end.counts {
        EndCounts::Scoreless => "turns without score",
        EndCounts::Passes => "passes",
        EndCounts::WithoutScore => "turns without a point",
        EndCounts::Unknown => "turns of an unknown kind",
    };
    let each = if end.per_seat { " for each player" } else { "" };
    let unless = if end.unless_all_zero {
        ", unless all scores are zero"
    } else {
        ""
    };
    format!("{} {what} in a row{each}{unless}", end.limit)
}

/// The rule for equal scores; empty if the options do not say.
#[must_use]
pub const fn ties_in_words(options: &GameOptions) -> &'static str {
    match options.ties {
        Some(Ties::BeforeAdjustment) => {
            "decided by the score before the adjustment for unplayed tiles"
        }
        Some(Ties::Stand) => "stay ties",
        Some(Ties::Unknown) | None => "",
    }
}
