//! The command that starts several servers on one machine.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tilewire_harness::binaries::{self, workspace};
use tilewire_harness::http::get;
use tilewire_harness::signals;
use tilewire_services::nats::Nats;
use tilewire_services::postgres::Postgres;

/// One command starts three servers, says where they are, and stops everything after Ctrl-C. A second run finds the data of
/// the first one.
#[test]
fn one_command_starts_three_servers_and_stops_them() {
    if !Postgres::is_installed() || !Nats::is_installed() {
        return;
    }
    let mut kept = tempfile::Builder::new();
    // The user of PostgreSQL is another one.
    let kept = kept.permissions(fs::Permissions::from_mode(0o755));
    let kept = kept.tempdir().expect("a temporary directory");
    for changes in [257, 258] {
        let (mut up, said) = bring_up(kept.path());
        assert!(is_ready(&said), "{said:?}");
        let pages: Vec<&str> = said_as(&said, "page").collect();
        assert_eq!(pages.len(), 3, "{said:?}");
        for page in &pages {
            let address = page.trim_start_matches("http://").trim_end_matches('/');
            assert_eq!(get(address, "/").0, 200, "{page}");
        }
        let status = said_as(&said, "status").next().expect("a command");
        let status = Command::new("sh").args(["-c", status]).output();
        let status = String::from_utf8_lossy(&status.expect("it starts").stdout).into_owned();
        assert_eq!(status.matches("  up  ").count(), 3, "{status}");
        let so_far = status.split("changes of owners so far: ").nth(1);
        let so_far: u32 = so_far.expect("a line").trim().parse().expect("a number");
        assert!(so_far >= changes, "{status}");
        signals::send(up.id(), "-INT");
        assert!(up.wait().expect("it ends").success());
        let left = processes_of(kept.path());
        assert_eq!(left, Vec::<String>::new());
        let nats = said_as(&said, "nats").next().expect("an address");
        let nats = TcpStream::connect(nats.trim_start_matches("nats://"));
        assert!(nats.is_err(), "nats-server still runs");
    }
}

/// Runs `tests/cluster-up`; returns it with what it has said when it was ready, or until its end.
fn bring_up(kept: &Path) -> (Child, Vec<String>) {
    let programs = binaries::server().parent().expect("a directory");
    let mut up = Command::new(workspace().join("tests/cluster-up"))
        .arg("--programs")
        .arg(programs)
        .arg("--dir")
        .arg(kept)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(up.stdout.take().expect("a pipe")).lines();
    let lines = lines.map_while(Result::ok);
    let mut said: Vec<String> = Vec::new();
    for line in lines {
        said.push(line);
        if is_ready(&said) {
            break;
        }
    }
    (up, said)
}

fn is_ready(said: &[String]) -> bool {
    said.last().is_some_and(|line| line.starts_with("ready"))
}

/// Returns what was said under a name.
fn said_as<'a>(said: &'a [String], name: &str) -> impl Iterator<Item = &'a str> {
    let under = move |line: &'a String| line.trim_start().strip_prefix(name)?.strip_prefix(' ');
    said.iter().filter_map(under).map(str::trim)
}

/// Returns the command lines of the processes that use a directory.
fn processes_of(directory: &Path) -> Vec<String> {
    let directory = directory.to_str().expect("a path in UTF-8");
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(directory)).collect()
}
