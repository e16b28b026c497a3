//! A mail server that fails at every stage, and a server that dies at every step: a letter comes, at most twice under one
//! name, and nothing holds up play.

use std::collections::BTreeSet;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use serde_json::json;
use tilewire_harness::mail::{Certificate, MailServer};
use tilewire_harness::server::Server;

use super::{ask_code, code_in, ok, registered, to};

/// Every stage with every kind of failure that is not for good.
const PASSING: &[&str] = &[
    "greeting:554",
    "greeting:stall",
    "greeting:endless",
    "sender:450",
    "sender:550",
    "sender:stall",
    "sender:endless",
    "recipient:450",
    "recipient:stall",
    "recipient:endless",
    "data:450",
    "data:stall",
    "data:endless",
    "letter:450",
];

pub(super) fn certificate(name: &str) -> Certificate {
    let own: CertifiedKey<KeyPair> =
        generate_simple_self_signed(vec![name.to_owned()]).expect("a certificate");
    Certificate {
        certificate: own.cert.pem(),
        key: own.signing_key.serialize_pem(),
    }
}

/// Waits until a conversation has failed at a stage more often than before.
fn until_failed(server: &Server, stage: &str, before: f64) {
    let figure = failures(stage);
    server.until_figure(&figure, |value| value > before);
}

pub(super) fn failures(stage: &str) -> String {
    format!("tilewire_mail_failures_total{{stage=\"{stage}\"}}")
}

#[test]
fn a_letter_comes_after_every_failure_once() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    for (number, fault) in PASSING.iter().enumerate() {
        let (stage, _) = fault.split_once(':').expect("a stage");
        let before = server.figure(&failures(stage));
        mail.fail(fault);
        let address = format!("player{number}@example.net");
        let asked = json!({ "address": address, "purpose": "register" });
        ok(&server, "POST /mail-codes", None, &asked);
        until_failed(&server, stage, before);
        mail.fail("");
        let letters = mail.wait_for(&server, number + 1);
        assert_eq!(to(&letters, &address).len(), 1, "{fault}: {letters:?}");
    }
    let sent = server.figure("tilewire_letters_sent_total{kind=\"code\"}");
    assert!((sent - PASSING.len() as f64).abs() < 0.5, "{sent}");
}

/// The mail server has the whole letter and does not answer: it may have taken it.
#[test]
fn a_letter_without_an_answer_is_sent_twice_at_most() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    for (number, fault) in ["letter:stall", "letter:endless"].iter().enumerate() {
        mail.fail(fault);
        let before = server.figure(&failures("letter"));
        let address = format!("player{number}@example.net");
        ask_code(&server, &address, "register");
        let figure = failures("letter");
        server.until_figure(&figure, |value| value >= before + 2.0);
        let unknown = "tilewire_letters_dropped_total{kind=\"code\",reason=\"unknown\"}";
        let lost = (number + 1) as f64;
        server.until_figure(unknown, |value| value >= lost);
        assert!(server.figure(&figure) < before + 2.5, "{fault}");
    }
}

#[test]
fn three_refusals_disable_an_address() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    let anna = registered(&server, &mail, "anna");
    mail.fail("recipient:550");
    for number in 1..=3_u32 {
        ask_code(&server, &anna.address, "log_in");
        server.until_figure(&failures("recipient"), |value| value >= f64::from(number));
    }
    let is_refused = || {
        let me = ok(
            &server,
            "GET /me",
            Some(&anna.token),
            &serde_json::Value::Null,
        );
        me["mail"]["refused"] == true
    };
    while !is_refused() {
        std::thread::yield_now();
    }
}

/// The mail server takes the letter, and the server dies before it knows: the second letter has the same name.
#[test]
fn a_crash_after_the_letter_repeats_it_under_one_name() {
    for (point, count) in [("before_mail:1", 1), ("after_mail:1", 2)] {
        let mail = MailServer::plain();
        // A first process has the address that both others keep.
        let mut server = Server::start(&mail.settings(0));
        assert!(server.stop());
        server.start_dying(point);
        ask_code(&server, "anna@example.net", "register");
        server.wait_for_death();
        let letters = mail.wait_for(&server, count);
        let ids: BTreeSet<&str> = letters
            .iter()
            .filter_map(|one| one["id"].as_str())
            .collect();
        assert_eq!(
            (letters.len(), ids.len()),
            (count, 1),
            "{point}: {letters:?}"
        );
        let codes: BTreeSet<String> = letters.iter().filter_map(code_in).collect();
        assert_eq!(codes.len(), 1, "{letters:?}");
        let sent = "tilewire_letters_sent_total{kind=\"code\"}";
        server.until_figure(sent, |value| value >= 1.0);
        assert_eq!(mail.count(), count, "{point}");
    }
}

#[test]
fn letters_go_over_tls_with_a_password() {
    for security in ["starttls", "tls"] {
        let mail = MailServer::secure(security, &certificate("localhost"));
        let server = Server::start(&mail.settings(0));
        let before = server.figure(&failures("auth"));
        mail.fail("auth:454");
        ask_code(&server, "anna@example.net", "register");
        until_failed(&server, "auth", before);
        mail.fail("");
        assert_eq!(mail.wait_for(&server, 1).len(), 1);
    }
}

#[test]
fn a_mail_server_with_another_name_gets_no_letter() {
    for (security, stage) in [("starttls", "starttls"), ("tls", "tls")] {
        let mail = MailServer::secure(security, &certificate("other.example"));
        let server = Server::start(&mail.settings(0));
        ask_code(&server, "anna@example.net", "register");
        until_failed(&server, stage, 0.0);
        assert_eq!(mail.count(), 0);
    }
}

/// The operator's test names the step that failed.
#[test]
fn the_operator_tries_the_mail_server() {
    let mut mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    let test = || server.operate(&["mail", "test", "anna@example.net"], "");
    let said = test().expect("it is sent");
    assert!(
        said.contains("has taken a letter to anna@example.net"),
        "{said}"
    );
    let letters = mail.wait_for(&server, 1);
    assert_eq!(letters[0]["subject"], "A test letter");
    for (fault, stage) in [
        ("sender:550", "sender"),
        ("recipient:550", "recipient"),
        ("data:450", "data"),
        ("letter:stall", "letter"),
    ] {
        mail.fail(fault);
        let said = test().expect_err("it fails");
        assert!(said.contains(&format!("{stage}: ")), "{fault}: {said}");
    }
    mail.stop();
    let said = test().expect_err("it fails");
    assert!(said.contains("connect: "), "{said}");
    let said = server.operate(&["mail", "test", "no address"], "");
    assert!(said.is_err());
    let valid = server.operate(&["config", "check"], "").expect("valid");
    assert_eq!(valid, "the settings are valid\n");
    assert_eq!(mail.count(), 1, "a check sends nothing");
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let server = Server::start("");
    let base = "[mail]\nserver = \"localhost\"\nfrom = \"tiles@example.org\"\n";
    for (settings, expected) in [
        ("from = \"nobody\"\n", "mail.from"),
        ("user = \"me\"\n", "mail.user"),
        ("password_file = \"/nowhere\"\n", "mail.password_file"),
        (
            "user = \"me\"\npassword_file = \"/nowhere\"\n",
            "mail.password_file",
        ),
        ("ca_file = \"/nowhere\"\n", "mail.ca_file"),
        ("public_url = \"play.example\"\n", "mail.public_url"),
        ("security = \"maybe\"\n", "mail.security"),
        ("per_day = 0\n", "mail.per_day"),
        ("retry_ms = 5000\nretry_max_ms = 1000\n", "mail.retry_ms"),
    ] {
        let from = match settings.starts_with("from") {
            true => base.replace("from = \"tiles@example.org\"\n", ""),
            false => base.to_owned(),
        };
        let said = server.operate_with(&format!("{from}{settings}"), &["config", "check"]);
        let said = said.expect_err("it is refused");
        assert!(said.contains(expected), "{settings}: {said}");
    }
}
