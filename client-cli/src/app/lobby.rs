//! The lobby: what is on offer, kept up to date, and the way from there to a game.

use tilewire_protocol::{
    ClientMessage, Empty, GameId, GameSummary, LobbyChange, LobbyChangeKind, OkBody, Seek, SeekId,
    ServerMessage,
};

use super::report::{Done, Lists, Report};
use super::{App, Effect, Goal, Origin, Request};
use crate::command::Command;

/// The commands of the lobby, one for each line.
pub const LOBBY_HELP: &[&str] = &[
    "new           offer a game and wait for players",
    "new private   offer a game to friends, who join by its code",
    "quick         join somebody who wants the same game, or wait for one",
    "join 1        join the first open offer",
    "join CODE     join the private game of a friend",
    "resume 1      return to the first of your unfinished games",
    "watch 1       watch the first of the live games",
    "help          this page         quit      leave",
    "",
    "What `new` and `quick` ask for is said by flags: tilewire lobby --help.",
];

const NOT_GREETED: &str = "the server has not said yet what can be played";

impl App {
    /// What the lobby shows, while that is where the player is.
    #[must_use]
    pub fn lobby(&self) -> Option<&Lists> {
        let is_there = self.in_lobby && self.game.is_none() && self.waiting.is_none();
        is_there.then_some(&self.lists)
    }

    /// The answer to the subscription.
    pub(super) fn lobby_came(&mut self, answer: OkBody, effects: &mut Vec<Effect>) {
        self.lists.live = answer.games.unwrap_or_default();
        self.lists.seeks = answer.seeks.unwrap_or_default();
        effects.push(Effect::Tell(Report::Games(Box::new(self.lists.clone()))));
        if matches!(self.config.goal, Goal::Lobby(_)) {
            self.in_lobby = true;
        } else {
            self.end(0, "listed", effects);
        }
    }

    /// Something in the lobby has changed.
    pub(super) fn lobby_changed(&mut self, change: LobbyChange, effects: &mut Vec<Effect>) {
        if self.lobby().is_none() {
            return;
        }
        self.lists.take(&change);
        let push = ServerMessage::Lobby(Box::new(change));
        effects.push(Effect::Tell(Report::Push(Box::new(push))));
    }

    /// A game is followed: what happens in the lobby is of no more interest.
    pub(super) fn leave_lobby(&mut self, effects: &mut Vec<Effect>) {
        if std::mem::take(&mut self.in_lobby) && self.link.is_ready() {
            let request = Request {
                message: ClientMessage::LobbyUnsubscribe(Empty {}),
                origin: Origin::Auto,
            };
            self.send(request, effects);
        }
    }

    /// Obeys a command of the lobby, typed as line `number`.
    pub(super) fn obey_in_lobby(
        &mut self,
        number: u64,
        command: Command,
        effects: &mut Vec<Effect>,
    ) -> Result<(), String> {
        let Goal::Lobby(offer) = self.config.goal.clone() else {
            return Err("that is a command of `tilewire lobby`".to_owned());
        };
        if self.lobby().is_none() {
            return Err("you are no longer in the lobby".to_owned());
        }
        match command {
            Command::New(visibility) => {
                let message = self.open_request(&offer, visibility);
                self.typed(number, message.ok_or(NOT_GREETED)?);
            }
            Command::Quick => {
                let message = self.quick_request(&offer);
                self.typed(number, message.ok_or(NOT_GREETED)?);
            }
            Command::Join(what) => {
                let seek = find(&self.lists.seeks, &what, |seek| seek.seek.as_str());
                let message = match (seek, what.parse::<usize>()) {
                    (Some(seek), _) => {
                        let seek: SeekId = seek.seek.clone();
                        self.join_request(Some(seek), None)
                    }
                    (None, Ok(place)) if place < 1_000 => {
                        return Err(format!("there is no offer {place}"));
                    }
                    _ => self.join_request(None, Some(what)),
                };
                self.typed(number, message);
            }
            Command::Watch(what) => {
                let game = named_game(&self.lists.live, &what, "live")?;
                self.go_to(number, game, effects);
            }
            Command::Resume(what) => {
                let game = named_game(&self.lists.mine, &what, "unfinished")?;
                self.go_to(number, game, effects);
            }
            _ => return Err("you are in the lobby; help shows what can be typed".to_owned()),
        }
        Ok(())
    }

    fn go_to(&mut self, number: u64, game: GameId, effects: &mut Vec<Effect>) {
        effects.push(Effect::Tell(Report::Done(number, Done::Game(game.clone()))));
        self.follow(game, effects);
    }
}

/// An item of a list by its place (from 1) or its id.
fn find<'a, T>(list: &'a [T], what: &str, id: impl Fn(&T) -> &str) -> Option<&'a T> {
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
    /// Takes in a change of the lobby.
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
            (LobbyChangeKind::GameStarted, _, Some(game), _) => {
                match self.live.iter_mut().find(|known| known.game == game.game) {
                    Some(known) => known.clone_from(game),
                    None => self.live.push(game.clone()),
                }
            }
            (LobbyChangeKind::GameEnded, _, Some(game), _) => {
                self.live.retain(|known| known.game != game.game);
                self.mine.retain(|known| known.game != game.game);
            }
            _ => {}
        }
    }
}
