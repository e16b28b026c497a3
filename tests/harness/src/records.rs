//! Records of finished games: fetched from the server, replayed and proved by the client program.

use std::path::Path;
use std::process::{Command, Output};

use crate::binaries;
use crate::server::Server;

/// Runs `tilewire ARGS` against the server in `folder`.
///
/// # Panics
/// When it cannot be run.
#[must_use]
pub fn tilewire(server: &Server, folder: &Path, args: &[&str]) -> Output {
    Command::new(binaries::client())
        .args(args)
        .args(["--server", &server.url()])
        .arg("--home")
        .arg(folder)
        .current_dir(folder)
        .output()
        .expect("the client runs")
}

/// Gets a finished game in both formats and has both replayed, and its bag proved.
///
/// # Panics
/// When anything is not as it was played.
pub fn check_records(server: &Server, folder: &Path, game: &str) {
    check_records_by(server, folder, game, &[]);
}

/// The same for a game whose score sheet is read with `rules`, because a score sheet does not contain them.
///
/// # Panics
/// When anything is not as it was played.
pub fn check_records_by(server: &Server, folder: &Path, game: &str, rules: &[&str]) {
    let (native, sheet) = (format!("{game}.jsonl"), format!("{game}.gcg"));
    let right = |args: &[&str]| {
        let output = tilewire(server, folder, args);
        let said = String::from_utf8_lossy(&output.stdout);
        let refused = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}{refused}");
        said.into_owned()
    };
    right(&["record", "fetch", game, "-o", &native]);
    right(&["record", "fetch", game, "-o", &sheet]);
    assert!(right(&["record", "check", &native]).contains(": exact"));
    assert!(right(&["verify", &native]).contains("the bag matches the commitment"));
    // A stranger's program finds the same bag.
    let script = binaries::workspace().join("rules/tests/verify_bag.py");
    let proved = Command::new("python3")
        .arg(script)
        .arg(folder.join(&native))
        .output()
        .expect("python3 is installed");
    assert!(proved.status.success(), "{proved:?}");
    // The common format cannot express every game; the export must not write a false record.
    let text = std::fs::read_to_string(folder.join(&sheet)).expect("it was written");
    let check = [&["record", "check", &sheet][..], rules].concat();
    let output = tilewire(server, folder, &check);
    if text.contains("wordfeud-random") {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    } else {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let shown = right(&["record", "show", &native]);
    assert!(shown.lines().count() > 20, "{shown}");
}
