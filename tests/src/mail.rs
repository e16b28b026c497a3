//! A real mail server as a process: aiosmtpd, with faults at every stage (`tests/tools/mail_server.py`).

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::judges::judge;
use crate::server::{Server, lines_of};
use crate::{PATIENCE, binaries};

/// A mail server and the letters that it took.
#[derive(Debug)]
pub struct MailServer {
    child: Child,
    port: u16,
    security: &'static str,
    /// Where it keeps letters, the fault, its certificate and the password.
    folder: TempDir,
}

/// A certificate and its key, in PEM.
#[derive(Debug)]
pub struct Certificate {
    /// The certificate.
    pub certificate: String,
    /// The key.
    pub key: String,
}

/// The name that the server logs in with.
const USER: &str = "tilewire";
/// The password.
const PASSWORD: &str = "a password of the post";

impl MailServer {
    /// Starts a mail server that takes letters over plain connections.
    #[must_use]
    pub fn plain() -> Self {
        Self::start("none", None, TempDir::new().expect("a directory"), 0)
    }

    /// Starts a mail server that protects connections by `starttls` or `tls`, and wants a password.
    #[must_use]
    pub fn secure(security: &'static str, own: &Certificate) -> Self {
        Self::start(security, Some(own), TempDir::new().expect("a directory"), 0)
    }

    fn start(
        security: &'static str,
        own: Option<&Certificate>,
        folder: TempDir,
        port: u16,
    ) -> Self {
        let path = |name: &str| folder.path().join(name);
        let mut command = judge("python");
        command
            .arg(binaries::workspace().join("tests/tools/mail_server.py"))
            .args([
                "--security",
                security,
                "--port",
                &port.to_string(),
                "--into",
            ])
            .arg(folder.path());
        if let Some(own) = own {
            fs::write(path("certificate.pem"), &own.certificate).expect("a file");
            fs::write(path("key.pem"), &own.key).expect("a file");
            write_secret(path("password"));
            command
                .arg("--certificate")
                .arg(path("certificate.pem"))
                .arg("--key")
                .arg(path("key.pem"))
                .args(["--user", USER, "--password", PASSWORD]);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the mail server starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        let first = lines.recv_timeout(PATIENCE).expect("it listens");
        let port = first.strip_prefix("listening ").expect("a port");
        Self {
            port: port.parse().expect("a number"),
            child,
            security,
            folder,
        }
    }

    /// Returns the settings of a server that uses this mail server and waits so long before a letter about a game.
    #[must_use]
    pub fn settings(&self, wait_ms: u32) -> String {
        let mut text = format!(
            "[mail]\nserver = \"localhost\"\nport = {}\nsecurity = \"{}\"\nfrom = \"Tilewire <tiles@example.org>\"\n\
             public_url = \"https://play.example\"\nwait_ms = {wait_ms}\nretry_ms = 100\nretry_max_ms = 200\nstep_ms = 1000\n",
            self.port, self.security
        );
        if self.security != "none" {
            let path = |name: &str| self.folder.path().join(name).display().to_string();
            text.push_str(&format!(
                "ca_file = \"{}\"\nuser = \"{USER}\"\npassword_file = \"{}\"\n",
                path("certificate.pem"),
                path("password")
            ));
        }
        text
    }

    /// Lets the mail server fail from now on, as `recipient:450` or `letter:stall`; an empty text ends that.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn fail(&self, fault: &str) {
        let (part, name) = ("fault.part", "fault");
        let path = |name: &str| self.folder.path().join(name);
        fs::write(path(part), fault).expect("a file");
        // The mail server never reads half of it.
        fs::rename(path(part), path(name)).expect("a file");
    }

    /// Returns all letters, the oldest first, as a mail program shows them.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    pub fn letters(&self) -> Vec<Value> {
        let mut command = judge("python");
        let output = command
            .arg(binaries::workspace().join("tests/tools/mail_read.py"))
            .arg(self.folder.path())
            .output()
            .expect("the reader starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        serde_json::from_slice(&output.stdout).expect("a list")
    }

    /// Returns how many letters it has.
    ///
    /// # Panics
    /// When the folder cannot be read.
    #[must_use]
    pub fn count(&self) -> usize {
        let names = fs::read_dir(self.folder.path()).expect("a folder");
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.ends_with(".eml")).count()
    }

    /// Waits until it has so many letters; returns all.
    ///
    /// # Panics
    /// When they do not come.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    #[must_use]
    pub fn wait_for(&self, server: &Server, count: usize) -> Vec<Value> {
        let since = std::time::Instant::now();
        while self.count() < count {
            let letters = || self.letters();
            assert!(
                since.elapsed() < PATIENCE,
                "{} of {count} letters: {:?}\n{}",
                self.count(),
                letters(),
                server.log()
            );
            std::thread::yield_now();
        }
        self.letters()
    }

    /// Stops it, so that nothing listens at its port.
    ///
    /// # Panics
    /// When it cannot be stopped.
    pub fn stop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may have been stopped.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn write_secret(path: PathBuf) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .expect("a file");
    writeln!(file, "{PASSWORD}").expect("it can be written");
}
