//! Reports of recorded games.

use clap::Parser;

use super::*;
use crate::args::{Cli, Tool, Work};

const GAME: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../rules/benches/played/game.jsonl"
);

/// Games of bots: with a beginner, of three, on a board drawn for the game, to a target; and a short one with phonies and a rack that
/// nobody noted.
const GAMES: [&str; 5] = [
    "beginner.gcg",
    "three.gcg",
    "drawn.jsonl",
    "race.jsonl",
    "phony.gcg",
];

fn data(name: &str) -> String {
    format!("{}/tests/data/analysis/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn args(flags: &[&str]) -> AnalyzeArgs {
    let line = ["tilewire", "analyze"].iter().chain(flags);
    let Work::Offline(Tool::Analyze(args)) = Cli::try_parse_from(line).unwrap().work else {
        panic!("another task");
    };
    args
}

fn load(args: &AnalyzeArgs) -> Result<Game, GameError> {
    Game::load(&args.record, None, "http://localhost")
}

/// The report as JSON and as text.
fn report(flags: &[&str], is_stopped: bool) -> (serde_json::Value, String) {
    let args = args(flags);
    let game = load(&args).unwrap();
    let words = graphs(&mut None, &game);
    let analysed = analyse(&args, &game, &words, &AtomicBool::new(is_stopped));
    let mut text = Vec::new();
    show::write_text(&mut text, &analysed).unwrap();
    (show::json(&analysed), String::from_utf8(text).unwrap())
}

#[test]
fn the_report_is_the_same_with_any_number_of_threads_and_fits_the_screen() {
    let flags = |threads| {
        [
            GAME,
            "--samples",
            "64",
            "--candidates",
            "3",
            "--nodes",
            "2000",
            "--threads",
            threads,
        ]
    };
    let (one, text) = report(&flags("1"), false);
    let (three, _) = report(&flags("3"), false);
    assert_eq!(one, three);
    assert_eq!(one["complete"], true);
    let columns = text.lines().map(|line| line.chars().count());
    assert!(columns.max() <= Some(80), "{text}");
    let turns = one["turns"].as_array().unwrap();
    for turn in turns.iter().filter(|turn| !turn["best"].is_null()) {
        let (loss, size) = (
            turn["loss"].as_u64().unwrap(),
            turn["size"].as_str().unwrap(),
        );
        assert!(
            loss > 0 || turn["points"].as_f64() > Some(0.0) || size == "none",
            "{turn}"
        );
        assert!(size == "none" || turn["best"] != turn["move"], "{turn}");
    }
    let sampled = turns.iter().filter(|turn| turn["proof"] == "sampled");
    assert!(sampled.count() > 10, "{one}");
}

#[test]
fn quick_reports_are_as_they_were() {
    for name in GAMES {
        let (_, text) = report(&[&data(name), "--quick"], false);
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn a_whole_report_is_as_it_was() {
    let flags = ["--samples", "64", "--candidates", "4", "--nodes", "5000"];
    let file = data("phony.gcg");
    let (json, text) = report(&[&[&*file][..], &flags].concat(), false);
    insta::assert_snapshot!("whole-phony.gcg", text);
    // Other names change nothing but the names.
    let renamed = std::fs::read_to_string(&file)
        .unwrap()
        .replace("Anna", "Zoe");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("renamed.gcg");
    std::fs::write(&path, renamed).unwrap();
    let (other, _) = report(&[&[path.to_str().unwrap()][..], &flags].concat(), false);
    assert_eq!(json["turns"], other["turns"]);
    assert_eq!(json["players"][0]["index"], other["players"][0]["index"]);
}

#[test]
fn a_stopped_analysis_shows_what_it_has_and_a_seat_alone_can_be_asked_for() {
    let (json, text) = report(&[GAME], true);
    assert_eq!(json["complete"], false);
    assert!(text.contains("Stopped: "), "{text}");
    let (json, _) = report(&[GAME, "--quick", "--seat", "1"], false);
    let turns = json["turns"].as_array().unwrap();
    let compared = turns.iter().filter(|turn| !turn["loss"].is_null());
    assert!(compared.clone().count() > 3 && compared.clone().all(|turn| turn["seat"] == 1));
    assert_eq!(json["players"][0]["accuracy"], serde_json::Value::Null);
}

#[test]
fn a_record_that_cannot_be_analysed_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let check = |name: &str, text: &str, code: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let error = match load(&args(&[path])) {
            Ok(_) => panic!("{name} can be analysed"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(&format!("({code})")), "{error}");
    };
    const PLAYERS: &str = "#player1 A Anna\n#player2 B Ben\n";
    check("empty.gcg", PLAYERS, "no_turns");
    check("nothing.gcg", ">>>", "record");
    check(
        "tile.gcg",
        &format!("{PLAYERS}>A: ABC 8H ÄB +8 8\n"),
        "bad_turn",
    );
    check(
        "gap.gcg",
        &format!("{PLAYERS}>A: ABC A1 AB +8 8\n"),
        "bad_turn",
    );
    let mut many = PLAYERS.to_owned();
    for turn in 0..401 {
        let nick = ["A", "B"][turn % 2];
        many.push_str(&format!(">{nick}: ABCDEFG - +0 0\n"));
    }
    check("many.gcg", &many, "too_many_turns");
    let game = load(&args(&[GAME])).unwrap();
    let error = game.check_seat(Some(2)).unwrap_err();
    assert!(error.to_string().contains("(no_seat)"));
    assert!(files(dir.path().to_str().unwrap()).unwrap().len() == 5);
    std::fs::create_dir(dir.path().join("none")).unwrap();
    assert!(files(dir.path().join("none").to_str().unwrap()).is_err());
}
