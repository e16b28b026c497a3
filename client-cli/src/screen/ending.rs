//! The end of a game in the panel: the standings, the id of the game, and the commands for its record.

use ratatui::text::Line;
use tilewire_client::GameView;
use tilewire_protocol::GameResult;

use super::fit::{fit, wrap};
use super::theme::Theme;
use crate::text::{final_score_parts, player_name, record_commands, standings, unplayed};

/// The width of names in the standings.
const NAME_WIDTH: usize = 8;

/// The lines of the panel after the end of a game.
pub(super) fn lines(
    view: &GameView,
    result: &GameResult,
    flags: &str,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let standing = |account| {
        let parts = final_score_parts(account);
        let parts = if parts.is_empty() { parts } else { format!(" = {parts}") };
        let rack = unplayed(account);
        let rack = if rack.is_empty() { rack } else { format!(" ({rack})") };
        let name = fit(&player_name(view, account.seat), NAME_WIDTH.max(width / 4));
        let text = format!("{}. {name} {:>4}{parts}{rack}", account.rank, account.final_score);
        Line::raw(text)
    };
    let mut lines: Vec<Line<'static>> = standings(result).into_iter().map(standing).collect();
    lines.push(Line::styled("Record and proof, after you quit:", theme.faint()));
    for command in record_commands(view, flags) {
        lines.extend(wrap(&command, width).into_iter().map(Line::raw));
    }
    lines
}
