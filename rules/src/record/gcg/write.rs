//! Writes a [`Gcg`] as text.

use std::fmt::Write;

use super::{Event, Gcg, Kind};

/// Writes a file: UTF-8, named as such in the first line, each line ended by a line feed.
#[must_use]
pub fn write(gcg: &Gcg) -> String {
    let mut text = String::from("#character-encoding UTF-8\n");
    for (number, player) in (1..).zip(&gcg.players) {
        line(
            &mut text,
            format_args!("#player{number} {} {}", player.nick, player.name),
        );
    }
    for pragma in &gcg.pragmata {
        lines(&mut text, &pragma.name, &pragma.value);
    }
    for event in &gcg.events {
        write_event(&mut text, event);
    }
    for rack in &gcg.racks {
        line(
            &mut text,
            format_args!("#rack{} {}", rack.player, rack.tiles),
        );
    }
    if let Some(rack) = &gcg.incomplete {
        lines(&mut text, "incomplete", rack);
    }
    text
}

fn write_event(text: &mut String, event: &Event) {
    let Event {
        nick,
        rack,
        score,
        total,
        ..
    } = event;
    let said = match &event.kind {
        Kind::Play { position, tiles } => format!("{rack} {position} {tiles}"),
        Kind::Off => format!("{rack} --"),
        Kind::Pass => format!("{rack} -"),
        Kind::Exchange(tiles) => format!("{rack} -{tiles}"),
        Kind::Challenge => format!("{rack} (challenge)"),
        Kind::RackBonus(tiles) => format!("({tiles})"),
        Kind::RackPenalty(tiles) => format!("{rack} ({tiles})"),
        Kind::Time => format!("{rack} (time)"),
    };
    line(
        text,
        format_args!(">{nick}: {} {score:+} {total}", said.trim_start()),
    );
    if let Some(note) = &event.note {
        lines(text, "note", note);
    }
}

/// A pragma, each further line of its text as a continuation.
fn lines(text: &mut String, name: &str, value: &str) {
    let mut rest = value.split('\n');
    let first = rest.next().unwrap_or_default();
    if first.is_empty() {
        line(text, format_args!("#{name}"));
    } else {
        line(text, format_args!("#{name} {first}"));
    }
    for more in rest {
        line(text, format_args!("#- {more}"));
    }
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments)
        .expect("writing to a string cannot fail");
    text.push('\n');
}
