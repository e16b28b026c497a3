//! A receiver of webhooks as a process: it verifies with a library of others (`tests/tools/hook_receiver.py`).

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::judges::judge;
use crate::server::{Server, lines_of};
use crate::{PATIENCE, binaries};

/// The secret that both sides have.
const SECRET: &str = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAyNCBieXRlcw==";

/// A receiver and the events that it took.
#[derive(Debug)]
pub struct Receiver {
    child: Child,
    port: u16,
    /// Where it keeps events and finds its answer.
    folder: TempDir,
    /// The secret, for the server.
    secrets: TempDir,
}

impl Receiver {
    /// Starts a receiver.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start() -> Self {
        let (folder, secrets) = (
            TempDir::new().expect("a directory"),
            TempDir::new().expect("a directory"),
        );
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(secrets.path().join("secret"))
            .expect("a file");
        writeln!(file, "{SECRET}").expect("it can be written");
        let mut command = judge("python");
        command
            .arg(binaries::workspace().join("tests/tools/hook_receiver.py"))
            .args(["--secret", SECRET, "--into"])
            .arg(folder.path());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the receiver starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        let first = lines.recv_timeout(PATIENCE).expect("it listens");
        let port = first.strip_prefix("listening ").expect("a port");
        Self {
            port: port.parse().expect("a number"),
            child,
            folder,
            secrets,
        }
    }

    /// Returns the settings of a server that has this receiver as a webhook with this name, with more settings of it.
    #[must_use]
    pub fn target(&self, name: &str, more: &str) -> String {
        let secret = self.secrets.path().join("secret");
        format!(
            "[[webhooks.targets]]\nname = \"{name}\"\nurl = \"http://127.0.0.1:{}/hook\"\nsecret_file = \"{}\"\n\
             private_games = true\n{more}\n",
            self.port,
            secret.display()
        )
    }

    /// Lets the receiver answer so from now on, as `500` or `stall`; an empty text ends that.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn answer(&self, answer: &str) {
        fs::write(self.path("answer.part"), answer).expect("a file");
        // The receiver never reads half of it.
        fs::rename(self.path("answer.part"), self.path("answer")).expect("a file");
    }

    /// Returns the events that it has taken, the oldest first: `id` and `body`.
    ///
    /// # Panics
    /// When they cannot be read, or one did not verify.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        let forged = fs::read_to_string(self.path("forged")).unwrap_or_default();
        assert_eq!(forged, "", "an event does not verify");
        let names = fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<PathBuf> = names.filter_map(|entry| Some(entry.ok()?.path())).collect();
        names.retain(|name| name.extension().is_some_and(|end| end == "json"));
        names.sort();
        let read = |name: PathBuf| {
            let text = fs::read_to_string(name).expect("a file");
            serde_json::from_str(&text).expect("JSON")
        };
        names.into_iter().map(read).collect()
    }

    /// Returns the ids of the events that it has refused, each as often as it came.
    #[must_use]
    pub fn refused(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("refused")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits until its events fulfil a condition; returns them.
    ///
    /// # Panics
    /// When that does not happen.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn wait_for(&self, server: &Server, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let since = std::time::Instant::now();
        loop {
            let events = self.events();
            if wanted(&events) {
                return events;
            }
            assert!(
                since.elapsed() < PATIENCE,
                "{events:?}, {:?} were refused\n{}",
                self.refused(),
                server.log()
            );
            std::thread::yield_now();
        }
    }

    /// Waits until it has taken an event of this kind; returns all.
    pub fn wait_for_kind(&self, server: &Server, kind: &str) -> Vec<Value> {
        let is_of_kind = |event: &Value| event["body"]["type"] == kind;
        self.wait_for(server, |events| events.iter().any(is_of_kind))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
