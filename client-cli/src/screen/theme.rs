//! The styles of the screen. Colour is never the only sign of a meaning.

use ratatui::style::{Color, Modifier, Style};

/// Whether the screen uses colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// With colours.
    On,
    /// Only with attributes: bold, reversed, underlined.
    Off,
}

/// The styles of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    colours: Colours,
}

impl Theme {
    /// The theme with or without colours.
    #[must_use]
    pub const fn new(colours: Colours) -> Self {
        Self { colours }
    }

    fn coloured(self, with: Style, without: Style) -> Style {
        match self.colours {
            Colours::On => with,
            Colours::Off => without,
        }
    }

    /// A tile on the board or rack.
    pub(super) fn tile(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(style.fg(Color::Black).bg(Color::Yellow), style)
    }

    /// A tile of the last play.
    pub(super) fn last_play_tile(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(
            style.fg(Color::Black).bg(Color::LightGreen),
            style.add_modifier(Modifier::REVERSED),
        )
    }

    /// A tile of a draft, which is not on the board yet.
    pub(super) fn draft_tile(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(
            style.fg(Color::Black).bg(Color::LightCyan),
            style.add_modifier(Modifier::ITALIC),
        )
    }

    /// An empty square, by its layout symbol.
    pub(super) fn premium(self, premium: char) -> Style {
        let plain = Style::new().add_modifier(Modifier::DIM);
        let colour = match premium {
            '\'' => Color::Cyan,
            '"' | '^' => Color::LightBlue,
            '-' => Color::LightMagenta,
            '=' | '~' => Color::LightRed,
            _ => return plain,
        };
        self.coloured(Style::new().fg(colour), Style::new())
    }

    /// Headings, and the name of the player.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Secondary text.
    pub(super) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Text that asks the player to act.
    pub(super) fn prompt(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(
            style.fg(Color::LightGreen),
            style.add_modifier(Modifier::UNDERLINED),
        )
    }

    /// Lines of chat.
    pub(super) fn chat(self) -> Style {
        let style = Style::new().add_modifier(Modifier::ITALIC);
        self.coloured(style.fg(Color::LightYellow), style)
    }

    /// Warnings.
    pub(super) fn warning(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(style.fg(Color::LightRed), style)
    }

    /// The title.
    pub(super) fn title(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
