//! Lists the plays of positions: how many there are, the best score, a checksum, and the time it takes.
//!
//! ```text
//! cargo run --release -p tilewire-rules --example generate -- --lexicon WORDS.txt --positions FILE
//! ```
//!
//! `WORDS.txt` holds one word per line, in either case, faces of several characters in brackets. Each line of `FILE`
//! is a position in CGP: `board rack/ scores zeros`; the program ignores operations after it. Rows are
//! separated by `/`; a number is a run of empty squares, a lower-case face a blank. The rack before the `/` is that
//! of the player to move. Empty lines are skipped. `--rules ID` names a built-in rule set; without it the first one
//! whose board has the position's size is taken. `--repeats N` says how often the time is taken (5).
//!
//! Printed are one line per position and one for all of them:
//!
//! ```text
//! 1: plays 2314, best 76, checksum 90b56e7d23f06a0c
//! positions 1, plays 2314, 48211 ns per position
//! ```
//!
//! The number in front is that of the position's line in the file. The checksum is FNV-1a with 64 bits (offset basis
//! cbf29ce484222325, prime 100000001b3), in hexadecimal, over one line of UTF-8 per play: coordinate, space, tiles,
//! space, score, line feed, such as `8F H.RN 14`. The coordinate names the first square of the main word, row
//! first if it runs across (`8F`), column first if it runs down (`F8`); a single tile runs as the longer of its words
//! does, across if both are equal. The tiles are those of the whole main word: `.` for a tile that lay there, a
//! lower-case face for a blank, brackets around a face of several characters. The lines are sorted by their bytes.
//!
//! The time is that of listing and scoring all plays, without reading, sorting and checksums: the median over the
//! repeats of the mean over the positions. The program reports input that it cannot read with its line, and exits with
//! code 2.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;
use tilewire_rules::lexicon::{Capitalised, Compiler, FstLexicon};
use tilewire_rules::movegen::{Generator, WordGraph};
use tilewire_rules::notation;
use tilewire_rules::record::cgp;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::tile_sets::NamedTileSet;

const USAGE: &str =
    "usage: generate --lexicon WORDS.txt --positions FILE [--rules ID] [--repeats N]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("generate: {problem}");
            ExitCode::from(2)
        }
    }
}

/// The command line.
struct Options {
    lexicon: String,
    positions: String,
    rules: Option<Arc<RuleSet>>,
    repeats: usize,
}

/// A position with the rule set it is played by.
struct Position {
    line: usize,
    rules: Arc<RuleSet>,
    board: Board,
    rack: Vec<Tile>,
}

fn run() -> Result<(), String> {
    let options = options()?;
    let positions = read_positions(&options)?;
    let mut graphs = BTreeMap::new();
    for Position { rules, .. } in &positions {
        if !graphs.contains_key(&rules.id) {
            graphs.insert(
                rules.id.clone(),
                read_words(&options.lexicon, &rules.language)?,
            );
        }
    }
    let mut generator = Generator::new();
    let mut total = 0;
    for position in &positions {
        let Position { line, rules, .. } = position;
        let mut lines = Vec::new();
        let mut best = None;
        let Position { board, rack, .. } = position;
        generator.for_each(&graphs[&rules.id], rules, board, rack, |found| {
            let text = notation::format(&found.placement(), &rules.tiles);
            lines.push(format!("{text} {}\n", found.score));
            best = best.max(Some(found.score));
        });
        lines.sort_unstable();
        total += lines.len();
        let best = best.map_or_else(|| "none".to_owned(), |score| score.to_string());
        let (plays, sum) = (lines.len(), checksum(&lines));
        println!("{line}: plays {plays}, best {best}, checksum {sum:016x}");
    }
    let time = median_time(options.repeats, &positions, |position| {
        let Position { rules, .. } = position;
        let mut sum = 0_i64;
        let Position { board, rack, .. } = position;
        generator.for_each(&graphs[&rules.id], rules, board, rack, |found| {
            sum += i64::from(found.score);
        });
        black_box(sum);
    });
    let count = positions.len();
    println!("positions {count}, plays {total}, {time} ns per position");
    Ok(())
}

/// Median over the repeats of the mean time per position in nanoseconds.
fn median_time(repeats: usize, positions: &[Position], mut list: impl FnMut(&Position)) -> u128 {
    let mut times: Vec<u128> = (0..repeats)
        .map(|_| {
            #[expect(clippy::disallowed_methods, reason = "a program that takes the time")]
            let begin = Instant::now();
            positions.iter().for_each(&mut list);
            begin.elapsed().as_nanos() / positions.len().max(1) as u128
        })
        .collect();
    times.sort_unstable();
    times.get(repeats / 2).copied().unwrap_or(0)
}

/// FNV-1a with 64 bits.
fn checksum(lines: &[String]) -> u64 {
    let bytes = lines.iter().flat_map(|line| line.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn options() -> Result<Options, String> {
    let mut arguments = env::args().skip(1);
    let (mut lexicon, mut positions, mut rules, mut repeats) = (None, None, None, 5);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match name.as_str() {
            "--lexicon" => lexicon = Some(value),
            "--positions" => positions = Some(value),
            "--rules" => {
                let known = RuleSet::builtin(&value);
                rules = Some(known.ok_or_else(|| format!("no built-in rule set {value:?}"))?);
            }
            "--repeats" => {
                let number = value.parse();
                repeats = number.map_err(|_| format!("--repeats {value:?} is not a number"))?;
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(Options {
        lexicon: lexicon.ok_or(USAGE)?,
        positions: positions.ok_or(USAGE)?,
        rules,
        repeats,
    })
}

fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(file).map_err(|problem| format!("{file}: {problem}"))
}

/// The lines of a file that are not empty, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    numbered.filter(|(_, line)| !line.is_empty())
}

fn read_words(file: &str, language: &str) -> Result<WordGraph, String> {
    let problem = |problem: &dyn std::fmt::Display| format!("{file}: {problem}");
    let set = NamedTileSet::builtin(language).ok_or_else(|| problem(&"no such tiles"))?;
    let mut compiler = Compiler::new(&set, Capitalised::Words);
    for (_, line) in lines(&read(file)?) {
        compiler.entry(line).map_err(|error| problem(&error))?;
    }
    let compiled = compiler.finish().map_err(|error| problem(&error))?;
    let lexicon = FstLexicon::from_bytes("words", compiled.bytes);
    Ok(lexicon.map_err(|error| problem(&error))?.to_graph())
}

fn read_positions(options: &Options) -> Result<Vec<Position>, String> {
    let file = &options.positions;
    let text = read(file)?;
    let read = lines(&text).map(|(line, text)| {
        let position = parse_cgp(text, options.rules.as_ref());
        let (rules, board, rack) =
            position.map_err(|problem| format!("{file}:{line}: {problem}"))?;
        Ok(Position {
            line,
            rules,
            board,
            rack,
        })
    });
    read.collect()
}

/// Reads one position, by the rule set asked for or the first whose board has its size.
fn parse_cgp(
    text: &str,
    rules: Option<&Arc<RuleSet>>,
) -> Result<(Arc<RuleSet>, Board, Vec<Tile>), String> {
    // Faces do not affect the size; a rule set with another alphabet has to be named.
    let usual = RuleSet::classic();
    let tiles = &rules.unwrap_or(&usual).tiles;
    let position = cgp::parse(text, tiles).map_err(|problem| problem.to_string())?;
    let size = (position.board.rows(), position.board.cols());
    let has_size = |rules: &RuleSet| size == (rules.layout.rows(), rules.layout.cols());
    let rules = match rules {
        Some(rules) if has_size(rules) => rules,
        Some(rules) => return Err(format!("the board is {size:?}, not that of {}", rules.id)),
        None => RuleSet::builtins()
            .iter()
            .find(|rules| has_size(rules))
            .ok_or_else(|| format!("no rule set has a board of {} x {}", size.0, size.1))?,
    };
    let rack = position.racks.into_iter().next().unwrap_or_default();
    Ok((Arc::clone(rules), position.board, rack))
}
