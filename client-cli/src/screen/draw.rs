//! The frame: title, game or lobby, messages, input line.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::board::{BoardWidget, rack_lines};
use super::fit::{fit, put_line, put_lines, wrap};
use super::layout::{GameLayout, MESSAGES_MIN, Shown};
use super::panel::PanelWidget;
use super::status::status;
use super::{Content, Question, Screen, Tone, lobby};
use crate::text::{clock_text, format_options, player_name, printable};
use tilewire_client::GameView;

impl Screen {
    /// Draws everything.
    pub fn draw(&self, frame: &mut Frame<'_>, content: &Content<'_>) {
        let area = frame.area();
        if area.height == 0 || area.width == 0 {
            return;
        }
        let buffer = frame.buffer_mut();
        self.draw_title(area, buffer, content);
        let body = Rect {
            y: area.y + 1,
            height: area.height.saturating_sub(2),
            ..area
        };
        match content.view {
            _ if self.shows_help => self.draw_help(body, buffer, content),
            _ if self.chat.is_open => self.draw_chat(body, buffer),
            Some(view) => self.draw_game(body, buffer, view, content),
            None => self.draw_lobby(body, buffer, content),
        }
        if area.height > 1 {
            let row = Rect {
                y: area.y + area.height - 1,
                height: 1,
                ..area
            };
            let cursor = self.draw_input(row, buffer, &self.hint(content));
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_title(&self, area: Rect, buffer: &mut Buffer, content: &Content<'_>) {
        let width = usize::from(area.width);
        let about = match content.view {
            Some(view) => {
                let options = format_options(&view.setup.options);
                format!(
                    " {}: {options}, {}",
                    printable(view.game.as_str()),
                    printable(&view.setup.lexicon.name)
                )
            }
            None => " tilewire".to_owned(),
        };
        let mut right = self.connection.clone();
        if let Some(lag_ms) = content.lag_ms.filter(|_| content.is_connected) {
            right = format!("{lag_ms} ms");
        }
        if let Some(view) = content.view.filter(|view| view.watching > 0) {
            right = format!("{} watching, {right}", view.watching);
        }
        if self.chat.unread > 0 {
            right = format!("chat: {} new, {right}", self.chat.unread);
        }
        let right = format!(" {right} ");
        let left = width.saturating_sub(right.chars().count());
        let text = fit(&format!("{}{right}", fit(&about, left)), width);
        put_line(Line::styled(text, self.theme.title()), 0, area, buffer);
    }

    fn draw_game(&self, body: Rect, buffer: &mut Buffer, view: &GameView, content: &Content<'_>) {
        let preview = self.preview(view);
        let draft = preview
            .as_ref()
            .and_then(|preview| preview.draft.as_ref().ok());
        let theme = self.theme;
        let Some(layout) = GameLayout::find(Shown { view, draft, theme }, body) else {
            return self.draw_small(body, buffer, view, content);
        };
        let board = BoardWidget {
            view,
            squares: layout.squares,
            draft,
            theme,
        };
        board.render(layout.board, buffer);
        let panel = PanelWidget {
            view,
            preview: preview.as_ref(),
            legend: layout.legend,
            next: content.next,
            now: view.moment(content.now),
            scrolled: self.scrolled,
            theme,
        };
        panel.render(layout.panel, buffer);
        put_lines(layout.tile_lines, layout.tiles, buffer);
        self.draw_messages(layout.messages, buffer);
    }

    /// Draws the game without a board, for a small terminal.
    fn draw_small(&self, body: Rect, buffer: &mut Buffer, view: &GameView, content: &Content<'_>) {
        let mut lines = Vec::new();
        let now = view.moment(content.now);
        for (seat, state) in (0_u8..).zip(&view.seats) {
            let clock = clock_text(view, seat, now);
            lines.push(Line::raw(format!(
                "{} {} {clock}",
                player_name(view, seat),
                state.score
            )));
        }
        for line in status(view, now) {
            lines.push(Line::styled(line.text, self.theme.strong()));
        }
        let preview = self.preview(view);
        if let Some(preview) = &preview {
            let texts = preview.texts().into_iter();
            lines.extend(texts.map(|text| Line::styled(text, self.theme.strong())));
        }
        let draft = preview
            .as_ref()
            .and_then(|preview| preview.draft.as_ref().ok());
        lines.extend(rack_lines(view, draft, self.theme, usize::from(body.width)));
        let (width, height) = GameLayout::smallest(view);
        lines.push(Line::styled(
            format!("The board needs {width}x{height} characters."),
            self.theme.faint(),
        ));
        let count = u16::try_from(lines.len())
            .unwrap_or(u16::MAX)
            .min(body.height);
        let upper = Rect {
            height: count,
            ..body
        };
        put_lines(lines, upper, buffer);
        self.draw_messages(
            Rect {
                y: body.y + count,
                height: body.height - count,
                ..body
            },
            buffer,
        );
    }

    fn draw_lobby(&self, body: Rect, buffer: &mut Buffer, content: &Content<'_>) {
        let height = body.height.saturating_sub(MESSAGES_MIN);
        // A blank row and a margin of two columns.
        let upper = Rect {
            x: body.x + 2.min(body.width),
            y: body.y + 1.min(height),
            width: body.width.saturating_sub(2),
            height: height.saturating_sub(1),
        };
        let size = (usize::from(upper.width), usize::from(upper.height));
        put_lines(lobby::lines(content, self.theme, size), upper, buffer);
        let below = Rect {
            y: body.y + height,
            height: body.height - height,
            ..body
        };
        self.draw_messages(below, buffer);
    }

    fn draw_messages(&self, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        let mut lines: Vec<Line<'_>> = Vec::new();
        for message in self.messages.iter().rev() {
            let style = match message.tone {
                Tone::Info => ratatui::style::Style::new(),
                Tone::Chat => self.theme.chat(),
                Tone::Warning => self.theme.warning(),
            };
            let sign = match message.tone {
                Tone::Info | Tone::Chat => "",
                Tone::Warning => "! ",
            };
            let text = format!("{sign}{}", message.text);
            lines.extend(
                wrap(&text, width)
                    .into_iter()
                    .rev()
                    .map(|part| Line::styled(part, style)),
            );
            if lines.len() >= usize::from(area.height) {
                break;
            }
        }
        lines.truncate(usize::from(area.height));
        for (row, line) in lines.into_iter().rev().enumerate() {
            put_line(line, row, area, buffer);
        }
    }

    /// Draws the input line; returns the position of the cursor.
    fn draw_input(&self, row: Rect, buffer: &mut Buffer, hint: &str) -> Position {
        let prompt = self.question.map_or("> ", Question::prompt);
        let prompt_width = u16::try_from(prompt.len()).unwrap_or(0);
        let room = usize::from(row.width.saturating_sub(prompt_width + 1));
        let scroll = self.input.visual_scroll(room);
        let value = self.input.value();
        let line = if value.is_empty() && self.question.is_none() {
            Line::from(vec![prompt.into(), Span::styled(hint, self.theme.faint())])
        } else {
            let shown: String = value.chars().skip(scroll).collect();
            Line::raw(format!("{prompt}{shown}"))
        };
        put_line(line, 0, row, buffer);
        let column = self.input.visual_cursor().saturating_sub(scroll).min(room);
        let column = u16::try_from(column)
            .unwrap_or(0)
            .saturating_add(prompt_width);
        Position {
            x: row.x + column.min(row.width.saturating_sub(1)),
            y: row.y,
        }
    }
}
