//! A disk that is full or read-only while games are played.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tilewire_conformance::position::number;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// A file system of this size at a place; it goes when this is dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(place: &Path) -> Self {
        run(
            "mount",
            &["-t", "tmpfs", "-o", "size=4m,mode=700", "none"],
            place,
        );
        Self(place.to_owned())
    }

    /// Fills the disk; removing the returned file frees the space.
    fn fill(&self) -> PathBuf {
        let ballast = self.0.join("ballast");
        let mut file = File::create(&ballast).unwrap();
        while file.write(&[0; 1024]).is_ok_and(|written| written > 0) {}
        ballast
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run("umount", &["-l"], &self.0);
    }
}

fn run(program: &str, args: &[&str], place: &Path) {
    let done = Command::new(program)
        .args(args)
        .arg(place)
        .output()
        .unwrap();
    assert!(done.status.success(), "{program}: {done:?}");
}

fn named(op: &str, wire: &mut Wire, game: &str) {
    wire.pushed(|message| message[0] == op && message[2]["game"] == game);
}

/// The game pauses and announces it, no unstored command is acknowledged, and the game continues when there is space
/// again, with the time given back.
#[test]
#[ignore = "needs the right to mount; tests/run runs it where that is given"]
fn a_full_disk_pauses_games_until_there_is_room() {
    let mut disk = Vec::new();
    let mut server = Server::start_with("", |data| disk.push(SmallDisk::mount(data)));
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    for round in 0..2 {
        let ballast = disk[0].fill();
        // The last block of the log may have room for a turn. When it has no room for a stamp, the smallest change, it is full.
        server.until_not_ready();
        let turn = duel.turn_no();
        let seat = duel.on_turn().unwrap();
        let cmd_id = format!("full-{round}");
        let pass = json!({ "game": duel.game, "cmd_id": cmd_id, "turn_no": turn });
        let asked = duel.wires[seat].send("pass", &pass);
        for wire in duel.wires.iter_mut().chain([&mut zoe]) {
            named("paused", wire, &duel.game);
        }
        assert_ne!(
            server.admin_get("/readyz").0,
            200,
            "the operator sees it too"
        );
        // The server accepts no new command and creates no game before it can store them.
        let (refused, game) = (json!({ "turn_no": turn }), duel.game.clone());
        let answer = duel.refused(1 - seat, "pass", refused);
        assert!(
            ["storage_paused", "not_your_turn"].contains(&answer.as_str()),
            "{answer}"
        );
        let (is_sound, said) = server.check();
        assert!(is_sound, "{said}");

        fs::remove_file(ballast).unwrap();
        let answer = duel.wires[seat].answer(asked);
        assert_eq!(
            answer[0], "ok",
            "the waiting command takes effect: {answer}"
        );
        for wire in duel.wires.iter_mut().chain([&mut zoe]) {
            named("unpaused", wire, &game);
        }
        let seq = number(&answer[2], "seq");
        duel.sync(seq + 2);
        let credited = |event: &serde_json::Value| {
            event["kind"] == "clock_credited" && number(event, "seq") > seq
        };
        assert!(
            duel.folds[0].events.iter().any(credited),
            "the wait is charged to no clock"
        );
        duel.until(0, |fold| fold.on_turn.is_some() && fold.turn_no > turn);
        duel.until(1, |fold| fold.on_turn.is_some() && fold.turn_no > turn);
    }
    // And all of it is on the disk.
    server.kill();
    let known = duel.folds[0].seq;
    server.start_again();
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
    let mut anna = Wire::known(&server.address, &duel.tokens[0]);
    anna.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    anna.pushed(|message| message[0] == "event" && message[2]["seq"] == known);
    drop(server);
}

/// A disk that takes no writes at all any more is no place to go on: the server says so and ends, and the next one has all
/// that was acknowledged.
#[test]
#[ignore = "needs the right to make files immutable; tests/run runs it where that is given"]
fn a_disk_that_takes_no_writes_ends_the_server_and_loses_nothing() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let first = duel.ok(0, "pass", json!({ "turn_no": 1 }));
    duel.sync(first + 1);
    let log = server.data_dir().join("tilewire.sqlite-wal");
    run("chattr", &["+i"], &log);
    let pass = json!({ "game": duel.game, "cmd_id": "late", "turn_no": 2 });
    duel.wires[1].send("pass", &pass);
    assert_eq!(server.ended(), Some(70), "{}", server.log());
    // It does not start on such a disk either, and says why.
    let said = server.refuses_to_start();
    assert!(said.contains("tilewire.sqlite-wal"), "{said}");
    assert!(said.contains("Operation not permitted"), "{said}");
    run("chattr", &["-i"], &log);
    server.start_again();
    let mut ben = Wire::known(&server.address, &duel.tokens[1]);
    let answer = ben.ok("pass", pass);
    assert!(number(&answer, "seq") > first);
    assert!(server.stop());
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
}

/// A start on a disk that is read-only waits for it, and goes on by itself.
#[test]
#[ignore = "needs the right to mount; tests/run runs it where that is given"]
fn a_start_waits_for_a_disk_that_takes_writes() {
    let mut server = Server::prepared("");
    let disk = SmallDisk::mount(&server.data_dir());
    run("mount", &["-o", "remount,ro"], &disk.0);
    server.start_waiting("a disk that takes writes");
    let log = server.log();
    assert!(log.contains("data_dir"), "{log}");
    run("mount", &["-o", "remount,rw"], &disk.0);
    server.wait_until_ready();
    assert!(server.stop());
}

/// The last good backup stays, no game notices, and backups continue when there is space again.
#[test]
#[ignore = "needs the right to mount; tests/run runs it where that is given"]
fn a_full_disk_of_the_backups_leaves_the_last_backup_and_stops_no_game() {
    const DONE: &str = "tilewire_backups_total{outcome=\"done\"}";
    const FAILED: &str = "tilewire_backups_total{outcome=\"failed\"}";
    let place = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(place.path());
    let settings = |every_ms: u32| {
        let directory = place.path();
        format!("[backup]\ndirectory = {directory:?}\nevery_ms = {every_ms}\nkeep = 1\n")
    };
    let backups = || {
        let names = fs::read_dir(place.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut found: Vec<String> = names.filter(|name| name.ends_with(".sqlite")).collect();
        found.sort();
        found
    };
    let mut server = Server::start(&settings(3_600_000));
    server.until_figure(DONE, |done| done >= 1.0);
    let good = backups();
    assert_eq!(good.len(), 1);
    assert!(server.stop());

    // No backup is in progress, so nothing frees space after this.
    let ballast = disk.fill();
    server.configure(&settings(10));
    server.start_again();
    server.until_figure(FAILED, |failed| failed >= 2.0);
    server.until_logged("the backup failed");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
    assert_eq!(server.admin_get("/readyz").0, 200);
    assert_eq!(backups(), good);
    let said = server.operate(&["backup", "drill"], "").unwrap();
    assert!(said.contains(&good[0]), "{said}");

    fs::remove_file(ballast).unwrap();
    server.until_figure(DONE, |done| done >= 1.0);
    assert_ne!(backups(), good);
    drop(server);
}
