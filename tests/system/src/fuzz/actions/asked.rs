//! Decodes the actions of the seats from fuzzing input.

use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::event::HintGrade;
use tilewire_rules::game::Action;
use tilewire_rules::play::Placement;
use tilewire_rules::time::{Seat, Seq, TurnNo};

use super::Table;

/// The rest of the input.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl Bytes<'_> {
    pub(super) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

/// One of several, by a byte.
pub(super) fn pick<T>(of: &[T], byte: u8) -> &T {
    &of[usize::from(byte) % of.len()]
}

impl Table {
    /// The action of `seat`; `None` at the end of the input.
    pub(super) fn action(&self, what: u8, seat: Seat, bytes: &mut Bytes<'_>) -> Option<Action> {
        let state = self.game.state();
        let turn_no = state.turn().map_or(state.last_turn(), |turn| turn.no);
        let window = state.window().map(|window| window.play_id);
        let play_id = |byte: u8| match window {
            Some(play_id) if byte < 0xC0 => play_id,
            Some(_) | None => Seq(u64::from(byte)),
        };
        Some(match what {
            6 => {
                let nonce = vec![bytes.next()?];
                Action::Ready { nonce }
            }
            7 => Action::Ready {
                nonce: vec![seat.0],
            },
            8..=12 => Action::Play {
                turn_no,
                placement: self.lays(seat, bytes)?,
            },
            13 => Action::Play {
                turn_no: TurnNo(u32::from(bytes.next()?)),
                placement: self.anything(bytes)?,
            },
            14 => Action::Exchange {
                turn_no,
                tiles: self.lays_aside(seat, bytes)?,
            },
            15 => Action::Pass { turn_no },
            16 => Action::Challenge(play_id(bytes.next()?)),
            17 => Action::Accept(play_id(bytes.next()?)),
            18 => Action::Hold(play_id(bytes.next()?)),
            19 => Action::Release(play_id(bytes.next()?)),
            20 => Action::Withdraw(play_id(bytes.next()?)),
            21 => Action::Stand(play_id(bytes.next()?)),
            22 => Action::Claim(Seat(bytes.next()?)),
            _ => match bytes.next()? {
                0..0x20 => Action::Resign,
                0x20..0x40 => Action::Abort,
                byte @ 0x40..0x50 => Action::AnswerAbort {
                    accept: byte % 2 == 0,
                },
                0x50..0x70 => Action::Nudge,
                0x70..0x78 => Action::Here,
                0x78..0x80 => Action::Adjourn,
                byte @ 0x80..0x88 => Action::AnswerAdjourn {
                    agree: byte % 4 != 0,
                },
                0x88..0x90 => Action::ResumeGame,
                byte @ 0x90..0xa0 => Action::GiveTime {
                    target: Seat(byte % 4),
                    time_ms: (byte < 0x9c).then_some(i64::from(byte - 0x90) * 6_000),
                },
                0xa0..0xa4 => Action::RefuseTime,
                byte @ 0xa4..0xb0 => Action::Hint {
                    turn_no,
                    grade: HintGrade::try_from(1 + byte % 3).ok()?,
                },
                _ => Action::Pass { turn_no },
            },
        })
    }

    /// Tiles of the rack in a line near tiles on the board.
    fn lays(&self, seat: Seat, bytes: &mut Bytes<'_>) -> Option<Placement> {
        let [near, how, count, first, letter] = bytes.take()?;
        let tiles = self.game.state().tiles();
        let board = tiles.board();
        let laid: Vec<Square> = board.iter().map(|(square, _)| square).collect();
        let near = match laid.as_slice() {
            [] => self.rules.layout.start(),
            laid => *pick(laid, near),
        };
        let direction = direction(how);
        let (up, left) = (how / 2 % 8, how / 16 % 8);
        let start = Square::new(near.row.saturating_sub(up), near.col.saturating_sub(left));
        let mut rack = tiles.rack(seat).to_vec();
        if !rack.is_empty() {
            let turned = usize::from(first) % rack.len();
            rack.rotate_left(turned);
            rack.truncate(1 + usize::from(count) % rack.len());
        }
        let mut rack = rack.into_iter().peekable();
        let mut line = Vec::new();
        for step in 0.. {
            let square = start.ahead(direction, step);
            if !board.contains(square) {
                break;
            }
            let is_laid = board.get(square).is_some();
            match rack.next_if(|_| !is_laid) {
                Some(tile) => line.push(Some(self.placed(tile, letter))),
                None if is_laid => line.push(None),
                None => break,
            }
        }
        Some(Placement {
            start,
            direction,
            tiles: line,
        })
    }

    /// Tiles of the tile set anywhere.
    fn anything(&self, bytes: &mut Bytes<'_>) -> Option<Placement> {
        let [row, col, how] = bytes.take()?;
        let mut tiles = Vec::new();
        for _ in 0..how / 8 {
            let [tile, letter] = bytes.take()?;
            tiles.push((tile < 0xC0).then(|| self.placed(self.tile(tile), letter)));
        }
        Some(Placement {
            start: Square::new(row, col),
            direction: direction(how),
            tiles,
        })
    }

    /// Tiles of the rack, and perhaps one of anywhere.
    fn lays_aside(&self, seat: Seat, bytes: &mut Bytes<'_>) -> Option<Vec<Tile>> {
        let [which, other] = bytes.take()?;
        let rack = self.game.state().tiles().rack(seat);
        let is_chosen = |at: usize| which.rotate_right(u32::try_from(at).unwrap_or(0)) & 1 == 1;
        let mut tiles: Vec<Tile> = (0..rack.len())
            .filter(|at| is_chosen(*at))
            .map(|at| rack[at])
            .collect();
        tiles.extend((other >= 0xC0).then(|| self.tile(other)));
        Some(tiles)
    }

    fn tile(&self, byte: u8) -> Tile {
        let kinds: Vec<Tile> = self.rules.tiles.kinds().collect();
        *pick(&kinds, byte)
    }

    fn placed(&self, tile: Tile, letter: u8) -> Placed {
        let letters: Vec<Letter> = self.rules.tiles.letters().collect();
        Placed {
            tile,
            letter: tile.letter().unwrap_or(*pick(&letters, letter)),
        }
    }
}

fn direction(byte: u8) -> Direction {
    match byte % 2 {
        0 => Direction::Across,
        _ => Direction::Down,
    }
}
