//! The things an operator sees: the log, the metrics, and the errors of a start that fails.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::json;
use tilewire_harness::binaries;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Returns the names of all counters with their labels.
fn counters(server: &Server) -> BTreeSet<String> {
    let (_, page) = server.admin_get("/metrics");
    let series = page.lines().filter(|line| !line.starts_with('#'));
    let series = series.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()));
    series.filter(|name| name.contains("_total")).collect()
}

/// Every counter is there, at zero, before the first event: a later one would look like no increase.
#[test]
fn counters_exist_from_the_start() {
    let server = Server::start("[limits]\nconnections_per_address = 4\n");
    let before = counters(&server);
    assert!(
        before.contains("tilewire_games_ended_total{reason=\"resignation\"}"),
        "{before:?}"
    );
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    duel.refused(0, "pass", json!({ "turn_no": 9 }));
    duel.ok(0, "resign", json!({}));
    let (mut guest, _) = Wire::guest(&server.address, "anna");
    guest.ask("attach", json!({ "game": "no-such-game" }));
    drop(guest);
    drop(duel);
    server.until_figure(
        "tilewire_games_ended_total{reason=\"resignation\"}",
        |ended| ended >= 1.0,
    );
    assert_eq!(counters(&server), before);
}

#[test]
fn the_log_shows_games_and_connections() {
    let server = Server::start("[log]\nfilter = \"info,tilewire_gateway::connection=debug\"\n");
    let log = server.log();
    assert!(!log.contains("migrated"), "a fresh database: {log}");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    duel.ok(0, "resign", json!({}));
    let game = duel.game.clone();
    drop(duel);
    for (text, field) in [
        ("a game was created", game.as_str()),
        ("a game ended", "resignation"),
        ("a connection was opened", "127.0.0.1"),
        ("a connection was closed", "127.0.0.1"),
    ] {
        server.until_logged(text);
        let log = server.log();
        let has = |line: &str| line.contains(text) && line.contains(field);
        assert!(log.lines().any(has), "{text:?} with {field:?} in {log}");
    }
}

/// A server whose port is in use creates nothing.
#[test]
fn a_port_in_use_leaves_no_directory_behind() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let directory = tempfile::tempdir().unwrap();
    for flags in [
        ["--listen", &address, "--admin-listen", "127.0.0.1:0"],
        ["--listen", "127.0.0.1:0", "--admin-listen", &address],
    ] {
        let started = Command::new(binaries::server())
            .args(flags)
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&started.stderr);
        assert!(
            !started.status.success() && said.contains("is in use"),
            "{said}"
        );
        assert_eq!(
            std::fs::read_dir(directory.path()).unwrap().count(),
            0,
            "{said}"
        );
    }
}

/// The errors of `config check` name the file, the line and the nearest key, and each is there once.
#[test]
fn config_check_lists_every_error() {
    let server = Server::prepared("");
    let config = "[limits]\nspectator = 3\nconnections = 0\n[overload]\nlag_ms = 60000\n";
    let said = server
        .operate_with(config, &["config", "check"])
        .unwrap_err();
    assert!(said.contains("the settings have 2 errors:"), "{said}");
    assert!(
        said.contains(
            "tilewire.toml:2: unknown key `limits.spectator`; did you mean `limits.spectators`?"
        ),
        "{said}"
    );
    assert!(
        said.contains("tilewire.toml:3: `limits.connections`: 0 is not between"),
        "{said}"
    );
    let config = "[tls]\ncertificate = \"none.pem\"\nkey = \"none.pem\"\n";
    let said = server
        .operate_with(config, &["config", "check"])
        .unwrap_err();
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
    let config = "[backup]\ndirectory = \"nowhere\"\nevery_ms = 100\n[limits]\nconnections = \"many\"\n\
         [mail]\nserver = \"mail.example.org\"\nsecurity = \"none\"\n";
    let said = server
        .operate_with(config, &["config", "check"])
        .unwrap_err();
    for fault in [
        "tilewire.toml:2: backup.directory: nowhere: No such file",
        "tilewire.toml:3: backup.every_ms: a backup every 100 ms",
        "tilewire.toml:5: `limits.connections`: not the right type: text \"many\", expected a whole number",
        "tilewire.toml:7: `mail.server`: needs a sender: set mail.from",
        "tilewire.toml:8: mail.security: letters and codes go to mail.example.org",
    ] {
        assert!(said.contains(fault), "{fault}: {said}");
    }
    assert!(said.contains("the settings have 5 errors:"), "{said}");
    let printed = server.operate_with("", &["config", "print"]).unwrap();
    assert_eq!(
        server.operate_with(&printed, &["config", "check"]).unwrap(),
        "the settings are valid\n"
    );
}
