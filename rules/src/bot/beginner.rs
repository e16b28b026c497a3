//! The beginner: it knows few words, sees few plays, and does not always choose the best of them.

use crate::lexicon::WordGraphs;
use crate::movegen::{Generator, Scored};
use crate::stream::Stream;

use super::{BotTurn, Seen};
use crate::analysis::equity::exchange_all_or_pass;

/// The beginner sees one play in this number.
const SEEN_ONE_IN: u32 = 3;
/// The number of plays that it compares.
const IN_MIND: usize = 4;

pub(super) fn turn(
    generator: &mut Generator,
    words: &WordGraphs,
    seen: &Seen<'_>,
    chance: &mut Stream,
) -> BotTurn {
    let mut best: Vec<Scored> = Vec::new();
    let mut any: Option<Scored> = None;
    generator.for_each(words.common(), seen.rules, seen.board, seen.rack, |found| {
        any.get_or_insert_with(|| found.to_owned());
        if chance.uniform(SEEN_ONE_IN) == 0 {
            let at = best.partition_point(|other| other.score >= found.score);
            if at < IN_MIND {
                best.insert(at, found.to_owned());
                best.truncate(IN_MIND);
            }
        }
    });
    if !best.is_empty() {
        // The lower of two random indexes: mostly one of the better plays.
        let throws = u32::try_from(best.len()).unwrap_or(1);
        let at = chance.uniform(throws).min(chance.uniform(throws));
        return BotTurn::Play(best.swap_remove(at as usize).placement);
    }
    match any {
        Some(play) => BotTurn::Play(play.placement),
        None => exchange_all_or_pass(seen),
    }
}
