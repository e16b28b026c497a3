//! The help page.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::fit::put_lines;
use super::{Content, FirstEnter, Screen};
use crate::app::{LOBBY_HELP, game_help};

const DRAFTS: [&str; 2] = [
    "Enter         show the play as a draft with its score; again: play it",
    "Esc           remove the draft",
];
const PLAYS_AT_ONCE: [&str; 2] = [
    "Enter         play; the board shows the draft while you type",
    "Esc           clear the input line",
];
const KEYS: [&str; 1] = ["Up, Down      earlier input     PgUp, PgDn  scroll the scoresheet"];

impl Screen {
    /// Draws the help page of the game or of the lobby.
    pub(super) fn draw_help(&self, area: Rect, buffer: &mut Buffer, content: &Content<'_>) {
        let texts = if content.lobby.is_some() {
            LOBBY_HELP.to_vec()
        } else {
            let enter = match self.options.first_enter {
                FirstEnter::Drafts => DRAFTS,
                FirstEnter::Plays => PLAYS_AT_ONCE,
            };
            let mut texts = game_help(content.view);
            texts.extend(enter.iter().chain(&KEYS));
            texts
        };
        let heading = "Commands (close this page with Enter or Esc)";
        let mut lines = vec![Line::styled(heading, self.theme.strong())];
        lines.extend(texts.into_iter().map(|text| Line::raw(format!("  {text}"))));
        Clear.render(area, buffer);
        put_lines(lines, area, buffer);
    }
}
