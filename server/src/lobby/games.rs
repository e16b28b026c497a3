//! Seeks that become games.

use tilewire_protocol::{Bytes, ErrorCode, GameCreated, ServerMessage};

use super::desk::{Desk, change};
use super::machine::{OpenSeek, Plan};
use super::recall::{decode_answer, encode_answer, unreadable};
use crate::crash_points::{Point, reached};
use crate::game::{CreateError, NewGame, NewPlayer};
use crate::metrics;
use crate::storage::StoredCommand;
use crate::wire::{Refusal, level_from_wire};

impl Desk {
    /// Makes the game of a seek that is stored as starting.
    ///
    /// On an error there is no game, but for [`NoGame::Perhaps`].
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
        });
        let new = NewGame {
            id: game.0.clone(),
            options,
            players: players.collect(),
            private_code: open.seek.code.clone(),
        };
        reached(Point::BeforeGame);
        self.services.directory.create(new).await.map_err(|error| {
            tracing::warn!(%error, game = game.0, "a game could not be made");
            let refusal = Refusal::new(create_code(&error), error.to_string());
            match error {
                CreateError::Unsure => NoGame::Perhaps(refusal),
                _ => NoGame::For(refusal),
            }
        })?;
        reached(Point::AfterGame);
        metrics::game_created();
        Ok(())
    }

    /// Takes a seek out whose game is made, and tells its members. What is stored of it goes with the next change.
    pub(super) fn has_begun(&mut self, open: &OpenSeek) {
        let Some(game) = &open.starting else { return };
        self.made.insert(open.seek.seek.clone());
        self.lobby.remove(&open.seek.seek);
        metrics::seeks(self.lobby.len());
        for (person, seat) in open.seek.members.iter().zip(0_u8..) {
            let created = GameCreated {
                game: game.clone(),
                seek: open.seek.seek.clone(),
                seat,
            };
            for peer in self.services.registry.of(&person.identity.0) {
                peer.send(0, &ServerMessage::GameCreated(created.clone()));
            }
        }
        self.publish_removal(open);
    }

    /// Makes the games that were noted and not made: a crash, or a storage that did not answer, came between. What
    /// cannot be made now is tried again.
    pub(super) async fn finish_half_started(&mut self) {
        let half: Vec<OpenSeek> = self
            .lobby
            .seeks()
            .filter(|open| open.starting.is_some())
            .cloned()
            .collect();
        for open in half {
            // Whoever waits for it asks again.
            self.keep_promise(&open).await.ok();
        }
    }

    /// Makes the game that an answer told of, if it has not been made yet: a retry is not sent to a game that is not
    /// there.
    pub(super) async fn before_told_again(
        &mut self,
        answer: &ServerMessage,
    ) -> Result<(), Refusal> {
        let ServerMessage::Ok(ok) = answer else {
            return Ok(());
        };
        let half = self
            .lobby
            .seeks()
            .find(|open| open.starting.is_some() && open.starting == ok.game)
            .cloned();
        match half {
            Some(open) => self.keep_promise(&open).await,
            None => Ok(()),
        }
    }

    async fn keep_promise(&mut self, open: &OpenSeek) -> Result<(), Refusal> {
        let refusal = match self.make_game(open).await {
            Ok(()) => {
                self.has_begun(open);
                return Ok(());
            }
            Err(NoGame::For(refusal) | NoGame::Perhaps(refusal)) => refusal,
        };
        if !refusal.code.retryable() {
            tracing::error!(seek = open.seek.seek.0, %refusal, "a seek did not become a game and is dropped");
            self.break_promise(open, &refusal).await?;
        }
        Err(refusal)
    }

    /// Drops a seek that cannot become a game; who was told of the game is refused from here on.
    async fn break_promise(&mut self, open: &OpenSeek, refusal: &Refusal) -> Result<(), Refusal> {
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

/// Why a seek has not become a game.
#[derive(Debug)]
pub(super) enum NoGame {
    /// There is none.
    For(Refusal),
    /// It is not known whether there is one; making the same again tells.
    Perhaps(Refusal),
}

fn create_code(error: &CreateError) -> ErrorCode {
    match error {
        CreateError::Options(_) => ErrorCode::BadOptions,
        CreateError::Players { .. } | CreateError::Taken => ErrorCode::Internal,
        CreateError::Unknown(_) => ErrorCode::UnknownLexicon,
        CreateError::Full | CreateError::Elsewhere => ErrorCode::Busy,
        CreateError::Storage | CreateError::Unsure => ErrorCode::StoragePaused,
        CreateError::Stopping => ErrorCode::ShuttingDown,
    }
}
