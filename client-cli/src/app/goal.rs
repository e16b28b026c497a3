//! The way from the task of the program to a game.

use sha2::{Digest, Sha256};
use tilewire_protocol::{
    AskRuleSet, Bytes, ClientMessage, Empty, FindSeek, GameId, GameScope, GameSummary, JoinSeek,
    ListGames, OkBody, OpenSeek, QuickMatch, Seek, SeekCommand, SeekId,
};

use super::report::Report;
use super::{App, Effect, Goal, Offer, Origin, Request, Waiting};
use crate::command::Visibility;
use crate::text::own_turn_first;

impl App {
    /// Starts the task; `games` are the player's unfinished games.
    pub(super) fn start_task(&mut self, games: &[GameSummary], effects: &mut Vec<Effect>) {
        match self.config.goal.clone() {
            Goal::Open(offer, visibility) => self.open(&offer, visibility),
            Goal::Quick(offer) => self.quick(&offer),
            Goal::Join(seek) => self.join(Some(seek), None),
            Goal::JoinCode(code) => {
                self.request(ClientMessage::FindSeek(FindSeek { code }), effects);
            }
            Goal::Resume(Some(game)) | Goal::Watch(Some(game), _) => self.follow(game, effects),
            Goal::Resume(None) => {
                self.choose(
                    games.to_vec(),
                    "you have no unfinished game on this server",
                    effects,
                );
            }
            Goal::Watch(None, _) => {
                let list = ClientMessage::ListGames(ListGames {
                    scope: GameScope::Live,
                    before: None,
                });
                self.request(list, effects);
            }
            Goal::ListFinished(before) => {
                let list = ClientMessage::ListGames(ListGames {
                    scope: GameScope::Finished,
                    before,
                });
                self.request(list, effects);
            }
            Goal::List | Goal::Lobby(_) => {
                self.lists.mine = games.to_vec();
                own_turn_first(&mut self.lists.mine, self.identity.as_ref());
                self.request(ClientMessage::LobbySubscribe(Empty {}), effects);
            }
            Goal::Identify => self.end(0, "identified", effects),
            Goal::Rules(None) => {
                let known = self.hello.as_ref().map(|hello| hello.rule_sets.clone());
                effects.push(Effect::Report(Report::RuleSets(known.unwrap_or_default())));
                self.end(0, "listed", effects);
            }
            Goal::LookUp(asked) => self.request(ClientMessage::LookUp(asked), effects),
            Goal::Rules(Some((rule_set, language))) => {
                let message = ClientMessage::RuleSet(AskRuleSet { rule_set, language });
                self.request(message, effects);
            }
        }
    }

    /// Continues the task after a reconnect.
    pub(super) fn resume_task(&mut self, games: &[GameSummary], effects: &mut Vec<Effect>) {
        if self.game.is_some() {
            return self.attach(effects);
        }
        if self.waiting.is_some() {
            // The game may have started while the connection was down.
            let new = games
                .iter()
                .find(|game| !self.known_games.contains(&game.game));
            if let Some(game) = new {
                let game = game.game.clone();
                return self.follow(game, effects);
            }
        }
        self.report_resumed(None, effects);
        if !matches!(self.config.goal, Goal::Lobby(_)) {
            // The subscription ended with the connection.
            self.in_lobby = false;
            self.follow_similar(effects);
        }
        let has_begun = self.waiting.is_some() || self.choices.is_some();
        if !has_begun
            && !self
                .commands
                .iter()
                .any(|request| request.origin == Origin::Goal)
        {
            self.start_task(games, effects);
        }
    }

    fn request(&mut self, message: ClientMessage, effects: &mut Vec<Effect>) {
        self.send(
            Request {
                message,
                origin: Origin::Goal,
            },
            effects,
        );
    }

    fn command(&mut self, message: ClientMessage) {
        self.commands.push_back(Request {
            message,
            origin: Origin::Goal,
        });
    }

    fn open(&mut self, offer: &Offer, visibility: Visibility) {
        if let Some(message) = self.open_request(offer, visibility) {
            self.command(message);
        }
    }

    fn quick(&mut self, offer: &Offer) {
        if let Some(message) = self.quick_request(offer) {
            self.command(message);
        }
    }

    pub(super) fn join(&mut self, seek: Option<SeekId>, code: Option<String>) {
        let message = self.join_request(seek, code);
        self.command(message);
    }

    /// The request that opens an offer; `None` before `hello`.
    pub(super) fn open_request(
        &mut self,
        offer: &Offer,
        visibility: Visibility,
    ) -> Option<ClientMessage> {
        let options = offer.options(self.hello.as_ref()?);
        Some(ClientMessage::Seek(Box::new(OpenSeek {
            cmd_id: self.session.next_cmd_id(),
            options,
            private: visibility == Visibility::Private,
            bots: offer.bots.clone(),
            nonce_hash: Some(self.nonce_hash()),
            level: offer.level,
            criteria: (!offer.criteria.is_empty()).then(|| Box::new(offer.criteria.clone())),
        })))
    }

    /// The request for a quick match; `None` before `hello`.
    pub(super) fn quick_request(&mut self, offer: &Offer) -> Option<ClientMessage> {
        let options = offer.options(self.hello.as_ref()?);
        Some(ClientMessage::QuickMatch(Box::new(QuickMatch {
            cmd_id: self.session.next_cmd_id(),
            options,
            nonce_hash: Some(self.nonce_hash()),
            level: offer.level,
            any_rating: offer.any_rating,
        })))
    }

    /// The request to join an offer.
    pub(super) fn join_request(
        &mut self,
        seek: Option<SeekId>,
        code: Option<String>,
    ) -> ClientMessage {
        ClientMessage::JoinSeek(JoinSeek {
            cmd_id: self.session.next_cmd_id(),
            seek,
            code,
            nonce_hash: Some(self.nonce_hash()),
            level: self.config.level,
        })
    }

    pub(super) fn nonce_hash(&self) -> Bytes {
        Bytes::from(<[u8; 32]>::from(Sha256::digest(self.nonce)))
    }

    /// Handles the answer to a request of [`Origin::Goal`] other than `attach`.
    pub(super) fn task_answered(
        &mut self,
        request: &ClientMessage,
        answer: OkBody,
        effects: &mut Vec<Effect>,
    ) {
        match request {
            ClientMessage::LobbySubscribe(_) => {
                self.lobby_listed(answer, effects);
            }
            ClientMessage::RuleSet(_) => {
                if let Some(rules) = answer.rules {
                    effects.push(Effect::Report(Report::RuleSet(rules)));
                }
                self.end(0, "described", effects);
            }
            ClientMessage::LookUp(_) => {
                let words = answer.words.unwrap_or_default();
                effects.push(Effect::Report(Report::Words(words)));
                self.end(0, "looked up", effects);
            }
            ClientMessage::ListGames(list) if list.scope == GameScope::Finished => {
                let games = answer.games.unwrap_or_default();
                effects.push(Effect::Report(Report::Finished(games)));
                self.end(0, "listed", effects);
            }
            ClientMessage::ListGames(_) => {
                let games = answer.games.unwrap_or_default();
                self.choose(games, "there is no live game to watch", effects);
            }
            ClientMessage::FindSeek(FindSeek { code }) => {
                if let Some(seek) = answer.seek {
                    effects.push(Effect::Report(Report::Found(Box::new(seek))));
                }
                self.join(None, Some(code.clone()));
            }
            message if message.seek_command().is_some() => {
                if let Some(seek) = answer.seek {
                    self.offer_changed(seek, effects);
                }
                if let Some(game) = answer.game {
                    self.follow(game, effects);
                }
            }
            _ => {}
        }
    }

    /// Records the current state of the offer that the player opened or joined.
    pub(super) fn offer_changed(&mut self, seek: Seek, effects: &mut Vec<Effect>) {
        if self.game.is_some() {
            return;
        }
        let is_own = self.identity.as_ref() == Some(&seek.owner);
        if self
            .waiting
            .as_ref()
            .is_some_and(|waiting| waiting.seek == seek)
        {
            return;
        }
        effects.push(Effect::Report(Report::Seek(Box::new(seek.clone()))));
        self.code = seek.code.clone().or(self.code.take());
        self.waiting = Some(Waiting { seek, is_own });
        self.follow_similar(effects);
    }

    /// Follows the only game, asks the player to choose among several, and ends without one.
    fn choose(&mut self, mut games: Vec<GameSummary>, none: &str, effects: &mut Vec<Effect>) {
        match games.len() {
            0 => self.end(1, none, effects),
            1 => self.follow(games.remove(0).game, effects),
            _ => {
                own_turn_first(&mut games, self.identity.as_ref());
                effects.push(Effect::Report(Report::Choose(games.clone())));
                self.choices = Some(games);
            }
        }
    }

    /// The game that a line chooses, by its id or its number in the list.
    pub(super) fn chosen(&self, line: &str) -> Option<GameId> {
        let games = self.choices.as_ref()?;
        let by_place = line
            .parse::<usize>()
            .ok()
            .and_then(|place| games.get(place.checked_sub(1)?));
        let by_id = || games.iter().find(|game| game.game.as_str() == line);
        by_place.or_else(by_id).map(|game| game.game.clone())
    }

    /// Withdraws the player's offer before the program ends; returns whether there is one.
    pub(super) fn withdraw_offer(&mut self) -> bool {
        let Some(waiting) = &self.waiting else {
            return false;
        };
        if self.game.is_some() || !self.connection.is_ready() {
            return false;
        }
        let is_own = waiting.is_own;
        let seek = waiting.seek.seek.clone();
        let body = SeekCommand {
            cmd_id: self.session.next_cmd_id(),
            seek,
        };
        let message = if is_own {
            ClientMessage::CancelSeek(body)
        } else {
            ClientMessage::LeaveSeek(body)
        };
        self.commands.push_back(Request {
            message,
            origin: Origin::Shutdown,
        });
        true
    }
}
