//! The position as a picture: a PNG of few colours, which every mail program shows.

use tilewire_rules::board::Premium;
use unicode_normalization::UnicodeNormalization;

use super::font::{glyph, mark};
use super::sheet::{Cell, Sheet};

/// Dots of a square on each side.
const SQUARE: usize = 24;
/// Dots of the picture for a dot of a letter.
const SCALE: usize = 2;
/// Dots of a letter, from side to side and with its marks from top to bottom.
const LETTER: (usize, usize) = (5, 10);

/// The colours: red, green and blue. A picture looks the same on light and dark pages.
const PALETTE: [[u8; 3]; 9] = [
    [0x3d, 0x46, 0x4d], // lines
    [0xef, 0xea, 0xdd], // a square
    [0xbf, 0xdc, 0xea], // twice a letter
    [0x6f, 0xae, 0xd2], // three and four times a letter
    [0xf2, 0xc4, 0xb8], // twice a word
    [0xdb, 0x7c, 0x6a], // three and four times a word
    [0xf7, 0xdc, 0x9c], // a tile
    [0xff, 0xbf, 0x47], // a new tile
    [0x1d, 0x1d, 0x1d], // a letter
];

/// The number of a colour.
type Colour = u8;
const LINE: Colour = 0;
const TILE: Colour = 6;
const NEW_TILE: Colour = 7;
const INK: Colour = 8;

/// Returns the picture of a position, or `None` if it cannot be encoded.
pub(super) fn picture(sheet: &Sheet) -> Option<Vec<u8>> {
    let canvas = Canvas::of(sheet);
    let mut bytes = Vec::new();
    let (width, height) = (canvas.width, canvas.dots.len() / canvas.width);
    let sizes = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    let mut encoder = png::Encoder::new(&mut bytes, sizes.0, sizes.1);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(PALETTE.concat());
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&canvas.dots).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

struct Canvas {
    width: usize,
    dots: Vec<Colour>,
}

impl Canvas {
    /// Draws a position. A line is between two squares and around the board.
    fn of(sheet: &Sheet) -> Self {
        let columns = sheet.rows.first().map_or(0, Vec::len);
        let (width, height) = (columns * SQUARE + 1, sheet.rows.len() * SQUARE + 1);
        let mut canvas = Self {
            width,
            dots: vec![LINE; width * height],
        };
        for (row, cells) in sheet.rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                canvas.cell((column * SQUARE + 1, row * SQUARE + 1), cell);
            }
        }
        canvas
    }

    fn cell(&mut self, (left, top): (usize, usize), cell: &Cell) {
        let colour = match cell {
            Cell::Empty(Premium::Plain) => 1,
            Cell::Empty(Premium::Letter(2)) => 2,
            Cell::Empty(Premium::Letter(_)) => 3,
            Cell::Empty(Premium::Word(2)) => 4,
            Cell::Empty(Premium::Word(_)) => 5,
            Cell::Tile { is_new: true, .. } => NEW_TILE,
            Cell::Tile { is_new: false, .. } => TILE,
        };
        let side = SQUARE - 1;
        self.fill((left, top), (side, side), colour);
        if let Cell::Tile { face, .. } = cell {
            self.letter((left, top), face);
        }
    }

    /// Draws the first letter of a tile in the middle of its square; the letter of a blank stands in a frame.
    fn letter(&mut self, (left, top): (usize, usize), face: &str) {
        let is_blank = face.chars().any(char::is_lowercase);
        let capital = face.to_uppercase();
        // A tile with several letters has brackets around them in a text.
        let mut letters = capital.nfd().filter(|c| *c != '[' && *c != ']');
        let Some(letter) = letters.next() else {
            return;
        };
        let marks = letters.next().and_then(mark).unwrap_or_default();
        let rows = marks.into_iter().chain([0]).chain(glyph(letter));
        let side = SQUARE - 1;
        let (x, y) = (
            left + (side - LETTER.0 * SCALE) / 2,
            top + (side - LETTER.1 * SCALE) / 2,
        );
        for (row, dots) in rows.enumerate() {
            for column in 0..LETTER.0 {
                let is_set = dots >> (LETTER.0 - 1 - column) & 1 == 1;
                if is_set {
                    let at = (x + column * SCALE, y + row * SCALE);
                    self.fill(at, (SCALE, SCALE), INK);
                }
            }
        }
        if is_blank {
            let (near, far) = (1, side - 2);
            self.fill((left + near, top + near), (side - 2, 1), INK);
            self.fill((left + near, top + far), (side - 2, 1), INK);
            self.fill((left + near, top + near), (1, side - 2), INK);
            self.fill((left + far, top + near), (1, side - 2), INK);
        }
    }

    fn fill(&mut self, (left, top): (usize, usize), (width, height): (usize, usize), colour: u8) {
        for row in top..top + height {
            let start = row * self.width + left;
            if let Some(dots) = self.dots.get_mut(start..start + width) {
                dots.fill(colour);
            }
        }
    }
}
