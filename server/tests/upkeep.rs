//! Check, backup and restore, as an operator runs them: processes with flags and files.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tilewire_config::StorageConfig;
use tilewire_rules::event::{Created, Player, Record};
use tilewire_rules::game::{Action, Command as GameCommand, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_store::{Append, GameMeta};

fn run(dir: &Path, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_tilewire-server");
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .env_clear()
        .args(args)
        .output()
        .unwrap()
}

fn said(output: &Output) -> (bool, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// The log of a game that a player gives up at once.
fn log(game: &str) -> Vec<Record> {
    let lexicon = FstLexicon::builtin();
    let player = |name: &str| Player {
        identity: name.to_owned(),
        name: name.to_owned(),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    };
    let created = Created {
        game: game.to_owned(),
        options: GameOptions::classic("wordnik"),
        players: vec![player("ada"), player("bob")],
        lexicon_hash: *lexicon.hash(),
        commitment: commitment(&[5; 32]),
        secret: [5; 32],
        series: None,
    };
    let (mut table, first) = Game::create(RuleSet::classic(), Timestamp(1_000), created).unwrap();
    let mut records = vec![first];
    let nonce = Vec::new;
    let deeds = [
        (0, Action::Ready { nonce: nonce() }),
        (1, Action::Ready { nonce: nonce() }),
        (0, Action::Resign),
    ];
    for ((seat, action), at) in deeds.into_iter().zip(2..) {
        let command = GameCommand {
            seat: Seat(seat),
            cmd_id: format!("c{at}"),
            digest: 0,
            received_at: Timestamp(at * 1_000),
            lag_ms: 0,
            action,
        };
        let context = Context::new(&*lexicon);
        let transition = table.handle(&context, Timestamp(at * 1_000), Input::Command(command));
        records.extend(transition.records);
        table = transition.next;
    }
    records
}

/// Stores a game that is over and one that is not.
fn fill(dir: &Path) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let storage =
            tilewire_databases::open(dir, &StorageConfig::default(), Timestamp(1)).unwrap();
        for (game, is_finished) in [("over", true), ("open", false)] {
            let mut records = log(game);
            if !is_finished {
                records.truncate(3);
            }
            let meta = GameMeta {
                game: game.into(),
                epoch: 1,
                rule_set: "classic".to_owned(),
                private_code: None,
                players: vec!["ada".to_owned(), "bob".to_owned()],
                created_at: Timestamp(1_000),
            };
            storage.create(meta, records.remove(0)).await.unwrap();
            let append = Append {
                game: game.into(),
                after: 1,
                records: records.into(),
                is_finished,
            };
            storage.append(append).await.unwrap();
        }
        storage.close().await;
    });
}

#[test]
fn what_is_stored_is_checked_copied_and_put_back() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("tilewire-data");
    fill(&data);
    let sound = (
        true,
        "1 finished games and 1 unfinished ones are sound\n".to_owned(),
    );
    assert_eq!(said(&run(dir.path(), &["check"])), sound);
    // A server uses the directory meanwhile.
    let held = tilewire_databases::open(&data, &StorageConfig::default(), Timestamp(1)).unwrap();
    assert!(said(&run(dir.path(), &["backup", "copy.sqlite"])).0);
    assert_eq!(said(&run(dir.path(), &["check"])), sound);
    drop(held);
    let (done, text) = said(&run(dir.path(), &["backup", "copy.sqlite"]));
    assert!(!done && text.contains("is there already"), "{text}");
    let (done, text) = said(&run(dir.path(), &["restore", "copy.sqlite"]));
    assert!(!done && text.contains("move it away first"), "{text}");
    let elsewhere = ["restore", "copy.sqlite", "--data-dir", "new"];
    let (done, text) = said(&run(dir.path(), &elsewhere));
    assert!(done, "{text}");
    assert_eq!(
        said(&run(dir.path(), &["check", "--data-dir", "new"])),
        sound
    );
}

#[test]
fn a_game_that_is_not_sound_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("tilewire-data");
    fill(&data);
    let database = data.join("tilewire.sqlite");
    let db = rusqlite::Connection::open(&database).unwrap();
    for damage in [
        "UPDATE records SET record = x'00' WHERE game = 'over' AND seq > 1",
        "DELETE FROM records WHERE game = 'open' AND seq = 3",
    ] {
        assert!(db.execute(damage, ()).unwrap() > 0, "{damage}");
    }
    drop(db);
    let (done, text) = said(&run(dir.path(), &["check"]));
    assert!(!done && text.contains("2 games are not sound"), "{text}");
    assert!(
        text.contains("game over: ") && text.contains("game open: "),
        "{text}"
    );
    assert!(text.contains("restore a backup"), "{text}");
}

#[test]
fn a_damaged_or_cut_database_is_refused_with_advice() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("tilewire-data");
    fill(&data);
    let database = data.join("tilewire.sqlite");
    let whole = fs::read(&database).unwrap();
    fs::write(&database, &whole[..whole.len() / 2]).unwrap();
    let (done, text) = said(&run(dir.path(), &["check"]));
    assert!(!done && text.contains("restore a backup"), "{text}");
    fs::write(&database, b"this is no database, whatever its name says").unwrap();
    let (done, text) = said(&run(dir.path(), &["check"]));
    assert!(!done && text.contains("restore a backup"), "{text}");
    let none = ["restore", "no-such-file", "--data-dir", "new"];
    let (done, text) = said(&run(dir.path(), &none));
    assert!(!done && text.contains("no-such-file"), "{text}");
}

/// A trigger of a prepared backup would run in the server, and could replace the key that signs tokens.
#[test]
fn a_database_with_more_than_our_schema_is_refused() {
    let trigger = "CREATE TRIGGER t AFTER INSERT ON identities BEGIN \
                   UPDATE token_keys SET secret = zeroblob(32); END";
    for (more, named) in [
        (trigger, "trigger t"),
        ("CREATE VIEW v AS SELECT secret FROM token_keys", "view v"),
        ("CREATE INDEX i ON identities (upper(name))", "index i"),
        ("CREATE TABLE more (a)", "table more"),
        ("DROP INDEX seats_asleep", "index seats_asleep"),
        (
            "ALTER TABLE seeks ADD COLUMN a INTEGER DEFAULT 1",
            "table seeks",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("tilewire-data");
        fill(&data);
        let database = data.join("tilewire.sqlite");
        let db = rusqlite::Connection::open(&database).unwrap();
        db.execute_batch(more).unwrap();
        drop(db);
        fs::copy(&database, dir.path().join("copy.sqlite")).unwrap();
        for args in [
            &["check"][..],
            &["backup", "other.sqlite"],
            &["restore", "copy.sqlite", "--data-dir", "new"],
            &["keys", "rotate"],
            &["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"],
        ] {
            let (done, text) = said(&run(dir.path(), args));
            assert!(!done && text.contains(named), "{more}: {args:?}: {text}");
        }
        assert!(!dir.path().join("other.sqlite").exists());
        assert!(!dir.path().join("new/tilewire.sqlite").exists());
    }
}

#[test]
fn a_database_without_our_schema_is_not_restored() {
    let dir = tempfile::tempdir().unwrap();
    let db = rusqlite::Connection::open(dir.path().join("empty.sqlite")).unwrap();
    db.execute_batch("PRAGMA user_version = 7; PRAGMA user_version = 0")
        .unwrap();
    drop(db);
    let args = ["restore", "empty.sqlite", "--data-dir", "new"];
    let (done, text) = said(&run(dir.path(), &args));
    assert!(!done && text.contains("schema 0"), "{text}");
    assert!(!dir.path().join("new").exists());
}

/// After a rollback of the program, newer data stays as it is.
#[test]
fn a_newer_database_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("tilewire-data");
    fill(&data);
    let database = data.join("tilewire.sqlite");
    let db = rusqlite::Connection::open(&database).unwrap();
    db.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(db);
    fs::copy(&database, dir.path().join("copy.sqlite")).unwrap();
    let before = fs::read(&database).unwrap();
    for args in [
        &["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"][..],
        &["check"],
        &["backup", "other.sqlite"],
        &["backup", "drill", "copy.sqlite"],
        &["restore", "copy.sqlite", "--data-dir", "new"],
        &["keys", "rotate"],
    ] {
        let (done, text) = said(&run(dir.path(), args));
        assert!(!done && text.contains("schema 99"), "{args:?}: {text}");
    }
    let serve = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let (_, text) = said(&run(dir.path(), &serve));
    assert!(text.contains("written by a newer version"), "{text}");
    assert!(
        text.contains("restore a backup from before the upgrade"),
        "{text}"
    );
    assert_eq!(fs::read(&database).unwrap(), before);
}

/// Runs the restore drill with a place of its own for temporary files, in which nothing is left. Returns its output.
fn drill(dir: &Path, args: &[&str]) -> (bool, String) {
    let temporary = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tilewire-server"))
        .current_dir(dir)
        .env_clear()
        .env("TMPDIR", temporary.path())
        .args(["backup", "drill"])
        .args(args)
        .output()
        .unwrap();
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    said(&output)
}

#[test]
fn the_newest_backup_is_restored_for_a_try() {
    let dir = tempfile::tempdir().unwrap();
    fill(&dir.path().join("tilewire-data"));
    let (done, text) = drill(dir.path(), &[]);
    assert!(
        !done && text.contains("backup.directory is not set"),
        "{text}"
    );
    let settings = "[backup]\ndirectory = \"backups\"\n";
    fs::write(dir.path().join("tilewire.toml"), settings).unwrap();
    let backups = dir.path().join("backups");
    fs::create_dir(&backups).unwrap();
    let (done, text) = drill(dir.path(), &[]);
    assert!(!done && text.contains("backups has no backup"), "{text}");

    let (older, newest) = (
        "backups/tilewire-20260101T000000.000Z.sqlite",
        "backups/tilewire-20260102T000000.000Z.sqlite",
    );
    for file in [older, newest] {
        assert!(said(&run(dir.path(), &["backup", file])).0, "{file}");
    }
    let sound =
        |file| format!("restored {file}: 1 finished games and 1 unfinished ones are sound\n");
    // Names that are no backup of the schedule do not count.
    for other in ["tilewire-20260103T000000.000Z.sqlite.part", "zzz.sqlite"] {
        fs::write(backups.join(other), "").unwrap();
    }
    assert_eq!(drill(dir.path(), &[]), (true, sound(newest)));
    assert_eq!(drill(dir.path(), &[older]), (true, sound(older)));

    let game = "UPDATE records SET record = x'00' WHERE game = 'over' AND seq > 1";
    let db = rusqlite::Connection::open(dir.path().join(newest)).unwrap();
    assert!(db.execute(game, ()).unwrap() > 0);
    drop(db);
    let (done, text) = drill(dir.path(), &[]);
    assert!(!done && text.contains(newest), "{text}");
    assert!(text.contains("game over: "), "{text}");
    let whole = fs::read(dir.path().join(newest)).unwrap();
    fs::write(dir.path().join(newest), &whole[..whole.len() / 2]).unwrap();
    let (done, text) = drill(dir.path(), &[]);
    assert!(!done && text.contains("cannot be restored"), "{text}");
}
