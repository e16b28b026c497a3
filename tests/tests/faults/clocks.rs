//! The wall clock of the machine is put forward and back between two starts of the server.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tilewire_tests::binaries;
use tilewire_tests::duel::{Duel, options};
use tilewire_tests::server::Server;
use tilewire_tests::wire::Wire;

/// The time of each player, ms, and the time that the test itself may take.
const INITIAL_MS: i64 = 25 * 60_000;
const TAKEN_MS: i64 = 2 * 60_000;

/// A server on the ports and data of another one, on a machine whose clock is off.
struct Elsewhen(Child);

impl Elsewhen {
    fn start(server: &Server, offset: &str) -> Self {
        let library = Command::new("faketime")
            .args(["-m", "-f", "+0d", "sh", "-c", "echo $LD_PRELOAD"])
            .output()
            .expect("faketime is installed (tests/run tools)");
        // The program `faketime` would stand between this test and the server.
        let library = String::from_utf8(library.stdout).unwrap();
        let mut child = Command::new(binaries::server())
            .env("LD_PRELOAD", library.trim())
            .env("FAKETIME", offset)
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .args(["--listen", &server.address, "--admin-listen", &server.admin])
            .arg("--data-dir")
            .arg(server.data_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        assert!(first.starts_with("listening on"), "{first}");
        std::thread::spawn(move || lines.for_each(drop));
        Self(child)
    }
}

impl Drop for Elsewhen {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The player on turn passes; returns the clocks afterwards, once both see them.
fn pass(server: &Server, duel: &Duel, turn: u64) -> Value {
    let seat = usize::from(turn.is_multiple_of(2));
    let mut wire = Wire::known(&server.address, &duel.tokens[seat]);
    wire.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    let command = json!({ "game": duel.game, "cmd_id": format!("turn-{turn}"), "turn_no": turn });
    let answer = wire.ask("pass", command);
    assert_eq!(
        answer[0],
        "ok",
        "turn {turn}: {answer}, {:?}",
        wire.take_pushed().last()
    );
    loop {
        let started = wire.event("turn_started");
        if started["turn_no"] == turn + 1 {
            return started["clocks"].clone();
        }
    }
}

/// No player loses a token or time.
#[test]
fn a_changed_wall_clock_costs_no_player_time() {
    let mut server = Server::start("");
    let duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    server.kill();
    for (turn, offset) in [(1, "+3d"), (2, "-2d"), (3, "-5d")] {
        let _elsewhen = Elsewhen::start(&server, offset);
        let clocks = pass(&server, &duel, turn);
        for seat in 0..2 {
            let left = clocks["main_ms"][seat].as_i64().unwrap();
            assert!(
                (INITIAL_MS - TAKEN_MS..=INITIAL_MS).contains(&left),
                "{offset}: {clocks}"
            );
        }
    }
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
}
