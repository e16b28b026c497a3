//! From a stored log back to a game that can be played.
//!
//! A log is never trusted: it is replayed by the rules, and the lexicon must be the very one the game began with. A
//! game that fails any of this is left alone for people to look at; the others go on.

use std::sync::Arc;

use tilewire_rules::event::Event;
use tilewire_rules::ruleset::RuleSet;

use crate::game::GameBounds;
use crate::game::room::{Party, Room, RoomParts};
use crate::lexica::Lexica;
use crate::storage::{GameMeta, StoredGame};
use crate::wire::to_wire::{GameFacts, Privacy};

/// Why a stored game cannot be played on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecoveryError {
    /// The log does not begin with the creation of a game.
    #[error("the log does not begin with the creation of a game")]
    NoCreation,
    /// The log is that of another game, or of other players.
    #[error("the log does not belong to what is stored beside it")]
    Mismatch,
    /// This server does not have the rule set.
    #[error("there is no rule set {0:?} here")]
    RuleSet(String),
    /// This server does not have the lexicon.
    #[error("there is no lexicon {0:?} here")]
    Lexicon(String),
    /// The lexicon has changed since the game began.
    #[error("the lexicon {0:?} is not the one the game began with")]
    LexiconChanged(String),
    /// The rules do not accept the log.
    #[error(transparent)]
    Replay(#[from] tilewire_rules::state::ReplayError),
}

/// Returns the room of a stored game.
///
/// # Errors
/// Says why the game cannot be played on.
pub fn room<P: Party>(
    stored: &StoredGame,
    lexica: &Lexica,
    bounds: GameBounds,
    now: i64,
) -> Result<Room<P>, RecoveryError> {
    let parts = parts(stored, lexica, bounds)?;
    Ok(Room::new(parts, &stored.records, now)?)
}

fn parts(
    stored: &StoredGame,
    lexica: &Lexica,
    bounds: GameBounds,
) -> Result<RoomParts, RecoveryError> {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return Err(RecoveryError::NoCreation);
    };
    let players = created.players.iter().map(|player| &player.identity);
    if created.game != stored.meta.game || !players.eq(&stored.meta.players) {
        return Err(RecoveryError::Mismatch);
    }
    let options = &created.options;
    let rules = RuleSet::builtin(&options.rule_set)
        .ok_or_else(|| RecoveryError::RuleSet(options.rule_set.clone()))?;
    let lexicon = lexica
        .find(&options.lexicon)
        .ok_or_else(|| RecoveryError::Lexicon(options.lexicon.clone()))?;
    if *lexicon.hash() != created.lexicon_hash {
        return Err(RecoveryError::LexiconChanged(options.lexicon.clone()));
    }
    Ok(RoomParts {
        facts: facts(&stored.meta),
        code: stored.meta.private_code.clone(),
        rules,
        lexicon: Arc::clone(lexicon),
        bounds,
    })
}

fn facts(meta: &GameMeta) -> GameFacts {
    GameFacts {
        game: meta.game.as_str().into(),
        epoch: meta.epoch,
        privacy: match meta.private_code {
            Some(_) => Privacy::Private,
            None => Privacy::Public,
        },
    }
}
