//! `tilewire lexicon diff`: the words that only one of two lexica contains.

use std::io::Write;
use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::json;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};

use super::EXIT_NO;
use super::file::{self, Problem};
use super::show;

pub(super) fn run(
    (one, other): (&Path, &Path),
    out: &mut impl Write,
    as_json: bool,
) -> Result<u8, Problem> {
    let (a, b) = (file::open(one)?, file::open(other)?);
    if a.alphabet() != b.alphabet() {
        return Err(Problem::Alphabets {
            one: one.display().to_string(),
            other: other.display().to_string(),
        });
    }
    let (only_a, only_b) = (missing(&a, &b), missing(&b, &a));
    let both = a.words() - count(&only_a);
    if as_json {
        let about = |lexicon: &FstLexicon| {
            json!({
                "name": lexicon.name(),
                "words": lexicon.words(),
                "hash": HEXLOWER.encode(lexicon.hash()),
            })
        };
        let found = json!({
            "a": about(&a), "b": about(&b), "both": both, "only_a": only_a, "only_b": only_b,
        });
        writeln!(out, "{found}")?;
    } else {
        writeln!(out, "{both} words in both")?;
        write_side(out, one, '-', &only_a)?;
        write_side(out, other, '+', &only_b)?;
    }
    Ok(if only_a.is_empty() && only_b.is_empty() {
        0
    } else {
        EXIT_NO
    })
}

fn write_side(
    out: &mut impl Write,
    path: &Path,
    sign: char,
    words: &[String],
) -> Result<(), Problem> {
    writeln!(out, "{} only in {}", words.len(), path.display())?;
    for word in words {
        writeln!(out, "{sign} {word}")?;
    }
    Ok(())
}

/// The words of one lexicon that the other does not contain, in the order of the alphabet.
fn missing(one: &FstLexicon, other: &FstLexicon) -> Vec<String> {
    let mut words = Vec::new();
    one.for_each(|word| {
        if !other.contains(word) {
            words.push(show::text(one, word));
        }
    });
    words
}

fn count(words: &[String]) -> u64 {
    u64::try_from(words.len()).unwrap_or(u64::MAX)
}
