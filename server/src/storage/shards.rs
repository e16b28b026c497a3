//! Shards: the parts into which all games are divided, so that several nodes can share them.

use sha2::{Digest, Sha256};
use tilewire_protocol::GameId;

/// The shard of a game. It follows from the game's id and never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard(pub u8);

impl Shard {
    /// The number of shards.
    pub const COUNT: u16 = 256;

    /// Returns the shard of a game.
    #[must_use]
    pub fn of(game: &GameId) -> Self {
        Self(Sha256::digest(game.as_str())[0])
    }
}

/// A set of shards, such as those that a node owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shards {
    /// One bit for each shard.
    bits: [u64; 4],
}

impl Shards {
    /// All shards. A database with one server has no other set.
    pub const ALL: Self = Self {
        bits: [u64::MAX; 4],
    };

    /// No shard.
    pub const NONE: Self = Self { bits: [0; 4] };

    /// Says whether the set contains the shard of a game.
    #[must_use]
    pub fn contain(self, game: &GameId) -> bool {
        self == Self::ALL || self.has(Shard::of(game))
    }

    const fn has(self, Shard(number): Shard) -> bool {
        self.bits[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

impl FromIterator<Shard> for Shards {
    fn from_iter<I: IntoIterator<Item = Shard>>(shards: I) -> Self {
        let mut bits = [0; 4];
        for Shard(number) in shards {
            bits[usize::from(number) / 64] |= 1 << (number % 64);
        }
        Self { bits }
    }
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::GameId;

    use super::{Shard, Shards};

    #[test]
    fn a_set_contains_the_games_of_its_shards() {
        let all = || (0..=u8::MAX).map(Shard);
        assert_eq!(all().count(), usize::from(Shard::COUNT));
        assert_eq!(all().collect::<Shards>(), Shards::ALL);
        let even: Shards = all().filter(|shard| shard.0 % 2 == 0).collect();
        for game in (0..100).map(|number| GameId(format!("game-{number}"))) {
            assert_eq!(
                even.contain(&game),
                Shard::of(&game).0.is_multiple_of(2),
                "{game}"
            );
        }
    }

    /// Another hash would move every stored game to another node.
    #[test]
    fn the_shard_of_a_game_never_changes() {
        let shards = ["g", "aaaaaaaaaaaaaaaa"].map(|game| Shard::of(&game.into()));
        assert_eq!(shards, [Shard(0xcd), Shard(0x0c)]);
    }
}
