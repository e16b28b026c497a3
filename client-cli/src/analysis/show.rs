//! The report of a game as text of 80 columns, or as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};
use tilewire_rules::analysis::{Figures, Size};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::notation;
use unicode_width::UnicodeWidthStr;

use super::analyze::{Analysed, TurnReport, is_bingo};
use super::position::turn_text;
use crate::text::{padded, printable};

/// The widest name and the widest move of the table.
const NAME: usize = 10;
const MOVE: usize = 17;
/// The least loss that the table shows, in 1/10,000 of the chance to win and in hundredths of a point.
const SHOWN: (u16, i64) = (5, 50);

/// The report as one JSON object.
pub(super) fn json(of: &Analysed<'_>) -> Value {
    let game = of.game;
    let turns = (1..).zip(&of.turns);
    let turns: Vec<Value> = turns
        .map(|(number, turn)| turn_json(of, number, turn))
        .collect();
    let players = game.players.iter().zip(&of.figures).enumerate();
    let players: Vec<Value> = players
        .map(|(seat, (name, figures))| player_json(seat, name, game.totals.get(seat), figures))
        .collect();
    json!({
        "file": game.file,
        "rules": game.rules.id,
        "language": game.rules.language,
        "lexicon": game.lexicon.name(),
        "samples": of.effort.samples,
        "seed": of.effort.seed,
        "complete": of.is_complete,
        "players": players,
        "turns": turns,
    })
}

fn turn_json(of: &Analysed<'_>, number: usize, turn: &TurnReport<'_>) -> Value {
    let tiles = &of.game.rules.tiles;
    let made = turn.made;
    let own = made.turn.as_ref();
    let evaluation = turn.evaluation.as_ref();
    let luck = evaluation.and_then(|of| of.luck);
    json!({
        "turn": number,
        "seat": made.seat,
        "rack": notation::format_rack(&made.rack, tiles),
        "move": own.map(|own| turn_text(own, tiles)),
        "score": made.score,
        "best": evaluation.map(|of| turn_text(&of.best.turn, tiles)),
        "best_score": evaluation.map(|of| of.best.score),
        "win": evaluation.map(|of| of.made.win),
        "best_win": evaluation.map(|of| of.best.win),
        "loss": turn.grade.map(|grade| grade.loss),
        "points": turn.grade.map(|grade| points(grade.points)),
        "size": turn.grade.map(|grade| grade.size),
        "proof": evaluation.map(|of| of.sureness.name()),
        "luck": luck.map(|luck| points(i64::from(luck))),
        "bingo": own.is_some_and(|own| is_bingo(&of.game.rules, own)),
        "phonies": made.phonies,
        "off": made.is_off,
        "time_ms": turn.time_ms,
    })
}

fn player_json(seat: usize, name: &str, score: Option<&i32>, of: &Figures) -> Value {
    let [small, medium, large] = of.sizes;
    json!({
        "seat": seat,
        "name": name,
        "score": score,
        "accuracy": of.accuracy,
        "mistakes": of.mistakes,
        "small": small,
        "medium": medium,
        "large": large,
        "index": of.index,
        "loss": of.loss,
        "compared": of.compared,
        "bingos_found": of.bingos_found,
        "bingos_missed": of.bingos_missed,
        "bingos_there": of.bingos_there,
        "phonies": of.phonies,
        "phonies_off": of.phonies_off,
        "luck": of.luck,
        "time_ms": of.time_ms,
    })
}

/// Hundredths of a point as points.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn points(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

/// Writes the report.
pub(super) fn write_text(out: &mut impl Write, of: &Analysed<'_>) -> io::Result<()> {
    let game = of.game;
    let names: Vec<String> = game.players.iter().map(|name| printable(name)).collect();
    writeln!(out, "{}", names.join(" - "))?;
    let how = match of.effort.samples {
        0 => "by score and leave".to_owned(),
        samples => format!("up to {samples} samples a turn"),
    };
    writeln!(out, "{}, {}, {how}\n", game.rules.name, game.lexicon.name())?;
    let (name, text) = (padded("player", NAME), padded("move", MOVE));
    let better = padded("better", MOVE);
    writeln!(
        out,
        "  #  {name} {text}  pts  {better}  pts    loss      luck"
    )?;
    for (number, turn) in (1..).zip(&of.turns) {
        let name = fit(&names[turn.made.seat], NAME);
        write_turn(out, of, (number, &name), turn)?;
    }
    writeln!(out)?;
    write_players(out, of, &names)?;
    if of.turns.iter().any(|turn| !turn.made.phonies.is_empty()) {
        writeln!(out, "\n* not in {}", of.game.lexicon.name())?;
    }
    if !of.is_complete {
        writeln!(out, "\nStopped: only the turns with figures were compared.")?;
    } else if of.turns.iter().any(|turn| turn.evaluation.is_none()) {
        writeln!(
            out,
            "\nTurns without figures were not compared: the rack is not known,"
        )?;
        writeln!(
            out,
            "there was no choice, or they are those of another seat."
        )?;
    }
    Ok(())
}

fn write_turn(
    out: &mut impl Write,
    of: &Analysed<'_>,
    (number, name): (usize, &str),
    turn: &TurnReport<'_>,
) -> io::Result<()> {
    let tiles = &of.game.rules.tiles;
    let made = turn.made;
    let phony = if made.phonies.is_empty() { "" } else { "*" };
    let own = match &made.turn {
        _ if made.is_forced => "(no choice)".to_owned(),
        Some(own) => format!("{}{phony}", turn_text(own, tiles)),
        None => "(not known)".to_owned(),
    };
    let own = fit(&own, MOVE);
    let score = if made.is_off { 0 } else { made.score };
    write!(out, "{number:>3}  {name} {own} {score:>4}")?;
    let (Some(evaluation), Some(grade)) = (&turn.evaluation, turn.grade) else {
        return writeln!(out);
    };
    let luck = evaluation
        .luck
        .map(|luck| format!("{:+.1}", points(i64::from(luck))));
    let luck = luck.unwrap_or_default();
    if grade.loss < SHOWN.0 && grade.points < SHOWN.1 {
        let empty = " ".repeat(MOVE + 18);
        return writeln!(out, "{}", format!("{empty}{luck:>7}").trim_end());
    }
    let better = fit(&turn_text(&evaluation.best.turn, tiles), MOVE);
    let best = evaluation.best.score;
    let mark = mark(grade.size);
    let loss = match grade.is_by_points || grade.loss < SHOWN.0 {
        true => format!("{:.0} pt", points(grade.points)),
        false => format!("{:.1} %", f64::from(grade.loss) / 100.0),
    };
    let line = format!("  {better} {best:>4} {loss:>7} {mark:<2}{luck:>7}");
    writeln!(out, "{}", line.trim_end())
}

const fn mark(size: Size) -> &'static str {
    match size {
        Size::None => "",
        Size::Small => "?!",
        Size::Medium => "?",
        Size::Large => "??",
    }
}

fn write_players(out: &mut impl Write, of: &Analysed<'_>, names: &[String]) -> io::Result<()> {
    writeln!(
        out,
        "{} score  accuracy   ?!    ?   ??  index  bingos  phonies    luck   time",
        padded("", NAME)
    )?;
    for (seat, (name, figures)) in names.iter().zip(&of.figures).enumerate() {
        let score = of.game.totals.get(seat).copied().unwrap_or(0);
        let accuracy = figures.accuracy;
        let accuracy = accuracy.map_or_else(|| "-".to_owned(), |of| format!("{of:.1}"));
        let [small, medium, large] = figures.sizes;
        let (found, missed) = (figures.bingos_found, figures.bingos_missed);
        let bingos = format!("{found}/{}", found + missed);
        let luck = figures.luck;
        let luck = luck.map_or_else(|| "-".to_owned(), |luck| format!("{luck:+.1}"));
        let time = figures.time_ms.filter(|time| *time > 0);
        let time = time.map_or_else(|| "-".to_owned(), |ms| minutes(ms / 1_000));
        writeln!(
            out,
            "{} {score:>5}  {accuracy:>8} {small:>4} {medium:>4} {large:>4}  {index:>5.1}  {bingos:>6}  {phonies:>7} {luck:>7} {time:>6}",
            fit(name, NAME),
            index = figures.index,
            phonies = figures.phonies,
        )?;
    }
    Ok(())
}

/// Seconds as minutes and seconds.
fn minutes(seconds: i64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Text in exactly this number of columns.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return padded(text, width);
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 2 > width {
            break;
        }
        cut.push(letter);
    }
    padded(&format!("{cut}…"), width)
}
