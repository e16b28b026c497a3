//! Random plays of a simulated client.

use tilewire_client::Position;
use tilewire_rules::alphabet::Placed;
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::play::{Placement, Play};

use super::chance::Chance;

/// Returns a play that is legal apart from its words: its start and its faces.
pub(super) fn some_play(position: &Position, chance: &mut Chance) -> Option<(String, Vec<String>)> {
    let taken: Vec<Square> = position.board.iter().map(|(square, _)| square).collect();
    for _ in 0..14 {
        let through = match taken.is_empty() {
            true => position.rules.layout.start(),
            false => *chance.pick(&taken),
        };
        let direction = *chance.pick(&[Direction::Across, Direction::Down]);
        let placement = placement(position, chance, through, direction);
        let resolved = placement.and_then(|placement| {
            Play::resolve(&position.rules, &position.board, &position.rack, &placement).ok()
        });
        if let Some(play) = resolved {
            return Some(position.placement_text(&play.placement()));
        }
    }
    None
}

/// Places some tiles of the rack along a line through a square.
fn placement(
    position: &Position,
    chance: &mut Chance,
    through: Square,
    direction: Direction,
) -> Option<Placement> {
    let mut rack = position.rack.clone();
    let most = rack.len().min(4);
    let count = 1 + chance.index(most);
    let mut start = through;
    for _ in 0..chance.index(count + 1) {
        start = start.before(direction)?;
    }
    let (mut tiles, mut square, mut laid) = (Vec::new(), start, 0);
    while laid < count {
        if square.row >= position.rules.layout.rows() || square.col >= position.rules.layout.cols()
        {
            return None;
        }
        if position.board.get(square).is_some() {
            tiles.push(None);
        } else {
            if rack.is_empty() {
                return None;
            }
            let tile = rack.swap_remove(chance.index(rack.len()));
            let letters: Vec<_> = position.rules.tiles.letters().collect();
            tiles.push(Some(match tile.letter() {
                Some(letter) => Placed::new(letter),
                None => Placed::blank(*chance.pick(&letters)),
            }));
            laid += 1;
        }
        square = square.ahead(direction, 1);
    }
    Some(Placement {
        start,
        direction,
        tiles,
    })
}
