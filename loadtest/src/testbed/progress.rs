//! The progress line of a run on standard error.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::host;

/// The template of a phase with a known length.
const BAR: &str = "{elapsed:>4} [{bar:10}] {wide_msg}";
/// The template of a phase without a known length.
const SPINNER: &str = "{elapsed:>4} {spinner} {wide_msg}";

/// The progress line.
#[derive(Debug)]
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// The progress line of a new run, hidden if `is_quiet`.
    pub(super) fn new(is_quiet: bool) -> Self {
        let target = if is_quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        Self(ProgressBar::with_draw_target(None, target))
    }

    /// Shows the current activity, and how much of the phase has passed if its length is known.
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

    /// Removes the line.
    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
