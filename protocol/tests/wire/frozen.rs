//! The vectors of a declared version never change: `v1-frozen.txt` keeps their hashes.
//!
//! `UPDATE_GOLDEN=1` adds lines for new entries. An existing line is never changed or removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Files that grow by lines at their end.
const GROWING: [&str; 3] = ["v1-errors.txt", "v1-closes.txt", "v1-frames.jsonl"];

#[test]
fn what_was_declared_stays_as_it_was() {
    let list = golden().join("v1-frozen.txt");
    let frozen = fs::read_to_string(&list).unwrap_or_default();
    for line in frozen.lines() {
        let (hash, name) = line.split_once("  ").unwrap();
        assert_eq!(hash, hash_of(name), "{name} was declared and has changed");
    }
    let known: BTreeSet<&str> = frozen
        .lines()
        .filter_map(|line| line.split("  ").nth(1))
        .collect();
    let new: Vec<String> = names()
        .into_iter()
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    if !new.is_empty() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        let lines = new
            .iter()
            .map(|name| format!("{}  {name}\n", hash_of(name)));
        fs::write(&list, frozen + &lines.collect::<String>()).unwrap();
        return;
    }
    assert!(new.is_empty(), "not in v1-frozen.txt: {new:#?}");
}

/// Everything there is: files of messages by their name, lists as `name:lines`.
fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(golden().join("v1"))
        .unwrap()
        .map(|entry| format!("v1/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    names.sort();
    let lists = GROWING.map(|name| format!("{name}:{}", read(name).lines().count()));
    names.extend(lists);
    names
}

/// The hash of a file, or of so many of its first lines.
fn hash_of(name: &str) -> String {
    let text = match name.split_once(':') {
        Some((name, count)) => {
            let text = read(name);
            text.split_inclusive('\n')
                .take(count.parse().unwrap())
                .collect()
        }
        None => read(name),
    };
    HEXLOWER.encode(&Sha256::digest(text))
}

fn read(name: &str) -> String {
    fs::read_to_string(golden().join(name))
        .unwrap_or_else(|error| panic!("{name} was declared and cannot be read: {error}"))
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}
