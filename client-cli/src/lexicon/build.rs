//! `tilewire lexicon build`: builds a lexicon file from a word list.

use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tilewire_rules::lexicon::{
    CompileError, Compiled, Compiler, Encoding, FstLexicon, Report, decode, entries,
};
use tilewire_rules::tile_sets::NamedTileSet;

use super::BuildArgs;
use super::file::{self, Problem};
use super::show;
use crate::output::{self, Existing};
use crate::text::printable;

/// The number of entries between two progress messages.
const PROGRESS_EVERY: u64 = 50_000;

/// A built lexicon, with the report of the build.
struct Built<'a> {
    path: &'a Path,
    lexicon: FstLexicon,
    encoding: Encoding,
    report: Report,
}

pub(super) fn run(args: &BuildArgs, out: &mut impl Write, as_json: bool) -> Result<u8, Problem> {
    let name = file::name(&args.output)?;
    let existing = Existing::with_force(args.force);
    existing.check(&args.output)?;
    let tiles = match &args.tiles {
        Some(path) => own_tiles(path)?,
        None => file::tiles(&args.language)?,
    };
    let list = file::read(&args.words)?;
    let (text, encoding) = decode(&list).map_err(|source| Problem::Text {
        path: args.words.clone(),
        source,
    })?;
    let Compiled { bytes, report } = compile(args, &tiles, &text)?;
    let built = Built {
        path: &args.output,
        lexicon: file::opened(&args.output, name, bytes.clone())?,
        encoding,
        report,
    };
    output::write(&args.output, &bytes, existing)?;
    if as_json {
        write_json(out, &built)?;
    } else {
        write_text(out, &built)?;
    }
    Ok(0)
}

fn own_tiles(path: &Path) -> Result<Arc<NamedTileSet>, Problem> {
    let bytes = file::read(path)?;
    let (text, _) = decode(&bytes).map_err(|source| Problem::Text {
        path: path.to_owned(),
        source,
    })?;
    let set = NamedTileSet::parse(&text, &path.display().to_string())?;
    Ok(Arc::new(set))
}

fn compile(args: &BuildArgs, tiles: &NamedTileSet, text: &str) -> Result<Compiled, Problem> {
    let problem = |source| match source {
        CompileError::NoWords(report) => Problem::NoWords {
            path: args.words.clone(),
            report,
        },
        source => Problem::Compile {
            path: args.words.clone(),
            source,
        },
    };
    let watched = stderr().is_terminal();
    let mut compiler = Compiler::new(tiles, args.capitalised());
    for (entry, number) in entries(text, args.columns()).zip(1_u64..) {
        compiler.entry(entry).map_err(problem)?;
        if watched && number % PROGRESS_EVERY == 0 {
            // The progress is optional, so an error of stderr does not matter.
            drop(write!(stderr(), "\r{number} entries read"));
        }
    }
    if watched {
        drop(write!(stderr(), "\r\x1b[K"));
    }
    compiler.finish().map_err(problem)
}

fn write_text(out: &mut impl Write, built: &Built<'_>) -> Result<(), Problem> {
    let report = &built.report;
    writeln!(out, "File      {}", built.path.display())?;
    show::write_facts(out, &built.lexicon)?;
    writeln!(
        out,
        "Entries   {} read as {}, {} of them duplicates",
        report.entries,
        built.encoding.name(),
        report.duplicates
    )?;
    if report.unaccented > 0 {
        writeln!(out, "Accents   dropped from {} entries", report.unaccented)?;
    }
    show::write_lengths(out, built.lexicon.by_length())?;
    for left in &report.left_out {
        let examples = printable(&left.examples.join(", "));
        writeln!(out, "Left out  {} {}: {examples}", left.count, left.reason)?;
    }
    Ok(())
}

fn write_json(out: &mut impl Write, built: &Built<'_>) -> Result<(), Problem> {
    let report = &built.report;
    let left_out: Vec<_> = report
        .left_out
        .iter()
        .map(|left| {
            json!({ "reason": left.reason.code(), "count": left.count, "examples": left.examples })
        })
        .collect();
    let mut facts = show::facts(&built.lexicon);
    facts["file"] = json!(built.path);
    facts["encoding"] = json!(built.encoding.name());
    facts["entries"] = json!(report.entries);
    facts["duplicates"] = json!(report.duplicates);
    facts["unaccented"] = json!(report.unaccented);
    facts["left_out"] = json!(left_out);
    writeln!(out, "{facts}")?;
    Ok(())
}
