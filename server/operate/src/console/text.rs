//! Answers as text, line by line. Text that players wrote is shown without control characters.

use std::fmt::Write;

use serde_json::Value;
use tilewire_rules::time::Timestamp;

use super::request::{ItemKind, Print};
use tilewire_base::clock::time_text;

/// Returns an answer as text.
pub(super) fn of(print: &Print, answer: &Value) -> String {
    let mut text = String::new();
    match print {
        Print::List(list) => {
            for line in array(&answer[list.field]) {
                push(&mut text, "", &of_line(list.kind, line));
            }
        }
        Print::Player => player(&mut text, answer),
        Print::Lobby => push(&mut text, "", &lobby(answer)),
        Print::Reload => reload(&mut text, answer),
        Print::Game => game(&mut text, answer),
        Print::Number => {
            let games = match &answer["games"] {
                Value::Null => String::new(),
                games => format!(", {} games", plain(games)),
            };
            let number = plain(&answer["number"]);
            push(&mut text, "", &format!("action {number}{games}"));
        }
    }
    let missing = array(&answer["missing_servers"]);
    if !missing.is_empty() {
        let servers: Vec<String> = missing.iter().map(plain).collect();
        let servers = servers.join(", ");
        push(
            &mut text,
            "",
            &format!("servers that did not answer: {servers}"),
        );
    }
    text
}

fn of_line(kind: ItemKind, line: &Value) -> String {
    match kind {
        ItemKind::Connection => connection(line),
        ItemKind::Player => known_player(line),
        ItemKind::Game => game_line(line),
        ItemKind::Notice => notice(line),
        ItemKind::Block => block(line),
        ItemKind::Watch => format!("{}  until {}", plain(&line["id"]), time(&line["until"])),
        ItemKind::Entry => entry(line),
    }
}

fn push(text: &mut String, indent: &str, line: &str) {
    // Writing to a string cannot fail.
    writeln!(text, "{indent}{line}").ok();
}

fn connection(line: &Value) -> String {
    format!(
        "{}  {} ({})  {}  lag {} ms",
        plain(&line["number"]),
        plain(&line["name"]),
        plain(&line["identity"]),
        plain(&line["address"]),
        plain(&line["lag_ms"])
    )
}

fn known_player(line: &Value) -> String {
    let kind = match line["registered"].as_bool() {
        Some(true) => "registered",
        _ => "guest",
    };
    format!(
        "{} ({})  {kind}  {} connections",
        plain(&line["name"]),
        plain(&line["identity"]),
        plain(&line["connections"])
    )
}

fn game_line(line: &Value) -> String {
    let game = &line["game"];
    let seats: Vec<String> = array(&game["seats"]).iter().map(seat).collect();
    let paused = match line["paused"].as_bool() {
        Some(true) => ", paused",
        _ => "",
    };
    format!(
        "{}  {}  {}  {}{paused}  turn {}  {}",
        plain(&game["game"]),
        time(&line["created_at"]),
        plain(&game["rule_set"]),
        plain(&game["phase"]),
        plain(&game["turn_no"]),
        seats.join(", ")
    )
}

fn seat(seat: &Value) -> String {
    let turn = match seat["on_turn"].as_bool() {
        Some(true) => "*",
        _ => "",
    };
    format!("{turn}{} {}", plain(&seat["name"]), plain(&seat["score"]))
}

fn lobby(answer: &Value) -> String {
    let games = plain(&answer["games"]);
    match answer["open"].as_bool() {
        Some(true) => format!("open, {games} games"),
        _ => {
            let (since, reason) = (time(&answer["since"]), plain(&answer["reason"]));
            format!("closed since {since}: {reason}, {games} games")
        }
    }
}

fn reload(text: &mut String, answer: &Value) {
    push(text, "", &format!("action {}", plain(&answer["number"])));
    for (title, field) in [("changed", "applied"), ("needs a restart", "waiting")] {
        for key in array(&answer[field]) {
            push(text, "  ", &format!("{title} {}", plain(key)));
        }
    }
}

fn notice(line: &Value) -> String {
    let (number, next) = (plain(&line["number"]), time(&line["next"]));
    format!(
        "{number}  {next}  {}: {}",
        plain(&line["code"]),
        plain(&line["text"])
    )
}

fn block(line: &Value) -> String {
    let until = match &line["until"] {
        Value::Null => "until it is lifted".to_owned(),
        until => format!("until {}", time(until)),
    };
    let (number, network) = (plain(&line["number"]), plain(&line["network"]));
    format!("{number}  {network}  {until}: {}", plain(&line["reason"]))
}

fn entry(line: &Value) -> String {
    let name = |name: &str, id: &str| match &line[name] {
        Value::Null => plain(&line[id]),
        name => format!("{} ({})", plain(name), plain(&line[id])),
    };
    format!(
        "{}  {}  {}: {} {}, {}",
        plain(&line["number"]),
        time(&line["at"]),
        name("actor_name", "actor"),
        plain(&line["action"]),
        name("target_name", "target"),
        plain(&line["reason"])
    )
}

fn player(text: &mut String, answer: &Value) {
    push(text, "", &known_player(answer));
    for (title, field, print) in [
        ("session", "sessions", session as fn(&Value) -> String),
        ("connection", "open", connection),
        ("game", "games", game_line),
        ("restriction", "restrictions", restriction),
        ("action", "history", entry),
    ] {
        for line in array(&answer[field]) {
            push(text, "  ", &format!("{title} {}", print(line)));
        }
    }
}

fn session(line: &Value) -> String {
    let (label, used) = (plain(&line["label"]), time(&line["used_at"]));
    format!("{}  {label}  used {used}", plain(&line["id"]))
}

fn restriction(line: &Value) -> String {
    let until = match &line["until"] {
        Value::Null => "until it is undone".to_owned(),
        until => format!("until {}", time(until)),
    };
    let (number, kind) = (plain(&line["number"]), plain(&line["kind"]));
    format!("{number}  {kind} {until}: {}", plain(&line["reason"]))
}

fn game(text: &mut String, answer: &Value) {
    let snapshot = &answer["snapshot"];
    let head = format!(
        "{}  {}  event {}  turn {}",
        plain(&snapshot["game"]),
        plain(&snapshot["phase"]),
        plain(&answer["seq"]),
        plain(&snapshot["turn_no"])
    );
    push(text, "", &head);
    let work = format!(
        "spectators {}, commands queued {}, unanswered {}, storage {}, next deadline {}",
        plain(&answer["watching"]),
        plain(&answer["queued"]),
        plain(&answer["unanswered"]),
        plain(&answer["storage"]),
        time(&answer["next_deadline"])
    );
    push(text, "  ", &work);
    push(
        text,
        "  ",
        &format!("connected {}", plain(&answer["connected"])),
    );
    push(
        text,
        "  ",
        &format!("clocks {}", plain(&snapshot["clocks"])),
    );
    for event in array(&answer["log"]) {
        let mut rest = event.clone();
        if let Some(fields) = rest.as_object_mut() {
            for known in ["game", "seq", "at", "kind"] {
                fields.remove(known);
            }
        }
        let line = format!(
            "{}  {}  {}  {}",
            plain(&event["seq"]),
            time(&event["at"]),
            plain(&event["kind"]),
            plain(&rest)
        );
        push(text, "  ", &line);
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn time(value: &Value) -> String {
    let at = value.as_i64();
    at.map_or_else(|| "-".to_owned(), |at| time_text(Timestamp(at)))
}

/// Returns a value in one line. A control character would let a player write to the operator's terminal.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => escaped(text),
        other => escaped(&other.to_string()),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if c.is_control() {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::request::List;
    use super::*;

    const GAMES: Print = Print::List(List {
        field: "games",
        place: "behind",
        kind: ItemKind::Game,
    });

    #[test]
    fn a_game_is_a_line() {
        let seats = json!([
            { "name": "anna", "score": 12, "on_turn": true }, { "name": "e\u{1b}[2Jve", "score": -3 },
        ]);
        let game = json!({
            "game": "g1", "rule_set": "classic", "phase": "running", "turn_no": 3, "seats": seats,
        });
        let answer = json!({ "games": [{ "created_at": 0, "game": game }] });
        let said = of(&GAMES, &answer);
        assert!(said.starts_with("g1  1970-01-01"), "{said}");
        assert!(
            said.ends_with("classic  running  turn 3  *anna 12, e\\u{1b}[2Jve -3\n"),
            "{said}"
        );
    }

    #[test]
    fn an_action_is_a_number() {
        assert_eq!(of(&Print::Number, &json!({ "number": 7 })), "action 7\n");
        assert_eq!(of(&GAMES, &json!({ "games": [] })), "");
    }
}
