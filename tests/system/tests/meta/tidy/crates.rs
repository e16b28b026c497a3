//! Checks each crate of the server: its size, and the header that says what it contains and never knows.

use std::fs;

use tilewire_harness::binaries::workspace;
use tilewire_system::imports::rust_files;

use super::floors::folders;

/// Lines of a crate of the server, with its tests.
const MAX_CRATE_LINES: usize = 15_000;

/// The folders of the crates below `server/`, and of the server itself.
fn server_folders() -> impl Iterator<Item = &'static str> {
    folders().filter(|folder| folder.split('/').next() == Some("server"))
}

#[test]
fn no_crate_of_the_server_is_large() {
    for folder in server_folders() {
        let parts = ["src", "tests", "benches", "build.rs"];
        let parts = parts.map(|part| workspace().join(folder).join(part));
        let files = parts.iter().flat_map(|part| match part {
            _ if part.is_dir() => rust_files(part),
            _ => Vec::from_iter(part.exists().then(|| part.clone())),
        });
        let texts = files.map(|file| fs::read_to_string(file).expect("readable"));
        let lines: usize = texts.map(|text| text.lines().count()).sum();
        let bounds = 1..=MAX_CRATE_LINES;
        assert!(bounds.contains(&lines), "{folder} has {lines} lines");
    }
}

#[test]
fn each_crate_of_the_server_says_what_it_contains_and_never_knows() {
    for folder in server_folders() {
        let file = workspace().join(folder).join("src/lib.rs");
        let text = fs::read_to_string(file).expect("readable");
        let header = text.lines().map_while(|line| line.strip_prefix("//!"));
        let header: Vec<&str> = header.map(str::trim).collect();
        let first = header.split(|line| line.is_empty()).next();
        let first = first.unwrap_or_default().join(" ");
        assert!(
            first.ends_with('.') && !first.contains(". "),
            "{folder} does not begin with one sentence: {first:?}"
        );
        let invariants: Vec<&str> = header
            .iter()
            .filter_map(|line| line.strip_prefix("Invariant: "))
            .collect();
        assert!(
            matches!(invariants[..], [said] if said.starts_with("it ") && said.ends_with('.')),
            "{folder} says what it never knows: {invariants:?}"
        );
    }
}
