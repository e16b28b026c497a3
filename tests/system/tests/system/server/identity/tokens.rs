//! Tokens of the server: renewal, expiry, key rotation and revocation. No log shows a token.

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http;
use tilewire_harness::server::Server;
use tilewire_harness::wire::{Wire, kid};

use super::{TALKATIVE, auth, refused, text, until, welcomed};

#[test]
fn a_token_expires_and_a_renewed_one_is_valid() {
    let server = Server::start(&format!("{TALKATIVE}[identity]\ntoken_ms = 5000\n"));
    let mut anna = Wire::connect(&server.address);
    let welcome = anna.ask("auth", json!({ "name": "anna", "client": "tests" }))[2].clone();
    let (first, end) = (text(&welcome["token"]), welcome["expires_at"].as_i64());
    let end = end.expect("it ends");
    let mut renewed = Value::Null;
    while anna.ok("time", json!({}))["server_time"].as_i64() < Some(end) {
        renewed = anna.ok("renew", json!({}));
    }
    assert!(renewed["expires_at"].as_i64() > Some(end), "{renewed}");
    refused(&server, &first);
    let (_, again) = welcomed(&server, &text(&renewed["token"]));
    assert_eq!(again["identity"], welcome["identity"]);
    // A connection outlives the token it came by.
    anna.ok("time", json!({}));
}

#[test]
fn a_running_server_loads_changed_keys() {
    let mut server = Server::start(TALKATIVE);
    let (mut anna, old) = Wire::guest(&server.address, "anna");
    let old_kid = kid(&old);
    let listed = server.operate(&["keys", "list"], "").expect("keys");
    assert!(listed.contains(&format!("{old_kid}  signs")), "{listed}");
    let why = server.operate(&["keys", "retire", &old_kid], "");
    assert!(why.expect_err("it signs").contains("keys rotate"));
    let why = server.operate(&["keys", "retire", "nobody"], "");
    assert!(why.expect_err("there is none").contains("keys list"));

    let said = server.operate(&["keys", "rotate"], "").expect("a new key");
    let new_kid = text(&json!(said.split(' ').next()));
    assert_ne!(new_kid, old_kid);
    // The old key still verifies tokens. The server signs with the new key as soon as it has loaded it.
    let (mut newer, answer) = until(&server, &old, |answer| {
        assert_eq!(answer[0], "welcome", "{answer}");
        kid(&text(&answer[2]["token"])) == new_kid
    });
    let (_by_new, new) = welcomed(&server, &text(&answer[2]["token"]));
    let (mut by_new, _) = welcomed(&server, &text(&new["token"]));

    server
        .operate(&["keys", "retire", &old_kid], "")
        .expect("it signs no more");
    server.signal("-HUP");
    assert_eq!(newer.closed(), Some(4002), "it came by the old token");
    refused(&server, &old);
    // A new guest is not refused, and can still get a valid token.
    let renewed = text(&anna.ok("renew", json!({}))["token"]);
    assert_eq!(kid(&renewed), new_kid);
    welcomed(&server, &renewed);
    by_new.ok("time", json!({}));
    server.kill();
    server.start_again();
    refused(&server, &old);
    welcomed(&server, &text(&new["token"]));
    let listed = server.operate(&["keys", "list"], "").expect("keys");
    assert!(!listed.contains(&old_kid), "{listed}");
}

/// Connects with a token of a revoked identity: the player is told the reason, and no way around it.
fn barred(server: &Server, token: &str) {
    let (mut wire, answer) = auth(server, token);
    assert_eq!(answer[2]["code"], "revoked", "{answer}");
    let said = text(&answer[2]["message"]);
    assert_eq!(said, "the operator has revoked your access: insults");
    assert_eq!(wire.closed(), Some(4009));
}

#[test]
fn a_revoked_identity_is_disconnected_and_stays_out() {
    let mut server = Server::start(TALKATIVE);
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let (mut phone, welcome) = welcomed(&server, &token);
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    let identity = text(&welcome["identity"]);
    let why = server.operate(&["identities", "revoke", "nobody"], "");
    assert!(why.expect_err("there is none").contains("nobody"));
    server
        .operate(
            &["identities", "revoke", &identity, "--reason", "insults"],
            "",
        )
        .expect("revoked");
    // Without a signal: the server looks by itself.
    assert_eq!(anna.closed(), Some(4009));
    assert_eq!(phone.closed(), Some(4009));
    zoe.ok("time", json!({}));
    barred(&server, &token);
    barred(&server, &text(&welcome["token"]));
    server.kill();
    server.start_again();
    barred(&server, &token);
    let shown = server.operate(&["identities", "show", &identity], "");
    assert!(shown.expect("shown").contains("revoked (insults)"));
    server
        .operate(&["identities", "restore", &identity], "")
        .expect("restored");
    let (_, answer) = until(&server, &token, |answer| answer[0] == "welcome");
    assert_eq!(answer[2]["identity"], json!(identity));
}

#[test]
fn a_leaked_token_is_revoked_and_its_owner_gets_another() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let leaked = duel.tokens[0].clone();
    let (mut thief, stolen) = welcomed(&server, &leaked);
    let identity = text(&stolen["identity"]);
    let issued = server.operate(&["tokens", "issue", &identity], "");
    let issued = text(&json!(issued.expect("a token").trim()));
    let why = server.operate(&["tokens", "revoke"], "forged");
    assert!(why.expect_err("no token").contains("not from this server"));
    server
        .operate(&["tokens", "revoke"], &format!("{leaked}\n"))
        .expect("revoked");
    assert_eq!(thief.closed(), Some(4002));
    refused(&server, &leaked);
    refused(&server, &text(&stolen["token"]));
    let (owner, welcome) = welcomed(&server, &issued);
    assert_eq!(welcome["identity"], json!(identity));
    duel.wires[0] = owner;
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
}

#[test]
fn no_token_is_taken_from_a_url_or_shown_in_a_log() {
    let server = Server::start("[log]\nfilter = \"trace\"\n");
    let (_anna, token) = Wire::guest(&server.address, "anna");
    let (_, welcome) = welcomed(&server, &token);
    let (status, page) = http::get(&server.address, &format!("/ws?token={token}"));
    assert_eq!(status, 426, "{page}");
    assert!(!page.contains(&token));
    assert_eq!(http::get(&server.address, &format!("/{token}")).0, 404);
    let mut by_url = Wire::connect_at(&server.address, &format!("/ws?token={token}"));
    let stranger = by_url.ask("auth", json!({ "client": "tests" }));
    assert_ne!(
        stranger[2]["identity"], welcome["identity"],
        "a token in the URL is ignored"
    );
    let spoilt = format!("{}x", &token[..token.len() - 2]);
    refused(&server, &spoilt);
    let (_, answer) = auth(&server, &format!("{token}{}", "A".repeat(3_000)));
    assert_eq!(answer[2]["code"], "bad_token");
    server.until_logged("authenticated");
    let log = server.log();
    for secret in [&token, &spoilt, &text(&welcome["token"])] {
        let signature = secret.rsplit('.').next().expect("a signature");
        assert!(!log.contains(&signature[..20]), "{signature}");
    }
}
