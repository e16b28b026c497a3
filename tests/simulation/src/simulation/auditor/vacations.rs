//! Vacations: the games of a player have them, and no others. The oracle checks what a vacation does to a deadline.

use super::messages::kind_of;
use super::{Auditor, Log};
use crate::simulation::disk::Durable;
use crate::simulation::durable::StoredVacations;

/// How long the creation of a game can take, ms.
const CREATED_MS: i64 = 60_000;

impl Auditor {
    /// Checks, while nothing fails any more, that every game with the option knows the vacations of its players.
    ///
    /// # Panics
    /// When one does not.
    pub fn check_vacations(&self, durable: &Durable) {
        let running = || self.logs.values().filter(|log| log.book.ended.is_none());
        for log in running() {
            for (seat, player) in log.book.created.players.iter().enumerate() {
                let known = durable.vacations.get(&player.identity);
                self.check_vacation(log, seat, known);
            }
        }
        for (identity, own) in &durable.vacations {
            let waits = running().any(|log| {
                let mut players = log.book.created.players.iter();
                let is_own = players.any(|player| player.identity == *identity);
                is_own && stands(log)
            });
            assert!(own.is_applied || waits, "{identity}: {own:?}");
        }
    }

    /// Checks what one game knows of a player's vacations.
    fn check_vacation(&self, log: &Log, seat: usize, known: Option<&StoredVacations>) {
        let book = &log.book;
        let fold = &book.judge.fold.seats[seat];
        let until: Option<i64> = fold.vacation_until;
        let last = known.and_then(|own| own.vacations.last());
        if !book.created.options.vacation {
            assert_eq!(until, None, "a vacation without the option");
            return;
        }
        let is_here = fold.retired.is_none() && !stands(log);
        // One that was being created then is not told.
        let began = log.records[0].at.plus(CREATED_MS);
        let is_told = known.is_none_or(|own| own.is_applied && began < own.changed_at);
        if is_here && is_told {
            let now = self.now;
            let last = last.map_or(i64::MIN, |last| last.0);
            assert_eq!(
                until.unwrap_or(i64::MIN).max(now),
                last.max(now),
                "a game knows another vacation of seat {seat}"
            );
        }
    }
}

/// Says whether a game is paused or adjourned.
fn stands(log: &Log) -> bool {
    let mut kinds = log.records.iter().rev().map(kind_of);
    let last = kinds.find(|kind| ["paused", "adjourned", "resumed"].contains(kind));
    last.is_some_and(|kind| kind != "resumed")
}
