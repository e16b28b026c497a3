//! The rules of a game for its first player, its end and its ties, in words.

use tilewire_protocol::{EndCounts, EndOption, FirstPlay, GameOptions, Ties};

/// The player of the first turn; empty if the options do not say.
#[must_use]
pub const fn first_in_words(options: &GameOptions) -> &'static str {
    match options.first {
        Some(FirstPlay::Draw) => "the player who draws the tile closest to A",
        Some(FirstPlay::Owner) => "the game creator",
        Some(FirstPlay::Unknown) | None => "",
    }
}

/// The ways in which a game ends; empty if the options do not say.
#[must_use]
pub fn end_in_words(options: &GameOptions) -> String {
    let Some(end) = &options.end else {
        return String::new();
    };
    let mut text = format!("a player goes out, or {}", without_progress(end));
    if options.all_played == Some(true) {
        text.push_str(", or no legal play is left");
    }
    if options.uncatchable == Some(true) {
        text.push_str(", or the lead can no longer be caught");
    }
    text
}

fn without_progress(end: &EndOption) -> String {
    let what = match end.counts {
        EndCounts::Scoreless => "scoreless turns",
        EndCounts::Passes => "passes",
        EndCounts::WithoutScore => "scoreless turns, including 0-point plays",
        EndCounts::Unknown => "turns of an unknown kind",
    };
    let each = if end.per_seat { " per player" } else { "" };
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
        Some(Ties::BeforeAdjustment) => "decided by the score before the rack adjustment",
        Some(Ties::Stand) => "the game is a tie",
        Some(Ties::Unknown) | None => "",
    }
}
