//! Removal of what is kept no longer, in bounded steps.

use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};

use super::journal_reader::JournalReader;
use super::{Connection, Result, chat, credentials, letters, moderation, pushes};
use tilewire_config::Retention;
use tilewire_store::Removed;

const DAY: Millis = Millis(24 * 3_600_000);

/// Lobby commands removed in one step.
const PRUNED_COMMANDS: usize = 1_000;

/// Lines of chat rooms removed in one step.
const PRUNED_LINES: usize = 1_000;

/// Settled reports removed in one step: each has up to 21 lines.
const PRUNED_REPORTS: usize = 100;

/// Letters that were not sent in time and that one step removes; as many pushes.
const PRUNED_LETTERS: usize = 1_000;

/// Ended sessions that one step forgets.
const PRUNED_SESSIONS: usize = 1_000;

/// How long the end of a session is listed. Every server has read it long before; from then on its tokens are refused because they
/// have no session.
const ENDED_SESSIONS_KEPT: Millis = DAY;

/// Idle guests that one step looks at.
const PRUNED_GUESTS: usize = 1_000;

/// Finished games whose result is stored: nothing is lost with their logs.
const FINISHED_GAMES: &str =
    "SELECT game FROM games WHERE finished_at IS NOT NULL AND finished_at < ?1
     AND EXISTS (SELECT 1 FROM results WHERE results.game = games.game)
     ORDER BY finished_at LIMIT ?2";

/// The games that nobody played, up to a time.
pub const VOID_GAMES: &str = "SELECT game FROM games WHERE is_void = 1 AND finished_at < ?1
     AND EXISTS (SELECT 1 FROM results WHERE results.game = games.game)
     ORDER BY finished_at LIMIT ?2";

/// The identities of the index `identities_idle`, each with whether it is kept all the same.
pub const IDLE_GUESTS: &str = "SELECT identity, seen_at,
     EXISTS (SELECT 1 FROM seats WHERE seats.identity = identities.identity)
     OR EXISTS (SELECT 1 FROM revoked_identities WHERE revoked_identities.identity = identities.identity)
     OR EXISTS (SELECT 1 FROM accounts WHERE accounts.identity = identities.identity)
     FROM identities WHERE has_played IS NULL AND identity NOT GLOB 'site-*' AND seen_at >= ?1 AND seen_at < ?2
     ORDER BY seen_at LIMIT ?3";

/// A step of the removal.
#[derive(Debug, Clone, Copy)]
pub struct Prune {
    finished_before: Option<Timestamp>,
    void_before: Option<Timestamp>,
    commands_before: Timestamp,
    now: Timestamp,
    seen_before: Option<Timestamp>,
    lines_before: Option<Timestamp>,
    settled_before: Option<Timestamp>,
    /// Guests last seen earlier were looked at.
    guests_from: Timestamp,
    /// Number of games.
    games: usize,
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pruned {
    /// The rows that this step removed.
    pub removed: Removed,
    /// Guests last seen earlier were looked at.
    guests_from: Timestamp,
    is_last: bool,
}

impl Prune {
    /// Returns the first step.
    pub(crate) fn new(now: Timestamp, retention: &Retention) -> Self {
        let before = |days: i64| (days > 0).then(|| now - DAY * days);
        Self {
            finished_before: before(retention.finished_games_days),
            void_before: before(retention.aborted_games_days),
            commands_before: now - retention.lobby_commands_ms,
            now,
            seen_before: before(retention.idle_guests_days),
            lines_before: before(retention.chat_days),
            settled_before: before(retention.reports_days),
            guests_from: Timestamp::MIN,
            games: retention.sweep_batch,
        }
    }

    /// Returns the step after one that did `pruned`, if there is one.
    pub(crate) fn next(self, pruned: Pruned) -> Option<Self> {
        (!pruned.is_last).then_some(Self {
            guests_from: pruned.guests_from,
            ..self
        })
    }

    pub(crate) fn apply(&self, db: &Connection) -> Result<Pruned> {
        let void_games = remove_games(db, VOID_GAMES, self.void_before, self.games)?;
        let left = self.games.saturating_sub(void_games);
        let finished_games = remove_games(db, FINISHED_GAMES, self.finished_before, left)?;
        if void_games + finished_games > 0 {
            JournalReader::keep_within_journal(db)?;
        }
        let commands = db
            .prepare_cached(
                "DELETE FROM lobby_commands WHERE (identity, cmd_id) IN
                 (SELECT identity, cmd_id FROM lobby_commands WHERE at < ?1 LIMIT ?2)",
            )?
            .execute((self.commands_before.0, PRUNED_COMMANDS))?;
        let lines = match self.lines_before {
            Some(before) => chat::remove(db, before, PRUNED_LINES)?,
            None => 0,
        };
        let reports = match self.settled_before {
            Some(before) => moderation::remove_settled(db, before, PRUNED_REPORTS)?,
            None => 0,
        };
        let old_letters = letters::remove_old(db, self.now, PRUNED_LETTERS)?;
        let old_pushes = pushes::remove_old(db, self.now, PRUNED_LETTERS)?;
        let sessions = credentials::forget_ended_sessions(
            db,
            self.now - ENDED_SESSIONS_KEPT,
            PRUNED_SESSIONS,
        )?;
        let (idle_guests, guests_from) = self.remove_guests(db)?;
        Ok(Pruned {
            removed: Removed {
                finished_games,
                void_games,
                idle_guests,
            },
            guests_from,
            is_last: finished_games < left
                && commands < PRUNED_COMMANDS
                && lines < PRUNED_LINES
                && reports < PRUNED_REPORTS
                && old_letters < PRUNED_LETTERS
                && old_pushes < PRUNED_LETTERS
                && sessions < PRUNED_SESSIONS
                && guests_from == Timestamp::MAX,
        })
    }

    /// Removes idle guests; returns their number, and where the next step goes on.
    fn remove_guests(&self, db: &Connection) -> Result<(usize, Timestamp)> {
        let Some(before) = self.seen_before else {
            return Ok((0, Timestamp::MAX));
        };
        let guests: Vec<(String, i64, bool)> = db
            .prepare_cached(IDLE_GUESTS)?
            .query_map((self.guests_from.0, before.0, PRUNED_GUESTS), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?
            .collect::<Result<_>>()?;
        let mut delete = db.prepare_cached("DELETE FROM identities WHERE identity = ?1")?;
        let mut removed = 0;
        for (identity, _, is_kept) in &guests {
            if !is_kept {
                removed += delete.execute([identity])?;
            }
        }
        let next = match guests.last() {
            // The next step looks again at those of the last moment, unless that was all that this step saw.
            Some((_, last, _)) if guests.len() >= PRUNED_GUESTS => {
                Timestamp(*last).max(self.guests_from.plus(1))
            }
            _ => Timestamp::MAX,
        };
        Ok((removed, next))
    }
}

/// Removes at most `limit` games of those that `query` finds before a moment; returns their number.
fn remove_games(
    db: &Connection,
    query: &str,
    before: Option<Timestamp>,
    limit: usize,
) -> Result<usize> {
    let Some(before) = before else {
        return Ok(0);
    };
    let games: Vec<GameId> = db
        .prepare_cached(query)?
        .query_map((before.0, limit), |row| row.get(0).map(GameId))?
        .collect::<Result<_>>()?;
    for game in &games {
        for delete in [
            "DELETE FROM records WHERE game = ?1",
            "DELETE FROM seats WHERE game = ?1",
            "DELETE FROM games WHERE game = ?1",
        ] {
            db.prepare_cached(delete)?.execute([game.as_str()])?;
        }
    }
    Ok(games.len())
}
