//! A real mail server as a process: aiosmtpd, with faults at every stage (`tests/tools/mail_server.py`), or Debian's postfix
//! (`tests/tools/postfix_server`).

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::judges::{judge, listening};
use crate::ports::Port;
use crate::server::Server;
use crate::{PATIENCE, binaries, signals};

/// A mail server and the letters that it took.
#[derive(Debug)]
pub struct MailServer {
    /// Starts it.
    command: Command,
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

/// Where a process finds its certificate, in its folder.
const CERTIFICATE_FILE: &str = "certificate.pem";
/// Where the password is.
const PASSWORD_FILE: &str = "password";

impl Certificate {
    /// Writes both into a folder; returns their files.
    ///
    /// # Panics
    /// When they cannot be written.
    #[must_use]
    pub fn write_to(&self, folder: &Path) -> [PathBuf; 2] {
        let files = [CERTIFICATE_FILE, "key.pem"].map(|name| folder.join(name));
        for (file, content) in files.iter().zip([&self.certificate, &self.key]) {
            fs::write(file, content).expect("a file");
        }
        files
    }
}

/// The name that the server logs in with.
const USER: &str = "tilewire";
/// The password.
const PASSWORD: &str = "a password of the post";

impl MailServer {
    /// Starts a mail server that takes letters over plain connections.
    #[must_use]
    pub fn plain() -> Self {
        let folder = TempDir::new().expect("a directory");
        Self::start(aiosmtpd("none", folder.path()), "none", folder)
    }

    /// Starts a mail server as [`MailServer::plain`] does, at a port that nobody else gets while it is stopped.
    #[must_use]
    pub fn plain_at(port: &Port) -> Self {
        let folder = TempDir::new().expect("a directory");
        let mut command = aiosmtpd("none", folder.path());
        command.arg("--port").arg(port.number.to_string());
        Self::start(command, "none", folder)
    }

    /// Starts a mail server that protects connections by `starttls` or `tls`, and wants a password.
    #[must_use]
    pub fn secure(security: &'static str, own: &Certificate) -> Self {
        let folder = TempDir::new().expect("a directory");
        let [certificate, key] = own.write_to(folder.path());
        let password = folder.path().join(PASSWORD_FILE);
        write_secret(password);
        let mut command = aiosmtpd(security, folder.path());
        command.arg("--certificate").arg(certificate);
        command.arg("--key").arg(key);
        command.args(["--user", USER, "--password", PASSWORD]);
        Self::start(command, security, folder)
    }

    /// Starts Debian's postfix, which wants STARTTLS and no password, and takes letters for `anna@example.net` and
    /// `ben@example.net`. The process must belong to root.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn postfix(own: &Certificate) -> Self {
        // The processes of postfix belong to several users.
        let readable = fs::Permissions::from_mode(0o755);
        let mut folder = tempfile::Builder::new();
        let folder = folder.permissions(readable).tempdir();
        let folder = folder.expect("a directory");
        let _written = own.write_to(folder.path());
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        let mut command = Command::new(binaries::workspace().join("tests/tools/postfix_server"));
        command.arg(folder.path()).arg(port.to_string());
        drop(free);
        Self::start(command, "starttls", folder)
    }

    fn start(mut command: Command, security: &'static str, folder: TempDir) -> Self {
        let (child, port) = listening(&mut command);
        Self {
            command,
            child,
            port,
            security,
            folder,
        }
    }

    /// Starts a mail server again that was stopped; a postfix, and one of [`MailServer::plain_at`], listens at the same port.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        (self.child, self.port) = listening(&mut self.command);
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
            let certificate = self.folder.path().join(CERTIFICATE_FILE);
            text.push_str(&format!("ca_file = \"{}\"\n", certificate.display()));
        }
        let password = self.folder.path().join(PASSWORD_FILE);
        if password.exists() {
            let password = password.display();
            text.push_str(&format!(
                "user = \"{USER}\"\npassword_file = \"{password}\"\n"
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
    #[must_use]
    pub fn count(&self) -> usize {
        let is_letter = |path: &PathBuf| path.extension().is_some_and(|end| end == "eml");
        let own = paths_in(self.folder.path());
        let boxes = paths_in(&self.folder.path().join("mailboxes"));
        let in_boxes = boxes.iter().map(|path| paths_in(&path.join("new")).len());
        own.iter().filter(|path| is_letter(path)).count() + in_boxes.sum::<usize>()
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
        let ended = self.child.try_wait().expect("its status");
        if ended.is_none() {
            // Postfix has processes of its own, which a script ends at this signal.
            signals::send(self.child.id(), "-TERM");
            self.child.wait().expect("it has ended");
        }
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns the command that starts aiosmtpd at a free port.
fn aiosmtpd(security: &str, folder: &Path) -> Command {
    let mut command = judge("python");
    command
        .arg(binaries::workspace().join("tests/tools/mail_server.py"))
        .args(["--security", security, "--into"])
        .arg(folder);
    command
}

/// Returns what is in a folder; nothing if there is no such folder.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
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
