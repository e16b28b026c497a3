//! Seeks that become games.

use tilewire_protocol::{Bytes, ErrorCode, GameCreated, ServerMessage};

use super::desk::Desk;
use super::machine::{OpenSeek, Plan};
use super::tell::removal;
use crate::game::{CreateError, NewGame, NewPlayer};
use crate::metrics;
use crate::wire::{Refusal, level_from_wire};

impl Desk {
    /// Makes the game of a seek, removes the seek and tells its members.
    pub(super) async fn become_game(&mut self, open: &OpenSeek) -> Result<(), Refusal> {
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
        self.app.directory.create(new).await.map_err(|error| {
            tracing::warn!(%error, game = game.0, "a game could not be made");
            Refusal::new(create_code(&error), error.to_string())
        })?;
        metrics::game_created();
        let gone = Plan {
            remove: vec![open.clone()],
            ..Plan::default()
        };
        // If this is not stored, the next start finds the game made and clears the seek away.
        drop(self.store(&gone, None).await);
        self.lobby.adopt(&gone);
        metrics::seeks(self.lobby.len());
        for (person, seat) in open.seek.members.iter().zip(0_u8..) {
            let created = GameCreated {
                game: game.clone(),
                seek: open.seek.seek.clone(),
                seat,
            };
            for peer in self.app.peers.of(&person.identity.0) {
                peer.send(0, &ServerMessage::GameCreated(created.clone()));
            }
        }
        self.publish(open.seek.private, &removal(open), &open.seek);
        Ok(())
    }

    /// A crash came between noting a game and clearing its seek away.
    pub(super) async fn finish_half_started(&mut self) {
        let half: Vec<OpenSeek> = self
            .lobby
            .seeks()
            .into_iter()
            .filter(|open| open.starting.is_some())
            .cloned()
            .collect();
        for open in half {
            if let Err(refusal) = self.become_game(&open).await {
                tracing::error!(seek = open.seek.seek.0, %refusal, "a seek did not become a game and is dropped");
                let gone = Plan {
                    remove: vec![open],
                    ..Plan::default()
                };
                drop(self.store(&gone, None).await);
                self.lobby.adopt(&gone);
            }
        }
    }
}

fn create_code(error: &CreateError) -> ErrorCode {
    match error {
        CreateError::Options(_) => ErrorCode::BadOptions,
        CreateError::Players { .. } | CreateError::Taken => ErrorCode::Internal,
        CreateError::Unknown(_) => ErrorCode::UnknownLexicon,
        CreateError::Full => ErrorCode::Busy,
        CreateError::Storage => ErrorCode::StoragePaused,
        CreateError::Stopping => ErrorCode::ShuttingDown,
    }
}
