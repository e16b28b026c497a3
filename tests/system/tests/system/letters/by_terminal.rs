//! Whole games by two people who only read mail and use the terminal client: each takes the game from the letter, looks at the
//! list of games, plays in line mode, and leaves.

use serde_json::Value;
use tempfile::TempDir;
use tilewire_conformance::words::Words;

use super::games::{Correspondence, NAMES};
use super::terminal::Run;
use super::{PASSWORD, to};

/// A game of two with terminals.
struct Terminals {
    all: Correspondence,
    home: TempDir,
}

impl Terminals {
    fn begin(rule_set: &str) -> Self {
        let (all, home) = (
            Correspondence::begin(rule_set),
            TempDir::new().expect("a directory"),
        );
        for handle in NAMES {
            let args = ["login", handle, "--password-stdin"];
            let mut login = Run::start(&all.server, home.path(), handle, &args);
            login.type_line(PASSWORD);
            assert_eq!(login.done()["me"]["handle"], handle);
        }
        Self { all, home }
    }

    /// Lets a player act after the last letter, which names the game.
    fn act(&mut self, seat: usize, command: &str) {
        let letters = self.all.mail.letters();
        let own = to(&letters, &self.all.players[seat].address);
        let text = own.last().expect("a letter")["text"].as_str();
        let mut lines = text.expect("a text").lines();
        let game = lines.find_map(|line| line.strip_prefix("tilewire play --resume "));
        let game = game.expect("the command that returns to the game");
        let start =
            |args: &[&str]| Run::start(&self.all.server, self.home.path(), NAMES[seat], args);
        let listed = start(&["games"]).done();
        assert_eq!(listed["mine"][0]["game"], game, "{listed}");
        let mut play = start(&["play", "--resume", game]);
        play.type_line(command);
        play.type_line("quit");
        let lines = play.lines();
        let is_answer = |line: &&Value| line["line"] == 1 && line["type"] != "queued";
        let answer = lines.iter().find(is_answer);
        let answer = answer.unwrap_or_else(|| panic!("{command}: {lines:?}"));
        assert_eq!(answer["type"], "ok", "{command}: {answer}");
    }

    /// Checks that the next letter asks a player, and returns its text.
    fn asked(&mut self, seat: usize) -> String {
        let letters = self.all.letters(1);
        self.all.check_turn(&letters, seat);
        letters[0]["text"].as_str().expect("a text").to_owned()
    }

    /// Checks that both players get the result.
    fn ended(mut self, why: &str) {
        let letters = self.all.letters(2);
        for player in &self.all.players {
            let told = to(&letters, &player.address);
            assert_eq!(told.len(), 1, "{letters:?}");
            let text = told[0]["text"].as_str().expect("a text");
            assert!(text.contains(why) && text.contains("Scores:"), "{text}");
        }
        self.all.finish();
    }
}

/// Returns a word of two or three tiles of a rack.
fn some_word(rack: &[String]) -> Option<String> {
    let letters: Vec<&String> = rack.iter().filter(|face| *face != "?").collect();
    let of = |places: &[usize]| {
        let word: String = places
            .iter()
            .map(|place| letters[*place].as_str())
            .collect();
        let mut seen = places.to_vec();
        seen.sort_unstable();
        seen.dedup();
        (seen.len() == places.len() && Words::builtin().has(&word)).then_some(word)
    };
    let count = letters.len();
    let pairs = (0..count * count).find_map(|number| of(&[number / count, number % count]));
    pairs.or_else(|| {
        let mut triples = 0..count * count * count;
        triples.find_map(|number| {
            of(&[
                number / count / count,
                number / count % count,
                number % count,
            ])
        })
    })
}

/// 004: Done, Trade and Pass contact the next player, from the first word to the end.
#[test]
fn a_whole_game_by_mail_and_terminal_with_validated_words() {
    let mut game = Terminals::begin("email-validated");
    let word = some_word(&game.all.rack(0)).expect("a rack with a word");
    game.act(0, &format!("8H {word}"));
    let text = game.asked(1);
    assert!(text.contains(&format!("anna: 8H {word}")), "{text}");
    let tile = game.all.rack(1).remove(0);
    game.act(1, &format!("exchange {tile}"));
    let text = game.asked(0);
    assert!(text.contains("ben: exchange of 1; total 0"), "{text}");
    // With the exchange, six turns without a point end the game.
    for number in 0..4 {
        let seat = number % 2;
        game.act(seat, "pass");
        game.asked(1 - seat);
    }
    game.act(0, "pass");
    game.ended("Too many turns in a row");
}

/// 003: the next player gets the scores and can challenge; the author answers by mail too.
#[test]
fn a_whole_game_by_mail_and_terminal_with_challenges() {
    let mut game = Terminals::begin("email-challenge");
    let rack = game.all.rack(0);
    let tiles: String = rack
        .iter()
        .filter(|face| *face != "?")
        .take(2)
        .cloned()
        .collect();
    game.act(0, &format!("8H {tiles}"));
    let text = game.asked(1);
    assert!(text.contains(&format!("anna: 8H {tiles}")), "{text}");
    game.act(1, "challenge");
    let asked = game.all.letters(1);
    assert_eq!(asked[0]["to"], game.all.players[0].address.as_str());
    assert_eq!(asked[0]["subject"], "ben challenges your play");
    game.act(0, "withdraw");
    let text = game.asked(1);
    assert!(text.contains("taken off; total 0"), "{text}");
    game.act(1, "pass");
    game.asked(0);
    game.act(0, "resign");
    game.ended("Scores:");
}
