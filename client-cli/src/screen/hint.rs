//! The hint in the empty input line: the commands that make sense in the current state.

use tilewire_client::{GameView, Prompt};
use tilewire_protocol::Phase;

use super::{Content, Screen};

impl Screen {
    /// The hint for the current state.
    pub(super) fn hint(&self, content: &Content<'_>) -> String {
        let Some(view) = content.view else {
            return match (content.lobby, content.offer) {
                (Some(lists), _) if !lists.invitations.is_empty() => {
                    "accept 1, decline 1, new, quick, join 1, help, quit".to_owned()
                }
                (Some(_), _) => "new, quick, join 1, watch 1, help, quit".to_owned(),
                _ if !content.similar.is_empty() => "join 1, help, quit".to_owned(),
                _ => "help, quit".to_owned(),
            };
        };
        if let Some(hint) = self.draft_hint(view) {
            return hint;
        }
        let mut commands = commands(view, content.now);
        if view.phase != Phase::Ended {
            commands.push("help");
        }
        commands.push("quit");
        commands.join(", ")
    }
}

/// The commands of the game that the player can use now.
fn commands(view: &GameView, now: i64) -> Vec<&'static str> {
    let Some(seat) = view.seat else {
        return Vec::new();
    };
    if view.phase == Phase::Ended {
        return vec!["rematch"];
    }
    let mut commands = Vec::new();
    if view.adjourned.is_some() {
        if view.may_resume() {
            commands.push("resume");
        }
        if view.claimable(now).is_some() {
            commands.push("claim");
        }
        commands.push("resign");
        return commands;
    }
    if view.is_own_turn() && view.waiting_until.is_none() {
        commands.extend(["8F HORN", "exchange AEI", "pass"]);
        if view.window.is_none() && view.hints_left(seat) > 0 {
            commands.push("hint");
        }
    }
    if let Some(window) = &view.window {
        if window.challenger.is_some() {
            if matches!(view.prompt(), Some(Prompt::Dispute(_))) {
                commands.extend(["withdraw", "stand"]);
            }
        } else if view.may_answer() {
            commands.extend(["challenge", "accept"]);
            if window.holder == Some(seat) {
                commands.push("release");
            } else if window.holder.is_none() && !window.holds_used.contains(&seat) {
                commands.push("hold");
            }
        }
    }
    if view.abort_to_answer().is_some() {
        commands.extend(["abort yes", "abort no"]);
    }
    if view.adjourn_to_answer().is_some() {
        commands.extend(["adjourn yes", "adjourn no"]);
    }
    if view.nudge.is_some_and(|nudge| nudge.target == seat) {
        commands.push("here");
    }
    if view.claimable(now).is_some() {
        commands.push("claim");
    }
    if view.phase == Phase::Waiting {
        commands.push("abort");
    } else if commands.is_empty() {
        commands.push("type a play to see it as a draft");
    }
    commands
}
