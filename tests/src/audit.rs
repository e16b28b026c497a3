//! Recomputes a whole game from what its clients were told, sharing no code with the server.
//!
//! The board, the values and the premiums come from the `created` event, as a third-party client would read them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::table::{index, number};
use crate::words::Words;

type Cell = (i64, i64);

/// What the auditor keeps of a game.
struct Auditor<'a> {
    is_word: &'a dyn Fn(&str) -> bool,
    layout: Vec<Vec<char>>,
    values: BTreeMap<String, i64>,
    /// Bonus by the number of tiles laid.
    bonus: BTreeMap<u64, i64>,
    board: BTreeMap<Cell, String>,
    scores: Vec<i64>,
    last_play: Option<(Value, i64)>,
}

/// Checks every score, verdict and the result of a finished game with the built-in words.
///
/// # Panics
/// When anything is not as an independent recomputation says.
pub fn audit(events: &[Value]) {
    audit_by(events, &|word| Words::builtin().has(word));
}

/// The same for a game with other words; `is_word` is asked in the notation of the wire.
///
/// # Panics
/// When anything is not as an independent recomputation says.
pub fn audit_by(events: &[Value], is_word: &dyn Fn(&str) -> bool) {
    let setup = &events[0]["setup"];
    let seats = setup["seats"].as_array().expect("a game has seats").len();
    let tiles = setup["rule_set"]["tiles"].as_array().expect("tiles");
    let mut auditor = Auditor {
        is_word,
        layout: rows(&setup["rule_set"]["board"]["layout"]),
        values: tiles
            .iter()
            .map(|tile| {
                (
                    text(&tile["face"]).to_owned(),
                    tile["value"].as_i64().expect("a value"),
                )
            })
            .collect(),
        bonus: setup["rule_set"]["bingo"]
            .as_array()
            .expect("bonuses")
            .iter()
            .map(|bingo| {
                (
                    number(bingo, "tiles"),
                    bingo["bonus"].as_i64().expect("points"),
                )
            })
            .collect(),
        board: BTreeMap::new(),
        scores: vec![0; seats],
        last_play: None,
    };
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(number(event, "seq"), seq, "numbers without gaps");
        match text(&event["kind"]) {
            "board_drawn" => auditor.layout = rows(&event["layout"]),
            "play_made" => auditor.play(event),
            "challenge_decided" => auditor.verdict(event),
            "ended" => auditor.ended(event),
            _ => {}
        }
    }
    assert_eq!(
        events.last().map(|event| text(&event["kind"])),
        Some("ended")
    );
}

/// Checks that the bag was the one committed to before anybody sat down: the secret of the last event is the one
/// whose hash the first event shows, and nobody saw it earlier.
///
/// # Panics
/// When it is not.
pub fn check_commitment(events: &[Value]) {
    let secret = events
        .last()
        .and_then(|event| event["secret"].as_str())
        .expect("the secret is revealed");
    let hash = tilewire_rules::stream::commitment(&base64url(secret).try_into().expect("32 bytes"));
    let committed = events[0]["setup"]["commitment"]
        .as_str()
        .expect("a commitment");
    assert_eq!(base64url(committed), hash);
    assert!(
        !events[..events.len() - 1]
            .iter()
            .any(|event| event.to_string().contains(secret))
    );
}

impl Auditor<'_> {
    fn play(&mut self, event: &Value) {
        let (start, step) = start_and_step(text(&event["start"]));
        let faces = event["tiles"].as_array().expect("tiles");
        let mut laid = Vec::new();
        for (face, at) in faces.iter().zip(0..) {
            let cell = (start.0 + step.0 * at, start.1 + step.1 * at);
            if text(face) == "." {
                assert!(self.board.contains_key(&cell), "through a tile");
            } else {
                assert!(
                    self.board.insert(cell, text(face).to_owned()).is_none(),
                    "on a free square"
                );
                laid.push(cell);
            }
        }
        let across = (step.1, step.0);
        let mut runs = vec![self.run(start, step)];
        runs.extend(
            laid.iter()
                .map(|cell| self.run(*cell, across))
                .filter(|run| run.len() > 1),
        );
        let told: Vec<(String, i64)> = event["words"]
            .as_array()
            .expect("words")
            .iter()
            .map(|word| (text(&word[0]).to_owned(), word[1].as_i64().expect("points")))
            .collect();
        let counted: Vec<(String, i64)> = runs.iter().map(|run| self.count(run, &laid)).collect();
        assert_eq!(sorted(&told), sorted(&counted), "{event}");
        let count = u64::try_from(laid.len()).expect("few tiles");
        let bonus = self.bonus.get(&count).copied().unwrap_or(0);
        let score = bonus + counted.iter().map(|(_, score)| score).sum::<i64>();
        assert_eq!(event["score"], score);
        let seat = index(number(event, "seat"));
        self.scores[seat] += score;
        assert_eq!(event["total"], self.scores[seat]);
        self.last_play = Some((event.clone(), score));
    }

    /// The cells of the word through `cell` along `step`.
    fn run(&self, cell: Cell, step: Cell) -> Vec<Cell> {
        let mut first = cell;
        while self
            .board
            .contains_key(&(first.0 - step.0, first.1 - step.1))
        {
            first = (first.0 - step.0, first.1 - step.1);
        }
        let mut run = vec![first];
        loop {
            let last = run[run.len() - 1];
            let next = (last.0 + step.0, last.1 + step.1);
            if !self.board.contains_key(&next) {
                return run;
            }
            run.push(next);
        }
    }

    fn count(&self, run: &[Cell], laid: &[Cell]) -> (String, i64) {
        let (mut sum, mut factor, mut word) = (0, 1, String::new());
        for cell in run {
            let face = &self.board[cell];
            match face.chars().count() {
                1 => word.push_str(face),
                _ => word.push_str(&format!("[{face}]")),
            }
            let value = self.values.get(face).copied().unwrap_or(0);
            let premium = if laid.contains(cell) {
                let (row, col) = (usize::try_from(cell.0), usize::try_from(cell.1));
                self.layout[row.expect("on the board")][col.expect("on the board")]
            } else {
                '.'
            };
            sum += value
                * match premium {
                    '\'' => 2,
                    '"' => 3,
                    '^' => 4,
                    _ => 1,
                };
            factor *= match premium {
                '-' => 2,
                '=' => 3,
                '~' => 4,
                _ => 1,
            };
        }
        (word, sum * factor)
    }

    fn verdict(&mut self, event: &Value) {
        let (play, score) = self.last_play.clone().expect("a play was challenged");
        let words = play["words"].as_array().expect("words");
        let bad = words
            .iter()
            .filter(|word| !(self.is_word)(text(&word[0])))
            .count();
        assert_eq!(event["upheld"], bad > 0, "{event}");
        assert_eq!(event["bad_words"].as_array().map(Vec::len), Some(bad));
        if bad > 0 {
            let (start, step) = start_and_step(text(&play["start"]));
            for (face, at) in play["tiles"].as_array().expect("tiles").iter().zip(0..) {
                if text(face) != "." {
                    self.board
                        .remove(&(start.0 + step.0 * at, start.1 + step.1 * at));
                }
            }
            self.scores[index(number(&play, "seat"))] -= score;
        }
        for points in event["points"].as_array().expect("points") {
            self.scores[index(number(points, "seat"))] +=
                points["points"].as_i64().expect("points");
        }
        let totals: Vec<i64> = event["totals"]
            .as_array()
            .expect("totals")
            .iter()
            .filter_map(Value::as_i64)
            .collect();
        assert_eq!(totals, self.scores);
    }

    fn ended(&self, event: &Value) {
        let results = event["results"].as_array().expect("results");
        let racks: Vec<i64> = results
            .iter()
            .map(|result| result["rack"].as_array().expect("a rack").iter())
            .map(|rack| {
                rack.map(|face| self.values.get(text(face)).copied().unwrap_or(0))
                    .sum()
            })
            .collect();
        let mut finals = Vec::new();
        for (result, seat) in results.iter().zip(0..) {
            let field = |name: &str| result[name].as_i64().expect("points");
            assert_eq!(field("score"), self.scores[seat]);
            let expected = match text(&event["reason"]) {
                "out_play" if result["rack"].as_array().is_some_and(Vec::is_empty) => {
                    racks.iter().sum()
                }
                "out_play" | "scoreless_turns" | "passes" | "turn_cap" => -racks[seat],
                _ => 0,
            };
            assert_eq!(field("rack_points"), expected, "{event}");
            assert_eq!(
                field("final_score"),
                field("score") + expected + field("time_penalty")
            );
            finals.push(field("final_score"));
        }
        if text(&event["reason"]) == "out_play" {
            let best = finals.iter().max().expect("somebody played");
            let winners = event["winners"].as_array().expect("winners");
            assert!(
                winners
                    .iter()
                    .all(|seat| finals[index(seat.as_u64().expect("a seat"))] == *best)
            );
            assert!(!winners.is_empty());
        }
    }
}

/// `8F` is row 8, column F, across; `F8` the same square, down.
fn start_and_step(start: &str) -> (Cell, Cell) {
    let is_across = start.starts_with(|c: char| c.is_ascii_digit());
    let row: String = start.chars().filter(char::is_ascii_digit).collect();
    let col = start
        .chars()
        .find(char::is_ascii_alphabetic)
        .expect("a column");
    let row: i64 = row.parse().expect("a row");
    let cell = (row - 1, i64::from(u32::from(col) - u32::from('A')));
    (cell, if is_across { (0, 1) } else { (1, 0) })
}

/// The symbols of a layout, row by row.
fn rows(layout: &Value) -> Vec<Vec<char>> {
    let rows = layout.as_array().expect("a layout");
    rows.iter().map(|row| text(row).chars().collect()).collect()
}

fn sorted(words: &[(String, i64)]) -> Vec<(String, i64)> {
    let mut words = words.to_vec();
    words.sort();
    words
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("text expected, found {value}"))
}

/// Decodes base64url without padding.
fn base64url(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for digit in text.bytes() {
        let value = alphabet
            .iter()
            .position(|known| *known == digit)
            .expect("base64url");
        held = (held << 6) | u32::try_from(value).expect("six bits");
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).expect("eight bits"));
        }
    }
    bytes
}
