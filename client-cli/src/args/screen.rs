//! Flags of the screen.

use clap::Args;

use crate::screen::{Bell, FirstEnter, ScreenOptions};

/// Flags of the screen, for `play` and `lobby`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Screen")]
pub struct ScreenArgs {
    /// Play with the first Enter; without this flag, the first Enter shows the play with its score, and the second plays
    #[arg(long)]
    pub play_at_once: bool,
    /// Ring the bell of the terminal when your turn starts
    #[arg(long)]
    pub bell: bool,
}

impl ScreenArgs {
    /// The choices for the screen.
    #[must_use]
    pub const fn options(&self) -> ScreenOptions {
        ScreenOptions {
            first_enter: if self.play_at_once {
                FirstEnter::Plays
            } else {
                FirstEnter::Drafts
            },
            bell: if self.bell { Bell::Rings } else { Bell::Silent },
        }
    }
}
