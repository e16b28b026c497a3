//! Finished games for lists, from their logs.

use tilewire_protocol::{GameSummary, Phase, SummarySeat};
use tilewire_rules::event::{Event, PublicEvent, Record, SeatResult};

use tilewire_base::house_bots::is_house_bot;
use tilewire_store::StoredGame;
use tilewire_wire::{options, pieces};

/// Returns the summary of a finished game with its final scores; `None` if its log has no end.
///
/// It needs no rule set: the operator can have removed the one of an old game.
#[must_use]
pub fn finished(stored: &StoredGame) -> Option<GameSummary> {
    let first = stored.records.first()?;
    let last = stored.records.last()?;
    let (Event::Created(created), Event::Public(PublicEvent::Ended(ended))) =
        (&first.event, &last.event)
    else {
        return None;
    };
    let seat = |(player, result): (&tilewire_rules::event::Player, &SeatResult)| SummarySeat {
        identity: player.identity.as_str().into(),
        name: player.name.clone(),
        score: result.final_score,
        on_turn: false,
        bot: is_house_bot(&player.identity),
        rank: Some(result.rank).filter(|rank| *rank > 0),
        rating: player.rating.map(pieces::rating_to_wire),
    };
    let turns = || stored.records.iter().filter_map(turn);
    Some(GameSummary {
        game: stored.meta.game.clone(),
        rule_set: created.options.rule_set.clone(),
        lexicon: created.options.lexicon.clone(),
        options: Some(Box::new(options::to_wire(&created.options))),
        seats: created
            .players
            .iter()
            .zip(&ended.results)
            .map(seat)
            .collect(),
        phase: Phase::Ended,
        turn_no: turns().next_back().map_or(0, |(_, turn_no)| turn_no),
        clocks: None,
        started_at: turns().next().map(|(at, _)| at),
        watching: 0,
        private: stored.meta.private_code.is_some(),
        ended_at: Some(last.at.0),
    })
}

/// The time and the number of a turn, if the record starts one.
fn turn(record: &Record) -> Option<(i64, u32)> {
    match &record.event {
        Event::Public(PublicEvent::TurnStarted { turn_no, .. }) => Some((record.at.0, turn_no.0)),
        _ => None,
    }
}
