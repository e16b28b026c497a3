//! The erasure of a player from events that wait for webhooks.

use serde_json::Value;

use super::{Connection, Result, Subject, shown_name, unreadable};
use tilewire_config::WebhookEvent;

/// Events that one step rewrites.
const EVENTS: usize = 200;

impl Subject<'_> {
    /// Takes the player out of events for webhooks. The event that says that the player is erased stays.
    pub(super) fn rewrite_webhooks(&self, db: &Connection) -> Result<usize> {
        let removed = db
            .prepare_cached("DELETE FROM hook_outbox WHERE lane = 'account/' || ?1 AND kind <> ?2")?
            .execute((self.identity, WebhookEvent::AccountErased.name()))?;
        let found: Vec<(String, String, u64, String)> = db
            .prepare_cached(
                "SELECT target, lane, place, content FROM hook_outbox
                 WHERE instr(content, '\"identity\":\"' || ?1 || '\"') > 0 AND kind <> ?2 LIMIT ?3",
            )?
            .query_map(
                (self.identity, WebhookEvent::AccountErased.name(), EVENTS),
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )?
            .collect::<Result<_>>()?;
        for (target, lane, place, content) in &found {
            let mut content: Value = serde_json::from_str(content).map_err(unreadable)?;
            let game = lane.rsplit('/').next().unwrap_or_default();
            self.rename_players(&mut content, &self.name_in(game));
            db.prepare_cached(
                "UPDATE hook_outbox SET content = ?4 WHERE target = ?1 AND lane = ?2 AND place = ?3",
            )?
            .execute((target, lane, place, content.to_string()))?;
        }
        Ok(removed + found.len())
    }

    /// Gives the player of an event of a game the names that the game gets.
    fn rename_players(&self, content: &mut Value, name: &str) {
        let Some(players) = content["data"]["players"].as_array_mut() else {
            return;
        };
        for (player, seat) in players.iter_mut().zip(1..) {
            if player["identity"] == self.identity {
                player["identity"] = name.into();
                player["name"] = shown_name(seat).into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;
    use serde_json::Value;

    use super::Subject;
    use crate::schema;

    const PLAYER: &str = "i4711";
    const NAME: &str = "Rumpelstilz";

    fn put(db: &Connection, lane: &str, place: u64, kind: &str, content: &str) {
        db.execute(
            "INSERT INTO hook_outbox (target, lane, place, kind, at, shown_at, due_at, until, tries, content)
             VALUES ('shop', ?1, ?2, ?3, 1, 1, 1, 2, 0, ?4)",
            (lane, place, kind, content),
        )
        .unwrap();
    }

    fn contents(db: &Connection) -> Vec<(String, String)> {
        let mut query = db
            .prepare("SELECT kind, content FROM hook_outbox ORDER BY lane, place")
            .unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn an_erased_player_leaves_the_events_that_wait() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrate(&mut db).unwrap();
        let player = |identity: &str, name: &str| {
            format!("{{\"seat\":0,\"identity\":\"{identity}\",\"name\":\"{name}\",\"bot\":false}}")
        };
        let players = format!("{},{}", player("other", "Anna"), player(PLAYER, NAME));
        let created = format!("{{\"type\":\"game.created\",\"data\":{{\"players\":[{players}]}}}}");
        let account = format!("{{\"data\":{{\"identity\":\"{PLAYER}\",\"handle\":\"{NAME}\"}}}}");
        let erased = format!("{{\"data\":{{\"identity\":\"{PLAYER}\"}}}}");
        put(&db, "account/i4711", 1, "account.registered", &account);
        put(&db, "account/i4711", 2, "account.erased", &erased);
        put(
            &db,
            "account/other",
            3,
            "account.registered",
            "{\"data\":{\"identity\":\"other\"}}",
        );
        put(&db, "game/g1", 1, "game.created", &created);
        put(&db, "game/g1", 2, "game.turn", "{\"data\":{\"seat\":1}}");
        let subject = Subject {
            identity: PLAYER,
            secret: vec![9; 32],
            entry: 1,
        };
        assert_eq!(subject.rewrite_webhooks(&db).unwrap(), 2);
        assert_eq!(
            subject.rewrite_webhooks(&db).unwrap(),
            0,
            "nothing is left to do"
        );
        let left = contents(&db);
        let kinds: Vec<&str> = left.iter().map(|(kind, _)| kind.as_str()).collect();
        let expected = [
            "account.erased",
            "account.registered",
            "game.created",
            "game.turn",
        ];
        assert_eq!(kinds, expected);
        for (kind, content) in &left {
            assert!(!content.contains(NAME), "{content}");
            let has_identity = content.contains(PLAYER);
            assert_eq!(has_identity, kind == "account.erased", "{content}");
        }
        let players: Value = serde_json::from_str(&left[2].1).unwrap();
        let players = &players["data"]["players"];
        assert_eq!(players[0]["name"], "Anna");
        // The names that the log of the game gets.
        assert_eq!(players[1]["identity"], subject.name_in("g1"));
        assert_eq!(players[1]["name"], "erased-2");
    }
}
