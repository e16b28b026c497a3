//! Backups that a server makes by itself while games are played.

use std::fs;
use std::path::Path;

use serde_json::json;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;

const DONE: &str = "tilewire_backups_total{outcome=\"done\"}";
const FAILED: &str = "tilewire_backups_total{outcome=\"failed\"}";
const NEWEST: &str = "tilewire_backup_newest_timestamp_seconds";

/// The unfinished backup of a process that was killed.
const LEFT: &str = "tilewire-20200101T000000.000Z.sqlite.part";

fn settings(directory: &Path) -> String {
    format!("[backup]\ndirectory = {directory:?}\nevery_ms = 10\nkeep = 2\n")
}

/// The names of the complete backups, the oldest first.
fn complete(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".sqlite")).collect();
    names.sort();
    names
}

#[test]
fn backups_are_made_beside_play_and_the_newest_are_kept() {
    let place = tempfile::tempdir().expect("a directory");
    let left = place.path().join(LEFT);
    fs::write(&left, "half a backup").expect("a file");
    let mut server = Server::start(&settings(place.path()));
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
    // One of them may have begun before the game.
    let before = server.figure(DONE);
    server.until_figure(DONE, |done| done >= before + 4.0);
    assert!(!left.exists());
    assert!(server.figure(NEWEST) > 1_700_000_000.0);
    assert_eq!(server.figure(FAILED), 0.0);
    server.kill();
    // The process may have ended after a new backup was complete and before an old one was removed.
    let names = complete(place.path());
    assert!((2..=3).contains(&names.len()), "{names:?}");
    let said = server
        .operate(&["backup", "drill"], "")
        .expect("it is sound");
    let newest = names.last().expect("a backup");
    let sound = format!("{newest}: 0 finished games and 1 unfinished ones are sound\n");
    assert!(said.ends_with(&sound), "{said}");
}

#[test]
fn the_next_backup_is_due_after_the_newest_one() {
    let place = tempfile::tempdir().expect("a directory");
    let hourly = settings(place.path()).replace("= 10\n", "= 3600000\n");
    let mut server = Server::start(&hourly);
    server.until_figure(DONE, |done| done >= 1.0);
    let first = complete(place.path());
    assert!(server.stop());
    server.start_again();
    // The time of the newest backup is read when the schedule begins to wait.
    server.until_figure(NEWEST, |newest| newest > 0.0);
    assert_eq!(server.figure(DONE), 0.0);
    assert_eq!(complete(place.path()), first);
}

#[test]
fn a_backup_that_fails_stops_no_game() {
    let place = tempfile::tempdir().expect("a directory");
    let missing = place.path().join("not mounted");
    let server = Server::start(&settings(&missing));
    server.until_figure(FAILED, |failed| failed >= 2.0);
    server.until_logged("the backup failed");
    server.until_logged("not mounted");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
    assert_eq!(server.admin_get("/readyz").0, 200);
    assert!(!missing.exists(), "the disk may only be missing now");
    let said = server
        .operate(&["config", "check"], "")
        .expect_err("refused");
    assert!(said.contains("backup.directory"), "{said}");
    fs::create_dir(&missing).expect("a directory");
    server.until_figure(DONE, |done| done >= 1.0);
}
