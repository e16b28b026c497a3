//! The changes of the list of live games between two looks at it.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::LobbyChangeKind::{GameChanged, GameRemoved};
use tilewire_protocol::{GameId, GameSummary, LobbyChangeKind};

/// The games of the last look.
#[derive(Debug, Default)]
pub(super) struct GameChanges {
    known: BTreeMap<GameId, GameSummary>,
    /// Those that their players had left to house bots.
    left: BTreeSet<GameId>,
}

impl GameChanges {
    /// Returns the games that were listed at the last look and are different now, those whose players have left them to house bots
    /// since, and those whose players are back. New games are announced when they begin.
    pub(super) fn since_last_look(
        &mut self,
        listed: Vec<GameSummary>,
        left: Vec<GameSummary>,
    ) -> Vec<(LobbyChangeKind, GameSummary)> {
        let known = std::mem::take(&mut self.known);
        let had_left = std::mem::take(&mut self.left);
        let mut changes = Vec::new();
        for game in listed {
            let has_changed = known.get(&game.game).is_some_and(|known| *known != game);
            if has_changed || had_left.contains(&game.game) {
                changes.push((GameChanged, game.clone()));
            }
            self.known.insert(game.game.clone(), game);
        }
        for game in left {
            self.left.insert(game.game.clone());
            if !had_left.contains(&game.game) {
                changes.push((GameRemoved, game));
            }
        }
        changes
    }

    /// Forgets the listed games: no subscriber gets changes for a while.
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

    #[track_caller]
    fn check(
        changes: &mut GameChanges,
        [listed, left]: [&[GameSummary]; 2],
        expected: &[(LobbyChangeKind, GameSummary)],
    ) {
        let found = changes.since_last_look(listed.to_vec(), left.to_vec());
        assert_eq!(found, expected);
    }

    #[test]
    fn only_a_game_that_was_listed_and_differs_has_changed() {
        let mut changes = GameChanges::default();
        check(&mut changes, [&[game("a", 1), game("b", 1)], &[]], &[]);
        let listed = [game("a", 2), game("b", 1), game("c", 1)];
        check(&mut changes, [&listed, &[]], &[(GameChanged, game("a", 2))]);
        let (other, changed) = (game("c", 2), (GameChanged, game("c", 2)));
        check(&mut changes, [&[other], &[]], &[changed]);
        changes.forget();
        check(&mut changes, [&[game("c", 3)], &[]], &[]);
    }

    #[test]
    fn a_game_leaves_once_with_its_player_and_comes_back() {
        let mut changes = GameChanges::default();
        let [a, b] = [game("a", 1), game("b", 1)];
        let (one, both) = ([b.clone()], [a.clone(), b.clone()]);
        let left = [a.clone()];
        check(&mut changes, [&one, &left], &[(GameRemoved, a.clone())]);
        check(&mut changes, [&one, &left], &[]);
        changes.forget();
        check(&mut changes, [&one, &left], &[]);
        check(&mut changes, [&both, &[]], &[(GameChanged, a.clone())]);
        check(&mut changes, [&both, &[]], &[]);
        check(&mut changes, [&one, &left], &[(GameRemoved, a)]);
    }
}
