//! The players that a player follows and blocks.
//!
//! Relations are between registered players: a guest could take another identity at any time, so a block of a guest would keep
//! nobody away. Two players who follow each other are friends. A block ends the follows in both
//! directions. The follow of the blocked player stays in that player's own list, without an effect: if it went away, the
//! player would learn of the block.

/// The players that a player can follow.
pub const FOLLOWED_MOST: usize = 500;
/// The players that a player can block.
pub const BLOCKED_MOST: usize = 1_000;

/// A change of one player's relation to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Follow.
    Follow,
    /// Follow no longer.
    Unfollow,
    /// Block, and end the follows in both directions.
    Block,
    /// Block no longer.
    Unblock,
}

/// The acting player's present relation to the other player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnRelation {
    /// Whether the player follows the other one.
    pub is_followed: bool,
    /// Whether the player blocks the other one.
    pub is_blocked: bool,
    /// The players that the player follows.
    pub followed: usize,
    /// The players that the player blocks.
    pub blocked: usize,
}

/// The relation between two players, as far as one of them may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Relation {
    /// Whether the player follows the other one.
    pub is_followed: bool,
    /// Whether both follow each other.
    pub is_friend: bool,
    /// Whether the player blocks the other one.
    pub is_blocked: bool,
}

/// Why a player does not follow or block another one. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Both players are the same.
    #[error("this is you")]
    Yourself,
    /// The player follows as many players as possible.
    #[error("you follow {FOLLOWED_MOST} players already")]
    TooManyFollowed,
    /// The player blocks as many players as possible.
    #[error("you block {BLOCKED_MOST} players already")]
    TooManyBlocked,
    /// The player blocks the player to follow.
    #[error("you block this player; unblock first")]
    BlockedByYou,
}

impl Act {
    /// Checks whether a player may do this. An act that changes nothing is allowed.
    ///
    /// # Errors
    /// The reason why not. It depends on nothing that the other player has done.
    pub const fn check(self, own_relation: &OwnRelation) -> Result<(), Refusal> {
        let OwnRelation {
            is_followed,
            is_blocked,
            followed,
            blocked,
        } = *own_relation;
        match self {
            Self::Follow if is_blocked => Err(Refusal::BlockedByYou),
            Self::Follow if !is_followed && followed >= FOLLOWED_MOST => {
                Err(Refusal::TooManyFollowed)
            }
            Self::Block if !is_blocked && blocked >= BLOCKED_MOST => Err(Refusal::TooManyBlocked),
            Self::Follow | Self::Unfollow | Self::Block | Self::Unblock => Ok(()),
        }
    }
}

impl Refusal {
    /// Returns the stable code of the refusal.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Yourself => "yourself",
            Self::TooManyFollowed => "too_many_followed",
            Self::TooManyBlocked => "too_many_blocked",
            Self::BlockedByYou => "blocked_by_you",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Act, BLOCKED_MOST, FOLLOWED_MOST, OwnRelation, Refusal};

    #[test]
    fn full_lists_take_nobody_else() {
        let full = OwnRelation {
            followed: FOLLOWED_MOST,
            blocked: BLOCKED_MOST,
            ..OwnRelation::default()
        };
        assert_eq!(Act::Follow.check(&full), Err(Refusal::TooManyFollowed));
        assert_eq!(Act::Block.check(&full), Err(Refusal::TooManyBlocked));
        let room = OwnRelation {
            followed: FOLLOWED_MOST - 1,
            blocked: BLOCKED_MOST - 1,
            ..full
        };
        for act in [Act::Follow, Act::Block] {
            assert_eq!(act.check(&room), Ok(()));
        }
        // Again, and back, in full lists.
        let again = OwnRelation {
            is_followed: true,
            ..full
        };
        assert_eq!(Act::Follow.check(&again), Ok(()));
        let again = OwnRelation {
            is_blocked: true,
            ..full
        };
        assert_eq!(Act::Block.check(&again), Ok(()));
        for act in [Act::Unfollow, Act::Unblock] {
            assert_eq!(act.check(&full), Ok(()));
        }
    }

    #[test]
    fn nobody_follows_a_player_of_the_own_blocks() {
        let blocked = OwnRelation {
            is_blocked: true,
            ..OwnRelation::default()
        };
        assert_eq!(Act::Follow.check(&blocked), Err(Refusal::BlockedByYou));
    }
}
