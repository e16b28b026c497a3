//! Finished games, statistics and ratings as text of at most 80 columns.

use std::io::{StdoutLock, Write, stdout};

use anyhow::{Result, bail};
use tilewire_protocol::http::{
    Archive, BoardLine, Breakdown, GameResult, HeadToHead, Leaderboard, Player, PlayerFigures,
    Ratings, ResultSeat, Statistics, Tally,
};
use unicode_width::UnicodeWidthStr;

use super::curve;
use crate::text::{ago, format_ms, padded, printable};

use tilewire_rules::quoted::quoted;

/// The columns of a terminal.
const COLUMNS: usize = 80;
/// The columns of a name in a table.
const NAME: usize = 26;

/// Writes a page of the archive.
pub(super) fn archive(archive: &Archive, with_reasons: bool) -> Result<()> {
    let mut out = stdout().lock();
    for game in &archive.games {
        for line in lines(game, archive.server_time) {
            writeln!(out, "{line}")?;
        }
        if with_reasons {
            for line in wrapped(&printable(&game.decision.words), COLUMNS - 4) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    if archive.games.is_empty() {
        writeln!(out, "no games found")?;
    }
    if let Some(next) = &archive.next {
        writeln!(out, "more: --before {}", printable(next))?;
    }
    Ok(())
}

/// A game in one line, or in two if it is too long for one.
fn lines(game: &GameResult, now: i64) -> Vec<String> {
    let seats: Vec<String> = game.seats.iter().map(seat).collect();
    let rated = if game.pool.is_some() { "rated, " } else { "" };
    let players = format!(
        "{}  {}  {}",
        printable(&game.game),
        padded(&ago(now.saturating_sub(game.ended_at)), 8),
        seats.join(" "),
    );
    let kind = format!(
        "{rated}{}, {}",
        printable(&game.rule_set),
        printable(&game.reason.replace('_', " ")),
    );
    let line = format!("{players}  {kind}");
    if line.width() <= COLUMNS {
        return vec![line];
    }
    vec![cut(&players, COLUMNS), cut(&format!("    {kind}"), COLUMNS)]
}

/// A seat with its score; the winners have a star.
fn seat(seat: &ResultSeat) -> String {
    let star = if seat.rank == 1 { "*" } else { "" };
    let change = seat.rating.as_ref().map_or_else(String::new, |change| {
        format!(" ({:+})", change.after - change.before)
    });
    let name = cut(&printable(&seat.name), 14);
    format!("{name} {}{star}{change}", seat.final_score)
}

/// Writes statistics.
pub(super) fn statistics(statistics: &Statistics) -> Result<()> {
    let mut out = stdout().lock();
    write_breakdown(&mut out, "Games with people", &statistics.people)?;
    write_breakdown(&mut out, "Games with bots", &statistics.bots)
}

fn write_breakdown(out: &mut StdoutLock<'_>, title: &str, games: &Breakdown) -> Result<()> {
    if games.all.games == 0 {
        writeln!(out, "{title}: none")?;
        return Ok(());
    }
    writeln!(out, "{title}")?;
    write_figures(out, &games.all)?;
    if games.by_rule_set.len() > 1 {
        writeln!(
            out,
            "  {}  games  per turn  average",
            padded("rule set", NAME)
        )?;
        for (rule_set, figures) in &games.by_rule_set {
            let name = padded(&cut(&printable(rule_set), NAME), NAME);
            let (per_turn, average) = (one(figures.average_per_turn), one(figures.average_game));
            writeln!(
                out,
                "  {name}  {:>5}  {per_turn:>8}  {average:>7}",
                figures.games
            )?;
        }
    }
    Ok(())
}

fn games(count: u64) -> String {
    match count {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    }
}

fn write_figures(out: &mut StdoutLock<'_>, figures: &PlayerFigures) -> Result<()> {
    let completed = figures.completion_rate.unwrap_or(0.0) * 100.0;
    writeln!(
        out,
        "  {}: {}; {completed:.0} % completed",
        games(figures.games.into()),
        tally(&figures.two_seats)
    )?;
    for (seats, ranks) in [("3", &figures.three_seats), ("4", &figures.four_seats)] {
        if ranks.iter().any(|count| *count > 0) {
            let ranks: Vec<String> = ranks.iter().map(u32::to_string).collect();
            writeln!(out, "  {seats} seats, by rank: {}", ranks.join(" "))?;
        }
    }
    if figures.counted == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "  per turn {}   game {}   high {}   low {}   bingos per game {}",
        one(figures.average_per_turn),
        one(figures.average_game),
        figures.high_game.unwrap_or(0),
        figures.low_game.unwrap_or(0),
        one(figures.bingos_per_game)
    )?;
    if let (Some(word), Some(points)) = (&figures.highest_play_word, figures.highest_play_points) {
        writeln!(out, "  highest play {} for {points}", printable(word))?;
    }
    writeln!(
        out,
        "  phonies {} ({} caught)   challenges {} won, {} lost   time per turn {}",
        figures.phonies_played,
        figures.phonies_caught,
        figures.challenges_won,
        figures.challenges_lost,
        figures
            .time_per_turn_ms
            .map_or_else(|| "-".to_owned(), |ms| format_ms(ms / 1_000 * 1_000))
    )?;
    Ok(())
}

/// Writes ratings with their curves.
pub(super) fn ratings(ratings: &Ratings) -> Result<()> {
    let mut out = stdout().lock();
    if ratings.ratings.is_empty() {
        writeln!(out, "No rated games")?;
    }
    for rating in &ratings.ratings {
        let provisional = if rating.provisional {
            ", provisional"
        } else {
            ""
        };
        writeln!(
            out,
            "{}  {} ± {}  ({}{provisional})",
            printable(&rating.pool),
            rating.rating,
            rating.deviation,
            games(rating.games)
        )?;
        let points: Vec<i64> = rating.curve.iter().map(|point| point.rating).collect();
        for line in curve::lines(&points) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Writes the games of a player against another.
pub(super) fn head_to_head(total: &HeadToHead) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "All games      {}", tally(&total.all))?;
    writeln!(
        out,
        "Counted games  {}; spread {:+}",
        tally(&total.counted),
        total.spread
    )?;
    for (first, score) in &total.series {
        writeln!(out, "Series {}  {}", printable(first), tally(score))?;
    }
    Ok(())
}

/// Writes a leaderboard.
pub(super) fn leaderboard(board: &Leaderboard) -> Result<()> {
    let mut out = stdout().lock();
    let mean = board
        .mean
        .map_or_else(String::new, |mean| format!("; all players: {mean:.1}"));
    writeln!(out, "{}{mean}", printable(&board.pool))?;
    if board.lines.is_empty() {
        writeln!(out, "nobody is on this leaderboard yet")?;
    }
    for line in &board.lines {
        writeln!(out, "{}", board_line(line))?;
    }
    Ok(())
}

fn board_line(line: &BoardLine) -> String {
    let name = line.handle.as_ref().unwrap_or(&line.identity);
    let name = padded(&cut(&printable(name), NAME), NAME);
    let (place, games) = (line.place, line.games);
    match (line.rating, line.deviation) {
        (Some(rating), Some(deviation)) => {
            format!("{place:>4}  {name}  {rating:>5} ± {deviation:<3}  {games:>6} games")
        }
        _ => format!(
            "{place:>4}  {name}  {:>6} (plain {})  {games:>6} games, {} turns",
            one(line.weighted),
            one(line.average),
            line.turns.unwrap_or(0)
        ),
    }
}

/// Writes a player.
pub(super) fn player(player: &Player) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "Username  {}", printable(&player.handle))?;
    writeln!(out, "Identity  {}", printable(&player.identity))?;
    if !player.roles.is_empty() {
        writeln!(out, "Roles     {}", printable(&player.roles.join(", ")))?;
    }
    Ok(())
}

/// Lists the players whose handle begins with a text.
pub(super) fn players(start: &str, players: &[Player]) -> Result<()> {
    if players.is_empty() {
        bail!("no username begins with {}", quoted(printable(start)));
    }
    let mut out = stdout().lock();
    for player in players {
        writeln!(out, "{}", printable(&player.handle))?;
    }
    writeln!(
        out,
        "{} players; `find` with one of these names shows more",
        players.len()
    )?;
    Ok(())
}

fn tally(tally: &Tally) -> String {
    let Tally { won, lost, shared } = tally;
    format!("{won} won, {lost} lost, {shared} tied")
}

/// A number with one digit behind the point.
fn one(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.1}"))
}

/// The start of a text that fits into so many columns.
fn cut(text: &str, columns: usize) -> String {
    let mut fitting = text.to_owned();
    while fitting.width() > columns {
        fitting.pop();
    }
    fitting
}

/// A text in lines of at most so many columns; a longer word has a line of its own.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn a_game_has_lines_of_80_columns_with_its_reason() {
        let figures = json!({
            "moved_first": true, "turns": 12, "turn_points": 387, "bingos": 1, "exchanges": 0, "passes": 0,
            "lost_turns": 0, "phonies_caught": 0, "challenges_won": 0, "challenges_lost": 0, "clock_ms": 1,
        });
        let seat = |name: &str, rank: u8, score: i32| {
            let rating = json!({ "before": 1_500, "after": 1_512, "deviation": 60 });
            json!({
                "seat": rank - 1, "identity": name, "name": name, "kind": "guest", "rank": rank, "final_score": score,
                "score": score, "rack_points": 0, "time_penalty": 0, "counted": true, "rating": rating,
                "figures": figures,
            })
        };
        let decision = json!({
            "code": "highest_score", "winner_rule": "A1", "end_rule": "A2", "words": "It ended.",
        });
        let mut game = json!({
            "game": "g4k7m2q9h3x5", "rule_set": "classic", "language": "english", "lexicon": "wordnik",
            "pool": "classic/wordnik/rapid", "private": false, "created_at": 0, "ended_at": 0, "reason": "out_play",
            "decision": decision, "seats": [seat("Anna", 1, 387), seat("Ben", 2, 345)],
        });
        let shown = |game: &serde_json::Value| {
            lines(
                &serde_json::from_value(game.clone()).expect("a game"),
                3 * 86_400_000,
            )
        };
        assert_eq!(
            shown(&game),
            ["g4k7m2q9h3x5  3d ago    Anna 387* (+12) Ben 345 (+12)  rated, classic, out play"]
        );
        game["reason"] = "scoreless_turns".into();
        assert_eq!(
            shown(&game),
            [
                "g4k7m2q9h3x5  3d ago    Anna 387* (+12) Ben 345 (+12)",
                "    rated, classic, scoreless turns"
            ]
        );
        game["seats"][0]["name"] = "a name \u{1b}[31m that is rather long".into();
        for line in shown(&game) {
            let is_fit = line.width() <= COLUMNS && !line.contains('\u{1b}');
            assert!(is_fit, "{line}");
        }
    }

    #[test]
    fn words_are_wrapped() {
        let lines = wrapped("Anna played the last tile with an empty bag.", 20);
        assert_eq!(
            lines,
            ["Anna played the last", "tile with an empty", "bag."]
        );
    }
}
