//! What a run shows while it lasts: how far a phase has come where its length is known, and what is going on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::host;

/// A phase whose end is known.
const BAR: &str = "{elapsed:>4} [{bar:10}] {wide_msg}";
/// One that lasts until something is so.
const SPINNER: &str = "{elapsed:>4} {spinner} {wide_msg}";

/// The line on the standard error.
#[derive(Debug)]
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// The line of a run that has just begun; nothing is shown if it is to be quiet.
    pub(super) fn new(is_quiet: bool) -> Self {
        let target = if is_quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        Self(ProgressBar::with_draw_target(None, target))
    }

    /// What goes on, and how far a phase has come: so much of so much, where that is known.
    pub(super) fn show(&self, part: Option<(Duration, Duration)>, what: String) {
        let template = if part.is_some() { BAR } else { SPINNER };
        self.0.set_message(what);
        if let Some((passed, whole)) = part {
            self.0.set_position(host::micros(passed));
            self.0.set_length(host::micros(whole));
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style.progress_chars("=> "));
        }
        self.0.tick();
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
