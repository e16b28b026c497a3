//! The setting that says from which players a player accepts invitations.

use serde::{Deserialize, Serialize};

use crate::relations::Relation;

/// The players that may invite a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvitationsFrom {
    /// All players.
    #[default]
    Anybody,
    /// The players that the player follows.
    Followed,
    /// Nobody.
    Nobody,
}

impl InvitationsFrom {
    /// Says whether the player takes invitations from everybody, which is the default.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Says whether the player takes the invitations of a sender whom no block separates from the player. `relation` is
    /// that of the player to the sender.
    #[must_use]
    pub const fn admits(self, relation: Relation) -> bool {
        match self {
            Self::Anybody => true,
            Self::Followed => relation.is_followed,
            Self::Nobody => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_takes_the_invitations_of_those_that_the_setting_names() {
        let stranger = Relation::default();
        let followed = Relation {
            is_followed: true,
            ..stranger
        };
        let admitted = |setting: InvitationsFrom| {
            [stranger, followed].map(|relation| setting.admits(relation))
        };
        assert_eq!(admitted(InvitationsFrom::Anybody), [true, true]);
        assert_eq!(admitted(InvitationsFrom::Followed), [false, true]);
        assert_eq!(admitted(InvitationsFrom::Nobody), [false, false]);
    }
}
