//! Unfinished games that cannot go on: the operator decides what becomes of them, not the server.

use super::{Loaded, TakeUpError};
use crate::config::{DamagedGames, MissingLexicon};
use crate::game::recovery::RecoveryError;

/// How many damaged games are named.
const NAMED: usize = 20;

/// Why a game cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    /// What is stored cannot be understood.
    #[error("{0}")]
    Damaged(String),
    /// A list names the game, and there is none.
    #[error("it is among the unfinished games, but its entry is not there")]
    NoEntry,
    /// It can be read, and not played on.
    #[error(transparent)]
    Recovery(#[from] RecoveryError),
}

/// Refuses to start with games that lack their lexicon or are damaged, unless the operator lets them be.
pub(super) fn refuse_unfit(
    loaded: &[(String, Result<Loaded, Unfit>)],
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

fn refuse_damaged(loaded: &[(String, Result<Loaded, Unfit>)]) -> Result<(), TakeUpError> {
    let damaged: Vec<String> = loaded
        .iter()
        .filter_map(|(game, loaded)| match loaded {
            // These are told apart: what they lack can be put back.
            Ok(_) | Err(Unfit::Recovery(RecoveryError::Lexicon(_) | RecoveryError::RuleSet(_))) => {
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

fn refuse_missing(loaded: &[(String, Result<Loaded, Unfit>)]) -> Result<(), TakeUpError> {
    let mut missing = loaded.iter().filter_map(|(game, loaded)| match loaded {
        Err(Unfit::Recovery(RecoveryError::Lexicon(missing))) => Some((game, missing)),
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
