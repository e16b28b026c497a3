//! Instruction counts of the hot paths, compared with the stored counts for the same compiler.
//!
//! `tests/instructions` runs the benchmarks under valgrind, and then this test. Each compiler has a file of its own.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tilewire_harness::binaries::workspace;

/// The change of a count that needs attention, percent.
const BOUND_PERCENT: f64 = 5.0;

/// Instructions by benchmark, such as `rules play validated`.
type Counts = BTreeMap<String, u64>;

#[test]
#[ignore = "needs counts: tests/instructions"]
fn hot_paths_take_as_many_instructions_as_before() {
    let (compiler, file) = compiler();
    let found = counted();
    if env::var_os("UPDATE_BASELINES").is_some() {
        let kept = json!({ "compiler": compiler, "instructions": found });
        let text = serde_json::to_string_pretty(&kept).expect("plain data") + "\n";
        fs::create_dir_all(file.parent().expect("a directory")).expect("writable");
        return fs::write(&file, text).expect("writable");
    }
    let kept = fs::read_to_string(&file).unwrap_or_else(|_| {
        panic!(
            "there is no baseline for this compiler, {compiler}; `tests/instructions --update` writes {}: do it on a \
             commit that is known to be good",
            file.display()
        )
    });
    let kept: Value = serde_json::from_str(&kept).expect("a baseline is JSON");
    let kept: Counts = serde_json::from_value(kept["instructions"].clone()).expect("counts");
    let (table, objections) = compare(&kept, &found);
    println!("{compiler}\n{table}");
    assert!(
        objections.is_empty(),
        "{}\nif it has to be so, `tests/instructions --update` writes the new counts",
        objections.join("\n")
    );
}

#[test]
fn a_count_out_of_bounds_or_unpaired_is_reported() {
    let counts = |list: &[(&str, u64)]| -> Counts {
        let counts = list
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count));
        counts.collect()
    };
    let kept = counts(&[("a", 1_000), ("b", 1_000)]);
    let objections = |found: &[(&str, u64)]| compare(&kept, &counts(found)).1.len();
    assert_eq!(objections(&[("a", 1_050), ("b", 950)]), 0);
    assert_eq!(objections(&[("a", 1_051), ("b", 1_000)]), 1);
    assert_eq!(objections(&[("a", 1_000), ("b", 949)]), 1);
    assert_eq!(objections(&[("a", 1_000)]), 1);
    assert_eq!(objections(&[("a", 1_000), ("b", 1_000), ("c", 1)]), 1);
}

/// Returns the compiler's version, and the file with its counts.
fn compiler() -> (String, PathBuf) {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let of = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.expect("rustc says what it is").trim().to_owned()
    };
    let (release, host) = (of("release:"), of("host:"));
    let file = format!("tests/baselines/instructions/rustc-{release}-{host}.json");
    let name = text.lines().next().unwrap_or_default();
    (format!("{name}, {host}"), workspace().join(file))
}

/// Reads the output of all benchmarks.
fn counted() -> Counts {
    let file = env::var_os("INSTRUCTION_COUNTS").expect("`tests/instructions` names a file");
    let text = fs::read_to_string(file).expect("UTF-8");
    let counts: Counts = text.lines().filter_map(count).collect();
    assert!(!counts.is_empty(), "nothing was counted: {text}");
    counts
}

/// Parses one line of the benchmarks' output.
fn count(line: &str) -> Option<(String, u64)> {
    let summary: Value = serde_json::from_str(line).ok()?;
    let part = |key: &str| summary[key].as_str().unwrap_or_default();
    let [package, function, id] = ["package_dir", "function_name", "id"].map(part);
    let instructions = summary.pointer("/profiles/0/data/total/metrics/Ir/values/new");
    let instructions = instructions.and_then(Value::as_u64);
    let name = format!("{package} {function} {id}");
    Some((name, instructions.expect("the runner counts instructions")))
}

/// Returns a table of both, and the faults.
fn compare(kept: &Counts, found: &Counts) -> (String, Vec<String>) {
    let mut table = String::new();
    let mut objections = Vec::new();
    let gone = kept.keys().filter(|name| !found.contains_key(*name));
    objections.extend(gone.map(|name| format!("{name}: counted no more")));
    for (name, count) in found {
        let Some(before) = kept.get(name) else {
            objections.push(format!("{name}: {count} instructions, and no baseline"));
            continue;
        };
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
        let percent = (*count as f64 / *before as f64 - 1.0) * 100.0;
        let line = format!("{name:<45} {before:>9} {count:>9} {percent:>+7.2} %");
        if percent.abs() > BOUND_PERCENT + 1e-9 {
            objections.push(line.clone());
        }
        writeln!(table, "{line}").expect("memory takes every write");
    }
    (table, objections)
}
