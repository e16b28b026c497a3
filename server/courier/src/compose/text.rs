//! A letter as plain text, with the board in rows of characters.

use std::fmt::Write;

use super::message::Links;
use super::sheet::{Cell, Sheet};
use super::words::Body;

/// Returns the text of a letter.
pub(super) fn text(body: &Body, sheet: Option<&Sheet>, links: &Links) -> String {
    let mut text = String::new();
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    for paragraph in &body.lead {
        line(paragraph);
    }
    if let Some(digits) = &body.digits {
        line("");
        line(&format!("    {digits}"));
    }
    if let Some(sheet) = sheet {
        line("");
        game(body, sheet, &mut line);
    }
    for paragraph in &body.tail {
        line("");
        line(paragraph);
    }
    let shown = [
        (body.labels.open_game, &links.game),
        (body.labels.open_page, &links.page),
        (body.labels.settings, &links.settings),
        (body.labels.unsubscribe, &links.unsubscribe),
    ];
    let shown = shown.into_iter();
    for (label, link) in shown.filter_map(|(label, link)| Some((label, link.as_ref()?))) {
        line("");
        line(&format!("{label}:\n{link}"));
    }
    if let Some(sheet) = sheet {
        let terminal = body.labels.terminal;
        line("");
        line(&format!(
            "{terminal}:\ntilewire play --resume {}",
            sheet.game
        ));
    }
    text
}

fn game(body: &Body, sheet: &Sheet, line: &mut impl FnMut(&str)) {
    let labels = &body.labels;
    if !body.turns.is_empty() {
        line(&format!("{}:", labels.turns));
        for turn in &body.turns {
            line(&format!("  {turn}"));
        }
        line("");
    }
    line(&format!("{}:", labels.scores));
    let width = sheet
        .players
        .iter()
        .map(|player| player.name.chars().count());
    let width = width.max().unwrap_or_default();
    for player in &sheet.players {
        let (name, score) = (&player.name, player.score);
        let you = match player.is_reader {
            true => format!("  ({})", labels.you),
            false => String::new(),
        };
        line(&format!("  {name:<width$}  {score:>4}{you}"));
    }
    line("");
    line(&board(sheet));
    line(&format!("{}: {}", labels.bag, sheet.bag));
}

/// Returns the board: letters, lower case for blanks, and the symbols of premium squares.
fn board(sheet: &Sheet) -> String {
    let faces = sheet.rows.iter().flatten().map(face);
    let width = faces.map(|face| face.chars().count()).max().unwrap_or(1);
    let mut text = String::from("   ");
    for (column, _) in sheet.rows.first().into_iter().flatten().enumerate() {
        let name = column_name(column);
        write!(text, " {name:<width$}").expect("a text takes every line");
    }
    text.push('\n');
    for (number, row) in sheet.rows.iter().enumerate() {
        write!(text, "{:>3}", number + 1).expect("a text takes every line");
        for cell in row {
            write!(text, " {:<width$}", face(cell)).expect("a text takes every line");
        }
        text.push('\n');
    }
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |all, line| all + line + "\n")
}

/// Returns the name of a column.
pub(super) fn column_name(column: usize) -> char {
    let letters = 'A'..='Z';
    letters.clone().nth(column).unwrap_or('?')
}

fn face(cell: &Cell) -> String {
    match cell {
        Cell::Empty(premium) => premium.symbol().to_string(),
        Cell::Tile { face, .. } => face.clone(),
    }
}
