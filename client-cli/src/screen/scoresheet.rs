//! The scoresheet: every turn with its words and points.

use tilewire_protocol::{TurnKind, TurnRecord};

use super::fit::fit;
use crate::text::{player_name, printable};
use tilewire_client::GameView;

/// The width of names in the scoresheet.
const NAME_WIDTH: usize = 8;

/// A turn as a line of `width` columns.
pub(super) fn turn_line(view: &GameView, turn: &TurnRecord, width: usize) -> String {
    let name = fit(&player_name(view, turn.seat), NAME_WIDTH);
    let score = match turn.kind {
        TurnKind::Play if turn.off => "0".to_owned(),
        TurnKind::Play => turn.score.to_string(),
        _ => "-".to_owned(),
    };
    let figures = format!("{score:>4} {:>5}", turn.total);
    let head = format!("{:>3} {name} ", turn.turn_no);
    let room = width.saturating_sub(head.len().max(NAME_WIDTH + 5) + figures.len() + 1);
    format!("{head}{} {figures}", fit(&action(turn, room), room))
}

/// The action of a turn; for a play the start and, as far as they fit, the words with their points.
fn action(turn: &TurnRecord, room: usize) -> String {
    match turn.kind {
        TurnKind::Play => {
            let start = printable(turn.start.as_deref().unwrap_or(""));
            let words = turn.words.as_deref().unwrap_or(&[]);
            let off = if turn.off { "OFF " } else { "" };
            let with_points: Vec<String> = words
                .iter()
                .map(|word| format!("{} {}", printable(&word.word), word.score))
                .collect();
            let sum: i32 = words.iter().map(|word| word.score).sum();
            let bonus = match turn.score - sum {
                0 => String::new(),
                bonus => format!(" +{bonus}"),
            };
            let full = format!("{start:<3} {off}{}{bonus}", with_points.join(", "));
            if full.chars().count() <= room {
                return full;
            }
            let main = words
                .first()
                .map_or_else(String::new, |word| printable(&word.word));
            let more = match words.len() {
                0 | 1 => String::new(),
                2 => " and 1 word".to_owned(),
                count => format!(" and {} words", count - 1),
            };
            format!("{start:<3} {off}{main}{more}")
        }
        TurnKind::Exchange => {
            let tiles: String = turn
                .tiles
                .iter()
                .flatten()
                .map(|tile| printable(tile))
                .collect();
            match (turn.count.unwrap_or(0), tiles.is_empty()) {
                (count, true) => format!("exchange {count}"),
                (_, false) => format!("exchange {tiles}"),
            }
        }
        TurnKind::Pass => "pass".to_owned(),
        TurnKind::LostTurn => "turn lost".to_owned(),
        TurnKind::Unknown => String::new(),
    }
}

/// The heading of the scoresheet.
pub(super) fn heading(width: usize) -> String {
    let figures = format!("{:>4} {:>5}", "pts", "total");
    format!(
        "{} {figures}",
        fit("  # player   play", width.saturating_sub(figures.len() + 1))
    )
}
