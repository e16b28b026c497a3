//! Draws a terminal buffer as an SVG picture.
//!
//! Each run of cells with one style becomes one text element. Its `textLength` puts the characters on the grid with any
//! monospaced font of the viewer.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The size of a cell.
const CELL_WIDTH: f64 = 8.4;
const CELL_HEIGHT: f64 = 18.0;
/// The distance from the top of a cell to the baseline of its text.
const BASELINE: f64 = 13.5;
const FONT_SIZE: f64 = 14.0;
/// The frame around the buffer.
const MARGIN: f64 = 12.0;
const TITLE_HEIGHT: f64 = 34.0;

const FONTS: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const BACKGROUND: &str = "#16181d";
const TITLE_BACKGROUND: &str = "#2a2e37";
const FOREGROUND: &str = "#d7dae0";
const DIM: &str = "#7d8590";

/// The colours of a cell, as SVG colours, and its font.
#[derive(PartialEq)]
struct CellStyle {
    text: &'static str,
    background: &'static str,
    is_bold: bool,
    is_underlined: bool,
}

impl CellStyle {
    fn of(cell: &Cell) -> Self {
        let has = |modifier| cell.modifier.contains(modifier);
        let plain = if has(Modifier::DIM) { DIM } else { FOREGROUND };
        let mut text = colour(cell.fg, plain);
        let mut background = colour(cell.bg, BACKGROUND);
        if has(Modifier::REVERSED) {
            (text, background) = (background, text);
        }
        Self {
            text,
            background,
            is_bold: has(Modifier::BOLD),
            is_underlined: has(Modifier::UNDERLINED),
        }
    }
}

fn colour(colour: Color, default: &'static str) -> &'static str {
    match colour {
        Color::Reset => default,
        Color::Black => "#1b1d23",
        Color::Yellow => "#e6c786",
        Color::LightGreen => "#9bd17c",
        Color::Cyan => "#5cc4d4",
        Color::LightCyan => "#8be4ee",
        Color::LightBlue => "#6aa9ff",
        Color::LightMagenta => "#e08bd8",
        Color::LightRed => "#ff7b72",
        other => panic!("the picture has no colour for {other}"),
    }
}

/// The picture of a terminal window with this title.
pub(crate) fn picture(buffer: &Buffer, title: &str) -> String {
    let (cols, rows) = (f64::from(buffer.area.width), f64::from(buffer.area.height));
    let width = cols * CELL_WIDTH + 2.0 * MARGIN;
    let height = rows * CELL_HEIGHT + TITLE_HEIGHT + 2.0 * MARGIN;
    let mut svg = String::new();
    let out = &mut svg;
    line(
        out,
        &format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-label="{}">"#,
            escaped(title)
        ),
    );
    line(
        out,
        &format!(r#"<rect width="{width:.0}" height="{height:.0}" rx="10" fill="{BACKGROUND}"/>"#),
    );
    line(
        out,
        &format!(
            r#"<path d="M0 {TITLE_HEIGHT:.0}V10A10 10 0 0 1 10 0H{:.0}A10 10 0 0 1 {width:.0} 10V{TITLE_HEIGHT:.0}Z" fill="{TITLE_BACKGROUND}"/>"#,
            width - 10.0
        ),
    );
    for (place, fill) in [(20, "#ff5f57"), (40, "#febc2e"), (60, "#28c840")] {
        line(
            out,
            &format!(r#"<circle cx="{place}" cy="17" r="6" fill="{fill}"/>"#),
        );
    }
    line(
        out,
        &format!(r#"<g font-family="{FONTS}" font-size="{FONT_SIZE:.0}" xml:space="preserve">"#),
    );
    line(
        out,
        &format!(
            r#"<text x="{:.0}" y="22" text-anchor="middle" fill="{DIM}">{}</text>"#,
            width / 2.0,
            escaped(title)
        ),
    );
    for row in 0..buffer.area.height {
        draw_row(out, buffer, row);
    }
    line(out, "</g>\n</svg>");
    svg
}

fn draw_row(out: &mut String, buffer: &Buffer, row: u16) {
    let cells: Vec<&Cell> = (0..buffer.area.width)
        .filter_map(|col| buffer.cell((col, row)))
        .collect();
    let top = MARGIN + TITLE_HEIGHT + f64::from(row) * CELL_HEIGHT;
    let mut col: u16 = 0;
    for run in cells.chunk_by(|one, other| CellStyle::of(one) == CellStyle::of(other)) {
        let length = u16::try_from(run.len()).expect("a row fits a terminal");
        draw_run(out, run, col, top);
        col += length;
    }
}

/// Draws a run of cells with one look: its background, and its text without the spaces around it.
fn draw_run(out: &mut String, run: &[&Cell], col: u16, top: f64) {
    let look = CellStyle::of(run[0]);
    let text: String = run.iter().map(|cell| cell.symbol()).collect();
    let at = |cells: usize| MARGIN + (f64::from(col) + cells as f64) * CELL_WIDTH;
    if look.background != BACKGROUND {
        line(
            out,
            &format!(
                r#"<rect x="{:.1}" y="{top:.0}" width="{:.1}" height="{CELL_HEIGHT:.0}" fill="{}"/>"#,
                at(0),
                run.len() as f64 * CELL_WIDTH,
                look.background
            ),
        );
    }
    let shown = text.trim();
    if shown.is_empty() {
        return;
    }
    let lead = text.chars().take_while(|c| *c == ' ').count();
    let mut attributes = format!(r#" fill="{}""#, look.text);
    if look.is_bold {
        attributes.push_str(r#" font-weight="bold""#);
    }
    if look.is_underlined {
        attributes.push_str(r#" text-decoration="underline""#);
    }
    let count = shown.chars().count();
    if count > 1 {
        let length = count as f64 * CELL_WIDTH;
        write!(attributes, r#" textLength="{length:.1}""#).expect("a string grows");
    }
    line(
        out,
        &format!(
            r#"<text x="{:.1}" y="{:.1}"{attributes}>{}</text>"#,
            at(lead),
            top + BASELINE,
            escaped(shown)
        ),
    );
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
