//! Accounts by mail: registration, login, recovery, change of the address, and the end of letters.

use serde_json::{Value, json};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::mail::MailServer;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{PASSWORD, ask_code, newest_code, ok, proof, refused, registered, to};

/// A player who has no password logs in and recovers by mail, and the server is killed between the steps.
#[test]
fn a_player_lives_by_mail_alone() {
    let mail = MailServer::plain();
    let mut server = Server::start(&mail.settings(0));
    let (_guest, token) = Wire::guest(&server.address, "anna");
    let address = "anna@example.net";
    let sent = json!({ "handle": "anna", "mail": proof(&server, &mail, address, "register") });
    let anna = ok(&server, "POST /register", Some(&token), &sent);
    server.kill();
    server.start_again();

    let sent = json!({ "mail": proof(&server, &mail, address, "log_in"), "label": "phone" });
    let phone = ok(&server, "POST /login/code", None, &sent);
    assert_eq!(phone["me"]["identity"], anna["me"]["identity"]);
    let again = refused(&server, "POST /login/code", None, &sent);
    assert_eq!(again, (403, "mail_code_invalid".to_owned()));

    let code = proof(&server, &mail, address, "recover");
    let sent = json!({ "mail": code, "password": PASSWORD });
    let before = mail.count();
    let recovered = ok(&server, "POST /recover/code", None, &sent);
    assert_eq!(recovered["me"]["identity"], anna["me"]["identity"]);
    // The sessions have ended, and the player gets a letter about it.
    let phone = phone["token"].as_str();
    let ended = refused(&server, "GET /me", phone, &Value::Null);
    assert_eq!(ended.0, 401, "{ended:?}");
    let letters = mail.wait_for(&server, before + 1);
    let told = letters.last().expect("a letter");
    assert_eq!(told["subject"], "Your account anna was changed", "{told}");
    assert_eq!(told["unsubscribe"], "", "{told}");
}

/// A code that was asked for before a crash is sent after it, once.
#[test]
fn a_code_survives_a_crash() {
    let mail = MailServer::plain();
    mail.fail("greeting:stall");
    let mut server = Server::start(&mail.settings(0));
    let ticket = ask_code(&server, "ben@example.net", "register");
    server.kill();
    mail.fail("");
    server.start_again();
    let letters = mail.wait_for(&server, 1);
    let (_guest, token) = Wire::guest(&server.address, "ben");
    let code = json!({ "ticket": ticket, "code": newest_code(&letters) });
    let sent = json!({ "handle": "ben", "mail": code });
    ok(&server, "POST /register", Some(&token), &sent);
    assert_eq!(mail.count(), 1);
}

#[test]
fn nobody_learns_whether_an_account_exists() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    registered(&server, &mail, "anna");
    let before = mail.count();
    let unknown = ask_code(&server, "nobody@example.net", "log_in");
    let known = ask_code(&server, "anna@example.net", "log_in");
    let letters = mail.wait_for(&server, before + 1);
    let wrong = |ticket: &str| {
        let sent = json!({ "mail": { "ticket": ticket, "code": "no" } });
        refused(&server, "POST /login/code", None, &sent)
    };
    assert_eq!(wrong(&unknown), wrong(&known));
    assert_eq!(to(&letters, "nobody@example.net").len(), 0, "{letters:?}");
    // Ben can read the mail, so the server tells him more.
    let (_guest, token) = Wire::guest(&server.address, "ben");
    let code = proof(&server, &mail, "anna@example.net", "register");
    let sent = json!({ "handle": "ben", "password": PASSWORD, "mail": code });
    let taken = refused(&server, "POST /register", Some(&token), &sent);
    assert_eq!(taken, (409, "mail_taken".to_owned()));
}

#[test]
fn an_address_is_changed_and_removed() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    let anna = registered(&server, &mail, "anna");
    let token = Some(anna.token.as_str());
    let code = proof(&server, &mail, "new@example.net", "register");
    let before = mail.count();
    let sent = json!({ "mail": code, "password": PASSWORD });
    let me = ok(&server, "PUT /account/mail", token, &sent);
    assert_eq!(me["mail"], json!({ "address": "new@example.net" }));
    let letters = mail.wait_for(&server, before + 2);
    for address in ["new@example.net", anna.address.as_str()] {
        let told = to(&letters[before..], address);
        assert_eq!(told.len(), 1, "{address}: {letters:?}");
    }
    let owner = json!({ "password": PASSWORD });
    let me = ok(&server, "POST /account/mail/remove", token, &owner);
    assert_eq!(me["mail"], Value::Null);
    let neither = refused(&server, "POST /account/mail/remove", token, &json!({}));
    assert_eq!(neither, (400, "bad_field".to_owned()));
}

/// The page behind the link needs a click; a mail program sends the request by itself.
#[test]
fn a_link_ends_letters() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    let anna = registered(&server, &mail, "anna");
    let ben = registered(&server, &mail, "ben");
    let before = mail.count();
    let mut wire = Wire::known(&server.address, &ben.token);
    let invitation = json!({
        "cmd_id": "one", "handle": "anna",
        "options": { "rule_set": "email-validated", "seats": 2, "lexicon": "wordnik" },
    });
    wire.ok("invite", invitation);
    let letters = mail.wait_for(&server, before + 1);
    let letter = &letters[before];
    assert_eq!(letter["to"], anna.address.as_str(), "{letter}");
    assert_eq!(letter["subject"], "ben invites you", "{letter}");
    let link = letter["unsubscribe"].as_str().expect("a link");
    let path = link.strip_prefix("https://play.example").expect("our page");

    let request = |method: &str| -> Answer {
        let form = "List-Unsubscribe=One-Click";
        let body = if method == "POST" { form } else { "" };
        let headers = "Content-Type: application/x-www-form-urlencoded\r\n";
        ask(&server.address, &format!("{method} {path}"), headers, body).expect("an answer")
    };
    let letters_of = || {
        let me = ok(&server, "GET /me", Some(&anna.token), &Value::Null);
        me["letters"]["invitation"].clone()
    };
    let page = request("GET");
    assert!(
        page.status == 200 && page.body.contains("<button>"),
        "{page:?}"
    );
    assert_eq!(letters_of(), true, "a look ends nothing");
    assert_eq!(request("POST").status, 200);
    assert_eq!(letters_of(), false);
    let forged = format!("GET {}", path.replace("/invitation/", "/turn/"));
    let forged = ask(&server.address, &forged, "", "").expect("an answer");
    assert_eq!(forged.status, 404);

    let wanted = json!({
        "turn": true, "update": false, "reminder": true, "result": true, "invitation": true, "language": "de",
    });
    let me = ok(&server, "PUT /account/letters", Some(&anna.token), &wanted);
    assert_eq!(me["letters"], wanted);
}

#[test]
fn a_server_without_a_mail_server_has_no_codes() {
    let server = Server::start("");
    let asked = json!({ "address": "anna@example.net", "purpose": "register" });
    let off = refused(&server, "POST /mail-codes", None, &asked);
    assert_eq!(off, (404, "mail_off".to_owned()));
}

#[test]
fn addresses_that_could_steer_a_mail_server_are_refused() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    for address in [
        "",
        "anna",
        "anna@example.net\r\nBcc: eve@example.net",
        "änna@example.net",
        "anna@exämple.net",
        "<anna@example.net>",
    ] {
        let asked = json!({ "address": address, "purpose": "register" });
        let bad = refused(&server, "POST /mail-codes", None, &asked);
        assert_eq!(bad, (400, "bad_address".to_owned()), "{address:?}");
    }
    assert_eq!(mail.count(), 0);
}
