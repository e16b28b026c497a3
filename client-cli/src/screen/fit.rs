//! Text in the columns that it has: cut with an ellipsis, padded, wrapped, or laid out in rows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The mark of text that is cut.
const ELLIPSIS: char = '…';

/// Text of at most `width` columns; a longer one ends with an ellipsis.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(1) else {
        return String::new();
    };
    let mut kept = first_columns(text, room);
    kept.push(ELLIPSIS);
    kept
}

/// Text of exactly `width` columns, cut or padded.
pub(super) fn fit(text: &str, width: usize) -> String {
    let mut fitted = cut(text, width);
    fitted.push_str(&" ".repeat(width.saturating_sub(fitted.width())));
    fitted
}

/// The beginning of a text, of at most `width` columns.
fn first_columns(text: &str, width: usize) -> String {
    let mut used = 0;
    text.chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

/// Cuts a line to `width` columns.
fn cut_line(mut line: Line<'_>, width: usize) -> Line<'_> {
    if line.width() <= width {
        return line;
    }
    let mut room = width.saturating_sub(1);
    let mut kept = Vec::new();
    for span in line.spans {
        let span_width = span.width();
        if span_width <= room {
            room -= span_width;
            kept.push(span);
            continue;
        }
        let mut text = first_columns(&span.content, room);
        text.push(ELLIPSIS);
        kept.push(Span::styled(text, span.style));
        break;
    }
    line.spans = kept;
    line
}

/// Draws a line in a row of the area, cut to its width, if the area has that row.
pub(super) fn put_line(line: Line<'_>, row: usize, area: Rect, buffer: &mut Buffer) {
    if let Ok(row) = u16::try_from(row)
        && row < area.height
    {
        let place = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        cut_line(line, usize::from(area.width)).render(place, buffer);
    }
}

/// Draws lines from the top of the area. If they do not fit, the last row says so.
pub(super) fn put_lines(lines: Vec<Line<'_>>, area: Rect, buffer: &mut Buffer) {
    let rows = usize::from(area.height);
    let is_cut = lines.len() > rows;
    for (row, line) in lines.into_iter().take(rows).enumerate() {
        let is_mark = is_cut && row + 1 == rows;
        let line = if is_mark {
            Line::raw(ELLIPSIS.to_string())
        } else {
            line
        };
        put_line(line, row, area, buffer);
    }
}

/// Wraps text at spaces into lines of at most `width` columns.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Lays out items in rows of at most `width` columns, with a gap between two items.
pub(super) fn flow(
    items: Vec<Vec<Span<'static>>>,
    gap: &'static str,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for item in items {
        let item_width: usize = item.iter().map(Span::width).sum();
        match lines.last_mut() {
            Some(line) if line.width() + gap.len() + item_width <= width => {
                line.push_span(gap);
                line.spans.extend(item);
            }
            _ => lines.push(Line::from(item)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_text_ends_with_an_ellipsis() {
        for (text, width, kept) in [
            ("Cleopatra", 9, "Cleopatra"),
            ("Cleopatra", 8, "Cleopat…"),
            ("Cleopatra", 1, "…"),
            ("Cleopatra", 0, ""),
            // A wide character is not split.
            ("日本語", 4, "日…"),
        ] {
            assert_eq!(cut(text, width), kept);
        }
        assert_eq!(fit("日本語", 4), "日… ");
        let spans = || Line::from(vec![Span::raw("Rack "), Span::raw("ABC"), Span::raw("DE")]);
        assert_eq!(cut_line(spans(), 10).to_string(), "Rack ABCDE");
        assert_eq!(cut_line(spans(), 9).to_string(), "Rack ABC…");
        assert_eq!(cut_line(spans(), 7).to_string(), "Rack A…");
    }

    #[test]
    fn items_flow_into_rows() {
        let items = ["' 2L", "\" 3L", "- 2W"].map(|item| vec![Span::raw(item)]);
        let rows = |width| -> Vec<String> {
            let lines = flow(items.to_vec(), "  ", width);
            lines.iter().map(ToString::to_string).collect()
        };
        assert_eq!(rows(16), ["' 2L  \" 3L  - 2W"]);
        assert_eq!(rows(15), ["' 2L  \" 3L", "- 2W"]);
        assert_eq!(rows(3).len(), 3);
    }
}
