//! The draft: a play that the screen shows on the board before it is played.
//!
//! The input line shows its play while the player types. The first Enter keeps the play as the draft and clears the line
//! for other commands; the second Enter plays it. A draft stays until it is played, removed, or impossible.

use tilewire_client::{Draft, DraftError, GameView};
use tilewire_protocol::Phase;

use super::{FirstEnter, Reaction, Screen, Tone};
use crate::command::{Command, TypedPlay, WirePlay};

/// A play that the player kept with the first Enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptDraft {
    // The input line as typed.
    line: String,
    play: TypedPlay,
    is_sent: bool,
}

/// A typed play on the current board.
#[derive(Debug)]
pub(super) struct Preview {
    play: WirePlay,
    typed_word: String,
    pub(super) draft: Result<Draft, DraftError>,
}

impl Preview {
    fn of(view: &GameView, typed: &TypedPlay) -> Self {
        let play = typed.resolve(view);
        Self {
            typed_word: typed.typed_word(view),
            draft: Draft::of(view, &play.start, &play.tiles),
            play,
        }
    }

    /// The words and points, or the reason why the play is not possible.
    pub(super) fn texts(&self) -> Vec<String> {
        let draft = match &self.draft {
            Ok(draft) => draft,
            Err(error) => return vec![format!("{}: {error}", self.play)],
        };
        let words = draft.words.iter();
        let mut parts: Vec<String> = words
            .map(|(word, score)| format!("{word} {score}"))
            .collect();
        if draft.bonus != 0 {
            parts.push(format!("bonus {}", draft.bonus));
        }
        let sum = match parts.as_slice() {
            [_] => draft.main_word().to_owned(),
            parts => format!("{} =", parts.join(" + ")),
        };
        let points = if draft.score == 1 { "point" } else { "points" };
        let mut texts = vec![format!(
            "Draft {}: {sum} {} {points}.",
            self.play, draft.score
        )];
        if draft.main_word().to_uppercase() != self.typed_word {
            texts.push(format!(
                "The word is {}, not {}.",
                draft.main_word(),
                self.typed_word
            ));
        }
        texts
    }
}

impl Screen {
    /// The play in the input line, or else the kept draft.
    pub(super) fn preview(&self, view: &GameView) -> Option<Preview> {
        if !takes_drafts(view) {
            return None;
        }
        let typed = self.input.value().trim();
        if let Ok(Command::Play(play)) = Command::parse(typed) {
            return Some(Preview::of(view, &play));
        }
        let kept = self.draft.as_ref()?;
        Some(Preview::of(view, &kept.play))
    }

    /// Handles Enter after a play: keeps it as the draft, or plays it if the player asked for that.
    pub(super) fn enter_play(
        &mut self,
        line: &str,
        play: TypedPlay,
        view: Option<&GameView>,
    ) -> Reaction {
        let at_once = Reaction::Line(line.to_owned());
        let Some(view) = view.filter(|view| takes_drafts(view)) else {
            return at_once;
        };
        if self.options.first_enter == FirstEnter::Plays {
            return at_once;
        }
        match Preview::of(view, &play).draft {
            Ok(_) => {
                let is_same = self.draft.as_ref().is_some_and(|kept| kept.play == play);
                if !is_same {
                    self.draft = Some(KeptDraft {
                        line: line.to_owned(),
                        play,
                        is_sent: false,
                    });
                    return Reaction::Redraw;
                }
                self.enter_again(Some(view))
            }
            // The server decides about a play under rules that this client cannot read.
            Err(DraftError::Setup(_)) => at_once,
            Err(error) => {
                self.add_message(format!("{line}: {error}"), Tone::Warning);
                self.input = tui_input::Input::new(line.to_owned());
                Reaction::Redraw
            }
        }
    }

    /// Handles Enter in an empty line: plays the draft if it is the player's turn.
    pub(super) fn enter_again(&mut self, view: Option<&GameView>) -> Reaction {
        let (Some(kept), Some(view)) = (&mut self.draft, view) else {
            return Reaction::Redraw;
        };
        if kept.is_sent {
            return Reaction::Redraw;
        }
        if !view.is_own_turn() {
            self.add_message("It is not your turn yet; the draft stays.", Tone::Info);
            return Reaction::Redraw;
        }
        kept.is_sent = true;
        Reaction::Line(kept.line.clone())
    }

    /// Removes a draft that the board or the rack makes impossible, after a change of the game.
    pub(super) fn check_draft(&mut self, view: &GameView) {
        let Some(kept) = &self.draft else { return };
        if !takes_drafts(view) {
            self.draft = None;
            return;
        }
        let preview = Preview::of(view, &kept.play);
        if let Err(error) = &preview.draft {
            // A play that was sent and is on the board needs no message.
            if !kept.is_sent {
                let text = format!("The draft {} is removed: {error}.", preview.play);
                self.add_message(text, Tone::Warning);
            }
            self.draft = None;
        }
    }

    /// Makes the draft playable again, because the server refused it.
    pub(super) fn draft_refused(&mut self) {
        if let Some(kept) = &mut self.draft {
            kept.is_sent = false;
        }
    }

    /// The hint for the input line while there is a draft.
    pub(super) fn draft_hint(&self, view: &GameView) -> Option<String> {
        let kept = self.draft.as_ref()?;
        let play = kept.play.resolve(view);
        let text = if kept.is_sent {
            format!("{play} is sent")
        } else if view.is_own_turn() {
            format!("Enter plays {play}, Esc removes it")
        } else {
            "the draft stays until your turn; Esc removes it".to_owned()
        };
        Some(text)
    }
}

/// Whether the player of this client may still play tiles.
fn takes_drafts(view: &GameView) -> bool {
    view.seat.is_some() && matches!(view.phase, Phase::Waiting | Phase::Running)
}
