//! Text for users: names, clocks, events and options in words; durations and options also from text.

mod clock;
mod criteria;
mod duration;
mod hints;
mod invitation;
mod invocation;
mod moderation;
mod narration;
mod options;
mod rematch;
mod rule_options;
mod rules_in_words;
mod standings;
mod whose_turn;

use tilewire_client::GameView;
use tilewire_protocol::SeatRating;
use unicode_width::UnicodeWidthStr;

pub use clock::{clock_text, format_clock_time};
pub use criteria::{RatingRange, admitted, parse_rating_range};
pub use duration::{ago, format_ms, largest_unit, parse_duration_ms};
pub use hints::hint_text;
pub use invitation::{invitation_line, narrate_found, narrate_invitation};
pub use invocation::{DEFAULT_PROFILE, Invocation};
pub use moderation::moderated;
pub(crate) use moderation::utc;
pub use narration::{end_reason, narrate, winners_text};
pub use options::{
    format_challenge, format_clock, format_options, format_spectators, parse_challenge,
    parse_clock, parse_spectators,
};
pub use rematch::{narrate_rematch, series_text};
pub use rule_options::{
    format_end, parse_end, parse_first, parse_switch, parse_ties, parse_vanish, unusual_options,
};
pub use rules_in_words::{end_in_words, first_in_words, ties_in_words};
pub use standings::{Account, accounts, ranked, standings};
pub use whose_turn::{is_own_turn, own_turn_first, whose_turn};

/// Text from the network without control characters, which could change the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Text padded to `width` columns.
#[must_use]
pub fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// The letter of a column, counted from 0.
#[must_use]
pub fn column_letter(col: u8) -> char {
    char::from(b'A' + col % 26)
}

/// A rating beside a name: ` (1712)`, or ` (1500?)` if it is provisional; empty without a rating.
#[must_use]
pub fn rating_note(rating: Option<&SeatRating>) -> String {
    rating.map_or_else(String::new, |rating| {
        let doubt = if rating.provisional { "?" } else { "" };
        format!(" ({}{doubt})", rating.value)
    })
}

/// The name of the player on a seat.
#[must_use]
pub fn player_name(view: &GameView, seat: u8) -> String {
    match view.setup.seats.get(usize::from(seat)) {
        Some(person) => printable(&person.name),
        None => format!("seat {seat}"),
    }
}

#[cfg(test)]
mod tests;
