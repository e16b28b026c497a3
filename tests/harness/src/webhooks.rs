//! A receiver of webhooks as a process: it verifies with a library of others (`tests/tools/hook_receiver.py`).

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;

use serde_json::Value;
use tempfile::TempDir;

use crate::authority::Authority;
use crate::judges::{judge, listening};
use crate::mail::Certificate;
use crate::server::Server;
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
    /// The secret and the certificate of an authority, for the server.
    secrets: TempDir,
    is_secure: bool,
}

/// The authority that a server shall trust.
const AUTHORITY_FILE: &str = "authority.pem";
/// The certificate of the receiver with its key.
const CERTIFICATE_FILE: &str = "certificate.pem";

impl Receiver {
    /// Starts a receiver.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::with(None)
    }

    /// Starts a receiver at `localhost` that speaks TLS with this certificate. The servers of its targets trust the authority.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn secure(authority: &Authority, own: &Certificate) -> Self {
        Self::with(Some((authority, own)))
    }

    fn with(tls: Option<(&Authority, &Certificate)>) -> Self {
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
        if let Some((authority, own)) = tls {
            fs::write(secrets.path().join(AUTHORITY_FILE), authority.pem()).expect("a file");
            write_certificate(folder.path(), own);
            command
                .arg("--certificate")
                .arg(folder.path().join(CERTIFICATE_FILE));
        }
        let (child, port) = listening(&mut command);
        Self {
            child,
            port,
            folder,
            secrets,
            is_secure: tls.is_some(),
        }
    }

    /// Gives a receiver that speaks TLS another certificate, for all connections from now on.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn certify(&self, own: &Certificate) {
        write_certificate(self.folder.path(), own);
    }

    /// Returns the settings of a server that has this receiver as a webhook with this name, with more settings of it.
    #[must_use]
    pub fn target(&self, name: &str, more: &str) -> String {
        let path = |name: &str| self.secrets.path().join(name).display().to_string();
        let (place, trusted) = match self.is_secure {
            false => ("http://127.0.0.1", String::new()),
            true => {
                let file = path(AUTHORITY_FILE);
                ("https://localhost", format!("ca_file = \"{file}\"\n"))
            }
        };
        format!(
            "[[webhooks.targets]]\nname = \"{name}\"\nurl = \"{place}:{}/webhook\"\nsecret_file = \"{}\"\n{trusted}\
             private_games = true\n{more}\n",
            self.port,
            path("secret")
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

/// Replaces the certificate in a folder; nobody reads half of it.
fn write_certificate(folder: &Path, own: &Certificate) {
    let (part, file) = (
        folder.join("certificate.part"),
        folder.join(CERTIFICATE_FILE),
    );
    let both = [own.certificate.as_str(), &own.key].concat();
    fs::write(&part, both).expect("a file");
    fs::rename(part, file).expect("a file");
}
