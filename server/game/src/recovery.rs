//! From a stored log to the room of a game.
//!
//! A log is never trusted: the rules replay it, and the lexicon must be the one that the game began with. A game that
//! fails a check is set aside for the operator; the others go on.

use std::sync::Arc;

use tilewire_rules::alphabet::Letter;
use tilewire_rules::event::Event;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::Timestamp;

use crate::bounds::GameBounds;
use crate::room::{Participant, Room, RoomParts};
use tilewire_store::{GameMeta, StoredGame};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::shown_hash;
use tilewire_wire::to_wire::{GameFacts, Privacy};

/// The reasons why a stored game cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecoveryError {
    /// The log does not begin with the creation of a game.
    #[error("the log does not begin with the creation of a game")]
    NoCreation,
    /// The log belongs to another game, or to other players.
    #[error("the log does not belong to what is stored beside it")]
    Mismatch,
    /// The server does not have the rule set.
    #[error("there is no rule set {} here", quoted(.0))]
    RuleSet(String),
    /// The server does not have the lexicon, or has a different one with the same name.
    #[error(transparent)]
    Lexicon(#[from] LostLexicon),
    /// The rules refuse the log.
    #[error(transparent)]
    Replay(#[from] tilewire_rules::state::ReplayError),
}

/// The lexicon of a game is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it is played with the lexicon {} of hash {}…; {}", quoted(.name), shown_hash(hash), self.instead()
)]
pub struct LostLexicon {
    /// Its name.
    pub name: String,
    /// Its hash.
    pub hash: [u8; 32],
    /// The hash of the lexicon with this name, if there is one.
    pub found: Option<[u8; 32]>,
}

impl LostLexicon {
    fn instead(&self) -> String {
        match &self.found {
            Some(found) => format!("the one here has the hash {}…", shown_hash(found)),
            None => "there is none of this name here".to_owned(),
        }
    }
}

/// A placeholder for the lexicon of a finished game, which needs no more verdicts.
struct Closed {
    name: String,
    hash: [u8; 32],
}

impl Lexicon for Closed {
    fn name(&self) -> &str {
        &self.name
    }

    fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    fn words(&self) -> u64 {
        0
    }

    fn contains(&self, _word: &[Letter]) -> bool {
        false
    }
}

/// Returns the room of a stored game.
///
/// # Errors
/// The reason why the game cannot go on.
pub fn room<P: Participant>(
    stored: StoredGame,
    catalogue: &Catalogue,
    bounds: GameBounds,
    now: Timestamp,
) -> Result<Room<P>, RecoveryError> {
    let parts = parts(&stored, catalogue, bounds)?;
    let room = Room::new(parts, stored.records, stored.rows, now)?;
    if stored.is_finished && !room.is_over() {
        return Err(RecoveryError::Mismatch);
    }
    Ok(room)
}

fn parts(
    stored: &StoredGame,
    catalogue: &Catalogue,
    bounds: GameBounds,
) -> Result<RoomParts, RecoveryError> {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return Err(RecoveryError::NoCreation);
    };
    let players = created.players.iter().map(|player| &player.identity);
    if created.game != stored.meta.game.as_str() || !players.eq(&stored.meta.players) {
        return Err(RecoveryError::Mismatch);
    }
    let options = &created.options;
    let rules = catalogue
        .rules(&options.rule_set, &options.language)
        .cloned()
        .ok_or_else(|| RecoveryError::RuleSet(options.rule_set.clone()))?;
    let found = catalogue.lexica.find(&options.lexicon);
    let name = options.lexicon.clone();
    let hash = created.lexicon_hash;
    let lexicon = match found {
        Some(lexicon) if *lexicon.hash() == hash => Arc::clone(lexicon),
        // A finished game needs no more verdicts.
        _ if stored.is_finished => Arc::new(Closed { name, hash }),
        other => {
            let found = other.map(|lexicon| *lexicon.hash());
            return Err(LostLexicon { name, hash, found }.into());
        }
    };
    Ok(RoomParts {
        facts: facts(&stored.meta),
        code: stored.meta.private_code.clone(),
        rules,
        lexicon,
        bounds,
    })
}

/// Returns the facts about a stored game that its log does not hold.
pub fn facts(meta: &GameMeta) -> GameFacts {
    GameFacts {
        game: meta.game.clone(),
        epoch: meta.epoch,
        privacy: match meta.private_code {
            Some(_) => Privacy::Private,
            None => Privacy::Public,
        },
    }
}

#[cfg(test)]
mod tests {
    use tilewire_rules::ruleset::RuleSet;
    use tilewire_rules::time::Timestamp;

    use tilewire_rules::event::{Created, Player};
    use tilewire_rules::game::Game;
    use tilewire_rules::options::GameOptions;
    use tilewire_rules::stream::commitment;
    use tilewire_wire::lexica::Lexica;

    use super::*;

    fn stored() -> StoredGame {
        let catalogue = Catalogue::new(Lexica::builtin());
        let secret = [4; 32];
        let created = Created {
            game: "g1".to_owned(),
            options: GameOptions::classic("wordnik"),
            players: ["ada", "bob"]
                .map(|name| Player {
                    identity: name.to_owned(),
                    name: name.to_owned(),
                    nonce_hash: None,
                    level: None,
                    kind: None,
                    rating: None,
                })
                .to_vec(),
            lexicon_hash: *catalogue.lexica.find("wordnik").unwrap().hash(),
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let (_, first) = Game::create(RuleSet::classic(), Timestamp(0), created).unwrap();
        StoredGame {
            meta: GameMeta {
                game: "g1".into(),
                epoch: 1,
                rule_set: "classic".to_owned(),
                private_code: None,
                players: vec!["ada".to_owned(), "bob".to_owned()],
                created_at: Timestamp(0),
            },
            records: vec![first],
            rows: Vec::new(),
            is_finished: false,
            lost_ms: None,
        }
    }

    fn problem(change: impl FnOnce(&mut StoredGame)) -> Option<RecoveryError> {
        let mut stored = stored();
        change(&mut stored);
        parts(
            &stored,
            &Catalogue::new(Lexica::builtin()),
            GameBounds::default(),
        )
        .err()
    }

    fn creation(stored: &mut StoredGame) -> &mut Created {
        match &mut stored.records[0].event {
            Event::Created(created) => created,
            _ => panic!("a log begins with the creation"),
        }
    }

    /// Past verdicts do not depend on the lexicon that the server has now.
    #[test]
    fn a_finished_game_needs_its_lexicon_no_more() {
        let gone = |stored: &mut StoredGame| {
            creation(stored).options.lexicon = "old".to_owned();
            stored.is_finished = true;
        };
        assert_eq!(problem(gone), None);
    }

    #[test]
    fn only_a_game_that_is_what_it_was_is_taken_up() {
        assert_eq!(problem(|_| {}), None);
        let no_creation = problem(|stored| stored.records.clear());
        assert_eq!(no_creation, Some(RecoveryError::NoCreation));
        let other = problem(|stored| stored.meta.players.reverse());
        assert_eq!(other, Some(RecoveryError::Mismatch));
        let changed = problem(|stored| creation(stored).lexicon_hash[0] ^= 1);
        let said = changed.unwrap().to_string();
        assert!(
            said.contains("\"wordnik\" of hash 8cfb6cde5b84ee9e…; the one here has the hash 8dfb"),
            "{said}"
        );
        let gone = problem(|stored| creation(stored).options.lexicon = "old".to_owned());
        let said = gone.unwrap().to_string();
        assert!(said.contains("there is none of this name here"), "{said}");
        let rules = problem(|stored| creation(stored).options.rule_set = "old".to_owned());
        assert_eq!(rules, Some(RecoveryError::RuleSet("old".to_owned())));
    }
}
