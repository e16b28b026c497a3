//! Limits on connections: addresses, origins, proxies and rates, with real sockets.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;
use tilewire_harness::addresses::{self, connect, connect_deaf, ended, upgrade};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_oracle::Fold;

/// How long the test stalls a server: longer than its limit for overload.
const HELD_UP: Duration = Duration::from_millis(500);

#[expect(clippy::disallowed_methods, reason = "the server must miss some time")]
fn hold_up(server: &Server) {
    server.suspend();
    let since = Instant::now();
    while since.elapsed() < HELD_UP {
        server.signal("-0");
    }
    server.resume();
}

fn refused(server: &Server, reason: &str) -> f64 {
    server.figure(&format!(
        "tilewire_connections_refused_total{{reason=\"{reason}\"}}"
    ))
}

/// An address at its limit of connections is refused with the reason, and others are accepted.
#[test]
fn the_connections_of_an_address_are_limited() {
    let server = Server::start("[limits]\nconnections_per_address = 3\n");
    let open: Vec<Wire> = (0..3)
        .map(|_| addresses::guest(2, &server.address).expect("taken"))
        .collect();
    let answer = upgrade(connect(2, &server.address), "").expect_err("one too many");
    assert_eq!(answer.status, 429, "{answer:?}");
    assert_eq!(answer.header("retry-after"), Some("5"));
    assert!(answer.body.starts_with("address_full: "), "{answer:?}");
    assert!(refused(&server, "address_full") >= 1.0);
    let (_other, _) = Wire::guest(&server.address, "anna");
    drop(open);
    server.until_figure("tilewire_connections", |open| open <= 1.0);
    assert!(addresses::guest(2, &server.address).is_ok());
}

/// Unauthenticated connections have limits of their own, which authenticated connections do not use up.
#[test]
fn unauthenticated_connections_are_limited() {
    let server = Server::start(
        "[limits]\nunauthenticated = 3\nunauthenticated_per_address = 2\n[timing]\nauth_within_ms = 600000\n",
    );
    let honest = addresses::guest(2, &server.address).expect("taken");
    let hoard: Vec<_> = (0..2)
        .map(|_| upgrade(connect(2, &server.address), "").expect("taken"))
        .collect();
    let answer = upgrade(connect(2, &server.address), "").expect_err("one too many");
    assert_eq!(answer.status, 429, "{answer:?}");
    assert!(
        answer.body.starts_with("address_unauthenticated: "),
        "{answer:?}"
    );
    let last = upgrade(connect(3, &server.address), "").expect("taken");
    let answer = upgrade(connect(4, &server.address), "").expect_err("one too many");
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(
        answer.body.starts_with("server_unauthenticated: "),
        "{answer:?}"
    );
    drop((hoard, last, honest));
    server.until_figure("tilewire_connections", |open| open == 0.0);
    assert!(addresses::guest(4, &server.address).is_ok());
}

/// An address that connects and disconnects repeatedly is slowed down; other addresses are not.
#[test]
fn the_connections_of_an_address_are_rate_limited() {
    let server = Server::start(
        "[limits]\naccepts_per_second_per_address = 1\naccept_burst_per_address = 4\n",
    );
    let answers: Vec<_> = (0..8)
        .filter_map(|_| upgrade(connect(2, &server.address), "").err())
        .collect();
    let answer = answers.first().expect("eight at once are too many");
    assert_eq!(answer.status, 429, "{answer:?}");
    assert!(answer.body.starts_with("address_rate: "), "{answer:?}");
    assert_eq!(answer.header("retry-after"), Some("1"));
    let (_other, _) = Wire::guest(&server.address, "anna");
}

/// All together are slowed down too.
#[test]
fn the_new_connections_of_the_server_are_rate_limited() {
    let server = Server::start("[limits]\naccepts_per_second = 1\naccept_burst = 4\n");
    let answers: Vec<_> = (2..10)
        .filter_map(|last| upgrade(connect(last, &server.address), "").err())
        .collect();
    let answer = answers.first().expect("eight at once are too many");
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.body.starts_with("server_rate: "), "{answer:?}");
}

/// A client that sends its request byte by byte, or nothing, or asks again and again and never becomes a WebSocket, is
/// cut off.
#[test]
fn half_a_request_does_not_keep_a_connection_open() {
    let server = Server::start("[timing]\nhandshake_ms = 300\nhttp_ms = 1500\n");
    let mut silent = connect(2, &server.address);
    assert!(ended(&mut silent));
    let mut half = connect(2, &server.address);
    half.write_all(b"GET /ws HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        .expect("it listens");
    while half.write_all(b"a").is_ok() {
        std::thread::yield_now();
    }
    let mut again = connect(2, &server.address);
    while again
        .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        .is_ok()
    {
        std::thread::yield_now();
    }
    server.until_figure(
        "tilewire_connections_refused_total{reason=\"http_timeout\"}",
        |count| count >= 1.0,
    );
    server.until_figure("tilewire_connections", |open| open == 0.0);
}

/// Headers without end are refused before they fill the memory.
#[test]
fn slow_headers_are_cut_off() {
    let server = Server::start("[limits]\nhttp_header_bytes = 8192\n");
    let long = format!("X-Long: {}\r\n", "a".repeat(20_000));
    let answer = upgrade(connect(2, &server.address), &long).expect_err("too long");
    assert_eq!(answer.status, 431, "{answer:?}");
}

/// Pages of other sites may not connect, programs and the own pages may.
#[test]
fn pages_of_other_sites_cannot_connect() {
    let server = Server::start(
        "[http]\nallowed_origins = [\"https://play.example\", \"http://[::1]:80\"]\n",
    );
    let with = |headers: &str| upgrade(connect(2, &server.address), headers);
    for allowed in [
        "",
        "Origin: https://play.example\r\n",
        "Origin: https://PLAY.example:443\r\n",
        "Origin: http://tilewire.test\r\n",
        "Origin: http://[::1]\r\n",
    ] {
        assert!(with(allowed).is_ok(), "{allowed:?}");
    }
    for other in [
        "Origin: https://evil.example\r\n",
        "Origin: http://play.example\r\n",
        "Origin: null\r\n",
        "Origin: http://tilewire.test:81\r\n",
        "Origin: https://play.example\r\nOrigin: https://play.example\r\n",
    ] {
        let answer = with(other).expect_err(other);
        assert_eq!(answer.status, 403, "{other:?}: {answer:?}");
        assert!(answer.body.starts_with("origin: "), "{answer:?}");
    }
    assert!(refused(&server, "origin") >= 5.0);
    let open = Server::start("[http]\nallowed_origins = [\"*\"]\n");
    assert!(upgrade(connect(2, &open.address), "Origin: https://any.example\r\n").is_ok());
}

/// The address in a proxy's header counts if the proxy is trusted; a client cannot forge it.
#[test]
fn only_trusted_proxies_set_the_address() {
    let server = Server::start(
        "[http]\ntrusted_proxies = [\"127.0.0.9\"]\n[limits]\nconnections_per_address = 2\n",
    );
    let ask = |last, header: &str| upgrade(connect(last, &server.address), header);
    // The clients of the proxy each have their own share.
    let mut open = Vec::new();
    for client in 1..=3 {
        for _ in 0..2 {
            let header = format!("X-Forwarded-For: 192.0.2.{client}\r\n");
            open.push(ask(9, &header).expect("taken"));
        }
    }
    let mine = "X-Forwarded-For: 192.0.2.1\r\n";
    let answer = ask(9, mine).expect_err("one too many");
    assert_eq!(answer.status, 429, "{answer:?}");
    assert!(answer.body.starts_with("address_full: "), "{answer:?}");
    assert_eq!(answer.header("retry-after"), Some("5"));
    // An address that the client wrote in front of the proxy's entry is ignored.
    assert!(ask(9, "X-Forwarded-For: 203.0.113.9, 192.0.2.1\r\n").is_err());
    assert!(
        ask(
            9,
            "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 192.0.2.1\r\n"
        )
        .is_err()
    );
    // A client that is not a trusted proxy counts by its own address.
    for client in [1, 4] {
        open.push(ask(2, &format!("X-Forwarded-For: 192.0.2.{client}\r\n")).expect("taken"));
    }
    assert!(ask(2, "X-Forwarded-For: 192.0.2.5\r\n").is_err());
}

/// An overloaded server refuses spectators, and games continue.
#[test]
fn under_load_new_spectators_are_refused_first() {
    let server = Server::start("[overload]\nleast_level = 1\n");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    let answer = zoe.ask("attach", json!({ "game": duel.game }));
    assert_eq!(answer[0], "error", "{answer}");
    assert_eq!(answer[2]["code"], "busy", "{answer}");
    assert_eq!(answer[2]["detail"]["retry_after_ms"], 5_000, "{answer}");
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
    let mut again = Wire::known(&server.address, &duel.tokens[1]);
    let attached = again.ok("attach", json!({ "game": duel.game }));
    assert_eq!(attached["role"], "player");
    assert!(server.figure("tilewire_overload_refused_total{what=\"spectator\"}") >= 1.0);
}

/// Under load players are still answered, and present spectators see every move.
#[test]
fn present_spectators_see_everything_under_load() {
    let server = Server::start(
        "[overload]\nmeasure_every_ms = 10\nlag_ms = 200\nrise_ms = 10\nfall_ms = 3600000\n",
    );
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("attach", json!({ "game": duel.game }));
    for turn_no in 1..=4_u32 {
        while server.figure("tilewire_overload_level") < f64::from(turn_no) {
            hold_up(&server);
        }
        let seat = duel.on_turn().expect("a seat is on turn");
        let seq = duel.ok(seat, "pass", json!({ "turn_no": turn_no }));
        duel.sync(seq + 1);
        zoe.pushed(|message| message[0] == "event" && message[2]["seq"] == seq);
    }
}

/// The same when the level is there from the start: at the last one no game begins, and those there are go on.
#[test]
fn under_load_games_are_played_to_the_end() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    for (turn, level) in (1..).zip(2..=4) {
        assert!(server.stop());
        server.configure(&format!("[overload]\nleast_level = {level}\n"));
        server.start_again();
        for seat in 0..2 {
            duel.wires[seat] = Wire::known(&server.address, &duel.tokens[seat]);
            duel.folds[seat] = Fold::new(Some([0, 1][seat]));
            duel.wires[seat].ok("attach", json!({ "game": duel.game, "seq": 0 }));
            duel.until(seat, |table| {
                table.on_turn.is_some() && table.turn_no == turn
            });
        }
        let turn_no = duel.turn_no();
        let seat = duel.on_turn().expect("a seat is on turn");
        let seq = duel.ok(seat, "pass", json!({ "turn_no": turn_no }));
        duel.sync(seq + 1);
        let (mut zoe, _) = Wire::guest(&server.address, "zoe");
        let setup = options(&json!({ "kind": "untimed" }));
        let sought = zoe.ask("seek", json!({ "cmd_id": "s", "options": setup }));
        let expected = if level < 4 { "ok" } else { "error" };
        assert_eq!(sought[0], expected, "{level}: {sought}");
        if level == 4 {
            assert_eq!(sought[2]["code"], "busy", "{sought}");
            assert_eq!(sought[2]["detail"]["retry_after_ms"], 5_000, "{sought}");
        }
    }
    duel.ok(0, "resign", json!({}));
}

/// A server that is held up notices, and notices when that is over.
#[test]
fn the_load_is_measured() {
    let server = Server::start(
        "[overload]\nmeasure_every_ms = 10\nlag_ms = 200\nrise_ms = 10\nfall_ms = 100\ncalm_percent = 100\n",
    );
    // One that lasts long enough, however the machine shares its processors.
    while !server.log().contains("\"left_out\":\"no_spectators\"") {
        hold_up(&server);
    }
    server.until_logged("\"left_out\":\"normal\"");
    server.until_figure("tilewire_overload_level", |level| level == 0.0);
}

/// Bytes that the kernel keeps for a client that reads nothing, at most: its own receive buffer, and twice the server's
/// send buffer. Without a bound it would keep megabytes.
const KERNEL_BYTES: usize = 400_000;

#[test]
fn the_kernel_keeps_little_for_a_client_that_reads_nothing() {
    let server = Server::start(
        "[limits]\noutbox_bytes = 65536\nmessages_per_second = 1000000\nmessage_burst = 1000000\n",
    );
    let stream = connect_deaf(2, &server.address);
    let mut rest = stream.try_clone().expect("another handle");
    let mut wire = Wire::over(stream).expect("an upgrade");
    wire.try_send("auth", &json!({ "name": "deaf", "client": "tests" }));
    // Until the outbox is full and the server gives the client up.
    let full = "tilewire_outbox_overflows_total{done=\"closed\"}";
    while server.figure(full) == 0.0 {
        wire.try_send("rule_set", &json!({ "rule_set": "classic" }));
    }
    let mut kept = Vec::new();
    // The connection ends with a close frame, or with a reset.
    rest.read_to_end(&mut kept).ok();
    assert!(kept.len() < KERNEL_BYTES, "{} bytes", kept.len());
}

/// A process with few files gives each address a part of them, and keeps some for the operator.
#[test]
fn few_open_files_leave_room_for_others() {
    let mut server = Server::prepared("");
    server.start_with_files(1_024);
    server.until_logged("the limit of open files is too low");
    let mut hoard = Vec::new();
    let refusal = loop {
        match upgrade(connect(2, &server.address), "") {
            Ok(stream) => hoard.push(stream),
            Err(answer) => break answer,
        }
    };
    assert_eq!(refusal.status, 429, "{refusal:?}");
    assert!(hoard.len() < 300, "{}", hoard.len());
    assert_eq!(server.admin_get("/readyz").0, 200);
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    anna.ok("time", json!({}));
}

/// The soft limit of open files is raised to the hard one.
#[test]
fn the_limit_of_open_files_is_raised() {
    let server = Server::start("");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).expect("limits");
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))
        .expect("a limit of open files");
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(fields[3], fields[4], "{line}");
}
