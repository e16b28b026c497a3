//! Pushes: short messages that the server sends to the browsers of a player (Web Push), and the player's choices about them.

use serde::{Deserialize, Serialize};

use crate::letters::LetterKind;

/// The kinds of letters that are pushed too. An update asks for nothing, so it is no push.
pub const PUSHED: [LetterKind; 4] = [
    LetterKind::Turn,
    LetterKind::Reminder,
    LetterKind::Result,
    LetterKind::Invitation,
];

/// The pushes that a player wants. Without a device there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each kind of push is switched on and off alone"
)]
#[serde(default)]
pub struct PushChoices {
    /// Pushes of the kind [`LetterKind::Turn`].
    pub turn: bool,
    /// Pushes of the kind [`LetterKind::Reminder`].
    pub reminder: bool,
    /// Pushes of the kind [`LetterKind::Result`].
    pub result: bool,
    /// Pushes of the kind [`LetterKind::Invitation`].
    pub invitation: bool,
}

impl Default for PushChoices {
    fn default() -> Self {
        Self {
            turn: true,
            reminder: true,
            result: true,
            invitation: true,
        }
    }
}

impl PushChoices {
    /// Says whether the player has chosen nothing.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Says whether the player wants pushes of a kind.
    #[must_use]
    pub const fn wants(self, kind: LetterKind) -> bool {
        match kind {
            LetterKind::Turn => self.turn,
            LetterKind::Reminder => self.reminder,
            LetterKind::Result => self.result,
            LetterKind::Invitation => self.invitation,
            LetterKind::Update | LetterKind::Digest | LetterKind::Security | LetterKind::Code => {
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_is_pushed_has_a_switch() {
        let none = PushChoices {
            turn: false,
            reminder: false,
            result: false,
            invitation: false,
        };
        for kind in LetterKind::ALL {
            let is_pushed = PUSHED.contains(&kind);
            assert_eq!(PushChoices::default().wants(kind), is_pushed, "{kind:?}");
            assert!(!none.wants(kind), "{kind:?}");
        }
    }

    #[test]
    fn an_account_without_choices_has_all_kinds() {
        let read: PushChoices = serde_json::from_str("{\"turn\":false}").unwrap();
        assert!(!read.wants(LetterKind::Turn) && read.wants(LetterKind::Result));
        assert!(!read.is_default() && PushChoices::default().is_default());
    }
}
