//! Whole games by players who only read mail: 004 (validated words) and 003 (challenges with consent). Nobody stays
//! connected, and the server is killed after every turn.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tilewire_harness::mail::MailServer;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{Player, ok, registered, to};

/// The time in which a player is gone before a letter is looked at.
const WAIT_MS: u32 = 1_500;

/// The handles of both players.
pub(super) const NAMES: [&str; 2] = ["anna", "ben"];

/// A game of two who read mail.
pub(super) struct Correspondence {
    pub(super) server: Server,
    pub(super) mail: MailServer,
    pub(super) players: [Player; 2],
    game: String,
    commands: u32,
    /// Letters that were read.
    read: usize,
}

impl Correspondence {
    /// Two players register and begin a game; the first one is on turn and gets a letter.
    pub(super) fn begin(rule_set: &str) -> Self {
        Self::begin_with(rule_set, MailServer::plain())
    }

    /// The same with this mail server.
    pub(super) fn begin_with(rule_set: &str, mail: MailServer) -> Self {
        let config = format!("{}\n[game]\nnonce_ms = 0\n", mail.settings(WAIT_MS));
        let server = Server::start(&config);
        let players = NAMES.map(|handle| registered(&server, &mail, handle));
        let mut anna = Wire::known(&server.address, &players[0].token);
        let options =
            json!({ "rule_set": rule_set, "seats": 2, "lexicon": "wordnik", "first": "owner" });
        let opened = anna.ok("seek", json!({ "cmd_id": "open", "options": options }));
        let mut ben = Wire::known(&server.address, &players[1].token);
        let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
        let joined = ben.ok("join_seek", join);
        let game = joined["game"].as_str().expect("a game").to_owned();
        anna.close();
        ben.close();
        let read = mail.count();
        let mut all = Self {
            server,
            mail,
            players,
            game,
            commands: 0,
            read,
        };
        all.crash();
        let first = all.letters(1);
        all.check_turn(&first, 0);
        all
    }

    fn crash(&mut self) {
        self.server.kill();
        self.server.start_again();
    }

    /// Lets a player come, act, and leave; then the server is killed.
    pub(super) fn act(&mut self, seat: usize, op: &str, mut body: Value) {
        let mut wire = Wire::known(&self.server.address, &self.players[seat].token);
        let attached = wire.ok("attach", json!({ "game": self.game }));
        assert_eq!(attached["role"], "player");
        self.commands += 1;
        body["game"] = json!(self.game);
        body["cmd_id"] = json!(format!("c{}", self.commands));
        wire.ok(op, body);
        self.crash();
    }

    /// Returns the next letters: exactly so many.
    pub(super) fn letters(&mut self, count: usize) -> Vec<Value> {
        let all = self.mail.wait_for(&self.server, self.read + count);
        let new = all[self.read..].to_vec();
        self.read = all.len();
        assert_eq!(new.len(), count, "{new:?}");
        new
    }

    /// Checks that one letter asks a seat, and shows no rack.
    pub(super) fn check_turn(&self, letters: &[Value], seat: usize) {
        let [letter] = letters else {
            panic!("{letters:?}");
        };
        let (reader, other) = (&self.players[seat], NAMES[1 - seat]);
        assert_eq!(letter["to"], reader.address.as_str(), "{letter}");
        assert_eq!(letter["subject"], format!("Your turn against {other}"));
        let text = letter["text"].as_str().expect("a text");
        let link = format!("https://play.example/games/{}", self.game);
        for part in [link.as_str(), "Scores:", "Tiles in the bag:", "  1 "] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        // The first bytes of a PNG.
        assert_eq!(letter["picture"], "89504e470d0a1a0a", "{letter}");
        assert_eq!(letter["defects"], json!([]), "{letter}");
        self.check_secrets(seat, letter);
    }

    /// Checks that a letter has no rack of any player.
    fn check_secrets(&self, seat: usize, letter: &Value) {
        for seat in [seat, 1 - seat] {
            let rack = self.rack(seat);
            let said = format!("{}{}", letter["text"], letter["html"]);
            for between in ["", " ", ","] {
                let rack = rack.join(between);
                assert!(!said.contains(&rack), "the rack {rack} in {said}");
            }
        }
    }

    pub(super) fn rack(&self, seat: usize) -> Vec<String> {
        let mut wire = Wire::known(&self.server.address, &self.players[seat].token);
        wire.ok("attach", json!({ "game": self.game }));
        let snapshot = wire.pushed(|message| message[0] == "snapshot");
        let rack = snapshot[2]["seats"][seat]["rack"]
            .as_array()
            .expect("a rack")
            .clone();
        rack.iter()
            .map(|face| face.as_str().expect("a face").to_owned())
            .collect()
    }

    /// Checks that no letter came twice, and that nothing more comes.
    pub(super) fn finish(self) {
        let letters = self.mail.letters();
        let ids: BTreeSet<&str> = letters
            .iter()
            .filter_map(|letter| letter["id"].as_str())
            .collect();
        assert_eq!(ids.len(), letters.len(), "{letters:?}");
        let me = ok(
            &self.server,
            "GET /me",
            Some(&self.players[0].token),
            &Value::Null,
        );
        assert_eq!(me["mail"]["address"], self.players[0].address.as_str());
        assert!(self.server.check().0);
        let log = self.server.log();
        for player in &self.players {
            assert!(!log.contains(&player.address), "{log}");
        }
    }
}

/// 004: Done, Pass and Trade contact the next player.
#[test]
fn a_game_by_mail_with_validated_words() {
    let mut all = Correspondence::begin("email-validated");
    let tiles: Vec<String> = all.rack(0).into_iter().take(2).collect();
    all.act(0, "exchange", json!({ "turn_no": 1, "tiles": tiles }));
    let letters = all.letters(1);
    all.check_turn(&letters, 1);
    let text = letters[0]["text"].as_str().expect("a text");
    assert!(text.contains("anna: exchange of 2; total 0"), "{text}");
    for turn_no in 2..6_u64 {
        let seat = usize::from(turn_no % 2 == 0);
        all.act(seat, "pass", json!({ "turn_no": turn_no }));
        let letters = all.letters(1);
        all.check_turn(&letters, 1 - seat);
    }
    // Six turns without a point end the game.
    all.act(1, "pass", json!({ "turn_no": 6 }));
    let letters = all.letters(2);
    for player in &all.players {
        let told = to(&letters, &player.address);
        assert_eq!(told.len(), 1, "{letters:?}");
        let text = told[0]["text"].as_str().expect("a text");
        assert!(text.contains("Too many turns in a row"), "{text}");
    }
    all.finish();
}

/// 003: the author of a challenged play is asked for consent, days later or not, and all get the scores.
#[test]
fn a_game_by_mail_with_challenges() {
    let mut all = Correspondence::begin("email-challenge");
    // Any two letters may be laid; the next player can challenge them.
    let rack = all.rack(0);
    let letters: Vec<&String> = rack.iter().filter(|face| *face != "?").take(2).collect();
    let play = json!({ "turn_no": 1, "start": "8H", "tiles": letters });
    all.act(0, "play", play);
    let told = all.letters(1);
    all.check_turn(&told, 1);
    let text = told[0]["text"].as_str().expect("a text");
    assert!(text.contains("anna: 8H "), "{text}");

    let play_id = all.play_id(0);
    all.act(1, "challenge", json!({ "play_id": play_id }));
    let asked = all.letters(1);
    assert_eq!(asked[0]["to"], all.players[0].address.as_str());
    assert_eq!(asked[0]["subject"], "ben challenges your play");
    all.act(0, "withdraw", json!({ "play_id": play_id }));
    let told = all.letters(1);
    all.check_turn(&told, 1);
    let text = told[0]["text"].as_str().expect("a text");
    assert!(text.contains("taken off; total 0"), "{text}");

    all.act(1, "resign", json!({}));
    let told = all.letters(2);
    let won = to(&told, &all.players[0].address);
    assert_eq!(won[0]["subject"], "You have won against ben");
    let lost = to(&told, &all.players[1].address);
    assert_eq!(lost[0]["subject"], "You have lost against anna");
    all.finish();
}

impl Correspondence {
    /// Returns the number of the play that can be challenged.
    fn play_id(&self, seat: usize) -> u64 {
        let mut wire = Wire::known(&self.server.address, &self.players[seat].token);
        wire.ok("attach", json!({ "game": self.game }));
        let snapshot = wire.pushed(|message| message[0] == "snapshot");
        let window = &snapshot[2]["window"];
        window["play_id"]
            .as_u64()
            .unwrap_or_else(|| panic!("{snapshot}"))
    }
}

/// kill -9 between every two steps of a letter about a turn: it comes, at most twice, under one name.
#[test]
fn a_letter_about_a_turn_survives_a_crash_at_every_step() {
    for (point, count) in [
        ("before_letters:1", 1),
        ("before_mail:1", 1),
        ("after_mail:1", 2),
    ] {
        let mut all = Correspondence::begin("email-validated");
        all.server.kill();
        all.server.start_dying(point);
        let mut wire = Wire::known(&all.server.address, &all.players[0].token);
        wire.ok("attach", json!({ "game": all.game }));
        let pass = json!({ "game": all.game, "cmd_id": "p1", "turn_no": 1 });
        wire.ok("pass", pass);
        drop(wire);
        all.server.wait_for_death();
        let letters = all.letters(count);
        for letter in letters.chunks(1) {
            all.check_turn(letter, 1);
        }
        let ids: BTreeSet<&str> = letters
            .iter()
            .filter_map(|letter| letter["id"].as_str())
            .collect();
        assert_eq!(ids.len(), 1, "{point}: {letters:?}");
        let sent = "tilewire_letters_sent_total{kind=\"turn\"}";
        all.server.until_figure(sent, |value| value >= 1.0);
        // Nothing was lost, and the next turn has its own letter.
        let seen = all.mail.count();
        assert_eq!(seen, all.read, "{point}");
        all.act(1, "pass", json!({ "turn_no": 2 }));
        let next = all.letters(1);
        all.check_turn(&next, 0);
    }
}

/// A player who is connected needs no letter.
#[test]
fn a_player_who_is_here_gets_no_letter() {
    let mut all = Correspondence::begin("email-validated");
    let _here = Wire::known(&all.server.address, &all.players[1].token);
    let mut wire = Wire::known(&all.server.address, &all.players[0].token);
    wire.ok("attach", json!({ "game": all.game }));
    wire.ok(
        "pass",
        json!({ "game": all.game, "cmd_id": "p1", "turn_no": 1 }),
    );
    let present = "tilewire_letters_dropped_total{kind=\"turn\",reason=\"present\"}";
    all.server.until_figure(present, |value| value == 1.0);
    assert_eq!(all.mail.count(), all.read);
    all.read = all.mail.count();
}
