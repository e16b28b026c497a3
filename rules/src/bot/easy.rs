//! The easy levels: they know the common words or see some of the plays, and do not always choose the best of those.

use crate::lexicon::WordGraphs;
use crate::movegen::{Generator, Scored};
use crate::stream::Stream;

use super::{BotTurn, Seen};
use crate::analysis::equity::exchange_all_or_pass;

/// How well an easy level plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// Whether it knows all words, not only the common ones.
    pub(super) knows_all: bool,
    /// It sees one play in this number.
    pub(super) sees_one_in: u32,
    /// The number of plays that it compares.
    pub(super) in_mind: usize,
}

pub(super) const BEGINNER: Skill = Skill {
    knows_all: false,
    sees_one_in: 3,
    in_mind: 4,
};
pub(super) const CASUAL: Skill = Skill {
    knows_all: false,
    sees_one_in: 1,
    in_mind: 1,
};
pub(super) const IMPROVER: Skill = Skill {
    knows_all: true,
    sees_one_in: 4,
    in_mind: 1,
};

pub(super) fn turn(
    generator: &mut Generator,
    words: &WordGraphs,
    seen: &Seen<'_>,
    skill: Skill,
    chance: &mut Stream,
) -> BotTurn {
    let mut best: Vec<Scored> = Vec::new();
    let mut any: Option<Scored> = None;
    let known = match skill.knows_all {
        true => words.all(),
        false => words.common(),
    };
    generator.for_each(known, seen.rules, seen.board, seen.rack, |found| {
        any.get_or_insert_with(|| found.to_owned());
        if chance.uniform(skill.sees_one_in) == 0 {
            let at = best.partition_point(|other| other.score >= found.score);
            if at < skill.in_mind {
                best.insert(at, found.to_owned());
                best.truncate(skill.in_mind);
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
