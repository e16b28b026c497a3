//! The owner of all tiles of a game: bag, racks, discards and board.
//!
//! Invariant: after every transition bag + racks + discards + board is exactly the rule set's set
//! of tiles. Nothing outside this module moves a tile.

use crate::alphabet::{Placed, Tile, TileSet};
use crate::board::{Board, Layout, Square};
use crate::time::Seat;

/// The place of every tile of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiles {
    /// The bag in drawing order: the next tile is the first.
    bag: Vec<Tile>,
    racks: Vec<Vec<Tile>>,
    /// Tiles laid aside by an exchange until the bag is mixed again.
    discards: Vec<Tile>,
    board: Board,
}

/// Why tiles cannot move as an event says: the log does not belong to this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The tiles are not the next ones in the bag.
    #[error("the drawn tiles are not the next ones in the bag")]
    NotNextInBag,
    /// The rack does not hold the tile.
    #[error("{0} does not hold the tile")]
    NotInRack(Seat),
    /// The square is occupied, or it does not hold the tile to take back.
    #[error("the contents of square {0} do not match the event")]
    Square(Square),
    /// The shuffled bag has other tiles than before.
    #[error("the shuffled bag has other tiles than before")]
    OtherTiles,
    /// Tiles were added or removed.
    #[error("the tiles are not the set that the game began with")]
    NotConserved,
}

impl Tiles {
    /// Returns a ledger with all tiles in the bag, in the alphabet's order.
    #[must_use]
    pub fn new(set: &TileSet, layout: &Layout, seats: u8) -> Self {
        Self {
            bag: set.all(),
            racks: vec![Vec::new(); usize::from(seats)],
            discards: Vec::new(),
            board: Board::new(layout.rows(), layout.cols()),
        }
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rack of `seat`, in the order in which the tiles were drawn.
    #[must_use]
    pub fn rack(&self, seat: Seat) -> &[Tile] {
        &self.racks[seat.index()]
    }

    /// Returns the bag in drawing order.
    #[must_use]
    pub fn bag(&self) -> &[Tile] {
        &self.bag
    }

    /// Returns the tiles that lie in the bag once the discards are back in it, in the alphabet's
    /// order: what a shuffle starts from.
    #[must_use]
    pub fn to_be_mixed(&self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = self.bag.iter().chain(&self.discards).copied().collect();
        sort_for_mixing(&mut tiles);
        tiles
    }

    /// Puts the bag (with the discards) into `order`.
    ///
    /// # Errors
    /// `OtherTiles` when `order` is not a permutation of [`Self::to_be_mixed`].
    pub fn mix(&mut self, order: &[Tile]) -> Result<(), LedgerError> {
        let held = self.bag.iter().chain(&self.discards);
        if counts(order.iter().copied()) != counts(held.copied()) {
            return Err(LedgerError::OtherTiles);
        }
        self.bag = order.to_vec();
        self.discards.clear();
        Ok(())
    }

    /// Moves the next tiles of the bag to a rack.
    ///
    /// # Errors
    /// `NotNextInBag` when `tiles` are not those at the front of the bag.
    pub fn draw(&mut self, seat: Seat, tiles: &[Tile]) -> Result<(), LedgerError> {
        if !self.bag.starts_with(tiles) {
            return Err(LedgerError::NotNextInBag);
        }
        self.racks[seat.index()].extend(self.bag.drain(..tiles.len()));
        Ok(())
    }

    /// Lays tiles of a rack aside for an exchange.
    ///
    /// # Errors
    /// `NotInRack` when the rack lacks one of them.
    pub fn discard(&mut self, seat: Seat, tiles: &[Tile]) -> Result<(), LedgerError> {
        let rack = without(&self.racks[seat.index()], tiles).ok_or(LedgerError::NotInRack(seat))?;
        self.racks[seat.index()] = rack;
        self.discards.extend_from_slice(tiles);
        Ok(())
    }

    /// Moves tiles from a rack to the board.
    ///
    /// # Errors
    /// `NotInRack` or `Square`; nothing has moved then.
    pub fn place(&mut self, seat: Seat, placed: &[(Square, Placed)]) -> Result<(), LedgerError> {
        let used: Vec<Tile> = placed.iter().map(|(_, p)| p.tile).collect();
        let rack = without(&self.racks[seat.index()], &used).ok_or(LedgerError::NotInRack(seat))?;
        if let Some((square, _)) = placed.iter().find(|(s, _)| self.board.get(*s).is_some()) {
            return Err(LedgerError::Square(*square));
        }
        self.racks[seat.index()] = rack;
        for (square, tile) in placed {
            self.board.place(*square, *tile);
        }
        Ok(())
    }

    /// Moves the tiles of a play from the board back to its author's rack; a blank is blank again.
    ///
    /// # Errors
    /// `Square` when one of them does not lie there.
    pub fn take_back(
        &mut self,
        seat: Seat,
        placed: &[(Square, Placed)],
    ) -> Result<(), LedgerError> {
        if let Some((square, _)) = placed.iter().find(|(s, p)| self.board.get(*s) != Some(*p)) {
            return Err(LedgerError::Square(*square));
        }
        for (square, tile) in placed {
            self.board.remove(*square);
            self.racks[seat.index()].push(tile.tile);
        }
        Ok(())
    }

    /// Checks that every tile of `set` is somewhere, and no other.
    ///
    /// # Errors
    /// `NotConserved` otherwise.
    pub fn check_conserved(&self, set: &TileSet) -> Result<(), LedgerError> {
        // Every event runs this: plain loops, because chained iterators are not always inlined.
        let mut found = [0_u32; KINDS];
        for tiles in [&self.bag, &self.discards].into_iter().chain(&self.racks) {
            for tile in tiles {
                found[usize::from(tile.sort_rank())] += 1;
            }
        }
        let on_board = self.board.tiles();
        on_board.for_each(|placed| found[usize::from(placed.tile.sort_rank())] += 1);
        for kind in set.kinds() {
            let rank = usize::from(kind.sort_rank());
            found[rank] = found[rank].wrapping_sub(set.count(kind));
        }
        if found == [0; KINDS] {
            Ok(())
        } else {
            Err(LedgerError::NotConserved)
        }
    }
}

/// How many kinds of tiles there can be at most.
const KINDS: usize = 256;

/// Counts tiles by their rank in the alphabet's order.
fn counts(tiles: impl Iterator<Item = Tile>) -> [u32; KINDS] {
    let mut counts = [0; KINDS];
    tiles.for_each(|tile| counts[usize::from(tile.sort_rank())] += 1);
    counts
}

/// Sorts tiles into the order every shuffle starts from: the alphabet's, blanks last.
pub fn sort_for_mixing(tiles: &mut [Tile]) {
    tiles.sort_unstable_by_key(|tile| (*tile == Tile::BLANK, *tile));
}

/// Returns `rack` without `tiles`, or `None` when one of them is missing.
#[must_use]
pub fn without(rack: &[Tile], tiles: &[Tile]) -> Option<Vec<Tile>> {
    let mut rest = rack.to_vec();
    for tile in tiles {
        let at = rest.iter().position(|held| held == tile)?;
        rest.remove(at);
    }
    Some(rest)
}

/// Returns the tiles of `wanted` that `rack` lacks, as often as it lacks them.
#[must_use]
pub fn lacking(rack: &[Tile], wanted: &[Tile]) -> Vec<Tile> {
    let mut rest = rack.to_vec();
    let mut missing = Vec::new();
    for tile in wanted {
        match rest.iter().position(|held| held == tile) {
            Some(at) => {
                rest.remove(at);
            }
            None => missing.push(*tile),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::{LedgerError, Tiles};
    use crate::alphabet::{Placed, Tile};
    use crate::board::Square;
    use crate::ruleset::RuleSet;
    use crate::time::Seat;

    /// A ledger with tiles in every place there is.
    fn everywhere() -> Tiles {
        let rules = RuleSet::classic();
        let mut tiles = Tiles::new(&rules.tiles, &rules.layout, 2);
        for seat in [Seat(0), Seat(1)] {
            let next = tiles.bag()[..7].to_vec();
            tiles.draw(seat, &next).unwrap();
        }
        let (laid, aside) = (tiles.rack(Seat(0))[0], tiles.rack(Seat(1))[..2].to_vec());
        let laid = Placed::new(laid.letter().unwrap());
        tiles.place(Seat(0), &[(Square::new(7, 7), laid)]).unwrap();
        tiles.discard(Seat(1), &aside).unwrap();
        tiles
    }

    #[test]
    fn a_tile_too_many_too_few_or_of_another_kind_is_noticed_wherever_it_is() {
        let set = &RuleSet::classic().tiles;
        assert_eq!(everywhere().check_conserved(set), Ok(()));
        let damages: [fn(&mut Tiles); 8] = [
            |tiles| _ = tiles.bag.pop(),
            |tiles| tiles.bag.push(Tile::BLANK),
            |tiles| tiles.bag[0] = Tile::BLANK,
            |tiles| _ = tiles.racks[1].pop(),
            |tiles| tiles.racks[0][0] = Tile::BLANK,
            |tiles| _ = tiles.discards.pop(),
            |tiles| tiles.discards.push(Tile::BLANK),
            |tiles| _ = tiles.board.remove(Square::new(7, 7)),
        ];
        for (at, damage) in damages.iter().enumerate() {
            let mut tiles = everywhere();
            damage(&mut tiles);
            let found = tiles.check_conserved(set);
            assert_eq!(found, Err(LedgerError::NotConserved), "damage {at}");
        }
    }

    #[test]
    fn only_the_tiles_of_bag_and_discards_in_another_order_are_a_shuffle() {
        let mut order = everywhere().to_be_mixed();
        order.reverse();
        let mix = |order: &[Tile]| {
            let mut tiles = everywhere();
            let mixed = tiles.mix(order);
            (mixed, tiles.bag == order && tiles.discards.is_empty())
        };
        assert_eq!(mix(&order), (Ok(()), true));
        let refused = (Err(LedgerError::OtherTiles), false);
        assert_eq!(mix(&order[1..]), refused, "one too few");
        assert_eq!(
            mix(&[&order[..], &order[..1]].concat()),
            refused,
            "one too many"
        );
        order[0] = *order.last().unwrap();
        assert_eq!(mix(&order), refused, "one twice in place of another");
    }
}
