//! The admin listener: who may use it, and the limits of notices.

use std::fs;

use serde_json::json;
use tilewire_harness::http::{self, Answer};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::write_private;

const TOKEN: &str = "a token that only the operator knows";
const BODY: &str = r#"{"code":"maintenance","text":"Back at noon"}"#;

fn notice(server: &Server, headers: &str, body: &str) -> Answer {
    let own = fs::read_to_string(server.data_dir().join("admin-token")).unwrap_or_default();
    let token = match headers.contains("Authorization") || own.is_empty() {
        true => String::new(),
        false => format!("Authorization: Bearer {}\r\n", own.trim()),
    };
    let headers = format!("Content-Type: application/json\r\n{token}{headers}");
    http::ask(&server.admin, "POST /notice", &headers, body).expect("an answer")
}

/// A page whose host name resolves to loopback sends requests of its own origin.
#[test]
fn a_web_page_cannot_use_the_admin_listener() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (_, port) = server.admin.rsplit_once(':').expect("a port");
    let evil = r#"{"code":"evil","text":"Type your token at evil.example"}"#;
    for headers in [
        format!("Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\n"),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: localhost.evil.example:{port}\r\n"),
        "Origin: https://evil.example\r\n".to_owned(),
        "Origin: null\r\n".to_owned(),
    ] {
        let answer = notice(&server, &headers, evil);
        assert_eq!(answer.status, 403, "{headers}: {}", answer.body);
        let (status, said) = http::get_with(&server.admin, "/metrics", &headers);
        assert_eq!(status, 403, "{headers}: {said}");
    }
    for host in [
        "localhost",
        "LOCALHOST:7781",
        "127.0.0.1",
        "[::1]:7781",
        "192.0.2.1",
    ] {
        let answer = notice(&server, &format!("Host: {host}\r\n"), BODY);
        assert_eq!(answer.status, 200, "{host}: {}", answer.body);
    }
    let nobody = "Content-Type: application/json\r\nAuthorization: Bearer none\r\n";
    let answer = http::ask(&server.admin, "POST /notice", nobody, evil).expect("an answer");
    assert_eq!(answer.status, 401, "other users of the machine: {answer:?}");
    let first = anna.pushed(|message| message[0] == "notice");
    assert_eq!(first[2]["code"], "maintenance", "{first}");
}

#[test]
fn an_admin_listener_beyond_loopback_needs_a_token() {
    let mut server = Server::prepared("");
    server.admin = "0.0.0.0:0".to_owned();
    let said = server
        .operate(&["config", "check"], "")
        .expect_err("refused");
    assert!(
        said.contains("`admin_listen`") && said.contains("admin.token_file"),
        "{said}"
    );

    server.configure("[admin]\ntoken_file = \"data/token\"\n");
    write_private(&server.data_dir().join("token"), "too short\n");
    let said = server.refuses_to_start();
    assert!(
        said.contains("admin.token_file") && said.contains("data/token"),
        "{said}"
    );
    write_private(&server.data_dir().join("token"), &format!("{TOKEN}\n"));
    server.start_again();

    let by_name = "Host: admin.example\r\n";
    let bearer = |token: &str| format!("{by_name}Authorization: Bearer {token}\r\n");
    for headers in [
        by_name.to_owned(),
        bearer(""),
        bearer("a token that nobody knows"),
        bearer(&TOKEN[1..]),
        format!("{by_name}Authorization: Basic {TOKEN}\r\n"),
    ] {
        assert_eq!(notice(&server, &headers, BODY).status, 401, "{headers}");
        let (status, said) = http::get_with(&server.admin, "/metrics", &headers);
        assert_eq!(status, 401, "{headers}: {said}");
        let (status, said) = http::get_with(&server.admin, "/healthz", &headers);
        assert_eq!(status, 200, "{headers}: {said}");
    }
    assert_eq!(notice(&server, &bearer(TOKEN), BODY).status, 200);
    assert_eq!(
        http::get_with(&server.admin, "/metrics", &bearer(TOKEN)).0,
        200
    );
    let with_origin = format!("{}Origin: http://admin.example\r\n", bearer(TOKEN));
    assert_eq!(notice(&server, &with_origin, BODY).status, 403);
    assert!(!server.log().contains(TOKEN), "{}", server.log());
}

#[test]
fn notices_are_bounded_and_logged() {
    let server = Server::start("[limits]\nnotices_per_minute = 2\n");
    let long = json!({ "code": "maintenance", "text": "x".repeat(8_192) }).to_string();
    assert_eq!(notice(&server, "", &long).status, 413);
    for _ in 0..2 {
        assert_eq!(notice(&server, "", BODY).status, 200);
    }
    let answer = notice(&server, "", BODY);
    assert_eq!(answer.status, 429, "{}", answer.body);
    let head = answer.head.to_lowercase();
    assert!(head.contains("\r\nretry-after: "), "{head}");
    server.until_logged("a notice was refused");
    let log = server.log();
    let has = |line: &str| line.contains("Back at noon") && line.contains("127.0.0.1");
    assert_eq!(log.lines().filter(|line| has(line)).count(), 2, "{log}");
}
