//! Looks up words in the lexicon of a game that has ended (P-SEE-11).

use std::sync::Arc;

use tilewire_protocol::{ErrorBody, ErrorCode, LookUp, LookedUpWord, OkBody, ServerMessage};
use tilewire_rules::alphabet::TileSet;
use tilewire_rules::event::{Created, Event};
use tilewire_rules::lexicon::Lexicon;

use super::services::Services;
use tilewire_delivery::outbound::Peer;
use tilewire_game::attach::check_code;
use tilewire_store::StoredGame;

/// Returns the answer to a `look_up`.
pub(super) async fn look_up(services: &Services, peer: &Peer, asked: LookUp) -> ServerMessage {
    let stored = match services.directory.stored(&asked.game).await {
        Ok(stored) => stored,
        Err(error) => return ServerMessage::Error(ErrorBody::new(error.code(), error.to_string())),
    };
    match looked_up(services, peer, asked, &stored).await {
        Ok(words) => ServerMessage::Ok(Box::new(OkBody {
            words: Some(words),
            ..OkBody::default()
        })),
        Err(refusal) => ServerMessage::Error(refusal),
    }
}

async fn looked_up(
    services: &Services,
    peer: &Peer,
    asked: LookUp,
    stored: &StoredGame,
) -> Result<Vec<LookedUpWord>, ErrorBody> {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        let text = "the game cannot be read";
        return Err(ErrorBody::new(ErrorCode::Internal, text));
    };
    let mut players = created.players.iter();
    if !players.any(|player| player.identity == peer.identity()) {
        check_code(stored.meta.private_code.as_deref(), asked.code.as_deref())?;
    }
    if !stored.is_finished {
        let text = "the game has not ended; its words are looked up afterwards";
        return Err(ErrorBody::new(ErrorCode::NotOver, text));
    }
    let lexicon = lexicon(services, created)?;
    check_own_games(services, peer.identity(), lexicon.name()).await?;
    let options = &created.options;
    let rules = services
        .catalogue
        .rules(&options.rule_set, &options.language);
    let Some(rules) = rules else {
        let text = "the server no longer has the rule set of the game";
        return Err(ErrorBody::new(ErrorCode::UnknownRuleSet, text));
    };
    let words = asked.words.into_iter();
    Ok(words
        .map(|word| LookedUpWord {
            valid: is_valid(&word, &rules.tiles, lexicon.as_ref()),
            word,
        })
        .collect())
}

/// Returns the lexicon that judged the game: the list of today may have other words.
fn lexicon<'a>(
    services: &'a Services,
    created: &Created,
) -> Result<&'a Arc<dyn Lexicon>, ErrorBody> {
    let lexicon = services.catalogue.lexica.find(&created.options.lexicon);
    lexicon
        .filter(|lexicon| *lexicon.hash() == created.lexicon_hash)
        .ok_or_else(|| {
            let text = "the server no longer has the lexicon of the game";
            ErrorBody::new(ErrorCode::UnknownLexicon, text)
        })
}

/// Refuses a player of an unfinished game with the same lexicon, who could look up the words of that game.
async fn check_own_games(
    services: &Services,
    identity: &str,
    lexicon: &str,
) -> Result<(), ErrorBody> {
    let games = services.directory.of_identity(identity).await;
    let games = games.map_err(|error| {
        tracing::warn!(%error, "the games of an identity could not be read");
        ErrorBody::new(ErrorCode::StoragePaused, "the storage does not answer")
    })?;
    match games.iter().find(|game| game.lexicon == lexicon) {
        Some(game) => {
            let text = format!(
                "you play the game {} with this lexicon; look up words after it",
                game.game
            );
            Err(ErrorBody::new(ErrorCode::NotOver, text))
        }
        None => Ok(()),
    }
}

fn is_valid(word: &str, tiles: &TileSet, lexicon: &dyn Lexicon) -> bool {
    let upper = word.to_uppercase();
    // `to_uppercase` can change a face, such as `ß`; a word in the case of its tiles is read as it is.
    let letters = tiles.parse_word(word).or_else(|| tiles.parse_word(&upper));
    letters.is_some_and(|letters| lexicon.contains(&letters))
}

#[cfg(test)]
mod tests {
    use tilewire_rules::alphabet::Letter;
    use tilewire_rules::tile_sets::NamedTileSet;

    use super::*;

    /// Knows only `LLAMA`, spelled with the Spanish tile LL.
    struct OneWord(Vec<Letter>);

    impl Lexicon for OneWord {
        fn name(&self) -> &'static str {
            "one-word"
        }

        fn hash(&self) -> &[u8; 32] {
            &[0; 32]
        }

        fn words(&self) -> u64 {
            1
        }

        fn contains(&self, word: &[Letter]) -> bool {
            word == self.0
        }
    }

    #[test]
    fn a_word_is_read_in_either_case_and_with_blanks() {
        let spanish = NamedTileSet::builtin("spanish").unwrap();
        let tiles = &spanish.tiles;
        let lexicon = OneWord(tiles.parse_word("[LL]AMA").unwrap());
        for (word, valid) in [
            ("[LL]AMA", true),
            ("[ll]aMa", true),
            ("[ll]ama", true),
            ("[Ll]ama", true),
            ("[LL]AM", false),
            ("[LLAMA", false),
            ("LLAMA", false),
            ("?", false),
        ] {
            assert_eq!(is_valid(word, tiles, &lexicon), valid, "{word}");
        }
    }
}
