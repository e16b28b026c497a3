//! The layout of the game screen.
//!
//! On a tall terminal, the rack, the unseen tiles and the messages are below the board. On a lower one they are beside
//! the board, below the players.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::board::{BoardWidget, Squares, legend, rack_lines, unseen_text};
use super::fit::wrap;
use super::theme::Theme;
use tilewire_client::{Draft, GameView};

/// The minimum width of the panel beside the board: a name, a score and a clock.
const PANEL_MIN_WIDTH: u16 = 30;
/// The minimum width of the panel beside a wide board.
const PANEL_WIDE_WIDTH: u16 = 46;
/// The columns between board and panel.
const GAP: u16 = 2;
/// The minimum number of rows for messages.
pub(super) const MESSAGES_MIN: u16 = 3;
/// The maximum number of rows for rack and unseen tiles below the board, and beside it.
const TILES_MAX_BELOW: u16 = 4;
const TILES_MAX_BESIDE: u16 = 7;
/// The rows of the title and the input line.
const AROUND: u16 = 2;

/// The areas of the parts, and the lines that decide their sizes.
#[derive(Debug, Clone)]
pub(super) struct GameLayout {
    /// The width of a square.
    pub(super) squares: Squares,
    pub(super) board: Rect,
    pub(super) panel: Rect,
    pub(super) tiles: Rect,
    pub(super) messages: Rect,
    /// The rack and the unseen tiles.
    pub(super) tile_lines: Vec<Line<'static>>,
    /// The meaning of the premiums, for the end of the panel.
    pub(super) legend: Vec<Line<'static>>,
}

/// The content that the layout depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) view: &'a GameView,
    pub(super) draft: Option<&'a Draft>,
    pub(super) theme: Theme,
}

impl GameLayout {
    /// Finds the layout with the largest board; `None` if there is no room for a board.
    pub(super) fn find(shown: Shown<'_>, body: Rect) -> Option<Self> {
        Self::below(shown, body, Squares::Wide)
            .or_else(|| Self::below(shown, body, Squares::Narrow))
            .or_else(|| Self::beside(shown, body))
    }

    /// The smallest terminal that shows the board: columns and rows.
    pub(super) fn smallest(view: &GameView) -> (u16, u16) {
        let (width, height) = BoardWidget::size(view, Squares::Narrow);
        (width + GAP + PANEL_MIN_WIDTH, height + AROUND)
    }

    fn below(shown: Shown<'_>, body: Rect, squares: Squares) -> Option<Self> {
        let (width, height) = BoardWidget::size(shown.view, squares);
        let panel = match squares {
            Squares::Wide => PANEL_WIDE_WIDTH,
            Squares::Narrow => PANEL_MIN_WIDTH,
        };
        let tile_lines = shown.tile_lines(body.width);
        let tiles = rows(&tile_lines).min(TILES_MAX_BELOW);
        let needed = height + tiles + MESSAGES_MIN;
        let left = width + GAP;
        if left + panel > body.width || needed > body.height {
            return None;
        }
        // The scoresheet gets half of the remaining rows.
        let upper = height + (body.height - needed) / 2;
        let panel = part(body, (left, 0), (body.width, upper));
        Some(Self {
            squares,
            board: part(body, (0, 0), (width, upper)),
            panel,
            tiles: part(body, (0, upper), (body.width, tiles)),
            messages: part(body, (0, upper + tiles), (body.width, body.height)),
            tile_lines,
            legend: shown.legend(squares, panel.width),
        })
    }

    fn beside(shown: Shown<'_>, body: Rect) -> Option<Self> {
        let squares = Squares::Narrow;
        let (width, height) = BoardWidget::size(shown.view, squares);
        let left = width + GAP;
        if left + PANEL_MIN_WIDTH > body.width || height > body.height {
            return None;
        }
        let panel_width = body.width - left;
        let tile_lines = shown.tile_lines(panel_width);
        let messages = body.height.saturating_sub(MESSAGES_MIN);
        let tiles = messages.saturating_sub(rows(&tile_lines).min(TILES_MAX_BESIDE));
        Some(Self {
            squares,
            board: part(body, (0, 0), (width, body.height)),
            panel: part(body, (left, 0), (body.width, tiles)),
            tiles: part(body, (left, tiles), (body.width, messages - tiles)),
            messages: part(body, (left, messages), (body.width, MESSAGES_MIN)),
            tile_lines,
            legend: shown.legend(squares, panel_width),
        })
    }
}

impl Shown<'_> {
    /// The rack and the unseen tiles, in lines of `width` columns.
    fn tile_lines(self, width: u16) -> Vec<Line<'static>> {
        let width = usize::from(width);
        let mut lines = rack_lines(self.view, self.draft, self.theme, width);
        let unseen = wrap(&unseen_text(self.view), width).into_iter();
        lines.extend(unseen.map(|text| Line::styled(text, self.theme.faint())));
        lines
    }

    fn legend(self, squares: Squares, width: u16) -> Vec<Line<'static>> {
        legend(self.view, squares, self.theme, usize::from(width))
    }
}

fn rows(lines: &[Line<'_>]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

/// The part of `body` at this offset, with at most this size.
fn part(body: Rect, from: (u16, u16), size: (u16, u16)) -> Rect {
    Rect {
        x: body.x + from.0,
        y: body.y + from.1,
        width: size.0,
        height: size.1,
    }
    .intersection(body)
}
