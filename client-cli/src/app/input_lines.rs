//! Input lines, which run in order.

use tilewire_protocol::{
    Claim, ClientMessage, CmdId, Exchange, GameCommand, GameId, Pass, Play, PlayCommand,
    SeekCommand,
};

use super::lobby::LOBBY_HELP;
use super::report::{Done, Report};
use super::{App, Effect, Goal, Origin, Request};
use crate::command::{Answer, Command};
use tilewire_client::GameView;

/// How long to wait for the answer when the program withdraws an offer before it ends, ms.
const SHUTDOWN_MS: i64 = 2_000;

/// The help page of a game.
pub const HELP: &[&str] = &[
    "8F HORN       play across from row 8, column F",
    "H6 HORN       play down from column H, row 6",
    "8F HoRN       a lower-case letter is your blank",
    "H6 FA.M       . is a tile on the board (or type its letter)",
    "exchange AEI  exchange tiles; ? is the blank",
    "pass          end your turn without a play",
    "challenge     challenge the last play",
    "hold          stop the challenge timer; then challenge, accept or release",
    "accept        let the last play stand",
    "withdraw      take back your challenged play; stand: keep it",
    "claim         claim the win from a player who disconnected",
    "resign        give up           abort     cancel the game at the start",
    "shuffle       your rack         start     start your offered game",
    "PgUp, PgDn    scroll the scoresheet; Up, Down: earlier input",
    "Squares: . plain  ' 2L  \" 3L  ^ 4L  - 2W  = 3W  ~ 4W (letter, word)  * start",
    "help          this page         quit      leave; return with --resume",
];

impl App {
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
                let help = if self.lobby().is_some() {
                    LOBBY_HELP
                } else {
                    HELP
                };
                effects.push(done(Done::Help(
                    help.iter().map(|line| (*line).to_owned()).collect(),
                )));
            }
            Command::Quit => {
                effects.push(done(Done::Quit(true)));
                if self.withdraw_offer() {
                    self.quitting_by = Some(now.saturating_add(SHUTDOWN_MS));
                } else {
                    self.end(0, "quit", effects);
                }
            }
            Command::Shuffle => {
                let view = self.view.as_mut().ok_or("there is no rack yet")?;
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
            Command::New(_)
            | Command::Quick
            | Command::Join(_)
            | Command::Watch(_)
            | Command::Resume(_) => self.run_in_lobby(number, command, effects)?,
            command => self.run_in_game(number, command)?,
        }
        Ok(())
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
            let play = view.last_play.as_ref().ok_or("there is no play yet")?;
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
        Command::Claim(seat) => {
            let other = || {
                (0..u8::try_from(view.seats.len()).unwrap_or(0))
                    .find(|seat| Some(*seat) != view.seat)
            };
            let seat = seat
                .or_else(|| view.vanished.first().map(|vanished| vanished.seat))
                .or_else(other);
            ClientMessage::Claim(Claim {
                game,
                cmd_id,
                seat: seat.unwrap_or(0),
            })
        }
        _ => {
            return Err("that is not a command of the game".to_owned());
        }
    })
}
