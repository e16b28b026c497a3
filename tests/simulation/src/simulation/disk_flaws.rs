//! The flaws of the simulated disk: changes that it does not store as they are, and reads that show something else.

use tilewire_people::accounts::Effect;
use tilewire_people::conduct::POINTS_MOST;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;
use tilewire_sql::access::{Occasion, SimulatedDisk};
use tilewire_sql::changes::Change;
use tilewire_sql::{ChapterRows, Connection, Result};
use tilewire_store::{
    AccountChange, AccountStore, ConductRow, RatingRow, RecordBatch, ResultStore,
};

use super::disk::State;
use super::durable::at_once;
use super::flaws::Flaw;

/// Logs with fewer records are shown as they are.
const SHOWN_WHOLE: u64 = 4;

impl State {
    /// Says whether a change is answered and not stored.
    pub(super) fn swallows(&mut self, change: &Change) -> bool {
        let is_unsynced = |game: &GameId| self.unsynced.iter().any(|one| one.game() == Some(game));
        match change {
            Change::Lobby(_) => self.flaw == Some(Flaw::LobbyInMemory),
            Change::Create { .. } => self.flaw == Some(Flaw::GamesMadeInMemory),
            Change::Append { game, .. } if is_unsynced(game) => true,
            Change::Append { game, after, .. } => {
                self.flaw == Some(Flaw::AckBeforeSync)
                    && self.durable.head(game) == *after
                    && self.chance.one_in(4)
            }
            _ => false,
        }
    }

    /// Stores something else than a server wants to store.
    pub(super) fn distort(&mut self, change: &mut Change) {
        match (self.flaw, change) {
            (Some(Flaw::HalfOfAnAppend), Change::Append { records, end, .. }) => {
                let mut half = records.records().expect("the server has encoded them");
                if half.len() > 1 && self.chance.one_in(8) {
                    half.truncate(half.len() / 2);
                    (*records, *end) = (RecordBatch::from(half).into(), None);
                }
            }
            (Some(Flaw::SessionsOutliveTheirEnd), Change::Account(change)) => {
                self.keep_sessions(change);
            }
            (Some(flaw), Change::Chapter(chapter)) => self.distort_chapter(flaw, chapter),
            _ => {}
        }
    }

    fn distort_chapter(&mut self, flaw: Flaw, chapter: &mut ChapterRows) {
        match flaw {
            Flaw::PlaceForgotten => {
                self.forgets_place = false;
                let cursor = at_once(self.durable.stores.cursor());
                chapter.after = cursor.expect("memory can be read");
                for (new, _) in &chapter.results {
                    let game = &new.result.game;
                    let delete = format!("DELETE FROM results WHERE game = '{game}'");
                    self.durable.platter.execute(&delete);
                }
            }
            Flaw::ChapterTorn => chapter.results.truncate(chapter.results.len() / 2),
            Flaw::RatedTwice => chapter.ratings.iter_mut().for_each(rate_twice),
            Flaw::PointTwice => chapter.conduct.iter_mut().for_each(point_twice),
            _ => {}
        }
    }

    fn keep_sessions(&self, change: &mut AccountChange) {
        let ends = |effect: &Effect| matches!(effect, Effect::RevokeFamilies(_));
        change.effects.retain(|effect| !ends(effect));
        let account = &mut change.account;
        let before = at_once(self.durable.stores.account(&account.identity));
        let before = before.expect("memory can be read");
        let sessions = before.map(|stored| stored.account.sessions);
        for session in sessions.unwrap_or_default() {
            if account.session(&session.family).is_none() {
                account.sessions.push(session);
            }
        }
    }

    /// Reads as a server of several, or as one that is alone. A flawed disk shows it something else.
    pub(super) fn view(
        &self,
        occasion: &Occasion,
        is_of_several: bool,
        read: &mut dyn FnMut(&Connection),
    ) {
        if self.flaw.is_none() {
            return SimulatedDisk::view(&*self.durable.platter, occasion, read);
        }
        let prepare = |db: &Connection| {
            match (self.flaw, occasion) {
                (Some(Flaw::PlaceForgotten), Occasion::Glance) if self.forgets_place => {
                    execute(db, "UPDATE chronicle SET arrival = 0")?;
                }
                (Some(Flaw::PlaceForgotten), Occasion::Poll) => {
                    execute(db, "DELETE FROM results")?;
                }
                (Some(Flaw::GameForgotten), Occasion::Start) => execute(
                    db,
                    "DELETE FROM games WHERE game = (SELECT game FROM games WHERE finished_at IS NULL
                     AND wakes_at IS NULL ORDER BY created_at DESC, game DESC LIMIT 1)",
                )?,
                (_, Occasion::Load(games)) => {
                    for game in games {
                        self.show_log(db, game, is_of_several)?;
                    }
                }
                _ => {}
            }
            Ok(())
        };
        self.durable.platter.view(prepare, read);
    }

    fn show_log(&self, db: &Connection, game: &GameId, is_of_several: bool) -> Result<()> {
        for change in &self.unsynced {
            if change.game() == Some(game) {
                change.apply(db)?;
            }
        }
        let is_cut = match self.flaw {
            Some(Flaw::StaleRead) => true,
            Some(Flaw::TailSkipped) => is_of_several,
            _ => false,
        };
        if is_cut {
            db.prepare_cached(
                "DELETE FROM records WHERE game = ?1 AND seq =
                 (SELECT head FROM games WHERE game = ?1 AND head > ?2 AND finished_at IS NULL)",
            )?
            .execute((game.as_str(), SHOWN_WHOLE))?;
            db.prepare_cached(
                "UPDATE games SET head = coalesce((SELECT max(seq) FROM records WHERE game = ?1), head)
                 WHERE game = ?1",
            )?
            .execute([game.as_str()])?;
        }
        if self.flaw == Some(Flaw::LossForgotten) {
            db.prepare_cached("UPDATE games SET lost_ms = NULL WHERE game = ?1")?
                .execute([game.as_str()])?;
        }
        Ok(())
    }
}

fn execute(db: &Connection, statement: &str) -> Result<()> {
    db.prepare_cached(statement)?.execute(())?;
    Ok(())
}

/// Counts the last game of a rating once more, under another name.
fn rate_twice(row: &mut RatingRow) {
    let bytes = row.rating.encode();
    let mut rating: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let games = rating["results"].as_array_mut().expect("a list of games");
    let mut again = games.last().expect("a game was just added").clone();
    again["game"] = format!("{} again", again["game"].as_str().unwrap_or_default()).into();
    games.push(again);
    let bytes = serde_json::to_vec(&rating).expect("it is JSON");
    row.rating = PlayerRating::decode(&bytes).expect("the form of a rating");
}

/// Counts a point once more.
fn point_twice(row: &mut ConductRow) {
    let points = &mut row.conduct.points;
    *points = (2 * *points).min(POINTS_MOST);
}
