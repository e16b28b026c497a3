//! How things look, with and without colour. Nothing is told by colour alone.

use ratatui::style::{Color, Modifier, Style};

/// Whether colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// They are.
    On,
    /// Attributes (bold, reversed, underlined) have to do.
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
    pub(super) fn fresh_tile(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(
            style.fg(Color::Black).bg(Color::LightGreen),
            style.add_modifier(Modifier::REVERSED),
        )
    }

    /// An empty square by its character in the layout.
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

    /// What stands out: headings, the player's own name.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is there for reference.
    pub(super) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What asks the player to do something.
    pub(super) fn call(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(
            style.fg(Color::LightGreen),
            style.add_modifier(Modifier::UNDERLINED),
        )
    }

    /// What is wrong.
    pub(super) fn trouble(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.coloured(style.fg(Color::LightRed), style)
    }

    /// The line at the top.
    pub(super) fn title(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
