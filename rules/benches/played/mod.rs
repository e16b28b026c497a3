//! A recorded game for benchmarks of the rules and of the server: two experts with the rule set `classic`,
//! plays validated by the lexicon. It is a fixed record, so that changes of the bots do not change the benchmarks.

use tilewire_rules::event::{Event, PlayMade, PublicEvent, Record};
use tilewire_rules::game::Game;
use tilewire_rules::record::native;
use tilewire_rules::ruleset::RuleSet;

/// The log.
pub(crate) fn records() -> Vec<Record> {
    let (_, records) = native::read(include_bytes!("game.jsonl")).unwrap();
    records
}

/// The game after the first records of its log.
pub(crate) fn game(records: &[Record]) -> Game {
    Game::replay(RuleSet::classic(), records).unwrap()
}

/// A play in the middle of the game: its index in the log, and what was laid.
pub(crate) fn middle(records: &[Record]) -> (usize, &PlayMade) {
    let mut plays = records.iter().enumerate().filter_map(play);
    plays.nth(12).unwrap()
}

fn play((at, record): (usize, &Record)) -> Option<(usize, &PlayMade)> {
    match &record.event {
        Event::Public(PublicEvent::PlayMade(play)) => Some((at, play)),
        _ => None,
    }
}
