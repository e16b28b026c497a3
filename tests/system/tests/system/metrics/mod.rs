//! The operator's view of a server: its metrics, and the document, the dashboard and the alert rules that name them; `top`;
//! and the fields of the log.

mod document;
mod log;
mod process;
mod prometheus;
mod traces;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tilewire_harness::binaries::workspace;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;

/// The folder with the files for Prometheus and Grafana.
fn monitoring() -> PathBuf {
    workspace().join("docs/monitoring")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("readable")
}

/// Plays a game to its end; returns the code of a command that is refused in it.
fn play(server: &Server) -> String {
    let mut duel = Duel::start(server, &options(&json!({ "kind": "untimed" })));
    let code = duel.refused(0, "pass", json!({ "turn_no": 9 }));
    let turn = duel.turn_no();
    duel.ok(0, "pass", json!({ "turn_no": turn }));
    duel.until(1, |fold| fold.turn_no > turn);
    server.until_figure("tilewire_players_online", |players| players >= 2.0);
    duel.ok(1, "resign", json!({}));
    server.until_figure(
        "tilewire_games_ended_total{reason=\"resignation\"}",
        |ended| ended >= 1.0,
    );
    code
}
