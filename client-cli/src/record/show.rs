//! `tilewire record show`: the score sheet and the board as text.

use std::io::{Write, stdout};

use tilewire_rules::board::{Board, Square};
use tilewire_rules::record::check_gcg;
use tilewire_rules::record::gcg::{Event, Gcg, Kind, LOST_TURN};
use tilewire_rules::ruleset::RuleSet;
use unicode_width::UnicodeWidthStr;

use super::ShowArgs;
use super::source::{Loaded, Problem};
use crate::text::{column_letter, printable};

pub(super) fn run(args: &ShowArgs, server: &str) -> Result<u8, Problem> {
    let loaded = Loaded::new(&args.record, server)?;
    let mut sheet = loaded.sheet()?;
    if let Some(moves) = args.moves {
        sheet.events.truncate(moves);
    }
    let mut out = stdout().lock();
    write_head(&mut out, &sheet, &loaded.rules)?;
    let width = sheet
        .players
        .iter()
        .map(|player| player.nick.width())
        .max()
        .unwrap_or(0);
    for (number, event) in (1..).zip(&sheet.events) {
        write_event(&mut out, number, event, width)?;
    }
    writeln!(out)?;
    let board = check_gcg(&sheet, &loaded.rules, None).board;
    if let Some(board) = board {
        write_board(&mut out, &loaded.rules, &board)?;
    }
    Ok(0)
}

fn write_head(out: &mut impl Write, sheet: &Gcg, rules: &RuleSet) -> std::io::Result<()> {
    let names: Vec<String> = sheet
        .players
        .iter()
        .map(|player| printable(&player.name))
        .collect();
    writeln!(out, "{}", names.join(" - "))?;
    let lexicon = sheet.pragma("lexicon").map(printable);
    let lexicon = lexicon.map_or_else(String::new, |name| format!(", {name}"));
    writeln!(out, "{}{lexicon}\n", rules.name)
}

fn write_event(
    out: &mut impl Write,
    number: usize,
    event: &Event,
    width: usize,
) -> std::io::Result<()> {
    let note = event.note.as_deref().unwrap_or_default();
    let (place, what) = match &event.kind {
        Kind::Play { position, tiles } => (position.as_str(), tiles.clone()),
        Kind::Off => ("", "challenged off".to_owned()),
        Kind::Pass if note.contains(LOST_TURN) => ("", "turn lost".to_owned()),
        Kind::Pass => ("", "pass".to_owned()),
        Kind::Exchange(tiles) => ("", format!("exchange {tiles}")),
        Kind::Challenge => ("", "challenge".to_owned()),
        Kind::RackBonus(tiles) => ("", format!("tiles left: {tiles}")),
        Kind::RackPenalty(_) => ("", "tiles left".to_owned()),
        Kind::Time => ("", "overtime".to_owned()),
    };
    let nick = padded(&printable(&event.nick), width);
    let rack = padded(&printable(&event.rack), 9);
    let what = padded(&printable(&what), 18);
    writeln!(
        out,
        "{number:>3}  {nick}  {rack} {place:>4} {what} {:>+5} {:>5}",
        event.score, event.total
    )?;
    for line in note.lines().filter(|line| *line != LOST_TURN) {
        writeln!(out, "     {}", printable(line))?;
    }
    Ok(())
}

fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// Writes the board: tiles as letters, blanks in lower case, premium squares as layout symbols.
fn write_board(out: &mut impl Write, rules: &RuleSet, board: &Board) -> std::io::Result<()> {
    let columns = (0..board.cols()).map(|col| column_letter(col).to_string());
    let columns: Vec<String> = columns.collect();
    writeln!(out, "    {}", columns.join(" "))?;
    for row in 0..board.rows() {
        let squares: Vec<String> = (0..board.cols())
            .map(|col| {
                let square = Square::new(row, col);
                board.get(square).map_or_else(
                    || rules.layout.premium(square).symbol().to_string(),
                    |placed| rules.tiles.placed_face(placed),
                )
            })
            .collect();
        writeln!(out, "{:>3} {}", row + 1, squares.join(" "))?;
    }
    Ok(())
}
