//! Random commands of a seat, legal or not, for games whose course does not matter.

use tilewire_protocol::{ClientMessage, Exchange, GameCommand, Pass, Play, PlayCommand};
use tilewire_rules::alphabet::Placed;
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play as Resolved};
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;

use crate::simulation::chance::Chance;

/// A random command of the seat; `is_blind`: only commands that do not depend on its tiles.
pub(super) fn some_command(
    state: &State,
    seat: Seat,
    cmd_id: &str,
    is_blind: bool,
    chance: &mut Chance,
) -> ClientMessage {
    let (game, cmd_id, turn_no) = (|| "g".into(), || cmd_id.into(), state.last_turn().0);
    if let Some(window) = state.window()
        && window.author != seat
        && chance.one_in(2)
    {
        let command = PlayCommand {
            game: game(),
            cmd_id: cmd_id(),
            play_id: window.play_id.0,
        };
        return match chance.below(4) {
            0 => ClientMessage::Challenge(command),
            1 => ClientMessage::Hold(command),
            _ => ClientMessage::Accept(command),
        };
    }
    let pass = || {
        ClientMessage::Pass(Pass {
            game: game(),
            cmd_id: cmd_id(),
            turn_no,
        })
    };
    let rack = state.tiles().rack(seat);
    let which = chance.below(if is_blind { 4 } else { 12 });
    match which {
        0 => pass(),
        1..4 if !rack.is_empty() => {
            let count = 1 + chance.index(rack.len());
            let faces = rack[..count].iter();
            let tiles = &state.rules().tiles;
            ClientMessage::Exchange(Exchange {
                game: game(),
                cmd_id: cmd_id(),
                turn_no,
                tiles: faces
                    .map(|tile| tiles.tile_face(*tile).to_owned())
                    .collect(),
            })
        }
        4 if chance.one_in(6) => ClientMessage::Resign(GameCommand {
            game: game(),
            cmd_id: cmd_id(),
        }),
        _ => match some_play(state, seat, chance) {
            Some((start, tiles)) => ClientMessage::Play(Play {
                game: game(),
                cmd_id: cmd_id(),
                turn_no,
                start,
                tiles,
            }),
            None => pass(),
        },
    }
}

/// A legal play, words or not.
fn some_play(state: &State, seat: Seat, chance: &mut Chance) -> Option<(String, Vec<String>)> {
    let (rules, board) = (state.rules(), state.tiles().board());
    let taken: Vec<Square> = board.iter().map(|(square, _)| square).collect();
    let blank = rules.tiles.letters().next()?;
    for _ in 0..20 {
        let mut rack = state.tiles().rack(seat).to_vec();
        let through = match taken.is_empty() {
            true => rules.layout.start(),
            false => *chance.pick(&taken),
        };
        let direction = *chance.pick(&[Direction::Across, Direction::Down]);
        let (mut tiles, mut square) = (Vec::new(), through);
        for _ in 0..2 + chance.index(2) {
            if board.get(square).is_some() {
                tiles.push(None);
            } else if !rack.is_empty() {
                let tile = rack.swap_remove(chance.index(rack.len()));
                tiles.push(Some(
                    tile.letter().map_or(Placed::blank(blank), Placed::new),
                ));
            }
            square = square.ahead(direction, 1);
        }
        let placement = Placement {
            start: through,
            direction,
            tiles,
        };
        if let Ok(play) = Resolved::resolve(rules, board, state.tiles().rack(seat), &placement) {
            let start = notation::format_coordinate(play.start(), play.direction());
            let cells = play.tiles().iter();
            let faces = cells.map(|cell| notation::format_cell(*cell, &rules.tiles));
            return Some((start, faces.collect()));
        }
    }
    None
}
