//! The programs under test. Tests do not build them: `tests/run` and the setup script of nextest do.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The variable that names the directory of the programs. Without it they are where cargo puts them: above the directory of the
/// running test.
const PROGRAMS: &str = "TEST_PROGRAMS";

/// Returns the path of the server's program.
#[must_use]
pub fn server() -> &'static Path {
    static SERVER: OnceLock<PathBuf> = OnceLock::new();
    SERVER.get_or_init(|| program("tilewire-server"))
}

/// Returns the path of the reference client.
#[must_use]
pub fn client() -> &'static Path {
    static CLIENT: OnceLock<PathBuf> = OnceLock::new();
    CLIENT.get_or_init(|| program("tilewire"))
}

/// Returns the path of a program that was built before.
fn program(name: &str) -> PathBuf {
    let path = env::var_os(PROGRAMS)
        .map_or_else(beside_tests, PathBuf::from)
        .join(name);
    assert!(
        path.is_file(),
        "there is no {}: `tests/programs` builds it",
        path.display()
    );
    path
}

/// Returns the directory in which cargo puts programs: it contains the directory `deps` of the running test.
fn beside_tests() -> PathBuf {
    let test = env::current_exe().expect("the path of this test");
    let directory = test.ancestors().nth(2).expect("a directory of cargo");
    directory.to_owned()
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
        .ancestors()
        .nth(2)
        .expect("the tests are in the workspace")
}
