//! Commands to continue with when the program ends.

use serde::Serialize;
use tilewire_protocol::{GameId, Phase};

use super::{App, Goal};
use tilewire_client::GameView;

/// The place of the code in a command, if the program does not know the code of a private game.
const CODE_PLACEHOLDER: &str = "CODE";

/// Commands to continue with: complete, and quoted for a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Next {
    /// Returns to the player's unfinished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// Downloads the record of the finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Verifies every draw of the finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
}

impl Next {
    /// The commands as lines for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let named = [
            ("To return:", &self.resume),
            ("Record:", &self.record),
            ("Proof of the draws:", &self.verify),
        ];
        let lines = named
            .into_iter()
            .filter_map(|(name, command)| Some(format!("{name} {}", command.as_ref()?)));
        lines.collect()
    }
}

impl App {
    /// The commands to continue with after the game that the program follows; `None` if there are none.
    #[must_use]
    pub fn next(&self) -> Option<Next> {
        let view = self.view.as_ref()?;
        if view.phase == Phase::Ended {
            return Some(self.after_the_end(view));
        }
        view.seat?;
        let resume = ["play", "--resume", view.game.as_str()];
        Some(Next {
            resume: Some(self.config.invocation.command(&resume)),
            ..Next::default()
        })
    }

    fn after_the_end(&self, view: &GameView) -> Next {
        let command = |args: &[&str]| {
            let code = view
                .setup
                .private
                .then(|| self.code.as_deref().unwrap_or(CODE_PLACEHOLDER));
            let code = code.map(|code| ["--code", code]);
            let args: Vec<&str> = args
                .iter()
                .copied()
                .chain(code.into_iter().flatten())
                .collect();
            Some(self.config.invocation.command(&args))
        };
        let game = view.game.as_str();
        let file = format!("{game}.gcg");
        Next {
            resume: None,
            record: command(&["record", "fetch", game, "-o", &file]),
            // A game that ended before its first turn has drawn no rack.
            verify: (view.turn_no > 0)
                .then(|| command(&["verify", game]))
                .flatten(),
        }
    }

    /// The command that returns to one of these unfinished games.
    pub(super) fn resume_command(&self, games: &[GameId]) -> String {
        let resume = ["play", "--resume"];
        let args: Vec<&str> = match games {
            [game] => resume.into_iter().chain([game.as_str()]).collect(),
            _ => resume.to_vec(),
        };
        self.config.invocation.command(&args)
    }

    /// A warning for a player who returns to a game without having a seat in it.
    pub(super) fn seat_warning(&self) -> Option<String> {
        let is_return = matches!(self.config.goal, Goal::Resume(_));
        (is_return && self.seat.is_none()).then(|| {
            format!(
                "you have no seat in this game, so you only watch it; you use the profile `{}`, choose another one with --profile",
                self.config.invocation.profile()
            )
        })
    }
}
