//! Seeks that become games.

use tilewire_protocol::{Bytes, ErrorCode, GameCreated, GameId, ServerMessage};

use super::decision::Plan;
use super::open_seek::OpenSeek;
use super::rated;
use super::stored_answers::{decode_answer, encode_answer, unreadable};
use super::task::{LobbyTask, change};
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::metrics::record::GameClass;
use tilewire_game::{CreateError, NewGame, NewPlayer};
use tilewire_store::StoredCommand;
use tilewire_wire::{Refusal, level_from_wire};

impl LobbyTask {
    /// Creates the game of a seek that is stored as starting.
    ///
    /// On an error there is no game, except with [`NoGame::Perhaps`].
    pub(super) async fn make_game(&self, open: &OpenSeek) -> Result<(), NoGame> {
        let Some(game) = open.starting.clone() else {
            return Ok(());
        };
        let options = tilewire_rules::options::GameOptions {
            seats: u8::try_from(open.seek.members.len()).unwrap_or(u8::MAX),
            ..open.options.clone()
        };
        let members = open.seek.members.iter().zip(&open.nonce_hashes);
        let players = members.map(|(person, hash)| NewPlayer {
            identity: person.identity.0.clone(),
            name: person.name.clone(),
            nonce_hash: hash.as_ref().and_then(Bytes::to_array),
            level: level_from_wire(person.level),
            kind: Some(rated::kind_of(person)),
            rating: rated::rating_of(
                &*self.services.ratings,
                &person.identity.0,
                rated::kind_of(person),
                &open.options,
            ),
        });
        let new = NewGame {
            id: game.clone(),
            options,
            players: players.collect(),
            private_code: open.spectators_code().cloned(),
            series: open.rematch.as_ref().and_then(|offer| offer.series.clone()),
            from: open.from,
        };
        reached(Point::BeforeGame);
        match self.services.directory.create(new).await {
            Ok(_) => {}
            Err(error) => return Err(no_game(&game, &error)),
        }
        reached(Point::AfterGame);
        let rule_set = &open.seek.options.rule_set;
        metrics::game_created(GameClass::of(rule_set, open.options.rated));
        tracing::info!(game = game.0, rule_set, "a game was created");
        Ok(())
    }

    /// Removes a seek whose game exists, and tells its members. The next stored change removes it from the storage.
    pub(super) fn game_began(&mut self, open: &OpenSeek) {
        let Some(game) = &open.starting else { return };
        self.started.insert(open.seek.seek.clone());
        self.lobby.remove(&open.seek.seek);
        metrics::seeks(self.lobby.len());
        for (person, seat) in open.seek.members.iter().zip(0_u8..) {
            let created = GameCreated {
                game: game.clone(),
                seek: open.id_for(usize::from(seat)).clone(),
                seat,
            };
            for peer in self.services.registry.of(&person.identity.0) {
                peer.send(0, &ServerMessage::GameCreated(created.clone()));
            }
        }
        if open.is_offer() {
            self.tell_offer_begun(open, game);
        }
        self.publish_removal(open);
        if let Some(paired) = &open.paired {
            self.publish_public_removal(&paired.seek);
        }
    }

    /// Creates the games of seeks that are stored as starting: a crash or a storage fault came between. What fails is
    /// tried again later.
    pub(super) async fn finish_half_started(&mut self) {
        let half: Vec<OpenSeek> = self
            .lobby
            .seeks()
            .filter(|open| open.starting.is_some())
            .cloned()
            .collect();
        for open in half {
            // The clients that wait for it ask again.
            self.finish_start(&open).await.ok();
        }
    }

    /// Creates the game that an answer names, if it does not exist yet, so that the repeated answer is true.
    pub(super) async fn before_repeat(&mut self, answer: &ServerMessage) -> Result<(), Refusal> {
        let ServerMessage::Ok(ok) = answer else {
            return Ok(());
        };
        let half = self
            .lobby
            .seeks()
            .find(|open| open.starting.is_some() && open.starting == ok.game)
            .cloned();
        match half {
            Some(open) => self.finish_start(&open).await,
            None => Ok(()),
        }
    }

    async fn finish_start(&mut self, open: &OpenSeek) -> Result<(), Refusal> {
        let (refusal, is_final) = match self.make_game(open).await {
            Ok(()) => {
                self.game_began(open);
                return Ok(());
            }
            Err(NoGame::For(refusal) | NoGame::Perhaps(refusal)) => {
                let is_final = !refusal.code.retryable();
                (refusal, is_final)
            }
        };
        if is_final {
            tracing::error!(seek = open.seek.seek.0, %refusal, "a seek cannot become a game; it is dropped");
            self.drop_start(open, &refusal).await?;
        }
        Err(refusal)
    }

    /// Drops a seek that cannot become a game. Its members' commands are refused from now on.
    async fn drop_start(&mut self, open: &OpenSeek, refusal: &Refusal) -> Result<(), Refusal> {
        let answer = ServerMessage::Error(refusal.clone().into());
        for person in open.seek.members.iter().filter(|person| !person.bot) {
            let commands = self.services.store.commands_of(&person.identity.0).await;
            for former in commands.map_err(|error| unreadable(&error))? {
                let told = decode_answer(&former.answer);
                if matches!(&told, ServerMessage::Ok(ok) if ok.game == open.starting) {
                    let command = StoredCommand {
                        answer: encode_answer(&answer),
                        ..former
                    };
                    self.store(change([], vec![command])).await?;
                }
            }
        }
        let gone = Plan {
            remove: vec![open.clone()],
            ..Plan::default()
        };
        self.store(change([&gone], Vec::new())).await?;
        self.adopt(&gone);
        Ok(())
    }
}

/// The reason why a seek did not become a game.
#[derive(Debug)]
pub(super) enum NoGame {
    /// The game does not exist.
    For(Refusal),
    /// It is not known whether the game exists; creating it again tells.
    Perhaps(Refusal),
}

fn no_game(game: &GameId, error: &CreateError) -> NoGame {
    tracing::warn!(%error, game = game.0, "a game could not be created");
    let refusal = Refusal::new(create_code(error), error.to_string());
    match error {
        CreateError::Unsure => NoGame::Perhaps(refusal),
        _ => NoGame::For(refusal),
    }
}

fn create_code(error: &CreateError) -> ErrorCode {
    match error {
        CreateError::Options(_) => ErrorCode::BadOptions,
        CreateError::Players { .. } | CreateError::Taken => ErrorCode::Internal,
        CreateError::Unknown(_) => ErrorCode::UnknownLexicon,
        CreateError::AddressFull => ErrorCode::TooManyGames,
        CreateError::Full => ErrorCode::Busy,
        CreateError::Storage | CreateError::Unsure => ErrorCode::StoragePaused,
        CreateError::Stopping => ErrorCode::ShuttingDown,
    }
}
