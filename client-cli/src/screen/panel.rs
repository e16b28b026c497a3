//! The panel beside the board: players with their clocks, the status, the scoresheet.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use tilewire_protocol::Phase;

use super::draft::Preview;
use super::fit::{fit, put_line, wrap};
use super::scoresheet::{heading, turn_line};
use super::status::{seat_note, status};
use super::theme::Theme;
use crate::text::{
    accounts as accounts_of, clock_text, player_name, printable, rating_note, standings,
};
use tilewire_client::GameView;

/// The width of names beside clocks.
const NAME_WIDTH: usize = 14;

/// The panel.
#[derive(Debug, Clone)]
pub(super) struct PanelWidget<'a> {
    pub(super) view: &'a GameView,
    /// The play in the input line, or the draft.
    pub(super) preview: Option<&'a Preview>,
    /// The meaning of the premiums.
    pub(super) legend: Vec<Line<'static>>,
    /// The commands to continue with after the end of the game.
    pub(super) next: &'a [String],
    pub(super) now: i64,
    pub(super) scrolled: usize,
    pub(super) theme: Theme,
}

impl Widget for PanelWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (seat, _) in (0_u8..).zip(&self.view.seats) {
            lines.push(self.player(seat, width));
            lines.extend(self.rack(seat));
        }
        for line in status(self.view, self.now) {
            let style = if line.is_prompt {
                self.theme.prompt()
            } else {
                self.theme.strong()
            };
            for part in wrap(&line.text, width) {
                lines.push(Line::styled(part, style));
            }
        }
        if let Some(preview) = self.preview {
            let style = match preview.draft {
                Ok(_) => self.theme.prompt(),
                Err(_) => self.theme.faint(),
            };
            let texts = preview.texts();
            let parts = texts.iter().flat_map(|text| wrap(text, width));
            lines.extend(parts.map(|part| Line::styled(part, style)));
        }
        if self.view.phase == Phase::Ended {
            lines.extend(self.accounts());
            lines.extend(self.after_the_end(width));
        }
        let height = usize::from(area.height);
        let legend_row = height.saturating_sub(self.legend.len());
        let room = legend_row.saturating_sub(lines.len() + 1);
        if room > 0 {
            lines.push(Line::styled(heading(width), self.theme.faint()));
            lines.extend(self.turns(room, width));
        }
        let used = lines.len();
        for (row, line) in lines.into_iter().enumerate() {
            put_line(line, row, area, buffer);
        }
        for (row, line) in (legend_row..).zip(self.legend) {
            if row >= used {
                put_line(line, row, area, buffer);
            }
        }
    }
}

impl PanelWidget<'_> {
    /// A player, such as `> Anna           123  24:59  offline`.
    fn player(&self, seat: u8, width: usize) -> Line<'static> {
        let view = self.view;
        let is_own = view.seat == Some(seat);
        let is_thinking = match view.clocks.running {
            Some(running) if view.phase != Phase::Ended => running.seat == seat,
            _ => view.on_turn == Some(seat),
        };
        let marker = if is_thinking { "> " } else { "  " };
        let final_score = view.result.as_ref().and_then(|result| {
            result
                .results
                .iter()
                .find(|account| account.seat == seat)
                .map(|account| account.final_score)
        });
        let score = view
            .seats
            .get(usize::from(seat))
            .map_or(0, |seat| seat.score);
        let score = final_score.unwrap_or(score);
        let you = if is_own { " (you)" } else { "" };
        let person = view.setup.seats.get(usize::from(seat));
        let rating = rating_note(person.and_then(|person| person.rating.as_ref()));
        let name = fit(
            &format!("{}{rating}{you}", player_name(view, seat)),
            NAME_WIDTH.max(width / 3),
        );
        let style = if is_own {
            self.theme.strong()
        } else {
            ratatui::style::Style::new()
        };
        let clock = clock_text(view, seat, self.now);
        let clock_style = if is_thinking {
            self.theme.strong()
        } else {
            ratatui::style::Style::new()
        };
        let note = seat_note(view, seat, self.now);
        Line::from(vec![
            Span::styled(marker, self.theme.prompt()),
            Span::styled(name, style),
            Span::styled(format!("{score:>5}  "), self.theme.strong()),
            Span::styled(clock, clock_style),
            Span::styled(
                if note.is_empty() {
                    note
                } else {
                    format!("  {note}")
                },
                self.theme.warning(),
            ),
        ])
    }

    /// The rack of a seat, for a spectator who may see it.
    fn rack(&self, seat: u8) -> Option<Line<'static>> {
        if self.view.seat.is_some() || self.view.phase == Phase::Ended {
            return None;
        }
        let rack = self.view.rack_of(seat)?;
        let faces: Vec<String> = rack.iter().map(|face| printable(face)).collect();
        Some(Line::styled(
            format!("    {}", faces.join(" ")),
            self.theme.faint(),
        ))
    }

    /// The final scores and their parts.
    fn accounts(&self) -> Vec<Line<'static>> {
        let accounts = self.view.result.as_ref();
        let accounts = accounts.map(|result| accounts_of(self.view, result));
        let lines = standings(&accounts.unwrap_or_default(), |name| fit(name, 8));
        lines.into_iter().map(Line::raw).collect()
    }

    /// The id of the game, and the commands for its record and the proof of its draws.
    fn after_the_end(&self, width: usize) -> Vec<Line<'static>> {
        let id = format!("Game {}", printable(self.view.game.as_str()));
        let texts = std::iter::once(&id).chain(self.next);
        let rows = texts.flat_map(|text| wrap(text, width));
        rows.map(|row| Line::styled(row, self.theme.faint()))
            .collect()
    }

    fn turns(&self, room: usize, width: usize) -> Vec<Line<'static>> {
        let turns = &self.view.turns;
        let scrolled = self.scrolled.min(turns.len().saturating_sub(room));
        let end = turns.len() - scrolled;
        turns[end.saturating_sub(room)..end]
            .iter()
            .map(|turn| {
                let style = if self.view.seat == Some(turn.seat) {
                    self.theme.strong()
                } else {
                    ratatui::style::Style::new()
                };
                Line::styled(turn_line(self.view, turn, width), style)
            })
            .collect()
    }
}
