//! The matrix of readers: each kind of line, each kind of reader, and each way to a line.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tilewire_conformance::api;
use tilewire_harness::server::Server;
use tilewire_harness::wire::{Wire, target};

use crate::zip::unzipped;

use super::moderation::{Player, act, get, moderator, player};
use super::{call, ok, refused, text, untimed};

const SETTINGS: &str = "
[chat]
scope = 2
burst = 100
[limits]
budget_per_second_per_address = 1000000
budget_burst_per_address = 1000000
";

/// A kind of line, by its text, and those who may read it.
const LINES: [(&str, &[&str]); 9] = [
    ("players", &["anna"]),
    ("players-private", &["anna"]),
    ("players-over", &["anna"]),
    ("spectators", &["sue", "tom", "bob", "cat", "max", "guest"]),
    ("spectators-private", &["sue"]),
    (
        "spectators-over",
        &["anna", "sue", "tom", "bob", "cat", "max", "guest"],
    ),
    ("direct", &["anna"]),
    ("lobby", &["anna", "sue", "tom", "max", "guest"]),
    // A moderator hides it.
    ("lobby-hidden", &[]),
];
/// The last line in the lobby, which all with chat may read.
const LAST: &str = "lobby-last";
const EVERYBODY: &[&str] = &["anna", "sue", "tom", "bob", "cat", "max", "guest"];

/// A stored line.
struct Line {
    text: &'static str,
    readers: &'static [&'static str],
    /// The handle of its writer.
    writer: &'static str,
    room: String,
    line: u64,
    /// The request that joins its room.
    join: Value,
}

/// A game of Anna and Ben that Wat watches.
struct Game {
    id: String,
    code: Option<String>,
}

struct House {
    server: Server,
    anna: Player,
    ben: Player,
    wat: Player,
    max: Player,
    lines: Vec<Line>,
}

fn attach(wire: &mut Wire, game: &Game, knows_code: bool) -> Value {
    let mut body = json!({ "game": game.id, "seq": 0 });
    if let (true, Some(code)) = (knows_code, &game.code) {
        body["code"] = json!(code);
    }
    wire.ask("attach", body)
}

impl House {
    fn start() -> Self {
        let server = Server::start(SETTINGS);
        let [anna, ben, wat] = ["anna", "ben", "wat"].map(|handle| player(&server, handle));
        let max = moderator(&server, "max");
        for (own, other) in [(&anna, "ben"), (&ben, "anna")] {
            let follow = format!("PUT /following/{other}");
            ok(&server, &follow, Some(&own.token), &Value::Null);
        }
        Self {
            server,
            anna,
            ben,
            wat,
            max,
            lines: Vec::new(),
        }
    }

    fn game(&mut self, name: &str, is_private: bool) -> Game {
        let mut seek = json!({ "cmd_id": name, "options": untimed() });
        if is_private {
            seek["private"] = json!(true);
        }
        let opened = self.anna.wire.ok("seek", seek);
        let code = opened["seek"]["code"].as_str().map(str::to_owned);
        let join = match &code {
            Some(code) => json!({ "cmd_id": name, "code": code }),
            None => json!({ "cmd_id": name, "seek": opened["seek"]["seek"] }),
        };
        let id = text(&self.ben.wire.ok("join_seek", join)["game"]);
        let game = Game { id, code };
        for player in [&mut self.anna, &mut self.ben, &mut self.wat] {
            assert_eq!(attach(&mut player.wire, &game, true)[0], "ok");
        }
        game
    }

    /// Ben, or among spectators and for the hidden and the last line Wat, writes a line.
    fn say(&mut self, text: &'static str, readers: &'static [&'static str], join: Value) {
        let is_wats = text.starts_with("spectators") || ["lobby-hidden", LAST].contains(&text);
        let (writer, player) = match is_wats {
            true => ("wat", &mut self.wat),
            false => ("ben", &mut self.ben),
        };
        let joined = player.wire.ok("chat_join", join.clone());
        let room = self::text(&joined["chat"]["room"]);
        let say = json!({ "room": room, "cmd_id": text, "text": text });
        let said = player.wire.ok("chat_say", say);
        self.lines.push(Line {
            text,
            readers,
            writer,
            room,
            line: said["chat"]["line"].as_u64().expect("a number"),
            join,
        });
    }

    /// The reader joins, reports, and exports. Everything that it gets is what it may read.
    fn check(&self, reader: &str, wire: &mut Wire, token: &str, games: &[Game]) {
        let may_read: BTreeSet<&str> = self
            .lines
            .iter()
            .filter(|line| line.readers.contains(&reader))
            .map(|line| line.text)
            .collect();
        for game in games {
            let is_let_in = game.code.is_none() || ["anna", "sue"].contains(&reader);
            let attached = attach(wire, game, reader == "sue");
            assert_eq!(attached[0] == "ok", is_let_in, "{reader}: {attached}");
        }
        let mut joined = BTreeSet::new();
        for line in &self.lines {
            let answer = wire.ask("chat_join", line.join.clone());
            joined.extend(self.texts(&answer));
        }
        assert_eq!(joined, may_read, "{reader} joins");
        for line in &self.lines {
            self.check_report(reader, token, line, &may_read, games);
        }
        let zip = api::ask(
            &target(&self.server.address),
            "GET /account/export",
            Some(token),
            &Value::Null,
        );
        for (name, text) in unzipped(&zip.expect("a file").body) {
            let found = self.texts(&json!(text));
            assert!(found.is_empty(), "{reader} exports {found:?} in {name}");
        }
    }

    /// The texts of lines that an answer contains.
    fn texts(&self, answer: &Value) -> BTreeSet<&'static str> {
        let answer = answer.to_string().replace('\\', "");
        let texts = self.lines.iter().map(|line| line.text);
        texts
            .filter(|text| answer.contains(&format!("\"text\":\"{text}\"")))
            .collect()
    }

    /// A line that the reader may not read gets the answer of one that does not exist; the context of the others has nothing
    /// that the reader may not read.
    fn check_report(
        &self,
        reader: &str,
        token: &str,
        line: &Line,
        may_read: &BTreeSet<&str>,
        games: &[Game],
    ) {
        let mut report = json!({
            "player": line.writer, "reason": "abuse", "words": "look", "room": line.room, "line": line.line,
        });
        if reader == "sue" {
            report["code"] = json!(games.iter().find_map(|game| game.code.clone()));
        }
        let request = "POST /reports";
        let refusal = |report: &Value| refused(&self.server, request, Some(token), report);
        if reader == "guest" {
            assert_eq!(refusal(&report), (403, "not_registered".to_owned()));
            return;
        }
        if may_read.contains(line.text) {
            let filed = ok(&self.server, request, Some(token), &report);
            let path = format!("/moderation/reports/{}", filed["number"]);
            let context = self.texts(&get(&self.server, &self.max, &path)["context"]);
            assert!(context.contains(line.text), "{reader}: {context:?}");
            assert!(context.is_subset(may_read), "{reader}: {context:?}");
            return;
        }
        let answer = call(&self.server, request, Some(token), &report);
        report["line"] = json!(line.line + 1_000_000);
        let of_none = call(&self.server, request, Some(token), &report);
        assert_eq!(answer.status, 404, "{reader} reports {}", line.text);
        assert_eq!(answer.body, of_none.body, "{reader} reports {}", line.text);
    }
}

#[test]
fn nobody_reads_a_line_by_any_way_that_is_not_open_to_it() {
    let mut house = House::start();
    let games = [("open", false), ("private", true), ("over", false)];
    let games = games.map(|(name, is_private)| house.game(name, is_private));
    let [open, private, over] = games.each_ref().map(|game| game.id.clone());
    let abort = json!({ "game": over, "cmd_id": "abort" });
    house.anna.wire.ok("abort", abort);
    house.wat.wire.event("ended");
    for (text, readers) in LINES {
        let of = |game: &str| json!({ "kind": text.split('-').next(), "game": game });
        let join = match text {
            "direct" => json!({ "kind": "direct", "with": "anna" }),
            "lobby" | "lobby-hidden" => json!({ "kind": "lobby" }),
            _ if text.ends_with("private") => of(&private),
            _ if text.ends_with("over") => of(&over),
            _ => of(&open),
        };
        house.say(text, readers, join);
    }
    let hidden = house.lines.last().expect("lines");
    let hide = json!({
        "action": "hide_lines", "player": "wat", "reason": "no", "room": hidden.room, "lines": [hidden.line],
    });
    act(&house.server, &house.max, &hide);
    house.say(LAST, EVERYBODY, json!({ "kind": "lobby" }));
    for line in &mut house.lines {
        if line.text == "direct" {
            line.join = json!({ "kind": "direct", "with": "ben" });
        }
    }

    for handle in ["sue", "tom", "bob", "cat", "off"] {
        let mut reader = player(&house.server, handle);
        let (token, change) = match handle {
            "bob" => (&house.ben.token, "PUT /blocked/bob"),
            "cat" => (&reader.token, "PUT /blocked/ben"),
            "off" => (&reader.token, "PUT /account/chat"),
            _ => (&reader.token, "GET /me"),
        };
        let body = match handle {
            "off" => json!({ "enabled": false }),
            _ => Value::Null,
        };
        ok(&house.server, change, Some(token), &body);
        house.check(handle, &mut reader.wire, &reader.token, &games);
    }
    let (mut wire, token) = Wire::guest(&house.server.address, "guest");
    house.check("guest", &mut wire, &token, &games);
    for (name, token) in [("anna", &house.anna.token), ("max", &house.max.token)] {
        let mut wire = Wire::known(&house.server.address, token);
        house.check(name, &mut wire, token, &games);
    }
}
