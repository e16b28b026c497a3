//! The commands of a simulated client: mostly sensible, sometimes not.

use std::sync::Arc;

use tilewire_client::{GameView, Position};
use tilewire_protocol::{
    AnswerAbort, AnswerAdjourn, AskHint, Claim, ClientMessage, ClockKind, Exchange, GameCommand,
    GameId, GiveTime, Pass, Phase, Play, PlayCommand,
};

use super::chance::Chance;
use super::line::LineId;
use super::manner::{Act, Table};
use super::person::{FollowedGame, Person};
use super::plays::some_play;
use super::scenario::is_by_correspondence;

impl Person {
    /// Thinks, at `now` (ms since the start), and does something or nothing.
    pub fn think(&mut self, now: i64, wall: i64, table: &Table, chance: &mut Chance) -> Vec<Act> {
        let mut acts = Vec::new();
        if now > self.manner.sleeps_at {
            return acts;
        }
        let may_connect = self.sees_to_account(now, chance, &mut acts);
        let lines = self.lines();
        if lines.is_empty() && !may_connect {
            return acts;
        }
        if lines.is_empty() || (lines.len() < 2 && may_connect && chance.one_in(60)) {
            self.choose_token(chance);
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
        if self.retry(line, chance, &mut acts)
            || chance.one_in(12) && self.chats(line, chance, &mut acts)
            || self.answers_invitation(line, chance, &mut acts)
        {
            return acts;
        }
        let playing = self
            .games
            .iter()
            .find(|(_, game)| game.view.seat.is_some() && !game.is_over());
        let Some((game, view)) = playing.map(|(id, game)| (id.clone(), Arc::clone(&game.view)))
        else {
            let has_played = self.games.values().any(FollowedGame::is_over);
            let is_done = has_played && table.game.is_some();
            if !is_done || chance.one_in(20) {
                self.find_game(line, table, chance, &mut acts);
            }
            return acts;
        };
        if self.pending.len() > 1 {
            return acts;
        }
        if chance.one_in(self.manner.lies) {
            self.lie(line, &game, &view, chance, &mut acts);
            return acts;
        }
        if view.phase == Phase::Waiting {
            let own = view.seat.and_then(|seat| view.seats.get(usize::from(seat)));
            if own.is_some_and(|own| !own.is_ready) {
                self.ready(line, &game, &mut acts);
            }
            return acts;
        }
        if let Some(message) = self.sensible(&game, &view, wall, chance) {
            if chance.one_in(self.manner.doubles) {
                self.send(line, message.clone(), &mut acts);
            }
            self.used.push((cmd_of(&message), message.clone()));
            self.command(line, message, &mut acts);
        }
        acts
    }

    /// Returns when a window of an own game closes, unix ms, if the player may answer the play.
    #[must_use]
    pub fn window_closes_at(&self) -> Option<i64> {
        let views = self.games.values().map(|game| &game.view);
        let mut open = views.filter(|view| view.seat.is_some() && view.may_answer());
        open.find_map(|view| view.window.as_ref()?.closes_at)
    }

    /// Answers a play that may still be answered.
    pub fn hurry(&mut self, chance: &mut Chance) -> Vec<Act> {
        let mut acts = Vec::new();
        let mut games = self.games.iter();
        let open = games.find(|(_, game)| game.view.seat.is_some() && game.view.may_answer());
        let open = open.map(|(id, game)| (id.clone(), Arc::clone(&game.view)));
        if let (Some(line), Some((game, view))) = (self.line(), open)
            && let Some(message) = self.about_play(&game, &view, chance)
        {
            self.used.push((cmd_of(&message), message.clone()));
            self.command(line, message, &mut acts);
        }
        acts
    }

    fn sensible(
        &mut self,
        game: &GameId,
        view: &GameView,
        wall: i64,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let seat = view.seat?;
        if chance.one_in(150) {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            return Some(ClientMessage::Resign(GameCommand { game, cmd_id }));
        }
        if view.adjourned.is_some() && !chance.one_in(8) {
            return self.asleep(game, view, wall, chance);
        }
        if let Some(message) = self.about_adjourning(game, view, chance) {
            return Some(message);
        }
        if let Some(away) = view
            .vanished
            .iter()
            .find(|away| away.seat != seat && away.claim_at <= wall)
            && chance.one_in(3)
        {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            return Some(ClientMessage::Claim(Claim {
                game,
                cmd_id,
                seat: away.seat,
            }));
        }
        if let Some(message) = self.about_abort(game, view, chance) {
            return Some(message);
        }
        if let Some(message) = self.about_nudge(game, view, wall, chance) {
            return Some(message);
        }
        if chance.one_in(40) {
            return Some(self.about_time(game, view, chance));
        }
        if view.setup.options.hints.is_some() && chance.one_in(12) {
            return Some(ClientMessage::Hint(AskHint {
                game: game.clone(),
                cmd_id: self.fresh_cmd(),
                turn_no: view.turn_no,
                grade: *chance.pick(&[1, 2, 3]),
            }));
        }
        if let Some(message) = self.about_play(game, view, chance) {
            return Some(message);
        }
        (view.on_turn == Some(seat)).then(|| self.turn(game, view, seat, chance))
    }

    /// The command of a client in a rated game that it would rather not play, or that the other would not.
    fn about_abort(
        &mut self,
        game: &GameId,
        view: &GameView,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        if !view.setup.options.rated {
            return None;
        }
        if view.abort_to_answer().is_some() {
            let answer = chance.below(6);
            return (answer < 3).then(|| {
                ClientMessage::AnswerAbort(AnswerAbort {
                    game: game.clone(),
                    cmd_id: self.fresh_cmd(),
                    accept: answer == 0,
                })
            });
        }
        let is_early = view.turn_no < 3 && view.abort_request.is_none();
        (is_early && chance.one_in(12)).then(|| {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            ClientMessage::Abort(GameCommand { game, cmd_id })
        })
    }

    /// The command of a client whose game is adjourned.
    fn asleep(
        &mut self,
        game: &GameId,
        view: &GameView,
        wall: i64,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        if let Some(seat) = view.claimable(wall) {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            return Some(ClientMessage::Claim(Claim { game, cmd_id, seat }));
        }
        (view.may_resume() && chance.one_in(6)).then(|| {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            ClientMessage::ResumeGame(GameCommand { game, cmd_id })
        })
    }

    /// The command of a client that wants to go on another day, or whose opponent does.
    fn about_adjourning(
        &mut self,
        game: &GameId,
        view: &GameView,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        if view.adjourn_to_answer().is_some() {
            let answer = chance.below(6);
            return (answer < 4).then(|| {
                ClientMessage::AnswerAdjourn(AnswerAdjourn {
                    game: game.clone(),
                    cmd_id: self.fresh_cmd(),
                    agree: answer > 0,
                })
            });
        }
        let can = view.window.is_none() && view.adjourn_request.is_none();
        (can && chance.one_in(60)).then(|| {
            let (game, cmd_id) = (game.clone(), self.fresh_cmd());
            ClientMessage::Adjourn(GameCommand { game, cmd_id })
        })
    }

    /// The command of a client that waits for a silent opponent, or that an opponent waits for.
    fn about_nudge(
        &mut self,
        game: &GameId,
        view: &GameView,
        wall: i64,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let seat = view.seat?;
        let about = |person: &mut Self| (game.clone(), person.fresh_cmd());
        match view.nudge {
            Some(nudge) if nudge.target == seat => {
                return chance.one_in(6).then(|| {
                    let (game, cmd_id) = about(self);
                    ClientMessage::Here(GameCommand { game, cmd_id })
                });
            }
            Some(nudge) if nudge.claim_at.is_some_and(|at| at <= wall) && chance.one_in(3) => {
                let (game, cmd_id) = about(self);
                return Some(ClientMessage::Claim(Claim {
                    game,
                    cmd_id,
                    seat: nudge.target,
                }));
            }
            _ => {}
        }
        let waits = view.on_turn.is_some_and(|on_turn| on_turn != seat);
        // A turn by correspondence can be nudged for a short time only: after the long night, until its player is back.
        let rarity = if is_by_correspondence(&view.setup.options) {
            4
        } else {
            20
        };
        (waits && view.nudge.is_none() && chance.one_in(rarity)).then(|| {
            let (game, cmd_id) = about(self);
            ClientMessage::Nudge(GameCommand { game, cmd_id })
        })
    }

    /// The command of a client that gives time, or takes none.
    fn about_time(&mut self, game: &GameId, view: &GameView, chance: &mut Chance) -> ClientMessage {
        let (game, cmd_id) = (game.clone(), self.fresh_cmd());
        if chance.one_in(12) {
            return ClientMessage::RefuseTime(GameCommand { game, cmd_id });
        }
        let is_limit = view.setup.options.clock_kind() == ClockKind::PerMove;
        ClientMessage::GiveTime(GiveTime {
            game,
            cmd_id,
            seat: view.receiver().unwrap_or(0),
            time_ms: (!is_limit || chance.one_in(9)).then(|| chance.ms(5_000, 60_000)),
        })
    }

    /// The command of a client about the play that can be challenged.
    fn about_play(
        &mut self,
        game: &GameId,
        view: &GameView,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let (window, seat) = (view.window.as_ref()?, view.seat?);
        let play = |person: &mut Self| PlayCommand {
            game: game.clone(),
            cmd_id: person.fresh_cmd(),
            play_id: window.play_id,
        };
        if window.author == seat {
            window.challenger?;
            return match chance.below(4) {
                0 => Some(ClientMessage::Withdraw(play(self))),
                1 | 2 => Some(ClientMessage::Stand(play(self))),
                _ => None,
            };
        }
        if !view.may_answer() {
            return None;
        }
        if window.holder == Some(seat) {
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
        view: &GameView,
        seat: u8,
        chance: &mut Chance,
    ) -> ClientMessage {
        let turn_no = view.turn_no;
        let (game, cmd_id) = (game.clone(), self.fresh_cmd());
        if !chance.one_in(12)
            && let Ok(position) = Position::of(view, seat)
            && let Some((start, tiles)) = some_play(&position, chance)
        {
            return ClientMessage::Play(Play {
                game,
                cmd_id,
                turn_no,
                start,
                tiles,
            });
        }
        if view.bag >= 7 && chance.one_in(2) && !view.rack.is_empty() {
            let count = 1 + chance.index(view.rack.len());
            let tiles = view.rack[..count].to_vec();
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
        view: &GameView,
        chance: &mut Chance,
        acts: &mut Vec<Act>,
    ) {
        let plays = view.turns.iter().filter_map(|turn| turn.play_id);
        let plays: Vec<u64> = plays.collect();
        let play_id = match plays.is_empty() {
            true => 7,
            false => *chance.pick(&plays),
        };
        let turn_no = view.on_turn.map_or(1, |_| view.turn_no);
        let (game, cmd_id) = (game.clone(), self.fresh_cmd());
        let old = PlayCommand {
            game: game.clone(),
            cmd_id: cmd_id.clone(),
            play_id,
        };
        let message = match chance.below(14) {
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
                seat: view.seat.map_or(0, |seat| seat ^ 1),
            }),
            9 => ClientMessage::Abort(GameCommand { game, cmd_id }),
            10 => ClientMessage::AnswerAbort(AnswerAbort {
                game,
                cmd_id,
                accept: chance.one_in(2),
            }),
            11 => match chance.one_in(2) {
                true => ClientMessage::Nudge(GameCommand { game, cmd_id }),
                false => ClientMessage::Here(GameCommand { game, cmd_id }),
            },
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
