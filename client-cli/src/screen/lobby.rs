//! The screen before a game: the lobby, the open offer, or the games to choose from.

use ratatui::text::Line;
use tilewire_protocol::{GameOptions, GameSummary, IdentityId, Person, Seek};

use super::Content;
use super::fit::wrap;
use super::theme::Theme;
use crate::app::Lists;
use crate::text::{
    admitted, end_in_words, first_in_words, format_challenge, format_clock, format_options,
    format_spectators, invitation_line, printable, rating_note, ties_in_words, whose_turn,
};

/// The width of the titles of options.
const TITLE_WIDTH: usize = 11;

/// The lines of the screen without a game, for an area of this width and height.
pub(super) fn lines(
    content: &Content<'_>,
    theme: Theme,
    (width, rows): (usize, usize),
) -> Vec<Line<'static>> {
    if let Some(games) = content.choices {
        let mut lines = vec![
            Line::styled("Which game? Type its number.", theme.prompt()),
            Line::raw(""),
        ];
        lines.extend(games.iter().enumerate().map(|(place, game)| {
            Line::raw(format!("{:>3}  {}", place + 1, own_game(game, content)))
        }));
        return lines;
    }
    if let Some(lists) = content.lobby {
        return lobby(lists, content, theme, rows);
    }
    match content.offer {
        Some(waiting) => offer(waiting, content, theme, width),
        None if content.is_connected => vec![Line::raw("Waiting for the game...")],
        None => vec![Line::raw("Connecting...")],
    }
}

/// The lists of the lobby, each with as many items as fit.
fn lobby(lists: &Lists, content: &Content<'_>, theme: Theme, rows: usize) -> Vec<Line<'static>> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    if !lists.mine.is_empty() {
        let games = lists
            .mine
            .iter()
            .map(|game| own_game(game, content))
            .collect();
        groups.push(("Your unfinished games: resume 1", games));
    }
    if !lists.invitations.is_empty() {
        let invitations = lists.invitations.iter().map(invitation_line).collect();
        groups.push(("Invitations: accept 1, decline 1", invitations));
    }
    groups.push((
        "Open offers: join 1",
        lists.seeks.iter().map(offer_line).collect(),
    ));
    groups.push((
        "Live games: watch 1",
        lists.live.iter().map(summary).collect(),
    ));
    // Each group has a title and a blank line, except for the last blank line; an empty group has one more row.
    let empty = groups.iter().filter(|(_, items)| items.is_empty()).count();
    let room = (rows + 1)
        .saturating_sub(2 * groups.len() + empty)
        .max(groups.len());
    let rooms = shares(room, &groups);
    let mut lines = Vec::new();
    for ((title, items), room) in groups.into_iter().zip(rooms) {
        lines.push(Line::styled(title, theme.strong()));
        if items.is_empty() {
            lines.push(Line::styled("  none", theme.faint()));
        }
        let shown = if items.len() > room {
            room.saturating_sub(1)
        } else {
            items.len()
        };
        for (place, item) in items.iter().enumerate().take(shown) {
            lines.push(Line::raw(format!("{:>3}  {item}", place + 1)));
        }
        if shown < items.len() {
            let more = format!("     and {} more", items.len() - shown);
            lines.push(Line::styled(more, theme.faint()));
        }
        lines.push(Line::raw(""));
    }
    lines.pop();
    lines
}

/// A game of the player in one line. The player on turn comes first: the screen cuts a long line off.
fn own_game(game: &GameSummary, content: &Content<'_>) -> String {
    match whose_turn(game, content.own, content.now) {
        Some(turn) => format!("{turn}: {}", summary(game)),
        None => summary(game),
    }
}

/// A game in one line, with the player on turn. `now` is the server's time.
pub(crate) fn with_turn(game: &GameSummary, own: Option<&IdentityId>, now: i64) -> String {
    match whose_turn(game, own, now) {
        Some(turn) => format!("{}: {turn}", summary(game)),
        None => summary(game),
    }
}

/// Distributes the rows evenly among the groups; no group gets more than it needs.
fn shares(room: usize, groups: &[(&str, Vec<String>)]) -> Vec<usize> {
    let mut rooms = vec![0; groups.len()];
    let mut left = room;
    while left > 0 {
        let before = left;
        for (share, (_, items)) in rooms.iter_mut().zip(groups) {
            if left > 0 && *share < items.len() {
                *share += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    rooms
}

/// An offer in one line.
#[must_use]
pub(crate) fn offer_line(seek: &Seek) -> String {
    let names = names(seek);
    let admitted = match admitted(seek) {
        none if none.is_empty() => none,
        some => format!("; {some}"),
    };
    format!(
        "{} ({} of {}): {}{admitted}",
        names.join(", "),
        names.len(),
        seek.options.seats,
        format_options(&seek.options)
    )
}

/// The offer that waits for players: its options, its players, the way for others to join, and similar offers.
fn offer(
    (seek, is_own): (&Seek, bool),
    content: &Content<'_>,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let similar = content.similar;
    let names = names(seek);
    let whose = if is_own {
        "Your offer"
    } else {
        "The offer you joined"
    };
    let mut lines = vec![
        Line::styled(format!("{whose} is waiting for players."), theme.strong()),
        Line::raw(""),
    ];
    let count = format!(
        "{} of {}: {}",
        names.len(),
        seek.options.seats,
        names.join(", ")
    );
    let way = match &seek.code {
        Some(code) => ["play", "--code", code],
        None => ["play", "--join", seek.seek.as_str()],
    };
    let columns = width.saturating_sub(TITLE_WIDTH);
    let way = content.invocation.lines_for_others(&way, columns);
    let mut rest = vec![("Players", count)];
    let admitted = admitted(seek);
    if !admitted.is_empty() {
        rest.insert(0, ("Admits", admitted));
    }
    let facts = facts(&seek.options).into_iter().chain(rest);
    let facts = facts.map(|(title, text)| (title, wrap(&text, columns)));
    let way: Vec<String> = way.iter().map(|line| printable(line)).collect();
    for (title, rows) in facts.chain([("To join", way)]) {
        let titles = std::iter::once(title).chain(std::iter::repeat(""));
        let rows = titles.zip(rows);
        lines.extend(rows.map(|(title, row)| Line::raw(format!("{title:<TITLE_WIDTH$}{row}"))));
    }
    lines.push(Line::raw(""));
    if !similar.is_empty() {
        let title = "These differ from yours only in the clock; type join 1 to join the first:";
        lines.push(Line::styled(title, theme.prompt()));
        lines.extend(
            (1..)
                .zip(similar)
                .map(|(place, seek)| similar_line(place, seek)),
        );
        lines.push(Line::raw(""));
    }
    if is_own && names.len() >= 2 {
        lines.push(Line::styled(
            "start  start the game with these players",
            theme.prompt(),
        ));
    }
    lines.push(Line::raw("quit   leave the offer"));
    lines
}

/// The options of a game with their titles.
fn facts(options: &GameOptions) -> Vec<(&'static str, String)> {
    let spectators = options.spectators.as_ref();
    let mut facts = vec![
        ("Rules", printable(&options.rule_set)),
        ("Lexicon", printable(&options.lexicon)),
        (
            "Clock",
            options
                .clock
                .as_ref()
                .map_or_else(String::new, format_clock),
        ),
        (
            "Challenge",
            options
                .challenge
                .as_ref()
                .map_or_else(String::new, format_challenge),
        ),
        ("First", first_in_words(options).to_owned()),
        ("End", end_in_words(options)),
        ("Ties", ties_in_words(options).to_owned()),
        (
            "Spectators",
            spectators.map_or_else(String::new, format_spectators),
        ),
    ];
    if options.rated {
        facts.push(("Rated", "yes".to_owned()));
    }
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

fn similar_line(place: usize, seek: &Seek) -> Line<'static> {
    let clock = seek
        .options
        .clock
        .as_ref()
        .map_or_else(String::new, format_clock);
    Line::raw(format!("{place:>3}  {}: {clock}", names(seek).join(", ")))
}

fn names(seek: &Seek) -> Vec<String> {
    let members = seek.members.iter();
    let name = |person: &Person| {
        let rating = rating_note(person.rating.as_ref());
        format!("{}{rating}", printable(&person.name))
    };
    members.map(name).collect()
}

/// A game in one line.
#[must_use]
pub(crate) fn summary(game: &GameSummary) -> String {
    let seats: Vec<String> = game
        .seats
        .iter()
        .map(|seat| {
            let turn = if seat.on_turn { "*" } else { "" };
            let rating = rating_note(seat.rating.as_ref());
            format!("{}{rating}{turn} {}", printable(&seat.name), seat.score)
        })
        .collect();
    let private = if game.private { ", private" } else { "" };
    let clock = game.options.as_ref().and_then(|options| {
        let clock = options.clock.as_ref()?;
        Some(format!(", {}", format_clock(clock)))
    });
    format!(
        "{}  {}  ({}{}, {}, turn {}{private})",
        game.game,
        seats.join(" - "),
        game.rule_set,
        clock.unwrap_or_default(),
        game.phase,
        game.turn_no
    )
}
