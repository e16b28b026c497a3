//! Programs of others that judge ours: Python packages, pinned in `tests/tools/judges.txt` and `requester.txt`.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use crate::server::lines_of;
use crate::{PATIENCE, binaries};

/// Returns a command that runs one of these programs, such as `openapi-spec-validator`, or `python` with the packages.
///
/// # Panics
/// When the program is not installed.
#[must_use]
pub fn judge(program: &str) -> Command {
    let path = binaries::tools().join("bin").join(program);
    assert!(
        path.exists(),
        "there is no {}: run `tests/run tools` once",
        path.display()
    );
    Command::new(path)
}

/// Starts a server of a test and waits for its line `listening PORT`; returns the port. Its input is piped: it ends with that.
pub(crate) fn listening(command: &mut Command) -> (Child, u16) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = lines_of(child.stdout.take().expect("its output is piped"));
    let first = lines.recv_timeout(PATIENCE).expect("it listens");
    let port = first.strip_prefix("listening ").expect("a port");
    (child, port.parse().expect("a number"))
}

/// Runs a command on this input; returns what it said.
///
/// # Panics
/// When it does not start.
#[must_use]
pub fn told(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut pipe = child.stdin.take().expect("its input is piped");
    let input = input.to_owned();
    // On a thread of its own, because the judge may answer before it has read everything.
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the judge ends");
    // A judge that ends early has its reason in the output.
    drop(writer.join());
    output
}
