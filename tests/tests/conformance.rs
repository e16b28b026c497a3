//! Our server and our client against the conformance kit, and the kit against servers that break one clause each.

use std::time::Duration;

use tilewire_tests::conformance::run::{self, Outcome};
use tilewire_tests::conformance::{Encoding, Target, server};
use tilewire_tests::server::Server;

/// A server whose patience is short, so that nobody has to wait for the end of it.
const IMPATIENT: &str =
    "[timing]\nauth_within_ms = 2000\nheartbeat_ms = 500\nheartbeat_lost_ms = 1500\n";

fn targets(server: &Server) -> Vec<(String, Target)> {
    [Encoding::Json, Encoding::Msgpack]
        .into_iter()
        .map(|encoding| {
            let target = Target::parse(&server.url(), encoding, Duration::from_secs(30));
            (encoding.subprotocol().to_owned(), target.expect("a URL"))
        })
        .collect()
}

#[test]
fn our_server_conforms() {
    let server = Server::start(IMPATIENT);
    let targets = targets(&server);
    let lines = run::all(&server::jobs(&targets, ""), 8, |_| {});
    let failed: Vec<String> = lines
        .iter()
        .filter(|line| matches!(line.outcome, Outcome::Failed(_)))
        .map(run::Line::text)
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(!lines.is_empty());
}
