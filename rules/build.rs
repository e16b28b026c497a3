//! Builds the English lexicon: Wordnik's list without the denied entries, as an automaton over letter numbers.
//!
//! The list is checked against the number of entries and the digest of the words it was reviewed with, so that an
//! update of the crate cannot change the words of running games unnoticed.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

const DENY_LIST: &str = "data/deny.txt";

/// The number of entries of the crate, before any is left out.
const SOURCE_ENTRIES: usize = 198_420;

/// SHA-256 of the crate's entries, sorted, each followed by a line feed.
const SOURCE_SHA256: &str = "533f5660ef93756d7b52ab853d4c2f48bfdd06d7afb9a9c752f0b7b2b2100484";

/// Shortest and longest word: a word fills a row of the largest board at most.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=21;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={DENY_LIST}");
    let mut words = source_words()?;
    for entry in denied(Path::new(DENY_LIST))? {
        if !words.remove(entry.as_str()) {
            return Err(
                format!("{DENY_LIST}: {entry:?} is not in the list or occurs twice").into(),
            );
        }
    }
    words.retain(|word| LENGTHS.contains(&word.len()));
    let out = PathBuf::from(env::var("OUT_DIR")?).join("wordnik.fst");
    let mut builder = fst::SetBuilder::new(BufWriter::new(fs::File::create(out)?))?;
    for word in words {
        builder.insert(key(word))?;
    }
    builder.finish()?;
    Ok(())
}

/// The crate's entries, checked to be the ones that were reviewed.
fn source_words() -> Result<BTreeSet<&'static str>, Box<dyn Error>> {
    let words: BTreeSet<&str> = wordnik_list::word_iterator().collect();
    if words.len() != SOURCE_ENTRIES {
        return Err(format!(
            "the word list has {} entries, expected {SOURCE_ENTRIES}",
            words.len()
        )
        .into());
    }
    let mut hash = Sha256::new();
    for word in &words {
        if !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(
                format!("the word list has the entry {word:?}, expected a to z only").into(),
            );
        }
        hash.update(word);
        hash.update("\n");
    }
    let digest: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    if digest != SOURCE_SHA256 {
        return Err(format!("the word list has SHA-256 {digest}, expected {SOURCE_SHA256}").into());
    }
    Ok(words)
}

/// Entries of the deny list: the first word of each line that is neither empty nor a comment.
fn denied(path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect())
}

/// Letter numbers as `TileSet` gives them to the English alphabet: A is 1.
fn key(word: &str) -> Vec<u8> {
    word.bytes().map(|byte| byte - b'a' + 1).collect()
}
