//! The board and the rack.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::theme::Theme;
use crate::text::column_letter;
use tilewire_client::GameView;
use tilewire_client::view::{BLANK, is_blank};
use tilewire_rules::board::Square;

/// Columns for the row numbers.
const ROW_NUMBER_WIDTH: u16 = 3;

/// The width of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Squares {
    /// Two columns; a premium is one symbol.
    Narrow,
    /// Four columns; a premium is written out.
    Wide,
}

impl Squares {
    const fn width(self) -> u16 {
        match self {
            Self::Narrow => 2,
            Self::Wide => 4,
        }
    }
}

/// The board, from its upper left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoardWidget<'a> {
    pub(super) view: &'a GameView,
    pub(super) squares: Squares,
    pub(super) theme: Theme,
}

impl BoardWidget<'_> {
    /// The columns and rows that the board needs.
    pub(super) fn size(view: &GameView, squares: Squares) -> (u16, u16) {
        let board = &view.setup.rule_set.board;
        (
            ROW_NUMBER_WIDTH + u16::from(board.cols) * squares.width(),
            u16::from(board.rows) + 1,
        )
    }

    fn square(&self, square: Square) -> Span<'static> {
        let width = usize::from(self.squares.width());
        let Some(face) = self.view.at(square) else {
            let premium = self.view.premium(square);
            let is_start = self.view.start_square() == Some(square);
            return Span::styled(
                fit(premium_sign(premium, is_start, self.squares), width),
                self.theme.premium(premium),
            );
        };
        let last = self.view.last_play.as_ref();
        let is_fresh = last.is_some_and(|play| play.laid.iter().any(|(laid, _)| *laid == square));
        let mut style = if is_fresh {
            self.theme.last_play_tile()
        } else {
            self.theme.tile()
        };
        if is_blank(face) {
            style = style.add_modifier(ratatui::style::Modifier::UNDERLINED);
        }
        let text = match self.squares {
            Squares::Narrow => fit(face, width),
            Squares::Wide => fit(&format!(" {face}"), width),
        };
        Span::styled(text, style)
    }
}

impl Widget for BoardWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let board = &self.view.setup.rule_set.board;
        let width = usize::from(self.squares.width());
        let lead = if self.squares == Squares::Wide {
            " "
        } else {
            ""
        };
        let mut header = " ".repeat(usize::from(ROW_NUMBER_WIDTH));
        for col in 0..board.cols {
            header.push_str(&fit(&format!("{lead}{}", column_letter(col)), width));
        }
        put_line(Line::styled(header, self.theme.faint()), 0, area, buffer);
        for row in 0..board.rows {
            let number = usize::from(row) + 1;
            let mut spans = vec![Span::styled(format!("{number:>2} "), self.theme.faint())];
            spans.extend((0..board.cols).map(|col| self.square(Square::new(row, col))));
            put_line(Line::from(spans), number, area, buffer);
        }
    }
}

/// The symbol of an empty square.
fn premium_sign(premium: char, is_start: bool, squares: Squares) -> &'static str {
    match (squares, premium) {
        (_, _) if is_start => match squares {
            Squares::Narrow => "*",
            Squares::Wide => " *",
        },
        (Squares::Narrow, '\'') => "'",
        (Squares::Narrow, '"') => "\"",
        (Squares::Narrow, '^') => "^",
        (Squares::Narrow, '-') => "-",
        (Squares::Narrow, '=') => "=",
        (Squares::Narrow, '~') => "~",
        (Squares::Narrow, _) => ".",
        (Squares::Wide, '\'') => " 2L",
        (Squares::Wide, '"') => " 3L",
        (Squares::Wide, '^') => " 4L",
        (Squares::Wide, '-') => " 2W",
        (Squares::Wide, '=') => " 3W",
        (Squares::Wide, '~') => " 4W",
        (Squares::Wide, _) => " .",
    }
}

/// The player's rack: each tile with its points.
pub(super) fn rack_line(view: &GameView, theme: Theme) -> Line<'static> {
    let mut spans = vec![Span::styled("Rack ", theme.strong())];
    for face in &view.rack {
        let value = view.value(face);
        let text = if face == BLANK {
            " ? ".to_owned()
        } else {
            format!(" {face}{} ", subscript(value))
        };
        spans.push(Span::styled(text, theme.tile()));
        spans.push(Span::raw(" "));
    }
    let owed = view
        .seat
        .and_then(|seat| view.seats.get(usize::from(seat)))
        .map_or(0, |seat| seat.owed);
    if owed > 0 {
        let text = format!("+{owed} after the challenge time");
        spans.push(Span::styled(text, theme.faint()));
    }
    Line::from(spans)
}

/// A number in subscript digits.
fn subscript(number: i32) -> String {
    let digit = |c: char| {
        c.to_digit(10)
            .and_then(|digit| char::from_u32(0x2080 + digit))
            .unwrap_or(c)
    };
    number.to_string().chars().map(digit).collect()
}

/// The number of unseen tiles, by letter.
pub(super) fn unseen_text(view: &GameView) -> String {
    let unseen = view.unseen();
    let total: u32 = unseen.iter().map(|(_, count)| *count).sum();
    let faces: Vec<String> = unseen
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(face, count)| format!("{face}{count}"))
        .collect();
    format!("Bag {} Unseen {total}: {}", view.bag, faces.join(" "))
}

/// Text, truncated or padded to a width in columns.
pub(super) fn fit(text: &str, width: usize) -> String {
    let mut fitted = String::new();
    let mut used = 0;
    for c in text.chars() {
        let next = used + unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if next > width {
            break;
        }
        fitted.push(c);
        used = next;
    }
    debug_assert!(fitted.width() <= width);
    fitted.push_str(&" ".repeat(width - used));
    fitted
}

/// Draws a line in a row of the area, if the area has that row.
pub(super) fn put_line(line: Line<'_>, row: usize, area: Rect, buffer: &mut Buffer) {
    if let Ok(row) = u16::try_from(row)
        && row < area.height
    {
        line.render(
            Rect {
                y: area.y + row,
                height: 1,
                ..area
            },
            buffer,
        );
    }
}
