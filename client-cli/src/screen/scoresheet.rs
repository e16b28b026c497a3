//! The scoresheet: every turn with its words and points.

use tilewire_protocol::{ScoredWord, TurnKind, TurnRecord};

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
    format!("{head}{} {figures}", fit(&action(view, turn, room), room))
}

/// The action of a turn.
fn action(view: &GameView, turn: &TurnRecord, room: usize) -> String {
    match turn.kind {
        TurnKind::Play => play(view, turn, room),
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
        TurnKind::LostTurn => "turn skipped".to_owned(),
        TurnKind::Unknown => String::new(),
    }
}

/// A play: the start and, as far as they fit, the words with their points, the bonus and the points of a challenge. A `*`
/// marks the words that a challenge found not to be in the lexicon.
fn play(view: &GameView, turn: &TurnRecord, room: usize) -> String {
    let start = printable(turn.start.as_deref().unwrap_or(""));
    let words = turn.words.as_deref().unwrap_or(&[]);
    let off = if turn.off { "OFF " } else { "" };
    let shown = |word: &ScoredWord| {
        let mark = if turn.bad_words.contains(&word.word) {
            "*"
        } else {
            ""
        };
        printable(&word.word) + mark
    };
    let with_points: Vec<String> = words
        .iter()
        .map(|word| format!("{} {}", shown(word), word.score))
        .collect();
    let bonus = turn
        .bonus
        .map_or_else(String::new, |bonus| format!(" +{bonus}"));
    let points: String = turn
        .points
        .iter()
        .map(|change| format!(" ({} {:+})", player_name(view, change.seat), change.points))
        .collect();
    let full = format!("{start:<3} {off}{}{bonus}{points}", with_points.join(", "));
    if full.chars().count() <= room {
        return full;
    }
    let main = words.first().map_or_else(String::new, shown);
    let more = match words.len() {
        0 | 1 => String::new(),
        2 => " and 1 word".to_owned(),
        count => format!(" and {} words", count - 1),
    };
    format!("{start:<3} {off}{main}{more}")
}

/// The heading of the scoresheet.
pub(super) fn heading(width: usize) -> String {
    let figures = format!("{:>4} {:>5}", "pts", "total");
    format!(
        "{} {figures}",
        fit("  # player   play", width.saturating_sub(figures.len() + 1))
    )
}
