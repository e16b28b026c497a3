//! The example clients of `docs/clients`, written from the protocol document alone, in whole games: against each other
//! and against our bot, watched in every language, on connections that break.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use tilewire_conformance::audit::{audit, check_commitment};
use tilewire_harness::binaries;
use tilewire_harness::client::Client;
use tilewire_harness::example_clients::{Foreign, Language};
use tilewire_harness::server::Server;
use tilewire_harness::unreliable::Unreliable;

use Language::{JavaScript, Python};

/// No countdown runs out while a client of the test looks for its connection.
const PATIENT: &str = "[game]\nready_ms = 60000\n";

/// How many connections of each program break.
const CUTS: usize = 4;

/// A server, words, and a wire for each program.
struct Table {
    server: Server,
    home: TempDir,
    wires: Vec<Unreliable>,
    seed: u64,
}

/// Every event of a game, as the recorder saw it.
struct Record(Vec<Value>);

impl Table {
    fn new(seed: u64, server: Server) -> Self {
        let home = tempfile::tempdir().expect("a temporary directory");
        Self {
            server,
            home,
            wires: Vec::new(),
            seed,
        }
    }

    /// Writes a word list; returns its path.
    fn list(&self, name: &str, words: &str) -> String {
        let path = self.home.path().join(name);
        fs::write(&path, words).expect("it can be written to");
        path.to_str().expect("a plain path").to_owned()
    }

    /// Starts a program behind a wire that breaks.
    fn start(&mut self, language: Language, program: &str, args: &[&str]) -> Foreign {
        let number = u64::try_from(self.wires.len()).expect("few");
        let wire = Unreliable::start(&self.server.address, self.seed + number, CUTS);
        let client = Foreign::start(language, program, &wire.relay.address, args);
        self.wires.push(wire);
        client
    }

    /// Starts our own bot on a good wire, to be matched.
    fn bot(&self, rules: &str) -> Client {
        let args = ["bot", "--quick", "--rules", rules, "--pause", "0"];
        Client::start("bot", &self.server.address, self.home.path(), &args)
    }

    /// Lets the game be watched to its end in both languages and by our own client; checks that all saw the same as
    /// the players, and that it is right.
    fn watch(&mut self, players: &mut [Foreign]) -> Record {
        let game = players[0].said("game: ");
        let own = ["watch", game.as_str()];
        let mut recorder = Client::start("recorder", &self.server.address, self.home.path(), &own);
        let mut watchers: Vec<Foreign> = [(Python, "json"), (JavaScript, "msgpack")]
            .map(|(language, encoding)| {
                self.start(language, "spectator", &["--encoding", encoding, &game])
            })
            .into();
        recorder.wait_for(|line| line["type"] == "event" && line["kind"] == "ended");
        let events = recorder
            .printed
            .iter()
            .filter(|line| line["type"] == "event");
        let events: Vec<Value> = events.cloned().collect();
        audit(&events);
        check_commitment(&events);
        let told = outcome(&events[events.len() - 1]);
        for client in players.iter_mut().chain(&mut watchers) {
            assert_eq!(client.said("ended: "), told);
            assert_eq!(client.finish(), 0);
        }
        for watcher in &watchers {
            assert_eq!(turns(&watcher.printed), turns_of(&events));
        }
        let cuts: usize = self.wires.iter().map(Unreliable::cuts).sum();
        assert!(cuts > self.wires.len(), "only {cuts} connections were cut");
        Record(events)
    }
}

/// The end of a game as the example clients print it.
fn outcome(ended: &Value) -> String {
    let join = |values: Vec<String>| values.join(" ");
    let results = ended["results"].as_array().expect("results");
    let scores = join(
        results
            .iter()
            .map(|seat| seat["final_score"].to_string())
            .collect(),
    );
    let winners = ended["winners"].as_array().expect("winners");
    let winners = join(winners.iter().map(Value::to_string).collect());
    let reason = ended["reason"].as_str().expect("a reason");
    format!("{reason}; final scores: {scores}; winners: {winners}")
}

/// The numbers of the turns a spectator printed.
fn turns(printed: &[String]) -> Vec<u64> {
    let numbers = printed
        .iter()
        .filter_map(|line| line.trim_start().split_once(". "));
    numbers
        .filter_map(|(number, _)| number.parse().ok())
        .collect()
}

/// The numbers of the turns that were completed.
fn turns_of(events: &[Value]) -> Vec<u64> {
    let kinds = ["play_made", "exchanged", "passed", "turn_lost"];
    let ends_turn = |event: &&Value| kinds.contains(&event["kind"].as_str().expect("a kind"));
    events
        .iter()
        .filter(ends_turn)
        .filter_map(|event| event["turn_no"].as_u64())
        .collect()
}

/// The words of the built-in lexicon, one on each line.
fn builtin_words() -> String {
    let output = Command::new(binaries::client())
        .args(["lexicon", "export", "wordnik"])
        .output();
    String::from_utf8(output.expect("the client runs").stdout).expect("UTF-8")
}

/// A game of two example clients; the first one knows some invalid words, and the other challenges words that it does
/// not know.
fn against_each_other(
    seed: u64,
    rules: &str,
    languages: [Language; 2],
    encodings: [&str; 2],
) -> Record {
    let mut table = Table::new(seed, Server::start(PATIENT));
    let words = builtin_words();
    let nonsense: String = words
        .lines()
        .map(|word| word.chars().rev().chain(['\n']).collect::<String>())
        .collect();
    let good = table.list("good", &words);
    let bad = table.list("bad", &(words + &nonsense));
    let first = [
        "--name",
        "First",
        "--seek",
        "--words",
        &bad,
        "--rules",
        rules,
        "--encoding",
        encodings[0],
    ];
    let second = [
        "--name",
        "Second",
        "--accept",
        "--challenge",
        "--words",
        &good,
        "--rules",
        rules,
        "--encoding",
        encodings[1],
    ];
    let mut players = [
        table.start(languages[0], "player", &first),
        table.start(languages[1], "player", &second),
    ];
    table.watch(&mut players)
}

fn against_the_bot(seed: u64, rules: &str, language: Language, encoding: &str) {
    let mut table = Table::new(seed, Server::start(PATIENT));
    let words = table.list("words", &builtin_words());
    let args = [
        "--name",
        "Guest",
        "--words",
        &words,
        "--rules",
        rules,
        "--encoding",
        encoding,
    ];
    let mut players = [table.start(language, "player", &args)];
    let mut bot = table.bot(rules);
    table.watch(&mut players);
    bot.wait_for(|line| line["type"] == "event" && line["kind"] == "ended");
    assert_eq!(bot.finish(), 0);
}

/// The programs that the protocol document begins with play whole games against a house bot.
#[test]
fn the_quick_starts_play_whole_games() {
    let server = Server::start("[timing]\nbot_pause_min_ms = 300\nbot_pause_max_ms = 400\n");
    let mut programs =
        [Python, JavaScript].map(|of| Foreign::start(of, "quickstart", &server.address, &[]));
    for program in &mut programs {
        let told = program.said("ended: ");
        assert!(!told.starts_with("abort"), "{told}");
        assert_eq!(program.finish(), 0);
        let plays = program
            .printed
            .iter()
            .filter(|line| line.contains(" scores "));
        assert!(plays.count() > 4, "{:?}", program.printed);
    }
}

/// Players in two languages chat: each prints the line of the other.
#[test]
fn players_chat() {
    let server = Server::start(PATIENT);
    let players = [
        (Python, "First", "--seek"),
        (JavaScript, "Second", "--accept"),
    ];
    let mut players = players.map(|(language, name, how)| {
        let text = format!("good luck from {name}");
        let args = ["--name", name, how, "--chat", &text];
        Foreign::start(language, "player", &server.address, &args)
    });
    for (player, other) in players.iter_mut().zip(["Second", "First"]) {
        let wanted = format!("chat: {other}: good luck from {other}");
        assert_eq!(player.said(&wanted), "");
    }
}

#[test]
fn classic_with_challenges() {
    let Record(events) =
        against_each_other(1, "classic", [Python, JavaScript], ["msgpack", "json"]);
    let verdicts = events
        .iter()
        .filter(|event| event["kind"] == "challenge_decided");
    assert!(verdicts.filter(|event| event["upheld"] == true).count() > 0);
}

#[test]
fn wordfeud_random_with_refused_words() {
    let Record(events) = against_each_other(
        2,
        "wordfeud-random",
        [JavaScript, Python],
        ["msgpack", "json"],
    );
    assert!(events.iter().any(|event| event["kind"] == "board_drawn"));
}

#[test]
fn super_against_our_bot() {
    against_the_bot(3, "super", Python, "json");
}

#[test]
fn words_with_friends_against_our_bot() {
    against_the_bot(4, "words-with-friends", JavaScript, "json");
}

#[test]
fn wordfeud_against_our_bot() {
    against_the_bot(5, "wordfeud", Python, "msgpack");
}

#[test]
fn classic_against_our_bot() {
    against_the_bot(6, "classic", JavaScript, "msgpack");
}

/// Spanish has tiles of two letters. Every two or three tiles are a word here, so that all of them are laid.
#[test]
fn tiles_of_more_than_one_letter() {
    let faces = [
        "A", "CH", "E", "LL", "O", "RR", "S", "N", "Ñ", "I", "R", "T", "D", "U", "L", "C",
    ];
    let pairs = faces
        .iter()
        .flat_map(|a| faces.iter().map(move |b| format!("{a}{b}")));
    let pairs: Vec<String> = pairs.collect();
    let words: String = pairs
        .iter()
        .flat_map(|pair| faces.iter().map(move |c| format!("{pair}{c}\n")))
        .collect();
    let words = pairs.join("\n") + "\n" + &words;
    let server = Server::start_with(PATIENT, |data| {
        build_lexicon(data, "tiny", "spanish", &words)
    });
    let mut table = Table::new(7, server);
    let list = table.list("words", &words);
    let common = ["--words", list.as_str(), "--language", "spanish"];
    let mut players = [(Python, "Uno", "--seek"), (JavaScript, "Dos", "--accept")].map(
        |(language, name, how)| {
            table.start(
                language,
                "player",
                &[&["--name", name, how], &common[..]].concat(),
            )
        },
    );
    let Record(events) = table.watch(&mut players);
    let plays = events.iter().filter(|event| event["kind"] == "play_made");
    let tiles = plays.flat_map(|play| play["tiles"].as_array().expect("tiles"));
    assert!(
        tiles
            .filter(|tile| tile.as_str().is_some_and(|face| face.chars().count() == 2))
            .count()
            > 0
    );
}

fn build_lexicon(data: &Path, name: &str, language: &str, words: &str) {
    let list = data.join(format!("{name}.txt"));
    let folder = data.join("lexica");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(&list, words).expect("it can be written to");
    let output = Command::new(binaries::client())
        .args(["lexicon", "build", "--json", "--language", language])
        .arg(&list)
        .arg("-o")
        .arg(folder.join(format!("{name}.fst")))
        .output()
        .expect("the client runs");
    assert!(output.status.success(), "{output:?}");
}
