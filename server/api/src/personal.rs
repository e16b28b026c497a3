//! Everything about a player as one ZIP file: the rows of all tables, and the games.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Response};
use serde_json::{Map, json};
use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;
use tilewire_rules::view::Audience;
use tokio::runtime::Handle;

use super::call::Call;
use super::export::{self, Zip, add, add_with, failed};
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_game::operator::events;
use tilewire_game::recovery;
use tilewire_results::history::HistoryServices;
use tilewire_store::{PersonalRows, PersonalStore, StoredGame};

/// Rows that are read at once: other readers of the storage get their turn between.
const ROWS: usize = 500;
/// Ids of games that are read at once.
const GAMES: usize = 500;

/// Answers a request for everything about a player.
pub(super) async fn export(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let place = call.begin_export()?;
    let store = call.people.export(call.from)?;
    let everything = Everything {
        store,
        parts: call.history.parts.clone(),
        player: holder.pass.identity.clone(),
        at: call.people.now().0,
        runtime: Handle::current(),
    };
    let name = HeaderValue::from_static("attachment; filename=\"tilewire-player.zip\"");
    Ok(export::streamed(name, place, move |zip| {
        everything.write(zip)
    }))
}

/// An export in progress, on a thread that may block.
struct Everything {
    store: Arc<dyn PersonalStore>,
    parts: HistoryServices,
    player: String,
    at: i64,
    runtime: Handle,
}

impl Everything {
    fn write(&self, zip: &mut Zip<'_>) -> io::Result<()> {
        let (mut number, mut withheld, mut kept) = (0, Map::new(), Map::new());
        while let Some(first) = self.rows(number, 0)? {
            if !first.rows.is_empty() {
                withheld.extend(
                    first.withheld.iter().map(|(column, reason)| {
                        (format!("{}.{column}", first.table), json!(reason))
                    }),
                );
                kept.extend(
                    first
                        .kept
                        .map(|reason| (first.table.to_owned(), json!(reason))),
                );
                self.table(zip, number, first)?;
            }
            number += 1;
        }
        let games = self.games(zip)?;
        let manifest = json!({
            "player": self.player,
            "at": self.at,
            "games": games,
            "left_out": withheld,
            "kept_when_erased": kept,
        });
        add(zip, "manifest.json", manifest.to_string().as_bytes())
    }

    fn rows(&self, table: usize, skip: usize) -> io::Result<Option<PersonalRows>> {
        let rows = self.store.personal(&self.player, table, skip, ROWS);
        self.runtime.block_on(rows).map_err(failed)
    }

    /// Adds the rows of a table, one on each line.
    fn table(&self, zip: &mut Zip<'_>, number: usize, first: PersonalRows) -> io::Result<()> {
        let name = format!("{}.jsonl", first.table);
        add_with(zip, &name, |file| {
            let (mut page, mut skip) = (first.rows, 0);
            loop {
                for row in &page {
                    serde_json::to_writer(&mut *file, row)?;
                    file.write_all(b"\n")?;
                }
                skip += page.len();
                if page.len() < ROWS {
                    return Ok(());
                }
                page = self
                    .rows(number, skip)?
                    .map_or_else(Vec::new, |more| more.rows);
            }
        })
    }

    /// Adds all games; returns their number.
    fn games(&self, zip: &mut Zip<'_>) -> io::Result<usize> {
        let (mut behind, mut count): (Option<GameId>, usize) = (None, 0);
        loop {
            let games = self.store.games_of(&self.player, behind.as_ref(), GAMES);
            let games = self.runtime.block_on(games).map_err(failed)?;
            for game in &games {
                let loaded = self.runtime.block_on(self.parts.journal.load(game));
                // It was removed while this ran.
                let Some(stored) = loaded.map_err(failed)? else {
                    continue;
                };
                count += 1;
                if stored.is_finished {
                    export::finished(zip, &stored, &self.parts.catalogue)?;
                } else {
                    self.running(zip, &stored)?;
                }
            }
            if games.len() < GAMES {
                return Ok(count);
            }
            behind = games.last().cloned();
        }
    }

    /// Adds a game that is not over as the player's own seats see it: one event on each line.
    fn running(&self, zip: &mut Zip<'_>, stored: &StoredGame) -> io::Result<()> {
        let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event)
        else {
            return Ok(());
        };
        let options = &created.options;
        let rules = self
            .parts
            .catalogue
            .rules(&options.rule_set, &options.language);
        // The server has set the game aside, and its log cannot be read.
        let Some(state) =
            rules.and_then(|rules| State::replay(Arc::clone(rules), stored.records.iter()).ok())
        else {
            return Ok(());
        };
        let (facts, game) = (recovery::facts(&stored.meta), &stored.meta.game);
        let own = stored.meta.players.iter().zip(0..);
        for (_, seat) in own.filter(|(player, _)| **player == self.player) {
            let audience = Audience::Seat(Seat(seat));
            let seen = events(&facts, &state, &stored.records, audience);
            let seen = seen.map_err(io::Error::other)?;
            add_with(
                zip,
                &format!("games/{game}-seat-{}.jsonl", seat + 1),
                |file| {
                    for event in &seen {
                        serde_json::to_writer(&mut *file, event)?;
                        file.write_all(b"\n")?;
                    }
                    Ok(())
                },
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::net::IpAddr;

    use axum::body::to_bytes;
    use serde_json::Value;
    use tilewire_rules::event::PublicEvent;

    use super::super::export::tests::files;
    use super::*;
    use tilewire_accounts::people::NoRatings;
    use tilewire_base::address::ClientAddress;
    use tilewire_base::clock::ServerClock;
    use tilewire_config::{Limits, StorageConfig, Timing};
    use tilewire_databases::sqlite;
    use tilewire_results::chronicle::played::chronicled;
    use tilewire_results::history::History;
    use tilewire_rules::time::Timestamp;
    use tilewire_store::Journal;
    use tilewire_wire::catalogue::Catalogue;
    use tilewire_wire::lexica::Lexica;

    /// Writes an export, and returns its files by name.
    async fn written(
        everything: Everything,
        write: impl FnOnce(&Everything, &mut Zip<'_>) -> io::Result<()> + Send + 'static,
    ) -> BTreeMap<String, String> {
        let history = History::new(
            everything.parts.clone(),
            &Limits::default(),
            &Timing::default(),
        );
        let from = ClientAddress::from(IpAddr::from([127, 0, 0, 1]));
        let place = history.begin_export(from).unwrap();
        let name = HeaderValue::from_static("attachment");
        let response = export::streamed(name, place, move |zip| write(&everything, zip));
        let zip = to_bytes(response.into_body(), 1 << 22).await.unwrap();
        files(&zip).into_iter().collect()
    }

    fn of_ada(storage: &Arc<tilewire_sql::SqlStorage>) -> Everything {
        Everything {
            store: Arc::clone(storage) as _,
            parts: HistoryServices {
                clock: ServerClock::system(),
                store: Arc::clone(storage) as _,
                ratings: Arc::new(NoRatings),
                accounts: Arc::clone(storage) as _,
                journal: Arc::clone(storage) as _,
                catalogue: Catalogue::new(Lexica::builtin()),
            },
            player: "ada".to_owned(),
            at: 7,
            runtime: Handle::current(),
        }
    }

    #[tokio::test]
    async fn everything_has_the_tables_the_games_and_the_list() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        let storage = Arc::new(sqlite::open(dir.path(), &config, Timestamp(1_000)).unwrap());
        chronicled(&storage, 10).await;
        let files = written(of_ada(&storage), Everything::write).await;
        let manifest: Value = serde_json::from_str(&files["manifest.json"]).unwrap();
        assert_eq!(
            (&manifest["player"], &manifest["at"]),
            (&json!("ada"), &json!(7))
        );
        let games = manifest["games"].as_u64().unwrap();
        assert!(games > 2, "{manifest}");
        for table in ["games", "seats", "results", "result_seats", "ratings"] {
            assert!(files.contains_key(&format!("{table}.jsonl")), "{table}");
        }
        let seats = files["seats.jsonl"].lines().count();
        assert_eq!(u64::try_from(seats).unwrap(), games);
        let records = files.keys().filter(|name| name.ends_with(".gcg"));
        assert_eq!(u64::try_from(records.count()).unwrap(), games);
        assert!(manifest["left_out"]["games.line"].is_string(), "{manifest}");
    }

    /// A game that goes on shows the rack of the own seat, and neither the other one nor the secret.
    #[tokio::test]
    async fn a_running_game_is_shown_as_the_own_seat_sees_it() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        let storage = Arc::new(sqlite::open(dir.path(), &config, Timestamp(1_000)).unwrap());
        chronicled(&storage, 10).await;
        let mut games = storage.games_of("ada", None, 1).await.unwrap();
        let mut stored = storage.load(&games.remove(0)).await.unwrap().unwrap();
        let is_end =
            |event: &Event| matches!(event, Event::Public(PublicEvent::SeatRetired { .. }));
        let end = stored
            .records
            .iter()
            .position(|record| is_end(&record.event));
        stored.records.truncate(end.unwrap());
        stored.is_finished = false;
        let own = stored
            .meta
            .players
            .iter()
            .position(|player| player == "ada")
            .unwrap();
        let name = format!("games/{}-seat-{}.jsonl", stored.meta.game, own + 1);
        let files = written(of_ada(&storage), move |everything, zip| {
            everything.running(zip, &stored)
        });
        let files = files.await;
        assert_eq!(files.keys().collect::<Vec<_>>(), [&name]);
        assert!(!files[&name].contains("\"secret\""), "{}", files[&name]);
        let events = files[&name].lines();
        let events: Vec<Value> = events
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let drawn: Vec<&Value> = events
            .iter()
            .filter(|event| event["kind"] == "tiles_drawn")
            .collect();
        assert_eq!(drawn.len(), 2, "{events:?}");
        for event in drawn {
            let is_own = event["seat"] == own;
            assert_eq!(event["tiles"].is_array(), is_own, "{event}");
        }
    }
}
