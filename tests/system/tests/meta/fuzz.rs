//! Replays all kept inputs against the targets of [`tilewire_system::fuzz`], and the golden vectors.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use tilewire_config::Config;
use tilewire_harness::binaries::workspace;
use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::event::Record;
use tilewire_rules::lexicon::{Capitalised, Compiler, FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::record::{gcg, native};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::tile_sets::NamedTileSet;
use tilewire_system::fuzz;

#[test]
fn no_kept_input_breaks_a_target() {
    for target in fuzz::TARGETS {
        let kept = files(&workspace().join("tests/corpora").join(target));
        assert!(!kept.is_empty(), "{target} has no corpus");
        for path in kept {
            fuzz::run(target, &fs::read(path).expect("readable"));
        }
    }
}

#[test]
fn no_seed_shows_a_difference() {
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
fn every_corpus_has_a_target() {
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
                    .map(|events| native::write(&records[..events.min(records.len())], None))
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
        "config" => configurations(),
        "actions" => (0..=u8::MAX).step_by(16).map(table).collect(),
        "token" => tokens(),
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

/// Input of `tests/system/src/fuzz/token.rs`: the signer, then the header and the claims, or a file of keys.
fn tokens() -> Vec<Vec<u8>> {
    let ours = json!({ "iss": "tilewire", "sub": "abc", "iat": 1_800_000_000, "fam": "f" });
    let site = json!({
        "iss": "https://site.example", "aud": ["tilewire"], "sub": "anna", "name": "Anna",
        "exp": 1_800_000_060.5, "nbf": 1_800_000_000,
    });
    let signed = [
        ('k', "HS256", "k", &ours),
        ('o', "HS256", "o", &site),
        ('e', "EdDSA", "e", &site),
        ('h', "HS256", "e", &site),
        ('x', "HS256", "k", &ours),
        ('y', "EdDSA", "e", &site),
        ('n', "none", "k", &ours),
    ];
    let signed = signed.map(|(who, alg, kid, claims)| {
        format!("{who}{}\n{claims}", json!({ "alg": alg, "kid": kid }))
    });
    let set = json!({ "keys": [
        { "kty": "oct", "kid": "o", "k": "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI" },
        { "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "e",
          "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    ] });
    let other = [
        "reyJhbGciOiJub25lIiwia2lkIjoiayJ9.eyJpc3MiOiJ0aWxld2lyZSIsInN1YiI6ImFiYyIsImlhdCI6MH0.",
        "p-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
        "sa secret of thirty-two bytes ...",
    ];
    let texts = signed.into_iter().chain([format!("j{set}")]);
    texts
        .chain(other.map(str::to_owned))
        .map(String::into_bytes)
        .collect()
}

/// The output of `tilewire-server config print`, and handwritten files.
fn configurations() -> Vec<Vec<u8>> {
    let own = "listen = \"[::1]:4\"\n[limits]\nspectators = 3\n[http]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n\
        allowed_origins = \"https://play.example, *\"\n[log]\nfilter = \"info,tilewire_game=debug\"\n\
        [tls]\ncertificate = \"c.pem\"\nkey = \"k.pem\"\n[site]\nissuer = \"https://site.example\"\n\
        audience = \"tilewire\"\njwks_file = \"keys.json\"\n[lexica]\nmissing = \"leave\"\n";
    let printed = Config::default().to_toml();
    let printed = printed.expect("the defaults are plain data");
    vec![printed.into_bytes(), own.as_bytes().to_vec()]
}

/// A table of `tests/system/src/fuzz/actions.rs`: all players get ready, then alternate plays and other actions.
fn table(seed: u8) -> Vec<u8> {
    let mut bytes = vec![seed / 16, 0, seed / 16, seed / 16, seed / 32, seed / 48];
    for seat in 0..4 {
        bytes.extend([7, 0, seat]);
    }
    let mut chance = seed;
    let mut next = || {
        chance = chance.wrapping_mul(77).wrapping_add(113);
        chance ^ (chance >> 3)
    };
    for step in 0..40_u8 {
        let what = if step % 4 == 3 { next() % 24 } else { 8 };
        bytes.extend([what, next() % 8, next() / 2]);
        bytes.extend([next(), next(), next(), next(), next()]);
    }
    bytes
}

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
    let words = lexicon.graphs().expect("the built-in lexicon has a graph");
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
