//! Authentication with real processes and real sockets: tokens, their lifetimes, and limits.

mod devices;
mod limits;
mod revocation;
mod site;
mod tokens;

use serde_json::{Value, json};
use tilewire_harness::PATIENCE;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Settings for tests that ask the time until it has passed.
const TALKATIVE: &str = "[limits]\nmessages_per_second = 100000\nmessage_burst = 100000\n\
    accepts_per_second = 1000000\naccepts_per_second_per_address = 1000000\n";

/// Connects with a token and returns the answer to `auth`.
fn auth(server: &Server, token: &str) -> (Wire, Value) {
    let mut wire = Wire::connect(&server.address);
    let answer = wire.ask("auth", json!({ "token": token, "client": "tests" }));
    (wire, answer)
}

/// Connects with a token that is taken; returns the `welcome`.
fn welcomed(server: &Server, token: &str) -> (Wire, Value) {
    let (wire, answer) = auth(server, token);
    assert_eq!(answer[0], "welcome", "{answer}");
    (wire, answer[2].clone())
}

/// Connects with a token that is refused.
fn refused(server: &Server, token: &str) {
    let (mut wire, answer) = auth(server, token);
    assert_eq!(answer[2]["code"], "bad_token", "{answer}");
    assert_eq!(wire.closed(), Some(4002));
}

/// Connects again and again until `wanted` accepts the answer to `auth`.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn until(server: &Server, token: &str, wanted: impl Fn(&Value) -> bool) -> (Wire, Value) {
    let since = std::time::Instant::now();
    loop {
        let (wire, answer) = auth(server, token);
        if wanted(&answer) {
            return (wire, answer);
        }
        assert!(since.elapsed() < PATIENCE, "still {answer}");
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}
