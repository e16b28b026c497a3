//! The final scores of a recorded game, and why the totals of its score sheet differ from them.

use tilewire_rules::event::{Event, PublicEvent, Record, SeatResult};
use tilewire_rules::notation;
use tilewire_rules::record::gcg::{Gcg, Kind};
use tilewire_rules::ruleset::RuleSet;

use super::source::{Loaded, Source};
use crate::text::{Account, printable, ranked};

/// The final scores of a record.
pub(super) struct FinalScores {
    /// The final scores that the server announced, in rank order; empty for a score sheet, which does not contain them.
    pub(super) accounts: Vec<Account>,
    /// Why the totals of the score sheet differ from the final scores.
    pub(super) remark: Option<String>,
}

impl FinalScores {
    /// The final scores of a record with this whole score sheet.
    pub(super) fn of(loaded: &Loaded, sheet: &Gcg) -> Self {
        let results = match &loaded.source {
            Source::Native(_, records) => results(records),
            Source::Gcg(_) => &[],
        };
        let accounts: Vec<Account> = results
            .iter()
            .zip(&sheet.players)
            .map(|(result, player)| account(&loaded.rules, &player.name, result))
            .collect();
        let mut scores = results.iter().zip(&sheet.players);
        let differs =
            scores.any(|(result, player)| result.final_score != total(sheet, &player.nick));
        let remark = doubled(&loaded.rules, sheet).or_else(|| {
            differs.then(|| "The totals of the score sheet are not the final scores.".to_owned())
        });
        Self {
            accounts: ranked(accounts),
            remark,
        }
    }
}

/// The results in a log that ends with the end of the game.
fn results(records: &[Record]) -> &[SeatResult] {
    match records.last().map(|record| &record.event) {
        Some(Event::Public(PublicEvent::Ended(ended))) => &ended.results,
        _ => &[],
    }
}

fn account(rules: &RuleSet, name: &str, result: &SeatResult) -> Account {
    Account {
        name: printable(name),
        rank: result.rank,
        final_score: result.final_score,
        score: result.score,
        rack_points: result.rack_points,
        time_penalty: result.time_penalty.saturating_neg(),
        rack: notation::format_rack(&result.rack, &rules.tiles),
    }
}

/// The last total of a player.
fn total(sheet: &Gcg, nick: &str) -> i32 {
    let mut events = sheet.events.iter().rev();
    events
        .find(|event| event.nick == nick)
        .map_or(0, |event| event.total)
}

/// The remark about a sheet of two players that counts the unplayed tiles twice for one of them.
fn doubled(rules: &RuleSet, sheet: &Gcg) -> Option<String> {
    let (event, tiles) = sheet.events.iter().find_map(|event| match &event.kind {
        Kind::RackBonus(tiles) => Some((event, tiles)),
        _ => None,
    })?;
    let left = notation::parse_rack(tiles, &rules.tiles).ok()?;
    let points = rules.tiles.sum(&left);
    let is_doubled = sheet.players.len() == 2 && points > 0 && event.score == 2 * points;
    is_doubled.then(|| {
        format!(
            "The score sheet counts the unplayed tiles twice for {}, as other programs do. The rules count them once for \
             {0}, and subtract them from the other player. So both totals are {points} above the final scores.",
            printable(&event.nick)
        )
    })
}
