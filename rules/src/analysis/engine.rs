//! The engine: the words, what leaves are worth, and the memory of the searches.

use std::sync::Arc;

use crate::alphabet::Tile;
use crate::analysis::{Candidate, Centipoints, Chances, Leaves, Seen, best_by_equity};
use crate::lexicon::WordGraphs;
use crate::movegen::{Generator, Scored};
use crate::ruleset::RuleSet;

use super::rest_of_game::worth_of_leave;
use super::{EndPosition, Ending, EndingBudget, EndingSearch};

/// Analyses positions of one rule set and language. Nothing is kept between two questions but memory.
#[derive(Debug)]
pub struct Engine {
    pub(super) words: Arc<WordGraphs>,
    pub(super) generator: Generator,
    pub(super) leaves: Leaves,
    pub(super) chances: Arc<Chances>,
    /// Taken at the first ending.
    endings: Option<EndingSearch>,
    /// With a small table, for many endings one after the other; taken at the first one.
    pub(super) many_endings: Option<EndingSearch>,
}

impl Engine {
    /// Returns an engine for the tiles of a rule set.
    #[must_use]
    pub fn new(words: Arc<WordGraphs>, rules: &RuleSet) -> Self {
        Self {
            words,
            generator: Generator::new(),
            leaves: Leaves::for_tiles(&rules.tiles, &rules.language),
            chances: Chances::of(rules),
            endings: None,
            many_endings: None,
        }
    }

    /// Makes the search of endings keep about this number of positions.
    #[must_use]
    pub fn with_table(self, positions: usize) -> Self {
        Self {
            endings: Some(EndingSearch::with_table(positions)),
            ..self
        }
    }

    /// Returns the play with the highest score.
    pub(crate) fn highest(&mut self, seen: &Seen<'_>) -> Option<Scored> {
        let words = self.words.all();
        self.generator
            .best(words, seen.rules, seen.board, seen.rack)
    }

    /// Returns the best turns by score and leave, the best one first, with the best exchange or the pass.
    #[must_use]
    pub fn list(&mut self, seen: &Seen<'_>, most: usize) -> Vec<Candidate> {
        let words = self.words.all();
        best_by_equity(&mut self.generator, words, &self.leaves, seen, most)
    }

    /// The worth of tiles that are kept, in hundredths of a point.
    pub(super) fn leave(&self, kept: &[Tile]) -> Centipoints {
        worth_of_leave(&self.leaves, kept)
    }

    /// Searches an ending.
    pub fn ending(&mut self, position: &EndPosition<'_>, budget: EndingBudget<'_>) -> Ending {
        let endings = self.endings.get_or_insert_with(EndingSearch::new);
        endings.solve(&mut self.generator, self.words.all(), position, budget)
    }
}
