//! The changes of listed games between two looks at the list.

use std::collections::BTreeMap;

use tilewire_protocol::{GameId, GameSummary};

/// The games of the last look.
#[derive(Debug, Default)]
pub(super) struct GameChanges {
    known: BTreeMap<GameId, GameSummary>,
}

impl GameChanges {
    /// Returns the games that were listed at the last look and are different now. New games are announced when they begin.
    pub(super) fn since_last_look(&mut self, listed: Vec<GameSummary>) -> Vec<GameSummary> {
        let before = std::mem::take(&mut self.known);
        let mut changed = Vec::new();
        for game in listed {
            if before.get(&game.game).is_some_and(|known| *known != game) {
                changed.push(game.clone());
            }
            self.known.insert(game.game.clone(), game);
        }
        changed
    }

    /// Forgets the games: no subscriber gets changes for a while.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::Phase;

    use super::*;

    fn game(name: &str, turn_no: u32) -> GameSummary {
        GameSummary {
            game: name.into(),
            rule_set: "classic".into(),
            lexicon: "wordnik".into(),
            options: None,
            seats: Vec::new(),
            phase: Phase::Running,
            turn_no,
            clocks: None,
            started_at: None,
            watching: 0,
            private: false,
            ended_at: None,
        }
    }

    #[test]
    fn only_a_game_that_was_listed_and_differs_has_changed() {
        let mut changes = GameChanges::default();
        assert_eq!(
            changes.since_last_look(vec![game("a", 1), game("b", 1)]),
            []
        );
        let listed = vec![game("a", 2), game("b", 1), game("c", 1)];
        assert_eq!(changes.since_last_look(listed), [game("a", 2)]);
        assert_eq!(changes.since_last_look(vec![game("c", 2)]), [game("c", 2)]);
        changes.forget();
        assert_eq!(changes.since_last_look(vec![game("c", 3)]), []);
    }
}
