//! A push service with its browsers as a process (`tests/tools/push_service.py`): it verifies the signature and decrypts with
//! code of others, and fails where a test says so.

use std::fs;
use std::path::Path;
use std::process::Child;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::judges::{judge, listening};
use crate::mail::Certificate;
use crate::server::Server;
use crate::{PATIENCE, binaries};

/// The status of an answer that takes a push.
const TAKEN: u64 = 201;

/// A push service and the requests that came.
#[derive(Debug)]
pub struct PushService {
    child: Child,
    port: u16,
    /// Where it keeps requests, the fault, its certificate and the keys of the browsers.
    folder: TempDir,
}

impl PushService {
    /// Starts a push service with a certificate for `localhost`.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(own: &Certificate) -> Self {
        let folder = TempDir::new().expect("a directory");
        let [certificate, key] = own.write_to(folder.path());
        let mut command = judge("python");
        command
            .arg(binaries::workspace().join("tests/tools/push_service.py"))
            .arg("--into")
            .arg(folder.path())
            .arg("--certificate")
            .arg(certificate)
            .arg("--key")
            .arg(key);
        let (child, port) = listening(&mut command);
        Self {
            child,
            port,
            folder,
        }
    }

    /// Returns the settings of a server that sends pushes there and waits so long before one.
    #[must_use]
    pub fn settings(&self, wait_ms: u32) -> String {
        format!(
            "{}allow_private = [\"127.0.0.0/8\", \"::1\"]\n[mail]\nwait_ms = {wait_ms}\n",
            self.guarded()
        )
    }

    /// Returns the section about pushes of a server that may not reach this machine.
    #[must_use]
    pub fn guarded(&self) -> String {
        let ca_file = self.folder.path().join("certificate.pem");
        format!(
            "[push]\ncontact = \"mailto:tiles@example.org\"\nca_file = \"{}\"\nretry_ms = 100\nretry_max_ms = 200\n\
             step_ms = 1000\n",
            ca_file.display()
        )
    }

    /// Returns the subscription of a browser, as it goes to the server; `key` is the server's.
    ///
    /// # Panics
    /// When the keys cannot be read.
    #[must_use]
    pub fn subscription(&self, browser: &str, key: &str) -> Value {
        let keys = fs::read(self.folder.path().join("browser.json")).expect("keys");
        let keys: Value = serde_json::from_slice(&keys).expect("JSON");
        let endpoint = format!("https://localhost:{}/push/{browser}", self.port);
        json!({ "key": key, "endpoint": endpoint, "keys": keys, "label": browser })
    }

    /// Lets it fail from now on, as `410`, `503:1`, `stall`, `endless` or `redirect`; an empty text ends that.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn fail(&self, fault: &str) {
        let path = |name: &str| self.folder.path().join(name);
        fs::write(path("fault.part"), fault).expect("a file");
        // It never reads half of it.
        fs::rename(path("fault.part"), path("fault")).expect("a file");
    }

    /// Returns all requests, the oldest first. None of them breaks a rule of the standards.
    ///
    /// # Panics
    /// When they cannot be read, or one is wrong.
    #[must_use]
    pub fn requests(&self) -> Vec<Value> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut paths: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_request(path))
            .collect();
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            let text = fs::read(path).expect("a file");
            let request: Value = serde_json::from_slice(&text).expect("JSON");
            assert_eq!(request["faults"], json!([]), "{request}");
            request
        };
        paths.iter().map(read).collect()
    }

    /// Returns the pushes that it has taken.
    #[must_use]
    pub fn taken(&self) -> Vec<Value> {
        let mut requests = self.requests();
        requests.retain(|request| request["status"] == TAKEN);
        requests
    }

    /// Waits until it has taken so many pushes; returns all.
    ///
    /// # Panics
    /// When they do not come.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    #[must_use]
    pub fn wait_for(&self, server: &Server, count: usize) -> Vec<Value> {
        let since = std::time::Instant::now();
        loop {
            let taken = self.taken();
            if taken.len() >= count {
                return taken;
            }
            assert!(
                since.elapsed() < PATIENCE,
                "{} of {count} pushes: {taken:?}\n{}",
                taken.len(),
                server.log()
            );
            std::thread::yield_now();
        }
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Says whether a file is a request: its name is a number.
fn is_request(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let is_number = stem.is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
    is_number
        && path
            .extension()
            .is_some_and(|extension| extension == "json")
}
