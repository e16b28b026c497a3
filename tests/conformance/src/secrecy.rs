//! Checks that messages show no hidden tiles or secrets to their audience.

use serde_json::Value;

/// Checks that messages to one audience show no tile and no secret that audience may not see.
///
/// Every list of tile faces in every message must be one of those that are open to the audience; a field that did not
/// exist when this check was written is a failure until it is added to the list here.
///
/// # Panics
/// When something hidden is shown.
pub fn check_secrecy(messages: &[Value], own_seat: Option<u64>) {
    let mut is_over = false;
    for message in messages {
        let (op, body) = (message[0].as_str().expect("an op"), &message[2]);
        is_over |= op == "event" && body["kind"] == "ended" || body.get("result").is_some();
        let own = |seat: &Value| own_seat.is_some() && seat.as_u64() == own_seat;
        let mut lists = Vec::new();
        tile_lists(body, &mut Vec::new(), &mut lists);
        for path in lists {
            let open = match (op, body["kind"].as_str().unwrap_or_default(), path.as_str()) {
                ("event", "play_made", "tiles") => true,
                ("event", "tiles_drawn" | "exchanged", "tiles") => own(&body["seat"]),
                ("event", "ended", path) => {
                    path.starts_with("results.") || path.starts_with("exchanges.")
                }
                ("snapshot", _, path) => in_snapshot(body, path, own_seat),
                ("error", ..) => true,
                _ => false,
            };
            assert!(open, "{path} shows tiles to {own_seat:?}: {message}");
        }
        assert!(
            is_over || !message.to_string().contains("\"secret\""),
            "{message}"
        );
    }
}

/// Checks that an answer of the HTTP API has no tiles, no secret and no `running` game: what it says is about finished games.
///
/// # Panics
/// When it has.
pub fn check_answer(answer: &Value, running: &[String]) {
    let mut lists = Vec::new();
    tile_lists(answer, &mut Vec::new(), &mut lists);
    assert!(lists.is_empty(), "{lists:?} show tiles: {answer}");
    let text = answer.to_string();
    assert!(!text.contains("\"secret\""), "{text}");
    let shown = running.iter().find(|game| text.contains(game.as_str()));
    assert!(shown.is_none(), "{shown:?} is shown: {text}");
}

fn in_snapshot(snapshot: &Value, path: &str, own_seat: Option<u64>) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["seats", seat, "rack"] => own_seat.is_some() && seat.parse().ok() == own_seat,
        ["turns", turn, "tiles"] => {
            let turn = &snapshot["turns"][turn.parse::<usize>().expect("an index")];
            turn["kind"] == "play" || own_seat.is_some() && turn["seat"].as_u64() == own_seat
        }
        ["turns", turn, "rack"] => {
            let turn = &snapshot["turns"][turn.parse::<usize>().expect("an index")];
            snapshot.get("result").is_some()
                || own_seat.is_some() && turn["seat"].as_u64() == own_seat
        }
        ["result", "results", ..] => true,
        _ => false,
    }
}

/// Collects the paths of all lists that look like tiles: faces of one character each.
fn tile_lists(value: &Value, path: &mut Vec<String>, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            let is_face =
                |value: &Value| value.as_str().is_some_and(|text| text.chars().count() == 1);
            if !values.is_empty() && values.iter().all(is_face) {
                found.push(path.join("."));
            }
            for (value, at) in values.iter().zip(0..) {
                path.push(at.to_string());
                tile_lists(value, path, found);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                path.push(key.clone());
                tile_lists(value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_shown_rack_is_noticed() {
        let drawn = |tiles: Value| json!(["event", 0, { "kind": "tiles_drawn", "seat": 1, "tiles": tiles }]);
        check_secrecy(&[drawn(json!(["A", "?"]))], Some(1));
        for (message, seat) in [
            (drawn(json!(["A"])), None),
            (drawn(json!(["A"])), Some(0)),
            (
                json!(["snapshot", 0, { "seats": [{ "rack": ["A"] }] }]),
                Some(1),
            ),
            (
                json!(["snapshot", 0, { "turns": [{ "seat": 0, "rack": ["A"] }] }]),
                Some(1),
            ),
            (
                json!(["presence", 0, { "something_new": ["A", "B"] }]),
                Some(1),
            ),
        ] {
            let noticed = std::panic::catch_unwind(|| check_secrecy(&[message], seat));
            assert!(noticed.is_err());
        }
    }

    #[test]
    fn an_answer_about_a_running_game_is_noticed() {
        let running = ["running1".to_owned()];
        check_answer(&json!({ "games": [{ "game": "ended1" }] }), &running);
        for answer in [
            json!({ "games": [{ "game": "running1" }] }),
            json!({ "games": [{ "seats": [{ "rack": ["A", "B"] }] }] }),
            json!({ "secret": "AAEC" }),
        ] {
            let noticed = std::panic::catch_unwind(|| check_answer(&answer, &running));
            assert!(noticed.is_err(), "{answer}");
        }
    }
}
