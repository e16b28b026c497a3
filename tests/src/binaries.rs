//! The programs under test, built once per test run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the path of the server's program.
#[must_use]
pub fn server() -> &'static Path {
    &built().server
}

/// Returns the path of the reference client.
#[must_use]
pub fn client() -> &'static Path {
    &built().client
}

/// Returns the path of the load-test harness.
#[must_use]
pub fn loadtest() -> &'static Path {
    &built().loadtest
}

/// The path of a short profile that comes with it.
pub const SMOKE_PROFILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../loadtest/profiles/smoke.toml"
);

struct Built {
    server: PathBuf,
    client: PathBuf,
    loadtest: PathBuf,
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut command = Command::new(env!("CARGO"));
        command.args([
            "build",
            "--locked",
            "--workspace",
            "--bins",
            // Building a test too gives libraries the same features as in a test run, so that they are already built.
            "--test",
            "tidy",
            "--message-format=json",
        ]);
        // Removes cargo's variables about the package under test: libraries whose build scripts read them
        // would be rebuilt each time.
        let of_package = std::env::vars_os().map(|(name, _)| name);
        for name in of_package.filter(|name| is_of_package(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        let output = command
            .current_dir(workspace())
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
        Built {
            server: executable(&messages, "tilewire-server"),
            client: executable(&messages, "tilewire"),
            loadtest: executable(&messages, "tilewire-loadtest"),
        }
    })
}

/// Says whether a variable is one of those cargo sets for the package it runs.
fn is_of_package(name: &str) -> bool {
    [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_CRATE_",
        "CARGO_BIN_",
    ]
    .iter()
    .any(|start| name.starts_with(start))
}

/// Returns the directory into which `tests/run tools` installs programs and packages of other languages.
#[must_use]
pub fn tools() -> PathBuf {
    workspace().join("target/tools")
}

/// Returns the root of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are in the workspace")
}

fn executable(messages: &str, name: &str) -> PathBuf {
    let found = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    found.unwrap_or_else(|| panic!("cargo built {name}"))
}
