//! Checks the shape of the workspace: the uses and sizes of crates, the purity of the rules, and the words that comments
//! open with.

#[path = "tidy/comments.rs"]
mod comments;
#[path = "tidy/crates.rs"]
mod crates;
#[path = "tidy/floors.rs"]
mod floors;
#[path = "tidy/messages.rs"]
mod messages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tilewire_harness::binaries::workspace;
use tilewire_system::imports::{cycle, rust_files, top_level_modules};

/// Paths that reach a clock, a file, a socket, a thread or the system's randomness.
const IMPURE: &[&str] = &[
    "std::time",
    "std::fs",
    "std::net",
    "std::thread",
    "std::process",
    "std::env",
    "std::io",
    "RandomState",
    "thread_rng",
    "getrandom",
];

/// Crates that would give the rules a clock, a runtime or randomness.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "getrandom",
    "rand",
    "mio",
    "socket2",
    "chrono",
    "time",
    "jiff",
    "tracing",
];

/// Crates that are one module in many files: inside, their files use each other. The list only gets shorter.
const ONE_MODULE: &[&str] = &[
    "server/api",
    "server/config",
    "server/game",
    "server/lobby",
    "server/relay",
    "server/sql",
    "server/store",
    "server/wire",
];

/// Longer files hold more than one concept.
const MAX_LINES: usize = 500;

#[test]
fn the_wire_types_meet_the_rules_in_one_place() {
    for file in sources("server") {
        let text = fs::read_to_string(&file).expect("readable");
        let is_wire = file.starts_with(workspace().join("server/wire"));
        let names_both = text.contains("EventBody") && text.contains("PublicEvent");
        assert!(
            is_wire || !names_both,
            "{} translates events outside server/wire/",
            file.display()
        );
    }
}

/// The oracle reads records in the types of the rules; it places, scores and counts time by itself.
#[test]
fn the_oracle_computes_nothing_with_the_code_it_judges() {
    const KNOWN: &[&str] = &["alphabet", "board", "event", "options", "ruleset"];
    // The walk plays random games for the judges; it judges nothing.
    let is_judge = |file: &PathBuf| !file.ends_with("walk.rs") && !file.ends_with("walk/beside.rs");
    for file in sources("tests/oracle/src").into_iter().filter(is_judge) {
        let text = fs::read_to_string(&file).expect("readable");
        for (_, path) in text
            .match_indices("tilewire_rules::")
            .map(|(at, found)| text.split_at(at + found.len()))
        {
            assert!(
                file.ends_with("records.rs") && KNOWN.iter().any(|name| path.starts_with(name)),
                "{} uses {}",
                file.display(),
                path.lines().next().unwrap_or_default()
            );
        }
    }
}

#[test]
fn the_pure_crates_reach_nothing_outside() {
    let is_test = |file: &PathBuf| {
        let file = file.strip_prefix(workspace()).expect("it is below");
        file.iter()
            .any(|part| part == "tests" || part == "tests.rs")
    };
    let pure = ["rules/src", "server/people/src"];
    for file in pure
        .into_iter()
        .flat_map(sources)
        .filter(|file| !is_test(file))
    {
        let text = fs::read_to_string(&file).expect("readable");
        for (line, number) in text.lines().zip(1..) {
            let code = line.split("//").next().unwrap_or_default();
            for impure in IMPURE {
                assert!(
                    !code.contains(impure),
                    "{}:{number} reaches {impure}",
                    file.display()
                );
            }
        }
    }
    let reached = reached_from("tilewire-rules");
    assert!(reached.contains("fst"), "the graph was read");
    for name in IMPURE_CRATES {
        assert!(!reached.contains(*name), "the rules reach the crate {name}");
    }
    let reached = reached_from("tilewire-people");
    // zxcvbn reads the year: with `time`, and in browsers with `chrono`.
    let of_zxcvbn = ["time", "chrono"];
    for name in IMPURE_CRATES
        .iter()
        .filter(|name| !of_zxcvbn.contains(name))
    {
        assert!(!reached.contains(*name), "people reaches the crate {name}");
    }
}

#[test]
fn every_file_states_its_purpose_and_is_short() {
    for directory in floors::folders() {
        for file in sources(directory) {
            let text = fs::read_to_string(&file).expect("readable");
            assert!(
                text.starts_with("//! "),
                "{} does not state its purpose",
                file.display()
            );
            let lines = text.lines().count();
            assert!(lines <= MAX_LINES, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn every_folder_says_in_a_sentence_what_it_contains() {
    for file in floors::folders().flat_map(sources) {
        if !file.ends_with("mod.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("readable");
        let is_said = |line: &&str| line.starts_with("//! ");
        let lines = text.lines().take_while(is_said);
        let said = lines.map(|line| &line[4..]).collect::<Vec<_>>().join(" ");
        assert!(
            said.contains(". ") || said.ends_with('.'),
            "{} does not begin with a sentence: {said:?}",
            file.display()
        );
    }
}

#[test]
fn modules_do_not_import_each_other_in_a_cycle() {
    for directory in floors::folders() {
        let graph = top_level_modules(&workspace().join(directory).join("src"));
        assert!(graph.len() > 1, "the modules of {directory} were read");
        let cycle = cycle(&graph).map(|cycle| cycle.join(" -> "));
        if ONE_MODULE.contains(&directory) {
            assert!(cycle.is_some(), "{directory} has no cycle: no exception");
        } else {
            assert_eq!(cycle, None, "modules of {directory} form a cycle");
        }
    }
}

/// The test script names what it needs and cannot install.
#[test]
fn the_test_script_says_what_it_needs() {
    let tools = tempfile::tempdir().expect("a temporary directory");
    let put = |name: &str, script: &str| {
        let path = tools.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&path, executable).expect("an executable");
    };
    for name in ["dirname", "sed", "cut", "sort", "head"] {
        let real = ["/usr/bin", "/bin"].map(|place| PathBuf::from(place).join(name));
        let real = real.into_iter().find(|path| path.exists());
        let real = real.expect("a usual tool");
        put(name, &format!("exec {} \"$@\"", real.display()));
    }
    let says = |needed: &str| {
        let output = Command::new("/bin/bash")
            .arg(workspace().join("tests/run"))
            .arg("tools")
            .env_clear()
            .env("PATH", tools.path())
            .output()
            .expect("bash runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(needed), "{said}");
    };
    says("tests/run needs cargo 1.");
    put("cargo", "echo cargo 1.80.0");
    says("and finds 1.80.0");
    put("cargo", "echo cargo 1.999.0");
    says("these packages, or their equivalents: gcc libc6-dev python3");
    put("apt-get", "exit 1");
    put("id", "echo 1000");
    says("may not install them: sudo apt-get install gcc libc6-dev python3");
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The names of all crates that end up in a build of `root`, build scripts and tests aside.
fn reached_from(root: &str) -> BTreeSet<String> {
    let metadata = metadata();
    let nodes = metadata["resolve"]["nodes"].as_array().expect("a graph");
    let name_of: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| {
            (
                package["id"].as_str().expect("an id"),
                package["name"].as_str().expect("a name"),
            )
        })
        .collect();
    let mut open: Vec<&str> = name_of
        .iter()
        .filter(|(_, name)| **name == root)
        .map(|(id, _)| *id)
        .collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        let node = nodes
            .iter()
            .find(|node| node["id"] == id)
            .expect("every package has a node");
        for dependency in node["deps"].as_array().expect("dependencies") {
            let kinds = dependency["dep_kinds"].as_array().expect("kinds");
            let package = dependency["pkg"].as_str().expect("a package");
            if kinds.iter().any(|kind| kind["kind"].is_null())
                && reached.insert(name_of[package].to_owned())
            {
                open.push(package);
            }
        }
    }
    reached
}

/// Returns all Rust files below a directory of the workspace.
fn sources(directory: &str) -> Vec<PathBuf> {
    let found = rust_files(&workspace().join(directory));
    assert!(!found.is_empty());
    found
}
