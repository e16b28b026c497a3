//! Lexica that the client builds from word lists.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::binaries;

/// Builds a lexicon in the data directory of a server; returns the output of the build.
///
/// # Panics
/// When the client refuses the words.
pub fn build(data: &Path, name: &str, language: &str, words: &str) -> Value {
    let list = data.join(format!("{name}.txt"));
    fs::create_dir_all(data.join("lexica")).expect("a folder");
    fs::write(&list, words).expect("it can be written to");
    let output = Command::new(binaries::client())
        .args([
            "lexicon",
            "build",
            "--json",
            "--force",
            "--language",
            language,
        ])
        .arg(&list)
        .arg("-o")
        .arg(file(data, name))
        .output()
        .expect("the client runs");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns the path of the lexicon with this name.
#[must_use]
pub fn file(data: &Path, name: &str) -> PathBuf {
    data.join("lexica").join(format!("{name}.fst"))
}
