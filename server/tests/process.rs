//! The program as an operator meets it: a process with flags, files, ports and signals.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilewire-server");

fn program(dir: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(dir).env_clear();
    command
}

/// A server that has said that it is ready; killed when dropped.
struct Server {
    process: Child,
    stdout: BufReader<ChildStdout>,
    players: String,
    admin: String,
}

impl Server {
    fn start(dir: &Path) -> Self {
        let mut process = program(dir)
            .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let players = value(&mut stdout, "listening on ws://", "/ws");
        let admin = value(&mut stdout, "admin on http://", "");
        Self {
            process,
            stdout,
            players,
            admin,
        }
    }

    fn ask(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.admin).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn value(lines: &mut impl BufRead, before: &str, after: &str) -> String {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let value = line.trim_end().strip_prefix(before);
    let value = value.and_then(|value| value.strip_suffix(after));
    value.unwrap_or_else(|| panic!("{line:?}")).to_owned()
}

fn refusal(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

#[test]
fn it_starts_serves_the_operator_and_stops_in_good_order() {
    let dir = tempfile::tempdir().unwrap();
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(dir.path());
        assert!(server.ask("/healthz").starts_with("HTTP/1.1 200"));
        assert!(server.ask("/readyz").contains("ready"));
        assert!(server.ask("/metrics").contains("tilewire_connections 0"));
        TcpStream::connect(&server.players).unwrap();
        server.signal(signal);
        assert!(server.process.wait().unwrap().success());
        let mut rest = String::new();
        server.stdout.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("data in ./tilewire-data"), "{rest}");
        assert!(rest.contains("tilewire --server ws://127.0.0.1:"), "{rest}");
    }
    assert!(dir.path().join("tilewire-data/tilewire.sqlite").exists());
}

#[test]
fn what_is_in_use_is_named_with_its_flag() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path());
    let start = |args: &[&str]| program(dir.path()).args(args).output().unwrap();
    let other = ["--data-dir", "other", "--admin-listen", "127.0.0.1:0"];
    let port = start(&[&other[..], &["--listen", &server.players]].concat());
    let text = refusal(&port, 1);
    assert!(
        text.contains("in use") && text.contains("--listen"),
        "{text}"
    );
    let other = ["--data-dir", "other", "--listen", "127.0.0.1:0"];
    let port = start(&[&other[..], &["--admin-listen", &server.admin]].concat());
    let text = refusal(&port, 1);
    assert!(
        text.contains("in use") && text.contains("--admin-listen"),
        "{text}"
    );
    let data = start(&["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    let text = refusal(&data, 1);
    assert!(
        text.contains("another server") && text.contains("--data-dir"),
        "{text}"
    );
}

#[test]
fn after_a_kill_it_starts_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path());
    server.signal("-KILL");
    drop(server);
    assert!(Server::start(dir.path()).ask("/readyz").contains("ready"));
}

#[test]
fn settings_are_printed_checked_and_explained() {
    let dir = tempfile::tempdir().unwrap();
    let config = |args: &[&str]| {
        let command = ["config"].iter().chain(args);
        program(dir.path()).args(command).output().unwrap()
    };
    let printed = config(&["print", "--listen", "127.0.0.1:4"]);
    assert!(printed.status.success());
    std::fs::write(dir.path().join("tilewire.toml"), &printed.stdout).unwrap();
    assert_eq!(config(&["print"]).stdout, printed.stdout);
    assert!(config(&["check"]).status.success());
    let page = String::from_utf8(printed.stdout).unwrap();
    let explained = "# Range: 10 to 3600000. Default: 10000\nheartbeat_ms = 10000";
    assert!(page.contains(explained), "{page}");
    std::fs::write(dir.path().join("bad.toml"), "[timing]\nheart_beat = 3\n").unwrap();
    let text = refusal(&config(&["check", "--config", "bad.toml"]), 2);
    assert!(
        text.contains("bad.toml") && text.contains("timing.heart_beat"),
        "{text}"
    );
    let missing = refusal(&config(&["check", "--config", "none.toml"]), 2);
    assert!(missing.contains("none.toml"), "{missing}");
}
