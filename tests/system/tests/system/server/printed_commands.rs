//! Commands that the programs print work as printed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use rcgen::generate_simple_self_signed;
use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::binaries;
use tilewire_harness::client::Client;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::write_private;

/// A process with its output; killed when dropped.
struct Process {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, stdout }
    }

    fn next_line(&mut self) -> String {
        let mut line = String::new();
        let count = self.stdout.read_line(&mut line).expect("UTF-8");
        assert!(count > 0, "the process prints another line");
        line.trim_end().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process that has ended cannot be killed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A command with the environment of a user who has not set anything, and the home directory `home`.
fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .current_dir(home)
        .stdin(Stdio::null());
    command
}

/// Runs a printed command with further arguments in a shell, to its end.
fn shell(line: &str, home: &Path) -> Output {
    let mut shell = command(Path::new("bash"), home);
    // The status of a pipe is that of its first part that fails.
    let output = shell.args(["-o", "pipefail", "-c", line]).output();
    output.expect("a shell runs")
}

/// Starts a server with these arguments; returns it with the lines of its banner, up to the last command.
fn start(home: &Path, args: &[&str]) -> (Process, Vec<String>) {
    let mut server = command(binaries::server(), home);
    server
        .args(["--admin-listen", "127.0.0.1:0"])
        .args(args)
        .stderr(Stdio::null());
    let mut process = Process::start(&mut server);
    let mut lines: Vec<String> = Vec::new();
    while lines.last().is_none_or(|line| !line.contains("watch")) {
        lines.push(process.next_line());
    }
    (process, lines)
}

/// The command of a banner line.
fn printed(lines: &[String], title: &str) -> String {
    let line = lines.iter().find_map(|line| line.strip_prefix(title));
    line.expect("the banner has the line").trim().to_owned()
}

/// Runs a printed command in line mode until it prints a line that `wanted` accepts.
fn until(line: &str, home: &Path, wanted: impl Fn(&Value) -> bool) -> Process {
    let mut shell = command(Path::new("sh"), home);
    shell
        .args(["-c", &format!("exec {line} --json")])
        .env("SSL_CERT_FILE", home.join("certificate.pem"));
    let mut process = Process::start(&mut shell);
    loop {
        let line = process.next_line();
        let value: Value = serde_json::from_str(&line).expect("JSON");
        if wanted(&value) {
            return process;
        }
        assert_ne!(value["state"], "closed", "{value}");
    }
}

#[test]
fn the_commands_of_the_banner_work_as_printed() {
    for listen in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0", "[::1]:0"] {
        let home = tempfile::tempdir().expect("a temporary directory");
        let (_server, lines) = start(home.path(), &["--listen", listen]);
        play_by(&lines, &home);
    }
}

#[test]
fn the_commands_of_the_banner_name_the_host_of_the_certificate() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let pair = generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let file = |name: &str| home.path().join(name);
    std::fs::write(file("certificate.pem"), pair.cert.pem()).expect("a file");
    write_private(&file("key.pem"), &pair.signing_key.serialize_pem());
    let settings = "[tls]\ncertificate = \"certificate.pem\"\nkey = \"key.pem\"\n";
    std::fs::write(file("tilewire.toml"), settings).expect("a file");
    let (_server, lines) = start(home.path(), &["--listen", "0.0.0.0:0"]);
    play_by(&lines, &home);
}

/// Two players and a spectator follow the commands of a banner.
fn play_by(lines: &[String], home: &TempDir) {
    let home = home.path();
    let first = printed(lines, "or, in another terminal:");
    let _anna = until(&first, home, |line| line["type"] == "seek");
    let second = printed(lines, "an opponent, in a third:");
    let _ben = until(&second, home, |line| line["kind"] == "turn_started");
    let third = printed(lines, "a spectator, in a fourth:");
    let _zoe = until(&third, home, |line| {
        line["state"] == "attached" && line["role"] == "spectator"
    });
}

/// Plays against a bot with the profile `two` until the first turn, then types a line; returns the last line of output.
fn ends_with(server: &Server, home: &Path, line: &str) -> Value {
    let play = ["play", "--bot", "beginner", "--clock", "untimed"];
    let mut client = Client::start("two", &server.address, home, &play);
    client.wait_for(|line| line["kind"] == "turn_started");
    client.type_line(line);
    client.wait_for(|line| line["state"] == "closed")
}

#[test]
fn the_hint_of_a_player_who_leaves_leads_back_to_the_seat() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let closed = ends_with(&server, home.path(), "quit");
    let resume = closed["next"]["resume"].as_str().expect("a hint");
    assert!(resume.contains("--profile two"), "{resume}");
    drop(until(resume, home.path(), |line| {
        line["state"] == "attached" && line["role"] == "player" && line["reason"].is_null()
    }));

    // Without the profile, the same command is that of a spectator, who is told.
    let foreign = resume.replace("--profile two", "--profile three");
    drop(until(&foreign, home.path(), |line| {
        let reason = line["reason"].as_str().unwrap_or_default();
        line["state"] == "attached" && reason.contains("no seat") && reason.contains("three")
    }));
}

#[test]
fn the_hints_after_the_end_fetch_and_verify_the_record() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let closed = ends_with(&server, home.path(), "resign");
    let next = &closed["next"];
    assert!(next["resume"].is_null(), "{closed}");
    let record = next["record"].as_str().expect("a hint");
    let output = shell(record, home.path());
    assert!(output.status.success(), "{output:?}");
    let output = shell(next["verify"].as_str().expect("a hint"), home.path());
    assert!(output.status.success(), "{output:?}");
    let again = shell(record, home.path());
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(said.contains("--force"), "{said}");
}

#[test]
fn lists_are_text_in_a_pipe_and_end_quietly_with_their_reader() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let client = binaries::client().display().to_string();
    let run = |line: &str| {
        let line = line.replace("tilewire", &client);
        let line = line.replace(" |", &format!(" --server {} |", server.url()));
        let output = shell(&line, home.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{line}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let games = run("tilewire games | head -n 1");
    assert!(games.starts_with("Your unfinished games ("), "{games}");
    assert!(games.contains("--server"), "{games}");
    for command in ["games", "whoami", "rules", "rules classic"] {
        let text = run(&format!("tilewire {command} | cat"));
        assert!(!text.starts_with('{'), "{command}: {text}");
        let printed = run(&format!("tilewire {command} --json | cat"));
        let value: Value = serde_json::from_str(&printed).expect("one object");
        assert!(value.is_object(), "{command}");
        run(&format!("tilewire {command} | true"));
        run(&format!("tilewire {command} --json | true"));
    }
}

#[test]
fn the_operator_reads_times_and_not_numbers() {
    let server = Server::start("");
    let mut anna = Wire::connect(&server.address);
    let welcome = anna.ask("auth", json!({ "client": "test", "name": "anna" }));
    let keys = server.operate(&["keys", "list"], "").expect("a list");
    let is_time = |word: &str| word.len() == 20 && word.contains('T') && word.ends_with('Z');
    assert!(keys.split_whitespace().any(is_time), "{keys}");
    let identity = welcome[2]["identity"].as_str().expect("an identity");
    let shown = server.operate(&["identities", "show", identity], "");
    let shown = shown.expect("an identity");
    assert!(shown.split_whitespace().any(is_time), "{shown}");
}
