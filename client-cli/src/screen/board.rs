//! The board and the rack.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::fit::{fit, flow, put_line};
use super::theme::Theme;
use crate::text::{column_letter, printable};
use tilewire_client::view::{BLANK, is_blank};
use tilewire_client::{Draft, GameView};
use tilewire_rules::board::Square;

/// Columns for the row numbers.
const ROW_NUMBER_WIDTH: u16 = 3;
/// The mark beside a tile of the draft.
const DRAFT_MARK: char = '+';
/// The premiums by their effect: the symbol in a layout, and its short name.
const PREMIUMS: [(&str, [(char, &str); 3]); 2] = [
    ("letter", [('\'', "2L"), ('"', "3L"), ('^', "4L")]),
    ("word", [('-', "2W"), ('=', "3W"), ('~', "4W")]),
];

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
    /// The play that the player considers.
    pub(super) draft: Option<&'a Draft>,
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
        if let Some(face) = self.draft.and_then(|draft| draft.at(square)) {
            return self.draft_tile(face, width);
        }
        let Some(face) = self.view.at(square) else {
            let premium = self.view.premium(square);
            let is_start = self.view.start_square() == Some(square);
            return Span::styled(
                fit(&premium_sign(premium, is_start, self.squares), width),
                self.theme.premium(premium),
            );
        };
        let last = self.view.last_play.as_ref();
        let is_fresh = last.is_some_and(|play| play.laid.iter().any(|(laid, _)| *laid == square));
        let style = if is_fresh {
            self.theme.last_play_tile()
        } else {
            self.theme.tile()
        };
        let style = blank_style(style, face);
        let text = match self.squares {
            Squares::Narrow => fit(face, width),
            Squares::Wide => fit(&format!(" {face}"), width),
        };
        Span::styled(text, style)
    }
}

impl BoardWidget<'_> {
    /// A tile of the draft: a mark beside the face shows that it is not on the board yet, also without colours.
    fn draft_tile(&self, face: &str, width: usize) -> Span<'static> {
        let text = match self.squares {
            Squares::Narrow if face.width() < width => format!("{face}{DRAFT_MARK}"),
            Squares::Narrow => face.to_owned(),
            Squares::Wide => format!(" {face}{DRAFT_MARK}"),
        };
        let style = blank_style(self.theme.draft_tile(), face);
        Span::styled(fit(&text, width), style)
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

/// The text of an empty square.
fn premium_sign(premium: char, is_start: bool, squares: Squares) -> String {
    let mut known = PREMIUMS.iter().flat_map(|(_, premiums)| premiums);
    let (narrow, wide) = match known.find(|(symbol, _)| *symbol == premium) {
        _ if is_start => ('*', "*"),
        Some((symbol, short)) => (*symbol, *short),
        None => ('.', "."),
    };
    match squares {
        Squares::Narrow => narrow.to_string(),
        Squares::Wide => format!(" {wide}"),
    }
}

/// The style of a tile; a blank is underlined.
fn blank_style(style: Style, face: &str) -> Style {
    if is_blank(face) {
        style.add_modifier(Modifier::UNDERLINED)
    } else {
        style
    }
}

/// The meaning of the premiums that the board has, such as `letter ' x2 " x3  word - x2 = x3  * start`.
pub(super) fn legend(
    view: &GameView,
    squares: Squares,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let layout = &view.setup.rule_set.board.layout;
    let has = |premium: char| layout.iter().any(|row| row.contains(premium));
    let mut items = Vec::new();
    for (effect, premiums) in PREMIUMS {
        let present = premiums.into_iter().zip(2..);
        let present = present.filter(|((premium, _), _)| has(*premium));
        let symbols: Vec<Span<'static>> = present
            .map(|((premium, short), factor)| {
                let text = match squares {
                    Squares::Narrow => format!(" {premium} x{factor}"),
                    Squares::Wide => format!(" {short}"),
                };
                Span::styled(text, theme.premium(premium))
            })
            .collect();
        if !symbols.is_empty() {
            let mut item = vec![Span::styled(effect, theme.faint())];
            item.extend(symbols);
            items.push(item);
        }
    }
    items.push(vec![Span::styled("* start", theme.faint())]);
    flow(items, "  ", width)
}

/// The player's rack: each tile with its points. The tiles of the draft are faint.
pub(super) fn rack_lines(
    view: &GameView,
    draft: Option<&Draft>,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    if view.seat.is_none() {
        return Vec::new();
    }
    let mut laid: Vec<&str> = draft.map_or_else(Vec::new, Draft::rack_faces);
    let tiles: Vec<(String, Style)> = view
        .rack
        .iter()
        .map(|face| {
            let place = laid.iter().position(|used| used == face);
            let style = match place.map(|place| laid.swap_remove(place)) {
                Some(_) => theme.faint(),
                None => theme.tile(),
            };
            let points = match face.as_str() {
                BLANK => String::new(),
                face => subscript(view.value(face)),
            };
            (format!("{}{points}", printable(face)), style)
        })
        .collect();
    let owed = view
        .seat
        .and_then(|seat| view.seats.get(usize::from(seat)))
        .map_or(0, |seat| seat.owed);
    let rows =
        |margin: &str| {
            let mut items = vec![vec![Span::styled("Rack", theme.strong())]];
            items.extend(tiles.iter().map(|(tile, style)| {
                vec![Span::styled(format!("{margin}{tile}{margin}"), *style)]
            }));
            if owed > 0 {
                let text = format!("+{owed} after the challenge time");
                items.push(vec![Span::styled(text, theme.faint())]);
            }
            flow(items, " ", width)
        };
    let roomy = rows(" ");
    if roomy.len() == 1 { roomy } else { rows("") }
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
