//! Replays every input that was ever kept against the targets of [`tilewire_tests::fuzz`], and the golden vectors.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde_json::Value;
use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::event::Record;
use tilewire_rules::lexicon::{Capitalised, Compiler, FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::record::{gcg, native};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::tile_sets::NamedTileSet;
use tilewire_tests::binaries::workspace;
use tilewire_tests::fuzz;

#[test]
fn nothing_that_was_kept_breaks_anything() {
    for target in fuzz::TARGETS {
        let kept = files(&workspace().join("tests/corpora").join(target));
        assert!(!kept.is_empty(), "{target} has no corpus");
        for path in kept {
            fuzz::run(target, &fs::read(path).expect("readable"));
        }
    }
}

#[test]
fn no_seed_breaks_anything() {
    for target in fuzz::TARGETS {
        let seeds = seeds(target);
        assert!(seeds.len() >= 2, "{target} has seeds");
        for seed in seeds {
            fuzz::run(target, &seed);
            // Cut in the middle, and with every eighth byte changed: cheap mutations every run tries.
            fuzz::run(target, &seed[..seed.len() / 2]);
            let mut touched = seed;
            touched.iter_mut().step_by(8).for_each(|byte| *byte ^= 0x21);
            fuzz::run(target, &touched);
        }
    }
}

#[test]
fn no_corpus_is_without_its_target() {
    for entry in fs::read_dir(workspace().join("tests/corpora")).expect("a directory") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        assert!(
            fuzz::TARGETS.contains(&name.as_ref()),
            "{name} is no target"
        );
    }
}

/// `fuzz/run` begins from these.
#[test]
#[ignore = "writes the seeds of a live run"]
fn seeds_are_exported() {
    let directory = std::env::var_os("TILEWIRE_FUZZ_SEEDS").map(PathBuf::from);
    let directory = directory.expect("TILEWIRE_FUZZ_SEEDS names a directory");
    let target = std::env::var("TILEWIRE_FUZZ_TARGET").expect("TILEWIRE_FUZZ_TARGET names one");
    for (index, seed) in seeds(&target).iter().enumerate() {
        fs::write(directory.join(format!("seed-{index}")), seed).expect("writable");
    }
}

/// Good inputs of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "client_msgpack" => golden("client_", "msgpack"),
        "client_json" => golden("client_", "json"),
        "server_msgpack" => golden("", "msgpack"),
        "server_json" => golden("", "json"),
        "gcg" => games()
            .iter()
            .filter_map(|records| gcg::from_log(&RuleSet::classic(), records).ok())
            .map(|game| gcg::write(&game).into_bytes())
            .collect(),
        "native" => games()
            .iter()
            .flat_map(|records| {
                // The whole game, and its first turns.
                [records.len(), 24]
                    .map(|events| native::write(&records[..events.min(records.len())]))
            })
            .flatten()
            .map(String::into_bytes)
            .collect(),
        "cgp" => POSITIONS
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect(),
        "lexicon" => WORD_LISTS.iter().map(|list| compiled(list)).collect(),
        "word_list" => WORD_LISTS
            .iter()
            .map(|list| list.as_bytes().to_vec())
            .collect(),
        "rule_set" => texts("rules/data/rule-sets"),
        "tile_set" => texts("rules/data/tiles"),
        other => panic!("there is no target {other}"),
    }
}

const POSITIONS: &[&str] = &[
    "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ABCDEF?/ 0/0 0",
    "15/15/15/15/15/15/15/5FARm6/5O9/5X9/15/15/15/15/15 AEINRS?/ 40/26 0 lex wordnik;",
];

const WORD_LISTS: &[&str] = &[
    "aa\nab\nabs\nbad\nfarm\nfarms\nfox\nfoxes\n",
    "# a list\r\nAA 1\r\nHORN a horn\r\nHORNS\r\nzebra's\r\n",
    "Anna\nanna\nnaïve\ncooperate\nco-operate\n",
];

fn compiled(list: &str) -> Vec<u8> {
    let set = NamedTileSet::builtin("english").expect("English tiles are built in");
    let mut compiler = Compiler::new(&set, Capitalised::Words);
    for entry in list.split_whitespace() {
        compiler.entry(entry).expect("there are few");
    }
    compiler.finish().expect("there are words").bytes
}

/// Two games of bots.
fn games() -> Vec<Vec<Record>> {
    let rules = RuleSet::classic();
    let lexicon = FstLexicon::builtin();
    let words = lexicon
        .laid_out()
        .expect("the built-in lexicon has a graph");
    (1..=2)
        .map(|seed| {
            let of = Match {
                rules: rules.clone(),
                options: GameOptions::usual(&rules, lexicon.name()),
                seed,
            };
            let mut bots =
                [BotLevel::Club, BotLevel::Beginner].map(|level| Bot::new(level, words.clone()));
            let played = play_game(&of, &*lexicon, &mut bots, |_, _| {});
            played.expect("bots play by the rules").records
        })
        .collect()
}

/// Golden frames of an encoding: the messages themselves, and those that are unusual or wrong.
fn golden(prefix: &str, encoding: &str) -> Vec<Vec<u8>> {
    let golden = workspace().join("protocol/tests/golden");
    let from = if prefix.is_empty() {
        "server"
    } else {
        "client"
    };
    let mut frames = Vec::new();
    for path in files(&golden.join("v1")) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("readable");
        if name.starts_with("client_") != (from == "client") {
            continue;
        }
        match encoding {
            "json" if name.ends_with(".json") => frames.push(text.trim_end().as_bytes().to_vec()),
            "msgpack" if name.ends_with(".hex") => {
                let hex = text.replace('\n', "");
                frames.push(HEXLOWER.decode(hex.as_bytes()).expect("hexadecimal"));
            }
            _ => {}
        }
    }
    let unusual = fs::read_to_string(golden.join("v1-frames.jsonl")).expect("readable");
    for line in unusual.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        if case["from"] != from || case["encoding"] != encoding {
            continue;
        }
        if let Some(text) = case["text"].as_str() {
            frames.push(text.as_bytes().to_vec());
        } else if let Ok(bytes) =
            HEXLOWER.decode(case["bytes"].as_str().unwrap_or_default().as_bytes())
        {
            // Bombs are tried with the vectors.
            frames.push(bytes);
        }
    }
    frames
}

fn texts(directory: &str) -> Vec<Vec<u8>> {
    let files = files(&workspace().join(directory));
    files
        .iter()
        .map(|path| fs::read(path).expect("readable"))
        .collect()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}
