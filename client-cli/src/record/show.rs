//! `tilewire record show`: the score sheet, the board and the final scores, as text or JSON.

use std::io::{Write, stdout};

use serde_json::{Value, json};
use tilewire_rules::board::{Board, Square};
use tilewire_rules::record::check_gcg;
use tilewire_rules::record::gcg::{Event, Gcg, Kind, LOST_TURN};
use tilewire_rules::ruleset::RuleSet;
use unicode_width::UnicodeWidthStr;

use super::ShowArgs;
use super::final_scores::FinalScores;
use super::source::{Loaded, Problem};
use crate::text::{Account, column_letter, padded, printable, standings};

pub(super) fn run(args: &ShowArgs, server: &str, as_json: bool) -> Result<u8, Problem> {
    let loaded = Loaded::new(&args.record, server)?;
    let mut sheet = loaded.sheet()?;
    let scores = FinalScores::of(&loaded, &sheet);
    let moves = args.moves.unwrap_or(usize::MAX);
    let is_whole = moves >= sheet.events.len();
    sheet.events.truncate(moves);
    let board = check_gcg(&sheet, &loaded.rules, None).board;
    let shown = Shown {
        rules: &loaded.rules,
        sheet: &sheet,
        scores: is_whole.then_some(&scores),
        board: board.map(|board| rows(&loaded.rules, &board)),
    };
    let mut out = stdout().lock();
    if as_json {
        writeln!(out, "{}", shown.json())?;
    } else {
        shown.write_text(&mut out)?;
    }
    Ok(0)
}

/// The parts of a record that the command shows.
struct Shown<'a> {
    rules: &'a RuleSet,
    sheet: &'a Gcg,
    /// The final scores, if the whole game is shown.
    scores: Option<&'a FinalScores>,
    /// The squares of the board, by row.
    board: Option<Vec<Vec<String>>>,
}

impl Shown<'_> {
    fn write_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        write_head(out, self.sheet, self.rules)?;
        let nicks = self.sheet.players.iter().map(|player| player.nick.width());
        let width = nicks.max().unwrap_or(0);
        for (number, event) in (1..).zip(&self.sheet.events) {
            write_event(out, number, event, width)?;
        }
        writeln!(out)?;
        if let Some(board) = &self.board {
            write_board(out, board)?;
        }
        match self.scores {
            Some(scores) => write_scores(out, scores),
            None => Ok(()),
        }
    }

    fn json(&self) -> Value {
        let players = self.sheet.players.iter();
        let players: Vec<Value> = players
            .map(|player| json!({ "nick": player.nick, "name": player.name }))
            .collect();
        let events: Vec<Value> = self.sheet.events.iter().map(event_json).collect();
        let scores = self.scores.map(|scores| &scores.accounts[..]);
        let scores: Vec<Value> = scores.unwrap_or_default().iter().map(score_json).collect();
        json!({
            "rules": self.rules.id,
            "lexicon": self.sheet.pragma("lexicon"),
            "players": players,
            "events": events,
            "final": scores,
            "remark": self.scores.and_then(|scores| scores.remark.as_ref()),
            "board": self.board,
        })
    }
}

fn event_json(event: &Event) -> Value {
    let (kind, position, tiles) = match &event.kind {
        Kind::Play { position, tiles } => ("play", Some(position), Some(tiles)),
        Kind::Off => ("off", None, None),
        Kind::Pass => ("pass", None, None),
        Kind::Exchange(tiles) => ("exchange", None, Some(tiles)),
        Kind::Challenge => ("challenge", None, None),
        Kind::RackBonus(tiles) => ("rack_bonus", None, Some(tiles)),
        Kind::RackPenalty(tiles) => ("rack_penalty", None, Some(tiles)),
        Kind::Time => ("time", None, None),
    };
    json!({
        "player": event.nick,
        "rack": event.rack,
        "kind": kind,
        "position": position,
        "tiles": tiles,
        "score": event.score,
        "total": event.total,
        "note": event.note,
    })
}

fn score_json(account: &Account) -> Value {
    json!({
        "player": account.name,
        "rank": account.rank,
        "final_score": account.final_score,
        "score": account.score,
        "rack_points": account.rack_points,
        "time_penalty": account.time_penalty,
        "rack": account.rack,
    })
}

fn write_scores(out: &mut impl Write, scores: &FinalScores) -> std::io::Result<()> {
    if !scores.accounts.is_empty() {
        writeln!(out, "\nFinal scores:")?;
        let width = scores.accounts.iter().map(|account| account.name.width());
        let width = width.max().unwrap_or(0);
        for line in standings(&scores.accounts, |name| padded(name, width)) {
            writeln!(out, "  {line}")?;
        }
    }
    match &scores.remark {
        Some(remark) => writeln!(out, "\n{remark}"),
        None => Ok(()),
    }
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
        Kind::Pass if note.contains(LOST_TURN) => ("", "turn skipped".to_owned()),
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

/// The squares by row: tiles as letters, blanks in lower case, premium squares as layout symbols.
fn rows(rules: &RuleSet, board: &Board) -> Vec<Vec<String>> {
    let square = |square: Square| {
        board.get(square).map_or_else(
            || rules.layout.premium(square).symbol().to_string(),
            |placed| rules.tiles.placed_face(placed),
        )
    };
    let row = |row| (0..board.cols()).map(move |col| square(Square::new(row, col)));
    (0..board.rows())
        .map(|number| row(number).collect())
        .collect()
}

fn write_board(out: &mut impl Write, rows: &[Vec<String>]) -> std::io::Result<()> {
    let columns = rows.first().into_iter().flatten();
    let columns: Vec<String> = (0..)
        .zip(columns)
        .map(|(col, _)| column_letter(col).to_string())
        .collect();
    writeln!(out, "    {}", columns.join(" "))?;
    for (number, row) in (1..).zip(rows) {
        writeln!(out, "{number:>3} {}", row.join(" "))?;
    }
    Ok(())
}
