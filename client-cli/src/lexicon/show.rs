//! `tilewire lexicon info`, `check` and `export`.

use std::io::Write;
use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};

use super::EXIT_NO;
use super::file::{self, Problem};

pub(super) fn info(path: &Path, out: &mut impl Write, as_json: bool) -> Result<u8, Problem> {
    let lexicon = file::open(path)?;
    if as_json {
        writeln!(out, "{}", facts(&lexicon))?;
        return Ok(0);
    }
    write_facts(out, &lexicon)?;
    write_lengths(out, lexicon.by_length())?;
    Ok(0)
}

pub(super) fn check(
    path: &Path,
    words: &[String],
    out: &mut impl Write,
    as_json: bool,
) -> Result<u8, Problem> {
    let lexicon = file::open(path)?;
    let speller = file::speller(&lexicon);
    let mut status = 0;
    for word in words {
        let spelled = speller.spell(word);
        let is_valid = spelled.as_ref().is_ok_and(|word| lexicon.contains(word));
        if !is_valid {
            status = EXIT_NO;
        }
        if as_json {
            let mut line = json!({ "word": word, "valid": is_valid });
            match &spelled {
                Ok(letters) => line["tiles"] = json!(faces(&lexicon, letters)),
                Err(problem) => line["problem"] = json!(problem.to_string()),
            }
            writeln!(out, "{line}")?;
            continue;
        }
        match (spelled, is_valid) {
            (Ok(_), true) => writeln!(out, "{word}  valid")?,
            (Ok(_), false) => writeln!(out, "{word}  not valid")?,
            (Err(problem), _) => writeln!(out, "{word}  not valid: {problem}")?,
        }
    }
    Ok(status)
}

pub(super) fn export(path: &Path, out: &mut impl Write, as_json: bool) -> Result<u8, Problem> {
    let lexicon = file::open(path)?;
    let mut written = Ok(());
    lexicon.for_each(|word| {
        if written.is_ok() {
            let word = text(&lexicon, word);
            written = if as_json {
                writeln!(out, "{}", json!({ "word": word }))
            } else {
                writeln!(out, "{word}")
            };
        }
    });
    written?;
    Ok(0)
}

/// A word in the spelling of a word list.
pub(super) fn text(lexicon: &FstLexicon, word: &[Letter]) -> String {
    faces(lexicon, word).concat().to_lowercase()
}

/// The faces of a word's tiles.
fn faces<'a>(lexicon: &'a FstLexicon, word: &[Letter]) -> Vec<&'a str> {
    let alphabet = lexicon.alphabet();
    let face = |letter: &Letter| alphabet.get(usize::from(letter.number()) - 1);
    word.iter().filter_map(face).map(String::as_str).collect()
}

/// The description of a lexicon as JSON.
pub(super) fn facts(lexicon: &FstLexicon) -> Value {
    let lengths = lexicon.by_length().iter().zip(0_u32..);
    let by_length: Map<String, Value> = lengths
        .filter(|(count, _)| **count > 0)
        .map(|(count, length)| (length.to_string(), json!(count)))
        .collect();
    json!({
        "name": lexicon.name(),
        "language": lexicon.language(),
        "words": lexicon.words(),
        "hash": HEXLOWER.encode(lexicon.hash()),
        "bytes": lexicon.size(),
        "alphabet": lexicon.alphabet(),
        "by_length": by_length,
    })
}

/// The description of a lexicon as text.
pub(super) fn write_facts(out: &mut impl Write, lexicon: &FstLexicon) -> Result<(), Problem> {
    writeln!(out, "Name      {}", lexicon.name())?;
    writeln!(out, "Language  {}", lexicon.language())?;
    writeln!(out, "Words     {}", lexicon.words())?;
    writeln!(out, "Hash      {}", HEXLOWER.encode(lexicon.hash()))?;
    writeln!(out, "Size      {} bytes", lexicon.size())?;
    writeln!(out, "Alphabet  {}", lexicon.alphabet().join(" "))?;
    Ok(())
}

pub(super) fn write_lengths(out: &mut impl Write, by_length: &[u64]) -> Result<(), Problem> {
    for (count, length) in by_length.iter().zip(0_u32..) {
        if *count > 0 {
            writeln!(out, "{length:>8}  {count} words")?;
        }
    }
    Ok(())
}
