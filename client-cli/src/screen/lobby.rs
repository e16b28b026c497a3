//! What is shown before there is a game: the offer that waits, or the games to choose from.

use ratatui::style::Style;
use ratatui::text::Line;
use tilewire_protocol::{GameSummary, Seek};

use super::View;
use super::theme::Theme;
use crate::args::format_options;
use crate::model::printable;

/// The lines to show while there is no game.
pub(super) fn lines(view: &View<'_>, theme: Theme) -> Vec<Line<'static>> {
    if let Some(games) = view.choices {
        let mut lines = vec![
            Line::styled("Which game? Type its number.", theme.call()),
            Line::raw(""),
        ];
        lines.extend(
            games
                .iter()
                .enumerate()
                .map(|(place, game)| Line::raw(format!("{:>3}  {}", place + 1, summary(game)))),
        );
        return lines;
    }
    match view.offer {
        Some((seek, is_own)) => offer(seek, is_own, theme),
        None if view.is_connected => vec![Line::raw("Waiting for the game...")],
        None => vec![Line::raw("Connecting...")],
    }
}

fn offer(seek: &Seek, is_own: bool, theme: Theme) -> Vec<Line<'static>> {
    let names: Vec<String> = seek
        .members
        .iter()
        .map(|person| printable(&person.name))
        .collect();
    let whose = if is_own {
        "Your offer"
    } else {
        "The offer you joined"
    };
    let mut lines = vec![
        Line::styled(format!("{whose} waits for players."), theme.strong()),
        Line::raw(""),
        Line::raw(format!("Game     {}", format_options(&seek.options))),
        Line::raw(format!("Lexicon  {}", printable(&seek.options.lexicon))),
        Line::raw(format!(
            "Here     {} of {}: {}",
            names.len(),
            seek.options.seats,
            names.join(", ")
        )),
        Line::raw(""),
    ];
    let way = match &seek.code {
        Some(code) => format!("tilewire play --code {}", printable(code)),
        None => format!("tilewire play --join {}", printable(seek.seek.as_str())),
    };
    lines.push(Line::raw("Others join with:"));
    lines.push(Line::styled(format!("  {way}"), theme.strong()));
    lines.push(Line::raw(""));
    if is_own && names.len() >= 2 {
        lines.push(Line::styled(
            "start  begins the game with those who are here",
            theme.call(),
        ));
    }
    lines.push(Line::styled("quit   takes you out of it", Style::new()));
    lines
}

/// A game in one line.
#[must_use]
pub(crate) fn summary(game: &GameSummary) -> String {
    let seats: Vec<String> = game
        .seats
        .iter()
        .map(|seat| {
            let turn = if seat.on_turn { "*" } else { "" };
            format!("{}{turn} {}", printable(&seat.name), seat.score)
        })
        .collect();
    let private = if game.private { ", private" } else { "" };
    format!(
        "{}  {}  ({}, {}, turn {}{private})",
        game.game,
        seats.join(" - "),
        game.rule_set,
        game.phase,
        game.turn_no
    )
}
