//! The reference client with mail: an address, the choice of letters, a login by code, and a turn after a letter.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tilewire_harness::binaries;
use tilewire_harness::mail::MailServer;
use tilewire_harness::ports::Port;
use tilewire_harness::server::Server;

use super::{PASSWORD, newest_code};

/// A client that reads secrets and commands from its input.
pub(super) struct Run(Child);

impl Run {
    pub(super) fn start(server: &Server, home: &Path, profile: &str, args: &[&str]) -> Self {
        let child = Command::new(binaries::client())
            .args(args)
            .args(["--json", "--profile", profile, "--server", &server.url()])
            .arg("--data-dir")
            .arg(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Self(child.expect("the client starts"))
    }

    pub(super) fn type_line(&mut self, line: &str) {
        let stdin = self.0.stdin.as_mut().expect("its input is piped");
        writeln!(stdin, "{line}").expect("it reads");
    }

    /// Waits until it says something on stderr that contains a text.
    #[track_caller]
    fn until_said(&mut self, text: &str) {
        let stderr = self.0.stderr.take().expect("its errors are piped");
        let mut lines = BufReader::new(stderr).lines();
        let says = |line: io::Result<String>| line.expect("text").contains(text);
        assert!(lines.any(says), "it does not say {text:?}");
    }

    /// Waits for its end; returns the object that it printed.
    #[track_caller]
    pub(super) fn done(self) -> Value {
        let mut lines = self.lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines.remove(0)
    }

    /// Waits for its end; returns the lines that it printed.
    #[track_caller]
    pub(super) fn lines(mut self) -> Vec<Value> {
        drop(self.0.stdin.take());
        let Output {
            status,
            stdout,
            stderr,
        } = self.0.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{said}");
        let printed = String::from_utf8(stdout).expect("text");
        let lines = printed.lines().map(serde_json::from_str);
        lines.map(|line| line.expect("an object")).collect()
    }
}

/// The mail server is away at a start: the server takes players, tells those who wait for a code, and sends it by itself later.
#[test]
fn a_start_without_its_mail_server_says_so_and_sends_later() {
    let port = Port::reserve();
    let mut mail = MailServer::plain_at(&port);
    let settings = mail.settings(0);
    mail.stop();
    let server = Server::start(&settings);
    server.until_logged("letters wait for the mail server");
    assert!(
        server
            .admin_get("/metrics")
            .1
            .contains("\ntilewire_mail_reached 0\n")
    );
    let home = TempDir::new().expect("a directory");
    let mut register = Run::start(
        &server,
        home.path(),
        "laptop",
        &["register", "anna", "--password-stdin"],
    );
    register.type_line(PASSWORD);
    register.done();
    let args = [
        "account",
        "mail",
        "set",
        "anna@example.net",
        "--password-stdin",
    ];
    let mut set = Run::start(&server, home.path(), "laptop", &args);
    set.type_line(PASSWORD);
    set.until_said("This server cannot send email at the moment.");
    mail.start_again();
    let letters = mail.wait_for(&server, 1);
    server.until_logged("the mail server is there");
    server.until_figure("tilewire_mail_reached", |value| value > 0.5);
    set.type_line(&newest_code(&letters));
    assert_eq!(set.done()["mail"]["address"], "anna@example.net");
    let mut login = Run::start(
        &server,
        home.path(),
        "phone",
        &["login", "anna@example.net", "--password-stdin"],
    );
    login.until_said("a code has been sent there.");
    let letters = mail.wait_for(&server, 3);
    login.type_line(&newest_code(&letters));
    assert_eq!(login.done()["me"]["handle"], "anna");
}

#[test]
fn a_player_sets_everything_in_the_terminal() {
    let mail = MailServer::plain();
    let server = Server::start(&mail.settings(0));
    let home = TempDir::new().expect("a directory");
    let start = |profile: &str, args: &[&str]| Run::start(&server, home.path(), profile, args);
    // Reads the newest code and types it.
    let enter_code = |run: &mut Run, count: usize| {
        let letters = mail.wait_for(&server, count);
        run.type_line(&newest_code(&letters));
    };

    let mut register = start("laptop", &["register", "anna", "--password-stdin"]);
    register.type_line(PASSWORD);
    register.done();
    let mut set = start(
        "laptop",
        &[
            "account",
            "mail",
            "set",
            "anna@example.net",
            "--password-stdin",
        ],
    );
    set.type_line(PASSWORD);
    enter_code(&mut set, 1);
    assert_eq!(set.done()["mail"]["address"], "anna@example.net");
    // The message about the change.
    let told = mail.wait_for(&server, 2);
    assert_eq!(told[1]["subject"], "Your account anna was changed");

    let off = start("laptop", &["account", "notify", "update", "off"]).done();
    assert_eq!(off["letters"]["update"], false);
    assert_eq!(off["letters"]["turn"], true);
    let german = start("laptop", &["account", "language", "de"]).done();
    assert_eq!(german["letters"]["language"], "de");

    let mut login = start("phone", &["login", "anna@example.net", "--password-stdin"]);
    enter_code(&mut login, 3);
    assert_eq!(login.done()["me"]["handle"], "anna");
    let letters = mail.letters();
    assert_eq!(letters[2]["subject"], "Dein Code zum Anmelden");

    let mut recover = start(
        "tablet",
        &["recover", "anna@example.net", "--password-stdin"],
    );
    enter_code(&mut recover, 4);
    recover.type_line("eleven damp umbrellas");
    assert_eq!(recover.done()["me"]["handle"], "anna");

    let mut remove = start("tablet", &["account", "mail", "remove", "--password-stdin"]);
    remove.type_line("eleven damp umbrellas");
    assert_eq!(remove.done()["mail"], Value::Null);
}
