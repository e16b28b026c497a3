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

    /// Says whether the set contains a shard.
    #[must_use]
    pub const fn has(self, Shard(number): Shard) -> bool {
        self.bits[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

impl Shards {
    /// Adds a shard.
    pub const fn insert(&mut self, Shard(number): Shard) {
        self.bits[number as usize / 64] |= 1 << (number % 64);
    }

    /// Removes a shard.
    pub const fn remove(&mut self, Shard(number): Shard) {
        self.bits[number as usize / 64] &= !(1 << (number % 64));
    }

    /// Returns the shards of the set.
    pub fn iter(self) -> impl Iterator<Item = Shard> {
        (0..=u8::MAX)
            .map(Shard)
            .filter(move |shard| self.has(*shard))
    }
}

impl FromIterator<Shard> for Shards {
    fn from_iter<I: IntoIterator<Item = Shard>>(shards: I) -> Self {
        let mut all = Self::NONE;
        for shard in shards {
            all.insert(shard);
        }
        all
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
        let mut some: Shards = [3, 70, 255].map(Shard).into_iter().collect();
        some.remove(Shard(70));
        some.remove(Shard(71));
        some.insert(Shard(64));
        assert_eq!(some.iter().collect::<Vec<_>>(), [3, 64, 255].map(Shard));
    }

    /// Another hash would move every stored game to another node.
    #[test]
    fn the_shard_of_a_game_never_changes() {
        let shards = ["g", "aaaaaaaaaaaaaaaa"].map(|game| Shard::of(&game.into()));
        assert_eq!(shards, [Shard(0xcd), Shard(0x0c)]);
    }
}
