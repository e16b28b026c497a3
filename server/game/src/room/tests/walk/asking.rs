//! Makes the requests of the players in a random game.

use tilewire_protocol::{AnswerAbort, Claim, ClientMessage, Exchange, GameCommand, Play};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play as Legal};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;

use super::super::aborting::abort;
use super::super::gifts::{gift, refusal};
use super::super::hints::hint;
use super::super::{on_play, pass, ready, resign};
use super::Walk;

impl Walk {
    /// Something that the seat might ask for.
    pub(super) fn command(&mut self, seat: u64) -> ClientMessage {
        // Now and then an old id again: a retry, or another command under a used id.
        if !self.chance(10) {
            self.commands += 1;
        }
        let id = format!("c{seat}-{}", self.commands);
        let state = self.scene.state();
        let (is_asleep, is_asked) = (
            state.adjournment().is_some(),
            state.adjourn_request().is_some(),
        );
        if (is_asleep && self.chance(4)) || (is_asked && !self.chance(3)) {
            return self.adjourn(&id);
        }
        let turn_no = self.scene.state().last_turn().0;
        let window = self.scene.state().window().map_or(1, |w| w.play_id.0);
        match self.rng.uniform(24) {
            0 => ready(&id),
            1..=2 => pass(&id, turn_no),
            3..=4 => self.exchange(seat, &id, turn_no),
            5..=6 => ClientMessage::Challenge(on_play(&id, window)),
            7 => ClientMessage::Hold(on_play(&id, window)),
            8 => ClientMessage::Release(on_play(&id, window)),
            9..=10 => ClientMessage::Accept(on_play(&id, window)),
            11 => ClientMessage::Stand(on_play(&id, window)),
            12 => ClientMessage::Withdraw(on_play(&id, window)),
            13 if self.chance(10) => resign(&id),
            14 if self.scene.state().options().rated => self.abort(&id),
            15 => self.adjourn(&id),
            16 if self.chance(2) => self.nudge(seat, &id),
            17 if self.chance(3) => self.give(seat, &id),
            18 if self.scene.state().options().hints > 0 && self.chance(3) => {
                self.hint(&id, turn_no)
            }
            _ => self.play(seat, &id, turn_no),
        }
    }

    /// Asks to adjourn, agrees to it, or is ready to go on.
    fn adjourn(&mut self, cmd_id: &str) -> ClientMessage {
        let command = GameCommand {
            game: "g1".into(),
            cmd_id: cmd_id.into(),
        };
        let is_asleep = self.scene.state().adjournment().is_some();
        match is_asleep && !self.chance(4) {
            true => ClientMessage::ResumeGame(command),
            false => ClientMessage::Adjourn(command),
        }
    }

    /// Nudges, answers a nudge, or claims the opponent.
    fn nudge(&mut self, seat: u64, cmd_id: &str) -> ClientMessage {
        let command = GameCommand {
            game: "g1".into(),
            cmd_id: cmd_id.into(),
        };
        let nudge = self.scene.state().nudge();
        match nudge.map(|nudge| nudge.target.0) {
            None => ClientMessage::Nudge(command),
            Some(target) if u64::from(target) == seat => ClientMessage::Here(command),
            Some(target) => ClientMessage::Claim(Claim {
                game: "g1".into(),
                cmd_id: cmd_id.into(),
                seat: target,
            }),
        }
    }

    fn hint(&mut self, cmd_id: &str, turn_no: u32) -> ClientMessage {
        let grade = 1 + u8::try_from(self.rng.uniform(3)).expect("1 to 3");
        hint(cmd_id, turn_no, grade)
    }

    /// Gives the next seat time, or now and then takes none.
    fn give(&mut self, seat: u64, cmd_id: &str) -> ClientMessage {
        if self.chance(8) {
            return refusal(cmd_id);
        }
        let next = u8::try_from((seat + 1) % self.seats).expect("few seats");
        gift(cmd_id, next)
    }

    /// Asks to abort, or answers such a request, mostly with no.
    fn abort(&mut self, cmd_id: &str) -> ClientMessage {
        if self.chance(2) {
            return abort(cmd_id);
        }
        ClientMessage::AnswerAbort(AnswerAbort {
            game: "g1".into(),
            cmd_id: cmd_id.into(),
            accept: self.chance(4),
        })
    }

    fn rack(&self, seat: u64) -> Vec<Tile> {
        let seat = Seat(u8::try_from(seat).unwrap());
        self.scene.state().tiles().rack(seat).to_vec()
    }

    fn exchange(&mut self, seat: u64, cmd_id: &str, turn_no: u32) -> ClientMessage {
        let set = &RuleSet::classic().tiles;
        let rack = self.rack(seat);
        let tiles = rack
            .iter()
            .take(2)
            .map(|tile| set.tile_face(*tile).to_owned());
        ClientMessage::Exchange(Exchange {
            game: "g1".into(),
            cmd_id: cmd_id.into(),
            turn_no,
            tiles: tiles.collect(),
        })
    }

    /// A play that is legal, if chance finds one.
    fn play(&mut self, seat: u64, cmd_id: &str, turn_no: u32) -> ClientMessage {
        let rules = RuleSet::classic();
        let rack = self.rack(seat);
        for _ in 0..200 {
            let placement = self.placement(&rack);
            let board = self.scene.state().tiles().board();
            if Legal::resolve(&rules, board, &rack, &placement).is_ok() {
                let cells = placement.tiles.iter();
                return ClientMessage::Play(Play {
                    game: "g1".into(),
                    cmd_id: cmd_id.into(),
                    turn_no,
                    start: notation::format_coordinate(placement.start, placement.direction),
                    tiles: cells
                        .map(|cell| notation::format_cell(*cell, &rules.tiles))
                        .collect(),
                });
            }
        }
        pass(cmd_id, turn_no)
    }

    fn placement(&mut self, rack: &[Tile]) -> Placement {
        let mut at = |of: u32| u8::try_from(self.rng.uniform(of)).unwrap();
        let direction = match at(2) {
            0 => Direction::Across,
            _ => Direction::Down,
        };
        let start = Square::new(at(15), at(15));
        let length = usize::from(2 + at(4));
        let mut rack = rack.iter();
        let a_letter = RuleSet::classic().tiles.letters().next().unwrap();
        let board = self.scene.state().tiles().board();
        let tiles = (0..length).map_while(|step| {
            if board.get(start.ahead(direction, step)).is_some() {
                return Some(None);
            }
            rack.next().map(|tile| {
                let placed = tile.letter().map(Placed::new);
                Some(placed.unwrap_or(Placed::blank(a_letter)))
            })
        });
        Placement {
            start,
            direction,
            tiles: tiles.collect(),
        }
    }
}
