//! A server without free file descriptors or memory.

use std::fs;
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Descriptors a starved server has beside those it uses already.
const SPARE: usize = 3;
/// Connections beyond the limit.
const CROWD: usize = 40;
/// Memory that the server may allocate in addition, bytes.
const SPARE_BYTES: u64 = 6 * 1024 * 1024;
/// The players that connect until no memory is left.
const PLAYERS: usize = 1_500;

/// Games continue, new connections wait, and the server accepts them when others have left.
#[test]
fn games_continue_without_free_file_descriptors() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    let used = descriptors(&server);
    server.limit(&format!("--nofile={}", used + SPARE));
    let crowd: Vec<TcpStream> = (0..CROWD)
        .map(|_| TcpStream::connect(&server.address).expect("the system takes it"))
        .collect();
    for turn in 1..5 {
        let seat = duel.on_turn().unwrap();
        let seq = duel.ok(seat, "pass", json!({ "turn_no": turn }));
        duel.sync(seq + 1);
    }
    let open = descriptors(&server);
    assert!(open < used + CROWD, "not all of them are inside");
    drop(crowd);
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    assert!(!server.log().contains("panicked"), "{}", server.log());
}

/// How many descriptors the server has open.
fn descriptors(server: &Server) -> usize {
    let open = fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap();
    open.count()
}

/// Without memory the server exits or serves fewer clients; no acknowledged command is lost.
#[test]
fn nothing_is_lost_when_memory_runs_out() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let pass = json!({ "game": duel.game, "cmd_id": "before", "turn_no": 1 });
    let passed = duel.wires[0].ok("pass", pass.clone());
    server.limit(&format!("--data={}", memory(&server) + SPARE_BYTES));
    let mut acknowledged: Vec<(String, Value, Value)> = Vec::new();
    let mut wires = Vec::new();
    for player in 0..PLAYERS {
        let address = server.address.clone();
        let come = || {
            let (mut wire, token) = Wire::guest(&address, "guest");
            let seek = json!({
                "cmd_id": format!("seek-{player}"), "private": true,
                "options": options(&json!({ "kind": "untimed" })),
            });
            let answer = wire.ok("seek", seek.clone());
            (wire, token, seek, answer)
        };
        let Ok((wire, token, seek, answer)) = catch_unwind(AssertUnwindSafe(come)) else {
            break; // it has no more to give
        };
        acknowledged.push((token, seek, answer));
        wires.push(wire);
    }
    assert!(acknowledged.len() < PLAYERS, "the limit was met");
    drop(wires);
    server.kill();
    server.start_again();
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
    let mut anna = Wire::known(&server.address, &duel.tokens[0]);
    assert_eq!(anna.ok("pass", pass), passed);
    for (token, seek, answer) in acknowledged {
        let mut wire = Wire::known(&server.address, &token);
        assert_eq!(wire.ok("seek", seek), answer);
    }
}

/// Bytes of memory the server has for itself.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmData:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.unwrap().parse::<u64>().unwrap() * 1024
}
