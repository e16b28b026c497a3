//! Lists the plays of positions: how many there are, the best score, a checksum, and the time it takes.
//!
//! ```text
//! cargo run --release -p tilewire-rules --example generate -- --lexicon WORDS.txt --positions FILE
//! ```
//!
//! `WORDS.txt` holds one word per line, in either case, faces of several characters in brackets. Each line of `FILE`
//! is a position in CGP: `board rack/ scores zeros`, and whatever operations follow are not looked at. Rows are
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
//! space, score, line feed, such as `8F H.RN 14`. The coordinate is that of the first square of the main word, row
//! first if it runs across (`8F`), column first if it runs down (`F8`); a single tile runs as the longer of its words
//! does, across if both are equal. The tiles are those of the whole main word: `.` for a tile that lay there, a
//! lower-case face for a blank, brackets around a face of several characters. The lines are sorted by their bytes.
//!
//! The time is that of listing and scoring all plays, without reading, sorting and checksums: the median over the
//! repeats of the mean over the positions. Whatever cannot be read is reported with its line, with exit code 2.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use tilewire_rules::alphabet::{Tile, TileSet};
use tilewire_rules::board::{Board, Square};
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::movegen::{Generator, Graph};
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

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

/// What was asked for on the command line.
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
                read_words(&options.lexicon, &rules.tiles)?,
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
                repeats = number.map_err(|_| format!("--repeats {value:?} is no number"))?;
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

fn read_words(file: &str, tiles: &TileSet) -> Result<Graph, String> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for (number, line) in lines(&read(file)?) {
        let word = tiles.parse_word(&line.to_uppercase());
        let word = word.ok_or_else(|| format!("{file}:{number}: {line:?} is no word"))?;
        keys.push(word.iter().map(|letter| letter.number()).collect());
    }
    keys.sort_unstable();
    let words = fst::Set::from_iter(keys).map_err(|problem| format!("{file}: {problem}"))?;
    let lexicon = FstLexicon::from_bytes("words", words.into_fst().into_inner());
    let lexicon = lexicon.map_err(|problem| format!("{file}: {problem}"))?;
    Ok(Graph::from_lexicon(&lexicon))
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

/// Reads one position in CGP.
fn parse_cgp(
    text: &str,
    rules: Option<&Arc<RuleSet>>,
) -> Result<(Arc<RuleSet>, Board, Vec<Tile>), String> {
    let mut fields = text.split_whitespace();
    let mut field = |name| fields.next().ok_or(format!("the {name} is missing"));
    let (board, racks) = (field("board")?, field("rack")?);
    let (scores, zeros) = (field("score")?, field("number of scoreless turns")?);
    if !scores.split('/').all(|score| score.parse::<i32>().is_ok()) {
        return Err(format!("{scores:?} are no scores, expected such as 10/20"));
    }
    if zeros.parse::<u32>().is_err() {
        return Err(format!("{zeros:?} is no number of scoreless turns"));
    }
    let rows = parse_rows(board)?;
    let size = (rows.len(), rows[0].len());
    let has_size = |rules: &RuleSet| {
        size == (
            usize::from(rules.layout.rows()),
            usize::from(rules.layout.cols()),
        )
    };
    let rules = match rules {
        Some(rules) if has_size(rules) => Arc::clone(rules),
        Some(rules) => return Err(format!("the board is {size:?}, not that of {}", rules.id)),
        None => RuleSet::builtins()
            .into_iter()
            .find(|rules| has_size(rules))
            .ok_or_else(|| format!("no rule set has a board of {} x {}", size.0, size.1))?,
    };
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    for (row, faces) in (0..).zip(&rows) {
        for (col, face) in (0..).zip(faces).filter(|(_, face)| !face.is_empty()) {
            let placed = rules.tiles.parse_placed(face);
            let square = Square::new(row, col);
            board.place(
                square,
                placed.ok_or(format!("{square}: {face:?} is no tile"))?,
            );
        }
    }
    let (rack, _) = racks.split_once('/').ok_or("the rack has no / after it")?;
    let rack = notation::parse_rack(rack, &rules.tiles).map_err(|problem| problem.to_string())?;
    Ok((rules, board, rack))
}

/// The faces of a board row by row, empty where no tile lies; every row has the same length.
fn parse_rows(text: &str) -> Result<Vec<Vec<&str>>, String> {
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for (number, mut row) in (1..).zip(text.split('/')) {
        let mut faces = Vec::new();
        while let Some(first) = row.chars().next() {
            let digits = row.len() - row.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (face, rest) = match first {
                '[' => row[1..]
                    .split_once(']')
                    .ok_or(format!("row {number}: no ]"))?,
                '0'..='9' => row.split_at(digits),
                _ => row.split_at(first.len_utf8()),
            };
            row = rest;
            match face.parse::<usize>() {
                Ok(run) if digits > 0 && run <= usize::from(u8::MAX) => {
                    faces.resize(faces.len() + run, "");
                }
                _ if digits > 0 => return Err(format!("row {number}: {face} is too long")),
                _ if face.is_empty() => return Err(format!("row {number}: nothing in brackets")),
                _ => faces.push(face),
            }
        }
        if rows.first().is_some_and(|row| row.len() != faces.len()) || faces.is_empty() {
            return Err(format!("row {number} has {} squares", faces.len()));
        }
        rows.push(faces);
    }
    Ok(rows)
}
