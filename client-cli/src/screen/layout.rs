//! The layout of the game screen.
//!
//! On a tall terminal, the rack, the unseen tiles and the messages are below the board. On a lower one they are beside
//! the board, below the players.

use ratatui::layout::Rect;

use super::board::{BoardWidget, Squares, unseen_text};
use super::panel::wrap;
use tilewire_client::GameView;

/// The minimum width of the panel beside the board: a name, a score and a clock.
const PANEL_MIN_WIDTH: u16 = 30;
/// The minimum width of the panel beside a wide board.
const PANEL_WIDE_WIDTH: u16 = 46;
/// The columns between board and panel.
const GAP: u16 = 2;
/// The minimum number of rows for messages.
pub(super) const MESSAGES_MIN: u16 = 3;
/// The maximum number of rows for unseen tiles below the board.
const UNSEEN_MAX: u16 = 3;
/// The rows of rack and unseen tiles, and of messages, beside the board.
const TILES_BESIDE: u16 = 5;
const MESSAGES_BESIDE: u16 = 4;
/// The rows of the title and the input line.
const AROUND: u16 = 2;

/// The areas of the parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameLayout {
    /// The width of a square.
    pub(super) squares: Squares,
    pub(super) board: Rect,
    pub(super) panel: Rect,
    /// The rack and the unseen tiles.
    pub(super) tiles: Rect,
    pub(super) messages: Rect,
    /// The maximum number of rows of the help page.
    pub(super) help_height: u16,
}

impl GameLayout {
    /// Finds the layout with the largest board; `None` if there is no room for a board.
    pub(super) fn find(view: &GameView, body: Rect) -> Option<Self> {
        Self::below(view, body, Squares::Wide)
            .or_else(|| Self::below(view, body, Squares::Narrow))
            .or_else(|| Self::beside(view, body))
    }

    /// The smallest terminal that shows the board: columns and rows.
    pub(super) fn smallest(view: &GameView) -> (u16, u16) {
        let (width, height) = BoardWidget::size(view, Squares::Narrow);
        (width + GAP + PANEL_MIN_WIDTH, height + AROUND)
    }

    fn below(view: &GameView, body: Rect, squares: Squares) -> Option<Self> {
        let unseen = wrap(&unseen_text(view), usize::from(body.width)).len();
        let unseen = u16::try_from(unseen).unwrap_or(UNSEEN_MAX).min(UNSEEN_MAX);
        let rack = u16::from(view.seat.is_some());
        let (width, height) = BoardWidget::size(view, squares);
        let panel = match squares {
            Squares::Wide => PANEL_WIDE_WIDTH,
            Squares::Narrow => PANEL_MIN_WIDTH,
        };
        let needed = height + 1 + unseen + MESSAGES_MIN;
        if width + GAP + panel > body.width || needed > body.height {
            return None;
        }
        // The scoresheet gets half of the remaining rows.
        let upper = height + (body.height - needed) / 2;
        let used = upper + rack + unseen;
        Some(Self {
            squares,
            board: part(body, (0, 0), (width, upper)),
            panel: part(body, (width + GAP, 0), (body.width, upper)),
            tiles: part(body, (0, upper), (body.width, rack + unseen)),
            messages: part(body, (0, used), (body.width, body.height)),
            help_height: upper,
        })
    }

    fn beside(view: &GameView, body: Rect) -> Option<Self> {
        let (width, height) = BoardWidget::size(view, Squares::Narrow);
        if width + GAP + PANEL_MIN_WIDTH > body.width || height > body.height {
            return None;
        }
        let left = width + GAP;
        let messages = body.height.saturating_sub(MESSAGES_BESIDE);
        let tiles = messages.saturating_sub(TILES_BESIDE);
        Some(Self {
            squares: Squares::Narrow,
            board: part(body, (0, 0), (width, body.height)),
            panel: part(body, (left, 0), (body.width, tiles)),
            tiles: part(body, (left, tiles), (body.width, TILES_BESIDE)),
            messages: part(body, (left, messages), (body.width, MESSAGES_BESIDE)),
            help_height: body.height,
        })
    }
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
