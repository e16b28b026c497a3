//! Unfinished games that cannot go on: the operator decides what to do with them.

use super::TakeUpError;
use super::loader::Loaded;
use crate::recovery::RecoveryError;
use tilewire_config::{DamagedGames, MissingLexicon};
use tilewire_protocol::GameId;

/// The number of damaged games that are named.
const NAMED: usize = 20;

/// The reasons why a game cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unplayable {
    /// Its stored data cannot be read.
    #[error("{0}")]
    Damaged(String),
    /// The list of unfinished games names it, but it is not stored.
    #[error("it is among the unfinished games, but its entry is not there")]
    NoEntry,
    /// Its log can be read, but the game cannot go on.
    #[error(transparent)]
    Recovery(#[from] RecoveryError),
}

/// Refuses to start with games that lack their lexicon or are damaged, unless the settings allow it.
pub(super) fn refuse_unplayable(
    loaded: &[(GameId, Result<Loaded, Unplayable>)],
    missing: MissingLexicon,
    damaged: DamagedGames,
) -> Result<(), TakeUpError> {
    if damaged == DamagedGames::Refuse {
        refuse_damaged(loaded)?;
    }
    if missing == MissingLexicon::Refuse {
        refuse_missing(loaded)?;
    }
    Ok(())
}

fn refuse_damaged(loaded: &[(GameId, Result<Loaded, Unplayable>)]) -> Result<(), TakeUpError> {
    let damaged: Vec<String> = loaded
        .iter()
        .filter_map(|(game, loaded)| match loaded {
            // A missing lexicon or rule set can be put back.
            Ok(_)
            | Err(Unplayable::Recovery(RecoveryError::Lexicon(_) | RecoveryError::RuleSet(_))) => {
                None
            }
            Err(error) => Some(format!("  game {game}: {error}\n")),
        })
        .collect();
    if damaged.is_empty() {
        return Ok(());
    }
    Err(TakeUpError::Damaged {
        count: damaged.len(),
        games: damaged.into_iter().take(NAMED).collect(),
    })
}

fn refuse_missing(loaded: &[(GameId, Result<Loaded, Unplayable>)]) -> Result<(), TakeUpError> {
    let mut missing = loaded.iter().filter_map(|(game, loaded)| match loaded {
        Err(Unplayable::Recovery(RecoveryError::Lexicon(missing))) => Some((game, missing)),
        _ => None,
    });
    let Some((game, lexicon)) = missing.next() else {
        return Ok(());
    };
    Err(TakeUpError::Lexicon {
        game: game.clone(),
        lexicon: Box::new(lexicon.clone()),
        others: missing.count(),
    })
}
