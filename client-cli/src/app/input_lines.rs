//! Input lines, which run in order.

use tilewire_protocol::{
    AnswerAbort, AnswerAdjourn, AskHint, Claim, ClientMessage, CmdId, Exchange, GameCommand,
    GameId, GiveTime, Pass, Play, PlayCommand, SeekCommand,
};

use super::help::{LOBBY_HELP, game_help};
use super::report::{Done, Report};
use super::{App, Effect, Goal, Origin, Request};
use crate::command::{Answer, Command};
use tilewire_client::GameView;

/// How long to wait for the answer when the program withdraws an offer before it ends, ms.
const SHUTDOWN_MS: i64 = 2_000;

impl App {
    /// Takes an input line. While the program reconnects, it acknowledges a command that has to wait.
    pub(super) fn line_read(&mut self, line: String, effects: &mut Vec<Effect>) {
        self.lines_read += 1;
        let (number, command) = (self.lines_read, line.trim());
        if command.is_empty() {
            return;
        }
        if self.connection.is_lost() {
            let report = match Command::parse(command) {
                Ok(Command::Quit) => None,
                Ok(_) => Some(Report::Queued(number, command.to_owned())),
                // Answers keep the order of the lines, and a number can choose a game.
                Err(_) if !self.lines.is_empty() || self.choices.is_some() => None,
                Err(error) => {
                    let report = Report::BadInput(number, error.to_string());
                    return effects.push(Effect::Report(report));
                }
            };
            effects.extend(report.map(Effect::Report));
        }
        self.lines.push_back((number, line));
    }

    /// Whether the next line can run now. It may have to wait for the connection, the game or its history.
    pub(super) fn takes_lines(&self) -> bool {
        if self.quitting_by.is_some() {
            return false;
        }
        if self.wants_to_quit() {
            return true;
        }
        if self.lobby().is_some() {
            return self.connection.is_ready();
        }
        match (&self.game, &self.waiting, &self.choices) {
            (Some(_), _, _) => self.is_caught_up(),
            (None, Some(_), _) => true,
            (None, None, Some(_)) => self.connection.is_ready(),
            (None, None, None) => false,
        }
    }

    /// Whether the next line is `quit`.
    pub(super) fn wants_to_quit(&self) -> bool {
        let is_quit = |line: &str| matches!(Command::parse(line.trim()), Ok(Command::Quit));
        self.lines.front().is_some_and(|(_, line)| is_quit(line))
    }

    /// Runs the next line.
    pub(super) fn next_line(&mut self, now: i64, effects: &mut Vec<Effect>) {
        let Some((number, line)) = self.lines.pop_front() else {
            return;
        };
        let line = line.trim();
        if let Some(game) = self.chosen(line) {
            effects.push(Effect::Report(Report::Done(
                number,
                Done::Game(game.clone()),
            )));
            return self.follow(game, effects);
        }
        let result = Command::parse(line)
            .map_err(|error| error.to_string())
            .and_then(|command| self.run_command(now, number, command, effects));
        if let Err(message) = result {
            effects.push(Effect::Report(Report::BadInput(number, message)));
        }
    }

    fn help(&self) -> Vec<String> {
        let help = match self.lobby() {
            Some(_) => LOBBY_HELP.to_vec(),
            None => game_help(self.view.as_ref()),
        };
        help.into_iter().map(str::to_owned).collect()
    }

    fn run_command(
        &mut self,
        now: i64,
        number: u64,
        command: Command,
        effects: &mut Vec<Effect>,
    ) -> Result<(), String> {
        let done = |done| Effect::Report(Report::Done(number, done));
        match command {
            Command::Help => {
                effects.push(done(Done::Help(self.help())));
            }
            Command::Quit => {
                effects.push(done(Done::Quit(true)));
                if self.withdraw_offer() || self.complaints > 0 {
                    self.quitting_by = Some(now.saturating_add(SHUTDOWN_MS));
                } else {
                    self.end(0, "quit", effects);
                }
            }
            Command::Shuffle => {
                let view = self.view.as_mut().ok_or("you have no rack yet")?;
                self.random.shuffle(&mut view.rack);
                effects.push(done(Done::Rack(view.rack.clone())));
            }
            Command::Start => {
                let waiting = self.waiting.as_ref().ok_or("you have no open offer")?;
                let seek = waiting.seek.seek.clone();
                let body = SeekCommand {
                    cmd_id: self.session.next_cmd_id(),
                    seek,
                };
                self.queue_line(number, ClientMessage::StartSeek(body));
            }
            Command::Chat => {
                let text = "every line of chat is printed as it comes; write with say";
                return Err(text.to_owned());
            }
            Command::Report(typed) => self.report_player(number, typed, effects)?,
            Command::Say(text) => {
                let request = self.say_request(text)?;
                self.queue_line(number, request);
            }
            Command::Tell(friend, text) => {
                let message = self.tell_request(friend)?;
                let origin = Origin::Tell(number, text);
                self.send(Request { message, origin }, effects);
            }
            Command::Rematch(agrees) => {
                let request = self.rematch_request(agrees)?;
                self.queue_line(number, request);
            }
            Command::Answer(Answer::Accept) if self.lobby().is_some() => {
                let first = Command::AcceptInvitation("1".to_owned());
                self.run_in_lobby(number, first, effects)?;
            }
            Command::New(..)
            | Command::Invite(..)
            | Command::AcceptInvitation(_)
            | Command::DeclineInvitation(..)
            | Command::Quick(_)
            | Command::Join(_)
            | Command::Watch(_) => self.run_in_lobby(number, command, effects)?,
            Command::Resume(_) if !self.is_adjourned() => {
                self.run_in_lobby(number, command, effects)?
            }
            command => self.run_in_game(number, command)?,
        }
        Ok(())
    }

    /// Whether the player's game is adjourned; then `resume` says that the player is ready.
    fn is_adjourned(&self) -> bool {
        let view = self.view.as_ref();
        view.is_some_and(|view| view.adjourned.is_some())
    }

    fn run_in_game(&mut self, number: u64, command: Command) -> Result<(), String> {
        let Some(view) = &self.view else {
            if self.lobby().is_some() {
                return Err("there is no game yet; start with new, quick, join or watch".to_owned());
            }
            return Err(match (&self.choices, &self.config.goal) {
                (Some(_), _) => "type the number or the id of a game in the list".to_owned(),
                (None, Goal::Watch(..)) => "there is no game yet".to_owned(),
                (None, _) => "the game has not started: some seats are free".to_owned(),
            });
        };
        let cmd_id = self.session.next_cmd_id();
        let message = game_command(view, cmd_id, command)?;
        self.queue_line(number, message);
        Ok(())
    }

    /// Queues the request of input line `number`.
    pub(super) fn queue_line(&mut self, number: u64, message: ClientMessage) {
        self.commands.push_back(Request {
            message,
            origin: Origin::Line(number),
        });
    }
}

fn answer_abort(game: GameId, cmd_id: CmdId, accept: bool) -> ClientMessage {
    ClientMessage::AnswerAbort(AnswerAbort {
        game,
        cmd_id,
        accept,
    })
}

/// Asks for a hint in the turn that is being played.
fn ask_hint(view: &GameView, cmd_id: CmdId, grade: u8) -> ClientMessage {
    ClientMessage::Hint(AskHint {
        game: view.game.clone(),
        cmd_id,
        turn_no: view.turn_no,
        grade,
    })
}

fn answer_adjourn(game: GameId, cmd_id: CmdId, agree: bool) -> ClientMessage {
    ClientMessage::AnswerAdjourn(AnswerAdjourn {
        game,
        cmd_id,
        agree,
    })
}

/// Time for the opponent on turn, or else for the next one.
fn give_time(view: &GameView, cmd_id: CmdId, seconds: Option<u8>) -> Result<ClientMessage, String> {
    Ok(ClientMessage::GiveTime(GiveTime {
        game: view.game.clone(),
        cmd_id,
        seat: view
            .receiver()
            .ok_or("there is no opponent to give time to")?,
        time_ms: seconds.map(|seconds| i64::from(seconds) * 1_000),
    }))
}

/// The request for a command in a game.
fn game_command(view: &GameView, cmd_id: CmdId, command: Command) -> Result<ClientMessage, String> {
    let game: GameId = view.game.clone();
    let turn_no = view.turn_no;
    Ok(match command {
        Command::Play(play) => {
            let play = play.resolve(view);
            ClientMessage::Play(Play {
                game,
                cmd_id,
                turn_no,
                start: play.start,
                tiles: play.tiles,
            })
        }
        Command::Exchange(tiles) => ClientMessage::Exchange(Exchange {
            game,
            cmd_id,
            turn_no,
            tiles,
        }),
        Command::Pass => ClientMessage::Pass(Pass {
            game,
            cmd_id,
            turn_no,
        }),
        Command::Answer(answer) => {
            let play = view.last_play.as_ref().ok_or("no play yet")?;
            let body = PlayCommand {
                game,
                cmd_id,
                play_id: play.play_id,
            };
            match answer {
                Answer::Challenge => ClientMessage::Challenge(body),
                Answer::Hold => ClientMessage::Hold(body),
                Answer::Release => ClientMessage::Release(body),
                Answer::Accept => ClientMessage::Accept(body),
                Answer::Withdraw => ClientMessage::Withdraw(body),
                Answer::Stand => ClientMessage::Stand(body),
            }
        }
        Command::Resign => ClientMessage::Resign(GameCommand { game, cmd_id }),
        Command::Abort => ClientMessage::Abort(GameCommand { game, cmd_id }),
        Command::AnswerAbort(accept) => answer_abort(game, cmd_id, accept),
        Command::Claim(seat) => {
            let other = || {
                (0..u8::try_from(view.seats.len()).unwrap_or(0))
                    .find(|seat| Some(*seat) != view.seat)
            };
            // The server decides whether the time has come.
            let seat = seat.or_else(|| view.claimable(i64::MAX)).or_else(other);
            ClientMessage::Claim(Claim {
                game,
                cmd_id,
                seat: seat.unwrap_or(0),
            })
        }
        Command::Nudge => ClientMessage::Nudge(GameCommand { game, cmd_id }),
        Command::Here => ClientMessage::Here(GameCommand { game, cmd_id }),
        Command::Adjourn => ClientMessage::Adjourn(GameCommand { game, cmd_id }),
        Command::AnswerAdjourn(agree) => answer_adjourn(game, cmd_id, agree),
        Command::Resume(_) => ClientMessage::ResumeGame(GameCommand { game, cmd_id }),
        Command::Give(seconds) => give_time(view, cmd_id, seconds)?,
        Command::Refuse => ClientMessage::RefuseTime(GameCommand { game, cmd_id }),
        Command::Hint(grade) => ask_hint(view, cmd_id, grade),
        _ => {
            return Err("that is not a command in a game".to_owned());
        }
    })
}
