//! What somebody does when it may: mostly what makes sense, sometimes not.

use tilewire_protocol::{
    Claim, ClientMessage, Exchange, GameCommand, GameId, Pass, Play, PlayCommand,
};

use super::chance::Chance;
use super::line::LineId;
use super::person::{Act, Person, Table};
use super::seen::Seen;

impl Person {
    /// Thinks, at `now` (ms since the start), and does something or nothing.
    pub fn think(&mut self, now: i64, wall: i64, table: &Table, chance: &mut Chance) -> Vec<Act> {
        let mut acts = Vec::new();
        if now > self.manner.sleeps_at {
            return acts;
        }
        let lines = self.lines();
        if lines.is_empty() || (lines.len() < 2 && chance.one_in(60)) {
            acts.push(Act::Connect);
            return acts;
        }
        if chance.one_in(self.manner.drops) {
            acts.push(Act::HangUp(*chance.pick(&lines), chance.one_in(2)));
            return acts;
        }
        if chance.one_in(self.manner.stalls) {
            acts.push(Act::Stall(*chance.pick(&lines), chance.ms(500, 40_000)));
        }
        if chance.one_in(self.manner.lies * 4) {
            let noise = (0..chance.index(40)).map(|_| chance.draw().to_le_bytes()[0]);
            acts.push(Act::Babble(lines[0], noise.collect()));
        }
        let Some(line) = self.line() else {
            return acts;
        };
        if self.retry(line, chance, &mut acts) {
            return acts;
        }
        let playing = self
            .games
            .iter()
            .find(|(_, seen)| seen.seat.is_some() && !seen.is_over);
        let Some((game, seen)) = playing.map(|(game, seen)| (game.clone(), seen.clone())) else {
            let is_done = self.games.values().any(|seen| seen.is_over);
            if !is_done || chance.one_in(20) {
                self.find_game(line, table, chance, &mut acts);
            }
            return acts;
        };
        if self.pending.len() > 1 {
            return acts;
        }
        if chance.one_in(self.manner.lies) {
            self.lie(line, &game, &seen, chance, &mut acts);
            return acts;
        }
        if !seen.is_started {
            if !seen.is_ready {
                self.ready(line, &game, &mut acts);
            }
            return acts;
        }
        if let Some(message) = self.sensible(&game, &seen, wall, chance) {
            if chance.one_in(self.manner.doubles) {
                self.send(line, message.clone(), &mut acts);
            }
            self.used.push((cmd_of(&message), message.clone()));
            self.command(line, message, &mut acts);
        }
        acts
    }

    fn sensible(
        &mut self,
        game: &GameId,
        seen: &Seen,
        wall: i64,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let seat = seen.seat?;
        if chance.one_in(150) {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            return Some(ClientMessage::Resign(GameCommand { game, cmd_id }));
        }
        if let Some((away, _)) = seen
            .away
            .iter()
            .find(|(away, at)| *away != seat && *at <= wall)
            && chance.one_in(3)
        {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            return Some(ClientMessage::Claim(Claim {
                game,
                cmd_id,
                seat: *away,
            }));
        }
        if let Some(message) = self.about_play(game, seen, chance) {
            return Some(message);
        }
        match seen.turn {
            Some((turn_no, on_turn)) if on_turn == seat => {
                Some(self.turn(game, seen, turn_no, chance))
            }
            _ => None,
        }
    }

    /// What somebody says to the play that can be challenged.
    fn about_play(
        &mut self,
        game: &GameId,
        seen: &Seen,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let (window, seat) = (seen.window.as_ref()?, seen.seat?);
        let play = |person: &mut Self| PlayCommand {
            game: game.clone(),
            cmd_id: person.fresh_cmd(),
            play_id: window.play_id,
        };
        if window.author == seat {
            if !window.is_disputed {
                return None;
            }
            return match chance.below(4) {
                0 => Some(ClientMessage::Withdraw(play(self))),
                1 | 2 => Some(ClientMessage::Stand(play(self))),
                _ => None,
            };
        }
        if window.is_disputed || !window.undecided.contains(&seat) {
            return None;
        }
        if window.held_by == Some(seat) {
            return match chance.below(3) {
                0 => Some(ClientMessage::Release(play(self))),
                1 => Some(ClientMessage::Challenge(play(self))),
                _ => Some(ClientMessage::Accept(play(self))),
            };
        }
        match chance.below(9) {
            0 | 1 => Some(ClientMessage::Challenge(play(self))),
            2 => Some(ClientMessage::Hold(play(self))),
            3..=6 => Some(ClientMessage::Accept(play(self))),
            _ => None,
        }
    }

    fn turn(
        &mut self,
        game: &GameId,
        seen: &Seen,
        turn_no: u32,
        chance: &mut Chance,
    ) -> ClientMessage {
        let (game, cmd_id) = (game.clone(), self.fresh_cmd());
        if !chance.one_in(12)
            && let Some((start, tiles)) = seen.some_play(chance)
        {
            return ClientMessage::Play(Play {
                game,
                cmd_id,
                turn_no,
                start,
                tiles,
            });
        }
        if seen.bag >= 7 && chance.one_in(2) && !seen.rack.is_empty() {
            let count = 1 + chance.index(seen.rack.len());
            let tiles = seen.faces(&seen.rack[..count]);
            return ClientMessage::Exchange(Exchange {
                game,
                cmd_id,
                turn_no,
                tiles,
            });
        }
        ClientMessage::Pass(Pass {
            game,
            cmd_id,
            turn_no,
        })
    }

    /// Says something that is not so, or says it at the wrong time.
    fn lie(
        &mut self,
        line: LineId,
        game: &GameId,
        seen: &Seen,
        chance: &mut Chance,
        acts: &mut Vec<Act>,
    ) {
        let play_id = match seen.plays.is_empty() {
            true => 7,
            false => *chance.pick(&seen.plays),
        };
        let turn_no = seen.turn.map_or(1, |(turn_no, _)| turn_no);
        let (game, cmd_id) = (game.clone(), self.fresh_cmd());
        let old = PlayCommand {
            game: game.clone(),
            cmd_id: cmd_id.clone(),
            play_id,
        };
        let message = match chance.below(12) {
            0 => ClientMessage::Challenge(old),
            1 => ClientMessage::Accept(old),
            2 => ClientMessage::Hold(old),
            3 => ClientMessage::Release(old),
            4 => ClientMessage::Withdraw(old),
            // A turn that was, or is yet to come.
            5 => {
                let turn_no =
                    turn_no.saturating_sub(1) + u32::try_from(chance.below(3)).unwrap_or(0);
                ClientMessage::Pass(Pass {
                    game,
                    cmd_id,
                    turn_no,
                })
            }
            6 => {
                let tiles = vec!["Z".to_owned(), "?".to_owned()];
                ClientMessage::Exchange(Exchange {
                    game,
                    cmd_id,
                    turn_no,
                    tiles,
                })
            }
            7 => {
                let tiles = vec!["A".to_owned(), "E".to_owned()];
                ClientMessage::Play(Play {
                    game,
                    cmd_id,
                    turn_no,
                    start: "8G".to_owned(),
                    tiles,
                })
            }
            8 => ClientMessage::Claim(Claim {
                game,
                cmd_id,
                seat: seen.seat.map_or(0, |seat| seat ^ 1),
            }),
            9 => ClientMessage::Abort(GameCommand { game, cmd_id }),
            // An id that was used, for the same again or for something else.
            _ => {
                let Some(message) = self.again(&game, turn_no, chance) else {
                    return;
                };
                message
            }
        };
        self.send(line, message, acts);
    }

    /// A command that was sent not long ago, or another one under its id.
    fn again(&self, game: &GameId, turn_no: u32, chance: &mut Chance) -> Option<ClientMessage> {
        let recent = self.used.len().saturating_sub(4);
        let (cmd_id, message) = self.used.get(recent..)?.first().cloned()?;
        Some(match chance.one_in(2) {
            true => message,
            false => ClientMessage::Pass(Pass {
                game: game.clone(),
                cmd_id,
                turn_no,
            }),
        })
    }
}

fn cmd_of(message: &ClientMessage) -> tilewire_protocol::CmdId {
    let of_game = message.game_command().map(|(_, cmd_id)| cmd_id.clone());
    of_game.unwrap_or_else(|| tilewire_protocol::CmdId(String::new()))
}
