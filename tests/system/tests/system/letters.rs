//! Letters with real processes: a real mail server that fails at every stage, codes, whole games by mail, and crashes.

mod by_terminal;
mod codes;
mod faults;
mod games;
mod postfix;
mod push;
mod terminal;
mod webhooks;
mod webhooks_tls;

use serde_json::{Value, json};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::mail::MailServer;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

const PASSWORD: &str = "seven crooked lanterns";

/// A registered player with an address.
struct Player {
    address: String,
    token: String,
}

/// Sends a request to the API.
fn call(server: &Server, request: &str, token: Option<&str>, body: &Value) -> Answer {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let (kind, body) = match body {
        Value::Null => ("", String::new()),
        body => ("Content-Type: application/json\r\n", body.to_string()),
    };
    let headers = format!("{}{kind}", token.unwrap_or_default());
    let request = format!("{method} /api/v1{path}");
    ask(&server.address, &request, &headers, &body).expect("an answer")
}

/// Sends a request that succeeds; returns the body.
#[track_caller]
fn ok(server: &Server, request: &str, token: Option<&str>, sent: &Value) -> Value {
    let answer = call(server, request, token, sent);
    assert!((200..300).contains(&answer.status), "{request}: {answer:?}");
    serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("no JSON: {answer:?}"))
}

/// Sends a request that is refused; returns the status and the code.
#[track_caller]
fn refused(server: &Server, request: &str, token: Option<&str>, sent: &Value) -> (u16, String) {
    let answer = call(server, request, token, sent);
    let body: Value = serde_json::from_str(&answer.body).expect("an error");
    let code = body["code"].as_str();
    let code = code.unwrap_or_else(|| panic!("{request}: {answer:?}"));
    (answer.status, code.to_owned())
}

/// Asks for a code and returns the ticket.
fn ask_code(server: &Server, address: &str, purpose: &str) -> String {
    let asked = json!({ "address": address, "purpose": purpose });
    let answer = ok(server, "POST /mail-codes", None, &asked);
    answer["ticket"].as_str().expect("a ticket").to_owned()
}

/// Asks for a code, reads it in the mail, and returns what proves the address.
fn proof(server: &Server, mail: &MailServer, address: &str, purpose: &str) -> Value {
    let before = mail.count();
    let ticket = ask_code(server, address, purpose);
    let letters = mail.wait_for(server, before + 1);
    let is_its = |letter: &Value| letter["to"] == address;
    let letters: Vec<Value> = letters.into_iter().filter(is_its).collect();
    json!({ "ticket": ticket, "code": newest_code(&letters) })
}

/// Returns the eight digits of the newest letter that has a code. A letter of another kind may come after it.
#[track_caller]
fn newest_code(letters: &[Value]) -> String {
    let code = letters.iter().rev().find_map(code_in);
    code.unwrap_or_else(|| panic!("no code in {letters:?}"))
}

/// Returns the eight digits in a letter.
fn code_in(letter: &Value) -> Option<String> {
    let text = letter["text"].as_str().expect("a text");
    let is_code = |word: &&str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
    text.split_whitespace().find(is_code).map(str::to_owned)
}

/// Registers a player with an address and a password.
fn registered(server: &Server, mail: &MailServer, handle: &str) -> Player {
    let address = format!("{handle}@example.net");
    let (guest, token) = Wire::guest(&server.address, handle);
    let proof = proof(server, mail, &address, "register");
    let sent = json!({ "handle": handle, "password": PASSWORD, "mail": proof });
    let registered = ok(server, "POST /register", Some(&token), &sent);
    assert_eq!(registered["me"]["mail"]["address"], address, "{registered}");
    drop(guest);
    let token = registered["token"].as_str().expect("a token").to_owned();
    Player { address, token }
}

/// The letters to an address.
fn to<'a>(letters: &'a [Value], address: &str) -> Vec<&'a Value> {
    letters
        .iter()
        .filter(|letter| letter["to"] == address)
        .collect()
}
