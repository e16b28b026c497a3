//! The lobby: its lists, and the commands that lead to a game.

use tilewire_protocol::{
    ClientMessage, Empty, GameId, GameSummary, LobbyChange, LobbyChangeKind, OkBody, Seek, SeekId,
    ServerMessage,
};

use super::report::{Done, Lists, Report};
use super::{App, Effect, Goal, Origin, Request};
use crate::command::Command;

const NO_HELLO: &str = "the server has not listed its games yet";

impl App {
    /// The lists of the lobby, while the player is there.
    #[must_use]
    pub fn lobby(&self) -> Option<&Lists> {
        let is_there = self.in_lobby && self.game.is_none() && self.waiting.is_none();
        is_there.then_some(&self.lists)
    }

    /// Handles the answer to the subscription of a player who wants to see the lobby.
    pub(super) fn lobby_listed(&mut self, answer: OkBody, effects: &mut Vec<Effect>) {
        if self.waiting.is_some() {
            return self.lobby_followed(answer, effects);
        }
        self.take_lists(answer);
        effects.push(Effect::Report(Report::Games(Box::new(self.lists.clone()))));
        if matches!(self.config.goal, Goal::Lobby(_)) {
            self.in_lobby = true;
        } else {
            self.end(0, "listed", effects);
        }
    }

    /// Handles the answer to the subscription that the program sent while an offer waited. The game may have begun before
    /// the answer came.
    pub(super) fn lobby_followed(&mut self, answer: OkBody, effects: &mut Vec<Effect>) {
        self.take_lists(answer);
        self.in_lobby = true;
        if self.game.is_some() {
            self.leave_lobby(effects);
        } else {
            self.join_lobby_chat(effects);
            self.update_similar(effects);
        }
    }

    fn take_lists(&mut self, answer: OkBody) {
        self.lists.live = answer.games.unwrap_or_default();
        self.lists.seeks = answer.seeks.unwrap_or_default();
    }

    /// Handles a change of the lobby.
    pub(super) fn lobby_changed(&mut self, change: LobbyChange, effects: &mut Vec<Effect>) {
        if !self.in_lobby {
            return;
        }
        self.lists.take(&change);
        if self.lobby().is_none() {
            return self.update_similar(effects);
        }
        let push = ServerMessage::Lobby(Box::new(change));
        effects.push(Effect::Report(Report::Push(Box::new(push))));
    }

    /// Ends the subscription, because the player follows a game.
    pub(super) fn leave_lobby(&mut self, effects: &mut Vec<Effect>) {
        if std::mem::take(&mut self.in_lobby) && self.connection.is_ready() {
            let request = Request {
                message: ClientMessage::LobbyUnsubscribe(Empty {}),
                origin: Origin::Auto,
            };
            self.send(request, effects);
            self.leave_lobby_chat(effects);
        }
    }

    /// Runs a command of the lobby, typed as line `number`.
    pub(super) fn run_in_lobby(
        &mut self,
        number: u64,
        command: Command,
        effects: &mut Vec<Effect>,
    ) -> Result<(), String> {
        if let (Command::Join(what), Some(waiting)) = (&command, &self.waiting)
            && waiting.is_own
        {
            return self.join_similar(number, what);
        }
        let Goal::Lobby(offer) = self.config.goal.clone() else {
            return Err("that command works only in `tilewire lobby`".to_owned());
        };
        if self.lobby().is_none() {
            return Err("you are no longer in the lobby".to_owned());
        }
        match command {
            Command::New(visibility, flags) => {
                let offer = (self.config.change_offer)(&offer, &flags)?;
                let message = self.open_request(&offer, visibility);
                self.queue_line(number, message.ok_or(NO_HELLO)?);
            }
            Command::Quick(flags) => {
                let offer = (self.config.change_offer)(&offer, &flags)?;
                let message = self.quick_request(&offer);
                self.queue_line(number, message.ok_or(NO_HELLO)?);
            }
            Command::Join(what) => {
                let seek = find(&self.lists.seeks, &what, |seek| seek.seek.as_str());
                let message = match (seek, what.parse::<usize>()) {
                    (Some(seek), _) => {
                        let seek: SeekId = seek.seek.clone();
                        self.join_request(Some(seek), None)
                    }
                    (None, Ok(place)) if place < 1_000 => {
                        return Err(format!("there is no offer number {place}"));
                    }
                    _ => self.join_request(None, Some(what)),
                };
                self.queue_line(number, message);
            }
            Command::Invite(handle, flags) => {
                let offer = (self.config.change_offer)(&offer, &flags)?;
                let message = self.invite_request(&offer, handle);
                self.queue_line(number, message.ok_or(NO_HELLO)?);
            }
            Command::AcceptInvitation(what) => {
                let message = self.accept_request(&what)?;
                self.queue_line(number, message);
            }
            Command::DeclineInvitation(what, reason) => {
                let message = self.decline_request(&what, reason)?;
                self.queue_line(number, message);
            }
            Command::Watch(what) => {
                let game = named_game(&self.lists.live, &what, "live")?;
                self.go_to(number, game, effects);
            }
            Command::Resume(what) => {
                let game = named_game(&self.lists.mine, &what, "unfinished")?;
                self.go_to(number, game, effects);
            }
            _ => return Err("that is not a lobby command; type help for a list".to_owned()),
        }
        Ok(())
    }

    fn go_to(&mut self, number: u64, game: GameId, effects: &mut Vec<Effect>) {
        effects.push(Effect::Report(Report::Done(
            number,
            Done::Game(game.clone()),
        )));
        self.follow(game, effects);
    }
}

/// An item of a list, by its number (from 1) or its id.
pub(super) fn find<'a, T>(list: &'a [T], what: &str, id: impl Fn(&T) -> &str) -> Option<&'a T> {
    let place = what.parse::<usize>().ok();
    place
        .and_then(|place| list.get(place.checked_sub(1)?))
        .or_else(|| list.iter().find(|item| id(item) == what))
}

fn named_game(list: &[GameSummary], what: &str, kind: &str) -> Result<GameId, String> {
    find(list, what, |game| game.game.as_str())
        .map(|game| game.game.clone())
        .ok_or_else(|| format!("there is no {kind} game `{what}` in the list"))
}

impl Lists {
    /// Applies a change of the lobby.
    fn take(&mut self, change: &LobbyChange) {
        match (change.change, &change.seek, &change.game, &change.seek_id) {
            (LobbyChangeKind::SeekAdded | LobbyChangeKind::SeekChanged, Some(seek), _, _) => {
                match self.seeks.iter_mut().find(|known| known.seek == seek.seek) {
                    Some(known) => known.clone_from(seek),
                    None => self.seeks.push(Seek::clone(seek)),
                }
            }
            (LobbyChangeKind::SeekRemoved, _, _, Some(id)) => {
                self.seeks.retain(|seek| seek.seek != *id);
            }
            (LobbyChangeKind::GameStarted | LobbyChangeKind::GameChanged, _, Some(game), _) => {
                match self.live.iter_mut().find(|known| known.game == game.game) {
                    Some(known) => known.clone_from(game),
                    None => self.live.push(game.clone()),
                }
            }
            (LobbyChangeKind::GameEnded, _, Some(game), _) => {
                self.live.retain(|known| known.game != game.game);
                self.mine.retain(|known| known.game != game.game);
            }
            (LobbyChangeKind::GameRemoved, _, Some(game), _) => {
                self.live.retain(|known| known.game != game.game);
            }
            _ => {}
        }
    }
}
