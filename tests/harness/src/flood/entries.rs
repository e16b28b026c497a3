//! Floods at the entrances: games, guests, records, codes.

use serde_json::{Value, json};

use super::{FLOODER, Flood};
use crate::addresses::{self, http};
use crate::duel::options;
use crate::wire::Wire;

/// An id of a game that does not exist.
pub(super) const NO_GAME: &str = "0000000000000000";

impl Flood<'_> {
    /// Starts games against a house bot, and aborts each.
    pub(super) fn games(&self) {
        let mut guest = None;
        for number in 0.. {
            if !self.goes_on() {
                return;
            }
            let Some(wire) = guest.as_mut() else {
                guest = self.guest();
                continue;
            };
            match start_and_abort(wire, number).as_deref() {
                Some("") => {}
                // The server closes the connection of one new guest too many.
                None | Some("rate_limited" | "busy" | "too_many_games" | "too_many_seeks") => {
                    (self.met)();
                    guest = None;
                }
                Some(code) => panic!("{code}"),
            }
        }
    }
    /// Connects as a new guest, again and again.
    pub(super) fn guests(&self) {
        while self.goes_on() {
            if self.guest().is_none() {
                (self.met)();
            }
        }
    }

    /// Asks for records, each over a new connection.
    pub(super) fn records(&self) {
        while self.goes_on() {
            let path = format!("/games/{NO_GAME}.gcg");
            match http(FLOODER, self.address, &path, "").status {
                404 => {}
                429 | 503 => (self.met)(),
                status => panic!("{status}"),
            }
        }
    }

    /// Guesses codes, over the WebSocket and over HTTP.
    pub(super) fn codes(&self) {
        let mut guest = None;
        for number in 0.. {
            if !self.goes_on() {
                return;
            }
            let path = format!("/games/{NO_GAME}.gcg");
            let code = format!("{number:013}");
            let header = format!("X-Game-Code: {code}\r\n");
            if http(FLOODER, self.address, &path, &header).status == 429 {
                (self.met)();
            }
            let Some(wire) = guest.as_mut() else {
                guest = addresses::guest(FLOODER, self.address).ok();
                continue;
            };
            let join = json!({ "cmd_id": format!("j-{number}"), "code": code });
            let answer = wire.ask_if_open("join_seek", join);
            match answer.as_ref().map(refusal) {
                None | Some("rate_limited") => {
                    (self.met)();
                    guest = None;
                }
                Some("wrong_code") => {}
                Some(other) => panic!("{other}"),
            }
        }
    }
}

/// Starts a game and aborts it. Returns the code of the refusal, empty if there is none; `None` if the connection ends.
fn start_and_abort(wire: &mut Wire, number: u64) -> Option<String> {
    let options = options(&json!({ "kind": "untimed" }));
    let cmd_id = format!("s-{number}");
    let seek = json!({ "cmd_id": cmd_id, "options": options, "bots": ["beginner"] });
    let answer = wire.ask_if_open("seek", seek)?;
    let Some(game) = answer[2]["game"].as_str() else {
        return Some(refusal(&answer).to_owned());
    };
    let abort = json!({ "game": game, "cmd_id": format!("a-{number}") });
    Some(refusal(&wire.ask_if_open("abort", abort)?).to_owned())
}

/// The code of an error; empty for another answer.
fn refusal(answer: &Value) -> &str {
    answer[2]["code"].as_str().unwrap_or_default()
}
